"""Star tokens to cut out: round, each colour with a small sign of its own.

The sign is for eyes that do not tell the colours apart; it is faint, so that a camera
still sees one colour.
"""

from __future__ import annotations

from dataclasses import dataclass

from calibration.drawing import (
    Fill,
    Line,
    Mark,
    Point,
    Stroke,
    circle,
    disc,
    moved,
    ring,
    star,
    strokes,
)
from scorer.nebula import BLACK, COLOURS

DIAMETER_MM = 14.5  # in spaces of 16 mm
OF_EACH_COLOUR = 20
OF_BLACK = 30
_CUT_LINE = "#8c8c8c"


@dataclass(frozen=True)
class TokenStyle:
    """A token's paper colour, the lighter star on it, the ink of its sign, and the sign."""

    paper: str
    star: str
    ink: str
    sign: tuple[Line, ...]


TOKEN_STYLES = {
    "red": TokenStyle(
        "#cf1f2e", "#dc3b46", "#8d0f1c", strokes("M 0 -1 L 0.9 0.7 L -0.9 0.7 L 0 -1")
    ),
    "purple": TokenStyle("#7b3fae", "#8d55bd", "#4f2179", strokes("A 0 0 0.85 0.85 0 360")),
    "yellow": TokenStyle(
        "#f6c90e",
        "#fad648",
        "#b8900a",
        strokes("M -0.8 -0.8 L 0.8 -0.8 L 0.8 0.8 L -0.8 0.8 L -0.8 -0.8"),
    ),
    "white": TokenStyle(
        "#f3f1ea", "#fbfaf6", "#b3b0a6", strokes("M -0.9 0 L 0.9 0 M 0 -0.9 L 0 0.9")
    ),
    "blue": TokenStyle(
        "#1b66c9", "#377cd8", "#0c3f86", strokes("M -0.9 -0.45 L 0.9 -0.45 M -0.9 0.45 L 0.9 0.45")
    ),
    "orange": TokenStyle(
        "#ef7a1a", "#f59140", "#ad5208", strokes("M 0 -1 L 0.8 0 L 0 1 L -0.8 0 L 0 -1")
    ),
    "black": TokenStyle(
        "#17171b", "#2a2a31", "#55555f", strokes("M -0.7 -0.7 L 0.7 0.7 M 0.7 -0.7 L -0.7 0.7")
    ),
}


def token_set() -> list[str]:
    """The colour of every token of one game, in the order of the sheet."""
    return [colour for colour in COLOURS for _ in range(OF_EACH_COLOUR)] + [BLACK] * OF_BLACK


def draw_token(colour: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """One token about a point in mm, turned `turn` degrees clockwise."""
    style, radius = TOKEN_STYLES[colour], DIAMETER_MM / 2
    return [
        disc(at, radius, style.paper),
        Fill((star(at, 5, radius * 0.86, radius * 0.5, turn),), style.star),
        Stroke(moved(style.sign, at, radius * 0.2, turn), style.ink, 0.4, 0.8),
        Stroke((circle(at, radius * 0.93),), style.star, 0.2),
        ring(at, radius, _CUT_LINE, 0.12),
    ]
