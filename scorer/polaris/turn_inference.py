"""A table followed by a camera: what appears is put together to turns, and turns to phases.

A camera sees neither cards nor whose turn it is, nor that a turn was one without pieces. So what
appears belongs to one turn as long as it can: stars of one colour and links, within one sector.
A link that fits only the turn before was told late. What fits neither, and came from the same
hand, breaks a rule; what comes after a pause is a later turn, in which the others laid nothing. A
turn of the frame ends a phase (P57).

Only what was seen to come is of a turn. What lay there when the camera came to see its place, at
the beginning or after it was away, is nobody's: it accuses nobody, however late it is told.

Who has the telescope does not follow from this: the turn that takes it (P51) and the one that each
of the others has then (P52) may lay nothing, and then look like turns that were not played.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from scorer.polaris.edition import Edition
from scorer.polaris.game import PHASES
from scorer.polaris.observed_game import (
    LINK,
    FollowedPhase,
    FollowedTable,
    FollowedTurn,
    changed,
    pieces,
)
from scorer.polaris.sky import Sky, rule_break
from scorer.polaris.words import NEUTRAL, say

PAUSE = 10.0
"""Seconds in which the other players can have had their turns without laying a piece."""
HAND = 4.0
"""Seconds after which another player's hand can lay a link, or a star after a link."""
How = Literal["seen", "exchanged", "found", "entered"]
"""How a change is known: a camera saw it come, or a hand put one piece in place of another; a
camera found it so; a person said so."""


def follow(table: FollowedTable, sky: Sky, at: float, how: How = "seen") -> FollowedTable:
    """The table after the sky is known to lie otherwise, at a moment in seconds.

    A New Moon that nobody saw (None) is where it was. A star of another colour than before was
    misread, unless a hand exchanged it: it counts as if it had always been so. What a person says
    is not there, and a star that nobody plays, counts as never there once it is gone: nothing that
    lies is taken away.

    >>> table = FollowedTable(("red", "blue"), Sky({}))
    >>> late = Sky({"1a1": "red", "2b1": "red", "3b1": "blue", "4b2": "blue"})
    >>> [(turn.laid, turn.breaks) for turn in follow(table, late, 0.0, "found").turns]
    [((), ())]
    """
    if sky.new_moon is None:
        sky = replace(sky, new_moon=table.sky.new_moon)
    table = _with_frame(table, sky)
    if how != "exchanged":
        table = _reread(table, sky)
    lay, lies = pieces(table.sky), pieces(sky)
    for place, piece in lay.items():
        if lies.get(place) != piece:
            never = how == "entered" or _is_unowned(table, place, piece)
            table = _known_as(table, place, piece, None) if never else _without(table, place)
    for place, piece in lies.items():
        if lay.get(place) != piece:
            table = _with(table, place, piece, at, how)
    return table


def end_turn(table: FollowedTable) -> FollowedTable:
    """The table after somebody said that the turn in progress is over."""
    return replace(table, is_open=False)


def join_turns(table: FollowedTable) -> FollowedTable:
    """The table after somebody said that the turn in progress is still the one before it."""
    if not can_join(table):
        return table
    *earlier, before, turn = table.turns
    laid, when = before.laid + turn.laid, {**before.when, **turn.when}
    joined = replace(turn, before=before.before, laid=laid, when=when)
    return replace(table, turns=(*earlier, joined))


def can_join(table: FollowedTable) -> bool:
    """Whether the turn in progress may be the one before it: of one player, and of one phase."""
    if not table.is_open or len(table.turns) < 2:
        return False
    before, turn = table.turns[-2:]
    same = None in (before.mover, turn.mover) or before.mover == turn.mover
    begun = table.phases[-1].turns if table.phases else 0
    return bool(same and before.laid and begun < len(table.turns) - 1)


def lay_before(table: FollowedTable) -> FollowedTable:
    """The table after somebody said that what the turn in progress laid had lain there before."""
    if table.turn is None:
        return table
    lies, laid = pieces(table.sky), table.turn.laid
    turns = (*table.turns[:-1], replace(table.turn, laid=()))
    table = replace(table, turns=turns, is_open=False)
    for place in laid:
        table = _with_found(table, place, lies[place])
    return table


