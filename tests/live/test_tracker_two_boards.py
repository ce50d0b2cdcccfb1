"""The tracker with two boards in view: told apart, turned about, or one of them away."""

import itertools
import json
from collections.abc import Sequence

import numpy as np
import pytest

from calibration import Profile
from scorer.places import Place
from tests.conftest import in_full
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit
from tests.films.verdict import judge
from tests.live.conftest import FPS, FilmReader, FilmSource
from tests.live.happenings import START, pieces, put, watching
from vision.live import Frame, Tracker, track


def test_two_boards_are_distinguished(profile: Profile):
    both = Script(
        (START, START), (Visit(1.2, (HandStep(Place("ta2"), "put", "white", board=1),)),), 6.0
    )
    film = Film(both, profile, 2, (1280, 720), FPS)
    events = [e.to_data() for e in track(FilmSource(film), watching(film))]
    truth = {"corners": film.corners(), "events": film.events}
    verdict = judge(truth, events)
    assert (len(verdict.found), verdict.missed, verdict.false) == (11, (), ())


def test_boards_found_again_elsewhere_are_known_by_their_stars(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
):
    """The camera was turned about: each board lies nearer to where the other was."""
    other = pieces({"core": "white", "ca1": "purple"})
    before = Film(Script((START, other), (), 2.0), profile, 2, (1280, 720), FPS)
    after_turn = Film(Script((other, START), (), 3.0), profile, 2, (1280, 720), FPS)
    reader = FilmReader(before)
    tracker = Tracker(reader)
    for frame in FilmSource(before).moments():
        tracker.see(frame)
    reported = []
    reader = FilmReader(after_turn)
    tracker = Tracker(reader, resumed=tracker.to_data())
    monkeypatch.setattr(reader, "follow", lambda image, pose: None)
    for frame in FilmSource(after_turn).moments():
        reported += [e.kind for e in tracker.see(frame)]
    assert reported == ["board_found", "board_found"]
    assert [len(board.pieces) for board in tracker.boards] == [len(START), 2]


class SlidingReader(FilmReader):
    """Boards can be put away; one that is looked for in vain is taken for whichever is nearest."""

    away: frozenset[int] = frozenset()

    def _poses(self) -> list[np.ndarray]:
        far = np.array([[1, 0, 1e4], [0, 1, 0], [0, 0, 1]])
        return [far @ p if n in self.away else p for n, p in enumerate(super()._poses())]

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        return [pose for pose in super().locate(image, known) if pose[0, 2] < 5e3]


class TestOneOfTwoBoardsIsAway:
    """Its state is kept, and is not mixed up with that of the board in view."""

    OTHER = pieces({"core": "white", "ca1": "purple"})

    @pytest.fixture
    def reader(self, profile: Profile) -> SlidingReader:
        visit = Visit(3.5, (put("ta2", "white"),))
        both = Script((START, self.OTHER), (visit,), 7.0)
        return SlidingReader(Film(both, profile, 2, (1280, 720), FPS))

    @pytest.mark.parametrize("away", in_full([0, 1], 1))
    def test_since_a_restart(self, reader: SlidingReader, away: int):
        """What a person says of it is believed and told, though it was never seen since."""
        frames = FilmSource(reader.film).moments()
        tracker = watching(reader.film, reader)
        for frame in itertools.islice(frames, 2 * FPS):
            tracker.see(frame)
        resumed = json.loads(json.dumps(tracker.to_data()))
        tracker = watching(reader.film, reader, resumed=resumed)
        core = tracker.boards[away].pieces[Place("core")]
        tracker.correct(away, Place("ge1"), core)
        reader.away = frozenset({away})
        reported = [e.to_data() for frame in frames for e in tracker.see(frame)]
        assert ("board_found", 1 - away) == (reported[0]["kind"], reported[0]["board"])
        assert {e["kind"] for e in reported if e["board"] == away} == {"rule_break"}
        assert [board.lost for board in tracker.boards] == [away == 0, away == 1]
        assert tracker.boards[away].pieces == {**[START, self.OTHER][away], Place("ge1"): core}

    def test_in_the_middle_of_a_game(self, reader: SlidingReader):
        tracker, reported = watching(reader.film, reader), []
        for number, frame in enumerate(FilmSource(reader.film).moments()):
            reader.away = frozenset({1} if number > 2 * FPS else ())
            image = frame.image.copy()
            if reader.away:
                image[:, 640:] = image[:, :640]  # another picture where the board was
            reported += [e.to_data() for e in tracker.see(Frame(frame.t, image))]
        assert [e["kind"] for e in reported if e["board"] == 1 and e["t"] > 2.0] == ["board_lost"]
        assert tracker.boards[1].pieces == self.OTHER
        assert tracker.boards[0].pieces == {**START, Place("ta2"): "white"}
