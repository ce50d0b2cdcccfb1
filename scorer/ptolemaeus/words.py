"""Ptolemaeus' words and phrases in English, Spanish and Czech; names follow the rulebook."""

from functools import partial

from scorer.flags import RuleBreak
from scorer.sentence import Phrasebook

WORDS = Phrasebook.of_package("scorer.ptolemaeus")
say = WORDS.say
forbidden = partial(RuleBreak.of, WORDS)
