"""Nebula's printed things, as `calibration.artwork.Artwork` has them: its board and its tokens."""

from pathlib import Path

from calibration.nebula.artwork import draw_galaxy as draw_layout
from calibration.nebula.token_sheet import DIAMETER_MM, draw_token, token_set

PROFILES = Path(__file__).parents[1] / "profiles" / "nebula"

__all__ = ["DIAMETER_MM", "PROFILES", "draw_layout", "draw_token", "token_set"]
