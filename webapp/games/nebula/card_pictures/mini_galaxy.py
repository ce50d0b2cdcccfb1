"""A profile's galaxy, scaled to a card's picture."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import atan2, cos, dist, hypot, pi, sin
from statistics import fmean

from calibration import Profile
from scorer.nebula.board import GalaxyBoard
from webapp.web.card_ink import FAINT, SIZE, Point, disc, line, ring

MIDDLE: Point = (SIZE / 2, SIZE / 2)
REACH = 50
"""The distance of the outermost space from the middle."""
DOT = 3.2


class MiniGalaxy:
    """The places of a board's spaces in a picture, with the core in the middle."""

    def __init__(self, profile: Profile) -> None:
        self.board: GalaxyBoard = profile.board
        self._places = {name: space.at for name, space in profile.spaces.items()}
        core = self._places[self.board.core]
        self._scale = REACH / max(dist(core, at) for at in self._places.values())

    def at(self, space: str) -> Point:
        core, own = self._places[self.board.core], self._places[space]
        return (
            MIDDLE[0] + (own[0] - core[0]) * self._scale,
            MIDDLE[1] + (own[1] - core[1]) * self._scale,
        )

    @cached_property
    def radii(self) -> dict[int, float]:
        """The mean distance of each orbit from the middle."""
        return {
            number: fmean(dist(MIDDLE, self.at(space)) for space in spaces)
            for number, spaces in self.board.orbits.items()
        }

    def direction(self, constellation: str) -> Point:
        """The unit vector from the core to the middle of a constellation."""
        places = [self.at(space) for space in self.board.constellations[constellation]]
        x = fmean(place[0] for place in places) - MIDDLE[0]
        y = fmean(place[1] for place in places) - MIDDLE[1]
        return x / hypot(x, y), y / hypot(x, y)

    def region(self, constellation: str) -> str:
        """The SVG path of the sector of the sky around a constellation."""
        towards = self.direction(constellation)
        turn, half = atan2(towards[1], towards[0]), pi / len(self.board.ring) - 0.05
        far = REACH + 6
        start, end = (
            (MIDDLE[0] + far * cos(turn + side), MIDDLE[1] + far * sin(turn + side))
            for side in (-half, half)
        )
        near = (MIDDLE[0] + 5 * towards[0], MIDDLE[1] + 5 * towards[1])
        return (
            f"M{near[0]:.1f} {near[1]:.1f}L{start[0]:.1f} {start[1]:.1f}"
            f"A{far} {far} 0 0 1 {end[0]:.1f} {end[1]:.1f}Z"
        )

    def enlarged(
        self, constellation: str, middle: Point, width: float, height: float
    ) -> dict[str, Point]:
        """The places of a constellation's spaces, scaled to fill a box around `middle`."""
        places = {space: self.at(space) for space in self.board.constellations[constellation]}
        xs, ys = zip(*places.values(), strict=True)
        scale = min(width / (max(xs) - min(xs)), height / (max(ys) - min(ys)))
        at = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return {
            space: (middle[0] + (x - at[0]) * scale, middle[1] + (y - at[1]) * scale)
            for space, (x, y) in places.items()
        }

    def along_orbit(self, start: str, end: str) -> str:
        """The SVG path along the shorter arc between two spaces of an orbit."""
        (x1, y1), (x2, y2) = self.at(start), self.at(end)
        turning = (x1 - MIDDLE[0]) * (y2 - MIDDLE[1]) - (y1 - MIDDLE[1]) * (x2 - MIDDLE[0])
        radius = dist(MIDDLE, (x1, y1))
        clockwise = int(turning > 0)
        return f"M{x1:.1f} {y1:.1f}A{radius:.1f} {radius:.1f} 0 0 {clockwise} {x2:.1f} {y2:.1f}"

    def dots(self, leave_out: Iterable[str] = (), colour: str = FAINT) -> str:
        """Faint dots for all spaces but those to leave out."""
        out = set(leave_out)
        return "".join(
            disc(self.at(space), DOT, colour) for space in self.board.spaces if space not in out
        )

    def rings(self, leave_out: Iterable[int] = (), colour: str = FAINT, width: float = 1) -> str:
        """Faint rings for all orbits but those to leave out."""
        out = set(leave_out)
        return "".join(
            ring(MIDDLE, radius, colour, width)
            for number, radius in self.radii.items()
            if number not in out
        )

    def joined(self, pairs: Iterable[Sequence[str]], colour: str, width: float, dashes: str) -> str:
        return "".join(line((self.at(a), self.at(b)), colour, width, dashes) for a, b in pairs)
