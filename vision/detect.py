"""Detect the pieces on a rectified board in even light, and score them per place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import overload

import cv2
import numpy as np

from vision.network import Network
from vision.rectify import Canvas

_LEAST = 0.001
_MIRRORS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps (down, across) through the picture: as it is, and in three mirror images."""


@dataclass(frozen=True)
class Detections:
    """A detector's output for one view of the board.

    ``at`` (N, 2) are foot centres in mm; ``scores`` (N, C) are in the order of its classes. One
    piece may be detected several times, by neighbouring anchors.
    """

    at: np.ndarray
    scores: np.ndarray


class Views(Sequence[Detections]):
    """A sequence of views of a board, each detected on first access."""

    def __init__(self, view: Callable[[int], Detections], count: int) -> None:
        """``view`` returns the detections in the view of an index."""
        self._view, self._seen = cache(view), range(count)

    def __len__(self) -> int:
        return len(self._seen)

    @overload
    def __getitem__(self, number: int) -> Detections: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Detections, ...]: ...
    def __getitem__(self, number: int | slice) -> Detections | tuple[Detections, ...]:
        chosen = self._seen[number]
        if isinstance(chosen, int):
            return self._view(chosen)
        return tuple(map(self._view, chosen))


class TokenDetector:
    """Detects pieces on a rectified board, given the empty one."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @property
    def classes(self) -> tuple[str, ...]:
        """The pieces' ids, in the order of the scores."""
        return self._network.classes

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> Sequence[Detections]:
        """Run the detector on the board in even light and the reference, (S, S, 3) uint8.

        The board is viewed as it is, first, and in its mirror images: their mean is more accurate
        than one view. All views are in the board's own coordinates, and detected on first access.
        """
        pair = cv2.merge([board, reference])
        return Views(lambda number: self._view(pair, *_MIRRORS[number], canvas), len(_MIRRORS))

    def _view(self, board: np.ndarray, down: int, across: int, canvas: Canvas) -> Detections:
        rows = self._network.run(board[::down, ::across])
        rows = rows[rows[:, 4:].max(axis=1) >= _LEAST]
        x, y = rows[:, 0], rows[:, 1]
        height, width = board.shape[:2]
        at = np.stack([x if across > 0 else width - x, y if down > 0 else height - y], axis=1)
        return Detections(canvas.to_mm(at), rows[:, 4:].astype(float))


class NoDetector:
    """Detects nothing: for a game without models."""

    def __init__(self, classes: tuple[str, ...]) -> None:
        """`classes` are the pieces' ids."""
        self.classes = classes

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> tuple[Detections, ...]:
        """One view without detections."""
        return (Detections(np.empty((0, 2)), np.empty((0, len(self.classes)))),)


def foot_points(views: Sequence[Detections], points: np.ndarray, reach: float) -> np.ndarray:
    """(N, 2) mm of the foot of each place's most certain piece, or the place itself without one.

    ``points`` (N, 2) are the places in mm; a piece within ``reach`` mm belongs to the nearest.
    """
    at = np.concatenate([view.at for view in views])
    if not len(at):
        return points
    distance = np.hypot(*(at[:, None] - points[None]).transpose(2, 0, 1))
    belongs = (distance.argmin(axis=1)[:, None] == np.arange(len(points))) & (distance < reach)
    sure = np.concatenate([view.scores.max(axis=1) for view in views])
    surest = np.where(belongs, sure[:, None], 0)
    seen = surest.max(axis=0) > _LEAST
    return np.where(seen[:, None], at[surest.argmax(axis=0)], points)


def place_scores(views: Sequence[Detections], points: np.ndarray, reach: float) -> np.ndarray:
    """(N, C) best score of each class within ``reach`` mm of each place, averaged over views.

    ``points`` (N, 2) are the places in mm. A detection counts for the nearest place only.
    """
    best = np.zeros((len(views), len(points), views[0].scores.shape[1]))
    for scores, view in zip(best, views, strict=True):
        if len(view.at):
            distance = np.hypot(*(view.at[:, None] - points[None]).transpose(2, 0, 1))
            nearest = distance.argmin(axis=1)
            close = distance.min(axis=1) < reach
            np.maximum.at(scores, nearest[close], view.scores[close])
    return np.asarray(best.mean(axis=0))
