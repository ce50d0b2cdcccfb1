"""The parts of a Galaxy board's layout that the editor changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask_babel import gettext as _

from scorer.nebula import BLACK, STANDARD_BOARD, WORDS, load_edition
from scorer.nebula.edition import STANDARD
from scorer.nebula.printed import EDITION_KEY
from scorer.nebula.words import CONSTELLATIONS
from webapp.app.languages import language
from webapp.app.layout_parts import LayoutEditing, LayoutPart, Number, NumberGroup, Overrides
from webapp.games.nebula import cards


def layout_parts() -> Sequence[LayoutPart]:
    """Constellations, links, orbits, highlighted spaces, the black-star track, the cards."""
    return (
        LayoutPart(
            "constellations",
            "regions",
            ("topology", "constellations"),
            _("Constellations"),
            _("Choose a constellation, then tap the spaces that belong to it."),
            words={name: WORDS.word(name, language()) for name in CONSTELLATIONS},
        ),
        LayoutPart(
            "direct",
            "links",
            ("topology", "links", "direct"),
            _("Direct links"),
            _("Tap two spaces to draw a solid line between them, or to take it away."),
        ),
        LayoutPart(
            "indirect",
            "links",
            ("topology", "links", "indirect"),
            _("Indirect links"),
            _("Tap two spaces to draw a broken line between them, or to take it away."),
            dashed=True,
        ),
        LayoutPart(
            "orbits",
            "rings",
            ("topology", "orbits"),
            _("Orbits"),
            _("Choose an orbit, then tap the spaces that lie on it."),
            centre=STANDARD_BOARD.core,
        ),
        LayoutPart(
            "highlighted",
            "marks",
            ("topology", "highlighted"),
            _("Highlighted"),
            _("Tap the spaces that are printed with a rim of their own."),
        ),
        LayoutPart(
            "track",
            "track",
            ("black_track",),
            _("Black stars"),
            _("The numbers printed on the track, from left to right."),
            track=BLACK,
        ),
        LayoutPart(
            "points",
            "numbers",
            (EDITION_KEY,),
            _("Points"),
            _("What the cards and tokens of your edition give. Type what differs."),
            groups=_points(),
            exceptions=Overrides(
                ("career", "cards"),
                ("career", "points"),
                {
                    card.id: f"{card.id} {card.name.in_language(language())}"
                    for card in cards.of_deck("career").values()
                },
                (_("First"), _("Later")),
                _("A card with other points"),
            ),
        ),
    )


def _points() -> tuple[NumberGroup, ...]:
    """The numbers of an edition, as its cards and its Values board have them."""
    places = (_("1st"), _("2nd"), _("3rd"))

    def of_places(*key: str) -> tuple[Number, ...]:
        return tuple(Number((*key, at), label) for at, label in enumerate(places))

    career = (_("First"), _("Later"))
    finished = Number(("constellations", "finished"), _("Finished"))
    return (
        NumberGroup(_("Personal card"), (Number(("personal",), _("Fulfilled")),)),
        NumberGroup(
            _("Career cards"),
            tuple(Number(("career", "points", at), label) for at, label in enumerate(career)),
        ),
        NumberGroup(_("Constellations"), (*of_places("constellations", "places"), finished)),
        NumberGroup(_("Star colours"), of_places("colours")),
        NumberGroup(_("Advanced cards"), of_places("advanced")),
    )


def written_out(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The layout with its topology and its edition's points written out."""
    written = {**layout, EDITION_KEY: _all_points(layout.get(EDITION_KEY))}
    if layout.get("topology") == "standard":
        written["topology"] = _standard()
    return written


def in_short(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the standard topology by its name alone, and the points that differ."""
    short = {key: value for key, value in layout.items() if key != EDITION_KEY}
    if layout.get("topology") == _standard():
        short["topology"] = "standard"
    points, usual = layout.get(EDITION_KEY), load_edition(STANDARD).points_data()
    if isinstance(points, Mapping):
        points = {key: value for key, value in points.items() if value != usual.get(key)}
    return {**short, EDITION_KEY: points} if points else short


def _all_points(own: object) -> object:
    """The standard edition's points, with those of a layout in their place."""
    if own is None:
        own = {}
    if not isinstance(own, Mapping):
        return own
    usual = load_edition(STANDARD).points_data()
    return {
        key: {**value, **own.get(key, {})}
        if isinstance(value, dict) and isinstance(own.get(key, {}), Mapping)
        else own.get(key, value)
        for key, value in usual.items()
    } | {key: value for key, value in own.items() if key not in usual}


def _standard() -> dict[str, Any]:
    """The standard topology as JSON gives it back: keys are text."""
    data = STANDARD_BOARD.to_data()
    return {**data, "orbits": {str(number): own for number, own in data["orbits"].items()}}


EDITING = LayoutEditing(layout_parts, written_out, in_short)
