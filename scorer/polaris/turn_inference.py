"""Infer turns and phases from what a camera sees appear on a table.

A camera sees neither cards nor whose turn it is, nor turns without pieces. So pieces belong to one
turn as long as they can: stars of one colour and links, within one sector. A link that only fits
the previous turn was reported late. What fits neither, and came from the same hand, breaks a rule;
after a pause it is a later turn, before which the others placed nothing. Turning the frame ends a
phase (P57).

Only pieces that were seen to appear belong to a turn. Pieces that were there when the camera first
saw their place, at the start or after an absence, belong to nobody and break no rule, however late
they are reported.

The telescope's holder cannot be inferred: the turn that takes it (P51) and the last turns of the
others (P52) may place nothing, and are then invisible.
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
"""Seconds that the other players need for turns without a piece."""
HAND = 4.0
"""Seconds after which another player may place a link, or a star after a link."""
How = Literal["seen", "exchanged", "found", "entered"]
"""How a change is known: the camera saw the piece appear, or one exchanged for another by hand; the
camera found it there; or a person entered it."""


def follow(table: FollowedTable, sky: Sky, at: float, how: How = "seen") -> FollowedTable:
    """The table after a change of the sky at the time `at` in seconds.

    A New Moon that is None is unchanged. A star with another colour than before was misread, unless
    it was exchanged by hand: the new colour applies from the start. A piece that a person removes,
    or an unowned star that disappears, was never there, so that nothing counts as taken away.

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
    """The table after somebody ended the turn in progress."""
    return replace(table, is_open=False)


def join_turns(table: FollowedTable) -> FollowedTable:
    """The table with the turn in progress joined to the one before it, as somebody said."""
    if not can_join(table):
        return table
    *earlier, before, turn = table.turns
    laid, when = before.laid + turn.laid, {**before.when, **turn.when}
    joined = replace(turn, before=before.before, laid=laid, when=when)
    return replace(table, turns=(*earlier, joined))


def can_join(table: FollowedTable) -> bool:
    """Whether the turn in progress may belong to the one before: same player, same phase."""
    if not table.is_open or len(table.turns) < 2:
        return False
    before, turn = table.turns[-2:]
    same = None in (before.mover, turn.mover) or before.mover == turn.mover
    begun = table.phases[-1].turns if table.phases else 0
    return bool(same and before.laid and begun < len(table.turns) - 1)


def lay_before(table: FollowedTable) -> FollowedTable:
    """The table after somebody said that the pieces of the turn in progress were there before."""
    if table.turn is None:
        return table
    lies, laid = pieces(table.sky), table.turn.laid
    turns = (*table.turns[:-1], replace(table.turn, laid=()))
    table = replace(table, turns=turns, is_open=False)
    for place in laid:
        table = _with_found(table, place, lies[place])
    return table


