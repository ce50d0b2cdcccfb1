"""Photographs of the zodiac: bodies and pieces of two sizes in a region, asteroids in trays."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from calibration import Profile, board_corners, load_profile
from calibration.artwork import artwork
from calibration.drawing import Mark, Picture, disc
from scorer.places import Place, counted
from scorer.ptolemaeus.turns import TURNS
from tests.conftest import in_ci, in_full
from tests.games.photographs import CORNERS, as_photograph, photographed
from tests.scorer.ptolemaeus_tables import played_at_random
from vision import Photo, Reader
from vision.known_board import KnownBoard
from vision.live.change_detector import ChangeDetector
from vision.reading import BoardReading
from vision.rectify import homography, transform
from vision.search import Picture as Sight


@pytest.fixture(scope="module")
def zodiac() -> Profile:
    return load_profile("ptolemaeus/standard")


def read(zodiac: Profile, pieces: Mapping[Place, str], seed: int) -> BoardReading:
    picture = photographed(zodiac, pieces, seed)
    return Reader.of(zodiac).read(Photo(picture, (1600, 1200), "zodiac.jpg")).boards[0]


@pytest.mark.parametrize("seed", in_full([2, 3, 4], 3))
def test_the_end_of_a_game_of_four_is_read(zodiac: Profile, seed: int) -> None:
    pieces = TURNS.positions(played_at_random(4, seed)[-1][0])[0].pieces
    board = read(zodiac, pieces, seed)
    for place in zodiac.places:
        if place.kind == "region":
            assert counted(board.pieces, place.id) == counted(pieces, place.id), place
        else:
            assert board.pieces.get(place) == pieces.get(place), place


@in_ci
def test_a_board_in_faint_light_is_known_by_its_art(zodiac: Profile) -> None:
    """Pieces cover much of it, and few features agree: what is drawn beside them decides."""
    pieces = TURNS.positions(played_at_random(4, 4)[-1][0])[0].pieces
    picture = cv2.resize(photographed(zodiac, pieces, 4), None, fx=0.5, fy=0.5)
    noise = np.random.default_rng(5).normal(0, 7, picture.shape)
    faint = np.clip(picture * 0.25 + 60 + noise, 0, 255).astype(np.uint8)
    (found,) = KnownBoard(zodiac).search(Sight.of(faint))
    corners = transform(found.to_image, board_corners(zodiac.size_mm))
    assert np.abs(corners - np.array(CORNERS) * 0.5).max() < 4


@in_ci
def test_a_piece_beside_a_body_is_not_taken_for_one(zodiac: Profile) -> None:
    pieces = {Place("leo", "region", n): piece for n, piece in enumerate(("mars", "red", "red"))}
    board = read(zodiac, pieces, 4)
    assert counted(board.pieces, "leo") == counted(pieces, "leo")
    assert not any(own.pieces for name, own in board.regions.items() if name != "leo")


ASTEROIDS = {
    "one": ([(102.0, 13.0)], False),
    "heap": ([(102.0, 13.0), (104.0, 13.0)], True),
    "one on the rim": ([(102.0, 20.5)], False),
    "heap over the rim": ([(102.0, 20.5), (102.0, 22.5)], True),
}
"""Where they lie in their tray, in mm, and whether they are asked about."""


@pytest.mark.parametrize("lying", in_full([*ASTEROIDS], "heap"))
def test_a_heap_that_looks_like_one_asteroid_is_asked_about(zodiac: Profile, lying: str) -> None:
    spots, asked = ASTEROIDS[lying]
    marks: list[Mark] = [Picture(zodiac.require_reference())]
    marks += [mark for at in spots for mark in artwork("ptolemaeus").draw_token("asteroid", at)]
    photo = Photo(as_photograph(zodiac, marks, 2), (1600, 1200), "heap.jpg")
    board = Reader.of(zodiac).read(photo).boards[0]
    assert board.regions["red_asteroids"].pieces == {"asteroid": 1}
    doubted = {space for flag in board.flags for space in flag.spaces}
    assert ("red_asteroids" in doubted) == asked


def test_a_body_that_was_laid_is_taken_for_no_hand(zodiac: Profile) -> None:
    """It is larger than the smallest places, by which a hand's size is judged elsewhere."""
    detector, pose = ChangeDetector(zodiac), homography(np.array(CORNERS), zodiac.size_mm)
    body = {Place("leo", "region"): "sol"}
    before, now = (detector.rectify(photographed(zodiac, on, 6), pose) for on in ({}, body))
    seen = detector.compare(now, before)
    changed = [at.id for at, level in zip(zodiac.places, seen.places, strict=True) if level > 20]
    assert changed == ["leo"] and not seen.covered.any()


def test_a_piece_printed_in_the_colour_of_a_body_is_counted(zodiac: Profile) -> None:
    """Light and printers turn yellow into the Sun's orange; faces tell bodies, not colours."""
    at = zodiac.places[Place("leo", "region")].at
    marks: list[Mark] = [Picture(zodiac.require_reference()), disc(at, 6.0, "#e8a828")]
    photo = Photo(as_photograph(zodiac, marks, 7), (1600, 1200), "orange.jpg")
    assert Reader.of(zodiac).read(photo).boards[0].regions["leo"].pieces == {"yellow": 1}
