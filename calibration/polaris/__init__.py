"""Polaris' artwork, a `calibration.artwork.Artwork`."""

from pathlib import Path

from calibration.artwork import TokenSheet
from calibration.layout import Layout
from calibration.polaris.artwork import DIAMETER_MM, draw_layout, draw_token, token_set
from calibration.polaris.score_board import further_sheets, score_sheet

PROFILES = Path(__file__).parents[1] / "profiles" / "polaris"

__all__ = [
    "DIAMETER_MM",
    "PROFILES",
    "draw_layout",
    "draw_token",
    "further_sheets",
    "token_set",
    "token_sheets",
]


def token_sheets(layout: Layout) -> tuple[TokenSheet, ...]:
    return (score_sheet(),)
