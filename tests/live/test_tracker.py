"""What the tracker tells of films with known truth; its frame reader is the worst there can be.

It takes whatever an arm covers for a red star, so each film also shows that the tracker does not
ask it about covered places.
"""

import json
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from calibration import Profile
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Game, Player
from scorer.nebula.words import BLACK
from scorer.places import Place
from scorer.referee import Referee
from tests.conftest import in_ci, in_full
from tests.films.film import Film
from tests.films.script import Bump, HandStep, Happening, LampSwitch, Nudge, Script, Shade, Visit
from tests.films.verdict import is_change, judge
from tests.live.conftest import FPS, FilmReader, FilmSource
from tests.live.happenings import (
    SIZE,
    STARS,
    START,
    EventsOf,
    after,
    kinds,
    put,
    put_black,
    script,
    watching,
)
from vision.live import Frame, Tracker, track


class Mistaken(FilmReader):
    """Takes a yellow star for a red one until a hand has passed over it."""

    def _lying(self, board: int, places: Sequence[Place]) -> Iterator[str | None]:
        passed = any(self.film.hides(board, place) for place in places)
        self.corrected = getattr(self, "corrected", False) or passed
        for place, piece in zip(places, super()._lying(board, places), strict=True):
            yield "red" if place == Place("ta1") and piece and not self.corrected else piece


def test_what_lies_there_at_first_is_reported(events_of: EventsOf):
    events = events_of(script(seconds=2.0))
    assert events[0]["kind"] == "board_found"
    assert len(events[0]["corners"]) == 4
    placed = {(e["space"], e["star"]) for e in events if e["kind"] == "placed"}
    assert placed == set(STARS.items())
    assert all(e["found"] for e in events if e["kind"] == "placed"), "nobody saw them come"
    assert [e["count"] for e in events if e["kind"] == "black"] == [1, 2]


@pytest.mark.parametrize("seed", in_full(range(1, 4), 2))
def test_a_star_is_placed(events_of: EventsOf, seed: int):
    events = events_of(script(Visit(1.2, (put("ta2", "white"),), seat=seed)), seed)
    assert after(events) == [("placed", "ta2", "white", None)]
    assert "found" not in events[-1]


@pytest.mark.parametrize("fps", in_full((3, 4, 5, 7, 10, 12, 30), 3, 10))
def test_a_star_is_reported_soon_at_any_frame_rate(profile: Profile, fps: int):
    places = "ta2", "ca5", "ge1"
    visits = (Visit(1 + 2 * n, (put(at, "white"),)) for n, at in enumerate(places))
    film = Film(script(*visits, seconds=8.0), profile, 1, SIZE, fps)
    events = [event.to_data() for event in track(FilmSource(film), watching(film))]
    assert after(events) == [("placed", at, "white", None) for at in places]
    delays = judge({"corners": film.corners(), "events": film.events}, events).delays
    assert max(delays) < 0.45


def test_two_placements_under_one_hand(events_of: EventsOf):
    events = events_of(script(Visit(1.2, (put("ta2", "white"), put("ge1", "purple")))))
    assert set(after(events)) == {
        ("placed", "ta2", "white", None),
        ("placed", "ge1", "purple", None),
    }


@in_ci
def test_three_quick_ones_in_a_row(events_of: EventsOf):
    quick = [("ta2", "white"), ("ge1", "purple"), ("ca1", "orange")]
    visits = (Visit(1.2 + 1.5 * i, (put(*star, dwell=0.2),)) for i, star in enumerate(quick))
    events = events_of(script(*visits, seconds=8.0))
    assert after(events) == [("placed", *star, None) for star in quick]


def test_a_star_in_place_of_another(events_of: EventsOf):
    events = events_of(script(Visit(1.2, (put("core", "white"),))))
    assert after(events) == [("replaced", "core", "white", "red")]


def exchanged(events: list[dict[str, object]]) -> list[bool]:
    return [bool(e.get("exchanged")) for e in events if e["kind"] == "replaced"]