def lunar_sectors(edition: Edition, sky: Sky) -> dict[str, int]:
    """The sector that each moon allows by the frame (P20, P21); empty if the frame is unknown.

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
    """The table with the present frame: turning it ends a phase, turning it back reverts that."""
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
    """Correct the colours of stars that the camera now sees better, from the start.

    Stars are never exchanged in play, so that turns and phases had the wrong colour.
    """
    for place, was in table.sky.stars.items():
        star = sky.stars.get(place, was)
        if star != was:
            table = _known_as(table, place, was, star)
    return table


def _known_as(table: FollowedTable, place: str, was: str, piece: str | None) -> FollowedTable:
    """The table with another piece, or none, wherever `was` was known to be on a place."""

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
                # it belongs to another turn, or to nobody, and nothing more is known about it
                turn = replace(_present_since(turn, place, piece), laid=rest)
        turns.append(turn)
    phases = tuple(replace(phase, sky=seen(phase.sky)) for phase in table.phases)
    table = replace(table, sky=seen(table.sky), turns=tuple(turns), phases=phases)
    return _without_empty_turn(table)


def _without(table: FollowedTable, place: str) -> FollowedTable:
    """Remove a piece: its own turn can take it back, for earlier ones it is missing."""
    table = replace(table, sky=changed(table.sky, place))
    if not table.turns:
        return table
    *before, turn = table.turns
    laid = tuple(other for other in turn.laid if other != place)
    turn = replace(turn, after=changed(turn.after, place), laid=laid)
    return _without_empty_turn(replace(table, turns=(*before, turn)))


def _without_empty_turn(table: FollowedTable) -> FollowedTable:
    """The table without the turn in progress if all its pieces were taken back."""
    turn = table.turn
    if turn is None or turn.laid or turn.breaks:
        return table
    return replace(table, turns=table.turns[:-1], is_open=False)


def _with(table: FollowedTable, place: str, piece: str, at: float, how: How) -> FollowedTable:
    """Add a piece: put back, there before the game, or placed in a turn."""
    sky = changed(table.sky, place, piece)
    missing = (n for n, turn in enumerate(table.turns) if _missing(turn, place, piece))
    first = next(missing, None)
    if first is None and piece == NEUTRAL and not _is_unowned(table, place, piece):
        first = max(len(table.turns) - 1, 0)
    if first is not None:  # it counts as never removed
        since = tuple([_present_since(turn, place, piece) for turn in table.turns[first:]])
        return replace(table, sky=sky, turns=table.turns[:first] + since)
    if how == "found" or _is_unowned(table, place, piece):  # its owner will be known later
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
    """The table with a piece that nobody saw appear: it was there from the start."""
    sky = changed(table.sky, place, piece)
    if not table.turns:  # a turn of nobody, for pieces that go missing later
        nobodys = FollowedTurn(table.colours, sky, sky)
        return replace(table, sky=sky, turns=(nobodys,), is_open=False)
    turns = tuple([_present_since(turn, place, piece) for turn in table.turns])
    return replace(table, sky=sky, turns=turns)


def _is_of_the_turn_before(table: FollowedTable, sky: Sky, place: str) -> bool:
    """Whether a place is in the sector of the turn before the one in progress."""
    before = table.turns[-2:-1]
    begun = table.phases[-1].turns if table.phases else 0
    is_of_phase = begun < len(table.turns) - 1
    laid = before[0].laid if before and is_of_phase else ()
    return bool(laid and sky.board.common_sectors((*laid, place)))


def _is_unowned(table: FollowedTable, place: str, piece: str) -> bool:
    """Whether a piece is a star that no player can have placed, and so was misread."""
    if piece == NEUTRAL:
        return place not in table.sky.board.starred
    return piece != LINK and piece not in table.colours


def _new_turn(table: FollowedTable, sky: Sky, when: Mapping[str, float]) -> FollowedTable:
    """The table with a new turn that put pieces on these places, at these times."""
    before = sky
    for place in when:
        before = changed(before, place)
    turn = FollowedTurn(table.colours, before, sky, tuple(when), when)
    return replace(table, sky=sky, turns=(*table.turns, turn), is_open=True)


def _own_part(
    turn: FollowedTurn, sky: Sky, place: str, at: float
) -> tuple[FollowedTurn, tuple[str, ...]]:
    """A turn without its last links that belong to the next turn, which put a star on `place`.

    They only fit that turn, or came nearer in time to its star than to the pieces before them. They
    are returned too: a player who places a link before the star starts the next turn with it.
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
    """Whether a piece was there before a turn, but not after it."""
    return pieces(turn.before).get(place) == piece != pieces(turn.after).get(place)


def _present_since(turn: FollowedTurn, place: str, piece: str) -> FollowedTurn:
    """A turn as if a piece had been there all the time."""
    before, after = (changed(sky, place, piece) for sky in (turn.before, turn.after))
    return replace(turn, before=before, after=after)
