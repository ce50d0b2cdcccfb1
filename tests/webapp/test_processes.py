"""A process that crashes, freezes, floods or never begins holds up nobody, and outlives nobody."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.webapp.children import (
    LARGE,
    WORDS,
    echo,
    flood,
    say_half,
    say_nothing,
    say_riddle,
    speak_and_end,
)
from tests.webapp.live.conftest import eventually
from webapp.app import processes
from webapp.app.processes import ChildProcess, ProcessEndedError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

LONG = 60.0
Start = Callable[..., ChildProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a process, which is released at the end."""
    started: list[ChildProcess] = []

    def begin(target: Callable[..., None], *arguments: Any) -> ChildProcess:
        started.append(ChildProcess("a child", target, *arguments))
        return started[-1]

    yield begin
    for process in started:
        process.release()


def echoing(start: Start) -> ChildProcess:
    process = start(echo)
    assert process.say("good morning")
    assert process.hear(LONG) == "good morning"
    return process


def freeze(process: ChildProcess) -> None:
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)


@pytest.mark.parametrize("how", [0, 3, -signal.SIGKILL])
def test_its_last_word_is_heard_and_then_how_it_ended(start: Start, how: int) -> None:
    process = start(speak_and_end, how)
    assert process.hear(LONG) == "farewell"
    for _ in range(2):
        with pytest.raises(ProcessEndedError) as ended:
            process.hear(LONG)
        assert ended.value.exitcode == how
    assert not process.is_alive()
    assert process.release() == how


def test_one_that_is_frozen_takes_words_without_anybody_waiting(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "MOST_WORDS", 3)
    process = echoing(start)
    freeze(process)
    taken: list[bool] = []
    saying = threading.Thread(
        target=lambda: taken.extend([process.say(LARGE) for _ in range(20)]), daemon=True
    )
    saying.start()
    saying.join(LONG)
    assert taken, "it hangs"
    assert sum(taken) <= 3 + 2, "more words wait than may"  # and one in hand, one in the pipe
    eventually(lambda: process.is_frozen(LONG, 0.1, busy=False))  # it takes nothing
    assert process.is_alive() and not process.is_frozen(LONG, LONG, busy=True)
    assert process.release() == -signal.SIGKILL
    eventually(lambda: not threads())  # none is left behind


def threads() -> list[str]:
    """Which threads there are of the process that `start` starts."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("a child")]


@pytest.fixture
def wait(start: Start, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds go by at once; no others do."""
    now = [0.0]
    monkeypatch.setattr(processes, "monotonic", lambda: now[0])

    def later(seconds: float) -> None:
        now[0] += seconds

    return later


def test_only_one_that_owes_an_answer_is_taken_for_frozen(
    start: Start, wait: Callable[[float], None]
) -> None:
    process = echoing(start)
    wait(31)
    assert not process.is_frozen(20, 30, busy=False)
    assert process.is_frozen(90, 30, busy=True)
    assert process.ask("are you there?")
    assert not process.is_frozen(20, 30, busy=True)
    wait(31)
    assert process.is_frozen(90, 30, busy=True)
    assert process.hear(LONG) == "are you there?"
    assert not process.is_frozen(20, 30, busy=True)


def test_one_that_never_begins_has_the_time_that_a_start_takes(
    start: Start, wait: Callable[[float], None]
) -> None:
    process = start(say_nothing)
    assert process.say("a word that nobody takes")
    wait(31)
    assert not process.is_frozen(90, 30, busy=True)
    wait(60)
    assert process.is_frozen(90, 30, busy=False)


def test_one_that_freezes_in_the_midst_of_a_word_is_not_waited_for(
    start: Start, tmp_path: Path
) -> None:
    process = start(say_half, tmp_path / "begun")
    eventually((tmp_path / "begun").exists)
    with pytest.raises(TimeoutError):
        process.hear(0.1)
    assert process.release() == -signal.SIGKILL
    eventually(lambda: not threads())  # none is left behind


def test_one_that_floods_waits_until_it_is_heard_and_loses_nothing(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "MOST_WORDS", 3)
    halted = tmp_path / "halted"
    process = start(flood, halted)
    eventually(halted.exists)
    assert int(halted.read_text()) <= 3 + 2  # and one in hand, and one in the pipe
    assert [process.hear(LONG)[0] for _ in range(WORDS)] == list(range(WORDS))


def test_one_that_floods_is_released_all_the_same(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "MOST_WORDS", 3)
    process = start(flood, tmp_path / "halted")
    eventually((tmp_path / "halted").exists)
    assert process.release() == -signal.SIGKILL
    eventually(lambda: not threads())  # none is left behind


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_one_that_nobody_understands_is_done_with(start: Start) -> None:
    process = start(say_riddle)
    with pytest.raises(ProcessEndedError) as ended:
        process.hear(LONG)
    assert ended.value.exitcode is None and process.is_alive()


def test_what_cannot_be_said_is_refused_at_once(start: Start) -> None:
    process = echoing(start)
    with pytest.raises(AttributeError, match="pickle"):
        process.say(lambda: None)
    assert process.say("well then") and process.hear(LONG) == "well then"


def test_ctrl_c_is_its_parents_to_answer(start: Start) -> None:
    process = echoing(start)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGINT)
    assert process.say("still here") and process.hear(LONG) == "still here"


PARENT = """
    import sys, time
    from pathlib import Path
    from tests.webapp.children import wait_and_mark
    from webapp.app.processes import ChildProcess
    if __name__ == "__main__":
        process = ChildProcess("a child", wait_and_mark, Path(sys.argv[1]))
        process.hear(60)
        print(process.pid, flush=True)
        time.sleep(600)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_it_does_not_outlive_its_parent(tmp_path: Path, by: signal.Signals) -> None:
    program, mark = tmp_path / "parent.py", tmp_path / "mark"
    program.write_text(textwrap.dedent(PARENT))
    parent = subprocess.Popen(
        [sys.executable, program, mark],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    child = psutil.Process(int(parent.stdout.readline()))
    parent.send_signal(by)
    parent.communicate()
    child.wait(timeout=LONG)
    assert mark.exists()
