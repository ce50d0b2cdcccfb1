"""The moons drawn beside a sky, each at the sector that it faces."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, pi, tau

from calibration import Profile
from calibration.night import orbit_radius
from calibration.polaris.frame import MOONS, lit_part
from scorer.places import Place, Point, on_arc
from scorer.polaris.board import SkyBoard
from scorer.polaris.printed import sector_direction
from scorer.polaris.words import POLARIS, say
from scorer.sentence import Sentence
from webapp.app.game_pages import Guide

RADIUS = 6.5
BEYOND_MM = 14.0
"""The distance of sectors' numbers from the outermost orbit."""
BESIDE_MM = 13.0
"""The distance of an orbit's number from its first or last space in a close-up."""
OUTSIDE_MM = 7.0
"""How far outside its orbit a number is on the whole board."""
BESIDE = 8.0
"""Degrees clockwise from a sector's printed number to its moon."""


@dataclass(frozen=True)
class DrawnMoon:
    """A moon beside the sector that it faces: lengths in mm, and the outline of its lit part."""

    moon: str
    sector: int
    x: float
    y: float
    radius: float
    lit: str
    anchor: str
    name_at: Point
    """Where the name begins or ends: beside a moon above or below the sky, else under it."""

    @property
    def name(self) -> Sentence:
        return say(f"moon_{self.moon}")


def guides(profile: Profile) -> Sequence[Guide]:
    """The orbits, and each sector's number beyond them."""
    board, middle = profile.board, profile.spaces[POLARIS].at
    radii = _radii(profile)
    numbers = [
        Guide(middle, None, (), str(sector), _beyond(profile, sector)) for sector in board.sectors
    ]
    return [*(Guide(middle, round(radius, 2)) for radius in radii), *numbers]


def orbit_numbers(
    profile: Profile, close_up: Collection[Place]
) -> Iterator[tuple[int, float, float]]:
    """Yield each orbit's number and where it is drawn, at both ends of a close-up.

    On the whole board between the first two spaces, a little outside the orbit and its links.
    """
    board, (x, y) = profile.board, profile.spaces[POLARIS].at
    assert isinstance(board, SkyBoard)
    if not close_up:
        for (number, own), radius in zip(board.orbits.items(), _radii(profile), strict=True):
            ends = [profile.spaces[space].at for space in own[:2]]
            across, down = (sum(axis) / 2 for axis in zip(*ends, strict=True))
            turn = degrees(atan2(across - x, y - down))
            at = on_arc((x, y), radius + OUTSIDE_MM, turn)
            yield number, round(at[0], 2), round(at[1], 2)
        return
    near = {place.id: profile.spaces[place.id].at for place in close_up if place.kind == "spot"}
    middle = atan2(sum(at[0] - x for at in near.values()), sum(y - at[1] for at in near.values()))
    for (number, own), radius in zip(board.orbits.items(), _radii(profile), strict=True):
        inside = [near[space] for space in own if space in near]
        turns = [atan2(at[0] - x, y - at[1]) - middle for at in inside]
        turns = [middle + (turn + pi) % tau - pi for turn in turns]
        if turns:
            beside = BESIDE_MM / radius
            for turn in (min(turns) - beside, max(turns) + beside):
                at = on_arc((x, y), radius, degrees(turn))
                yield number, round(at[0], 2), round(at[1], 2)


def drawn_moons(profile: Profile, sectors: Mapping[str, int]) -> Sequence[DrawnMoon]:
    middle = profile.spaces[POLARIS].at
    return [
        _drawn(moon, sector, _beyond(profile, sector, BESIDE), middle)
        for moon, sector in sectors.items()
    ]


def within(moon: DrawnMoon, x: float, y: float, width: float, height: float) -> DrawnMoon:
    """Return a moon whose middle lies in a frame, moved so that no edge cuts it."""
    out = moon.radius + 2
    if not (x <= moon.x <= x + width and y <= moon.y <= y + height):
        return moon
    return replace(
        moon,
        x=min(max(moon.x, x + out), x + width - out),
        y=min(max(moon.y, y + out), y + height - out),
    )


def _radii(profile: Profile) -> Sequence[float]:
    return [orbit_radius(profile.layout, POLARIS, orbit) for orbit in profile.board.orbits]


def _beyond(profile: Profile, sector: int, beside: float = 0.0) -> tuple[float, float]:
    """A place beyond a sector, `beside` degrees clockwise of its middle."""
    turn = sector_direction(profile.board, sector, profile.places) + beside
    x, y = on_arc(profile.spaces[POLARIS].at, max(_radii(profile)) + BEYOND_MM, turn)
    return round(x, 2), round(y, 2)


def _drawn(moon: str, sector: int, at: Point, middle: Point) -> DrawnMoon:
    outline = lit_part(MOONS[moon.upper()]) if MOONS.get(moon.upper()) else ()
    points = " ".join(f"{x * RADIUS:.2f},{y * RADIUS:.2f}" for x, y in outline)
    side = 1 if at[0] > middle[0] else -1
    is_beside = abs(at[1] - middle[1]) > abs(at[0] - middle[0])
    anchor = "start" if (side > 0) == is_beside else "end"
    name_at = (side * (RADIUS + 2.5), 2.0) if is_beside else (side * RADIUS, RADIUS + 6.5)
    return DrawnMoon(moon, sector, *at, RADIUS, points, anchor, name_at)
