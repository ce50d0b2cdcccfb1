"""Nebula: the galaxy board, legal placements, the 70 cards, editions, game files and scores."""

from scorer.nebula.board import STANDARD_BOARD, BoardError, GalaxyBoard, board_from_data
from scorer.nebula.galaxy import (
    Galaxy,
    IllegalPlacementError,
    RuleBreak,
    UnknownColourError,
    UnknownSpaceError,
)
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, WORDS

__all__ = [
    "BLACK",
    "COLOURS",
    "CONSTELLATIONS",
    "STANDARD_BOARD",
    "WORDS",
    "BoardError",
    "Galaxy",
    "GalaxyBoard",
    "IllegalPlacementError",
    "RuleBreak",
    "UnknownColourError",
    "UnknownSpaceError",
    "board_from_data",
]
