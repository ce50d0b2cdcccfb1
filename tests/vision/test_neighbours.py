"""Tests of `vision.neighbours`."""

import numpy as np
import pytest

from calibration import load_profile
from scorer.places import Bar, Circle
from vision.neighbours import neighbours, weigh_neighbours
from vision.placewise import PlacewiseReader

BARE, RED, BLUE = 2, 0, 1
ASKED_BELOW = np.log(9)


def _odds(shown: np.ndarray, sure: float = 4.0) -> np.ndarray:
    """(N, 3) log odds of places that hold what is ``shown``, (N,) of red, blue and bare."""
    return sure * np.eye(3)[shown]


def _rows(rng: np.random.Generator, alike: bool) -> np.ndarray:
    """(40, 5) rows of five places: all of one kind, or each of any kind."""
    return np.repeat(rng.integers(0, 3, (40, 1)), 5, 1) if alike else rng.integers(0, 3, (40, 5))


PAIRS = [np.array([(5 * row + n, 5 * row + n + 1) for row in range(40) for n in range(4)])]


def _margin(odds: np.ndarray, place: int, piece: int) -> float:
    """Log odds of a piece on a place, or of its being bare."""
    return float(odds[place, piece] - np.logaddexp.reduce(np.delete(odds[place], piece)))


@pytest.mark.parametrize("piece", [RED, BLUE, BARE])
def test_a_doubtful_place_among_likes_is_sure_where_neighbours_are_alike(piece: int) -> None:
    rows = _rows(np.random.default_rng(1), alike=True)
    rows[7] = piece
    odds = _odds(rows.ravel())
    odds[37] /= 3
    assert _margin(odds, 37, piece) < ASKED_BELOW
    assert _margin(weigh_neighbours(odds, PAIRS), 37, piece) > ASKED_BELOW


def test_a_place_unlike_its_neighbours_stays_in_doubt_whatever_they_say() -> None:
    rows = _rows(np.random.default_rng(1), alike=True)
    rows[7] = RED, RED, BARE, RED, RED
    for sure in (0.3, 1.5, 3.0):
        odds = _odds(rows.ravel())
        odds[37] *= sure / 4
        weighed = weigh_neighbours(odds, PAIRS)
        assert max(_margin(weighed, 37, piece) for piece in (RED, BLUE, BARE)) < ASKED_BELOW


def test_neighbours_say_nothing_where_places_do_not_depend_on_one_another() -> None:
    rows = _rows(np.random.default_rng(2), alike=False)
    odds = _odds(rows.ravel())
    odds[::7] /= 4
    weighed = weigh_neighbours(odds, PAIRS)
    for place in range(len(odds)):
        assert abs(_margin(weighed, place, BARE) - _margin(odds, place, BARE)) < 0.7


def test_a_few_pairs_say_little() -> None:
    odds = _odds(np.array([RED, RED, BARE, BARE]), sure=2.0)
    weighed = weigh_neighbours(odds, [np.array([(0, 1), (2, 3)])])
    np.testing.assert_allclose(_normal(weighed), _normal(odds), atol=0.3)


def _normal(odds: np.ndarray) -> np.ndarray:
    return np.asarray(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))


def test_bars_touch_end_to_end_or_lie_side_by_side() -> None:
    row = [Bar((40 * n, 0), (38, 10), 0) for n in range(3)]
    beside = [
        Bar((40, 12), (38, 10), 180),
        Bar((200, 0), (38, 10), 0),
        Bar((120, 20), (38, 10), 90),
    ]
    in_line, abreast = neighbours([*row, *beside])
    assert in_line.tolist() == [[0, 1], [1, 2]]
    assert abreast.tolist() == [[1, 3]]


def test_squares_have_four_neighbours() -> None:
    (pairs,) = neighbours([Circle((x, y), 4) for y in (0, 10, 20) for x in (0, 10, 20)])
    assert sorted(np.bincount(pairs.ravel()).tolist()) == [2, 2, 2, 2, 3, 3, 3, 3, 4]


def test_neighbours_are_not_counted_twice_where_a_game_has_a_prior_of_its_own() -> None:
    pairs = {
        name: PlacewiseReader(load_profile(name))._neighbours
        for name in ("polaris/standard", "ptolemaeus/standard")
    }
    assert not any(pairs["polaris/standard"].values())
    assert any(pairs["ptolemaeus/standard"].values())


def test_the_network_decides_alone_only_where_no_neighbours_are_weighed() -> None:
    alone, beside = (PlacewiseReader(load_profile("polaris/standard")) for _ in range(2))
    assert alone._without_others
    beside._neighbours = {kind: [np.array([[0, 1]])] for kind in beside._lie_on}
    assert not beside._without_others


def test_a_board_of_one_place_has_no_neighbours() -> None:
    assert neighbours([Circle((0, 0), 4)]) == []
