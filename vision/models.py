"""The models that read one game's boards: three small parts, whoever brings them.

A game's package names a function that loads them, in the group `stargazer.models`. They are handed
to a `vision.reader.Reader`; nothing here knows which game they are of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from scorer import registry
from vision.detect import Detections, TokenDetector
from vision.locate import BoardFinder, FoundBoard
from vision.network import Network
from vision.rectify import Canvas
from vision.set_classifier import SetClassifier

GROUP = "stargazer.models"


class Finder(Protocol):
    """Finds boards in a picture, roughly."""

    def find(self, image: np.ndarray) -> list[FoundBoard]:
        """Every board in an (H, W, 3) uint8 BGR picture, the surest first."""


class Detector(Protocol):
    """Finds pieces on a rectified board. `classes` are the pieces' ids, in the order of scores."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The pieces that it tells apart."""

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> Sequence[Detections]:
        """What one or several views of the board show; both are (S, S, 3) uint8 on the canvas."""


class Classifier(Protocol):
    """Says what lies on all places of a board, having heard of all of them at once."""

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        """(N, C + 1) of each class and of "empty", from `set_classifier.features` (N, F)."""


@dataclass(frozen=True)
class Models:
    """What a reader needs. Without a classifier the detector's scores have the last word."""

    finder: Finder
    detector: Detector
    classifier: Classifier | None = None

    @staticmethod
    def from_folder(folder: Path) -> Models:
        """The exported networks of a folder of weights."""
        return Models(
            BoardFinder(Network(folder / "board-finder.onnx")),
            TokenDetector(Network(folder / "token-detector.onnx")),
            SetClassifier(Network(folder / "set-classifier.onnx")),
        )


@cache
def load_models(game: str) -> Models:
    """The models of a game, loaded once. `scorer.registry.UnknownGameError` where it has none."""
    found: Models = registry.find(GROUP, game)()
    return found
