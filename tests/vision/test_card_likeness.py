"""How alike two rectified pictures are."""

import cv2
import numpy as np
import pytest

from vision.card_likeness import alike_in_detail, explained

SIDE = 64


def discs(seed: int, many: int = 9) -> np.ndarray:
    """Small discs of many colours on white."""
    rng = np.random.default_rng(seed)
    drawn = np.full((SIDE, SIDE, 3), 235, np.uint8)
    for _ in range(many):
        x, y = rng.integers(8, SIDE - 8, 2).tolist()
        cv2.circle(drawn, (x, y), 5, rng.integers(20, 200, 3).tolist(), -1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("seed", range(4))
def test_pale_pictures_of_few_details_are_alike_only_in_the_same_ones(seed: int) -> None:
    known, other = discs(seed, many=3), discs(100 + seed, many=3)
    seen = cv2.GaussianBlur(known, (0, 0), 1.0) * np.array([0.5, 0.6, 0.7]) + 40
    assert explained(other, known) > 0.7, "most of both is white"
    assert alike_in_detail(other, known) < 0.5
    assert alike_in_detail(seen.astype(np.uint8), known) > 0.8


def test_what_is_too_bright_to_be_recorded_hides_no_card() -> None:
    known = discs(5)
    light = known.astype(float) * np.array([1.3, 1.6, 1.9]) + 30
    seen = np.clip(light, 0, 255).astype(np.uint8)
    assert (seen == 255).mean() > 0.5
    assert explained(seen, known) > 0.98
