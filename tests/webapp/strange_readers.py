"""Readers for the reading process that do what stands in the photograph."""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from scorer.table import RolesByGame
from webapp.app.reading.read_photograph import ReadFile, ReadPhotograph, UnusablePhotographError


def strange_reader() -> ReadFile:
    """Make a reader that can be told to die."""
    return _read


def reader_that_dies_at_start() -> ReadFile:
    """Die before anything is read; leave a mark for each time."""
    _mark(Path(os.environ["STRANGE_READERS"]))
    os._exit(3)


def _read(
    path: Path, name: str, profiles: Sequence[str], expected: int, piece_roles: RolesByGame
) -> ReadPhotograph:
    what = path.read_text()
    _mark(path.with_suffix(".begun"))
    if what == "hang":
        _spin()
    elif what == "slow":
        time.sleep(2.5)  # as on a computer that is busy with other things
    elif what == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif what == "die" or (what == "die once" and begun(path) == 1):
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "memory":
        raise MemoryError
    elif what == "none":
        raise UnusablePhotographError("no_board", f"{name}: no board", b"a picture")
    size = 8_000_000 if what == "large" else 100
    return ReadPhotograph({"process": os.getpid(), "photo": name}, bytes(size), (bytes(10),))


def _spin() -> None:
    """Hang as a decoder does: without a look at signals."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        pass


def _mark(path: Path) -> None:
    with path.open("a") as file:
        file.write("begun\n")


def begun(path: Path) -> int:
    """How often a photograph's reading was begun."""
    return path.with_suffix(".begun").read_text().count("begun")
