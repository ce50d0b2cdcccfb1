"""Archives small files again and again, and is killed at any moment, until all are there.

    python killed_archive.py FOLDER

prints how often it was killed. Each attempt is a process of its own, forked before anything runs.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np

from vision import Reading
from vision.reading import BoardReading
from webapp.app.archive import reading
from webapp.app.archive.reading import Archive
from webapp.app.reading.executors import Answer
from webapp.app.reading.read_version import read_version

PHOTOGRAPHS = 60
MOST_ATTEMPTS = 200


class Instant(Executor):
    """Reads at once, without a look."""

    at_once = 2

    def submit(
        self, fn: Callable[..., Answer], /, *arguments: Any, **named: Any
    ) -> "Future[Answer]":
        path = arguments[0]
        future: Future[Any] = Future()
        board = BoardReading(
            "standard", "nebula", np.zeros((4, 2)), {}, {}, (), (), to_photo=np.eye(3)
        )
        future.set_result(Reading(path.name, (1, 1), (board,), {"total": 0.0}))
        return future


def attempt(paths: list[Path], out: Path, killed_after: float) -> bool:
    """Archive in a process that is killed after so many seconds; say whether it came to its end."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_REAL, killed_after)  # SIGALRM ends it wherever it is
        Archive(out, Instant(), ["standard"]).read(paths)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main(folder: Path) -> None:
    photographs = folder / "photographs"
    photographs.mkdir()
    paths = [photographs / f"{number}.jpg" for number in range(PHOTOGRAPHS)]
    for path in paths:
        path.write_text(path.name)
    reading.ROWS = 1
    read_version(["standard"])  # known to all that are forked
    begun = time.monotonic()
    assert attempt(paths, folder / "measured", 0)  # 0: never
    whole = time.monotonic() - begun
    chance, kills = random.Random(30), 0
    while not kills:  # all took less time than that one
        out, whole = folder / "out", 0.7 * whole
        shutil.rmtree(out, ignore_errors=True)
        # Later and later, in case all take more time.
        while not attempt(paths, out, whole * chance.uniform(0.1, 1) * 1.05**kills):
            kills += 1
            assert kills < MOST_ATTEMPTS, "it never comes to its end"
    print(kills)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
