"""Every card of the game as printed, and the player aid as cards for each player."""

from collections.abc import Iterator, Sequence
from functools import cache

from calibration.cards import Card
from calibration.ptolemaeus.cards import picture
from calibration.svg import svg_of
from scorer.ptolemaeus.edition import CARDS, ECLIPSIS, PLAYERS, SEXTANT, STANDARD
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.sky import sorted_cards
from scorer.ptolemaeus.words import say
from scorer.sentence import Sentence
from scorer.table_guide import guide_of

EDGES = {
    "constellation": "#8c97bd",
    "event": "#d9b04c",
    "bonus": "#8f7be0",
    "secret": "#c46a5a",
    "aid": "#6aa78c",
}
AID = ("payment", "configuration", "study", "comet")
"""The glossary ids that the player aid explains; its last card explains points."""


@cache
def every(language: str) -> Sequence[Card]:
    """The standard edition's cards, deck by deck."""
    return [
        Card.translated(
            language, id, number, name, texts, say(f"deck_{deck}"), drawn(id), EDGES[deck]
        )
        for deck, id, number, name, texts in _cards()
    ]


def drawn(id: str) -> str:
    """A card's picture as SVG. Raise KeyError if there is none."""
    found = picture(id)
    if found is None:
        raise KeyError(id)
    return svg_of(found)


def _cards() -> Iterator[tuple[str, str, str, Sentence, Sequence[Sentence]]]:
    """The deck, id, number, name and texts of each card."""
    terms = {term.id: term for term in PTOLEMAEUS.glossary}
    for id in sorted_cards(STANDARD.deck):
        if id == SEXTANT:
            name, text = terms[id].name, terms[id].text
        else:
            colour = STANDARD.colour(id)
            others = tuple(one for one in STANDARD.of_colour[colour] if one != id)
            name = say("card_names", names=(id,))
            text = say("card_constellation", colour=colour, others=others)
        yield "constellation", id, f"C{CARDS.index(id) + 1}", name, [text]
    for id, planets in STANDARD.events.items():
        yield "event", id, id, say("card_names", names=planets), [say("card_event")]
    own = terms[ECLIPSIS]
    yield "event", own.id, f"E{len(STANDARD.events) + 1}", own.name, [say("card_eclipsis")]
    for number, (id, bonus) in enumerate(STANDARD.bonus.items(), 1):
        for _ in range(bonus.count):
            yield "bonus", id, f"B{number}", terms[id].name, [terms[id].text]
    for id, planets in STANDARD.secrets.items():
        said = say("objective_rule", planets=planets)
        yield "secret", id, id, say("card_names", names=planets), [said]
    guide = guide_of(PTOLEMAEUS)
    assert guide is not None, "table.yaml lies beside the game"
    for _player in PLAYERS:
        for number, id in enumerate(AID, 1):
            yield "aid", id, f"A{number}", terms[id].name, [say(f"aid_{id}")]
        yield "aid", PTOLEMAEUS.id, f"A{len(AID) + 1}", say("points_of"), guide.wins()[2:]