@in_ci
def test_a_star_that_a_hand_exchanges_is_distinguished_from_one_that_was_misread(
    profile: Profile, events_of: EventsOf
) -> None:
    """The reader took it for a red one until the board was pushed and a hand passed over it."""
    hand = Visit(4.5, (put("ta1", "white"),))
    assert exchanged(events_of(script(hand, seconds=8.0))) == [True]
    over = Visit(4.5, (HandStep(Place("ta1"), "hover", "white", dwell=0.8),))
    film = Film(script(Nudge(4.2, (4.0, 3.0), 0.03), over, seconds=8.0), profile, 1, SIZE, FPS)
    tracker = watching(film, Mistaken(film, fooled=False))
    assert exchanged([event.to_data() for event in track(FilmSource(film), tracker)]) == [False]


@in_ci
def test_a_star_laid_anew_at_once_was_perhaps_misread_under_the_hand(events_of: EventsOf) -> None:
    quick = Visit(4.5, (put("ta2", "white"),)), Visit(6.0, (put("ta2", "blue"),))
    assert exchanged(events_of(script(*quick, seconds=9.0))) == [False]


def test_a_star_is_taken_away(events_of: EventsOf):
    events = events_of(script(Visit(1.2, (HandStep(Place("ta1"), "take"),))))
    assert after(events) == [("removed", "ta1", None, "yellow")]


def test_black_stars_are_counted_one_by_one(events_of: EventsOf):
    events = events_of(script(Visit(1.2, (put_black(), put_black()))))
    assert after(events) == [("black", 3, None, None), ("black", 4, None, None)]


def test_a_star_dropped_and_picked_up_is_nothing(events_of: EventsOf):
    assert (
        after(events_of(script(Visit(1.2, (HandStep(Place("ta2"), "drop", "white", dwell=0.7),)))))
        == []
    )


def test_a_hand_that_hesitates_with_a_star_is_nothing(events_of: EventsOf):
    hover = Visit(1.2, (HandStep(Place("ta2"), "hover", "white", dwell=3.0),))
    assert after(events_of(script(hover, seconds=7.0))) == []


LIGHTS: Sequence[Happening] = (Shade(1.5, 2.0, 0.6), LampSwitch(1.5, 0.9))


@pytest.mark.parametrize(
    "light", in_full([*LIGHTS, Shade(1.5, 1.0, 0.4), LampSwitch(1.5, 0.5)], *LIGHTS), ids=str
)
def test_light_is_nothing(events_of: EventsOf, light: Happening):
    assert kinds(events_of(script(light))) == []


def test_a_star_placed_after_the_lamp_was_switched_on_is_seen(events_of: EventsOf):
    events = events_of(
        script(LampSwitch(1.2, 0.7), Visit(2.5, (put("ta2", "white"),)), seconds=7.0)
    )
    assert after(events) == [("placed", "ta2", "white", None)]


@pytest.mark.parametrize("seed", in_full([1, 2], 1))
def test_a_lamp_that_makes_the_board_be_looked_for_again_hides_nothing(
    events_of: EventsOf, seed: int
):
    """It lies where it lay, so all that lay still still does."""
    lit = script(LampSwitch(1.2, 3.0), Visit(2.5, (put("ta2", "white"),)), seconds=7.0)
    assert after(events_of(lit, seed)) == [("placed", "ta2", "white", None)]


@in_ci
def test_what_came_to_lie_in_light_that_was_taken_for_an_arm_is_reported(events_of: EventsOf):
    """Late, but told: it is not taken for known once the light is."""
    visits = (Visit(2.0, (put("ta2", "white"),)), Visit(4.0, (put("ge2", "blue"),)))
    events = events_of(script(LampSwitch(1.5, 2.0), *visits, seconds=14.0), 3)
    assert set(after(events)) == {("placed", "ta2", "white", None), ("placed", "ge2", "blue", None)}


@pytest.mark.parametrize(
    ("seed", "hover"),
    in_full([(1, "ca4"), (2, "ca4"), (3, "ca2"), (5, "ca4"), (5, "ca6")], (5, "ca6")),
)
def test_an_arm_that_waits_while_the_light_changes_is_not_remembered(
    profile: Profile, seed: int, hover: str
):
    """Nor is the print under it remembered in the old light: either would hide the next star."""
    white = {space: "white" for space in list(profile.spaces)[::2] if space != "ca5"}
    start = NEBULA.pieces_of(Galaxy(white, 4))
    waits = Visit(2.2, (HandStep(Place(hover), "hover", "blue", dwell=3.5),), seat=1.5)
    places = Visit(7.5, (put("ca5", "blue", 0.3),), seat=1.5)
    film = Film(
        script(LampSwitch(1.5, 2.0), waits, places, seconds=11.0, start=start),
        profile,
        seed,
        SIZE,
        FPS,
    )
    events = [e.to_data() for e in track(FilmSource(film), watching(film))]
    verdict = judge({"corners": film.corners(), "events": film.events}, events)
    assert (verdict.missed, verdict.false) == ((), ())
    assert verdict.delays[-1] < 1


