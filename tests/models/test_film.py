"""Films show what people at the table see: their truth must be there to be seen."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from models.synthesis.film import Film, Lying, Script
from models.synthesis.token import shown_colour
from scorer.nebula import BLACK, COLOURS
from vision.rectify import homography, transform

STARS = dict(zip(("core", "ar1", "ar4", "ta1", "ge1", "ca2"), COLOURS, strict=True))


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile("standard")


def apart(colours: list[np.ndarray]) -> list[float]:
    """How different (CIE 1976) any two of those BGR levels look."""
    lab = cv2.cvtColor(np.float32([colours]) / 255, cv2.COLOR_BGR2LAB)[0]
    return [float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2)]


def test_the_light_leaves_all_stars_apart(profile: Profile) -> None:
    for seed in range(25):
        film = Film(Script((Lying(),), (), 1.0), profile, seed)
        kit = [shown_colour(film._kit[star], film._light) for star in (*COLOURS, BLACK)]
        assert min(apart(kit)) >= 12


def test_the_camera_does_not_burn_the_stars_out(profile: Profile) -> None:
    """Highlights aside, no colour is lost to a camera that exposes for a dark board."""
    closest = []
    for seed in range(20):
        film = Film(Script((Lying(STARS),), (), 1.0), profile, seed)
        frame = next(film.frames())
        at = np.array([profile.spaces[space].at for space in STARS])
        px = transform(homography(film.corners()[0], profile.size_mm), at).round().astype(int)
        seen = [np.median(frame[y - 4 : y + 5, x - 4 : x + 5], axis=(0, 1)) for x, y in px]
        closest.append(min(apart(seen)))
    assert min(closest) > 8
