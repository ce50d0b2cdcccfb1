"""A table followed by a camera: what appears is put together to turns, and turns to phases.

A camera sees neither cards nor whose turn it is, nor that a turn was one without pieces. So what
appears belongs to one turn as long as it can: stars of one colour and links, within one sector.
What does not fit soon after breaks a rule; what does not fit after a pause is a later turn, in
which the others laid nothing. A turn of the frame ends a phase (P57). Where pieces of several turns
appear at once, nobody has watched these turns: nothing is known of them but what lies there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scorer.flags import RuleBreak
from scorer.polaris.edition import Edition
from scorer.polaris.game import PHASES
from scorer.polaris.phases import PhaseScore, score_phase
from scorer.polaris.sky import Sky, rule_break, turn_breaks
from scorer.polaris.words import NEUTRAL, say

PAUSE = 10.0
"""Seconds in which the other players can have had their turns without laying a piece."""
AT_ONCE = 1.0
"""Seconds between pieces that appear at once."""
LINK = "link"


@dataclass(frozen=True)
class FollowedTurn:
    """What one player laid, of players with these `colours`: places in the order of their coming.

    `after` is the sky as it lies, or lay when the turn was over; `latest` is when its last piece
    came, in seconds.
    """

    colours: tuple[str, ...]
    before: Sky
    after: Sky
    laid: tuple[str, ...] = ()
    latest: float = 0.0

    @cached_property
    def mover(self) -> str | None:
        """The colour of its stars; None where only links were laid."""
        return next((self.after.stars[at] for at in self.laid if at in self.after.stars), None)

    @cached_property
    def sectors(self) -> frozenset[int]:
        """The sectors in which it can go on: those of all its pieces."""
        return _common_sectors(self.after, self.laid)

    @cached_property
    def breaks(self) -> tuple[RuleBreak, ...]:
        """The rules that it breaks, and those that the sky breaks since (P14, P33, P37, P48)."""
        known = self.before.rule_breaks(self.colours)
        new = [one for one in self.after.rule_breaks(self.colours) if one not in known]
        return (*turn_breaks(self.before, self.after, self.mover), *new)


@dataclass(frozen=True)
class FollowedPhase:
    """A scoring phase that the frame's turn has ended: its sky, the turns until then, what broke.

    `breaks` names a frame that was not turned on by one sector clockwise.
    """

    sky: Sky
    turns: int
    breaks: tuple[RuleBreak, ...] = ()


@dataclass(frozen=True)
class Burst:
    """Pieces that appear at once: the table before the first of them, and when the latest came.

    `unwatched`: they are of several turns, of which nobody knows more.
    """

    before: "FollowedTable"
    latest: float
    unwatched: bool = False


@dataclass(frozen=True)
class FollowedTable:
    """What a camera has seen of a game so far; `sky` is as it lies.

    The last of `turns` is in progress where `is_open`.

    >>> table = FollowedTable(("red", "blue"), Sky({}, new_moon=2))
    >>> for number, star in enumerate(["red", "red", "blue"], start=1):
    ...     lying = {**table.sky.stars, f"{number}b1": star}
    ...     table = follow(table, replace(table.sky, stars=lying), at=5.0 * number)
    >>> [(turn.mover, turn.laid, [one.kind for one in turn.breaks]) for turn in table.turns]
    [('red', ('1b1', '2b1'), ['two_sectors']), ('blue', ('3b1',), [])]
    """

    colours: tuple[str, ...]
    sky: Sky
    turns: tuple[FollowedTurn, ...] = ()
    is_open: bool = False
    phases: tuple[FollowedPhase, ...] = ()
    burst: Burst | None = None

    @property
    def turn(self) -> FollowedTurn | None:
        """The turn in progress."""
        return self.turns[-1] if self.is_open else None

    @property
    def breaks(self) -> tuple[tuple[int, RuleBreak], ...]:
        """What turns have broken and is not put right, each with its turn's number, from 1."""
        return tuple(
            (number, one) for number, turn in enumerate(self.turns, start=1) for one in turn.breaks
        )


def follow(table: FollowedTable, sky: Sky, at: float) -> FollowedTable:
    """The table after a camera has seen the sky, at a moment in seconds.

    A New Moon that nobody saw (None) is where it was. A star of another colour than before was
    misread: it counts as if it had always been so. Pieces of several turns that appear at once are
    of no turn.

    >>> table = FollowedTable(("red", "blue"), Sky({}))
    >>> late = Sky({"1a1": "red", "2b1": "red", "3b1": "blue", "4b2": "blue"})
    >>> [(turn.laid, turn.breaks) for turn in follow(table, late, at=0.0).turns]
    [((), ())]
    """
    if sky.new_moon is None:
        sky = replace(sky, new_moon=table.sky.new_moon)
    burst = table.burst
    turned = table.sky.new_moon not in (None, sky.new_moon)
    if burst is None or turned or at - burst.latest > AT_ONCE:
        burst = Burst(replace(table, burst=None), at)
    followed = _followed(burst.before if burst.unwatched else table, sky, at)
    unwatched = burst.unwatched or _is_unwatched(burst.before, followed)
    if unwatched:
        followed = _caught_up(burst.before, sky, at)
    return replace(followed, burst=replace(burst, latest=at, unwatched=unwatched))


