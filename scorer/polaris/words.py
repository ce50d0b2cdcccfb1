"""Polaris' words and phrases in English, Spanish and Czech, as the rulebook has them."""

from scorer.sentence import Phrasebook

POLARIS = "polaris"
"""The star printed in the centre, as an end of links."""
NEUTRAL = "neutral"
"""The colour, as it were, of the stars that are nobody's."""
COLOURS = ("red", "yellow", "blue", "purple", "white", "orange")
"""The colours that players' stars have in one edition or another."""

WORDS = Phrasebook.of_package("scorer.polaris")
say = WORDS.say
