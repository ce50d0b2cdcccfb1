"""The star judge learns what only the other stars of a board can tell."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import torch

from models.star_judge import Sample, fit
from vision.decode import EMPTY
from vision.together import FEATURES

PLACES, COLOUR = 10, 9


def boards(count: int, seed: int) -> list[Sample]:
    """Each place is one of two stars, between which the detector is undecided.

    One is a step further along one feature than the other, wherever a board's light puts the two.
    """
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(count):
        truth = rng.integers(1, 3, PLACES)
        truth[:2] = 1, 2
        features = np.zeros((PLACES, FEATURES), np.float32)
        features[:, :7] = -6
        features[:, 1:3] = 1
        features[:, COLOUR] = rng.uniform(-3, 3) + truth + rng.normal(0, 0.05, PLACES)
        samples.append((features, truth))
    return samples


def share_right(judge: torch.nn.Module, samples: list[Sample]) -> float:
    with torch.no_grad():
        right = [
            (judge(torch.tensor(features)[None])[0].argmax(dim=1).numpy() == truth).mean()
            for features, truth in samples
        ]
    return float(np.mean(right))


def test_it_tells_two_colours_apart_by_their_neighbours() -> None:
    unseen = boards(60, seed=1)
    assert share_right(fit(boards(2, seed=2), epochs=1), unseen) < 0.7
    told: list[int] = []
    judge = fit(boards(320, seed=0), epochs=25, epoch_done=told.append)
    assert share_right(judge, unseen) > 0.9
    assert told == list(range(1, 26))


def test_places_of_which_nothing_is_known_teach_nothing() -> None:
    samples = boards(20, seed=3)
    noisy = [(features, np.where(np.arange(PLACES) < 5, truth, -1)) for features, truth in samples]
    judge = fit(noisy, epochs=2)
    told = judge(torch.tensor(samples[0][0])[None])
    assert told.shape == (1, PLACES, EMPTY + 1) and torch.isfinite(told).all()
