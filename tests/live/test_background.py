"""What differs between two thumbnails of a board, and what its background model keeps."""

import cv2
import numpy as np
import pytest

from calibration import Profile
from scorer.places import Place
from tests.films.film import Film, Script
from vision.live.background import BackgroundModel
from vision.live.board_tracker import CHANGED
from vision.live.change_detector import ChangeDetector
from vision.rectify import homography

STARS = {
    Place(space): star
    for space, star in {"core": "red", "ar1": "blue", "ta1": "yellow", "ge5": "white"}.items()
}


@pytest.fixture(scope="module")
def detector(profile: Profile) -> ChangeDetector:
    return ChangeDetector(profile)


@pytest.fixture(scope="module")
def thumbnail(profile: Profile, detector: ChangeDetector) -> np.ndarray:
    film = Film(Script((STARS,), (), 1.0), profile, 4, (640, 360))
    return detector.rectify(next(film.frames()), homography(film.corners()[0], profile.size_mm))


def shaded(thumbnail: np.ndarray, share: float) -> np.ndarray:
    """The left ``share`` of the picture under a soft shadow."""
    x = np.arange(thumbnail.shape[1]) / thumbnail.shape[1]
    dark = 0.55 / (1 + np.exp((x - share) * 40))
    return (thumbnail * (1 - dark)[:, None]).astype(np.uint8)


def covered_with(thumbnail: np.ndarray, *boxes: tuple[int, int, int, int]) -> np.ndarray:
    """Sleeves over (left, top, right, bottom) boxes of the picture."""
    picture = thumbnail.copy()
    for left, top, right, bottom in boxes:
        cv2.rectangle(picture, (left, top), (right, bottom), (90, 140, 190), -1)
    return picture


def test_other_light_is_no_difference(detector: ChangeDetector, thumbnail: np.ndarray) -> None:
    seen = detector.compare(cv2.convertScaleAbs(thumbnail, alpha=0.7), thumbnail)
    assert seen.places.max() < CHANGED and not seen.covered.any()


@pytest.mark.parametrize("share", [0.4, 0.6])
def test_what_is_remembered_in_a_passing_shadow_is_no_island_when_it_has_passed(
    detector: ChangeDetector, thumbnail: np.ndarray, share: float
) -> None:
    background = BackgroundModel(detector, thumbnail, 0.0)
    every_other = np.arange(len(background.compare(thumbnail).places)) % 2 == 0
    background.update_places(shaded(thumbnail, share), every_other)
    seen = background.compare(thumbnail)
    assert not seen.covered.any()
    assert np.median(seen.places) < CHANGED / 2


def test_a_place_is_remembered_as_it_looks(detector: ChangeDetector, thumbnail: np.ndarray) -> None:
    """Other stars than before, in other light: they are what is expected from now on."""
    background = BackgroundModel(detector, thumbnail, 0.0)
    here = np.zeros(len(background.compare(thumbnail).places), bool)
    here[[0, 3]] = True
    other = np.where(detector.around(here)[..., None], np.uint8(200), thumbnail)
    bright = cv2.convertScaleAbs(other, alpha=1.2)
    assert background.compare(bright).places[here].min() > CHANGED
    background.update_places(bright, here)
    assert background.compare(bright).places.max() < CHANGED


def test_separate_occluders_are_distinguished(
    detector: ChangeDetector, thumbnail: np.ndarray
) -> None:
    height, width = thumbnail.shape[:2]
    arms = covered_with(
        thumbnail, (0, height // 2, width // 3, height * 2 // 3), (width * 3 // 4, 0, width, height)
    )
    left, right = detector.occluders(detector.compare(arms, thumbnail))
    assert left.places.any() and right.places.any()
    assert not (left.places & right.places).any()
    assert not (left.pixels & right.pixels).any()


def test_an_occluder_that_covers_no_place_is_none_to_wait_for(
    detector: ChangeDetector, thumbnail: np.ndarray
) -> None:
    height, width = thumbnail.shape[:2]
    fingers = covered_with(thumbnail, (width - 40, height - 22, width, height))
    seen = detector.compare(fingers, thumbnail)
    assert seen.occluders.any() and not detector.occluders(seen)
