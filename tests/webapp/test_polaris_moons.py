"""Where the numbers of the orbits are drawn beside an enlarged sector of a sky."""

from math import dist

import pytest

from calibration import load_profile
from scorer.places import Place
from scorer.polaris.board import SkyBoard
from scorer.polaris.words import POLARIS
from webapp.games.polaris.moons import BESIDE_MM, BEYOND_MM, drawn_moons, orbit_numbers, within

SKY = load_profile("polaris/standard")
BOARD = SKY.board
assert isinstance(BOARD, SkyBoard)


@pytest.mark.parametrize("sector", BOARD.sectors)
def test_an_orbits_number_is_drawn_beyond_both_ends_of_a_sector(sector: int) -> None:
    spaces = BOARD.sectors[sector]
    numbers = list(orbit_numbers(SKY, [Place(space, "spot") for space in spaces]))
    for orbit, own in BOARD.orbits.items():
        inside = [SKY.spaces[space].at for space in own if space in spaces]
        ends = [(x, y) for number, x, y in numbers if number == orbit]
        assert len(ends) == (2 if inside else 0)
        for end in ends:
            middle = SKY.spaces[POLARIS].at
            assert dist(end, middle) == pytest.approx(dist(inside[0], middle), abs=1)
            nearest = min(dist(end, at) for at in inside)
            assert nearest == pytest.approx(BESIDE_MM, abs=1)
        if inside:
            width = max(dist(one, other) for one in inside for other in inside)
            assert dist(*ends) > width


def test_a_moon_that_the_edge_of_a_close_up_would_cut_is_moved_into_it() -> None:
    moon = next(one for one in drawn_moons(SKY, {"full": 2}))
    out, half = moon.radius + 2, 3 * BEYOND_MM
    left, top = moon.x + 1 - 2 * half, moon.y - half
    moved = within(moon, left, top, 2 * half, 2 * half)
    assert (moved.x, moved.y) == (pytest.approx(moon.x + 1 - out), moon.y)
    assert within(moon, left - 5, top, 2 * half, 2 * half) == moon, "it isn't in the picture"
    assert within(moon, left + out, top, 2 * half, 2 * half) == moon, "nothing cuts it"