def _followed(table: FollowedTable, sky: Sky, at: float) -> FollowedTable:
    """The table with what is new on the sky put together to turns."""
    table = _reread(_with_frame(table, sky), sky)
    lay, lies = _pieces(table.sky), _pieces(sky)
    gone = [place for place, piece in lay.items() if lies.get(place) != piece]
    for place in gone:
        table = _without(table, place)
    for place, piece in lies.items():
        if lay.get(place) != piece:
            table = _with(table, place, piece, at)
    return table


def end_turn(table: FollowedTable) -> FollowedTable:
    """The table after somebody said that the turn in progress is over."""
    return replace(table, is_open=False)


def lunar_sectors(edition: Edition, sky: Sky) -> dict[str, int]:
    """The sector that each moon allows as the frame lies (P20, P21); none where nobody knows how.

    >>> from scorer.polaris.edition import load_edition
    >>> lunar_sectors(load_edition("standard"), Sky({}, new_moon=4))
    {'new': 4, 'crescent': 5, 'quarter': 1, 'gibbous': 2, 'full': 3}
    """
    if sky.new_moon is None:
        return {}
    ring = tuple(sky.board.sectors)
    return {moon: edition.lunar_sector(moon, sky.new_moon, ring) for moon in edition.moons}


def standings(
    sky: Sky, cards: Iterable[str], players: Mapping[str, str], edition: Edition
) -> dict[str, dict[str, PhaseScore]]:
    """What each card would give each player if it were scored now, without the telescope.

    `players` are names with their colours. What is missing for the next tier, the result says.

    >>> from scorer.polaris.edition import load_edition
    >>> sky = Sky({"1a1": "red", "1b1": "red", "1c1": "red"})
    >>> (now,) = standings(sky, ["C6"], {"Ana": "red"}, load_edition("standard")).values()
    >>> now["Ana"].result.count, now["Ana"].tier, now["Ana"].bonus, now["Ana"].result.to_next
    (3, 1, 3, 1)
    """
    return {card: score_phase(sky, card, None, players, edition) for card in cards}


# the frame


def _with_frame(table: FollowedTable, sky: Sky) -> FollowedTable:
    """The frame as it is now: turned on, it has ended a phase; turned back, it had not."""
    old, new = table.sky.new_moon, sky.new_moon
    lying = replace(table.sky, new_moon=new)
    if old is None or old == new:
        return replace(table, sky=lying)
    last = table.phases[-1] if table.phases else None
    if last and last.sky.new_moon == new and last.turns == len(table.turns):
        return replace(table, sky=lying, phases=table.phases[:-1])
    ring = tuple(sky.board.sectors)
    following = ring[(ring.index(old) + 1) % len(ring)]
    breaks = []
    if len(table.phases) + 1 >= PHASES:
        breaks.append(rule_break("P57", say("game_over")))
    elif new != following:
        breaks.append(rule_break("P57", say("frame_astray", old=old, next=following)))
    phase = FollowedPhase(table.sky, len(table.turns), tuple(breaks))
    return end_turn(replace(table, sky=lying, phases=(*table.phases, phase)))


# what nobody watched


def _is_unwatched(before: FollowedTable, after: FollowedTable) -> bool:
    """Whether what came at once is of several turns: more than two, or they break rules so."""
    lay = _pieces(before.sky)
    came = {piece for place, piece in _pieces(after.sky).items() if lay.get(place) != piece}
    if len(came - {LINK, NEUTRAL}) <= 1:
        return False
    return len(after.turns) > len(before.turns) + 2 or len(after.breaks) > len(before.breaks)


def _caught_up(table: FollowedTable, sky: Sky, at: float) -> FollowedTable:
    """The table with a turn of nobody's, since which the sky lies so."""
    table = _reread(_with_frame(table, sky), sky)
    lies = _pieces(sky)
    for place, piece in _pieces(table.sky).items():
        if lies.get(place) != piece:
            table = _without(table, place)
    nobodys = FollowedTurn(table.colours, sky, sky, (), at)
    return replace(table, sky=sky, turns=(*table.turns, nobodys), is_open=False)


# pieces


def _reread(table: FollowedTable, sky: Sky) -> FollowedTable:
    """A star of another player's colour: the camera sees it better now, and it always was so.

    What lies is never exchanged; turns and phases have known the star by the wrong colour.
    """
    for place, was in table.sky.stars.items():
        star = sky.stars.get(place, NEUTRAL)
        if star != was and NEUTRAL not in (star, was):
            table = _with_star(table, place, was, star)
    return table


