"""Polaris' words and phrases in English, Spanish and Czech, following the rulebook."""

from scorer.sentence import Phrasebook

POLARIS = "polaris"
"""The star printed in the centre, as an end of links."""
NEUTRAL = "neutral"
"""The colour of unowned stars."""
COLOURS = ("red", "yellow", "blue", "purple", "white", "orange")
"""The colours of players' stars in any edition."""

WORDS = Phrasebook.of_package("scorer.polaris")
say = WORDS.say
