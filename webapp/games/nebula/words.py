"""Nebula's words in the language of the page."""

from scorer.nebula.card import CARDS
from scorer.nebula.ending import Ending, reasons
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, WORDS, say
from scorer.sentence import Sentence, Value
from webapp.app.languages import language
from webapp.web.words import spoken


def phrase(key: str, **values: Value) -> str:
    """A phrase of the game, with places as they are said beside the board."""
    return spoken(say(key, **values))


def word(name: str) -> str:
    return WORDS.word(name, language())


def token_name(token: str) -> str:
    """The name of a token of the Values board; the number of an advanced card's slot."""
    return word(token) if token in COLOURS or token in CONSTELLATIONS else token


def value_token(token: str) -> str | Sentence:
    """The name of a value token in a sentence, including an advanced card's slot."""
    return token if token in COLOURS or token in CONSTELLATIONS else say("slot_card", slot=token)


def value_token_name(token: str) -> str:
    """The name of a value token on its own."""
    called = value_token(token)
    return spoken(called) if isinstance(called, Sentence) else word(called)


def star_name(star: str) -> Sentence:
    """The name of a star in a list: "red star"."""
    return say("piece_black" if star == BLACK else "piece", piece=star)


def card_name(card: str) -> Sentence:
    """A card's number and name."""
    return say("card_and_name", card=card, name=CARDS[card].name)


def ends(*endings: Ending) -> str:
    """That the game ends with this round, and why."""
    return phrase("ends", why=reasons(endings))
