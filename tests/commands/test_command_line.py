"""The command as a whole, as a shell runs it: usage, version, hostile files, no traceback."""

import json
import struct
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import Result
from PIL import Image

import webapp
from calibration.profile import built_in_profiles
from tests.conftest import in_ci
from webapp.cli.main import COMMANDS, main
from webapp.cli.terminal.progress import progress_bar

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]


def shell(*arguments: object, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    code = "from webapp.cli.main import main; main(prog_name='stargazer')"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def assert_one_line(result: subprocess.CompletedProcess[str], code: int, lines: int = 1) -> None:
    assert result.returncode == code, result.stderr
    assert len(result.stderr.splitlines()) == lines, result.stderr
    assert "Traceback" not in result.stderr


def test_help_names_the_commands() -> None:
    result = shell("--help")
    assert result.returncode == 0
    assert "demo" in result.stdout


def test_called_bare_it_explains_itself() -> None:
    result = shell()
    assert result.returncode == 0
    assert "stargazer demo" in result.stdout


def test_every_command_has_help_with_an_example(stargazer: Run) -> None:
    listed = stargazer("--help").stdout
    for name in main.list_commands(None):
        assert f"\n  {name} " in listed
        assert f"Example: stargazer {name}" in " ".join(stargazer(name, "--help").stdout.split())


def test_version(stargazer: Run) -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        written = tomllib.load(file)["project"]["version"]
    assert stargazer("--version").stdout == f"stargazer {written}\n"
    assert webapp.__version__ == written


def test_the_module_runs_the_command_too() -> None:
    command = [sys.executable, "-m", "webapp.cli.main", "--version"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert run.stdout == f"stargazer {webapp.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["reed"], ["read"], ["read", "--nope"], ["score"], ["synthesize", "--count", "x"]]
)
def test_bad_usage_is_one_line_and_exit_code_2(stargazer: Run, arguments: list[str]) -> None:
    result = stargazer(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "--help" in result.stderr


def test_bad_usage_with_json_is_an_error_object_too(stargazer: Run) -> None:
    reported = json.loads(stargazer("read", "--json").stdout)
    assert reported["error"] == 2
    assert reported["file"] is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
@pytest.mark.parametrize("command", ["simulate --games 1 --json", "replay -", "--help"])
def test_a_full_disk_is_reported_in_one_line(command: str) -> None:
    record = shell("simulate", "--games", 1, "--json").stdout
    with Path("/dev/full").open("w") as full:
        run = [sys.executable, "-m", "webapp.cli.main", *command.split()]
        result = subprocess.run(
            run, input=record, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300
        )
    assert result.returncode == 2
    assert result.stderr == "stargazer: no space left to write to: make room there\n"


def test_only_commands_that_exist_are_listed(
    stargazer: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "webapp.cli.main.COMMANDS", {**COMMANDS, "fly": "webapp.cli.commands.fly:fly"}
    )
    assert "fly" not in main.list_commands(None)
    assert stargazer("fly").exit_code == 2


def huge_png() -> bytes:
    """Pack 30,000 x 30,000 black pixels, a decompression bomb, into some hundred kB."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    pixels = zlib.compress(bytes(30_000 * (1 + 30_000 // 8)), 1)  # of one bit each
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_hostile_files_are_refused_and_the_others_done(tmp_path: Path) -> None:
    """One call with everything: text, a truncated JPEG, a bomb, nothing, a folder."""
    noise = Image.fromarray(
        np.random.default_rng(5).integers(0, 256, (600, 800, 3), dtype=np.uint8)
    )
    noise.save(tmp_path / "whole.jpg")
    whole = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "text.jpg").write_text("Ana: 71 points\n")
    (tmp_path / "truncated.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "bomb.png").write_bytes(huge_png())
    noise.save(tmp_path / "truncated.png")
    png = (tmp_path / "truncated.png").read_bytes()
    (tmp_path / "truncated.png").write_bytes(png[: len(png) // 2])
    names = ["text.jpg", "truncated.jpg", "bomb.png", "truncated.png", "missing.jpg"]
    files = [*(tmp_path / name for name in names), tmp_path, tmp_path / "whole.jpg"]
    result = shell("read", "--json", *files)
    assert_one_line(result, code=2, lines=len(files))
    reported = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["error"] for line in reported] == [2] * 6 + [3], "noise shows no board"
    assert [line["file"] for line in reported] == [str(file) for file in files]
    assert "30000 x 30000" in reported[2]["message"]


def test_no_bar_is_drawn_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("Reading") as bar:
        bar(1, 2)
        with bar.hidden():
            print("a line")
    assert capsys.readouterr() == ("a line\n", "")


def test_training_says_what_is_missing(
    stargazer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.cli.commands.train.find_spec", lambda _: None)
    result = stargazer("train", "--data", tmp_path)
    assert result.exit_code == 2
    assert 'pip install "stargazer[train]"' in result.stderr


def test_training_on_nothing_says_where_to_get_photographs(stargazer: Run, tmp_path: Path) -> None:
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    result = stargazer("train", "--data", tmp_path)
    assert result.exit_code == 2
    assert "has no labelled photographs; `stargazer synthesize` makes some" in result.stderr


def test_pictures_of_a_game_that_nobody_knows_are_refused(stargazer: Run, tmp_path: Path) -> None:
    result = stargazer("synthesize", "--game", "go", "--out", tmp_path / "data", "--count", "1")
    assert result.exit_code == 2
    assert "go is not known" in result.stderr and "nebula" in result.stderr
    assert not (tmp_path / "data").exists()


@in_ci
def test_pictures_say_whose_boards_they_show(stargazer: Run, tmp_path: Path) -> None:
    assert stargazer("synthesize", "--out", tmp_path, "--count", "1").exit_code == 0
    (layout,) = tmp_path.glob("editions/*/layout.yaml")
    assert yaml.safe_load(layout.read_text())["game"] == "nebula"


@pytest.mark.parametrize("command", ["read", "evaluate"])
def test_a_profile_without_a_picture_says_how_to_calibrate(
    stargazer: Run, tmp_path: Path, command: str
) -> None:
    standard = built_in_profiles()["nebula/standard"] / "layout.yaml"
    (tmp_path / "layout.yaml").write_text(standard.read_text())
    result = stargazer(command, tmp_path, "--profile", tmp_path)
    assert result.exit_code == 2
    assert "stargazer calibrate PHOTO" in result.stderr


def test_a_folder_without_labels_cannot_be_evaluated(stargazer: Run, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        result = stargazer("evaluate", "--json", folder)
        assert result.exit_code == 2
        reported = json.loads(result.stdout)
        assert (reported["error"], reported["file"]) == (2, str(folder))


def test_folders_are_asked_for_where_one_is_needed(stargazer: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none"
    assert "is not a folder" in stargazer("evaluate", missing).stderr
    assert "stargazer synthesize" in stargazer("train", "--data", missing).stderr
