"""What processes do in the tests of how they are supervised."""

import os
import signal
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from webapp.app.processes import when_orphaned

LARGE = bytes(300_000)
"""More than a pipe holds."""
WORDS = 300
"""Of a flood."""


def echo(pipe: Connection) -> None:
    while True:
        pipe.send(pipe.recv())


def speak_and_end(pipe: Connection, how: int) -> None:
    """Say a last word, and end of its own accord, of an exit, or of a signal."""
    pipe.send("farewell")
    if how > 0:
        os._exit(how)
    if how < 0:
        os.kill(os.getpid(), -how)


def say_nothing(_: Connection) -> None:
    """Do not come to a beginning."""
    time.sleep(600)


def say_half(pipe: Connection, begun: Path) -> None:
    """Freeze in the midst of a word."""
    os.write(pipe.fileno(), (1000).to_bytes(4, "big") + b"half")
    begun.touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def flood(pipe: Connection, halted: Path) -> None:
    """Say much; write down how much was said when nothing more was taken."""
    said = 0

    def watch() -> None:
        before = -1
        while before != said or not said:
            before = said
            time.sleep(0.5)
        halted.with_suffix(".tmp").write_text(str(said))
        halted.with_suffix(".tmp").rename(halted)

    threading.Thread(target=watch, daemon=True).start()
    for number in range(WORDS):
        pipe.send((number, LARGE))
        said = number + 1
    time.sleep(600)


class Riddle:
    """A word that cannot be understood where it is heard."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Be made there by what fails."""
        return (int, ("no number",))


def say_riddle(pipe: Connection) -> None:
    """Say what nobody understands, and stay."""
    pipe.send(Riddle())
    time.sleep(600)


def wait_and_mark(pipe: Connection, mark: Path) -> None:
    """Work for ever; leave a mark when nobody is left to hear of it."""
    when_orphaned(mark.touch)
    pipe.send("begun")
    time.sleep(600)
