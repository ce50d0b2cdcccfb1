"""Letters and numbers drawn as lines: straight, or along a circle."""

import math

from calibration.drawing import Line, Mark, Point, Stroke, moved, strokes
from scorer.datafile import read_package_file

_LETTERS: dict[str, tuple[float, tuple[Line, ...]]] = {
    letter: (width, strokes(path))
    for letter, (width, path) in read_package_file(__package__, "lettering.yaml").items()
}
_HEIGHT = 7.0
_BLANK = 3.5


def _letter(letter: str) -> tuple[float, tuple[Line, ...]]:
    if letter not in _LETTERS:
        raise ValueError(f"lettering.yaml has no letter {letter!r}: capitals A to Z and digits")
    return _LETTERS[letter]


def lettering(
    text: str, at: Point, height: float, colour: str, *, spacing: float = 2.2, weight: float = 0.11
) -> Mark:
    """Capitals and digits centred at `at`, `height` mm high.

    `spacing` is the gap between letters in sevenths of the height, `weight` the pen's width as a
    share of the height.
    """
    scale = height / _HEIGHT
    widths = [_BLANK if letter == " " else _letter(letter)[0] for letter in text]
    left = -(sum(widths) + spacing * (len(text) - 1)) / 2
    lines: list[Line] = []
    for letter, width in zip(text, widths, strict=True):
        if letter != " ":
            corner = (at[0] + left * scale, at[1] - height / 2)
            lines += moved(_LETTERS[letter][1], corner, scale)
        left += width + spacing
    return Stroke(tuple(lines), colour, height * weight)


def curved_lettering(
    text: str,
    centre: Point,
    radius: float,
    middle: float,
    height: float,
    colour: str,
    *,
    spacing: float = 2.2,
    weight: float = 0.11,
) -> Mark:
    """Letters along a circle, their feet towards its centre, centred at the angle `middle`.

    `middle` is in degrees clockwise from above; the rest is as for `lettering`.
    """
    scale = height / _HEIGHT
    widths = [_BLANK if letter == " " else _letter(letter)[0] for letter in text]
    along = -(sum(widths) + spacing * (len(text) - 1)) / 2 * scale
    lines: list[Line] = []
    for letter, width in zip(text, widths, strict=True):
        if letter != " ":
            turn = middle + math.degrees((along + width * scale / 2) / radius)
            upright = moved(_LETTERS[letter][1], (-width * scale / 2, -radius - height / 2), scale)
            lines += moved(upright, centre, turn=turn)
        along += (width + spacing) * scale
    return Stroke(tuple(lines), colour, height * weight)
