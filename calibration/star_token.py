"""A star token to cut out: a paper disc with a lighter star, and a small sign for its colour.

The sign is for people who cannot distinguish the colours; it is faint, so that a camera still sees
a single colour.
"""

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

CUT_LINE = "#8c8c8c"


@dataclass(frozen=True)
class TokenStyle:
    """A token's paper colour, the lighter star on it, the ink of its sign, and the sign."""

    paper: str
    star: str
    ink: str
    sign: tuple[Line, ...]


CROSS = strokes("M -0.7 -0.7 L 0.7 0.7 M 0.7 -0.7 L -0.7 0.7")
STYLES = {
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
    "black": TokenStyle("#17171b", "#2a2a31", "#55555f", CROSS),
    "neutral": TokenStyle("#8d939e", "#a2a8b2", "#5d636e", CROSS),
}
"""Those of the colours that printed games have."""


def draw_star_token(
    style: TokenStyle, at: Point, radius: float, turn: float, sign: float, pen: float
) -> list[Mark]:
    """One token about a point in mm, of a radius in mm, turned `turn` degrees clockwise.

    Its sign reaches the share `sign` of the radius and is drawn `pen` mm wide.
    """
    return [
        disc(at, radius, style.paper),
        Fill((star(at, 5, radius * 0.86, radius * 0.5, turn),), style.star),
        Stroke(moved(style.sign, at, radius * sign, turn), style.ink, pen, 0.8),
        Stroke((circle(at, radius * 0.93),), style.star, 0.2),
        ring(at, radius, CUT_LINE, 0.12),
    ]
