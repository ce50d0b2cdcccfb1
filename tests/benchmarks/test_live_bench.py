"""The live tracker's cost per frame at 1280 x 720, compared to decoding the frame.

Not pass or fail: `pytest tests/benchmarks` prints the table. Goals on two cores: 16 ms of CPU per
frame while nothing moves (half a core at 30 frames per second), 66 ms while hands do.
`tests/benchmarks/live_acceptance.py` measures a whole film.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from calibration import load_profile
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.places import Place
from tests.films.film import shoot
from tests.films.script import HandStep, Script, Visit
from vision.live import FileSource, Frame, ModelFrameReader, Tracker

FPS = 30
LYING = NEBULA.pieces_of(Galaxy({"core": "red", "ar1": "blue", "ta1": "yellow", "ge1": "white"}, 3))


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> list[Frame]:
    """Two seconds of a table without any movement."""
    return frames(tmp_path_factory.mktemp("film"), Script((LYING,), (), 2.0))


@pytest.fixture(scope="module")
def with_hands(tmp_path_factory: pytest.TempPathFactory) -> list[Frame]:
    """Four seconds of a table with a hand over it most of the time."""
    steps = (
        HandStep(Place("ta2"), "put", "white"),
        HandStep(Place("ge2"), "put", "red"),
        HandStep(Place("ca1"), "hover", "blue"),
    )
    script = Script((LYING,), (Visit(0.5, steps),), 4.0)
    return frames(tmp_path_factory.mktemp("film"), script)


def frames(folder: Path, script: Script) -> list[Frame]:
    shoot(script, load_profile("standard"), folder / "film.mp4", seed=5, fps=FPS)
    found = [m for m in FileSource(folder / "film.mp4").moments() if isinstance(m, Frame)]
    assert len(found) == round(script.seconds * FPS)
    return found


class Player:
    """Plays the frames to a tracker repeatedly, with a running clock."""

    def __init__(self, frames: list[Frame]) -> None:
        self._frames, self._number = frames, 0
        self.tracker = Tracker(ModelFrameReader(load_profile("standard")))
        for _ in frames:
            self.next()

    def next(self) -> None:
        image = self._frames[self._number % len(self._frames)].image
        self.tracker.see(Frame(self._number / FPS, image))
        self._number += 1


@pytest.mark.benchmark(group="a frame at 1280 x 720")
def test_frame_while_nothing_moves(benchmark: BenchmarkFixture, still: list[Frame]) -> None:
    player = Player(still)
    benchmark.pedantic(player.next, rounds=10 * FPS)
    assert player.tracker.boards


@pytest.mark.benchmark(group="a frame at 1280 x 720")
def test_frame_while_hands_move(benchmark: BenchmarkFixture, with_hands: list[Frame]) -> None:
    player = Player(with_hands)
    benchmark.pedantic(player.next, rounds=2 * len(with_hands))
    assert player.tracker.boards


@pytest.mark.benchmark(group="a frame at 1280 x 720")
def test_baseline_decoding_a_jpeg_of_it(benchmark: BenchmarkFixture, still: list[Frame]) -> None:
    jpeg = cv2.imencode(".jpg", still[0].image)[1]
    assert benchmark(cv2.imdecode, np.asarray(jpeg), cv2.IMREAD_COLOR).shape == (720, 1280, 3)
