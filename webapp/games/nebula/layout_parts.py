"""The parts of a Galaxy board's layout that the editor changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.editions import completed
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.card import of_deck
from scorer.nebula.edition import STANDARD, load_edition
from scorer.nebula.printed import EDITION_KEY, TRACK_KEY
from scorer.nebula.words import BLACK, CONSTELLATIONS, WORDS
from webapp.app.languages import language
from webapp.app.layout_parts import (
    LayoutEditing,
    LayoutPart,
    Number,
    NumberGroup,
    Overrides,
    PartKind,
)
from webapp.games.nebula.words import phrase


def layout_parts() -> Sequence[LayoutPart]:
    """Constellations, links, orbits, highlighted spaces, the black-star track, the cards."""
    words = {name: WORDS.word(name, language()) for name in CONSTELLATIONS}
    return (
        _part("constellations", "regions", "topology", "constellations", words=words),
        _part("direct", "links", "topology", "links", "direct"),
        _part("indirect", "links", "topology", "links", "indirect", dashed=True),
        _part("orbits", "rings", "topology", "orbits", centre=STANDARD_BOARD.core),
        _part("highlighted", "marks", "topology", "highlighted"),
        _part("track", "track", TRACK_KEY, track=BLACK),
        _part("points", "numbers", EDITION_KEY, groups=_points(), exceptions=_overrides()),
    )


def _part(id: str, kind: PartKind, *key: str, **more: Any) -> LayoutPart:
    """A part with its texts; `key` is its path in the layout's data."""
    return LayoutPart(id, kind, key, phrase(f"layout_{id}"), phrase(f"layout_{id}_hint"), **more)


def _points() -> tuple[NumberGroup, ...]:
    """The points of an edition's cards and Values board."""

    def group(title: str, *numbers: Number) -> NumberGroup:
        return NumberGroup(phrase(f"points_{title}"), numbers)

    def places(*key: str) -> tuple[Number, ...]:
        return tuple(Number((*key, at), phrase(f"points_place_{at}")) for at in range(3))

    finished = Number(("constellations", "finished"), phrase("points_finished"))
    career = (Number(("career", "points", at), label) for at, label in enumerate(_claimers()))
    return (
        group("personal", Number(("personal",), phrase("points_fulfilled"))),
        group("career", *career),
        group("constellations", *places("constellations", "places"), finished),
        group("colours", *places("colours")),
        group("advanced", *places("advanced")),
    )


def _claimers() -> tuple[str, str]:
    return phrase("points_first"), phrase("points_later")


def _overrides() -> Overrides:
    """Career cards with other points than the usual ones."""
    choices = {
        card.id: f"{card.id} {card.name.in_language(language())}"
        for card in of_deck("career").values()
    }
    usual = ("career", "points")
    return Overrides(("career", "cards"), usual, choices, _claimers(), phrase("points_other"))


def written_out(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The layout with its topology and its edition's points written out."""
    own = layout.get(EDITION_KEY) or {}
    usual = load_edition(STANDARD).points_data()
    written = {**layout, EDITION_KEY: completed(own, usual) if isinstance(own, Mapping) else own}
    if layout.get("topology") == "standard":
        written["topology"] = _standard()
    return written


def in_short(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The layout with a standard topology by name, and only the points that differ."""
    short = {key: value for key, value in layout.items() if key != EDITION_KEY}
    if layout.get("topology") == _standard():
        short["topology"] = "standard"
    points, usual = layout.get(EDITION_KEY), load_edition(STANDARD).points_data()
    if isinstance(points, Mapping):
        points = {key: value for key, value in points.items() if value != usual.get(key)}
    return {**short, EDITION_KEY: points} if points else short


def _standard() -> dict[str, Any]:
    """The standard topology as JSON returns it: keys are text."""
    data = STANDARD_BOARD.to_data()
    return {**data, "orbits": {str(number): own for number, own in data["orbits"].items()}}


EDITING = LayoutEditing(layout_parts, written_out, in_short)
