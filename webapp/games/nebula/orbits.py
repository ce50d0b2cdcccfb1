"""The orbits of a drawn board."""

from math import dist
from statistics import fmean, pstdev

from calibration import Profile
from webapp.app.game_pages import Guide

ROUND_ENOUGH_MM = 2.5
"""The standard deviation of an orbit's radii up to which it is drawn as a circle."""


def orbits(profile: Profile) -> tuple[Guide, ...]:
    """The orbits of a profile's board: circles, or lines if they are not round."""
    core = profile.spaces[profile.board.core].at
    return tuple(
        _orbit(str(number), core, tuple(profile.spaces[name].at for name in names))
        for number, names in profile.board.orbits.items()
    )


def _orbit(
    number: str, core: tuple[float, float], centres: tuple[tuple[float, float], ...]
) -> Guide:
    radii = [dist(core, centre) for centre in centres]
    if pstdev(radii) <= ROUND_ENOUGH_MM:
        radius = round(fmean(radii), 2)
        return Guide(core, radius, (), number, (core[0], core[1] + radius))
    lowest = max(centres, key=lambda centre: centre[1])
    return Guide(core, None, centres, number, lowest)
