"""Accuracy on labelled photographs of another printed edition must not fall.

What is wanted is 99.5 % of spaces, 85 % of boards without a mistake and 95 % of black counts. The
shipped weights reach 99.6, 96 and 100 %; the three spaces missed are in one photograph, of glossy
stars that mirror a window, where a few are nearly a tie.
"""

from pathlib import Path

import cv2
import pytest

from calibration import calibrate, load_profile
from tests.conftest import in_ci
from vision.evaluation import Evaluation, evaluate


@pytest.fixture(scope="module")
def aurora(labelled_photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = labelled_photographs / "aurora"
    corners = [
        [float(v) for v in pair.split(",")]
        for pair in (folder / "empty.corners").read_text().split()
    ]
    out = tmp_path_factory.mktemp("profiles")
    empty = cv2.imread(str(folder / "empty.jpg"))
    profile = calibrate(empty, corners, folder / "layout.yaml", "aurora", out)
    return evaluate(folder / "labelled", load_profile(profile))


@in_ci
def test_no_board_in_the_picture_is_missed(aurora: Evaluation) -> None:
    assert aurora.to_data()["boards_missed_inside"] == 0, aurora.table()


@in_ci
def test_spaces_boards_and_black_stars_are_right(aurora: Evaluation) -> None:
    data = aurora.to_data()
    assert data["spaces_right"] >= 0.99, data["mistakes"]
    assert data["boards_flawless"] >= 0.9, data["mistakes"]
    assert data["black_right"] >= 0.95, data["black_mistakes"]
