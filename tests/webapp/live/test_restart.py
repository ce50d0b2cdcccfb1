"""A server starts again with one of two boards in view; the shipped models watch."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.conftest import in_ci
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table, eventually, push, state, worker
from tests.webapp.live.test_frame_worker_contract import LYING, OTHER, Stage, as_picture, still
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.settings import Settings
from webapp.web.application import create_app


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def start(data: Path) -> Flask:
    return create_app(Settings(data_dir=data, rate_limits=False), reads_nothing)


def stop(app: Flask) -> None:
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()


def send(
    table: Table, frames: Iterator[tuple[float, bytes]], until: Callable[[], bool] = lambda: False
) -> list[dict[str, Any]]:
    """Let a phone send frames, each when there is room, `until` something holds; the answers.

    A phone goes on for as long as it takes to see what lies there, which is longer on a busy
    machine: frames that arrive late are further apart.
    """
    answers = []
    for _, jpeg in frames:
        if until():
            break
        taken = False
        while not taken:
            code, answer = push(table, jpeg)
            answers.append(answer)
            taken = code == 202
    return answers


@in_ci
def test_a_server_starts_again_with_one_of_two_known_boards_in_view(data: Path) -> None:
    stage, both = Stage(VisionFrameWorker, as_picture), still(3.0, LYING, OTHER)
    app = start(data)
    before = Table(app)
    lying = (dict(LYING.stars), dict(OTHER.stars))

    def is_seen() -> bool:
        return (before.stars(0), before.stars(1)) == lying

    send(before, stage.frames(still(60.0, LYING, OTHER)), until=is_seen)
    eventually(is_seen)
    reported = before.seen_events()
    stop(app)

    app = start(data)
    try:
        table = Table(app, before.game)
        frames = stage.frames(both, without=[1])
        send(table, (next(frames) for _ in range(5)))
        first = worker(table)
        assert table.tap("star", seat=1, space="ar1", star="white") == 204  # the absent one's
        assert table.tap("star", seat=0, space="ge1", star="white") == 204
        answers = send(table, frames)
        eventually(lambda: state(table) == "watching")
        assert worker(table) == first, "the worker died"
        assert [board["sure"] for board in answers[-1]["boards"]] == [True, False]
        assert table.seen_events() == reported, "lost or doubled"
        assert table.stars(0) == {**LYING.stars, "ge1": "white"}
        assert table.stars(1) == {**OTHER.stars, "ar1": "white"}
    finally:
        stop(app)
