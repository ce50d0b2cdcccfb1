"""Read edition files. Imported only then, as pydantic is slow to import."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field

from scorer.datafile import Problem
from scorer.editions import EditionError, extended
from scorer.families import renumbered
from scorer.nebula.card import DECKS, TEXTS, Card, make_card, of_deck
from scorer.nebula.edition import Edition
from scorer.validation import FileModel, validate

Points = Annotated[int, Field(ge=0)]
Size = Annotated[int, Field(ge=1)]


class _Career(FileModel):
    points: list[Points] = Field(default_factory=list)
    cards: dict[str, list[Points]] = Field(default_factory=dict)


class _Track(FileModel):
    points: list[Points] = Field(default_factory=list)
    full: Points = 0


class _Constellations(FileModel):
    places: list[Points] = Field(default_factory=list)
    finished: Points = 0


class _Indicator(FileModel):
    squares: Size = 1
    highlighted: list[Size] = Field(default_factory=list)


class _File(FileModel):
    format: Literal[1] = 1
    game: Literal["nebula"] = "nebula"
    name: str = ""
    personal: Points = 0
    career: _Career = _Career()
    black_track: _Track = _Track()
    constellations: _Constellations = _Constellations()
    colours: list[Points] = Field(default_factory=list)
    advanced: list[Points] = Field(default_factory=list)
    cards: dict[str, Any] = Field(default_factory=dict)
    cluster_spaces: Size = 1
    black_indicator: _Indicator = _Indicator()
    value_squares: Size = 1


def edition_from_data(data: Any, id: str) -> Edition:
    """The edition of an edition file's data. Raise EditionError with every problem.

    See `scorer.editions.extended` for `extends: standard`.
    """
    whole = extended(__package__, data)
    written, problems = validate(_File, whole)
    problems += [(key, "missing") for key in _File.model_fields if key not in whole]
    problems += _wrong_numbers(written)
    cards = _renumbered(written.cards, problems)
    if problems:
        raise EditionError(problems)
    first, later = written.career.points
    return Edition(
        id=id,
        name=written.name,
        personal=written.personal,
        career=(first, later),
        career_cards={card: (pair[0], pair[1]) for card, pair in written.career.cards.items()},
        track=tuple(written.black_track.points),
        full_track=written.black_track.full,
        constellation_places=tuple(written.constellations.places),
        finished_constellation=written.constellations.finished,
        colour_places=tuple(written.colours),
        advanced_places=tuple(written.advanced),
        cluster_spaces=written.cluster_spaces,
        indicator_squares=written.black_indicator.squares,
        indicator_highlighted=tuple(written.black_indicator.highlighted),
        value_squares=written.value_squares,
        cards=cards,
        own_track="extends" in data and "black_track" in data,
    )


def _wrong_numbers(written: _File) -> list[Problem]:
    problems: list[Problem] = []
    pairs = {"career.points": written.career.points}
    pairs |= {f"career.cards.{card}": pair for card, pair in written.career.cards.items()}
    problems += [
        (key, "must be two numbers, for the first on the card and for later ones")
        for key, pair in pairs.items()
        if len(pair) != 2
    ]
    career = [*of_deck("career")]
    problems += [
        (f"career.cards.{card}", f"is not a career card: {career[0]} to {career[-1]}")
        for card in written.career.cards
        if card not in career
    ]
    places = {
        "constellations.places": written.constellations.places,
        "colours": written.colours,
        "advanced": written.advanced,
    }
    problems += [
        (key, "must be three numbers, for the first three places")
        for key, points in places.items()
        if len(points) != 3
    ]
    if not written.black_track.points:
        problems.append(("black_track.points", "must be the numbers printed on the track"))
    return problems


def _renumbered(written: Mapping[str, Any], problems: list[Problem]) -> Mapping[str, Card]:
    """All cards by their printed numbers; see `scorer.families.renumbered`."""
    cards: dict[str, Card] = {}
    left = dict(written)
    for deck in DECKS:
        own = of_deck(deck)
        entries = {id: {"family": card.family, **card.parameters} for id, card in own.items()}
        changes = {id: left.pop(id) for id in own if id in left}
        if deck == DECKS[-1]:
            changes |= left  # in no deck, which `renumbered` reports
        make = partial(make_card, deck=deck, texts=TEXTS[deck])
        cards |= renumbered("cards", entries, changes, make, problems)
    return MappingProxyType(cards)
