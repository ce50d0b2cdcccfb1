"""Whether a print is still to be read where a piece has its colour."""

from __future__ import annotations

import cv2
import numpy as np

from vision.fine_patches import FINE_PX, halved
from vision.footprint_odds import LEGIBLE
from vision.texture import outlines, texture_odds, unexplained, visible_print

ON = np.ones((FINE_PX, FINE_PX), bool)
BLACK = 45


def marked(seed: int) -> np.ndarray:
    """(F, F, 3) a black print with marks of its own."""
    patch = np.full((FINE_PX, FINE_PX, 3), BLACK, np.uint8)
    for x, y in np.random.default_rng(seed).integers(8, FINE_PX - 8, (5, 2)).tolist():
        cv2.circle(patch, (x, y), 5, (75, 75, 75), 1, cv2.LINE_AA)
    return patch


def ridged() -> np.ndarray:
    """(F, F, 3) a black piece: its long edges shine."""
    patch = np.full((FINE_PX, FINE_PX, 3), BLACK, np.uint8)
    cv2.rectangle(patch, (6, 18), (56, 46), (130, 130, 130), 2, cv2.LINE_AA)
    cv2.rectangle(patch, (14, 26), (48, 38), (20, 20, 20), 2, cv2.LINE_AA)
    return patch


def shown(print_: np.ndarray, seed: int) -> np.ndarray:
    """The print in a dimmer light, 2 px aside, with a camera's noise."""
    moved = 0.7 * np.roll(print_, (2, -1), axis=(0, 1)) + 12
    noise = np.random.default_rng(seed).normal(0, 1.5, moved.shape)
    return np.clip(moved + noise, 0, 255).astype(np.uint8)


def test_a_piece_of_its_prints_colour_hides_the_print() -> None:
    prints = np.array([marked(n) for n in range(9)])
    seen = np.array([shown(print_, n) for n, print_ in enumerate(prints)])
    seen[-1] = shown(ridged(), 9)
    left, like_print = unexplained(seen, prints, ON)
    assert left[-1] > left[:-1].max() + 1
    assert like_print[:-1].min() > LEGIBLE[1] > LEGIBLE[0] > like_print[-1]
    odds = texture_odds(left, np.array([0.02] * 8 + [0.2]))
    assert odds[-1] > 1
    assert odds[:-1].max() < -1


def test_an_edge_with_more_contrast_than_the_print_does_not_match_it() -> None:
    """No light gives a print so much contrast."""
    prints = np.array([marked(0)] * 2)
    strong = np.clip(BLACK + 6.0 * (prints[1].astype(float) - BLACK), 0, 255).astype(np.uint8)
    _, like_print = unexplained(np.array([shown(prints[0], 0), strong]), prints, ON)
    assert like_print[0] > LEGIBLE[1] > like_print[1]


def test_what_is_smooth_does_not_look_like_a_print_with_nothing_on_it() -> None:
    blank = np.full((2, FINE_PX, FINE_PX, 3), 160, np.uint8)
    smooth = np.full_like(blank, 90)
    _, like_print = unexplained(smooth, blank, ON)
    assert like_print.max() < LEGIBLE[0]


def test_the_boards_own_pieces_say_how_much_they_leave() -> None:
    taken = np.array([0.01] * 20 + [0.99] * 20 + [0.5])
    left = np.concatenate([np.full(20, -5.0), np.full(20, -3.5), [-4.5]])
    assert texture_odds(left, taken)[-1] < 0
    left[20:40] = -4.6
    assert texture_odds(left, taken)[-1] > 0


def test_a_board_of_which_nothing_is_sure_says_nothing() -> None:
    assert (texture_odds(np.linspace(-6, -2, 9), np.full(9, 0.5)) == 0).all()


def test_outlines_show_a_print_in_any_contrast_but_not_beneath_a_piece() -> None:
    prints = np.array([marked(n) for n in range(9)])
    faint = BLACK + 0.4 * (prints.astype(float) - BLACK)
    seen = np.array([shown(one.astype(np.uint8), n) for n, one in enumerate(faint)])
    seen[-2:] = [shown(ridged(), n) for n in range(2)]
    taken = np.array([0.5] * 8 + [0.95])
    odds = visible_print(outlines(halved(seen)), outlines(halved(prints)), taken)
    assert odds[:-2].min() > 1
    assert odds[-2:].max() == 0


def test_outlines_count_for_less_where_this_boards_pieces_fit_the_print_as_well() -> None:
    prints = np.array([marked(n) for n in range(9)])
    seen = outlines(halved(np.array([shown(print_, n) for n, print_ in enumerate(prints)])))
    known = outlines(halved(prints))
    alone = visible_print(seen, known, np.full(9, 0.5))
    beside = visible_print(seen, known, np.array([0.5] + [0.95] * 8))
    assert beside[0] < 1 < alone[0]


def test_a_print_that_is_not_seen_counts_for_a_piece_where_the_other_prints_are_seen() -> None:
    prints = np.array([marked(n) for n in range(9)])
    seen = np.array([shown(print_, n) for n, print_ in enumerate(prints)])
    seen[-1] = shown(ridged(), 1)
    known, photo = outlines(halved(prints)), outlines(halved(seen))
    bare = np.array([0.05] * 8 + [0.5])
    odds = visible_print(photo, known, bare)
    assert odds[-1] < -2 and odds[:-1].min() >= 0
    few = visible_print(photo, known, np.array([0.05] * 3 + [0.5] * 6))
    assert few[-1] == 0, "too few to tell how well a bare place's print is seen"
