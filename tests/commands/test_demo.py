"""`stargazer demo`: the first thing that anyone sees, with the real reader."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
from click.testing import Result

Run = Callable[..., Result]


def test_the_demo_prints_the_sheet_draws_overlays_and_says_what_next(
    stargazer: Run, tmp_path: Path
) -> None:
    result = stargazer("demo", "--out", tmp_path / "overlays")
    assert result.exit_code == 0, result.stderr
    assert "Total" in result.stdout
    assert "stargazer print --out" in result.stdout
    drawn = sorted((tmp_path / "overlays").iterdir())
    assert [path.name for path in drawn] == ["ana.overlay.jpg", "luis.overlay.jpg"]
    assert all(cv2.imread(str(path)) is not None for path in drawn)


def test_the_demo_is_read_whole_with_a_doubt_or_two(stargazer: Run, tmp_path: Path) -> None:
    score = json.loads(stargazer("demo", "--json", "--out", tmp_path).stdout)
    assert len(score["players"]) == 2
    for player in score["players"]:
        doubts = [flag["kind"] for flag in player["flags"]]
        assert set(doubts) <= {"uncertain"} and len(doubts) <= 3
        assert not player["provisional"]
        assert player["total"] == sum(line["points"] for line in player["lines"])
