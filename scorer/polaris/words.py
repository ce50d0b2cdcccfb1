"""Polaris' words and phrases in English, Spanish and Czech, as the rulebook has them."""

from importlib.resources import files

from scorer.datafile import parse_yaml
from scorer.sentence import Phrasebook, Sentence, Value

POLARIS = "polaris"
"""The star printed in the centre, as an end of links."""
NEUTRAL = "neutral"
"""The colour, as it were, of the stars that are nobody's."""
COLOURS = ("red", "yellow", "blue", "purple", "white", "orange")
"""The colours that players' stars have in one edition or another."""

_DATA = parse_yaml(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
WORDS = Phrasebook(_DATA["phrases"], _DATA["words"])


def say(key: str, **values: Value) -> Sentence:
    """A sentence of the game; English as a `str`, `.in_language("es")` for the others.

    >>> reason = say("closed_space", spaces=("1c1",))
    >>> print(reason, "/", reason.in_language("es"))
    1c1 bears a ★: closed in a game of two / 1c1 lleva una ★: cerrada en una partida de dos
    """
    return WORDS.say(key, **values)
