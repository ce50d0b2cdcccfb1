"""A drawing as it is printed on white paper, with little ink."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from calibration.drawing import Fill, Line, Mark, Picture, Stroke

PALE, DARK = 0.8, 0.28
"""The lightness, 0 to 1, above which paper is pale and below which a night sky is dark."""
_BED_MM = 2.0
"""A dark line that is seen through and wider than this parts another from the sky."""
_MUTED, _DUSK = 0.3, 0.5  # a ground of less colour than this is no piece, and up to this light
_NIGHT_BLUE, _ITS_MOST = (0.55, 0.7), 0.5  # the hues of which a ground may have more colour


def on_white(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Marks without pictures: of a night sky what is dark made white and what is light made dark.

    Of a drawing on pale paper, that paper made white. Colours between stay, and so do nearly grey
    ones, as black and white pieces are, and fixed ones.
    """
    kept = [mark for mark in marks if not isinstance(mark, Picture)]
    if is_night(kept):
        return tuple(map(_by_day, kept))
    pale = {colour: area for colour, area in _areas(kept).items() if _lightness(colour) > PALE}
    paper = max(pale, key=lambda colour: pale[colour])
    return tuple(
        replace(mark, colour="#ffffff") if isinstance(mark, Fill) and mark.colour == paper else mark
        for mark in kept
    )


def _by_day(mark: Fill | Stroke) -> Fill | Stroke:
    """A mark of a night sky on white. The dark bed of a line, such as of dashes, is white then."""
    if isinstance(mark, Fill):
        return mark if mark.fixed else replace(mark, colour=ink(mark.colour))
    is_bed = mark.opacity < 1 and mark.width > _BED_MM and _lightness(mark.colour) < DARK
    return replace(mark, colour="#ffffff" if is_bed else ink(mark.colour, of_line=True))


def is_night(marks: Sequence[Mark]) -> bool:
    """Whether as much of a drawing is dark as is pale, or more."""
    areas = [(_lightness(colour), area) for colour, area in _areas(marks).items()]
    dark = sum(area for light, area in areas if light < DARK)
    return dark >= sum(area for light, area in areas if light > PALE)


def _areas(marks: Sequence[Mark]) -> Mapping[str, float]:
    """How much is filled with each colour, in square mm."""
    found: dict[str, float] = {}
    for mark in marks:
        if isinstance(mark, Fill):
            area = mark.opacity * _area(mark.outlines[0])
            found[mark.colour] = found.get(mark.colour, 0.0) + area
    return found


def ink(colour: str, *, of_line: bool = False) -> str:
    """A night sky's colour on white paper; a dark line stays, for it is seen there.

    >>> ink("#121a3f"), ink("#e6eafc"), ink("#cf1f2e"), ink("#f3f1ea"), ink("#27376c")
    ('#ffffff', '#030719', '#cf1f2e', '#f3f1ea', '#ffffff')
    """
    hue, light, strong = _hls(colour)
    most = _ITS_MOST if _NIGHT_BLUE[0] < hue < _NIGHT_BLUE[1] else _MUTED
    if not of_line and light <= _DUSK and 0.12 < strong < most:
        return "#ffffff"
    if light < DARK:
        grey = strong < 0.25
    else:
        grey = strong < (0.5 if light > 0.96 else 0.29 if light > PALE else 0.12)
    if grey or (light < DARK and of_line) or DARK <= light <= 0.62:
        return colour
    turned = 1.0 if light < DARK else 1 - light
    shown = colorsys.hls_to_rgb(hue, turned, strong)
    return "#" + "".join(f"{round(part * 255):02x}" for part in shown)


def _hls(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)


def _lightness(colour: str) -> float:
    return _hls(colour)[1]


def _area(outline: Line) -> float:
    """What a polygon encloses, in square mm."""
    around = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in around)) / 2
