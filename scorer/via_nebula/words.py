"""Via Nebula's words and phrases in English, Spanish and Czech."""

from importlib.resources import files

from scorer.datafile import parse_yaml
from scorer.flags import RuleBreak
from scorer.sentence import Phrasebook, Sentence, Value

_DATA = parse_yaml(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
WORDS = Phrasebook(_DATA["phrases"], _DATA["words"])


def say(key: str, **values: Value) -> Sentence:
    """A sentence of the game; English as a `str`, `.in_language("es")` for the others.

    >>> print(say("do_explore", at="A1").in_language("es"))
    explorar A1
    """
    return WORDS.say(key, **values)


def forbidden(rule: str, key: str, *spaces: str, **values: Value) -> RuleBreak:
    """A rule by its number, and why it forbids what was to be done."""
    return RuleBreak(rule, spaces, reason=say(key, **values))
