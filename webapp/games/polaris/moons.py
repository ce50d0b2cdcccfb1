"""The moons as they are drawn beside a sky, each at the sector that it faces."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from calibration import Profile
from calibration.polaris.frame import MOONS, lit_part
from scorer.polaris.board import SkyBoard
from scorer.polaris.words import POLARIS
from webapp.app.game_pages import Guide

RADIUS = 6.5
BEYOND_MM = 14.0
"""How far outside of the outermost orbit a sector's number stands."""
BESIDE = 8.0
"""Degrees clockwise of a sector's printed number at which its moon is drawn."""


@dataclass(frozen=True)
class DrawnMoon:
    """A moon beside the sector that it faces: in mm, and the outline of what is lit of it."""

    moon: str
    sector: int
    x: float
    y: float
    radius: float
    lit: str


def guides(profile: Profile) -> Sequence[Guide]:
    """Return the orbits, the sectors' borders, and each sector's number beyond them."""
    board, at = profile.board, {name: own.at for name, own in profile.spaces.items()}
    assert isinstance(board, SkyBoard)
    middle = at[POLARIS]
    radii = [fmean(math.dist(middle, at[one]) for one in own) for own in board.orbits.values()]
    outside = max(radii) + BEYOND_MM
    rings = [Guide(middle, round(radius, 2)) for radius in radii]
    numbers = []
    for sector, own in board.sectors.items():
        x = fmean(at[space][0] for space in own) - middle[0]
        y = fmean(at[space][1] for space in own) - middle[1]
        far = outside / math.hypot(x, y)
        label_at = (round(middle[0] + x * far, 2), round(middle[1] + y * far, 2))
        numbers.append(Guide(middle, None, (), str(sector), label_at))
    return [*rings, *numbers]


def drawn_moons(profile: Profile, sectors: Mapping[str, int]) -> Sequence[DrawnMoon]:
    """Draw moons on a board, each at its sector."""
    middle = profile.spaces[POLARIS].at
    places = {one.label: one.label_at for one in guides(profile)}
    return [
        _drawn(moon, sector, _beside(places[str(sector)], middle))
        for moon, sector in sectors.items()
    ]


def _beside(at: tuple[float, float], middle: tuple[float, float]) -> tuple[float, float]:
    """A place BESIDE another one, as far from the middle."""
    turn = math.radians(BESIDE)
    x, y = at[0] - middle[0], at[1] - middle[1]
    turned = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    return round(middle[0] + turned[0], 2), round(middle[1] + turned[1], 2)


def _drawn(moon: str, sector: int, at: tuple[float, float]) -> DrawnMoon:
    outline = lit_part(MOONS[moon.upper()]) if MOONS.get(moon.upper()) else ()
    points = " ".join(f"{x * RADIUS:.2f},{y * RADIUS:.2f}" for x, y in outline)
    return DrawnMoon(moon, sector, *at, RADIUS, points)
