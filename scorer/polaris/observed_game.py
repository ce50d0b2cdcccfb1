"""A table as observed by a camera: its turns, its phases, its sky."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorer.flags import RuleBreak
from scorer.polaris.sky import Sky, turn_breaks

LINK = "link"


@dataclass(frozen=True)
class FollowedTurn:
    """The places where one player put pieces, in order of appearance; `colours` are in play.

    `after` is the sky now, or at the end of the turn; `when` has the time of each piece in seconds.
    """

    colours: tuple[str, ...]
    before: Sky
    after: Sky
    laid: tuple[str, ...] = ()
    when: Mapping[str, float] = field(default_factory=dict)

    @property
    def latest(self) -> float:
        """The time of its last piece in seconds."""
        return max((self.when[at] for at in self.laid if at in self.when), default=0.0)

    @cached_property
    def mover(self) -> str | None:
        """The colour of its stars; None if there are only links or unowned stars."""
        stars = [self.after.stars[at] for at in self.laid if at in self.after.stars]
        return next((star for star in stars if star in self.colours), None)

    @cached_property
    def sectors(self) -> frozenset[int]:
        """The sectors in which it can go on: those common to all its pieces."""
        return self.after.board.common_sectors(self.laid)

    @cached_property
    def breaks(self) -> tuple[RuleBreak, ...]:
        """The rules that it breaks, and those that the sky breaks since (P14, P33, P37, P48)."""
        known = self.before.rule_breaks(self.colours)
        new = [one for one in self.after.rule_breaks(self.colours) if one not in known]
        return (*turn_breaks(self.before, self.after), *new)


@dataclass(frozen=True)
class FollowedPhase:
    """A scoring phase, ended by turning the frame: its sky, and the number of turns up to it.

    `breaks` reports a frame that was not turned by one sector clockwise.
    """

    sky: Sky
    turns: int
    breaks: tuple[RuleBreak, ...] = ()


@dataclass(frozen=True)
class FollowedTable:
    """What a camera has seen of a game so far; `sky` is the present one.

    The last of `turns` is in progress if `is_open`.

    >>> from scorer.polaris.turn_inference import follow
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

    @property
    def turn(self) -> FollowedTurn | None:
        return self.turns[-1] if self.is_open else None

    @property
    def breaks(self) -> tuple[tuple[FollowedTurn, RuleBreak], ...]:
        """The rule breaks of turns that have not been corrected, each with its turn."""
        return tuple((turn, one) for turn in self.turns for one in turn.breaks)


def pieces(sky: Sky) -> dict[str, str]:
    """The pieces on star spaces and link spaces."""
    return {**sky.stars, **dict.fromkeys(sky.links, LINK)}


def changed(sky: Sky, place: str, piece: str | None = None) -> Sky:
    if place in sky.board.link_spaces:
        links = tuple(link for link in sky.links if link != place)
        return replace(sky, links=(*links, place) if piece else links)
    stars = {space: star for space, star in sky.stars.items() if space != place}
    return replace(sky, stars={**stars, place: piece} if piece else stars)