@pytest.mark.parametrize("push", [Nudge(1.5, (5, -3), 0.02), Bump(1.5, (6, 4))], ids=str)
def test_a_nudged_board_is_found_again_and_nothing_else_reported(
    events_of: EventsOf, push: Happening
):
    events = events_of(script(push))
    assert set(kinds(events)) == {"board_moved"}


def test_a_star_placed_after_a_nudge_is_seen(events_of: EventsOf):
    moved_then_placed = script(
        Nudge(1.5, (6, 2), 0.03), Visit(3.0, (put("ta2", "white"),)), seconds=7.0
    )
    assert after(events_of(moved_then_placed)) == [("placed", "ta2", "white", None)]


class HastyReader(FilmReader):
    """Where a board lies that was pushed, it says 4 mm amiss the first time."""

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        there = super().follow(image, pose)
        if self.hasty and there is not None:
            self.hasty = False
            return there @ np.array([[1, 0, 3.0], [0, 1, -2.5], [0, 0, 1]])
        return there

    hasty = True


@pytest.mark.parametrize("seed", in_full(range(1, 4), 2))
def test_a_board_first_taken_to_lie_amiss_is_soon_looked_for_again(profile: Profile, seed: int):
    """What lies amiss must not be remembered as the board."""
    film = Film(script(Nudge(1.5, (4, -4), 0.02)), profile, seed, SIZE, FPS)
    events = [
        event.to_data() for event in track(FilmSource(film), watching(film, HastyReader(film)))
    ]
    first, second = (event["t"] for event in events if event["kind"] == "board_moved")
    assert second - first < 0.6


def test_an_illegal_placement_is_reported_within_a_second_and_its_mending(events_of: EventsOf):
    wrong = Visit(1.2, (put("ar2", "blue"),))
    events = events_of(script(wrong, Visit(4.0, (HandStep(Place("ar2"), "take"),)), seconds=8.0))
    reported = [e for e in events if e["kind"].startswith("rule_")]
    assert [(e["kind"], e["rule"], e["spaces"]) for e in reported] == [
        ("rule_break", "same_colour_link", ["ar1", "ar2"]),
        ("rule_mended", "same_colour_link", ["ar1", "ar2"]),
    ]
    placed = next(e for e in events if e.get("space") == "ar2")
    assert reported[0]["t"] - placed["t"] < 1


@pytest.mark.parametrize("seed", in_full(range(1, 4), 2))
def test_an_arm_that_lies_there_at_first_hides_its_stars_only_until_it_leaves(
    profile: Profile, seed: int
):
    """The empty board was never seen; what the arm hid is told within a second."""
    arm = Visit(-1.0, (HandStep(Place("core"), "hover", "white", dwell=3.5),), seat=seed)
    film = Film(script(arm, seconds=arm.end + 1.0), profile, seed, SIZE, FPS)
    tracker = watching(film, FilmReader(film, fooled=False))
    events = [event.to_data() for event in track(FilmSource(film), tracker)]
    assert sorted(after(events, 0.0)) == sorted(
        [("placed", *star, None) for star in STARS.items()]
        + [("black", count, None, None) for count in (1, 2)]
    )
    assert any(e["t"] > arm.end - 0.5 for e in events if is_change(e)), "it hid nothing"


def test_stars_are_judged_beside_those_that_an_arm_covers(profile: Profile):
    """The first readings have none to go by; under the arm, the covered ones are remembered."""
    visit = Visit(1.2, (put("ta2", "white"), HandStep(Place("core"), "hover", "red", dwell=1.0)))
    film = Film(script(visit), profile, 1, SIZE, FPS)
    reader = FilmReader(film)
    events = [event.to_data() for event in track(FilmSource(film), watching(film, reader))]
    assert after(events) == [("placed", "ta2", "white", None)]
    assert reader.beside[:2] == [0, 0]
    assert 0 < max(reader.beside) <= len(START)


