"""Via Nebula's words and phrases in English, Spanish and Czech."""

from functools import partial

from scorer.flags import RuleBreak
from scorer.sentence import Phrasebook

WORDS = Phrasebook.of_package("scorer.via_nebula")
say = WORDS.say
forbidden = partial(RuleBreak.of, WORDS)
