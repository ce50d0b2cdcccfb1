"""Pixels to draw an invented board's art on, at places in millimetres."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import PX_PER_MM
from models.synthesis.texture import Bgr

Pixel = tuple[int, int]
FILLED = -1


def px(at: Sequence[float]) -> Pixel:
    """The pixel of a point in mm."""
    return round(at[0] * PX_PER_MM), round(at[1] * PX_PER_MM)


def polar(at: Pixel, radius: float, angle: float) -> Pixel:
    """The pixel `radius` px from another at an angle in radians, clockwise from the right."""
    return int(at[0] + radius * np.cos(angle)), int(at[1] + radius * np.sin(angle))


class Canvas:
    """(height, width, 3) uint8 BGR `pixels`. Every mark is anti-aliased; sizes are in px."""

    def __init__(self, pixels: np.ndarray) -> None:
        """Draw on these pixels."""
        self.pixels = pixels

    def disc(self, at: Pixel, radius: int, colour: Bgr) -> None:
        """A filled circle."""
        self.ring(at, radius, colour, FILLED)

    def ring(self, at: Pixel, radius: int, colour: Bgr, width: int) -> None:
        """A circle's line."""
        cv2.circle(self.pixels, at, radius, colour, width, cv2.LINE_AA)

    def dashed_ring(self, at: Pixel, radius: int, colour: Bgr, width: int) -> None:
        """A circle of dashes, 6 degrees each."""
        for start in range(0, 360, 12):
            angles = 0, start, start + 6
            cv2.ellipse(self.pixels, at, (radius, radius), *angles, colour, width, cv2.LINE_AA)

    def line(self, start: Pixel, end: Pixel, colour: Bgr, width: int) -> None:
        """A straight line."""
        cv2.line(self.pixels, start, end, colour, width, cv2.LINE_AA)

    def dashed_line(self, start: Pixel, end: Pixel, colour: Bgr, width: int, dashes: int) -> None:
        """A straight line of so many dashes."""
        steps = np.linspace(0, 1, 2 * dashes)
        points = [(np.add(start, np.subtract(end, start) * t)).astype(int).tolist() for t in steps]
        for one, other in zip(points[::2], points[1::2], strict=True):
            self.line(one, other, colour, width)

    def box(self, low: Pixel, high: Pixel, colour: Bgr, width: int = FILLED) -> None:
        """A rectangle."""
        cv2.rectangle(self.pixels, low, high, colour, width, cv2.LINE_AA)

    def text(
        self,
        text: str,
        at: Pixel,
        size: float,
        colour: Bgr,
        width: int,
        font: int = cv2.FONT_HERSHEY_SIMPLEX,
        centred: bool = True,
    ) -> None:
        """A word about a point, or from it on."""
        if centred:
            (w, h), _ = cv2.getTextSize(text, font, size, width)
            at = at[0] - w // 2, at[1] + h // 2
        cv2.putText(self.pixels, text, at, font, size, colour, width, cv2.LINE_AA)
