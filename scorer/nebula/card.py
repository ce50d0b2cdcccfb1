"""The objective cards, read from the files in `cards/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from scorer.datafile import DataFileError, file_of, read_package_file
from scorer.families import check_of
from scorer.nebula.families import FAMILIES, LASTING
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import ALONE, Check, Table
from scorer.nebula.words import COLOURS, CONSTELLATIONS, WORDS
from scorer.objective import CardResult
from scorer.sentence import Phrasebook, Sentence

Deck = Literal["personal", "career", "advanced"]
DECKS: tuple[Deck, ...] = ("personal", "career", "advanced")

# The values allowed for each parameter of a card.
PARAMETERS: Mapping[str, Callable[[object], bool]] = {
    "colour": lambda value: value in COLOURS,
    "colours": lambda value: (
        isinstance(value, list)
        and len(value) == 2
        and value[0] != value[1]
        and all(colour in COLOURS for colour in value)
    ),
    "constellation": lambda value: value in CONSTELLATIONS,
    "orbit": lambda value: value in (1, 2, 3, 4, 5),
}


@dataclass(frozen=True)
class Card:
    """An objective card: its printed number, its family, and the family's parameters.

    `name` and `rule` are English sentences that can be rendered in the other languages.

    >>> print(CARDS["V15"].name, "/", CARDS["V15"].name.in_language("cs"))
    White in three constellations / Hvězdy bílé barvy ve 3 souhvězdích
    >>> result = CARDS["B18"].check(Galaxy({"core": "red", "ar1": "blue"}))
    >>> print(result.count, result.spaces, result.calculation)
    1 ('ar1',) 1 orbit with a blue star
    """

    id: str
    deck: Deck
    family: str
    parameters: Mapping[str, Any]
    name: Sentence = field(repr=False)
    rule: Sentence = field(repr=False)
    _check: Check = field(repr=False, compare=False)

    def check(self, galaxy: Galaxy, table: Table = ALONE) -> CardResult:
        return self._check(galaxy, table)

    @property
    def lasting(self) -> bool:
        """Whether the card, once fulfilled, cannot become unfulfilled."""
        return self.family in LASTING


def make_card(id: str, written: Mapping[str, Any], deck: Deck, texts: Phrasebook) -> Card:
    """The card of a card file's entry. Raise DataFileError for an unknown family or parameter."""
    parameters = {name: value for name, value in written.items() if name != "family"}
    family = str(written.get("family"))
    if unknown := [name for name in parameters if name not in PARAMETERS]:
        reason = f"no card has this parameter; there are {', '.join(PARAMETERS)}"
        raise DataFileError([(f"{id}.{name}", reason) for name in unknown])
    check = check_of(id, family, parameters, FAMILIES, _possible)
    shown = {name: value for name, value in parameters.items() if name != "colours"}
    if "colours" in parameters:
        shown["one"], shown["other"] = parameters["colours"]
    return Card(
        id,
        deck,
        family,
        MappingProxyType(parameters),
        texts.say(f"{family}.name", **shown),
        texts.say(f"{family}.rule", **shown),
        check,
    )


def _possible(name: str, value: object) -> bool:
    return PARAMETERS[name](value)


def _read_decks() -> tuple[dict[str, Card], dict[Deck, Phrasebook]]:
    cards: dict[str, Card] = {}
    texts: dict[Deck, Phrasebook] = {}
    for deck in DECKS:
        file = f"cards/{deck}.yaml"
        data = read_package_file(__package__, file)
        phrases = {
            f"{family}.{part}": spoken
            for family, parts in data["families"].items()
            for part, spoken in parts.items()
        }
        texts[deck] = Phrasebook(phrases, WORDS.words, file_of("scorer.nebula", file))
        for id, written in data["cards"].items():
            cards[id] = make_card(id, written, deck, texts[deck])
    return cards, texts


_CARDS, TEXTS = _read_decks()
CARDS: Mapping[str, Card] = MappingProxyType(_CARDS)


@cache
def of_deck(deck: Deck) -> Mapping[str, Card]:
    """The cards of a deck by number, in order."""
    return {card.id: card for card in CARDS.values() if card.deck == deck}
