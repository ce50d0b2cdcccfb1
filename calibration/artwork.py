"""The artwork that this project has for a game's board, as a drawing or as pixels.

Run as a module it draws the references of the built-in profiles again, which is needed
after a change to the artwork: `python -m calibration.artwork`.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

import cv2

from calibration.drawing import Drawing, rasterise
from calibration.layout import Layout, load_layout
from calibration.profile import BUILT_IN, LAYOUT_FILE, PX_PER_MM, REFERENCE_FILE, Image, Profile


def describe_board(layout: Layout) -> Drawing:
    """The board of a layout, drawn by its game's folder in `calibration`."""
    return cast(Drawing, import_module(f"calibration.{layout.game}").draw_layout(layout))


def draw_board(profile: Profile, px_per_mm: float = PX_PER_MM) -> Image:
    """Draw a profile's board with this project's artwork, (H, W, 3) uint8 BGR."""
    return rasterise(describe_board(profile.layout), px_per_mm)


def _draw_references() -> None:
    for folder in sorted(BUILT_IN.iterdir()):
        layout = load_layout(folder / LAYOUT_FILE)
        image = rasterise(describe_board(layout), PX_PER_MM)
        cv2.imwrite(str(folder / REFERENCE_FILE), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    _draw_references()
