"""Pictures in tests: compared with a tolerance, and written out where they differ."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile

Same = Callable[[np.ndarray, np.ndarray, float], None]


@pytest.fixture(scope="session")
def standard() -> Profile:
    return load_profile("standard")


@pytest.fixture
def same_picture(tmp_path: Path) -> Same:
    """Assert that two pictures differ by no more than some grey levels on average."""

    def check(seen: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
        assert seen.shape == expected.shape
        difference = cv2.absdiff(seen, expected)
        if difference.mean() > tolerance:
            path = tmp_path / "seen-expected-difference.png"
            shown = [seen, expected, np.clip(difference.astype(int) * 4, 0, 255).astype(np.uint8)]
            cv2.imwrite(str(path), np.hstack(shown))
            pytest.fail(f"differs by {difference.mean():.2f} of {tolerance} levels; see {path}")

    return check
