"""Whether a sky is the known one: pieces cover its spaces, its frame is turned, its art is not."""

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile, load_profile
from calibration.drawing import rasterise
from calibration.layout import Layout
from models.polaris.moon_frame import turn_frame
from models.polaris.random_edition import draw_edition
from models.polaris.random_layout import random_layout
from models.synthesis.texture import hsv_colour
from scorer.places import Bar
from tests.conftest import in_ci
from vision.dial import Dial
from vision.known_board import KnownBoard
from vision.recognise import Recogniser
from vision.rectify import homography, warp
from vision.search import BoardSearch, Picture

CORNERS = np.array([(330.0, 110.0), (1290.0, 70.0), (1380.0, 1090.0), (210.0, 1130.0)])


def seen(board: np.ndarray, profile: Profile) -> np.ndarray:
    """A picture of the (H, W, 3) uint8 board on a table."""
    to_mm = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1])
    onto = homography(CORNERS, profile.size_mm) @ to_mm
    return warp(board, onto, (1600, 1200), border=(70, 90, 110))


def test_a_sky_full_of_pieces_is_known_by_what_they_leave() -> None:
    """In a blurred photograph hardly a hundred features of it are left."""
    sky, rng = load_profile("polaris/standard"), np.random.default_rng(4)
    board = turn_frame(rng, sky, 4).require_reference().copy()
    for place, shape in sky.places.items():
        if place.kind != "dial" and rng.random() < 0.85:
            size = shape.size if isinstance(shape, Bar) else (1.5 * shape.radius,) * 2
            turn = shape.turn if isinstance(shape, Bar) else rng.uniform(0, 90)
            at, sides = ([v * PX_PER_MM for v in pair] for pair in (shape.at, size))
            box = cv2.boxPoints((at, sides, turn)).round().astype(np.int32)
            cv2.fillConvexPoly(board, box, hsv_colour(rng, s=(0, 250), v=(120, 250)))
    blurred = 0.8 * cv2.GaussianBlur(seen(board, sky).astype(float), (0, 0), 5.2)
    picture = np.clip(blurred + rng.normal(0, 12, blurred.shape), 0, 255).astype(np.uint8)
    known = KnownBoard(sky)
    rough = CORNERS + rng.normal(0, 4, (4, 2))
    aligned = known.matcher.align(picture, rough)
    assert aligned is not None and aligned.inliers < 120
    found = known.register(picture, rough)
    assert np.abs(known.corners(found.to_image) - CORNERS).max() < 12


def invented(seed: int, layout: Layout) -> Profile:
    drawing = draw_edition(np.random.default_rng(seed), layout)
    return Profile("invented", layout, rasterise(drawing, PX_PER_MM))


@pytest.fixture(scope="module")
def sky() -> Profile:
    return invented(7006, random_layout(np.random.default_rng(2), "Invented"))


@in_ci
@pytest.mark.parametrize("edition", [2, 12])
def test_another_edition_on_the_same_layout_is_not_taken_for_it(sky: Profile, edition: int) -> None:
    """All of its spaces agree: 150 features do, and with the lines between them 260."""
    picture = cv2.GaussianBlur(seen(sky.require_reference(), sky), (0, 0), 1.5)
    own = KnownBoard(sky).register(picture, CORNERS + 3)
    assert own is not None and own.confidence == 1
    assert KnownBoard(invented(edition, sky.layout)).register(picture, CORNERS + 3) is None


@in_ci
def test_another_edition_is_found_as_an_unknown_board(sky: Profile) -> None:
    """No finder has seen skies like it, yet its spaces are all there."""
    picture, other = seen(sky.require_reference(), sky), KnownBoard(invented(12, sky.layout))
    (find,) = Recogniser([other], []).recognise(picture)
    assert find.profile is None and np.abs(find.corners - CORNERS).max() < 8
    (find,) = Recogniser([other, KnownBoard(sky)], []).recognise(picture)
    assert find.profile is sky


def test_a_sky_is_not_laid_on_turned_by_a_sector(
    sky: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its circles and lines agree then as well: three hundred features do."""
    picture, known, dial = seen(sky.require_reference(), sky), KnownBoard(sky), Dial.of(sky)
    assert dial is not None and len(dial.turns) == 4
    for turn in (np.eye(3), *dial.turns[:2]):
        rough = homography(CORNERS, sky.size_mm) @ turn
        refined = known.matcher.refine(picture, rough)
        assert refined is not None and refined.inliers > 240
        monkeypatch.setattr(BoardSearch, "find", lambda self, *seen, rough=rough: iter([rough]))
        (found,) = known.search(Picture.of(picture))
        assert np.abs(known.corners(found.to_image) - CORNERS).max() < 3


@in_ci
def test_a_plain_frame_turned_does_not_say_which_way_a_sky_lies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of it white and half black, it outdoes the faint art that alone stays where it is."""
    layout = random_layout(np.random.default_rng(2), "Invented")
    drawing = draw_edition(np.random.default_rng(7006), layout)
    drawn = rasterise(drawing, PX_PER_MM)
    faint = np.clip(0.3 * drawn.astype(float) + 60, 0, 255).astype(np.uint8)
    dial = Dial.of(Profile("invented", layout, faint))
    x, y = (round(at * PX_PER_MM) for at in dial.middle)
    radius, width = (dial.inner + dial.outer) / 2 * PX_PER_MM, (dial.outer - dial.inner) * PX_PER_MM
    for begun, tone in ((0, 255), (180, 0)):
        size, ends = (round(radius), round(radius)), (begun, begun + 180)
        cv2.ellipse(faint, (x, y), size, 0, *ends, (tone, tone, tone), round(width))
    sky = Profile("invented", layout, faint)
    turned = turn_frame(np.random.default_rng(1), sky, 3).require_reference()
    picture = cv2.GaussianBlur(seen(turned, sky), (0, 0), 4)
    known, rough = KnownBoard(sky), homography(CORNERS, sky.size_mm)
    monkeypatch.setattr(BoardSearch, "find", lambda self, *seen: iter([rough]))
    (found,) = known.search(Picture.of(picture))
    assert np.abs(known.corners(found.to_image) - CORNERS).max() < 5


@in_ci
def test_a_sky_begun_at_another_corner_is_laid_on_from_the_right_one() -> None:
    """Of its twenty spokes a quarter turn is exactly five: its circles lie as they do elsewhere."""
    rng = np.random.default_rng(4201)
    layout = random_layout(rng, "Invented")
    sky = Profile("invented", layout, rasterise(draw_edition(rng, layout), PX_PER_MM))
    picture, known = seen(sky.require_reference(), sky), KnownBoard(sky)
    found = known.register(picture, np.roll(CORNERS, 1, axis=0) + 5)
    assert np.abs(known.corners(found.to_image) - CORNERS).max() < 3
