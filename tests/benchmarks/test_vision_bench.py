"""The time of reading a 12-megapixel photograph, compared to two baselines in the same run.

The floor is decoding the JPEG alone. The other baseline is a reader without a trained model: the
mean colour of each calibrated space compared to fixed hues, with the board's position given. Run
with ``pytest tests/benchmarks/test_vision_bench.py --benchmark-only``; no time is judged.
"""

import resource
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from calibration import Profile, load_profile
from vision import Reader, load_photo
from vision.rectify import homography, warp

DEMO = Path(str(files("webapp"))) / "demo"
HUES = {"red": 178, "orange": 12, "yellow": 26, "blue": 110, "purple": 140}


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample game's first photograph at 12 megapixels."""
    path = tmp_path_factory.mktemp("bench") / "12-megapixels.jpg"
    picture = load_photo(DEMO / "ana.jpg").image
    turned = picture if picture.shape[1] > picture.shape[0] else np.rot90(picture)
    large = cv2.resize(turned, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.of(load_profile("standard"))


def by_thresholds(image: np.ndarray, corners: np.ndarray, profile: Profile) -> dict[str, str]:
    """Return each space's star by its mean colour, given the board's corners."""
    scale = np.diag([2.0, 2.0, 1.0])
    to_board = scale @ np.linalg.inv(homography(corners, profile.size_mm))
    width, height = (round(2 * side) for side in profile.size_mm)
    hsv = cv2.cvtColor(warp(image, to_board, (width, height)), cv2.COLOR_BGR2HSV)
    stars = {}
    for name, space in profile.spaces.items():
        x, y = (round(2 * v) for v in space.at)
        h, s, v = np.median(hsv[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3), axis=0)
        if s < 60 and v > 150:
            stars[name] = "white"
        elif s > 110 and v > 90:
            stars[name] = min(HUES, key=lambda c: min(abs(h - HUES[c]), 180 - abs(h - HUES[c])))
    return stars


@pytest.mark.benchmark(group="a 12-megapixel photograph")
def test_read(benchmark: BenchmarkFixture, photograph: Path, reader: Reader) -> None:
    reading = benchmark(lambda: reader.read(load_photo(photograph)))
    benchmark.extra_info["timing_ms"] = dict(reading.timing_ms)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    benchmark.extra_info["peak_memory_mb"] = round(peak)
    print(f"\nsteps in ms: {dict(reading.timing_ms)}; peak memory {peak:.0f} MB")
    assert reading.boards[0].pieces


@pytest.mark.benchmark(group="a 12-megapixel photograph")
def test_baseline_colour_thresholds(
    benchmark: BenchmarkFixture, photograph: Path, reader: Reader
) -> None:
    right = reader.read(load_photo(photograph)).boards[0]
    stars = benchmark(
        lambda: by_thresholds(load_photo(photograph).image, right.corners, reader.profile)
    )
    agreed = sum(stars.get(name) == space.piece for name, space in right.spaces.items())
    benchmark.extra_info["spaces_agreed_with_the_reader"] = agreed
    print(f"\nthresholds agree with the reader on {agreed} of {len(right.spaces)} spaces")
    assert len(stars) <= len(right.spaces)


@pytest.mark.benchmark(group="a 12-megapixel photograph")
def test_floor_decoding_alone(benchmark: BenchmarkFixture, photograph: Path) -> None:
    data = np.frombuffer(photograph.read_bytes(), np.uint8)
    image = benchmark(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR))
    assert image.shape == (3000, 4000, 3)
