"""One photograph of the owner's pieces teaches what they look like."""

import cv2
import numpy as np
import pytest

from calibration.colour_profile import log_opponents
from tests.benchmarks.star_kits import StarSet, star_set
from tests.conftest import in_ci
from vision import Photo, Reader
from vision.colour_calibration import calibrate_colours
from vision.refusals import NoBoardError, UnreadableBoardError


def photo_of(picture: np.ndarray) -> Photo:
    return Photo(picture, (picture.shape[1], picture.shape[0]), "stars.jpg")


@pytest.fixture(scope="module")
def beside() -> StarSet:
    return star_set(9, 5, games=0, beside=True)


@pytest.fixture(scope="module")
def reader(beside: StarSet) -> Reader:
    return Reader.of(beside.edition)


def assert_taught(kit: StarSet, reader: Reader) -> None:
    lesson = calibrate_colours(reader, photo_of(kit.taught.picture))
    assert [swatch.piece for swatch in lesson.colour_profile.swatches] == list(reader.classes)
    seen = log_opponents(np.array([swatch.bgr for swatch in lesson.colour_profile.swatches]))
    paint = log_opponents(np.array([kit.tokens[piece].paint for piece in reader.classes]))
    # What the light shifts all colours by is left out.
    seen, paint = seen - seen.mean(axis=0), paint - paint.mean(axis=0)
    apart = np.linalg.norm((seen[:, None] - paint) * (1, 1, 0.5), axis=-1)
    assert (apart.argmin(axis=1) == range(len(paint))).all(), apart.round(2)


@in_ci
def test_stars_beside_the_board_are_taught(beside: StarSet, reader: Reader) -> None:
    assert_taught(beside, reader)


@in_ci
def test_stars_on_the_board_are_taught() -> None:
    kit = star_set(9, 2, games=0)
    assert_taught(kit, Reader.of(kit.edition))


@in_ci
def test_a_star_too_few_is_reported_with_what_to_do(beside: StarSet, reader: Reader) -> None:
    picture = beside.taught.picture.copy()
    lesson_free = np.median(picture.reshape(-1, 3), axis=0)
    board = cv2.convexHull(beside.taught.corners.astype(np.float32)).astype(int)
    bare = np.full_like(picture, lesson_free.astype(np.uint8))
    cv2.fillConvexPoly(mask := np.zeros(picture.shape[:2], np.uint8), board, 1)
    covered = np.where(mask[..., None] > 0, picture, bare)
    with pytest.raises(UnreadableBoardError, match="pieces were found where 7 are wanted; lay one"):
        calibrate_colours(reader, photo_of(covered))


def test_without_the_board_there_is_no_light_to_tell_by(reader: Reader) -> None:
    with pytest.raises(NoBoardError, match="on the board or right beside it"):
        calibrate_colours(reader, photo_of(np.full((600, 800, 3), (90, 120, 150), np.uint8)))


def test_a_glaring_light_is_refused(beside: StarSet, reader: Reader) -> None:
    bright = np.clip(beside.taught.picture.astype(float) * 1.1 + 40, 0, 255)
    bright = np.where(bright > 110, 255, bright).astype(np.uint8)
    with pytest.raises(UnreadableBoardError, match="too bright"):
        calibrate_colours(reader, photo_of(bright))
