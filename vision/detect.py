"""Detect: the pieces on a rectified board in even light, and what was seen on each place."""

from __future__ import annotations

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
"""Steps (down, across) through the picture: as it is, and in three mirrors."""


@dataclass(frozen=True)
class Detections:
    """What a detector saw in one view of the board.

    ``at`` is (N, 2), foot centres in mm; ``scores`` (N, C) in the order of its classes. One piece
    is there several times, seen by neighbouring anchors.
    """

    at: np.ndarray
    scores: np.ndarray


class Views(Sequence[Detections]):
    """So many views of a board, each looked at when it is first asked for."""

    def __init__(self, view: Callable[[int], Detections], count: int) -> None:
        """Of what is seen in the view of a number."""
        self._view, self._seen = cache(view), range(count)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._seen)

    @overload
    def __getitem__(self, number: int) -> Detections: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Detections, ...]: ...
    def __getitem__(self, number: int | slice) -> Detections | tuple[Detections, ...]:
        """Look at one or some of them."""
        chosen = self._seen[number]
        if isinstance(chosen, int):
            return self._view(chosen)
        return tuple(map(self._view, chosen))


class TokenDetector:
    """Pieces on a rectified board, seen beside the empty one."""

    def __init__(self, network: Network) -> None:
        """Of the exported network."""
        self._network = network

    @property
    def classes(self) -> tuple[str, ...]:
        """The pieces' ids, in the order of its scores."""
        return self._network.classes

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> Sequence[Detections]:
        """Run the detector on the board in even light and the reference, (S, S, 3) uint8.

        The board is viewed as it is, first, and in its mirror images: their mean errs less than one
        view. Each tells of the board as it is, and is looked at when it is asked for.
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
    """Sees no pieces: of a game of which none were learnt."""

    def __init__(self, classes: tuple[str, ...]) -> None:
        """`classes` are the pieces' ids."""
        self.classes = classes

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> tuple[Detections, ...]:
        """None, in one view."""
        return (Detections(np.empty((0, 2)), np.empty((0, len(self.classes)))),)


def foot_points(views: Sequence[Detections], points: np.ndarray, reach: float) -> np.ndarray:
    """(N, 2) mm where each place's surest piece stands, or the place itself where there is none.

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
    """(N, C) each place's best score of each class within ``reach`` mm, all views' mean.

    ``points`` (N, 2) are the places in mm. A detection speaks for the nearest place only.
    """
    best = np.zeros((len(views), len(points), views[0].scores.shape[1]))
    for scores, view in zip(best, views, strict=True):
        if len(view.at):
            distance = np.hypot(*(view.at[:, None] - points[None]).transpose(2, 0, 1))
            nearest = distance.argmin(axis=1)
            close = distance.min(axis=1) < reach
            np.maximum.at(scores, nearest[close], view.scores[close])
    return np.asarray(best.mean(axis=0))
