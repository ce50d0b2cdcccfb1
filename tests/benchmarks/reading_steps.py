"""The cost of each step of reading a large photograph, relative to decoding it.

`python -m tests.benchmarks.reading_steps [PHOTO] [--runs 9]`

Prints processor time on one core: the median of the runs. Each run takes every step once, so that
other load slows all of them alike. The default PHOTO is the sample game's first one, enlarged to 12
megapixels. `whole` is one call for all steps.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported

import argparse
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


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    network.THREADS = 1
    data = given.photo.read_bytes() if given.photo else sample()
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
