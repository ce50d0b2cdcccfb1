"""A board that is all places shows next to no art, by which others of a layout are told apart."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import Profile, board_corners, load_profile
from scorer.places import Circle, Place
from vision.known_board import KnownBoard
from vision.recognise import Recogniser, is_shown
from vision.rectify import homography, transform, warp
from vision.search import Picture

SIZE = (200.0, 200.0)
LIES = np.array([[150.0, 80], [870, 110], [840, 830], [120, 790]])


def all_places(reference: np.ndarray) -> Profile:
    """A board of 10 by 10 places, side by side."""
    standard = load_profile("standard")
    steps = np.arange(10, 200, 20.0)
    places = {Place(f"{x:g}-{y:g}"): Circle((x, y), 10.0) for x in steps for y in steps}
    layout = replace(standard.layout, size_mm=SIZE, places=places)
    return replace(standard, layout=layout, reference=reference)


def covered(profile: Profile) -> np.ndarray:
    """A picture of it with black tiles on two thirds of its places."""
    reference = profile.require_reference().copy()
    rng = np.random.default_rng(4)
    for shape in profile.places.values():
        if rng.random() < 0.66:
            x, y = (4 * np.array(shape.at)).astype(int).tolist()
            cv2.rectangle(reference, (x - 40, y - 40), (x + 40, y + 40), (25, 25, 25), -1)
    onto = homography(LIES, SIZE) @ np.diag([1 / 4, 1 / 4, 1])
    return warp(reference, onto, (960, 900), border=(90, 120, 140))


def print_of(turned_alike: bool) -> np.ndarray:
    """What is drawn on it: fine marks all over, the same in each quarter if it is alike."""
    rng = np.random.default_rng(7)
    print_ = np.full((800, 800, 3), 225, np.uint8)
    for x, y in rng.integers(10, 790, (200 if turned_alike else 900, 2)).tolist():
        size, tone = int(rng.integers(3, 9)), int(rng.integers(60, 190))
        cv2.rectangle(print_, (x - size, y - 3), (x + size, y + 3), (tone, tone, 150), -1)
    if turned_alike:
        print_ = np.min([np.rot90(print_, turn) for turn in range(4)], axis=0)
    return print_


def test_it_is_laid_on_if_no_other_way_round_fits_as_well() -> None:
    board = KnownBoard(all_places(print_of(turned_alike=False)))
    picture = covered(board.profile)
    found = board.register(picture, LIES + 5)
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 3


@pytest.mark.parametrize("turn", range(4))
def test_it_is_laid_on_upright_where_it_looks_alike_when_turned(turn: int) -> None:
    board = KnownBoard(all_places(print_of(turned_alike=True)))
    found = board.register(covered(board.profile), np.roll(LIES, turn, axis=0) + 5)
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 3


def test_it_is_found_by_its_outline_if_its_features_are_all_alike() -> None:
    square = print_of(turned_alike=True)[240:400, 240:400]
    square = np.min([np.rot90(square, turn) for turn in range(4)], axis=0)
    print_ = np.tile(square, (5, 5, 1))
    board = KnownBoard(all_places(print_))
    picture = covered(board.profile)
    (find,) = Recogniser([board], []).recognise(picture)
    assert np.abs(find.corners - LIES).max() < 3


def test_a_board_of_which_too_few_features_are_seen_is_judged_by_its_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where an arm covers a part and the rest is plain."""
    board = KnownBoard(all_places(print_of(turned_alike=False)))
    onto = homography(LIES, SIZE) @ np.diag([1 / 4, 1 / 4, 1])
    picture = warp(board.profile.require_reference(), onto, (960, 900), border=(90, 120, 140))
    for step in ("track", "refine"):
        monkeypatch.setattr(board.matcher, step, lambda image, to_image: None)
    (found,) = board.search(Picture.of(picture))
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 5
    picture[300:] = cv2.flip(picture[300:], 1)
    assert not list(board.search(Picture.of(picture)))


def test_a_board_with_a_print_that_repeats_in_each_quarter_is_found() -> None:
    pair = np.tile(print_of(turned_alike=False)[:400, :400], (1, 2, 1))
    board = KnownBoard(all_places(np.vstack([pair, pair])))
    noise = np.random.default_rng(1).normal(0, 6, (900, 960, 3))
    picture = cv2.GaussianBlur(covered(board.profile), (0, 0), 1.0) + noise
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    (find,) = Recogniser([board], []).recognise(picture)
    assert np.abs(find.corners - LIES).max() < 3
    # half of it is not taken for the whole
    half = np.ascontiguousarray(picture[:, :500])
    assert not any(is_shown(half, one.corners) for one in Recogniser([board], []).recognise(half))