def test_stars_are_judged_beside_those_of_the_other_boards(profile: Profile):
    both = Script((START, START), (Visit(1.2, (put("ta2", "white"),)),), 4.0)
    film = Film(both, profile, 2, (1280, 720), FPS)
    reader = FilmReader(film)
    list(track(FilmSource(film), watching(film, reader)))
    assert max(reader.beside) >= len(START)


class TestWithTheTrackerInHand:
    """What needs the tracker itself, between two frames."""

    @pytest.fixture
    def film(self, profile: Profile) -> Film:
        return Film(script(Visit(3.0, (put("ta2", "white"),)), seconds=9.0), profile, 3, SIZE, FPS)

    def test_a_restart_doubles_nothing_and_loses_nothing(self, film: Film):
        reader, reported = FilmReader(film), []
        tracker = Tracker(reader)
        for number, frame in enumerate(FilmSource(film).moments()):
            if number == 2 * FPS:
                tracker = Tracker(reader, resumed=json.loads(json.dumps(tracker.to_data())))
            reported += [(e.kind, e.more.get("space")) for e in tracker.see(frame)]
        stars = [("placed", space) for space in STARS]
        assert [e for e in reported if e[0] == "placed"] == [*stars, ("placed", "ta2")]
        assert tracker.boards[0].pieces == {**START, Place("ta2"): "white"}

    def test_a_board_out_of_sight_is_reported_and_its_stars_are_kept(self, film: Film):
        reader, reported = FilmReader(film), []
        tracker = Tracker(reader)
        for number, frame in enumerate(FilmSource(film).moments()):
            reader.blind = 2 * FPS <= number < 6 * FPS
            image = frame.image[:, ::-1].copy() if reader.blind else frame.image
            reported += [
                e.kind for e in tracker.see(Frame(frame.t, image)) if e.kind.startswith("board")
            ]
            if reader.blind:
                assert START.items() <= tracker.boards[0].pieces.items()
        assert reported == ["board_found", "board_lost", "board_found"]
        assert tracker.boards[0].pieces == {**START, Place("ta2"): "white"}

    def test_what_came_between_two_frames_was_seen_by_nobody(self, film: Film):
        tracker, reported = Tracker(FilmReader(film)), []
        for number, frame in enumerate(FilmSource(film).moments()):
            if not 2 * FPS <= number < 6 * FPS:
                reported += tracker.see(frame)
        placed = {e.more["space"]: e.more.get("found") for e in reported if e.kind == "placed"}
        assert placed == dict.fromkeys([*STARS, "ta2"], True)

    def test_a_correction_is_kept_and_the_next_change_starts_from_it(self, profile: Profile):
        takes = Visit(4.0, (HandStep(Place("ta1"), "take"),))
        film = Film(script(takes, seconds=8.0), profile, 3, SIZE, FPS)
        tracker, reported = watching(film), []
        for number, frame in enumerate(FilmSource(film).moments()):
            if number == 2 * FPS:
                tracker.correct(0, Place("ta1"), "orange")  # the reader goes on seeing yellow
                tracker.correct(0, Place("ar1"), None)  # and blue
            reported += [e.to_data() for e in tracker.see(frame)]
        assert after(reported, 2.0) == [("removed", "ta1", None, "orange")]
        black = {place: star for place, star in START.items() if star == BLACK}
        assert tracker.boards[0].pieces == {Place("core"): "red", **black}

    def test_objectives_of_the_game_are_reported_as_they_come_nearer(self, film: Film):
        game = Game(
            (Player("Ana", Galaxy({}), personal="O20"),), career=("V2", "V6"), advanced=("B16",)
        )
        referee = Referee(NEBULA, film.profile.board, game)
        reported = [
            (e.more["card"], e.more["progress"], e.more["met"])
            for e in track(FilmSource(film), Tracker(FilmReader(film), referee.news))
            if e.kind == "objective"
        ]
        assert {card for card, _, _ in reported} == {"V2", "V6", "B16", "O20"}
        assert [p for card, p, _ in reported if card == "V6"] == [
            pytest.approx(3 / 12, abs=1e-3),
            pytest.approx(4 / 12, abs=1e-3),
        ]
        assert not any(met for _, _, met in reported)

    def test_nothing_is_read_while_nothing_moves(self, profile: Profile):
        film = Film(script(seconds=8.0), profile, 4, SIZE, FPS)
        reader = FilmReader(film)
        list(track(FilmSource(film), watching(film, reader)))
        assert reader.readings <= 4
