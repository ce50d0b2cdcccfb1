"""The toy game's models: none are trained. A board is whatever large bright-rimmed quadrilateral
there is, and frogs are plain discs of two colours."""

from dataclasses import dataclass

import cv2
import numpy as np

from ponds import FROGS, PONDS
from vision.detect import Detections
from vision.locate import FoundBoard
from vision.models import Models
from vision.rectify import Canvas

NEAR = 70.0
"""How far in levels a pixel's colour may be from a frog's."""


class EdgeFinder:
    """Quadrilaterals that stand out from the table."""

    def find(self, image: np.ndarray) -> list[FoundBoard]:
        """The largest ones first, corners clockwise from the one nearest to the top-left."""
        grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 2)
        edges = cv2.dilate(cv2.Canny(grey, 30, 90), np.ones((5, 5), np.uint8))
        contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:4]:
            hull = cv2.convexHull(contour)
            corners = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
            if len(corners) == 4 and cv2.contourArea(corners) > 0.02 * grey.size:
                quad = corners.reshape(4, 2).astype(float)
                first = int(quad.sum(axis=1).argmin())
                quad = np.roll(quad, -first, axis=0)
                if np.linalg.det(np.stack((quad[1] - quad[0], quad[3] - quad[0]))) < 0:
                    quad = np.roll(quad[::-1], 1, axis=0)
                found.append(FoundBoard(quad, 0.9))
        return found


@dataclass(frozen=True)
class DiscDetector:
    """Discs of the frogs' colours where the empty board has another."""

    classes: tuple[str, ...] = FROGS

    def detect(
        self, board: np.ndarray, reference: np.ndarray, canvas: Canvas
    ) -> tuple[Detections, ...]:
        """One view: each blob of a frog's colour that the reference lacks, scored by its size."""
        changed = np.linalg.norm(board.astype(float) - reference, axis=2) > 50
        at, scores = [], []
        for number, piece in enumerate(PONDS.pieces):
            colour = [int(piece.colour[i : i + 2], 16) for i in (5, 3, 1)]
            like = np.linalg.norm(board.astype(float) - colour, axis=2) < NEAR
            mask = cv2.morphologyEx(
                (like & changed).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
            )
            count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
            whole = np.pi * (7.5 * canvas.px_per_mm) ** 2
            for blob in range(1, count):
                at.append(centres[blob])
                row = np.full(len(self.classes), 0.001)
                row[number] = min(0.99, 1.2 * stats[blob, cv2.CC_STAT_AREA] / whole)
                scores.append(row)
        points = canvas.to_mm(np.array(at).reshape(-1, 2))
        return (Detections(points, np.array(scores).reshape(-1, len(self.classes))),)


def load() -> Models:
    return Models(EdgeFinder(), DiscDetector())
