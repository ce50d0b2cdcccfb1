"""The artwork that this project has for a game's board, as a drawing or as pixels."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from calibration.drawing import Drawing, rasterise
from calibration.layout import Layout
from calibration.profile import PX_PER_MM, Image, Profile


def describe_board(layout: Layout) -> Drawing:
    """The board of a layout, drawn by its game's folder in `calibration`."""
    return cast(Drawing, import_module(f"calibration.{layout.game}").draw_layout(layout))


def draw_board(profile: Profile, px_per_mm: float = PX_PER_MM) -> Image:
    """Draw a profile's board with this project's artwork, (H, W, 3) uint8 BGR."""
    return rasterise(describe_board(profile.layout), px_per_mm)
