"""Via Nebula's printed things, as `calibration.artwork.Artwork` has them."""

from calibration.via_nebula.artwork import DIAMETER_MM, PROFILES, draw_layout, draw_token, token_set
from calibration.via_nebula.sheets import further_sheets

__all__ = [
    "DIAMETER_MM",
    "PROFILES",
    "draw_layout",
    "draw_token",
    "further_sheets",
    "token_set",
]