def lunar_sectors(edition: Edition, sky: Sky) -> dict[str, int]:
    """The sector that each moon allows as the frame lies (P20, P21); none where nobody knows how.

    >>> from scorer.polaris.edition import load_edition
    >>> lunar_sectors(load_edition("standard"), Sky({}, new_moon=4))
    {'new': 4, 'crescent': 5, 'quarter': 1, 'gibbous': 2, 'full': 3}
    """
    if sky.new_moon is None:
        return {}
    after = sky.board.sector_after
    return {moon: after(sky.new_moon, steps) for steps, moon in enumerate(edition.moons)}


# the frame


def _with_frame(table: FollowedTable, sky: Sky) -> FollowedTable:
    """The frame as it is now: turned on, it has ended a phase; turned back, it had not."""
    old, new = table.sky.new_moon, sky.new_moon
    faced = replace(table.sky, new_moon=new)
    if old is None or old == new:
        return replace(table, sky=faced)
    last = table.phases[-1] if table.phases else None
    if last and last.sky.new_moon == new and last.turns == len(table.turns):
        return replace(table, sky=faced, phases=table.phases[:-1])
    following = sky.board.sector_after(old)
    breaks = []
    if len(table.phases) + 1 >= PHASES:
        breaks.append(rule_break("P57", say("game_over")))
    elif new != following:
        breaks.append(rule_break("P57", say("frame_astray", old=old, next=following)))
    phase = FollowedPhase(table.sky, len(table.turns), tuple(breaks))
    return end_turn(replace(table, sky=faced, phases=(*table.phases, phase)))


# pieces


def _reread(table: FollowedTable, sky: Sky) -> FollowedTable:
    """A star of another colour: the camera sees it better now, and it always was so.

    What lies is never exchanged; turns and phases have known the star by the wrong colour.
    """
    for place, was in table.sky.stars.items():
        star = sky.stars.get(place, was)
        if star != was:
            table = _known_as(table, place, was, star)
    return table


def _known_as(table: FollowedTable, place: str, was: str, piece: str | None) -> FollowedTable:
    """The table with another piece, or none, wherever `was` was known to lie on a place."""

    def seen(sky: Sky) -> Sky:
        return changed(sky, place, piece) if pieces(sky).get(place) == was else sky

    turns = []
    for turn in table.turns:
        turn = replace(turn, before=seen(turn.before), after=seen(turn.after))
        if place in turn.laid:
            rest = tuple(at for at in turn.laid if at != place)
            own = replace(turn, laid=rest).mover
            if piece is None:
                turn = replace(turn, laid=rest)
            elif piece == NEUTRAL or (piece in turn.colours and own not in (None, piece)):
                # of a turn of its own, or of nobody's, of which nothing more is known
                turn = replace(_present_since(turn, place, piece), laid=rest)
        turns.append(turn)
    phases = tuple(replace(phase, sky=seen(phase.sky)) for phase in table.phases)
    table = replace(table, sky=seen(table.sky), turns=tuple(turns), phases=phases)
    return _without_empty_turn(table)


def _without(table: FollowedTable, place: str) -> FollowedTable:
    """A piece went: its own turn can take it back, from an earlier one it is missing."""
    table = replace(table, sky=changed(table.sky, place))
    if not table.turns:
        return table
    *before, turn = table.turns
    laid = tuple(other for other in turn.laid if other != place)
    turn = replace(turn, after=changed(turn.after, place), laid=laid)
    return _without_empty_turn(replace(table, turns=(*before, turn)))


def _without_empty_turn(table: FollowedTable) -> FollowedTable:
    """The table without the turn in progress where all that it laid was taken back."""
    turn = table.turn
    if turn is None or turn.laid or turn.breaks:
        return table
    return replace(table, turns=table.turns[:-1], is_open=False)


