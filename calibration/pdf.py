"""Draw on a page of a PDF: as vectors, at true size."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.drawing import Drawing, Fill, Picture, Stroke

FONT = Path(__file__).parent / "fonts" / "NotoSans-Regular.ttf"
"""A font with the letters of every language of the pages."""
rl_config.useA85 = 0  # ASCII takes a quarter more space and twice the time
Corner = tuple[float, float]
Window = tuple[float, float, float, float]
"""Part of a drawing: left, top, right and bottom in mm."""


@cache
def text_font() -> str:
    """The name under which Reportlab knows `FONT`, which is read once something is printed."""
    pdfmetrics.registerFont(TTFont("NotoSans", FONT))
    return "NotoSans"


def draw_on_page(
    canvas: Any, drawing: Drawing, left: float, bottom: float, window: Window | None = None
) -> None:
    """Draw on a reportlab canvas at true size, the lower left corner at `left`, `bottom` mm.

    With a `window` only that part is drawn, with its own lower left corner there.
    """
    width, height = drawing.size_mm
    x0, y0, x1, y1 = window or (0.0, 0.0, width, height)
    canvas.saveState()
    canvas.translate((left - x0) * mm, (bottom - height + y1) * mm)
    clip = canvas.beginPath()
    clip.rect(x0 * mm, (height - y1) * mm, (x1 - x0) * mm, (y1 - y0) * mm)
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for mark in drawing.marks:
        if isinstance(mark, Picture):
            canvas.drawImage(_jpeg(mark.pixels), 0, 0, width * mm, height * mm)
            continue
        if window is not None and not _is_seen(mark, window):
            continue
        path = PDFPathObject(_operators(mark, height))
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


def _operators(mark: Fill | Stroke, height: float) -> list[str]:
    """A mark's outlines or lines as PDF operators, from the lower left corner upwards.

    In thousandths of a point. Reportlab's own paths are several times slower.
    """
    code = []
    for line in mark.outlines if isinstance(mark, Fill) else mark.lines:
        points = [f"{x * mm:.3f} {(height - y) * mm:.3f}" for x, y in line]
        code += [f"{points[0]} m", *(f"{point} l" for point in points[1:])]
        if line[0] == line[-1] or isinstance(mark, Fill):
            code.append("h")
    return code


def _is_seen(mark: Fill | Stroke, window: Window) -> bool:
    """Whether a mark may reach into a window."""
    lines = mark.outlines if isinstance(mark, Fill) else mark.lines
    margin = mark.width if isinstance(mark, Stroke) else 0.0
    x0, y0, x1, y1 = window
    xs = [x for line in lines for x, _ in line]
    ys = [y for line in lines for _, y in line]
    beside = min(xs) - margin >= x1 or max(xs) + margin <= x0
    return not (beside or min(ys) - margin >= y1 or max(ys) + margin <= y0)


def _jpeg(pixels: npt.NDArray[np.uint8]) -> ImageReader:
    """A picture as JPEG, which a PDF embeds as it is: smooth skies stay small."""
    held = io.BytesIO()
    PillowImage.fromarray(pixels[..., ::-1].copy()).save(held, "JPEG", quality=93, subsampling=0)
    held.seek(0)
    return ImageReader(held)
