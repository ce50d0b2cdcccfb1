"""A frame is read as a photograph is."""

import cv2
import numpy as np
import pytest

from calibration import Profile
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from tests.films.film import Film
from tests.films.script import Script
from vision import Photo
from vision.board_print import RectifiedBoard
from vision.live import ModelFrameReader
from vision.live.board_state import BoardState, debounce
from vision.live.frame_reader import corners_of
from vision.live.observations import observations
from vision.observer import BoardObservation
from vision.reader import Reader
from vision.rectify import homography, transform
from vision.set_classifier import COLOUR_FEATURES

STARS = {"core": "red", "ar1": "blue", "ta1": "yellow", "ge1": "orange", "ca1": "white"}
LYING = NEBULA.pieces_of(Galaxy(STARS, 2))
CLASSES = (*COLOURS, BLACK)
EMPTY = len(CLASSES)
CORE, AR1, GE1 = Place("core"), Place("ar1"), Place("ge1")


def film(profile: Profile, seed: int = 8) -> Film:
    return Film(Script((LYING,), (), 1.0), profile, seed)


def everywhere(profile: Profile) -> np.ndarray:
    return np.ones(len(profile.places), bool)


def among(profile: Profile, *places: Place) -> np.ndarray:
    """(P,) bool, true for those places."""
    return np.array([place in places for place in profile.places])


def test_a_frame_is_read_as_a_photograph_of_it(profile: Profile) -> None:
    """The reader's whole way from a picture to a reading, and the truth, say the same."""
    frame = next(film(profile).frames())
    reader = ModelFrameReader(profile)
    (pose,) = reader.locate(frame)
    whole = everywhere(profile)
    seen = observations(reader.observe(frame, pose, whole, whole), profile, {})
    (board,) = Reader.of(profile).read(Photo(frame, frame.shape[1::-1], "frame.png")).boards
    assert {place: o.piece for place, o in seen.items() if o.piece is not None} == LYING
    assert board.pieces == LYING
    for place, read in board.places.items():
        assert seen[place].confidence == pytest.approx(read.confidence, abs=0.01), place
    hidden = {space for flag in board.flags if flag.kind == "hidden" for space in flag.spaces}
    assert {place.id for place in board.places if not seen[place].reliable} <= hidden


