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


def _one_kind(taken: np.ndarray, network: np.ndarray) -> np.ndarray:
    odds, alone = (np.stack([z, 0 * z], axis=1) for z in (taken, network))
    shifted = fit_to_clusters(odds, alone)
    return np.asarray(shifted[:, 0] - shifted[:, 1])


def test_an_undecided_place_goes_to_the_nearer_cluster_where_one_kind_lies() -> None:
    about = np.linspace(-1, 1, 40)
    taken = np.concatenate([-3.5 + about / 2, 0.8 + 2 * about, [-0.9]])
    shifted = _one_kind(taken, 2 * taken)
    assert (shifted[:40] < 0).all() and shifted[-1] > 0 > _shifted(taken)[-1]


def test_an_undecided_place_is_as_doubtful_as_its_cluster_is_near_the_other() -> None:
    about = np.linspace(-1, 1, 40)
    bare, near, far = -0.4 + about / 2, 1.6 + about, 3.7 + about
    taken = [np.concatenate([bare, pieces, [-0.1]]) for pieces in (near, far)]
    doubtful, sure = (float(_one_kind(one, 2 * one)[-1]) for one in taken)
    assert -0.9 < doubtful < 0 and sure < -1.2


def test_the_network_decides_what_all_evidence_leaves_open() -> None:
    about = np.linspace(-1, 1, 40)
    taken = np.concatenate([-3.5 + 1.5 * about, 2.0 + 1.5 * about, [-0.5, -0.5]])
    network = np.concatenate([-6 + about, 1 + about, [1.0, -6.0]])
    shifted = _one_kind(taken, network)
    assert shifted[-2] > 0 > shifted[-1]


def test_only_what_is_undecided_changes_and_is_still_asked_about() -> None:
    rng = np.random.default_rng(1)
    taken = np.concatenate([rng.normal(-3, 1.5, 60), rng.normal(3, 2, 30)])
    before, shifted = _shifted(taken), _one_kind(taken, rng.normal(0, 1, 90) + 2 * taken)
    changed = np.abs(before - shifted) > 1e-9
    assert changed.any() and (np.abs(before[changed]) < 1.5).all()
    assert (np.abs(shifted[changed]) < 1.5).all()


def test_what_is_like_neither_cluster_stays_as_it_is() -> None:
    """Seams of a glued print, between bare places and plain pieces."""
    about = np.linspace(-1, 1, 40)
    taken = np.concatenate([-4.5 + about, 4 + 1.5 * about, [-0.9] * 6])
    network = np.concatenate([-7 + about, 4 + about, [0.5] * 6])
    np.testing.assert_allclose(_one_kind(taken, network), _shifted(taken), atol=1e-9)


def test_a_bare_place_that_the_network_finds_unlike_all_others_is_asked_about() -> None:
    rng = np.random.default_rng(0)
    taken = np.concatenate([rng.normal(-4, 0.3, 60), [-3.8]])
    network = np.concatenate([rng.normal(-6.7, 0.3, 60), [-3.6]])
    shifted = _one_kind(taken, network)
    assert (shifted[:60] < -2.5).all() and -1.5 < shifted[-1] < 0


@pytest.mark.parametrize("pieces", [0, 1])
def test_odd_places_of_a_bare_board_make_no_cluster(pieces: int) -> None:
    rng = np.random.default_rng(0)
    odd = [-0.3, -0.5, -1.1, -1.4, -2.1]
    taken = np.concatenate([rng.normal(-4, 0.2, 174), odd, [1.5] * pieces])
    network = np.concatenate([rng.normal(-6.8, 0.05, 174), rng.normal(-6.6, 0.1, 5 + pieces)])
    np.testing.assert_allclose(_one_kind(taken, network), _shifted(taken), atol=1e-9)
