"""Train the set classifier, `vision.set_classifier`, which sees whole boards at once.

It is trained on what the finished token detector says of synthesized photographs, so after it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from models.attention import AttentionLayer, learn_from
from models.labels import footprint_centres, pieces_on, read_labels
from models.metadata import tidy_metadata
from models.synthetic_evaluation import reader_of
from models.workers import process_pool
from scorer.datafile import DataFileError
from vision.detect import TokenDetector
from vision.locate import BoardFinder
from vision.models import Models
from vision.network import Network
from vision.photo import load_photo
from vision.reader import Reader
from vision.rectify import homography, transform
from vision.set_classifier import COLOUR_FEATURES

FILE = "set-classifier.onnx"
EPOCHS = 45
MEMBERS = 3
"""One network's errors are in part its own; several agree on what can be seen."""
_BATCH = 32
_RATE = 3e-3
_LEFT_OUT = (0.0, 0.2, 0.5, 0.8, 0.93)
"""Shares of a board's places that are left out: few pieces must be recognised as well as many."""
_NOISES = ((0.08, 0.1), (0.15, 0.25))
"""Standard deviations of the noise added to each place, and to a whole board, in features' own.

The members take turns with them.
"""
UNKNOWN = -1
_VISIBLE = 0.875
"""How near to its place a piece's foot must be seen for the place to say what lies there, in radii
of the place."""

Sample = tuple[np.ndarray, np.ndarray]
"""Of one board: (P, C + 57) features; (P,) the number of the piece that lies there, C for none, or
`UNKNOWN` where it is hidden."""


