"""Where the numbers of the orbits are drawn beside an enlarged sector of a sky."""

from math import dist

import pytest

from calibration import load_profile
from scorer.places import Place
from scorer.polaris.board import SkyBoard
from scorer.polaris.words import POLARIS
from webapp.games.polaris.moons import BESIDE_MM, orbit_numbers

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
