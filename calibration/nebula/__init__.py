"""Nebula's artwork, a `calibration.artwork.Artwork`: its board and its tokens."""

from pathlib import Path

from calibration.artwork import TokenSheet
from calibration.drawing import Drawing
from calibration.layout import Layout
from calibration.nebula.artwork import DIAMETER_MM, draw_layout, draw_token, token_set
from calibration.nebula.table_sheets import cluster_sheet, table_sheets, values_sheet

PROFILES = Path(__file__).parents[1] / "profiles" / "nebula"

__all__ = [
    "DIAMETER_MM",
    "PROFILES",
    "draw_layout",
    "draw_token",
    "further_sheets",
    "token_set",
    "token_sheets",
]


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """The parts beside the galaxies, the same for all boards."""
    return table_sheets()


def token_sheets(layout: Layout) -> tuple[TokenSheet, ...]:
    """The Values board, each track by the key of its question, and the cluster board."""
    return (values_sheet(), cluster_sheet())
