"""The eye sees a frame as the reader reads a photograph."""

import cv2
import numpy as np

from calibration import Profile
from models.synthesis.film import Film
from models.synthesis.script import Lying, Script
from vision.decode import EMPTY
from vision.detect import CLASSES, detect
from vision.live import ReaderEye
from vision.live.belief import place_names, sightings
from vision.live.settle import Settled, settle
from vision.reader import Evened, Look, Reader
from vision.rectify import homography, transform
from vision.together import FEATURES

LYING = Lying({"core": "red", "ar1": "blue", "ta1": "yellow", "ge1": "orange", "ca1": "white"}, 2)


def test_a_frame_is_read_as_a_photograph_of_it(profile: Profile) -> None:
    frame = next(Film(Script((LYING,), (), 1.0), profile, 8).frames())
    eye, reader = ReaderEye(profile), Reader(profile)
    (pose,) = eye.locate(frame)
    visible = np.ones(len(place_names(profile)), bool)
    seen = sightings(eye.look(frame, pose, visible), profile, {}, visible)
    evened = reader.evened(frame, pose)
    views = detect(evened.picture, reader.reference, reader.canvas)
    beliefs, track, hidden = reader.decode(evened, views)
    assert {space: (seen[space].star, seen[space].confidence) for space in beliefs} == {
        space: (belief.star, belief.confidence) for space, belief in beliefs.items()
    }
    assert sum(seen[name].star == "black" for name in seen if name not in beliefs) == track.count
    assert all(seen[name].plain for name in beliefs if name not in hidden)


def test_what_lies_under_an_arm_does_not_colour_the_rest(profile: Profile) -> None:
    """A hidden star's pixels are an arm's: who judges the others must not hear of them."""
    frame = next(Film(Script((LYING,), (), 1.0), profile, 8).frames())
    reader = Reader(profile)
    (pose,) = ReaderEye(profile).locate(frame)
    evened = reader.evened(frame, pose)
    views = detect(evened.picture, reader.reference, reader.canvas)
    visible = np.array([name != "ge1" for name in place_names(profile)])
    (x, y), r = reader.canvas.to_px(np.array(profile.spaces["ge1"].at)).round().astype(int), 12
    sleeve = Evened(evened.board.copy(), evened.picture.copy())
    for picture in (sleeve.board, sleeve.picture):
        picture[y - r : y + r, x - r : x + r] = (200, 40, 40)
    odds, under = (reader.judge(e, views, visible).odds[visible] for e in (evened, sleeve))
    assert (odds == under).all()
    assert (reader.judge(evened, views).odds != reader.judge(sleeve, views).odds).any()


def test_a_star_that_the_detector_still_sees_is_not_replaced(profile: Profile) -> None:
    """Mirrored light makes the judge change its mind; it takes both to say that a star is gone.

    Unless an arm was there: then the judge's word will do.
    """
    names = place_names(profile)
    scores, odds = np.zeros((len(names), 7)), np.zeros((len(names), 8))
    row, yellow, white = names.index("core"), CLASSES.index("yellow"), CLASSES.index("white")
    odds[:, EMPTY] = 9
    odds[row, white] = 14

    def replaced(yellow_score: float, touched: set[str]) -> bool:
        scores[row, [yellow, white]] = yellow_score, 0.45
        like, described = np.zeros(len(names)), np.zeros((len(names), FEATURES))
        look = Look(scores, np.full(len(names), 0.3), like, described, odds)
        held = Settled({"core": "yellow"}, frozenset(names))
        seen = sightings(look, profile, held.lying, np.ones(len(names), bool))
        assert seen["core"].star == "white"
        for t in range(40):
            held, _, _ = settle(held, t / 10, {"core": seen["core"]}, touched)
        return held.lying == {"core": "white"}

    assert not replaced(0.49, set())
    assert replaced(0.1, set())
    assert replaced(0.49, {"core"})


def test_a_star_is_not_gone_where_the_print_is_not_seen(profile: Profile) -> None:
    """A dark sleeve, evened out with the board, may look as empty as the board itself."""
    names = place_names(profile)
    odds = np.zeros((len(names), 8))
    odds[:, EMPTY] = 9
    zeros, described = np.zeros((len(names), 7)), np.zeros((len(names), FEATURES))
    lying = {"core": "purple"}

    def plain(likeness: float) -> bool:
        alike = np.full(len(names), likeness)
        look = Look(zeros, np.full(len(names), 0.1), alike, described, odds)
        seen = sightings(look, profile, lying, np.ones(len(names), bool))
        assert seen["core"].star is None and seen["ar1"].plain
        return seen["core"].plain

    assert plain(0.95) and not plain(0.3)


def test_the_print_is_like_itself_and_a_star_is_not(profile: Profile) -> None:
    eye = ReaderEye(profile)
    for seed in (2, 3, 4):
        film = Film(Script((LYING,), (), 1.0), profile, seed)
        pose = homography(film.corners()[0], profile.size_mm)
        names = np.array(place_names(profile))
        look = eye.look(next(film.frames()), pose, np.ones(len(names), bool))
        spaces, starred = np.isin(names, list(profile.spaces)), np.isin(names, list(LYING.stars))
        assert look.likeness[spaces & ~starred].min() > 0.85
        assert np.median(look.likeness[starred]) < 0.6


def test_an_arm_over_most_of_the_board_is_not_taken_for_light(profile: Profile) -> None:
    reader = Reader(profile)
    frame = next(Film(Script((LYING,), (), 1.0), profile, 8).frames()).copy()
    film = Film(Script((LYING,), (), 1.0), profile, 8)
    pose = homography(film.corners()[0], profile.size_mm)
    names = np.array(place_names(profile))
    at = np.array([place.at for place in profile.places.values()])
    visible = at[:, 0] > 0.7 * profile.size_mm[0]
    plain = reader.evened(frame, pose).picture
    corners = np.array([[-9, -9], [128, -9], [128, 249], [-9, 249]], float)
    cv2.fillPoly(frame, [transform(pose, corners).astype(np.int32)], (95, 160, 110))

    def off(told: np.ndarray | None) -> float:
        evened = reader.evened(frame, pose, told).picture
        x, y = reader.canvas.to_px(at[visible]).round().astype(int).T
        return float(np.abs(evened[y, x].astype(int) - plain[y, x]).mean())

    assert 4 < visible.sum() < len(names) / 2
    assert off(visible) < 10 < off(None)


def test_the_judge_hears_of_the_stars_beside(profile: Profile) -> None:
    """One star alone is judged otherwise than beside the others of its set."""
    eye = ReaderEye(profile)
    film = Film(Script((LYING,), (), 1.0), profile, 3)
    frame, pose = next(film.frames()), homography(film.corners()[0], profile.size_mm)
    names = np.array(place_names(profile))
    whole = eye.look(frame, pose, np.ones(len(names), bool))
    others = whole.features[np.isin(names, ["ar1", "ta1", "ge1", "ca1"])]
    alone = eye.look(frame, pose, names == "core").odds
    beside = eye.look(frame, pose, names == "core", others).odds
    assert alone.shape == beside.shape == whole.odds.shape
    assert not np.allclose(alone[names == "core"], beside[names == "core"])
    assert not beside[names != "core"].any()
