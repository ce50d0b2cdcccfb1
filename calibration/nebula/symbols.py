"""Signs drawn as lines: the constellations' symbols, letters and numbers."""

from __future__ import annotations

from pathlib import Path

import yaml

from calibration.drawing import Line, Mark, Point, Stroke, moved, strokes

# In a box from -1 to 1; y runs down.
SYMBOLS = {
    "aries": strokes(
        "M 0 0.98 L 0 -0.4 A -0.45 -0.4 0.45 0.5 0 -225 M 0 -0.4 A 0.45 -0.4 0.45 0.5 180 405"
    ),
    "taurus": strokes("M 0.56 0.4 A 0 0.4 0.56 0.56 0 360 M 0.8 -0.85 A 0 -0.85 0.8 0.69 0 180"),
    "gemini": strokes(
        "M -0.36 -0.72 L -0.36 0.72 M 0.36 -0.72 L 0.36 0.72 "
        "M -0.78 -0.95 A 0 -1.5 1.1 0.8 135 45 M -0.78 0.95 A 0 1.5 1.1 0.8 -135 -45"
    ),
    "cancer": strokes(
        "M -0.36 -0.24 A -0.6 -0.24 0.24 0.24 0 360 M 0.84 0.24 A 0.6 0.24 0.24 0.24 0 360 "
        "M -0.84 -0.24 A -0.06 -0.2 0.78 0.52 184 330 M 0.84 0.24 A 0.06 0.2 0.78 0.52 4 150"
    ),
}

_LETTERS: dict[str, tuple[float, tuple[Line, ...]]] = {
    letter: (width, strokes(path))
    for letter, (width, path) in yaml.safe_load(
        (Path(__file__).parent / "lettering.yaml").read_text(encoding="utf-8")
    ).items()
}
_HEIGHT = 7.0
_BLANK = 3.5


def symbol(constellation: str, at: Point, size: float, colour: str, width: float) -> Mark:
    """A constellation's symbol, `size` mm from its middle to its edge."""
    return Stroke(moved(SYMBOLS[constellation], at, size), colour, width)


def lettering(
    text: str, at: Point, height: float, colour: str, *, spacing: float = 2.2, weight: float = 0.11
) -> Mark:
    """Capitals and digits about the point `at`, `height` mm high.

    `spacing` is the gap between letters in sevenths of the height, `weight` the pen's
    width as a share of the height.
    """
    scale = height / _HEIGHT
    widths = [_BLANK if letter == " " else _LETTERS[letter][0] for letter in text]
    left = -(sum(widths) + spacing * (len(text) - 1)) / 2
    lines: list[Line] = []
    for letter, width in zip(text, widths, strict=True):
        if letter != " ":
            corner = (at[0] + left * scale, at[1] - height / 2)
            lines += moved(_LETTERS[letter][1], corner, scale)
        left += width + spacing
    return Stroke(tuple(lines), colour, height * weight)
