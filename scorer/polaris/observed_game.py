"""What is known of a table that is followed by a camera: its turns, its phases, its sky."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scorer.flags import RuleBreak
from scorer.polaris.sky import Sky, turn_breaks

LINK = "link"


@dataclass(frozen=True)
class FollowedTurn:
    """What one player laid, of players with these `colours`: places in the order of their coming.

    `after` is the sky as it lies, or lay when the turn was over; `when` its pieces came, in
    seconds.
    """

    colours: tuple[str, ...]
    before: Sky
    after: Sky
    laid: tuple[str, ...] = ()
    when: Mapping[str, float] = field(default_factory=dict)

    @property
    def latest(self) -> float:
        """When its last piece came, in seconds."""
        return max((self.when[at] for at in self.laid if at in self.when), default=0.0)

    @cached_property
    def mover(self) -> str | None:
        """The colour of its stars; None where only links were laid, or stars of nobody's."""
        stars = [self.after.stars[at] for at in self.laid if at in self.after.stars]
        return next((star for star in stars if star in self.colours), None)

    @cached_property
    def sectors(self) -> frozenset[int]:
        """The sectors in which it can go on: those of all its pieces."""
        return self.after.board.common_sectors(self.laid)

    @cached_property
    def breaks(self) -> tuple[RuleBreak, ...]:
        """The rules that it breaks, and those that the sky breaks since (P14, P33, P37, P48)."""
        known = self.before.rule_breaks(self.colours)
        new = [one for one in self.after.rule_breaks(self.colours) if one not in known]
        return (*turn_breaks(self.before, self.after), *new)


@dataclass(frozen=True)
class FollowedPhase:
    """A scoring phase that the frame's turn has ended: its sky, the turns until then, what broke.

    `breaks` names a frame that was not turned on by one sector clockwise.
    """

    sky: Sky
    turns: int
    breaks: tuple[RuleBreak, ...] = ()


@dataclass(frozen=True)
class FollowedTable:
    """What a camera has seen of a game so far; `sky` is as it lies.

    The last of `turns` is in progress where `is_open`.

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
        """The turn in progress."""
        return self.turns[-1] if self.is_open else None

    @property
    def breaks(self) -> tuple[tuple[FollowedTurn, RuleBreak], ...]:
        """What turns have broken and is not put right, each with its turn."""
        return tuple((turn, one) for turn in self.turns for one in turn.breaks)


def pieces(sky: Sky) -> dict[str, str]:
    """What lies on star spaces and link spaces."""
    return {**sky.stars, **dict.fromkeys(sky.links, LINK)}


def changed(sky: Sky, place: str, piece: str | None = None) -> Sky:
    """The sky with a piece on a place, or with none there."""
    if place in sky.board.link_spaces:
        links = tuple(link for link in sky.links if link != place)
        return replace(sky, links=(*links, place) if piece else links)
    stars = {space: star for space, star in sky.stars.items() if space != place}
    return replace(sky, stars={**stars, place: piece} if piece else stars)
