"""Boards of no game as another printer and another phone would have made them."""

from itertools import pairwise

import numpy as np
import pytest

from models.any_game.augment import seen_otherwise


@pytest.fixture(scope="module")
def places() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Photograph, its brightest channel and reference of thirty places; on a third a piece lies."""
    rng = np.random.default_rng(5)
    reference = np.repeat(rng.integers(30, 200, (30, 7, 7, 3), np.uint8), 4, 1).repeat(4, 2)
    photo = reference.copy()
    photo[::3, 8:20, 8:20] = (30, 200, 245)
    return photo, photo.max(axis=3), reference


@pytest.mark.parametrize("seed", range(4))
def test_what_is_empty_stays_as_printed_and_a_piece_stays_one(
    places: tuple[np.ndarray, np.ndarray, np.ndarray], seed: int
) -> None:
    photo, raw, reference = places
    shown, bright = seen_otherwise(np.random.default_rng(seed), photo, raw, reference)
    assert shown.shape == photo.shape and shown.dtype == bright.dtype == np.uint8
    off = np.abs(shown.astype(float) - reference).mean(axis=(1, 2, 3))
    middle = np.abs(shown.astype(float) - reference)[:, 10:18, 10:18].mean(axis=(1, 2, 3))
    empty = np.arange(30) % 3 > 0
    assert np.median(off[empty]) < 25
    assert np.median(middle[~empty]) > 1.5 * np.median(middle[empty])


def test_no_two_are_alike(places: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    rng = np.random.default_rng(9)
    shown = [seen_otherwise(rng, *places)[0] for _ in range(3)]
    assert all((one != other).any() for one, other in pairwise(shown))
