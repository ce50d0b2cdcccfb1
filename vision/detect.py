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
    """What the token detector saw: (N, 2) foot centres in mm, (N, 7) scores in ``CLASSES`` order.

    One star is there several times, seen by neighbouring anchors.
    """

    at: np.ndarray
    scores: np.ndarray


def detect(evened: np.ndarray, reference: np.ndarray, canvas: Canvas) -> Detections:
    """Run the detector on the evened board and the reference, (S, S, 3) uint8 on the canvas."""
    rows = network("token-detector").run(np.dstack([evened, reference]))
    rows = rows[rows[:, 4:].max(axis=1) >= _LEAST]
    return Detections(canvas.to_mm(rows[:, :2]), rows[:, 4:].astype(float))


def footing(
    detections: Detections, places: Mapping[str, tuple[float, float]], reach: float
) -> np.ndarray:
    """(N, 2) mm where each place's surest star stands, or the place itself where there is none."""
    points = np.array(list(places.values()), float)
    if not len(detections.at):
        return points
    distance = np.hypot(*(detections.at[:, None] - points[None]).transpose(2, 0, 1))
    belongs = (distance.argmin(axis=1)[:, None] == np.arange(len(points))) & (distance < reach)
    surest = np.where(belongs, detections.scores.max(axis=1)[:, None], 0)
    seen = surest.max(axis=0) > _LEAST
    return np.where(seen[:, None], detections.at[surest.argmax(axis=0)], points)


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
        np.maximum.at(scores, nearest[close], detections.scores[close])
    return dict(zip(names, scores, strict=True))
