"""Nebula's printed things: the artwork of its Galaxy board, and its star tokens.

Every game whose board can be printed has such a folder with these same names.
"""

from calibration.nebula.artwork import draw_galaxy as draw_layout
from calibration.nebula.tokens import DIAMETER_MM, draw_token, token_set

__all__ = ["DIAMETER_MM", "draw_layout", "draw_token", "token_set"]
