"""A night sky's drawing as it is printed on white paper, with little ink."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from dataclasses import replace

from calibration.drawing import Mark, Picture, Stroke

PALE, DARK = 0.8, 0.28


def on_white(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Marks without pictures, what is dark made white and what is light made dark.

    Colours between stay, and so do nearly grey ones, as black and white pieces are.
    """
    kept = (mark for mark in marks if not isinstance(mark, Picture))
    return tuple(
        replace(mark, colour=ink(mark.colour, of_line=isinstance(mark, Stroke))) for mark in kept
    )


def ink(colour: str, *, of_line: bool = False) -> str:
    """The colour for white paper; a dark line stays, for it is seen there.

    >>> ink("#121a3f"), ink("#e6eafc"), ink("#cf1f2e"), ink("#f3f1ea")
    ('#ffffff', '#030719', '#cf1f2e', '#f3f1ea')
    """
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, strong = colorsys.rgb_to_hls(red, green, blue)
    if light < DARK:
        grey = strong < 0.25
    else:
        grey = strong < (0.5 if light > 0.96 else 0.29 if light > PALE else 0.12)
    if grey or (light < DARK and of_line) or DARK <= light <= 0.62:
        return colour
    turned = 1.0 if light < DARK else 1 - light
    shown = colorsys.hls_to_rgb(hue, turned, strong)
    return "#" + "".join(f"{round(part * 255):02x}" for part in shown)
