"""A drawing on a page of a PDF: vectors stay vectors, at true size."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader

from calibration.drawing import Drawing, Fill, Picture


def draw_on_page(canvas: Any, drawing: Drawing, left: float, bottom: float) -> None:
    """Draw on a reportlab canvas at true size, the lower left corner `left`, `bottom` mm."""
    width, height = drawing.size_mm
    canvas.saveState()
    canvas.translate(left * mm, bottom * mm)
    clip = canvas.beginPath()
    clip.rect(0, 0, width * mm, height * mm)
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for mark in drawing.marks:
        if isinstance(mark, Picture):
            canvas.drawImage(_jpeg(mark.pixels), 0, 0, width * mm, height * mm)
            continue
        path = canvas.beginPath()
        for line in mark.outlines if isinstance(mark, Fill) else mark.lines:
            for i, (x, y) in enumerate(line):
                (path.lineTo if i else path.moveTo)(x * mm, (height - y) * mm)
            if line[0] == line[-1] or isinstance(mark, Fill):
                path.close()
        if isinstance(mark, Fill):
            canvas.setFillColor(HexColor(mark.colour))
            canvas.setFillAlpha(mark.opacity)
            canvas.drawPath(path, stroke=0, fill=1, fillMode=0)
        else:
            canvas.setStrokeColor(HexColor(mark.colour))
            canvas.setStrokeAlpha(mark.opacity)
            canvas.setLineWidth(mark.width * mm)
            canvas.drawPath(path, stroke=1, fill=0)
    canvas.restoreState()


def _jpeg(pixels: npt.NDArray[np.uint8]) -> ImageReader:
    """A picture as JPEG, which a PDF carries as it is: a smooth sky stays small."""
    held = io.BytesIO()
    PillowImage.fromarray(pixels[..., ::-1].copy()).save(held, "JPEG", quality=93, subsampling=0)
    held.seek(0)
    return ImageReader(held)
