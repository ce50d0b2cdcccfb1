"""The set classifier learns what only the other stars of a board can tell."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")

import torch

from models.set_transformer import UNKNOWN, Ensemble, Sample, SetTransformer, export, fit
from vision.network import Network
from vision.set_classifier import COLOUR_FEATURES

CLASSES = 7
PLACES, SEEN, COLOUR = 10, 4, 9


def boards(count: int, seed: int) -> list[Sample]:
    """Each place is one of two stars, between which the detector is undecided.

    One is a step further along one feature than the other, wherever a board's light puts the two.
    """
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(count):
        truth = rng.integers(1, 3, PLACES)
        truth[:2] = 1, 2
        features = np.zeros((PLACES, CLASSES + COLOUR_FEATURES), np.float32)
        features[:, :CLASSES] = -6
        features[:, 1:3] = 1
        features[:, COLOUR] = rng.uniform(-3, 3) + truth + rng.normal(0, 0.05, PLACES)
        samples.append((features, truth))
    return samples


def share_right(classifier: torch.nn.Module, samples: list[Sample]) -> float:
    with torch.no_grad():
        right = [
            (classifier(torch.tensor(features)[None])[0].argmax(dim=1).numpy() == truth).mean()
            for features, truth in samples
        ]
    return float(np.mean(right))


def test_it_tells_two_colours_apart_by_their_neighbours() -> None:
    unseen = boards(60, seed=1)
    assert share_right(fit(boards(2, seed=2), epochs=1), unseen) < 0.7
    reported: list[int] = []
    classifier = fit(boards(160, seed=0), epochs=25, epoch_done=reported.append)
    assert share_right(classifier, unseen) > 0.9
    assert reported == list(range(1, 26))


def test_places_of_which_nothing_is_known_teach_nothing() -> None:
    """Most places are hidden, and look as if the other star lay there."""
    hidden = []
    for features, truth in boards(320, seed=0):
        seen = np.arange(PLACES) < SEEN
        features[~seen, COLOUR] += 3 - 2 * truth[~seen]
        hidden.append((features, np.where(seen, truth, UNKNOWN)))
    known = [(features[:SEEN], truth[:SEEN]) for features, truth in boards(60, seed=1)]
    assert share_right(fit(hidden, epochs=15), known) > 0.9


def test_boards_of_which_nothing_is_known_leave_the_detectors_word() -> None:
    samples = boards(20, seed=3)
    unknown = [(features, np.full(PLACES, UNKNOWN)) for features, _ in samples]
    reported = fit(unknown, epochs=2)(torch.tensor(samples[0][0])[None])
    assert (reported[0, :, :CLASSES].detach().numpy() == samples[0][0][:, :CLASSES]).all()
    assert not reported[0, :, CLASSES].any()


def test_the_exported_one_says_the_same_and_which_pieces_it_tells_apart(tmp_path: Path) -> None:
    count = 3 + COLOUR_FEATURES
    torch.manual_seed(0)
    members = [SetTransformer(np.zeros(count), np.ones(count)) for _ in range(2)]
    for member in members:
        torch.nn.init.normal_(member.head.weight)
    ensemble = Ensemble(members).eval()
    path = export(ensemble, tmp_path, ("newt", "frog", "heron"))
    network = Network(path)
    assert network.classes == ("newt", "frog", "heron")
    for places in (1, 12):
        reported = np.random.default_rng(places).normal(size=(1, places, count)).astype(np.float32)
        with torch.no_grad():
            odds = ensemble(torch.tensor(reported)).numpy()
        assert odds.shape == (1, places, 4)
        assert np.allclose(network.infer(reported), odds, atol=1e-4)
    for place in (tmp_path, Path(__file__).parents[2], Path.home()):
        assert str(place).encode() not in path.read_bytes()
