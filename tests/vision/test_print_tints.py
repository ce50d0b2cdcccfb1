"""What the bare print of each tint looks like on a board at hand."""

import numpy as np
import pytest

from vision.print_tints import PrintTints
from vision.region_candidates import differs

SIDE = 120
TAN, GREEN, ORANGE = (124, 156, 184), (127, 193, 169), (24, 85, 238)


@pytest.fixture
def tints() -> PrintTints:
    return PrintTints(printed(), numbers())


def numbers() -> np.ndarray:
    """Four regions, the outer ones tan and the inner ones green, within a frame."""
    own = np.zeros((SIDE, SIDE), np.int16)
    own[4:-4, 4:-4] = np.repeat([1, 2, 3, 4], 28)
    return own


def printed(tan: tuple[int, int, int] = TAN) -> np.ndarray:
    print_ = np.full((SIDE, SIDE, 3), 230, np.uint8)
    print_[np.isin(numbers(), (1, 4))], print_[np.isin(numbers(), (2, 3))] = tan, GREEN
    return print_


def test_a_tint_that_an_overexposed_board_shows_more_vivid_is_bare_print(tints: PrintTints) -> None:
    board = printed(tan=(90, 112, 205))
    board[20:60, 4:32] = board[20:60, 40:60] = ORANGE
    pieces = (board == ORANGE).all(axis=2)
    assert differs(board, printed())[80, 20], "the light alone does not explain the tint"
    assert (differs(board, tints.as_seen(printed(), board)) == pieces).all()


def test_a_tint_that_is_hidden_nearly_everywhere_stays_as_printed(tints: PrintTints) -> None:
    board = printed()
    board[np.isin(numbers(), (1, 4))] = ORANGE
    board[50:60, 4:32] = (90, 112, 205)
    assert (tints.as_seen(printed(), board) == printed()).all()


def test_pieces_on_most_of_a_tint_are_not_taken_for_it(tints: PrintTints) -> None:
    board = printed()
    board[:100][np.isin(numbers(), (1, 4))[:100]] = ORANGE
    assert differs(board, tints.as_seen(printed(), board))[20, 20]


def test_a_region_that_others_cover_and_a_board_without_regions_have_no_tint() -> None:
    covered = np.where(numbers() == 2, 3, numbers())
    assert (PrintTints(printed(), covered).as_seen(printed(), printed()) == printed()).all()
    without = PrintTints(printed(), np.zeros_like(covered))
    assert (without.as_seen(printed(), printed()) == printed()).all()
