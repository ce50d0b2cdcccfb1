"""The parts of a Galaxy board's layout that the editor changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask_babel import gettext as _

from scorer.nebula import BLACK, STANDARD_BOARD, WORDS
from scorer.nebula.words import CONSTELLATIONS
from webapp.games.layout_parts import LayoutPart
from webapp.languages import language


def layout_parts() -> Sequence[LayoutPart]:
    """Constellations, links, orbits, highlighted spaces and the black-star track."""
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
    )


def written_out(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The layout with its topology written out."""
    if layout.get("topology") != "standard":
        return dict(layout)
    return {**layout, "topology": _standard()}


def in_short(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the standard topology by its name alone."""
    same = layout.get("topology") == _standard()
    return {**layout, "topology": "standard"} if same else dict(layout)


def _standard() -> dict[str, Any]:
    """The standard topology as JSON gives it back: keys are text."""
    data = STANDARD_BOARD.to_data()
    return {**data, "orbits": {str(number): own for number, own in data["orbits"].items()}}