class SetTransformer(nn.Module):
    """Attention over the places of a board. (B, N, C + 57) features to (B, N, C + 1) log odds.

    It begins with the detector's word, and learns what to add to it.
    """

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, mean: np.ndarray, spread: np.ndarray, width: int = 96):
        """``mean`` and ``spread`` (C + 57,) bring features to one scale."""
        super().__init__()
        self.classes = len(mean) - COLOUR_FEATURES
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        self.register_buffer("spread", torch.tensor(spread, dtype=torch.float32))
        self.embed = nn.Sequential(nn.Linear(len(mean), width), nn.GELU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(AttentionLayer(width, 0.1) for _ in range(3))
        self.head = nn.Linear(width, self.classes + 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, features: torch.Tensor, present: torch.Tensor | None = None) -> torch.Tensor:
        """``present`` is (B, N) bool: the places to attend to; None for all."""
        colours = features[..., : self.classes]
        x = self.embed((features - self.mean) / self.spread)
        for layer in self.layers:
            x = layer(x, present)
        added: torch.Tensor = self.head(x)
        return torch.cat([colours, torch.zeros_like(colours[..., :1])], dim=-1) + added


class Ensemble(nn.Module):
    """Several networks; their mean. (B, N, C + 57) features to (B, N, C + 1) log odds."""

    def __init__(self, members: Sequence[SetTransformer]):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(B, N, C + 57) to (B, N, C + 1): the mean of the members' log probabilities."""
        return torch.stack([member(features).log_softmax(-1) for member in self.members]).mean(0)


def train_set_classifier(
    pictures: Sequence[Path],
    weights: Path,
    classes: Sequence[str],
    epochs: int = EPOCHS,
    epoch_done: Callable[[int], None] = lambda epoch: None,
    workers: int | None = None,
) -> Path:
    """Train on synthesized ``pictures`` with the detector in ``weights``.

    Writes ``weights/set-classifier.onnx`` and returns its path. DataFileError where no photograph
    shows a whole board.
    """
    samples = drawn_samples(pictures, weights, workers)
    if not samples:
        reason = "no photograph to learn from shows a whole board: synthesize more of them"
        raise DataFileError([("", reason)])
    members = []
    for seed in range(MEMBERS):
        done = partial(lambda before, epoch: epoch_done(before + epoch), seed * epochs)
        members.append(fit(samples, epochs, done, seed))
    return export(Ensemble(members), weights, classes)


def drawn_samples(
    pictures: Sequence[Path], weights: Path, workers: int | None = None
) -> list[Sample]:
    """What the detector in ``weights`` says of the whole boards in synthesized ``pictures``."""
    with process_pool(workers) as pool:
        of_each = pool.map(partial(_samples, weights), pictures, chunksize=8)
        return [sample for found in of_each for sample in found]


def fit(
    samples: Sequence[Sample],
    epochs: int = EPOCHS,
    epoch_done: Callable[[int], None] = lambda epoch: None,
    seed: int = 0,
) -> SetTransformer:
    torch.manual_seed(seed)
    rng, noise = np.random.default_rng(seed), _NOISES[seed % len(_NOISES)]
    everything = np.concatenate([features for features, _ in samples])
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-3
    classifier = SetTransformer(mean, spread)
    optimizer = torch.optim.AdamW(classifier.parameters(), weight_decay=0.02)
    steps = epochs * -(-len(samples) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, steps + 1)
    for epoch in range(epochs):
        for features, present, truth in batches(samples, rng, spread, noise):
            learn_from(classifier, optimizer, classifier(features, present), truth)
            schedule.step()
        epoch_done(epoch + 1)
    return classifier.eval()


def export(classifier: nn.Module, weights: Path, classes: Sequence[str]) -> Path:
    """Write ``weights/set-classifier.onnx`` for one board of any number of places."""
    path = weights / FILE
    torch.onnx.export(
        classifier,
        (torch.zeros(1, 35, len(classes) + COLOUR_FEATURES),),
        path,
        dynamo=False,
        opset_version=17,
        input_names=["features"],
        output_names=["odds"],
        dynamic_axes={"features": {1: "places"}, "odds": {1: "places"}},
    )
    tidy_metadata(path, classes)
    return path


def batches(
    samples: Sequence[Sample],
    rng: np.random.Generator,
    spread: np.ndarray,
    noise: tuple[float, float],
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Boards in random order: (B, N, F) features, which places are there, what lies there."""
    order = rng.permutation(len(samples))
    for first in range(0, len(samples), _BATCH):
        chosen = [samples[i] for i in order[first : first + _BATCH]]
        count = max(len(truth) for _, truth in chosen)
        features = np.zeros((len(chosen), count, len(spread)), np.float32)
        present = np.zeros((len(chosen), count), bool)
        target = np.full((len(chosen), count), UNKNOWN)
        for row, (measured, truth) in enumerate(chosen):
            there = rng.random(len(truth)) >= rng.choice(_LEFT_OUT)
            there[rng.integers(len(truth))] = True
            off = rng.normal(0, noise[0], measured.shape) + rng.normal(0, noise[1], len(spread))
            features[row, : len(truth)] = measured + spread * off
            present[row, : len(truth)] = there
            target[row, : len(truth)] = np.where(there, truth, UNKNOWN)
        yield torch.tensor(features), torch.tensor(present), torch.tensor(target)


@cache
def without_classifier(weights: Path) -> Models:
    """The models of a folder of weights whose classifier is still to be trained."""
    return Models(
        BoardFinder(Network(weights / "board-finder.onnx")),
        TokenDetector(Network(weights / "token-detector.onnx")),
    )


def _samples(weights: Path, picture: Path) -> list[Sample]:
    """The classifier's input for each board that lies wholly in a photograph, and the truth."""
    cv2.setNumThreads(1)
    truth = read_labels(picture)
    boards = [board for board in truth["boards"] if not board["cropped"]]
    if not boards:
        return []
    edition = picture.parent / "editions" / truth["edition"]
    reader = reader_of(edition, without_classifier(weights))
    image, feet = load_photo(picture).image, footprint_centres(truth)
    samples = []
    for board in boards:
        to_image = homography(np.array(board["corners"]), reader.profile.size_mm)
        features = measured(reader, image, to_image)
        standing = transform(np.linalg.inv(to_image), feet) if len(feet) else feet
        samples.append((features, _truth(reader, board, standing)))
    return samples


def measured(reader: Reader, image: np.ndarray, to_image: np.ndarray) -> np.ndarray:
    """(P, C + 57), the classifier's input for a board that lies at ``to_image``."""
    rectified = reader.rectify(image, to_image)
    views = reader.detect(rectified)
    return reader.features(rectified, *reader.weigh(rectified, views), views)


def _truth(reader: Reader, board: Mapping[str, Any], standing: np.ndarray) -> np.ndarray:
    """(P,) what lies on each place; unknown where a piece lies that is not to be seen.

    ``standing`` (T, 2) mm are where the pieces that are seen have their feet.
    """
    empty = len(reader.classes)
    truth = np.full(len(reader.places), UNKNOWN)
    pieces = pieces_on(board, reader.profile)
    for row, (place, shape) in enumerate(reader.profile.places.items()):
        piece = pieces.get(place)
        if piece is not None:
            away = np.hypot(*(standing - np.array(shape.at)).T).min(initial=np.inf)
            if away < _VISIBLE * shape.radius:
                truth[row] = reader.classes.index(piece)
        elif place in pieces:
            truth[row] = empty
    return truth
