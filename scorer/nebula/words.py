"""Nebula's words and phrases in English, Spanish and Czech, as the rulebooks have them."""

from importlib.resources import files

from scorer.datafile import parse_yaml
from scorer.sentence import Phrasebook, Sentence, Value

COLOURS = ("red", "purple", "yellow", "white", "blue", "orange")
BLACK = "black"
CONSTELLATIONS = ("aries", "taurus", "gemini", "cancer")

_DATA = parse_yaml(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
WORDS = Phrasebook(_DATA["phrases"], _DATA["words"])


def say(key: str, **values: Value) -> Sentence:
    """A sentence of the game; English as a `str`, `.in_language("es")` for the others.

    >>> reason = say("linked_to_same_colour", space="ar2", colour="red", other="ar1")
    >>> print(reason)
    ar2 is linked to the red star on ar1
    """
    return WORDS.say(key, **values)
