"""Nebula's words and phrases in English, Spanish and Czech, following the rulebooks."""

from functools import partial
from typing import TYPE_CHECKING

from scorer.flags import RuleBreak
from scorer.sentence import Phrasebook

if TYPE_CHECKING:  # boards import this module
    from scorer.nebula.board import GalaxyBoard

COLOURS = ("red", "purple", "yellow", "white", "blue", "orange")
BLACK = "black"
CONSTELLATIONS = ("aries", "taurus", "gemini", "cancer")

WORDS = Phrasebook.of_package("scorer.nebula")
say = WORDS.say
refuse = partial(RuleBreak.of, WORDS)


def space_name(board: "GalaxyBoard", place: str, language: str = "en") -> str:
    """What players call a place: "Aries 3", "the core".

    Spaces of a constellation are numbered from the core outwards, in board order.
    """
    region = board.constellation_of(place)
    if region is None:
        return say("the_core").in_language(language)
    number = board.constellations[region].index(place) + 1
    return f"{WORDS.word(region, language)} {number}"
