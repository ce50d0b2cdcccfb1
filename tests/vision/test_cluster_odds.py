"""Tests of `vision.cluster_odds`."""

import numpy as np
import pytest

from vision.cluster_odds import fit_to_clusters


def _shifted(taken: np.ndarray) -> np.ndarray:
    odds = np.stack([taken - np.log(2), taken - np.log(2), 0 * taken], axis=1)
    shifted = fit_to_clusters(odds)
    np.testing.assert_allclose(shifted[:, 0], shifted[:, 1])
    return np.asarray(np.logaddexp.reduce(shifted[:, :-1], axis=1) - shifted[:, -1])


def _between(bare: float, pieces: float, place: float) -> float:
    """Log odds of a place on a board with 60 bare places and 60 pieces, after the shift."""
    about = np.linspace(-1, 1, 60)
    return float(_shifted(np.concatenate([bare + about / 2, pieces + about, [place]]))[-1])


def test_a_place_like_all_bare_places_is_bare_however_strange_they_look() -> None:
    assert _between(bare=-0.5, pieces=6.0, place=0.3) < -1


def test_a_place_like_all_pieces_is_one_however_much_they_look_like_the_print() -> None:
    assert _between(bare=-7.0, pieces=0.5, place=-0.3) > 1


def test_a_place_between_two_clusters_stays_in_doubt() -> None:
    assert abs(_between(bare=-6.0, pieces=5.0, place=-0.5)) < 1.5


@pytest.mark.parametrize("middle", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_a_single_cluster_stays_as_doubtful_as_it_is(middle: float) -> None:
    taken = middle + np.random.default_rng(0).normal(0, 0.7, 60)
    np.testing.assert_allclose(_shifted(taken), taken, atol=0.1)


@pytest.mark.parametrize("pieces", [1, 2, 3])
@pytest.mark.parametrize("alone", [0.5, 1.0, 2.0])
def test_the_first_pieces_on_a_board_are_not_erased(pieces: int, alone: float) -> None:
    bare = -4 + np.random.default_rng(0).normal(0, 0.7, 60)
    assert _shifted(np.concatenate([bare, [alone] * pieces]))[-1] > 0.5 * alone


def test_few_places_change_little() -> None:
    for few in ([], [0.5], [-0.5, 1.0], [-1000.0, 1000.0]):
        assert (np.abs(_shifted(np.array(few)) - few) < 0.5).all()
