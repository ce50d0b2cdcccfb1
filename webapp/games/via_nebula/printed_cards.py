"""Every card of the game as printed."""

from collections.abc import Sequence
from functools import cache

from calibration.cards import Card
from calibration.svg import svg_of
from calibration.via_nebula.cards import END, picture
from scorer.via_nebula.edition import STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.words import say

EDGES = {"neutral": "#b89c7c", "private": "#8fae63", END: "#d9b04c"}


@cache
def every(language: str) -> Sequence[Card]:
    """The standard edition's contracts, those of the deck first, and the end card."""
    (end,) = (term for term in VIA_NEBULA.glossary if term.id == "end_card_word")
    cards = [
        Card.translated(
            language,
            id,
            id,
            own.name,
            [say(f"power_{own.power}")] if own.power else [],
            say(f"deck_{deck}"),
            drawn(id),
            EDGES[deck],
        )
        for deck, ids in (("neutral", STANDARD.neutral), ("private", STANDARD.private))
        for id in ids
        for own in (STANDARD.contracts[id],)
    ]
    words = end.name, [say("card_end")], end.name
    return [*cards, Card.translated(language, END, "E", *words, drawn(END), EDGES[END])]


def drawn(id: str) -> str:
    """A card's picture as SVG. Raise KeyError if there is none."""
    found = picture(id)
    if found is None:
        raise KeyError(id)
    return svg_of(found)
