"""Pieces that break a rule where they are: those of a heap slide over the rim of its region."""

import math
from collections.abc import Mapping

import pytest

from scorer.places import in_region
from scorer.via_nebula.board import VALLEY
from scorer.via_nebula.game import VIA_NEBULA
from vision.region_pieces import FoundPiece, by_rules, chances_by_region

HALVES = ("H1", "H1b")
"""Those of a ruin, at which goods may lie only on a site."""
ADMITTED = (("site_red", "building_red", "clay", "wood"),) * 2
LARGER = ({"building_red": "site_red"},) * 2


def broken(region: int, pieces: Mapping[str, int]) -> int:
    return len(
        VIA_NEBULA.rule_breaks(VIA_NEBULA.position(VALLEY, in_region(HALVES[region], pieces)))
    )


def piece(role: str, region: int, x: int, **others: float) -> FoundPiece:
    """A piece of radius 5 in a region, with probabilities of ``others`` there."""
    chances = {(region, role): 1 - sum(others.values())}
    chances |= {(region, other): chance for other, chance in others.items()}
    return FoundPiece((x, 0), 5.0, 1.0, chances)


def where(*found: FoundPiece) -> list[dict[str, float]]:
    """The expected number of each role in both halves."""
    weighed = by_rules(found, ADMITTED, LARGER, broken)
    return [
        {role: sum(chances) for role, chances in own.items()}
        for own in chances_by_region(weighed, range(2)).values()
    ]


def test_a_cube_that_touches_the_pile_on_a_site_is_counted_there_as_doubtful() -> None:
    here, there = where(piece("site_red", 0, 0), piece("clay", 0, 6), piece("clay", 1, 16))
    assert 1.7 < here["clay"] < 1.9 and there["clay"] < 0.1


def test_cubes_that_touch_one_another_are_one_heap() -> None:
    here, there = where(piece("site_red", 0, 0), piece("wood", 1, 29), piece("clay", 1, 15))
    assert here["wood"] == here["clay"] > 0.8 and there["wood"] < 0.1


def test_all_cubes_of_a_heap_that_slid_are_likeliest_together() -> None:
    slid = [piece("clay", 1, 14 + 3 * n) for n in range(5)]
    weighed = by_rules([piece("site_red", 0, 0), *slid], ADMITTED, LARGER, broken)
    here = chances_by_region(weighed, range(2))[0]["clay"]
    assert len(here) == 5 and 0.5 < math.prod(here) < 0.88


def test_a_cube_away_from_the_heap_stays_where_it_is() -> None:
    _, there = where(piece("site_red", 0, 0), piece("clay", 1, 30))
    assert there == {"clay": 1}, "the rules are asked about it as before"


@pytest.mark.parametrize("element", ["site_red", "building_red"])
def test_a_cube_with_what_may_be_a_site_stays(element: str) -> None:
    """A building may be the visible part of a site."""
    hidden = piece("clay", 1, 22, **{element: 0.05})
    _, there = where(piece("site_red", 0, 0), piece("clay", 1, 15), hidden)
    assert there["clay"] == pytest.approx(1.95)


def test_a_heap_takes_no_cube_that_breaks_a_rule_there() -> None:
    _, there = where(piece("building_red", 0, 0), piece("clay", 1, 12))
    assert there == {"clay": 1}, "a building has no goods"


def test_a_piece_of_two_kinds_is_the_one_that_may_be_there() -> None:
    found = [piece("clay", 0, 0)]
    found[0] = FoundPiece((0, 0), 5.0, 1.0, {(0, "clay"): 0.7, (1, "building_red"): 0.3})
    here, there = where(*found)
    assert there["building_red"] > 0.8 > 0.1 > here["clay"]


def test_a_piece_of_two_kinds_fits_what_else_is_there() -> None:
    """Blue and violet: there is a site already, and a resource may lie on it."""
    found = [
        piece("site_red", 0, 0),
        FoundPiece((8, 0), 5.0, 1.0, {(0, "clay"): 0.45, (0, "building_red"): 0.25}),
    ]
    here, _ = where(*found)
    assert 0.5 < here["clay"] < 0.8 and here["building_red"] < 0.1, "it is asked about"


def test_a_cube_between_two_halves_is_on_the_site() -> None:
    cube = FoundPiece((10, 0), 5.0, 1.0, {(0, "clay"): 0.3, (1, "clay"): 0.7})
    here, there = where(piece("site_red", 0, 0), piece("building_red", 1, 20), cube)
    assert 0.5 < here["clay"] < 0.9 and there["clay"] < 0.5
    here, there = where(piece("site_red", 0, 0), piece("site_red", 1, 20), cube)
    assert there["clay"] == 0.7, "both may have it"


def test_what_may_be_no_piece_is_no_other_kind() -> None:
    shadow = FoundPiece((8, 0), 5.0, 0.6, {(0, "clay"): 0.3, (0, "building_red"): 0.25})
    here, _ = where(piece("site_red", 0, 0), shadow)
    assert here["clay"] == 0.3


def test_what_fits_is_in_doubt_if_it_was() -> None:
    found = [piece("site_red", 0, 0), piece("clay", 0, 8, building_red=0.3)]
    here, _ = where(*found)
    assert here["clay"] == pytest.approx(0.88), "it is asked about"


def test_one_of_two_pieces_moves_if_that_is_enough() -> None:
    """A half of a ruin has one site."""
    sites = [
        FoundPiece((x, 0), 5.0, 1.0, {(0, "site_red"): 0.55, (1, "site_red"): 0.45}) for x in (0, 9)
    ]
    here, there = where(*sites)
    assert here["site_red"] == pytest.approx(1, abs=0.1) == there["site_red"]
    surer = FoundPiece((0, 0), 5.0, 1.0, {(0, "site_red"): 0.8, (0, "clay"): 0.2})
    here, there = where(sites[1], surer)
    assert here["site_red"] > 0.9 and there["site_red"] > 0.7
