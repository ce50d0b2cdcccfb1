"""Nebula's words and phrases in English, Spanish and Czech, as the rulebooks have them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from scorer.datafile import parse_yaml
from scorer.sentence import Phrasebook, Sentence, Value

if TYPE_CHECKING:  # boards are checked with these words
    from scorer.nebula.board import GalaxyBoard

COLOURS = ("red", "purple", "yellow", "white", "blue", "orange")
BLACK = "black"
CONSTELLATIONS = ("aries", "taurus", "gemini", "cancer")

_DATA = parse_yaml(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
WORDS = Phrasebook(_DATA["phrases"], _DATA["words"])


def space_name(board: GalaxyBoard, space: str, language: str = "en") -> str:
    """What players call a space: "Aries 3", "the core".

    The number counts a constellation's spaces from the core outwards, as the board has them.
    """
    region = board.constellation_of(space)
    if region is None:
        return say("the_core").in_language(language)
    number = board.constellations[region].index(space) + 1
    return f"{WORDS.word(region, language)} {number}"


def say(key: str, **values: Value) -> Sentence:
    """A sentence of the game; English as a `str`, `.in_language("es")` for the others.

    >>> reason = say("linked_to_same_colour", space="ar2", colour="red", other="ar1")
    >>> print(reason)
    ar2 is linked to the red star on ar1
    """
    return WORDS.say(key, **values)
