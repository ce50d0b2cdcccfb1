"""Pieces to cut out: round stars, each colour with its own small sign, and links."""

from calibration.drawing import Fill, Line, Mark, Point, Stroke, moved, rounded_box
from calibration.star_token import STYLES, draw_star_token
from scorer.polaris.contract import LINK
from scorer.polaris.sky import LINKS, STARS_OF_A_PLAYER
from scorer.polaris.words import NEUTRAL

DIAMETER_MM = 11.0  # in spaces of 12 mm
LINK_MM = (8.6, 4.6)  # in spaces of 9 by 5 mm
NEUTRAL_STARS = 10
TOKEN_STYLES = {colour: STYLES[colour] for colour in ("red", "yellow", "blue", "purple", NEUTRAL)}
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
    return draw_star_token(TOKEN_STYLES[piece], at, DIAMETER_MM / 2, turn, sign=0.22, pen=0.35)


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
