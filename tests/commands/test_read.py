"""`stargazer read`: exit codes, error form, output; the pixels are the vision room's tests."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from click.testing import Result

Run = Callable[..., Result]
Photograph = Callable[[str], Path]

pytestmark = pytest.mark.usefixtures("reader_by_name")


def test_a_reading_is_one_line_of_json(stargazer: Run, photograph: Photograph) -> None:
    result = stargazer("read", "--json", photograph("ana.jpg"), photograph("luis.png"))
    assert result.exit_code == 0
    assert result.stderr == ""
    readings = [json.loads(line) for line in result.stdout.splitlines()]
    assert [reading["photo"] for reading in readings] == ["ana.jpg", "luis.png"]
    assert readings[0]["size"] == [100, 80]


def test_a_person_reads_stars_and_flags_in_words(stargazer: Run, photograph: Photograph) -> None:
    result = stargazer("read", photograph("ana.jpg"))
    assert result.exit_code == 0
    assert "ana.jpg: 100 x 80, 1 board" in result.stdout
    assert "core red" in result.stdout
    assert "ar3 -" in result.stdout
    assert "4 black stars" in result.stdout
    assert "not sure what lies on ta1 (yellow 55%, orange 43%)" in result.stdout
    assert "a blue star lies on no space" in result.stdout


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [("empty-table.jpg", 3, "no board found"), ("cropped.jpg", 4, "a corner is cut off")],
)
def test_a_board_missing_or_unreadable_has_its_own_exit_code(
    stargazer: Run, photograph: Photograph, name: str, code: int, said: str
) -> None:
    path = photograph(name)
    result = stargazer("read", "--json", path)
    assert result.exit_code == code
    reported = json.loads(result.stdout)
    assert (reported["error"], reported["file"]) == (code, str(path))
    assert said in reported["message"]
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


def test_the_other_files_are_still_done(stargazer: Run, photograph: Photograph) -> None:
    files = [photograph("cropped.jpg"), photograph("ana.jpg"), "missing.jpg", photograph("b.jpg")]
    result = stargazer("read", "--json", *files)
    assert result.exit_code == 4, "the first file that failed decides"
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line.get("photo", line.get("error")) for line in lines] == [4, "ana.jpg", 2, "b.jpg"]
    assert len(result.stderr.splitlines()) == 2


def test_without_json_errors_leave_standard_output_alone(
    stargazer: Run, photograph: Photograph
) -> None:
    result = stargazer("read", photograph("empty-table.jpg"))
    assert result.exit_code == 3
    assert result.stdout == ""


def test_overlays_of_photographs_with_one_name_do_not_overwrite_each_other(
    stargazer: Run, photograph: Photograph, tmp_path: Path
) -> None:
    out = tmp_path / "deep" / "overlays"
    files = [photograph("one/ana.jpg"), photograph("two/ana.jpg")]
    assert stargazer("read", *files, "--overlay", out).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["ana-2.overlay.jpg", "ana.overlay.jpg"]
    assert cv2.imread(str(out / "ana.overlay.jpg")).shape == (80, 100, 3)


def test_an_overlay_that_cannot_be_written_is_said(
    stargazer: Run, photograph: Photograph, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file")
    result = stargazer("read", photograph("ana.jpg"), "--overlay", tmp_path / "taken" / "deeper")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_an_unknown_profile_is_said_once(stargazer: Run, photograph: Photograph) -> None:
    files = photograph("a.jpg"), photograph("b.jpg")
    result = stargazer("read", *files, "--profile", "no-such", "--json")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout)["error"] == 2


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_board_that_is_missing_is_said(
    stargazer: Run, photograph: Photograph, form: tuple[str, ...]
) -> None:
    path = photograph("ana.jpg")
    fewer = stargazer("read", *form, path, "--boards", "4")
    assert fewer.exit_code == 0
    assert "ana.jpg: 1 of 4 boards were found" in fewer.stderr
    assert stargazer("read", *form, path, "--boards", "1").stderr == ""
