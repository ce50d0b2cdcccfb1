"""Whatever a photograph does to the process that reads it, the server lives and reads the next."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from calibration import ProfileError
from tests.webapp.strange_readers import begun, reader_that_dies_at_start, strange_reader
from webapp.app.processes import ChildProcess
from webapp.app.reading.read_photograph import (
    ReaderClosedError,
    UnusablePhotographError,
    mark_in_hand,
)
from webapp.app.reading.reading_process import TRIES, ReadingProcess

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

Write = Callable[[str], Path]


@pytest.fixture
def read() -> Iterator[ReadingProcess]:
    process = ReadingProcess(strange_reader, reads_within=1)
    yield process
    process.close()


@pytest.fixture
def photograph(tmp_path: Path) -> Write:
    def write(what: str) -> Path:
        path = tmp_path / f"{what}.photo"
        path.write_text(what)
        return path

    return write


def problem(read: ReadingProcess, path: Path) -> str:
    with pytest.raises(UnusablePhotographError) as caught:
        read(path, "ana.jpg", "standard")
    assert "ana.jpg" in str(caught.value) and "\n" not in str(caught.value)
    return caught.value.problem


def test_one_process_reads_them_all(read: ReadingProcess, photograph: Write) -> None:
    found = [read(photograph(what), "ana.jpg", "standard") for what in ("good", "large", "good")]
    assert len({one.reading["process"] for one in found} | {os.getpid()}) == 2
    assert [len(one.preview) for one in found] == [100, 8_000_000, 100]


def test_other_work_is_done_there_and_its_refusals_come_back(read: ReadingProcess) -> None:
    assert read.run(os.getpid) != os.getpid()
    with pytest.raises(ProfileError, match="must hold") as caught:
        read.run(refuse, "layout.yaml")
    assert caught.value.problems == (("layout.yaml", "must hold a board"),)
    with pytest.raises(UnusablePhotographError):
        read.run(time.sleep, "no number")


def refuse(key: str) -> None:
    raise ProfileError("file", [(key, "must hold a board")])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep what was freed")
def test_what_a_job_freed_is_given_back(read: ReadingProcess) -> None:
    before = read.run(resident)
    assert read.run(hold_the_last_of_many) > before + 80_000_000
    assert read.run(resident) < before + 30_000_000


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


_held: list[bytes] = []


def hold_the_last_of_many() -> int:
    many = [bytes(2000) for _ in range(50_000)]
    _held.append(many[-1])
    return resident()


def test_what_cannot_be_read_is_shown(read: ReadingProcess, photograph: Write) -> None:
    with pytest.raises(UnusablePhotographError) as unusable:
        read(photograph("none"), "ana.jpg", "standard")
    assert unusable.value.preview == b"a picture"


def test_what_cannot_be_read_is_reported(read: ReadingProcess, photograph: Write) -> None:
    assert problem(read, photograph("none")) == "no_board"
    assert problem(read, photograph("memory")) == "failed"
    assert begun(photograph("none")) == begun(photograph("memory")) == 1


@pytest.mark.parametrize(("what", "reads_within"), [("hang", 1), ("stop", 600)])
def test_one_that_takes_too_long_is_stopped_and_not_tried_again(
    photograph: Write, what: str, reads_within: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = ReadingProcess(strange_reader, reads_within, longest=600)
    hear = ChildProcess.hear

    def hear_until_it_is_stopped(process: ChildProcess, seconds: float) -> Any:
        while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:
            time.sleep(0.01)
        return hear(process, 0.1)

    try:
        before = read.run(os.getpid)
        with monkeypatch.context() as patch:
            if what == "stop":
                patch.setattr(ChildProcess, "hear", hear_until_it_is_stopped)
            assert problem(read, photograph(what)) == "too_slow"
        assert begun(photograph(what)) == 1
        assert not psutil.pid_exists(before)
        assert read.run(os.getpid) != before
    finally:
        read.close()


def test_on_a_busy_computer_one_may_take_its_time(read: ReadingProcess, photograph: Write) -> None:
    assert read(photograph("slow"), "ana.jpg", "standard").reading["photo"] == "ana.jpg"
    assert read(photograph("good"), "ana.jpg", "standard").reading["photo"] == "ana.jpg"


def test_one_that_ends_the_process_is_tried_twice(read: ReadingProcess, photograph: Write) -> None:
    assert problem(read, photograph("die")) == "failed"
    assert begun(photograph("die")) == TRIES == 2
    assert read(photograph("die once"), "ana.jpg", "standard").reading["photo"] == "ana.jpg"
    assert begun(photograph("die once")) == 2
    in_hand = {what: mark_in_hand(photograph(what)).exists() for what in ("die", "die once")}
    assert in_hand == {"die": True, "die once": False}


def test_a_process_that_died_between_photographs_is_replaced(
    read: ReadingProcess, photograph: Write
) -> None:
    before = read(photograph("good"), "ana.jpg", "standard").reading["process"]
    os.kill(before, signal.SIGKILL)
    assert read(photograph("good"), "ana.jpg", "standard").reading["process"] != before
    assert begun(photograph("good")) == 2


def test_a_process_that_does_not_start_is_not_started_for_ever(
    photograph: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRANGE_READERS", str(tmp_path / "starts"))
    read = ReadingProcess(reader_that_dies_at_start)
    assert problem(read, photograph("good")) == "failed"
    assert (tmp_path / "starts").read_text().count("begun") == TRIES


def test_a_server_that_stops_does_not_wait_for_a_photograph(
    read: ReadingProcess, photograph: Write
) -> None:
    path, reported = photograph("hang"), []

    def ask() -> None:
        try:
            read(path, "ana.jpg", "standard")
        except ReaderClosedError:
            reported.append("closed")

    asking = threading.Thread(target=ask)
    asking.start()
    while not path.with_suffix(".begun").exists():
        time.sleep(0.01)
    read.close()
    asking.join(60)
    assert reported == ["closed"]
    with pytest.raises(ReaderClosedError):
        read(photograph("good"), "ana.jpg", "standard")


SERVER = """
    import sys
    from pathlib import Path
    from tests.webapp.strange_readers import strange_reader
    from webapp.app.reading.reading_process import ReadingProcess
    if __name__ == "__main__":
        read = ReadingProcess(strange_reader, reads_within=600, longest=600)
        print(read(Path(sys.argv[1]), "a.jpg", "standard").reading["process"], flush=True)
        sys.stdin.readline()
        print("hangs", flush=True)
        read(Path(sys.argv[2]), "a.jpg", "standard")
"""


@pytest.mark.parametrize("hangs", [False, True])
def test_no_process_outlives_a_server_that_was_killed(
    photograph: Write, tmp_path: Path, hangs: bool
) -> None:
    program = tmp_path / "server.py"
    program.write_text(textwrap.dedent(SERVER))
    hanging = photograph("hang")  # written once: it may be read at any time from now on
    server = subprocess.Popen(
        [sys.executable, program, photograph("good"), hanging],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert server.stdin is not None and server.stdout is not None
    process = psutil.Process(int(server.stdout.readline()))
    if hangs:
        server.stdin.write("\n")
        server.stdin.flush()
        while not hanging.with_suffix(".begun").exists():
            time.sleep(0.01)
        assert mark_in_hand(hanging).exists()
    server.kill()
    server.communicate()
    process.wait(timeout=60)  # far less than it might read for
    assert not mark_in_hand(hanging).exists(), "it was not the photograph's fault"
