"""Skies of Polaris, as a reader that keeps to the reader's contract tells them."""

from collections.abc import Mapping
from typing import Any

from scorer.polaris.board import STANDARD_SKY

NAMES = ("Ana", "Luis", "Eva", "Jan")
COLOURS = ("red", "yellow", "blue", "purple")
CARDS = ("C8", "C10", "C11", "C15", "C1")
STARS = {"1b1": "red", "1b2": "red", "1c2": "red", "3a1": "blue", "3b1": "blue", "2r3": "yellow"}
LINKS = ("polaris-1b1", "1b1-1b2", "1b2-1c2", "3a1-3b1")


def read_sky(
    stars: Mapping[str, str], links: tuple[str, ...], doubtful: str = ""
) -> Mapping[str, Any]:
    """A board of a reading, as the reader's contract has it; a place may be doubtful."""

    def seen(place: str) -> float:
        return 0.55 if place == doubtful else 0.99

    flags = [
        {"kind": "uncertain", "spaces": [doubtful], "alternatives": {"link": 0.5, "empty": 0.4}}
    ]
    return {
        "profile": "standard",
        "game": "polaris",
        "corners": [[0, 0], [900, 0], [900, 900], [0, 900]],
        "spaces": {
            space: {"star": stars.get(space), "confidence": seen(space)}
            for space in STANDARD_SKY.spaces
        },
        "links": {
            link: {"link": link in links, "confidence": seen(link)}
            for link in STANDARD_SKY.link_spaces
        },
        "loose": [],
        "flags": flags if doubtful else [],
    }
