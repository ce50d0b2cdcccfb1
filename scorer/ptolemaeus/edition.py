"""Editions: colours, cards, events, objectives, points. See `editions/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from scorer.datafile import DataFileError
from scorer.editions import EditionError, Editions

ZODIAC = (
    *("aries", "taurus", "gemini", "cancer", "leo", "virgo"),
    *("libra", "scorpius", "sagittarius", "capricornus", "aquarius", "pisces"),
)
"""The constellations clockwise (T1, T5)."""
PLANETS = ("luna", "mercurius", "venus", "sol", "mars", "iupiter", "saturnus")
COMET, SEXTANT, ECLIPSIS = "comet", "sextant", "eclipsis"
NOVA = "nova_constellatio"
NOBODY = "(comet)"
"""The winner's name of a game that nobody claimed."""
PLAYERS = ("red", "yellow", "blue", "purple")
"""The players' colours, in the order of the corners of our board."""
PIECES = 10
CARDS = (*ZODIAC, SEXTANT)
"""The kinds of constellation cards."""


def onward(constellation: str, steps: int = 1) -> str:
    """The constellation `steps` clockwise.

    >>> onward("pisces"), onward("aries", 6)
    ('aries', 'libra')
    """
    return ZODIAC[(ZODIAC.index(constellation) + steps) % len(ZODIAC)]


@dataclass(frozen=True)
class BonusCard:
    """The effect of a bonus card, which is doubled for a player who has studied its planet."""

    count: int
    does: str
    planet: str = ""
    colour: str = ""


@dataclass(frozen=True, eq=False)
class Edition:
    """The cards and points of an edition; see `editions/standard.yaml`."""

    id: str
    colours: tuple[str, ...]
    cards: int
    sextants: int
    events: Mapping[str, tuple[str, ...]]
    bonus: Mapping[str, BonusCard]
    secrets: Mapping[str, tuple[str, ...]]
    studied: tuple[int, ...]
    secret: tuple[int, ...]
    asteroids_a_point: int
    wins: int
    start: str

    def colour(self, card: str) -> str:
        """The colour of a constellation; "" for a sextant (T24)."""
        return self._colours.get(card, "")

    @cached_property
    def _colours(self) -> Mapping[str, str]:
        return {name: self.colours[at % len(self.colours)] for at, name in enumerate(ZODIAC)}

    @cached_property
    def of_colour(self) -> Mapping[str, tuple[str, ...]]:
        """The constellations of each colour, which form a trine (T3)."""
        return {
            colour: tuple(name for name in ZODIAC if self.colour(name) == colour)
            for colour in self.colours
        }

    @cached_property
    def deck(self) -> tuple[str, ...]:
        """All constellation cards, sorted."""
        each = {**dict.fromkeys(ZODIAC, self.cards), SEXTANT: self.sextants}
        return tuple(sorted(card for card, count in each.items() for _ in range(count)))

    @cached_property
    def bonus_deck(self) -> tuple[str, ...]:
        return tuple(sorted(id for id, card in self.bonus.items() for _ in range(card.count)))


def _from_data(data: Any, id: str) -> Edition:
    try:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in data.items()
            if key in Edition.__dataclass_fields__
        }
        fields["events"] = MappingProxyType({k: tuple(v) for k, v in data["events"].items()})
        fields["secrets"] = MappingProxyType({k: tuple(v) for k, v in data["secrets"].items()})
        fields["bonus"] = MappingProxyType({k: BonusCard(**v) for k, v in data["bonus"].items()})
        edition = Edition(id=id, **fields)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataFileError([("", f"is no edition of Ptolemaeus: {error}")]) from None
    planets = {p for of in (*edition.events.values(), *edition.secrets.values()) for p in of}
    if not planets <= {*PLANETS} or len(ZODIAC) % len(edition.colours):
        raise EditionError([("", "names planets or colours that there are not")])
    return edition


EDITIONS = Editions(__package__, _from_data)
STANDARD = EDITIONS.load("standard")