def _with_star(table: FollowedTable, place: str, was: str, star: str) -> FollowedTable:
    """The table with a star of another colour wherever it was known by the old one."""

    def seen(sky: Sky) -> Sky:
        return _changed(sky, place, star) if sky.stars.get(place) == was else sky

    turns = []
    for turn in table.turns:
        turn = replace(turn, before=seen(turn.before), after=seen(turn.after))
        others = {turn.after.stars.get(at, star) for at in turn.laid} - {star}
        if place in turn.laid and others:  # of a turn of its own, of which nothing more is known
            laid = tuple(at for at in turn.laid if at != place)
            turn = replace(_lying_since(turn, place, star), laid=laid)
        turns.append(turn)
    phases = tuple(replace(phase, sky=seen(phase.sky)) for phase in table.phases)
    return replace(table, sky=seen(table.sky), turns=tuple(turns), phases=phases)


def _without(table: FollowedTable, place: str) -> FollowedTable:
    """A piece went: its own turn can take it back, from an earlier one it is missing."""
    table = replace(table, sky=_changed(table.sky, place))
    if not table.turns:
        return table
    *before, turn = table.turns
    laid = tuple(other for other in turn.laid if other != place)
    turn = replace(turn, after=_changed(turn.after, place), laid=laid)
    if turn.laid or turn.breaks:
        return replace(table, turns=(*before, turn))
    return replace(table, turns=tuple(before), is_open=False)  # all that it laid is taken back


def _with(table: FollowedTable, place: str, piece: str, at: float) -> FollowedTable:
    """A piece came: put back, laid out before the game, or laid in a turn."""
    sky = _changed(table.sky, place, piece)
    missing = (n for n, turn in enumerate(table.turns) if _missing(turn, place, piece))
    first = next(missing, None)
    if first is None and piece == NEUTRAL:  # nobody's turn
        first = max(len(table.turns) - 1, 0)
    if first is not None:  # it counts as never gone
        since = tuple([_lying_since(turn, place, piece) for turn in table.turns[first:]])
        return replace(table, sky=sky, turns=table.turns[:first] + since)
    turn = table.turn
    if turn is None:
        return _new_turn(table, sky, (place,), at)
    if piece not in (LINK, turn.mover or piece):
        kept, moved = _own_part(turn, sky, place)
        turns = (*table.turns[:-1], kept) if kept.laid else table.turns[:-1]
        return _new_turn(replace(table, turns=turns), sky, (*moved, place), at)
    fits = _common_sectors(sky, (*turn.laid, place))
    if not fits and at - turn.latest >= PAUSE:
        return _new_turn(table, sky, (place,), at)
    turn = replace(turn, after=sky, laid=(*turn.laid, place), latest=at)
    return replace(table, sky=sky, turns=(*table.turns[:-1], turn))


def _new_turn(table: FollowedTable, sky: Sky, laid: Sequence[str], at: float) -> FollowedTable:
    before = sky
    for place in laid:
        before = _changed(before, place)
    turn = FollowedTurn(table.colours, before, sky, tuple(laid), at)
    return replace(table, sky=sky, turns=(*table.turns, turn), is_open=True)


def _own_part(turn: FollowedTurn, sky: Sky, place: str) -> tuple[FollowedTurn, tuple[str, ...]]:
    """A turn without the last links that fit only the one after it, which laid a star on `place`.

    Those links are returned: who lays a link before the star has begun the next turn with it.
    """
    laid, moved = turn.laid, tuple[str, ...]()
    while laid and not _common_sectors(sky, laid) and laid[-1] not in sky.stars:
        laid, moved = laid[:-1], (laid[-1], *moved)
    if not moved or not _common_sectors(sky, (*moved, place)):
        return turn, ()
    after = turn.after
    for link in moved:
        after = _changed(after, link)
    return replace(turn, after=after, laid=laid), moved


def _missing(turn: FollowedTurn, place: str, piece: str) -> bool:
    """Whether a piece was there before a turn, and not after it."""
    return _pieces(turn.before).get(place) == piece != _pieces(turn.after).get(place)


def _lying_since(turn: FollowedTurn, place: str, piece: str) -> FollowedTurn:
    """A turn as if a piece had lain there all the time."""
    before, after = (_changed(sky, place, piece) for sky in (turn.before, turn.after))
    return replace(turn, before=before, after=after)


def _common_sectors(sky: Sky, places: Iterable[str]) -> frozenset[int]:
    board = sky.board
    within = [
        board.sectors_of(place) if place in board.star_spaces else board.sectors_of_link(place)
        for place in places
    ]
    return frozenset.intersection(*within) if within else frozenset(board.sectors)


def _pieces(sky: Sky) -> dict[str, str]:
    """What lies on star spaces and link spaces."""
    return {**sky.stars, **dict.fromkeys(sky.links, LINK)}


def _changed(sky: Sky, place: str, piece: str | None = None) -> Sky:
    """The sky with a piece on a place, or with none there."""
    if place in sky.board.link_spaces:
        links = tuple(link for link in sky.links if link != place)
        return replace(sky, links=(*links, place) if piece else links)
    stars = {space: star for space, star in sky.stars.items() if space != place}
    return replace(sky, stars={**stars, place: piece} if piece else stars)
