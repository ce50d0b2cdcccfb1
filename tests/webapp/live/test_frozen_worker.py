"""A worker that is frozen holds up nobody: neither other games, nor its own, nor the server's end.

A frozen process takes nothing from its pipe, so whoever hands it a frame that is larger than the
pipe waits for as long as it is frozen.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psutil
import pytest

from tests.conftest import in_ci
from tests.webapp.live.conftest import Table, eventually, push, push_until_taken, state, worker
from tests.webapp.live.fake_frame_worker import frame
from webapp.app import processes
from webapp.app.live import camera_worker, supervisor
from webapp.app.live.worker import Correction

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are frozen as POSIX has it")

CORE = {0: {"core": "red"}}
MORE = {0: {"core": "red", "ar1": "blue"}}
LARGE = "x" * 280_000
"""As much as a camera's frame of 1280 × 960 has; a pipe holds some 200 KB."""
T = TypeVar("T")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give no worker up for its silence: what waits for a frozen one waits for ever."""
    monkeypatch.setattr(camera_worker, "HUNG_AFTER", 600.0)
    monkeypatch.setattr(camera_worker, "STARTED_WITHIN", 600.0)


@contextmanager
def impatiently() -> Iterator[None]:
    """Give silent workers up soon: not for long, as a sound one may be slow on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(camera_worker, "HUNG_AFTER", 1.0)
        patch.setattr(camera_worker, "STARTED_WITHIN", 1.0)
        yield


def says_nothing(*_: Any) -> None:
    """A worker that does not come to its beginning."""
    time.sleep(600)


@pytest.fixture
def frozen() -> Iterator[Callable[[int], None]]:
    """Freeze a process until the test is over."""
    pids = []

    def freeze(pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        pids.append(pid)

    yield freeze
    for pid in pids:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)


def at_last(do: Callable[[], T], seconds: float = 60.0) -> T:
    """What a call returns; a failure where it hangs."""
    returned: list[T] = []
    thread = threading.Thread(target=lambda: returned.append(do()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert returned, "it hangs"
    return returned[0]


def keep_pushing(table: Table, data: bytes) -> Callable[[], None]:
    """Send frames, as a phone does, until what is returned is called: none comes after that."""
    enough = threading.Event()

    def send() -> None:
        while not enough.is_set():
            if push(table, data)[0] != 202:
                enough.wait(0.5)

    def stop() -> None:
        enough.set()
        sender.join(60)
        assert not sender.is_alive(), "it hangs"

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    return stop


def test_a_frozen_worker_with_large_frames_holds_up_nobody_and_is_replaced(
    table: Table, frozen: Callable[[int], None]
) -> None:
    other = Table(table.app)
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0] and state(table) == "watching")
    first = worker(table)
    assert first is not None
    frozen(first)
    stop = keep_pushing(table, frame(CORE, padding=LARGE))
    time.sleep(1.0)  # the frame is on its way into the pipe
    try:
        assert at_last(lambda: table.tap("star", seat=0, space="ar2", star="white")) == 204
        assert at_last(lambda: other.tap("star", seat=0, space="core", star="blue")) == 204
        assert "1 star," in at_last(other.page)
        assert "2 stars" in at_last(table.page)
        assert at_last(lambda: table.player.get(f"{table.game}/live/cameras").status_code) == 200
        with impatiently():
            eventually(lambda: worker(table) not in (None, first))
        eventually(lambda: state(table) == "watching")
    finally:
        stop()
    push_until_taken(table, frame(MORE))
    eventually(lambda: table.stars() == {**MORE[0], "ar2": "white"})
    # the successor has heard of the star that was laid by hand: it is not told as gone
    assert table.seen_events() == ["placed red core", "placed blue ar1"]


@in_ci
def test_a_frozen_workers_picture_and_end_are_not_waited_for(
    table: Table, frozen: Callable[[int], None]
) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: state(table) == "watching")
    first = worker(table)
    assert first is not None
    frozen(first)
    stop_pushing = keep_pushing(table, frame(CORE, padding=LARGE))
    time.sleep(1.0)
    stop_pushing()
    (status,) = table.service.workers.of(table.id)
    name = status.camera.name
    shown = at_last(
        lambda: table.player.get(f"{table.game}/live/cameras/picture?name={name}").status_code
    )
    assert shown == 404
    stop = f"{table.game}/live/sources/stop"
    assert at_last(lambda: table.player.post(stop, {"name": name}).status_code) == 303
    eventually(lambda: not psutil.pid_exists(first))


@in_ci
def test_a_worker_frozen_while_it_starts_is_replaced(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = supervisor.run
    monkeypatch.setattr(supervisor, "run", says_nothing)
    push(table, frame(CORE))
    first = eventually(lambda: worker(table))
    assert state(table) == "starting"
    monkeypatch.setattr(supervisor, "run", sound)
    with impatiently():
        eventually(lambda: worker(table) not in (None, first))
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0])


def test_a_worker_that_takes_no_word_is_replaced_before_too_many_wait(
    table: Table, frozen: Callable[[int], None]
) -> None:
    """Nobody sends it frames: nothing but the words that it does not take tells of its state."""
    push_until_taken(table, frame(CORE))
    eventually(lambda: state(table) == "watching")
    first = worker(table)
    assert first is not None
    frozen(first)
    (status,) = table.service.workers.of(table.id)
    reported = Correction(0, {"ar1": "blue"} | dict.fromkeys(map(str, range(1000))))
    for _ in range(2 * processes.MOST_WORDS):
        at_last(lambda: table.service.workers.send(table.id, status.camera.name, reported))
    eventually(lambda: worker(table) not in (None, first))
