"""How much of its place a piece covers, where its print has another colour."""

from __future__ import annotations

import numpy as np

from vision.board_colours import coordinates
from vision.coverage import weigh_coverage

RED, GREEN, PAPER = (40, 50, 180), (60, 110, 50), (190, 205, 215)
PINK = (150, 140, 235)
SIDE = 28


def weighed(
    shown: list[np.ndarray], print_: tuple[int, int, int], other: tuple[int, int, int] = GREEN
) -> np.ndarray:
    """Log odds of red and another kind, of places beside six that are wholly covered by red."""
    places = [patch(RED, 1.0, PAPER)] * 6 + shown
    known = [np.full((SIDE, SIDE, 3), PAPER)] * 6 + [np.full((SIDE, SIDE, 3), print_)] * len(shown)
    chances = np.array([[0.98, 0.01, 0.01]] * 6 + [[0.3, 0.3, 0.4]] * len(shown))
    on = np.full((len(places), SIDE, SIDE), 255)
    kinds = coordinates(np.array([RED, other], float))
    shades = np.repeat(kinds[:, None], 2, axis=1)
    reported = weigh_coverage(np.log(chances), np.array(places), np.array(known), on, shades)
    return reported[6:]


def patch(piece: tuple[int, int, int], share: float, print_: tuple[int, int, int]) -> np.ndarray:
    """A (P, P, 3) place whose upper ``share`` a piece covers."""
    shown = np.full((SIDE, SIDE, 3), print_)
    shown[: round(share * SIDE)] = piece
    return shown


def test_what_covers_a_place_as_others_do_is_a_piece_and_what_leans_in_is_less() -> None:
    whole, half, none = weighed([patch(GREEN, s, PAPER) for s in (1.0, 0.5, 0.0)], PAPER)[:, 1]
    assert whole > 0.5 > half > none
    assert none < -2


def test_another_kinds_colour_is_no_sign_of_a_piece() -> None:
    ((red, _),) = weighed([patch(GREEN, 1.0, PAPER)], PAPER)
    assert red < -2


def test_a_print_of_the_pieces_colour_tells_nothing() -> None:
    bare, covered = weighed([patch(GREEN, 0.0, GREEN), patch(GREEN, 1.0, GREEN)], GREEN)[:, 1]
    assert bare == covered == 0


def test_a_shaded_print_is_still_bare() -> None:
    shade = tuple(round(0.6 * level) for level in PAPER)
    ((red, green),) = weighed([patch(shade, 1.0, PAPER)], PAPER)
    assert max(red, green) < -2


def test_a_piece_that_reflects_a_lamp_covers_its_place() -> None:
    glossy = tuple(round(0.8 * level + 0.2 * 255) for level in RED)
    ((red, green),) = weighed([patch(glossy, 1.0, PAPER)], PAPER)
    assert red > 0.5
    assert green < -2


def test_a_pale_kind_is_no_vivid_one_that_reflects_a_lamp() -> None:
    ((red, pink),) = weighed([patch(PINK, 1.0, PAPER)], PAPER, PINK)
    assert pink > 0.5
    assert red < -2
