"""Films show what people at the table see: their truth must be there to be seen."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from models.synthesis.token import shown_colour
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from tests.conftest import FULL_MATRIX
from tests.films.film import Film, HandStep, Script, Visit
from tests.films.script import random_script
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
    for seed in range(25 if FULL_MATRIX else 5):
        film = Film(Script(({},), (), 1.0), profile, seed)
        shown = [shown_colour(film._token_set[star], film._light) for star in (*COLOURS, BLACK)]
        assert min(apart(shown)) >= 12


def test_the_camera_does_not_burn_the_stars_out(profile: Profile) -> None:
    """Highlights aside, no colour is lost to a camera that exposes for a dark board."""
    closest = []
    for seed in range(20 if FULL_MATRIX else 4):
        film = Film(Script((NEBULA.pieces_of(Galaxy(STARS)),), (), 1.0), profile, seed)
        frame = next(film.frames())
        at = np.array([profile.spaces[space].at for space in STARS])
        px = transform(homography(film.corners()[0], profile.size_mm), at).round().astype(int)
        seen = [np.median(frame[y - 4 : y + 5, x - 4 : x + 5], axis=(0, 1)) for x, y in px]
        closest.append(min(apart(seen)))
    assert min(closest) > 8


def test_a_star_goes_onto_the_first_free_slot_of_the_track_whichever_is_named(
    profile: Profile,
) -> None:
    track = Place(BLACK, "track")
    lying = NEBULA.pieces_of(Galaxy({}, 9))
    visit = Visit(0.2, (HandStep(track, "put", BLACK), HandStep(track, "put", BLACK)))
    film = Film(Script((lying,), (visit,), 2.6), profile, 1, (320, 180), 5)
    assert len(list(film.frames())) == 13
    assert film.occupancy == [NEBULA.pieces_of(Galaxy({}, 10))]  # the eleventh has nowhere to go
    reported = [(event["kind"], event["count"]) for event in film.events]
    assert reported == [(BLACK, count) for count in range(1, 11)]
    assert film.events[-1]["t"] > 0.6


def test_what_is_taken_from_a_track_is_reported_and_its_slot_is_free_again(
    profile: Profile,
) -> None:
    take = Visit(0.2, (HandStep(Place(BLACK, "track", 1), "take"),))
    put = Visit(2.0, (HandStep(Place(BLACK, "track"), "put", BLACK),))
    lying = NEBULA.pieces_of(Galaxy({}, 3))
    film = Film(Script((lying,), (take, put), 4.0), profile, 1, (320, 180), 5)
    list(film.frames())
    assert [event["count"] for event in film.events] == [1, 2, 3, 2, 3]
    assert film.occupancy == [lying]


def test_players_keep_to_the_rules_but_for_mistakes_that_they_take_back(profile: Profile) -> None:
    """Of many placements; the script's own happenings, acted out, say what is left."""
    mistakes = 0
    for seed in range(6):
        script = random_script(np.random.default_rng(seed), profile, 240.0)
        stars: dict[str, str] = {}
        for step in (s for h in script.happenings if isinstance(h, Visit) for s in h.steps):
            if step.act == "take":
                del stars[step.place.id]
            elif step.act == "put" and step.place.kind == "spot":
                assert step.piece is not None
                reason = Galaxy(stars, board=profile.board).illegal(step.place.id, step.piece)
                mistakes += reason is not None
                stars[step.place.id] = step.piece
        assert len(stars) > 10
    assert 0 < mistakes < 25
