"""The printed board: one drawing in pixels and in print, fit for players and for cameras."""

from collections.abc import Callable
from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile, draw_board
from calibration.nebula.artwork import TOKEN_STYLES
from scorer.nebula.words import BLACK, COLOURS
from tests.conftest import in_ci


@pytest.fixture(scope="module")
def drawn(standard: Profile) -> np.ndarray:
    return draw_board(standard)


def test_reference_is_the_drawing(
    standard: Profile, drawn: np.ndarray, same_picture: Callable[..., None]
) -> None:
    """If this fails after a change of the artwork, run `python -m calibration`."""
    assert standard.reference is not None
    same_picture(standard.reference, drawn, 0.5)


@in_ci
def test_drawing_is_the_same_at_any_scale(
    standard: Profile, drawn: np.ndarray, same_picture: Callable[..., None]
) -> None:
    double = draw_board(standard, 2 * PX_PER_MM)
    assert double.shape == (1920, 1600, 3)
    same_picture(cv2.resize(double, (800, 960), interpolation=cv2.INTER_AREA), drawn, 2.0)


def test_no_half_turn_looks_alike(drawn: np.ndarray) -> None:
    grey = cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY).astype(float)
    correlation = np.corrcoef(grey.ravel(), grey[::-1, ::-1].ravel())[0, 1]
    assert correlation < 0.2


def test_every_part_has_features_to_match(drawn: np.ndarray) -> None:
    found = cv2.ORB_create(4000, fastThreshold=12).detect(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY))
    counts = np.zeros((4, 4), int)
    for keypoint in found:
        counts[int(keypoint.pt[1] // 240), int(keypoint.pt[0] // 200)] += 1
    assert counts.min() >= 25, counts


def lab(bgr: np.ndarray) -> np.ndarray:
    """CIE Lab of BGR colours, (N, 3)."""
    return cv2.cvtColor((bgr.reshape(1, -1, 3) / 255).astype(np.float32), cv2.COLOR_BGR2Lab)[0]


def paper(colour: str) -> np.ndarray:
    text = TOKEN_STYLES[colour].paper
    return np.array([int(text[i : i + 2], 16) for i in (5, 3, 1)])


def grounds(profile: Profile, drawn: np.ndarray) -> dict[str, np.ndarray]:
    """The most common colour of every space, galaxy's and track's."""
    places = {str(place): shape.at for place, shape in profile.places.items()}
    shown = {}
    for name, (x, y) in places.items():
        x, y, r = round(x * PX_PER_MM), round(y * PX_PER_MM), 22
        shown[name] = np.median(drawn[y - r : y + r, x - r : x + r].reshape(-1, 3), axis=0)
    return shown


@pytest.mark.parametrize("colour", COLOURS)
def test_star_stands_out_on_every_space(standard: Profile, drawn: np.ndarray, colour: str) -> None:
    for name, ground in grounds(standard, drawn).items():
        assert np.linalg.norm(lab(paper(colour)) - lab(ground)) > 28, name


def test_black_star_stands_out_on_the_track(standard: Profile, drawn: np.ndarray) -> None:
    shown = grounds(standard, drawn)
    for i in range(10):
        assert np.linalg.norm(lab(paper(BLACK)) - lab(shown[f"black/{i}"])) > 28


def test_token_colours_differ_from_one_another() -> None:
    for one, other in combinations(TOKEN_STYLES, 2):
        assert np.linalg.norm(lab(paper(one)) - lab(paper(other))) > 30, (one, other)


def test_every_colour_has_a_sign_of_its_own() -> None:
    assert set(TOKEN_STYLES) == {*COLOURS, BLACK}
    assert len({style.sign for style in TOKEN_STYLES.values()}) == 7
