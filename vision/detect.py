"""Detect: the stars on a rectified, evened board, and what each space has to say for itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scorer.nebula import BLACK, COLOURS
from vision.network import network
from vision.rectify import Canvas

CLASSES = (*COLOURS, BLACK)
"""The token detector's classes, in the order of its outputs."""
_LEAST = 0.001


@dataclass(frozen=True)
class Detections:
    """What the token detector saw: (N, 2) foot centres in mm, (N,) sizes in mm, scores, classes.

    One star can be there several times, once for each colour that it may have.
    """

    at: np.ndarray
    size: np.ndarray
    score: np.ndarray
    star: np.ndarray

    def near(self, point: tuple[float, float], reach: float) -> np.ndarray:
        """(N,) bool: the detections within ``reach`` mm."""
        return np.hypot(*(self.at - np.array(point)).T) < reach


def detect(evened: np.ndarray, reference: np.ndarray, canvas: Canvas) -> Detections:
    """Run the detector on the evened board and the reference, (S, S, 3) uint8 on the canvas."""
    rows = network("token-detector").run(np.dstack([evened, reference]))
    rows = rows[rows[:, 4] >= _LEAST]
    at = canvas.to_mm((rows[:, 0:2] + rows[:, 2:4]) / 2)
    size = (rows[:, 2:4] - rows[:, 0:2]).max(axis=1) / canvas.px_per_mm
    return Detections(at, size, rows[:, 4], rows[:, 5].astype(int))


def evidence(
    detections: Detections, places: Mapping[str, tuple[float, float]], reach: float
) -> dict[str, np.ndarray]:
    """For each place the best score of each class within ``reach`` mm, (7,) in ``CLASSES`` order.

    A detection speaks for the nearest place only.
    """
    names = list(places)
    points = np.array([places[name] for name in names])
    scores = np.zeros((len(names), len(CLASSES)))
    if len(detections.at):
        distance = np.hypot(*(detections.at[:, None] - points[None]).transpose(2, 0, 1))
        nearest = distance.argmin(axis=1)
        close = distance.min(axis=1) < reach
        np.maximum.at(scores, (nearest[close], detections.star[close]), detections.score[close])
    return dict(zip(names, scores, strict=True))
