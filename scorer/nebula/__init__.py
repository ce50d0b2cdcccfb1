"""Nebula: the galaxy board, legal placements, the cards, editions, game files and scores.

>>> ana = Player("Ana", Galaxy({"core": "red", "ar1": "blue"}, black=4), personal="O19")
>>> eva = Player("Eva", Galaxy({"core": "white"}, black=1), personal="O20")
>>> score_game(Game((ana, eva), mode="intro")).ranking
(('Ana',), ('Eva',))
"""

from scorer.editions import EditionError
from scorer.nebula.board import STANDARD_BOARD, BoardError, GalaxyBoard
from scorer.nebula.card import CARDS
from scorer.nebula.edition import Edition, load_edition
from scorer.nebula.galaxy import (
    Galaxy,
    IllegalPlacementError,
    UnknownColourError,
    UnknownSpaceError,
)
from scorer.nebula.game import (
    SLOTS,
    Game,
    GameFileError,
    Player,
    Values,
)
from scorer.nebula.result import Table
from scorer.nebula.score import NotReadError, Score, score_game
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, WORDS

__all__ = [
    "BLACK",
    "CARDS",
    "COLOURS",
    "CONSTELLATIONS",
    "SLOTS",
    "STANDARD_BOARD",
    "WORDS",
    "BoardError",
    "Edition",
    "EditionError",
    "Galaxy",
    "GalaxyBoard",
    "Game",
    "GameFileError",
    "IllegalPlacementError",
    "NotReadError",
    "Player",
    "Score",
    "Table",
    "UnknownColourError",
    "UnknownSpaceError",
    "Values",
    "load_edition",
    "score_game",
]
