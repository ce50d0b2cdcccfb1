"""Boards of a regular grid: few features, most of them alike, and art that pieces cover."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import Profile, board_corners, calibrated_profiles, load_profile
from scorer.places import Circle, Place
from vision.known_board import KnownBoard
from vision.recognise import Recogniser
from vision.rectify import homography, transform, warp

SIZE = (200.0, 200.0)
LIES = np.array([[180.0, 120], [800, 100], [900, 780], [90, 760]])
ROWS = [20 + 20 * (n + 0.5) for n in range(8)]


def chequered(letters: bool) -> Profile:
    """A board of 8 by 8 squares, whose half turn its letters alone tell."""
    print_ = np.full((800, 800, 3), (200, 210, 160), np.uint8)
    for row, y in enumerate(ROWS):
        for column, x in enumerate(ROWS):
            tone = (150, 70, 40) if (row + column) % 2 else (70, 160, 60)
            at = (int(4 * x - 40), int(4 * y - 40))
            cv2.rectangle(print_, at, (at[0] + 79, at[1] + 79), tone, -1)
        for at in ((20, int(4 * y + 15)), (int(4 * y - 15), 60), (740, int(4 * y + 15))):
            cv2.putText(print_, "ABCDEFGH"[row] * letters, at, 0, 1.4, (60, 40, 190), 4)
    standard = load_profile("standard")
    places = {Place(f"{x:g}-{y:g}"): Circle((x, y), 7.6) for x in ROWS for y in ROWS}
    layout = replace(standard.layout, size_mm=SIZE, places=places)
    return replace(standard, layout=layout, reference=print_)


def photographed(profile: Profile, pieces: int = 0) -> np.ndarray:
    """A noisy picture of it with that many discs, each partly beside its place."""
    board = profile.require_reference().copy()
    rng = np.random.default_rng(5)
    shapes = list(profile.places.values())
    for place in rng.permutation(len(shapes))[:pieces]:
        x, y = (4 * np.array(shapes[place].at) + rng.uniform(-40, 40, 2)).astype(int).tolist()
        cv2.circle(board, (x, y), 44, (30, 30, 30) if place % 2 else (225, 235, 240), -1)
    onto = homography(LIES, SIZE) @ np.diag([1 / 4, 1 / 4, 1])
    picture = warp(board, onto, (1000, 900), border=(95, 140, 175))
    noise = rng.normal(0, 5, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


def test_words_on_squares_do_not_keep_it_from_being_found() -> None:
    plain = chequered(letters=False)
    print_ = plain.require_reference().copy()
    for row, column in ((0, 0), (0, 7), (3, 3), (3, 4), (4, 3), (4, 4), (7, 0), (7, 7)):
        for text, below in (("TRIPLE", -2), ("WORD", 20)):
            at = (int(4 * ROWS[column]) - 34, int(4 * ROWS[row]) + below)
            cv2.putText(print_, text, at, 0, 0.6, (240, 240, 240), 2)
    profile = replace(plain, reference=print_)
    found = KnownBoard(profile).register(photographed(profile), LIES + 2.0)
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 5


@pytest.mark.parametrize("turn", [0, 2])
def test_letters_tell_how_it_lies(turn: int) -> None:
    profile = chequered(letters=True)
    rough = homography(np.roll(LIES, turn, axis=0), SIZE)
    found = KnownBoard(profile).plainly_there(photographed(profile), rough)
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 5


def test_it_is_laid_on_upright_where_nothing_printed_tells() -> None:
    profile = chequered(letters=False)
    board, half = KnownBoard(profile), np.roll(LIES, 2, axis=0)
    (turn,) = (turn for turn in board.orientation._turns if turn.where is None)
    assert np.abs(transform(turn.matrix, np.array([[0.0, 0.0]])) - 200).max() < 2
    found = board.within(photographed(profile), half)
    assert np.abs(transform(found.to_image, board_corners(SIZE)) - LIES).max() < 5


def test_art_that_pieces_hide_says_nothing_against_it() -> None:
    profile = chequered(letters=True)
    picture = photographed(profile, pieces=48)
    (find,) = Recogniser.of([profile]).recognise(picture)
    assert find.profile is profile
    assert np.abs(find.corners - LIES).max() < 5


def test_a_board_of_other_letters_and_tones_is_another() -> None:
    own, other = chequered(letters=True), chequered(letters=True)
    picture = cv2.flip(other.require_reference(), 1)[..., [2, 0, 1]]
    shown = photographed(replace(other, reference=np.ascontiguousarray(picture)), pieces=24)
    assert not [find for find in Recogniser.of([own]).recognise(shown) if find.profile]


@pytest.mark.parametrize("profile", calibrated_profiles(), ids=lambda profile: profile.name)
def test_each_board_is_found_on_its_own_print_as_it_lies(profile: Profile) -> None:
    print_ = profile.require_reference()
    height, width = print_.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    found = KnownBoard(profile).register(print_, corners)
    assert np.abs(KnownBoard(profile).corners(found.to_image) - corners).max() < 5
