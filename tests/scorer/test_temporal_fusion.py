"""In which order boards can have lain: games whose skies are known, mixed up."""

from dataclasses import replace
from itertools import permutations

import pytest

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.sky import Sky
from scorer.temporal_fusion import first_inconsistency, fitting_order, prior, together

SPACES = STANDARD_SKY.star_spaces
SKIES = tuple(
    Sky(dict.fromkeys(SPACES[: 6 * number], "red"), new_moon=(number + 2) % 5 + 1)
    for number in range(1, 6)
)
"""Six stars more at each phase; the New Moon faces sector 4 in the first, and goes round."""


def fitting(*skies: Sky | None, onto_free: bool = True) -> tuple[int, ...]:
    return fitting_order(POLARIS_GAME, skies, onto_free)


@pytest.mark.parametrize("with_moon", [True, False])
def test_skies_in_whatever_order_are_put_in_theirs(with_moon: bool) -> None:
    known = SKIES if with_moon else [replace(sky, new_moon=None) for sky in SKIES]
    for order in permutations(range(5)):
        found = fitting(*(known[number] for number in order))
        assert [order[number] for number in found] == [0, 1, 2, 3, 4]


def test_skies_in_order_stay() -> None:
    assert fitting(*SKIES) == (0, 1, 2, 3, 4)
    assert first_inconsistency(POLARIS_GAME, SKIES) is None
    assert fitting(*[Sky({})] * 5) == (0, 1, 2, 3, 4), "nothing is known of them"
    assert fitting(*[None] * 5) == (0, 1, 2, 3, 4)


def test_the_moon_alone_tells_skies_apart_that_lie_the_same() -> None:
    same = [Sky({}, new_moon=sector) for sector in (3, 5, 4)]
    assert fitting(*same) == (0, 2, 1)


def test_a_sky_goes_to_the_phase_that_nobody_photographed() -> None:
    first, second, _third, fourth, _ = SKIES
    assert fitting(first, second, fourth, None, None) == (0, 1, 3, 2, 4)
    stay = fitting(first, second, fourth, None, None, onto_free=False)
    assert stay == (0, 1, 2, 3, 4), "by itself nothing goes to another phase for its moon alone"


def test_skies_stay_at_the_phases_that_were_photographed_where_that_will_do() -> None:
    assert fitting(SKIES[1], SKIES[0], None, None, None) == (1, 0, 2, 3, 4)


def test_a_star_or_two_misread_are_no_other_order() -> None:
    missed = Sky(dict.fromkeys(SPACES[3:12], "red"), new_moon=SKIES[1].new_moon)
    skies = (SKIES[0], missed, *SKIES[2:])
    assert fitting(*skies) == (0, 1, 2, 3, 4) and first_inconsistency(POLARIS_GAME, skies) is None


def test_a_sector_misread_is_asked_about_and_moves_nothing() -> None:
    skies = (*SKIES[:2], replace(SKIES[2], new_moon=4), *SKIES[3:])
    assert fitting(*skies) == (0, 1, 2, 3, 4)
    found = first_inconsistency(POLARIS_GAME, skies)
    assert found is not None and found[0] == 2
    assert str(found[1].reason) == "the New Moon faces sector 4, and it should face sector 1 by now"


def test_of_many_moments_the_order_stays() -> None:
    assert fitting(*SKIES[::-1], None, None) == (0, 1, 2, 3, 4, 5, 6)


def test_a_sector_misread_is_found_across_a_phase_whose_moon_nobody_knows() -> None:
    skies = (SKIES[0], replace(SKIES[1], new_moon=None), replace(SKIES[2], new_moon=2))
    found = first_inconsistency(POLARIS_GAME, skies)
    assert found is not None and found[0] == 2
    assert str(found[1].reason) == "the New Moon faces sector 2, and it should face sector 1 by now"


def test_a_moment_of_which_nothing_is_known_changes_no_other() -> None:
    look = {"red": 0.2, "blue": 0.1, None: 0.7}
    for looks in ([look, prior(["red", "blue"])], [look, *[prior(["red", "blue"])] * 3]):
        assert together(looks)[0] == pytest.approx(together([look])[0])
    nothing = prior([])
    assert together([nothing, nothing]) == [{None: 1.0}] * 2, "a place that admits no piece"