def test_a_board_that_the_finder_never_sees_is_found_all_the_same(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live said for 55 s that it was looking for a board which lay in full view."""
    monkeypatch.setattr("vision.locate.BoardFinder.find", lambda self, image: [])
    shown = film(profile)
    (pose,) = ModelFrameReader(profile).locate(next(shown.frames()))
    true = shown.corners()[0]
    assert np.abs(corners_of(profile, pose) - true).max() < 3
    assert ModelFrameReader(profile).locate(next(shown.frames()), [pose]) == []


def test_what_lies_under_an_arm_does_not_colour_the_rest(profile: Profile) -> None:
    """A hidden star's pixels are an arm's: who tells the others must not hear of them."""
    frame = next(film(profile).frames())
    reader = Reader.of(profile)
    (pose,) = ModelFrameReader(profile).locate(frame)
    board = reader.rectify(frame, pose)
    views = reader.detect(board)
    visible = ~among(profile, GE1)
    (x, y), r = reader.canvas.to_px(np.array(profile.places[GE1].at)).round().astype(int), 10
    sleeve = RectifiedBoard(board.raw.copy(), board.normalized.copy())
    for picture in (sleeve.raw, sleeve.normalized):
        picture[y - r : y + r, x - r : x + r] = (200, 40, 40)
    odds, under = (reader.observe(b, views, visible).odds[visible] for b in (board, sleeve))
    assert (odds == under).all()
    assert (reader.observe(board, views).odds != reader.observe(sleeve, views).odds).any()


def observation(
    profile: Profile, scores: np.ndarray, change: float, likeness: float, odds: np.ndarray
) -> BoardObservation:
    count = len(profile.places)
    return BoardObservation(
        CLASSES,
        scores,
        np.full(count, change),
        lambda: np.full(count, likeness),
        np.zeros((count, EMPTY + COLOUR_FEATURES)),
        odds,
    )


def test_a_star_that_the_detector_still_sees_is_not_replaced(profile: Profile) -> None:
    """Mirrored light makes the classifier change its mind; it takes both to say a star is gone.

    Unless an arm was there: then the classifier's word will do.
    """
    places = tuple(profile.places)
    scores, odds = np.zeros((len(places), EMPTY)), np.zeros((len(places), EMPTY + 1))
    row, yellow, white = places.index(CORE), CLASSES.index("yellow"), CLASSES.index("white")
    odds[:, EMPTY] = 9
    odds[row, white] = 14

    def replaced(yellow_score: float, touched: set[Place]) -> bool:
        scores[row, [yellow, white]] = yellow_score, 0.45
        observed = observation(profile, scores, 0.3, 0.0, odds)
        held = BoardState({CORE: "yellow"}, frozenset(places))
        seen = observations(observed, profile, held.occupancy)
        assert seen[CORE].piece == "white"
        for t in range(40):
            held, _, _ = debounce(held, t / 10, {CORE: seen[CORE]}, touched)
        return held.occupancy == {CORE: "white"}

    assert not replaced(0.49, set())
    assert replaced(0.1, set())
    assert replaced(0.49, {CORE})


def test_a_star_is_not_gone_where_the_print_is_not_seen(profile: Profile) -> None:
    """A dark sleeve, in the board's even light, may look as empty as the board itself."""
    count = len(profile.places)
    odds = np.zeros((count, EMPTY + 1))
    odds[:, EMPTY] = 9

    def reliable(likeness: float) -> bool:
        observed = observation(profile, np.zeros((count, EMPTY)), 0.1, likeness, odds)
        seen = observations(observed, profile, {CORE: "purple"})
        assert seen[CORE].piece is None and seen[AR1].reliable
        return seen[CORE].reliable

    assert reliable(0.95) and not reliable(0.3)


def test_the_print_is_like_itself_and_a_star_is_not(profile: Profile) -> None:
    reader = ModelFrameReader(profile)
    spots = np.array([place.kind == "spot" for place in profile.places])
    starred = among(profile, *(place for place in LYING if place.kind == "spot"))
    for seed in (2, 3, 4):
        shown = film(profile, seed)
        pose = homography(shown.corners()[0], profile.size_mm)
        observed = reader.observe(next(shown.frames()), pose, *[everywhere(profile)] * 2)
        assert observed.likeness[spots & ~starred].min() > 0.85
        assert np.median(observed.likeness[starred]) < 0.6


def test_an_arm_over_most_of_the_board_is_not_taken_for_light(profile: Profile) -> None:
    reader = Reader.of(profile)
    shown = film(profile)
    frame = next(shown.frames()).copy()
    pose = homography(shown.corners()[0], profile.size_mm)
    at = np.array([shape.at for shape in profile.places.values()])
    visible = at[:, 0] > 0.7 * profile.size_mm[0]
    plain = reader.rectify(frame, pose).normalized
    corners = np.array([[-9, -9], [128, -9], [128, 249], [-9, 249]], float)
    cv2.fillPoly(frame, [transform(pose, corners).astype(np.int32)], (95, 160, 110))

    def off(told: np.ndarray | None) -> float:
        normalized = reader.rectify(frame, pose, told).normalized
        x, y = reader.canvas.to_px(at[visible]).round().astype(int).T
        return float(np.abs(normalized[y, x].astype(int) - plain[y, x]).mean())

    assert 4 < visible.sum() < len(at) / 2
    assert off(visible) < 10 < off(None)


def test_the_classifier_hears_of_the_stars_beside(profile: Profile) -> None:
    """One star alone is told otherwise than beside the others of its set."""
    reader = ModelFrameReader(profile)
    shown = film(profile, 3)
    frame, pose = next(shown.frames()), homography(shown.corners()[0], profile.size_mm)
    whole = reader.observe(frame, pose, *[everywhere(profile)] * 2)
    core = among(profile, CORE)
    others = whole.features[among(profile, *map(Place, ("ar1", "ta1", "ge1", "ca1")))]
    alone = reader.observe(frame, pose, core, core).odds
    beside = reader.observe(frame, pose, core, core, others).odds
    assert alone.shape == beside.shape == whole.odds.shape
    assert not np.allclose(alone[core], beside[core])
    assert not beside[~core].any()
