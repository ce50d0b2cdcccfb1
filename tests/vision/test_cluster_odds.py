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


@pytest.mark.parametrize(("bare", "pieces", "split"), [(-1.6, 5.4, 2.0), (-3.5, 3.5, 0.0)])
def test_where_one_kind_lies_the_networks_clusters_tell_its_pieces(
    bare: float, pieces: float, split: float
) -> None:
    """A blurred outline looks like a link: on such a board, bare places are up to 2."""
    about = np.linspace(-1, 1, 40)
    network = np.concatenate([bare + 2.5 * about, pieces + 1.5 * about])
    taken = np.repeat([-0.5, 1.5], 40)
    shifted = _one_kind(taken, network)
    assert ((shifted > 0) == (network > split)).mean() > 0.97


def test_a_piece_that_all_evidence_does_not_support_is_asked_about() -> None:
    """Seams of a glued print, which the network takes for links."""
    about = np.linspace(-1, 1, 40)
    taken = np.concatenate([-4.5 + about, 4 + 1.5 * about, [0.8] * 6])
    network = np.concatenate([-6 + about / 2, 5 + about, [6.5] * 6])
    shifted = _one_kind(taken, network)
    assert (shifted[40:80] > 2.5).all() and (shifted[80:] < 1.5).all()


def test_a_bare_place_that_all_evidence_takes_for_a_piece_is_asked_about() -> None:
    about = np.linspace(-1, 1, 40)
    taken = np.concatenate([-4.5 + about, 4 + 1.5 * about, [0.8] * 6])
    network = np.concatenate([-6 + about / 2, 5 + about, [-4.0] * 6])
    assert (_one_kind(taken, network)[80:] > -1.5).all()


def test_a_bare_place_that_the_network_finds_unlike_all_others_is_asked_about() -> None:
    rng = np.random.default_rng(0)
    taken = np.concatenate([rng.normal(-4, 0.3, 60), [-3.8]])
    network = np.concatenate([rng.normal(-6.7, 0.3, 60), [-3.6]])
    shifted = _one_kind(taken, network)
    assert (shifted[:60] < -2.5).all() and -1.5 < shifted[-1] < 0


@pytest.mark.parametrize("pieces", [0, 1])
def test_odd_places_of_a_bare_board_are_no_pieces(pieces: int) -> None:
    rng = np.random.default_rng(0)
    odd = [-0.3, -0.5, -1.1, -1.4, -2.1]
    taken = np.concatenate([rng.normal(-4, 0.2, 174), odd, [1.5] * pieces])
    network = np.concatenate([rng.normal(-6.8, 0.05, 174), rng.normal(-6.6, 0.1, 5), [3] * pieces])
    shifted = _one_kind(taken, network)
    assert (shifted[:179] < 0).all() and (shifted[179:] > 0).all()


def test_a_board_without_such_places_has_no_clusters() -> None:
    assert not len(_one_kind(np.zeros(0), np.zeros(0)))
