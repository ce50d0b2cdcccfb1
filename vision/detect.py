"""Detect: the stars on a rectified, evened board, and what each space has to say for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.nebula import BLACK, COLOURS
from vision.network import network
from vision.rectify import Canvas

CLASSES = (*COLOURS, BLACK)
"""The token detector's classes, in the order of its outputs."""
_LEAST = 0.001


_MIRRORS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps (down, across) through the picture: as it is, and in three mirrors."""


@dataclass(frozen=True)
class Detections:
    """What the token detector saw in one view of the board.

    ``at`` is (N, 2), foot centres in mm; ``scores`` (N, 7) in ``CLASSES`` order. One star is there
    several times, seen by neighbouring anchors.
    """

    at: np.ndarray
    scores: np.ndarray


def detect(evened: np.ndarray, reference: np.ndarray, canvas: Canvas) -> tuple[Detections, ...]:
    """Run the detector on the evened board and the reference, (S, S, 3) uint8 on the canvas.

    The board is viewed as it is, first, and in its mirror images: their mean errs less than one
    view. Each tells of the board as it is.
    """
    board = np.dstack([evened, reference])
    return tuple(_view(board, down, across, canvas) for down, across in _MIRRORS)


def _view(board: np.ndarray, down: int, across: int, canvas: Canvas) -> Detections:
    rows = network("token-detector").run(board[::down, ::across])
    rows = rows[rows[:, 4:].max(axis=1) >= _LEAST]
    x, y = rows[:, 0], rows[:, 1]
    height, width = board.shape[:2]
    at = np.stack([x if across > 0 else width - x, y if down > 0 else height - y], axis=1)
    return Detections(canvas.to_mm(at), rows[:, 4:].astype(float))


def footing(
    views: Sequence[Detections], places: Mapping[str, tuple[float, float]], reach: float
) -> np.ndarray:
    """(N, 2) mm where each place's surest star stands, or the place itself where there is none."""
    points = np.array(list(places.values()), float)
    at = np.concatenate([view.at for view in views])
    if not len(at):
        return points
    distance = np.hypot(*(at[:, None] - points[None]).transpose(2, 0, 1))
    belongs = (distance.argmin(axis=1)[:, None] == np.arange(len(points))) & (distance < reach)
    sure = np.concatenate([view.scores.max(axis=1) for view in views])
    surest = np.where(belongs, sure[:, None], 0)
    seen = surest.max(axis=0) > _LEAST
    return np.where(seen[:, None], at[surest.argmax(axis=0)], points)


def evidence(
    views: Sequence[Detections], places: Mapping[str, tuple[float, float]], reach: float
) -> np.ndarray:
    """(N, 7) each place's best score of each of ``CLASSES`` within ``reach`` mm, all views' mean.

    A detection speaks for the nearest place only.
    """
    points = np.array(list(places.values()), float)
    best = np.zeros((len(views), len(points), len(CLASSES)))
    for scores, view in zip(best, views, strict=True):
        if len(view.at):
            distance = np.hypot(*(view.at[:, None] - points[None]).transpose(2, 0, 1))
            nearest = distance.argmin(axis=1)
            close = distance.min(axis=1) < reach
            np.maximum.at(scores, nearest[close], view.scores[close])
    return best.mean(axis=0)
