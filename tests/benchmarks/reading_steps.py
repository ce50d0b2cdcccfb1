"""The cost of each step of reading a large photograph, relative to decoding it.

`python -m tests.benchmarks.reading_steps [PHOTO] [--runs 9] [--cards]`

Prints processor time on one core: the median of the runs. Each run takes every step once, so that
other load slows all of them alike. The default PHOTO is the sample game's first one, enlarged to 12
megapixels. `whole` is one call for all steps. With `--cards`, instead, what cards add to a
photograph without any: reading it before and after the printed deck is known, then looking for
cards beside its board, as is done for photographs of the whole table alone; with the memory held.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported

import argparse
import gc
import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np

from calibration import load_profile
from vision import Reader, load_photo, network
from vision.reader import Clock, Library
from webapp.app.reading.card_jobs import prepare_cards, read_table

SIZE = (4000, 3000)


def sample() -> bytes:
    """Return the sample game's first photograph, enlarged to 12 megapixels, as a JPEG."""
    photo = load_photo(Path(str(files("webapp") / "demo" / "ana.jpg")))
    large = cv2.resize(photo.image, SIZE, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def spent(step: Callable[[], Any]) -> float:
    """Return the ms that a step takes."""
    begun = process_time()
    step()
    return 1000 * (process_time() - begun)


def held() -> float:
    """Return the MB of memory that this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def what_cards_add(data: bytes, runs: int) -> None:
    """Print a line for each way of reading, and for the deck."""
    library = Library([Reader.of(load_profile("standard"))])
    boards = [board.corners for board in library.read(load_photo(data)).boards]
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(data)
        file.flush()
        steps: dict[str, tuple[int, Callable[[], Any]]] = {
            "read": (runs, lambda: library.read(load_photo(data))),
            "the deck, once": (1, lambda: prepare_cards("standard")),
            "read, the deck known": (runs, lambda: library.read(load_photo(data))),
            "look beside its board": (
                runs,
                lambda: read_table(Path(file.name), "standard", boards),
            ),
        }
        for name, (times, step) in steps.items():
            ms = [spent(step) for _ in range(times)]
            print(f"{name:24} {np.median(ms):6.0f} ms, {held():4.0f} MB held", flush=True)


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--cards", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    network.THREADS = 1
    data = given.photo.read_bytes() if given.photo else sample()
    if given.cards:
        what_cards_add(data, given.runs)
        return
    reader = Reader.of(load_profile("standard"))
    library = Library([reader])
    photo, finds = library._find(load_photo(data), 1, Clock(0))
    (find,) = finds
    to_image = find.to_image
    assert to_image is not None
    evidence = reader.look(photo, to_image, Clock(0), find.board)
    encoded = np.frombuffer(data, np.uint8)
    steps: dict[str, Callable[[], Any]] = {
        "decode all (the measure)": lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR),
        "load": lambda: load_photo(data),
        "propose": lambda: library.recogniser._proposals(photo.image),
        "propose, lay and recognise": lambda: library.recogniser.at_a_glance(photo.image),
        "look at its places": lambda: reader.look(photo, to_image, Clock(0), find.board),
        "tell by the rules": lambda: reader.classify(photo, evidence, None),
        "whole": lambda: library.read(load_photo(data)),
    }
    runs = [[spent(step) for step in steps.values()] for _ in range(given.runs)]
    medians = np.median(runs, axis=0)
    for name, ms in zip(steps, medians, strict=True):
        print(f"{name:28} {ms:6.0f} ms {ms / medians[0]:6.2f}")


if __name__ == "__main__":
    main()
