import json
from pathlib import Path

import pytest

from calibration import load_profile
from scorer.datafile import DataFileError
from vision.evaluation import (
    Evaluation,
    Judged,
    Mistake,
    NothingToEvaluateError,
    labelled_photographs,
    load_labels,
)


def board(photo: str, wrong: int = 0, black: int = 3, failure: str | None = None) -> Judged:
    mistakes = tuple(Mistake(photo, f"ar{i + 1}", "red", None, 0.8) for i in range(wrong))
    sure = tuple((0.99, True) for _ in range(25 - wrong)) + ((0.8, False),) * wrong
    read = {} if failure else {"black": black}
    message = () if failure else sure
    return Judged(photo, True, failure, 25, mistakes, {"black": 3}, read, 0.01, message, 200.0)


def test_figures_count_spaces_boards_and_black_stars() -> None:
    data = Evaluation((board("1"), board("2", wrong=2), board("3", black=4))).to_data()
    assert data["spaces"] == 75 and data["spaces_right"] == pytest.approx(73 / 75, abs=1e-4)
    assert data["boards_flawless"] == pytest.approx(1 / 3, abs=1e-4)
    assert data["black_right"] == pytest.approx(2 / 3, abs=1e-4)
    assert [m["space"] for m in data["mistakes"]] == ["ar1", "ar2"]
    assert data["black_mistakes"] == [{"photo": "3", "truth": 3, "read": 4}]


def test_a_board_that_was_not_read_is_wrong_on_every_space() -> None:
    data = Evaluation((board("1"), board("2", failure="no board"))).to_data()
    assert data["spaces_right"] == 0.5 and data["boards_flawless"] == 0.5
    assert data["black_right"] == 0.5
    assert data["boards_missed_inside"] == 1
    assert data["failures"] == [{"photo": "2", "message": "no board"}]


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    pairs = tuple((0.9, i < 9) for i in range(10))
    fair = Evaluation((Judged("1", True, None, 10, (), {}, {}, 0, pairs),))
    assert fair.calibration_error() == pytest.approx(0, abs=1e-9)
    boastful = tuple((0.9, i < 5) for i in range(10))
    assert Evaluation(
        (Judged("1", True, None, 10, (), {}, {}, 0, boastful),)
    ).calibration_error() == pytest.approx(0.4)


def test_only_pictures_with_labels_are_evaluated(tmp_path: Path) -> None:
    (tmp_path / "0001.jpg").touch()
    (tmp_path / "0001.json").write_text(json.dumps({}))
    (tmp_path / "0002.json").write_text(json.dumps({}))
    (tmp_path / "0003.jpg").touch()
    assert [p.name for p, _ in labelled_photographs(tmp_path)] == ["0001.jpg"]


def test_a_folder_without_labels_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NothingToEvaluateError, match="no labelled photographs"):
        labelled_photographs(tmp_path)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("[1, 2]", "must be an object"),
        ("{", "not JSON"),
        ('{"stars": {"ar9": "red"}, "black": 2, "corners": [[0,0],[1,0],[1,1],[0,1]]}', "ar9"),
        ('{"stars": {}, "black": "two", "corners": [[0,0],[1,0],[1,1],[0,1]]}', "black"),
        ('{"stars": {}, "black": 2, "corners": [[0,0],[1,0]]}', "corners"),
        ("{}", "stars"),
        ('{"stars": {"core": 7}, "black": 2, "corners": [[0,0],[1,0],[1,1],[0,1]]}', "core"),
        ('{"stars": {}, "black": 2, "corners": [[1,1],[1,1],[1,1],[1,1]]}', "corners"),
        ('{"stars": {}, "black": 2, "corners": [[0,0],[1,0],[1,1],[0,1]], "size": "A4"}', "size"),
    ],
)
def test_labels_with_mistakes_are_reported(tmp_path: Path, labels: str, message: str) -> None:
    (tmp_path / "0001.json").write_text(labels)
    with pytest.raises(DataFileError, match=message):
        load_labels(tmp_path / "0001.json", load_profile("standard"))


def test_the_error_for_labels_of_another_board_names_the_profile(tmp_path: Path) -> None:
    (tmp_path / "0001.json").write_text('{"stars": {"north": "amber"}}')
    with pytest.raises(DataFileError, match=r"stars\.north: is no space of profile standard"):
        load_labels(tmp_path / "0001.json", load_profile("standard"))
