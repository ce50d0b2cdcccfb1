"""What every worker keeps to: the one with the shipped models, and the one that other tests use.

Both are shown the same films: the one its frames, the other in words what is to be seen on them.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration import load_profile
from calibration.layout import dump_layout
from calibration.profile import reference_size
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.places import Place
from tests.conftest import in_ci, in_full
from tests.films.film import Film
from tests.films.script import HandStep, Script, Visit
from tests.webapp.live.fake_frame_worker import FakeFrameWorker, frame
from webapp.app.live.entry import changes_a_board
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction, FrameWorker, UnusableSourceError

FPS = 10
LYING = Galaxy({"core": "yellow", "ar1": "red", "ta1": "blue"}, 2)
OTHER = Galaxy({"core": "red", "ca1": "yellow"}, 0)
ALL = {("placed", space, star, None) for space, star in LYING.stars.items()} | {
    ("black", count, None, None) for count in (1, 2)
}
Told = list[tuple[str, str | int, str | None, str | None]]
Show = Callable[[Film, np.ndarray, Sequence[int]], bytes]
"""How a film's newest frame is given to a worker, without some of its boards."""


class Stage:
    """Shows films to frame workers of one kind."""

    def __init__(self, make: type[FrameWorker], shown: Show) -> None:
        self._make, self._shown = make, shown
        self._t = 0.0

    def worker(
        self, memory: Mapping[str, Any] | None = None, profiles: Sequence[str] = ("standard",)
    ) -> FrameWorker:
        """A new one; its memory has been written down and read again meanwhile."""
        return self._make(profiles, json.loads(json.dumps(memory)))

    def frames(self, script: Script, without: Sequence[int] = ()) -> Iterator[tuple[float, bytes]]:
        """What a worker is given; time goes on from one film to the next."""
        film = Film(script, load_profile("standard"), 2, fps=FPS)
        for image in film.frames():
            self._t += 1 / FPS
            yield self._t, self._shown(film, image, without)

    def show(self, worker: FrameWorker, script: Script, without: Sequence[int] = ()) -> Told:
        """Show a film, some of its boards put away, and return the changes that are told."""
        return changes(
            e for t, jpeg in self.frames(script, without) for e in worker.process(jpeg, t)
        )

    def film(self, folder: Path, script: Script) -> str:
        """A source that gives a film and ends."""
        path = folder / "film.avi"
        frames = [jpeg for _, jpeg in self.frames(script)]
        if self._make is FakeFrameWorker:
            path.write_bytes(b"\n".join([*frames, b"end"]))
            return str(path)
        writer = None
        for jpeg in frames:
            image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            fourcc = cv2.VideoWriter_fourcc(*"MJPG")
            writer = writer or cv2.VideoWriter(str(path), fourcc, FPS, image.shape[1::-1])
            writer.write(image)
        writer.release()
        return str(path)


def changes(events: Iterator[Mapping[str, Any]]) -> Told:
    """What was told of boards, without times and confidences."""
    return [
        (e["kind"], e.get("space", e.get("count")), e.get("star"), e.get("was"))
        for e in events
        if changes_a_board(e)
    ]


def as_picture(film: Film, image: np.ndarray, without: Sequence[int]) -> bytes:
    for number in without:
        corners = film.corners()[number]
        covered = corners.mean(axis=0) + 1.1 * (corners - corners.mean(axis=0))
        cv2.fillConvexPoly(image, covered.round().astype(np.int32), (90, 110, 120))
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


class InWords:
    """What is to be seen of a film: under an arm, what was seen there before."""

    def __init__(self) -> None:
        self._film: Film | None = None
        self._seen: dict[int, dict[str, str]] = {}

    def __call__(self, film: Film, _image: np.ndarray, without: Sequence[int]) -> bytes:
        if film is not self._film:
            self._film, self._seen = film, {}
        for number, lying in enumerate(film.occupancy):
            stars = {place.id: star for place, star in lying.items() if place.kind == "spot"}
            seen = self._seen.setdefault(number, dict(stars))
            for space in film.profile.spaces:
                if not film.hides(number, Place(space)):
                    seen.pop(space, None)
                    seen |= {space: stars[space]} if space in stars else {}
        black = {
            number: sum(place.kind == "track" for place in lying)
            for number, lying in enumerate(film.occupancy)
        }
        in_view = {number: self._seen[number] for number in self._seen if number not in without}
        return frame(in_view, black=black, profile="standard")


@pytest.fixture(params=in_full(["the models'", "the tests'"], "the tests'"))
def stage(request: pytest.FixtureRequest) -> Stage:
    if request.param == "the models'":
        return Stage(VisionFrameWorker, as_picture)
    return Stage(FakeFrameWorker, InWords())


def still(seconds: float = 2.5, *boards: Galaxy) -> Script:
    return Script(tuple(map(NEBULA.pieces_of, boards or (LYING,))), (), seconds)


def step(space: str, act: Literal["put", "take"], star: str | None = None) -> HandStep:
    return HandStep(Place(space), act, star)


