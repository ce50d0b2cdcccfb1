"""Convert a drawing for printing on white paper with little ink."""

import colorsys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from calibration.drawing import Fill, Line, Mark, Picture, Stroke

PALE, DARK = 0.8, 0.28
"""Lightness, 0 to 1, above which paper is pale and below which a night sky is dark."""
_BED_MM = 2.0
"""A translucent dark line wider than this separates another from the sky."""
_MUTED, _DUSK = 0.3, 0.5  # saturation below which, up to this lightness, a ground is no piece
_NIGHT_BLUE, _ITS_MOST = (0.55, 0.7), 0.5  # hues at which a ground may be more saturated


def on_white(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Marks without pictures: the dark parts of a night sky become white, the light ones dark.

    In a drawing on pale paper, the paper becomes white. Other colours are kept, and so are nearly
    grey ones, such as black and white pieces, and fixed ones.
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
    """A mark of a night sky on white; the dark bed of a line becomes white."""
    if isinstance(mark, Fill):
        return mark if mark.fixed else replace(mark, colour=ink(mark.colour))
    is_bed = mark.opacity < 1 and mark.width > _BED_MM and _lightness(mark.colour) < DARK
    return replace(mark, colour="#ffffff" if is_bed else ink(mark.colour, of_line=True))


def is_night(marks: Sequence[Mark]) -> bool:
    """Whether the dark area of a drawing is at least as large as the pale area."""
    areas = [(_lightness(colour), area) for colour, area in _areas(marks).items()]
    dark = sum(area for light, area in areas if light < DARK)
    return dark >= sum(area for light, area in areas if light > PALE)


def _areas(marks: Sequence[Mark]) -> Mapping[str, float]:
    """The area filled with each colour, in square mm."""
    found: dict[str, float] = {}
    for mark in marks:
        if isinstance(mark, Fill):
            area = mark.opacity * _area(mark.outlines[0])
            found[mark.colour] = found.get(mark.colour, 0.0) + area
    return found


def ink(colour: str, *, of_line: bool = False) -> str:
    """A night sky's colour on white paper; a dark line is kept, as it is visible there.

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
    red, green, blue = (level / 255 for level in bytes.fromhex(colour[1:]))
    return colorsys.rgb_to_hls(red, green, blue)


def _lightness(colour: str) -> float:
    return _hls(colour)[1]


def _area(outline: Line) -> float:
    """A polygon's area, in square mm."""
    around = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in around)) / 2
