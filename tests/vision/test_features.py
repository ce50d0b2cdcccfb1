"""Features of a picture are kept for whoever searches the same one next."""

import time
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision import features
from vision.features import detect, extract, with_detail
from vision.parallel import parallel_map


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many features each search found, with two pictures kept, none of them of other tests."""
    found: list[int] = []
    root_sift = features.root_sift

    def counted(descriptors: np.ndarray) -> np.ndarray:
        found.append(len(descriptors))
        return root_sift(descriptors)

    monkeypatch.setattr(features, "root_sift", counted)
    monkeypatch.setattr(features, "MOST_KEPT", 2)
    monkeypatch.setattr(features, "_kept", {})
    return found


def picture(seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).integers(0, 256, (120, 160, 3), np.uint8)
    return cv2.GaussianBlur(noise, (0, 0), 2)


def test_features_of_a_picture_are_extracted_once(searches: list[int]) -> None:
    one = extract(picture(1), 50)
    again = extract(picture(1), 50)
    assert len(searches) == 1 and searches[0] >= 20
    assert np.array_equal(one.at, again.at)
    assert np.array_equal(one.descriptors, again.descriptors)


def test_features_of_another_picture_or_number_are_extracted_anew(searches: list[int]) -> None:
    seen = picture(1)
    few = extract(seen, 10)
    more = extract(seen, 50)
    reshaped = extract(seen.reshape(60, 320, 3), 50)
    seen[:60] = 0
    other = extract(seen, 50)
    assert len(searches) == 4 and len(few) < len(more)
    for found in (reshaped, other):
        assert not np.array_equal(found.at, more.at)


def test_the_least_recently_used_picture_is_dropped(searches: list[int]) -> None:
    for seed in (1, 2, 1, 3, 1, 2):
        extract(picture(seed), 50)
    assert len(searches) == 4, "1, 2, 3 and 2 once more, which was the oldest"


def test_cached_features_are_read_only(searches: list[int]) -> None:
    found = extract(picture(1), 50)
    for part in (found.at, found.sizes, found.angles, found.descriptors):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 0


def test_a_large_picture_is_searched_in_parts_with_the_same_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (500, 900), np.uint8)
    grey = cv2.GaussianBlur(noise, (0, 0), 2)
    whole = detect(grey, 400, 0.02, 20)
    monkeypatch.setattr(features, "_AT_ONCE", 1000)
    monkeypatch.setattr(features, "_TILE", 256)
    parts = detect(grey, 400, 0.02, 20)
    assert len(parts) == len(whole) == 400
    apart = np.linalg.norm(whole.at[:, None] - parts.at[None], axis=2)
    same = (apart < 0.1) & (whole.descriptors @ parts.descriptors.T > 0.99)
    assert same.any(axis=1).mean() > 0.95
    where = np.zeros_like(grey)
    where[300:400, 600:] = 255
    at = detect(grey, 400, 0.02, 20, where).at
    assert len(at) and (at >= (599.5, 299.5)).all() and (at[:, 1] < 400).all()


def test_parts_of_two_large_pictures_are_searched_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(features, "_AT_ONCE", 1000)
    sift, running, at_once = cv2.SIFT.create(), list[int](), list[int]()

    def search(*given: Any) -> Any:
        running.append(1)
        at_once.append(len(running))
        time.sleep(0.01)
        running.pop()
        return sift.detectAndCompute(*given)

    watched = SimpleNamespace(detectAndCompute=search)
    monkeypatch.setattr(features.cv2.SIFT, "create", lambda **_options: watched)
    found = parallel_map(
        lambda seed: detect(features.even_contrast(picture(seed)), 50, 0.02, 20), range(4)
    )
    assert all(map(len, found)) and {*at_once} == {1}


def test_detail_is_found_on_print_outside_the_areas_already_searched() -> None:
    """Not on grained wood, nor at the edges of what is known."""
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(90, 60, (800, 1)), (0, 0), 2)
    table = np.repeat(np.clip(grain, 0, 255).astype(np.uint8), 1200, axis=1)
    for left in (100, 700):
        table[200:600, left : left + 300] = (
            rng.integers(0, 255, (40, 30)).repeat(10, 0).repeat(10, 1)
        )
    known = np.array([[100, 200], [400, 200], [400, 600], [100, 600]])
    found = with_detail(table, [known]) > 0
    assert found[220:580, 720:980].all()
    assert not found[:, :640].any() and not found[:150].any()
    assert not with_detail(table, [known, known + np.array([600, 0])]).any()
