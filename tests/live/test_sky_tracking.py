"""A sky that is read place by place is followed through the code that follows every board."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM as PRINT_PX_PER_MM
from calibration import Profile
from models.polaris.moon_frame import turn_frame
from scorer.places import Place
from scorer.referee import Referee
from tests.conftest import in_ci
from tests.films.film import Film
from tests.films.script import HandStep, Nudge, Script, Visit
from tests.films.verdict import is_change, judge
from tests.live.conftest import FilmReader, FilmSource
from vision.live import Frame, ModelFrameReader, Tracker, track
from vision.live.board_tracker import CHANGED
from vision.live.change_detector import MARGIN_MM, PX_PER_MM, ChangeDetector, Difference
from vision.observer import BoardObservation
from vision.placewise import PlacewiseReader

FPS = 8
STARS = {"1a1": "red", "1b2": "red", "2c1": "blue", "3a3": "blue", "4r2": "red", "5b4": "blue"}
LINKS = ("1a1-1b1", "2c1-2c2", "3r2-3r3", "4b1-4b2")


def moon(sector: int) -> Place:
    return Place(str(sector), "dial")


def link(name: str) -> Place:
    return Place(name, "edge")


Watched = tuple[Film, list[dict[str, Any]], Tracker]


@pytest.fixture(scope="module")
def watched(sky: Profile) -> Watched:
    """A hand lays a star and a link, waits over others, turns the frame; then the board is pushed.

    At last it takes a star away. What the shipped models tell of it, beside the film's truth.
    """
    lying = {Place(space): star for space, star in STARS.items()}
    lying |= {link(name): "link" for name in LINKS} | {moon(1): "new_moon"}
    laid = HandStep(Place("2b3"), "put", "blue"), HandStep(link("2b2-2b3"), "put", "link")
    happenings = (
        Visit(1.0, laid, seat=1.6),
        Visit(3.3, (HandStep(Place("3a3"), "hover", "blue", dwell=0.8),), seat=0.4),
        Visit(5.4, (HandStep(moon(2), "turn", "new_moon", dwell=0.8),), seat=0.2),
        Nudge(7.6, (3.0, -4.0), 0.01),
        Visit(9.0, (HandStep(Place("1b2"), "take"),), seat=3.0),
    )
    film = Film(Script((lying,), happenings, 11.2), sky, seed=2, size=(960, 720), fps=FPS)
    tracker = Tracker(ModelFrameReader(sky), Referee(sky.game, sky.board).news)
    reported: list[dict[str, Any]] = []
    for number, image in enumerate(film.frames()):
        reported += [event.to_data() for event in tracker.see(Frame(number / FPS, image))]
    return film, reported + [event.to_data() for event in tracker.finish()], tracker


@in_ci
def test_stars_links_and_the_moon_are_reported_and_nothing_else(watched: Watched) -> None:
    film, reported, _ = watched
    corners = [c.tolist() for c in film.corners()]
    verdict = judge({"corners": corners, "events": film.events}, reported)
    assert verdict.missed == () and verdict.false == ()
    keys = ("kind", "space", "star", "was", "from")
    assert [{key: e[key] for key in keys if key in e} for e in reported if is_change(e)][11:] == [
        {"kind": "placed", "space": "2b3", "star": "blue"},
        {"kind": "placed", "space": "2b2-2b3", "star": "link"},
        {"kind": "placed", "space": "2", "star": "new_moon", "from": "1"},
        {"kind": "removed", "space": "1b2", "was": "red"},
    ]


@in_ci
def test_a_sky_that_is_pushed_is_found_again(watched: Watched) -> None:
    film, reported, _ = watched
    found = [e for e in reported if e["kind"] in ("board_found", "board_moved", "board_lost")]
    assert found[0]["kind"] == "board_found"
    assert {e["kind"] for e in found[1:]} == {"board_moved"}
    assert np.abs(np.array(found[-1]["corners"]) - film.corners()[0]).max() < 4


@in_ci
def test_what_the_pieces_look_like_is_known(sky: Profile, watched: Watched) -> None:
    features = watched[2].boards[0].features
    stars = np.array([features[Place(space)] for space in ("1a1", "2c1")])
    red, blue = ModelFrameReader(sky).shown_colours(stars)
    assert red[2] > red[0] and blue[0] > blue[2]


def test_a_star_is_classified_with_all_others_and_a_link_by_itself(sky: Profile) -> None:
    reader = PlacewiseReader(sky)
    places = np.array([str(place) for place in sky.places])
    everywhere = np.ones(len(places), bool)
    star, edge = (np.isin(places, [str(one)]) for one in (Place("1b2"), link("1b2-1b3")))
    hidden = everywhere & ~np.isin(places, [str(Place("3a3"))])
    read = {places[row] for row in np.flatnonzero(reader.readable(hidden, star))}
    assert read == {str(place) for place in sky.places if place.kind == "spot"} - {"3a3"}
    assert reader.readable(everywhere, edge).sum() == 1


def test_a_link_space_is_looked_at_where_it_is_and_not_beside(sky: Profile) -> None:
    detector = ChangeDetector(sky)
    places = tuple(sky.places)
    upright = np.array([place == link("1b2-1b3") for place in places])
    ys, xs = np.nonzero(detector.around(upright))
    assert np.ptp(ys) > np.ptp(xs), "it lies along its spoke"
    bare = detector.print
    laid = bare.copy()
    x, y = ((np.array(sky.places[Place("1b3")].at) + MARGIN_MM) * PX_PER_MM).round().astype(int)
    cv2.circle(laid, (int(x), int(y)), round(6 * PX_PER_MM), (250, 250, 250), -1)
    seen = detector.compare(laid, bare)
    assert [str(places[row]) for row in np.flatnonzero(seen.places > CHANGED)] == ["1b3"]


def test_a_dial_that_is_turned_is_no_arm(sky: Profile) -> None:
    detector = ChangeDetector(sky)
    pose = np.diag([PRINT_PX_PER_MM, PRINT_PX_PER_MM, 1.0])
    before, after = (
        detector.rectify(profile.require_reference(), pose)
        for profile in (sky, turn_frame(np.random.default_rng(1), sky, 3))
    )
    seen = detector.compare(after, before)
    assert not seen.covered.any()
    turned = [place for place, level in zip(sky.places, seen.places, strict=True) if level > 7]
    assert turned and {place.kind for place in turned} == {"dial"}


class VisibleReader(FilmReader):
    def observe(
        self, image: np.ndarray, pose: np.ndarray, visible: np.ndarray, *args: Any, **kwargs: Any
    ) -> BoardObservation:
        return replace(super().observe(image, pose, visible, *args, **kwargs), read=visible)


def turned(sky: Profile) -> Film:
    """A film of a hand that turns the moon from the first sector to the second."""
    turn = Visit(1.2, (HandStep(moon(2), "turn", "new_moon", dwell=0.8),), seat=0.2)
    return Film(Script(({moon(1): "new_moon"},), (turn,), turn.end + 3), sky, 2, (960, 720), FPS)


@pytest.mark.parametrize("first", (1, 2))
def test_a_dial_of_which_only_one_place_looks_changed_is_read_as_a_whole(
    sky: Profile, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """As in a film where the new place looked much like before, in other light."""
    compare = ChangeDetector.compare
    others = [moon(sector) for sector in range(1, 6) if sector != first]

    def seen(detector: ChangeDetector, now: np.ndarray, before: np.ndarray) -> Difference:
        difference = compare(detector, now, before)
        alike = [place in others for place in sky.places]
        return replace(difference, places=difference.places * ~np.array(alike))

    monkeypatch.setattr(ChangeDetector, "compare", seen)
    film = turned(sky)
    reported = [event.to_data() for event in track(FilmSource(film), Tracker(FilmReader(film)))]
    turns = [(one["space"], one.get("from")) for one in reported if is_change(one)]
    assert turns == [("1", None), ("2", "1")]


def test_a_dial_partly_out_of_the_picture_is_not_read_for_ever(
    sky: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = ChangeDetector.inside
    outside = np.array([place == moon(4) for place in sky.places])
    monkeypatch.setattr(ChangeDetector, "inside", lambda *given: inside(*given) & ~outside)
    film = turned(sky)
    reader = VisibleReader(film)
    reported = [event.to_data() for event in track(FilmSource(film), Tracker(reader))]
    assert [one["space"] for one in reported if is_change(one)] == ["1", "2"]
    assert reader.readings < 8
