"""A cube's top tells its colour where its shaded side has the colour of the room."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import webapp
from calibration import load_profile
from vision import Photo, Reader, load_photo
from vision.lit_faces import lit_centres
from vision.rectify import transform

FREE = "ge2"
SIDE_MM = 8.0
WHITE, BLUISH_SIDE, BLUE, BLUE_SIDE = (
    (225, 232, 235),
    (150, 110, 75),
    (190, 100, 40),
    (110, 55, 20),
)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.of(load_profile("standard"))


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(Path(webapp.__file__).parent / "demo" / "ana.jpg")


@pytest.fixture(scope="module")
def to_photo(reader: Reader, photo: Photo) -> np.ndarray:
    return reader.read(photo).boards[0].to_photo


def with_cube(
    reader: Reader,
    photo: Photo,
    to_photo: np.ndarray,
    top: tuple[int, ...],
    side: tuple[int, ...],
    lamp: tuple[float, ...],
) -> Photo:
    """The photograph in a lamp's light (BGR), with a cube on the free space, seen from its foot."""
    at = next(shape.at for place, shape in reader.profile.places.items() if place.id == FREE)
    half = SIDE_MM / 2
    corners = np.array(at) + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    foot = transform(to_photo, corners) * photo.scale
    foot = foot[np.argsort(np.arctan2(*(foot - foot.mean(axis=0)).T[::-1]))]
    up = np.array([0.1, -0.7]) * np.linalg.norm(foot[1] - foot[0])
    picture = photo.image.copy()
    hull = cv2.convexHull(np.vstack([foot, foot + up]).round().astype(np.int32))
    cv2.fillConvexPoly(picture, hull, side)
    cv2.fillConvexPoly(picture, (foot + up).round().astype(np.int32), top)
    shown = cv2.GaussianBlur(picture, (0, 0), 0.8) * np.array(lamp)
    return Photo(np.clip(shown, 0, 255).astype(np.uint8), picture.shape[1::-1], "cube")


@pytest.mark.parametrize("lamp", [(1, 1, 1), (0.75, 0.92, 1.05)])
def test_a_white_cube_with_a_bluish_side_is_not_blue(
    reader: Reader, photo: Photo, to_photo: np.ndarray, lamp: tuple[float, ...]
) -> None:
    cube = with_cube(reader, photo, to_photo, WHITE, BLUISH_SIDE, lamp)
    board = reader.read(cube).boards[0]
    assert board.spaces[FREE].piece == "white"
    assert FREE in {space for flag in board.flags for space in flag.spaces}  # and it is asked about


def test_a_blue_cube_stays_blue(reader: Reader, photo: Photo, to_photo: np.ndarray) -> None:
    cube = with_cube(reader, photo, to_photo, BLUE, BLUE_SIDE, (1, 1, 1))
    assert reader.read(cube).boards[0].spaces[FREE].piece == "blue"


def test_a_lamp_mirrored_above_the_foot_is_no_lit_face() -> None:
    """Nor is a piece of one colour, nor a place without a piece, be it at the canvas's edge."""
    print_there = np.full((120, 120, 3), 60, np.uint8)
    shown = print_there.copy()
    cv2.circle(shown, (60, 60), 10, (190, 70, 30), -1)
    feet = np.array([[60, 60], [20, 90], [0, 119]])
    assert np.isnan(lit_centres(shown, print_there, feet)).all()
    cv2.circle(shown, (60, 60), 6, (240, 240, 240), -1)
    assert np.isnan(lit_centres(shown, print_there, feet)).all()
    shown[34:58, 50:71] = (190, 70, 30)
    shown[60:75, 50:71] = (190, 70, 30)
    cv2.circle(shown, (60, 62), 11, (190, 70, 30), -1)
    cv2.rectangle(shown, (50, 40), (70, 55), (235, 235, 235), -1)
    centre, *others = lit_centres(shown, print_there, feet)
    assert centre == pytest.approx((60, 48), abs=2)
    assert np.isnan(others).all()
