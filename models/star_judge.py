"""Train the star judge: the network of ``vision.together``, which sees a whole board at once.

It is trained on what the finished token detector says of synthesized photographs, so after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from models.measuring import reader_of
from models.workers import spawned
from scorer.nebula import BLACK
from vision.decode import EMPTY
from vision.detect import CLASSES, detect
from vision.network import weights_from
from vision.photo import load_photo
from vision.rectify import homography, transform
from vision.together import FEATURES

EPOCHS = 45
JUDGES = 3
"""One judge's errors are in part its own; several agree on what can be seen."""
_BATCH = 32
_RATE = 3e-3
_LEFT_OUT = (0.0, 0.2, 0.5, 0.8, 0.93)
"""Shares of a board's places that are left out: few stars must be judged as well as many."""
_NOISES = ((0.08, 0.1), (0.15, 0.25))
"""Standard deviations of the noise added to each place, and to a whole board, in features' own.

The judges take turns with them.
"""
_UNKNOWN = -1
_VISIBLE_MM = 7.0
"""How near to its place a star's foot must be seen for the place to say what lies there."""

Sample = tuple[np.ndarray, np.ndarray]
"""Of one board: (P, 64) features; (P,) what lies there, `EMPTY`, or unknown where it is hidden."""


class StarJudge(nn.Module):
    """Attention over the places of a board. (B, N, 64) features to (B, N, 8) log odds.

    It begins with the detector's word, and learns what to add to it.
    """

    def __init__(self, mean: np.ndarray, spread: np.ndarray, width: int = 96, layers: int = 3):
        """``mean`` and ``spread`` (64,) bring features to one scale."""
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        self.register_buffer("spread", torch.tensor(spread, dtype=torch.float32))
        self.embed = nn.Sequential(nn.Linear(len(mean), width), nn.GELU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(_Layer(width) for _ in range(layers))
        self.head = nn.Linear(width, len(CLASSES) + 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, features: torch.Tensor, present: torch.Tensor | None = None) -> torch.Tensor:
        """``present`` is (B, N) bool: the places that are there to be judged by; None for all."""
        told = features[..., : len(CLASSES)]
        x = self.embed((features - self.mean) / self.spread)
        for layer in self.layers:
            x = layer(x, present)
        return torch.cat([told, torch.zeros_like(told[..., :1])], dim=-1) + self.head(x)


class Ensemble(nn.Module):
    """Several judges; their mean. (B, N, 64) features to (B, N, 8) log odds."""

    def __init__(self, judges: Sequence[StarJudge]):
        """Of trained judges."""
        super().__init__()
        self.judges = nn.ModuleList(judges)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """The mean of the judges' log probabilities."""
        return torch.stack([judge(features).log_softmax(-1) for judge in self.judges]).mean(0)


class _Layer(nn.Module):
    def __init__(self, width: int, heads: int = 4, dropout: float = 0.1):
        super().__init__()
        self.heads = heads
        self.before = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.attend = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, present: torch.Tensor | None) -> torch.Tensor:
        batch, count, width = x.shape
        parts = self.attend(self.before[0](x)).view(batch, count, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        attention = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        if present is not None:
            attention = attention.masked_fill(~present[:, None, None], -1e9)
        attended = (attention.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, width)
        x = x + self.dropout(self.project(attended))
        return x + self.dropout(self.feed_forward(self.before[1](x)))


def train_star_judge(
    pictures: Sequence[Path],
    weights: Path,
    epochs: int = EPOCHS,
    epoch_done: Callable[[int], None] = lambda epoch: None,
    workers: int | None = None,
) -> Path:
    """Train on synthesized ``pictures`` with the detector in ``weights``.

    Writes ``weights/star-judge.onnx`` and returns its path.
    """
    with spawned(workers) as pool:
        told = pool.map(partial(_samples, weights), pictures, chunksize=8)
        samples = [sample for photograph in told for sample in photograph]
    judges = []
    for seed in range(JUDGES):
        done = seed * epochs
        judges.append(fit(samples, epochs, lambda epoch, done=done: epoch_done(done + epoch), seed))
    return export(Ensemble(judges), weights)


def fit(
    samples: Sequence[Sample],
    epochs: int = EPOCHS,
    epoch_done: Callable[[int], None] = lambda epoch: None,
    seed: int = 0,
) -> StarJudge:
    """A judge of these boards."""
    torch.manual_seed(seed)
    rng, noise = np.random.default_rng(seed), _NOISES[seed % len(_NOISES)]
    everything = np.concatenate([features for features, _ in samples])
    judge = StarJudge(everything.mean(axis=0), everything.std(axis=0) + 1e-3)
    optimizer = torch.optim.AdamW(judge.parameters(), weight_decay=0.02)
    steps = epochs * -(-len(samples) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, steps + 1)
    for epoch in range(epochs):
        for features, present, truth in _batches(samples, rng, judge.spread.numpy(), noise):
            told = judge(features, present)
            loss = nn.functional.cross_entropy(
                told.flatten(0, 1), truth.flatten(), ignore_index=_UNKNOWN
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        epoch_done(epoch + 1)
    return judge.eval()


def export(judge: nn.Module, weights: Path) -> Path:
    """Write ``weights/star-judge.onnx`` for one board of any number of places."""
    path = weights / "star-judge.onnx"
    torch.onnx.export(
        judge,
        (torch.zeros(1, 35, FEATURES),),
        path,
        dynamo=False,
        opset_version=17,
        input_names=["features"],
        output_names=["odds"],
        dynamic_axes={"features": {1: "places"}, "odds": {1: "places"}},
    )
    return path


def _batches(
    samples: Sequence[Sample],
    rng: np.random.Generator,
    spread: np.ndarray,
    noise: tuple[float, float],
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Boards in random order: features, which places are there, what lies there."""
    order = rng.permutation(len(samples))
    for first in range(0, len(samples), _BATCH):
        chosen = [samples[i] for i in order[first : first + _BATCH]]
        count = max(len(truth) for _, truth in chosen)
        features = np.zeros((len(chosen), count, len(spread)), np.float32)
        present = np.zeros((len(chosen), count), bool)
        target = np.full((len(chosen), count), _UNKNOWN)
        for row, (told, truth) in enumerate(chosen):
            there = rng.random(len(truth)) >= rng.choice(_LEFT_OUT)
            there[rng.integers(len(truth))] = True
            off = rng.normal(0, noise[0], told.shape) + rng.normal(0, noise[1], len(spread))
            features[row, : len(truth)] = told + spread * off
            present[row, : len(truth)] = there
            target[row, : len(truth)] = np.where(there, truth, _UNKNOWN)
        yield torch.tensor(features), torch.tensor(present), torch.tensor(target)


def _samples(weights: Path, picture: Path) -> list[Sample]:
    """What the judge is told of each board that lies wholly in a photograph, and the truth."""
    cv2.setNumThreads(1)
    truth = json.loads(picture.with_suffix(".json").read_text())
    boards = [board for board in truth["boards"] if not board["cropped"]]
    if not boards:
        return []
    reader = reader_of(picture.parent / "editions" / truth["edition"])
    image = load_photo(picture).image
    feet = np.array([np.mean(t["footprint"], axis=0) for t in truth["tokens"]]).reshape(-1, 2)
    samples = []
    with weights_from(weights):
        for board in boards:
            to_image = homography(np.array(board["corners"]), reader.profile.size_mm)
            evened = reader.evened(image, to_image)
            views = detect(evened.picture, reader.reference, reader.canvas)
            features = reader.features(evened, *reader.weigh(evened, views), views)
            standing = transform(np.linalg.inv(to_image), feet) if len(feet) else feet
            lying = board["stars"] | {f"track {i}": BLACK for i in range(board["black"])}
            samples.append((features, _truth(reader.places, lying, standing)))
    return samples


def _truth(
    places: dict[str, tuple[float, float]], lying: dict[str, str], standing: np.ndarray
) -> np.ndarray:
    """(P,) what lies on each place; unknown where a star lies that is not to be seen."""
    truth = np.full(len(places), EMPTY)
    for row, (name, at) in enumerate(places.items()):
        if name in lying:
            away = np.hypot(*(standing - np.array(at)).T).min(initial=np.inf)
            truth[row] = CLASSES.index(lying[name]) if away < _VISIBLE_MM else _UNKNOWN
    return truth
