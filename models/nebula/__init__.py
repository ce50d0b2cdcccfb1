"""Nebula's weights, and what only its pictures need."""

from pathlib import Path

from vision.models import Models

WEIGHTS = Path(__file__).parents[1] / "weights" / "nebula"


def load() -> Models:
    """The networks that ship with the program."""
    return Models.from_folder(WEIGHTS)