def _with(table: FollowedTable, place: str, piece: str, at: float, how: How) -> FollowedTable:
    """A piece came: put back, laid out before the game, or laid in a turn."""
    sky = changed(table.sky, place, piece)
    missing = (n for n, turn in enumerate(table.turns) if _missing(turn, place, piece))
    first = next(missing, None)
    if first is None and piece == NEUTRAL and not _is_unowned(table, place, piece):
        first = max(len(table.turns) - 1, 0)
    if first is not None:  # it counts as never gone
        since = tuple([_present_since(turn, place, piece) for turn in table.turns[first:]])
        return replace(table, sky=sky, turns=table.turns[:first] + since)
    if how == "found" or _is_unowned(table, place, piece):  # whose it is will be told
        return _with_found(table, place, piece)
    turn = table.turn
    if turn is None:
        return _new_turn(table, sky, {place: at})
    if piece in table.colours and turn.mover not in (None, piece):
        kept, moved = _own_part(turn, sky, place, at)
        turns = (*table.turns[:-1], kept) if kept.laid else table.turns[:-1]
        when = {link: turn.when[link] for link in moved} | {place: at}
        return _new_turn(replace(table, turns=turns), sky, when)
    gap = abs(at - turn.latest)
    if not sky.board.common_sectors((*turn.laid, place)):
        if how == "entered":
            return _with_found(table, place, piece)
        if piece == LINK and _is_of_the_turn_before(table, sky, place):
            before = replace(table.turns[-2], laid=(*table.turns[-2].laid, place))
            before = replace(before, after=changed(before.after, place, piece))
            turns = (*table.turns[:-2], before, _present_since(turn, place, piece))
            return replace(table, sky=sky, turns=turns)
        if gap >= HAND and (piece == LINK or turn.mover is None):
            return _new_turn(table, sky, {place: at})
    if gap >= PAUSE and how != "entered":
        return _new_turn(table, sky, {place: at})
    turn = replace(turn, after=sky, laid=(*turn.laid, place), when={**turn.when, place: at})
    return replace(table, sky=sky, turns=(*table.turns[:-1], turn))


def _with_found(table: FollowedTable, place: str, piece: str) -> FollowedTable:
    """The table with a piece that nobody saw coming: it lay there all the time."""
    sky = changed(table.sky, place, piece)
    if not table.turns:  # what is missing from now on is missing from what lay there
        nobodys = FollowedTurn(table.colours, sky, sky)
        return replace(table, sky=sky, turns=(nobodys,), is_open=False)
    turns = tuple([_present_since(turn, place, piece) for turn in table.turns])
    return replace(table, sky=sky, turns=turns)


def _is_of_the_turn_before(table: FollowedTable, sky: Sky, place: str) -> bool:
    """Whether a place lies in the sector of the turn before the one in progress."""
    before = table.turns[-2:-1]
    begun = table.phases[-1].turns if table.phases else 0
    is_of_phase = begun < len(table.turns) - 1
    laid = before[0].laid if before and is_of_phase else ()
    return bool(laid and sky.board.common_sectors((*laid, place)))


def _is_unowned(table: FollowedTable, place: str, piece: str) -> bool:
    """Whether a piece is a star that nobody can have laid: it was misread."""
    if piece == NEUTRAL:
        return place not in table.sky.board.starred
    return piece != LINK and piece not in table.colours


def _new_turn(table: FollowedTable, sky: Sky, when: Mapping[str, float]) -> FollowedTable:
    """The table with a turn that has laid those places, at those moments."""
    before = sky
    for place in when:
        before = changed(before, place)
    turn = FollowedTurn(table.colours, before, sky, tuple(when), when)
    return replace(table, sky=sky, turns=(*table.turns, turn), is_open=True)


def _own_part(
    turn: FollowedTurn, sky: Sky, place: str, at: float
) -> tuple[FollowedTurn, tuple[str, ...]]:
    """A turn without the last links that are of the one after it, which laid a star on `place`.

    They fit only that one, or came nearer in time to its star than to what was laid before them.
    Those links are returned: who lays a link before the star has begun the next turn with it.
    """
    laid, moved = turn.laid, tuple[str, ...]()
    while len(laid) > 1 and laid[-1] not in sky.stars:
        earlier, came = (turn.when.get(one, 0.0) for one in laid[-2:])
        if sky.board.common_sectors(laid) and came - earlier <= at - came:
            break
        laid, moved, at = laid[:-1], (laid[-1], *moved), came
    if not moved or not sky.board.common_sectors((*moved, place)):
        return turn, ()
    after = turn.after
    for link in moved:
        after = changed(after, link)
    return replace(turn, after=after, laid=laid), moved


def _missing(turn: FollowedTurn, place: str, piece: str) -> bool:
    """Whether a piece was there before a turn, and not after it."""
    return pieces(turn.before).get(place) == piece != pieces(turn.after).get(place)


def _present_since(turn: FollowedTurn, place: str, piece: str) -> FollowedTurn:
    """A turn as if a piece had lain there all the time."""
    before, after = (changed(sky, place, piece) for sky in (turn.before, turn.after))
    return replace(turn, before=before, after=after)
