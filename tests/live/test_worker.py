"""The worker: watching in a process of its own, killed and started again, with the real reader."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import load_profile
from models.synthesis.film import Film, shoot
from models.synthesis.script import Lying, Script, Step, Visit
from vision.live import Task, Worker

LYING = Lying({"core": "red", "ar1": "blue"}, 1)


@pytest.fixture(scope="module")
def pictures() -> list[bytes]:
    """A film's first frames as a browser sends them."""
    film = Film(Script((LYING,), (), 1.0), load_profile("standard"), 11, fps=10)
    return [cv2.imencode(".jpg", frame)[1].tobytes() for frame in film.frames()]


def feed(worker: Worker, pictures: list[bytes], until: str, seconds: float = 60) -> list[Any]:
    """Push frames as a browser does until an event of a kind has come."""
    told: list[Any] = []
    begun, number = monotonic(), 0
    while not any(event["kind"] == until for event in told):
        assert monotonic() - begun < seconds, f"no {until} in {told}"
        worker.push(pictures[number % len(pictures)])
        number += 1
        told += worker.events(wait=0.05)
    return told


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker(Task("standard")) as started:
        yield started


def test_a_killed_worker_is_back_and_tells_nothing_twice(worker: Worker, pictures: list[bytes]):
    worker.push(b"not a picture")  # one broken frame ends nothing
    first = feed(worker, pictures, until="board_found")
    known = {"core", "ar1"}
    while known - {event.get("space") for event in first}:
        first += feed(worker, pictures, until="placed")
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    after = feed(worker, pictures, until="board_found")
    assert [event["kind"] for event in after if event["kind"] != "black"] == [
        "source_lost",
        "source_back",
        "board_found",
    ]
    times = [event["t"] for event in first + after]
    assert times == sorted(times)
    worker.correct(0, "core", "orange")
    for _ in range(100):
        if worker.state["boards"][0]["lying"]["core"] == "orange":  # type: ignore[index]
            break
        worker.push(pictures[0])
        sleep(0.1)
    assert worker.state["boards"][0]["lying"]["core"] == "orange"  # type: ignore[index]


def test_a_recording_is_watched_to_its_end(tmp_path: Path):
    script = Script((LYING,), (Visit(1.5, (Step("ta1", "put", "white"),)),), 4.5)
    truth = shoot(script, load_profile("standard"), tmp_path / "game.mp4", seed=12)
    with Worker(Task("standard", str(tmp_path / "game.mp4"))) as worker:
        told: list[Any] = []
        while worker.running:
            told += worker.events(wait=0.2)
        told += worker.events()
    assert worker.error is None
    assert {e["kind"] for e in truth["events"]} <= {e["kind"] for e in told}
    assert worker.state is not None
    assert set(worker.state["boards"][0]["lying"]) == {"core", "ar1", "ta1", "track 0"}


def test_a_source_that_is_none_is_told(tmp_path: Path):
    with Worker(Task("standard", str(tmp_path / "gone.mp4"))) as worker:
        while worker.running:
            sleep(0.05)
    assert worker.error is not None
    assert "is not there" in worker.error


def test_frames_of_a_table_without_boards_tell_nothing(worker: Worker):
    table = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()
    begun = monotonic()
    while monotonic() - begun < 4:
        worker.push(table)
        sleep(0.05)
    assert worker.events() == []
