"""Pieces to cut out: round stars, each colour with a small sign of its own, and links."""

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
    rounded_box,
    star,
    strokes,
)
from scorer.polaris.contract import LINK
from scorer.polaris.sky import LINKS, STARS_OF_A_PLAYER
from scorer.polaris.words import NEUTRAL

DIAMETER_MM = 11.0  # in spaces of 12 mm
LINK_MM = (8.6, 4.6)  # in spaces of 9 by 5 mm
NEUTRAL_STARS = 10
CUT_LINE = "#8c8c8c"


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
    "yellow": TokenStyle(
        "#f6c90e",
        "#fad648",
        "#b8900a",
        strokes("M -0.8 -0.8 L 0.8 -0.8 L 0.8 0.8 L -0.8 0.8 L -0.8 -0.8"),
    ),
    "blue": TokenStyle(
        "#1b66c9", "#377cd8", "#0c3f86", strokes("M -0.9 -0.45 L 0.9 -0.45 M -0.9 0.45 L 0.9 0.45")
    ),
    "purple": TokenStyle("#7b3fae", "#8d55bd", "#4f2179", strokes("A 0 0 0.85 0.85 0 360")),
    NEUTRAL: TokenStyle(
        "#8d939e", "#a2a8b2", "#5d636e", strokes("M -0.7 -0.7 L 0.7 0.7 M 0.7 -0.7 L -0.7 0.7")
    ),
}
LINK_PAPER, LINK_EDGE = "#d5d8dd", "#454b5c"


def token_set() -> list[str]:
    """Every piece of one game, in the order of the sheet."""
    players = [colour for colour in TOKEN_STYLES if colour != NEUTRAL]
    stars = [colour for colour in players for _ in range(STARS_OF_A_PLAYER)]
    return stars + [NEUTRAL] * NEUTRAL_STARS + [LINK] * LINKS


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """One token about a point in mm, turned `turn` degrees clockwise."""
    if piece == LINK:
        return _draw_link(at, turn)
    style, radius = TOKEN_STYLES[piece], DIAMETER_MM / 2
    return [
        disc(at, radius, style.paper),
        Fill((star(at, 5, radius * 0.86, radius * 0.5, turn),), style.star),
        Stroke(moved(style.sign, at, radius * 0.22, turn), style.ink, 0.35, 0.8),
        Stroke((circle(at, radius * 0.93),), style.star, 0.2),
        ring(at, radius, CUT_LINE, 0.12),
    ]


def _draw_link(at: Point, turn: float) -> list[Mark]:
    """A pale grey bar with a dark edge and a fine line along its middle."""
    length, width = LINK_MM

    def box(inset: float) -> tuple[Line, ...]:
        x, y = length / 2 - inset, width / 2 - inset
        return moved([rounded_box(-x, -y, x, y, max(0.9 - inset, 0.3))], at, turn=turn)

    return [
        Fill(box(0.0), LINK_EDGE),
        Fill(box(0.45), LINK_PAPER),
        Stroke(moved([((-2.6, 0.0), (2.6, 0.0))], at, turn=turn), "#b4b9c2", 0.35),
    ]