def acted(hand: Visit) -> Script:
    """One board, on which a hand does something."""
    return Script((NEBULA.pieces_of(LYING),), (hand,), hand.end + 2.5)


@in_ci
def test_pieces_are_reported_once_and_so_is_what_a_hand_changes(stage: Stage) -> None:
    worker = stage.worker()
    hand = Visit(4.0, (step("core", "put", "red"), step("ar1", "take")))
    reported = stage.show(worker, acted(hand))
    assert set(reported[:5]) == ALL
    assert set(reported[5:]) == {
        ("replaced", "core", "red", "yellow"),
        ("removed", "ar1", None, "red"),
    }
    assert len(reported) == 7


@in_ci
def test_a_restart_tells_nothing_again_and_forgets_no_correction(stage: Stage) -> None:
    worker = stage.worker()
    assert set(stage.show(worker, still())) == ALL
    worker.correct(Correction(0, {"ar1": None, "ta1": "orange"}, {"black": 1}))
    again = stage.worker(worker.memory())
    assert stage.show(again, still()) == []
    again.correct(Correction(0, {"ar1": None, "ta1": "orange"}, {"black": 1}))
    assert stage.show(again, still()) == []


@in_ci
def test_a_correction_is_kept_and_an_unchanged_picture_reports_nothing(stage: Stage) -> None:
    """The eye goes on seeing what it saw; the next change is told of what players said."""
    worker = stage.worker()
    stage.show(worker, still())
    worker.correct(Correction(0, {"ar1": None, "ta1": "orange"}))
    hand = Visit(3.5, (step("ta1", "take"),))
    reported = stage.show(worker, acted(hand))
    assert reported == [("removed", "ta1", None, "orange")]


def test_a_word_about_a_board_out_of_view_or_unknown_is_taken(stage: Stage) -> None:
    """After a restart every worker hears all that is known, whatever it has in view."""
    both = still(2.5, LYING, OTHER)
    before = stage.worker()
    stage.show(before, both)
    after = stage.worker(before.memory())
    after.correct(Correction(0, dict(LYING.stars), {"black": 2}))
    after.correct(Correction(1, {**OTHER.stars, "ar1": "white"}, {"black": 1}))
    after.correct(Correction(7, {"core": "red"}))
    assert stage.show(after, both, without=[1]) == []
    assert [(one["board"], one["sure"]) for one in after.boards()] == [(0, True), (1, False)]


def test_what_is_no_picture_brings_nothing_and_is_reported_separately(stage: Stage) -> None:
    worker = stage.worker()
    assert (worker.receiving(), worker.picture(), worker.boards()) == (False, None, [])
    ((t, good), *_) = stage.frames(still(0.2))
    assert worker.process(b"\xff\xd8 nothing", t) == []
    assert (worker.receiving(), worker.picture(), worker.boards()) == (False, None, [])
    worker.process(good, t + 0.1)
    assert worker.receiving()
    assert Image.open(io.BytesIO(worker.picture() or b"")).format == "JPEG"
    (board,) = worker.boards()
    assert board["board"] == 0
    assert len(board["corners"]) == 4 and np.min(board["corners"]) >= 0
    assert np.max(board["corners"]) <= 1
    assert worker.process(b"", t + 0.2) == []
    assert not worker.receiving()
    assert [one["board"] for one in worker.boards()] == [0], "what was known is kept"


def test_a_source_is_watched_to_its_end(stage: Stage, tmp_path: Path) -> None:
    worker, reported, received = stage.worker(), [], False
    for events in worker.follow(stage.film(tmp_path, still()), False):
        reported += events
        received = received or worker.receiving()
    assert set(changes(iter(reported))) == ALL
    assert received


def test_a_source_that_is_not_there_is_reported_in_words(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"none\.avi"):
        next(iter(stage.worker().follow(str(tmp_path / "none.avi"), False)))


@pytest.fixture
def other_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A profile whose board has other artwork than the one on the films."""
    monkeypatch.setattr("calibration.profile.owner_profiles", lambda: tmp_path)
    standard = load_profile("standard")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "layout.yaml").write_text(dump_layout(standard.layout))
    noise = np.random.default_rng(4).integers(0, 256, (60, 50, 3), np.uint8)
    cv2.imwrite(
        str(tmp_path / "mine" / "reference.png"),
        cv2.resize(noise, reference_size(standard.size_mm)),
    )
    return "mine"


def test_of_several_known_boards_the_one_in_view_is_followed(
    stage: Stage, other_board: str
) -> None:
    worker = stage.worker(profiles=[other_board, "standard"])
    assert worker.recognised() is None
    assert set(stage.show(worker, still())) == ALL
    assert worker.recognised() == "standard"


def test_an_unknown_board_is_recognised_as_such(stage: Stage, other_board: str) -> None:
    worker = stage.worker(profiles=[other_board])
    assert stage.show(worker, still(0.7)) == []
    assert worker.recognised() == "" and worker.boards() == [] and worker.receiving()
