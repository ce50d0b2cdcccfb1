"""Ptolemaeus' printed things, as `calibration.artwork.Artwork` has them."""

from pathlib import Path

from calibration.ptolemaeus.artwork import DIAMETER_MM, draw_layout, draw_token, token_set
from calibration.ptolemaeus.solids import further_sheets

PROFILES = Path(__file__).parents[1] / "profiles" / "ptolemaeus"

__all__ = ["DIAMETER_MM", "PROFILES", "draw_layout", "draw_token", "further_sheets", "token_set"]
