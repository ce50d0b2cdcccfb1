"""Nebula's words and phrases in English, Spanish and Czech, following the rulebooks."""

from functools import partial

from scorer.flags import RuleBreak
from scorer.sentence import Phrasebook

COLOURS = ("red", "purple", "yellow", "white", "blue", "orange")
BLACK = "black"
CONSTELLATIONS = ("aries", "taurus", "gemini", "cancer")

WORDS = Phrasebook.of_package("scorer.nebula")
say = WORDS.say
refuse = partial(RuleBreak.of, WORDS)
