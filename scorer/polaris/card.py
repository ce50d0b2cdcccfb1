"""Objective cards: the 15 common and the 10 personal ones, read from the files in `cards/`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scorer.datafile import DataFileError, read_package_file
from scorer.families import check_of
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.objectives import FAMILIES
from scorer.polaris.patterns import Form, most_occurrences
from scorer.polaris.result import Check, SkyResult, Tally, tiered
from scorer.polaris.words import WORDS, say
from scorer.sentence import Phrasebook, Sentence

TIERS = 5  # −2, 1, 3, 6 and 10 points on a common card; none to four patterns on a personal one


@dataclass(frozen=True)
class CommonCard:
    """A common objective: its printed number, its family with parameters, its thresholds.

    `name` and `rule` are English sentences that can be rendered in the other languages.

    >>> print(COMMON["C8"].name, "/", COMMON["C8"].name.in_language("es"))
    Stars in orbit 3 / Estrellas en Órbita 3
    """

    id: str
    family: str
    parameters: Mapping[str, int]
    thresholds: tuple[int, ...]
    name: Sentence = field(repr=False)
    rule: Sentence = field(repr=False)
    _check: Check = field(repr=False, compare=False)

    def check(self, own: PlayerStars) -> SkyResult:
        return tiered(self._check(own), self.thresholds)

    def more(self, n: int) -> Sentence:
        """So many more of what the card counts."""
        return TEXTS.say(f"{self.family}.more", n=n)


@dataclass(frozen=True)
class PersonalCard:
    """A personal objective: a pattern in two forms, counted without using a star twice."""

    id: str
    shape: str
    forms: tuple[Form, ...]
    name: Sentence = field(repr=False)
    rule: Sentence = field(repr=False)

    def check(self, own: PlayerStars) -> SkyResult:
        """How often the pattern occurs among a player's stars (P72, P73)."""
        found = most_occurrences(own, self.forms)
        spaces = tuple(space for one in found for space in one.spaces)
        links = tuple(link for one in found for link in one.links)
        tally = Tally(len(found), say("patterns", count=len(found)), spaces, links)
        return tiered(tally, tuple(range(TIERS)))


def make_common_card(id: str, written: Mapping[str, Any]) -> CommonCard:
    """The card of a card file's entry. Raise DataFileError for an unknown family or parameter."""
    parameters = {k: v for k, v in written.items() if k not in ("family", "thresholds")}
    family = str(written.get("family"))
    check = check_of(id, family, parameters, FAMILIES, _possible)
    thresholds = written.get("thresholds", _COMMON["families"][family]["thresholds"])
    if not _rising(thresholds):
        reason = f"must be {TIERS} rising numbers, the first 0, not {thresholds}"
        raise DataFileError([(f"{id}.thresholds", reason)])
    name, rule = (TEXTS.say(f"{family}.{part}", **parameters) for part in ("name", "rule"))
    return CommonCard(
        id, family, MappingProxyType(parameters), tuple(thresholds), name, rule, check
    )


def make_personal_card(id: str, written: Mapping[str, Any]) -> PersonalCard:
    """The card of a card file's entry. Raise DataFileError for a form that is no pattern."""
    forms = []
    for key in ("first", "second"):
        try:
            forms.append(Form.from_text(str(written.get(key, ""))))
        except ValueError as error:
            raise DataFileError([(f"{id}.{key}", str(error))]) from None
    shape = str(written.get("shape", id))
    name, rule = TEXTS.say("personal.name", shape=shape), TEXTS.say("personal.rule")
    return PersonalCard(id, shape, tuple(forms), name, rule)


def _possible(name: str, value: object) -> bool:
    return type(value) is int and value >= 1


def _rising(thresholds: object) -> bool:
    return (
        isinstance(thresholds, list)
        and len(thresholds) == TIERS
        and all(type(threshold) is int for threshold in thresholds)
        and thresholds[0] == 0
        and sorted(set(thresholds)) == thresholds
    )


def _data(name: str) -> Any:
    return read_package_file(__package__, f"cards/{name}.yaml")


def _texts() -> Phrasebook:
    phrases = {
        f"{family}.{part}": parts[part]
        for family, parts in _COMMON["families"].items()
        for part in ("name", "rule", "more")
    }
    phrases |= {f"personal.{part}": spoken for part, spoken in _PERSONAL["texts"].items()}
    return Phrasebook(phrases, {**WORDS.words, **_PERSONAL["shapes"]})


_COMMON, _PERSONAL = _data("common"), _data("personal")
COMMON_ENTRIES, PERSONAL_ENTRIES = _COMMON["cards"], _PERSONAL["cards"]
"""The entries of the card files, by the cards' printed numbers."""
TEXTS = _texts()
COMMON: Mapping[str, CommonCard] = MappingProxyType(
    {id: make_common_card(id, written) for id, written in COMMON_ENTRIES.items()}
)
PERSONAL: Mapping[str, PersonalCard] = MappingProxyType(
    {id: make_personal_card(id, written) for id, written in PERSONAL_ENTRIES.items()}
)
