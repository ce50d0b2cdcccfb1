"""Tests of `vision.board_odds`."""

import numpy as np

from vision.board_odds import fit_to_clusters


def _clusters(bare: float, pieces: float, between: float) -> np.ndarray:
    """Log odds of a piece: 60 bare places, 60 pieces and one place between, the last."""
    about = np.linspace(-1, 1, 60)
    return np.concatenate([bare + 0.5 * about, pieces + about, [between]])


def _shifted(taken: np.ndarray) -> np.ndarray:
    odds = np.stack([taken - np.log(2), taken - np.log(2), 0 * taken], axis=1)
    shifted = fit_to_clusters(odds)
    np.testing.assert_allclose(shifted[:, 0], shifted[:, 1])
    return np.logaddexp.reduce(shifted[:, :-1], axis=1) - shifted[:, -1]


def test_places_that_look_a_little_like_pieces_are_bare_where_pieces_look_more_so() -> None:
    all_strange = _shifted(_clusters(bare=-0.5, pieces=5.0, between=0.3))
    assert all_strange[-1] < 0
    usual = _shifted(_clusters(bare=-6.0, pieces=1.0, between=-0.3))
    assert usual[-1] > 0


def test_clear_clusters_leave_no_place_in_doubt() -> None:
    taken = _clusters(bare=-4.0, pieces=1.8, between=-4.0)
    assert (np.abs(taken) < 2).any()
    assert (np.abs(_shifted(taken)) > 2).all()


def test_a_place_between_two_clusters_stays_in_doubt() -> None:
    assert abs(_shifted(_clusters(bare=-6.0, pieces=5.0, between=-0.5))[-1]) < 2


def test_few_places_change_little() -> None:
    for few in ([], [0.5], [-0.5, 1.0]):
        assert (np.abs(_shifted(np.array(few)) - few) < 0.5).all()
