"""Star tokens of the seven colours, to cut out."""

from calibration.drawing import Mark, Point
from calibration.star_token import STYLES, draw_star_token
from scorer.nebula.words import BLACK, COLOURS

DIAMETER_MM = 14.5  # in spaces of 16 mm
OF_EACH_COLOUR = 20
OF_BLACK = 30
TOKEN_STYLES = {colour: STYLES[colour] for colour in (*COLOURS, BLACK)}


def token_set() -> list[str]:
    """The colour of every token of one game, in the order of the sheet."""
    return [colour for colour in COLOURS for _ in range(OF_EACH_COLOUR)] + [BLACK] * OF_BLACK


def draw_token(colour: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """One token about a point in mm, turned `turn` degrees clockwise."""
    return draw_star_token(TOKEN_STYLES[colour], at, DIAMETER_MM / 2, turn, sign=0.2, pen=0.4)
