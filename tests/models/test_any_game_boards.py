"""Boards of no game and their kinds of pieces, as the reader of any game's boards is trained on."""

import numpy as np
import pytest

from models.any_game.random_board import random_board
from models.any_game.random_kinds import random_kinds
from models.any_game.random_places import random_places
from scorer.places import Bar, Circle


@pytest.mark.parametrize("seed", range(12))
def test_places_lie_on_their_board(seed: int) -> None:
    places, (width, height) = random_places(np.random.default_rng(seed))
    for shape in places.values():
        assert 0 < shape.at[0] < width and 0 < shape.at[1] < height
    assert {type(shape) for shape in places.values()} <= {Bar, Circle}


def test_oblong_places_lie_side_by_side_on_some_boards() -> None:
    """A piece beside its place covers its neighbour's then, which is to be learnt."""
    touching = 0
    for seed in range(20):
        places, _ = random_places(np.random.default_rng(seed))
        bars = [shape for shape in places.values() if isinstance(shape, Bar)]
        at = np.array([bar.at for bar in bars]).reshape(-1, 2)
        apart = np.linalg.norm(at[:, None] - at, axis=2) + 1e9 * np.eye(len(at))
        touching += bool(len(bars)) and bool(apart.min() < 1.2 * min(bar.size[1] for bar in bars))
    assert touching >= 2


@pytest.mark.parametrize("seed", range(4))
def test_no_two_kinds_for_the_same_places_have_one_colour(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = random_kinds(rng, random_board(rng))
    for on_edges in (False, True):
        swatches = [kind.swatch for kind in kinds if kind.on_edges == on_edges]
        assert len(set(swatches)) == len(swatches)
