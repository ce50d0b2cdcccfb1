"""What differs between two glances at a board, and what is remembered of one."""

import cv2
import numpy as np
import pytest

from calibration import Profile
from models.synthesis.film import Film, Script
from scorer.places import Place
from vision.live.glance import Glancer
from vision.live.memory import Memory
from vision.live.watch import CHANGED
from vision.rectify import homography

STARS = {
    Place(space): star
    for space, star in {"core": "red", "ar1": "blue", "ta1": "yellow", "ge5": "white"}.items()
}


@pytest.fixture(scope="module")
def glancer(profile: Profile) -> Glancer:
    return Glancer(profile)


@pytest.fixture(scope="module")
def glance(profile: Profile, glancer: Glancer) -> np.ndarray:
    film = Film(Script((STARS,), (), 1.0), profile, 4, (640, 360))
    return glancer.take(next(film.frames()), homography(film.corners()[0], profile.size_mm))


def shaded(glance: np.ndarray, share: float) -> np.ndarray:
    """The left ``share`` of the picture under a soft shadow."""
    x = np.arange(glance.shape[1]) / glance.shape[1]
    dark = 0.55 / (1 + np.exp((x - share) * 40))
    return (glance * (1 - dark)[:, None]).astype(np.uint8)


def covered_with(glance: np.ndarray, *boxes: tuple[int, int, int, int]) -> np.ndarray:
    """Sleeves over (left, top, right, bottom) boxes of the picture."""
    picture = glance.copy()
    for left, top, right, bottom in boxes:
        cv2.rectangle(picture, (left, top), (right, bottom), (90, 140, 190), -1)
    return picture


def test_other_light_is_no_difference(glancer: Glancer, glance: np.ndarray) -> None:
    seen = glancer.compare(cv2.convertScaleAbs(glance, alpha=0.7), glance)
    assert seen.places.max() < CHANGED and not seen.covered.any()


@pytest.mark.parametrize("share", [0.4, 0.6])
def test_what_is_remembered_in_a_passing_shadow_is_no_island_when_it_has_passed(
    glancer: Glancer, glance: np.ndarray, share: float
) -> None:
    memory = Memory(glancer, glance, 0.0)
    every_other = np.arange(len(memory.compare(glance).places)) % 2 == 0
    memory.keep(shaded(glance, share), every_other)
    seen = memory.compare(glance)
    assert not seen.covered.any()
    assert np.median(seen.places) < CHANGED / 2


def test_a_place_is_remembered_as_it_looks(glancer: Glancer, glance: np.ndarray) -> None:
    """Other stars than before, in other light: they are what is expected from now on."""
    memory = Memory(glancer, glance, 0.0)
    here = np.zeros(len(memory.compare(glance).places), bool)
    here[[0, 3]] = True
    other = np.where(glancer.around(here)[..., None], np.uint8(200), glance)
    bright = cv2.convertScaleAbs(other, alpha=1.2)
    assert memory.compare(bright).places[here].min() > CHANGED
    memory.keep(bright, here)
    assert memory.compare(bright).places.max() < CHANGED


def test_things_that_lie_apart_are_told_apart(glancer: Glancer, glance: np.ndarray) -> None:
    height, width = glance.shape[:2]
    arms = covered_with(
        glance, (0, height // 2, width // 3, height * 2 // 3), (width * 3 // 4, 0, width, height)
    )
    left, right = glancer.things(glancer.compare(arms, glance))
    assert left.places.any() and right.places.any()
    assert not (left.places & right.places).any()
    assert not (left.pixels & right.pixels).any()


def test_a_thing_that_covers_no_place_is_none_to_wait_for(
    glancer: Glancer, glance: np.ndarray
) -> None:
    height, width = glance.shape[:2]
    fingers = covered_with(glance, (width - 40, height - 22, width, height))
    seen = glancer.compare(fingers, glance)
    assert seen.things.any() and not glancer.things(seen)
