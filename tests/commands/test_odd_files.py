"""Files and names that nobody means to give: one line, the fitting exit code, the others done."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from PIL import Image

import calibration
from tests.commands.test_command_line import assert_one_line, shell
from tests.conftest import in_full
from webapp.cli.terminal.outcome import InputError

Run = Callable[..., Result]
GameFile = Callable[..., Path]

LONG = "x" * 5_000
SQUARE = [[0, 0], [9, 0], [9, 9], [0, 9]]
(STANDARD_LAYOUT,) = Path(calibration.__file__).parent.glob("**/nebula/standard/layout.yaml")
ODD_GAMES = {
    "surrogate.json": '{"career": ["\\ud800"]}',
    "bool.yaml": "mode: !!bool x",
    "date.yaml": "!!timestamp x",
    "half.yaml": "players: [{name: Ana, stars: {1.5: red}}]",
    "null.yaml": "players: [{name: Ana, stars: {null: red}}]",
    "edition.json": '{"edition": "a\\u0000.yaml", "players": [{"name": "Ana", "stars": {}}]}',
    "photo.yaml": f"players: [{{name: Ana, photo: {LONG}.jpg}}]",
    "photo-of-900.yaml": f"players: [{{name: Ana, photo: {LONG[:900]}.jpg}}]",
    "photo-nul.json": '{"players": [{"name": "Ana", "photo": "a\\u0000.jpg"}]}',
    "photo-pipe.yaml": "players: [{name: Ana, photo: pipe}]",
    "edition-pipe.yaml": "edition: pipe.yaml\nplayers: [{name: Ana, stars: {}}]",
    "number.json": f'{{"players": [{{"name": "Ana", "stars": {{}}, "black": {10**400}}}]}}',
}


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder of odd files: pipes, folders, and game files that hold what they should not."""
    for name, text in ODD_GAMES.items():
        (tmp_path / name).write_text(text)
    for name in ("pipe", "pipe.yaml"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    return tmp_path


def test_every_odd_game_is_reported_in_a_line_and_the_others_are_scored(
    odd: Path, game_file: GameFile
) -> None:
    names = [*ODD_GAMES, "pipe.yaml", "folder.yaml", "loop.yaml", f"{LONG}.yaml", "caf\udce9.yaml"]
    files = [game_file("first.yaml"), *(odd / name for name in names), "/dev/zero", game_file()]
    result = shell("score", "--json", *files)
    assert_one_line(result, code=2, lines=len(files) - 2)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("error") for answer in answers] == [None, *[2] * (len(files) - 2), None]
    assert all(len(line) < 4_100 for line in result.stderr.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", f"{LONG}.jpg"),
        ("read", "pipe"),
        ("evaluate", LONG),
        ("evaluate", "pipe"),
        ("train", "--data", LONG),
        ("train", "--data", "pipe"),
        ("calibrate", "pipe", "--layout", LONG, "--name", "mine"),
        ("calibrate", "pipe", "--layout", "pipe.yaml", "--name", "mine"),
        ("calibrate", "pipe", "--layout", "folder.yaml", "--name", LONG),
        ("print", "--out", ""),
        ("print", "--out", LONG),
        ("print", "--out", "pipe"),
        ("live", "--source", LONG),
        ("live", "--source", "pipe"),
        ("live", "--source", "pipe", "--game", "pipe.yaml"),
        ("live", "--source", "pipe", "--game", "surrogate.json"),
        ("synthesize", "--count", "1", "--out", LONG),
        ("demo", "--out", LONG),
    ],
    ids=lambda arguments: " ".join(arguments)[:50],
)
def test_an_odd_name_is_reported_in_a_line(
    stargazer: Run, odd: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(odd)
    result = stargazer(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and len(result.stderr) < 4_100
    assert (odd / "pipe").is_fifo(), "what was there is not replaced"


def test_a_video_with_a_name_that_is_not_text_is_reported(tmp_path: Path) -> None:
    video = tmp_path / "caf\udce9.mp4"
    video.write_text("no video")
    assert_one_line(shell("live", "--source", video), code=2)  # OpenCV would end the process


def test_of_a_video_that_is_damaged_only_we_speak(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_text("no video")
    assert_one_line(shell("live", "--source", tmp_path / "film.mp4"), code=2)


@pytest.mark.parametrize("command", in_full(["read", "score", "calibrate", "evaluate"], "read"))
def test_of_a_picture_that_is_damaged_only_we_speak(tmp_path: Path, command: str) -> None:
    picture, labels = tmp_path / "0001.png", {"stars": {}, "black": 0, "corners": SQUARE}
    Image.fromarray(np.random.default_rng(3).integers(0, 256, (90, 90, 3), np.uint8)).save(picture)
    png = bytearray(picture.read_bytes())
    png[len(png) // 2] ^= 0xFF  # libpng has a word to say on that
    picture.write_bytes(png)
    (tmp_path / "game.yaml").write_text("players: [{name: Ana, photo: 0001.png}]")
    (tmp_path / "0001.json").write_text(json.dumps(labels))
    arguments = {
        "read": [picture],
        "score": [tmp_path / "game.yaml"],
        "calibrate": [picture, "--layout", STANDARD_LAYOUT, "--name", "mine"],
        "evaluate": [tmp_path, "--overlay", tmp_path / "drawn"],
    }[command]
    result = shell(command, *arguments)
    if command == "evaluate":
        assert (result.returncode, result.stderr) == (0, ""), "a picture not read is counted"
    else:
        assert_one_line(result, code=2)


@pytest.mark.parametrize(
    "name", ["caf\udce9.yaml", "a\x1b[31m.yaml", "two\nlines.yaml", "\u202e.yaml"]
)
def test_a_name_reaches_the_terminal_as_text_on_one_line(
    stargazer: Run, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("players: 7")
    result = stargazer("score", tmp_path / name)
    assert result.exit_code == 2
    assert result.stderr.rstrip("\n").isprintable()


def test_a_message_is_printed_whatever_is_in_it() -> None:
    assert InputError("a\x1b[31m\n\n  b\udce9").message == "a\ufffd[31m; b\ufffd"


def test_labels_with_mistakes_are_reported_and_the_other_photographs_measured(
    stargazer: Run, tmp_path: Path, photograph: Callable[[str], Path]
) -> None:
    labels = {"stars": {"core": "red"}, "black": 4, "corners": SQUARE}
    odd = ["not JSON", json.dumps({**labels, "stars": {"core": 7}}), None, json.dumps(labels)]
    for number, text in enumerate([json.dumps(labels), *odd]):
        photograph(f"000{number}.png")
        if text is None:
            os.mkfifo(tmp_path / f"000{number}.json")
        else:
            (tmp_path / f"000{number}.json").write_text(text)
    (tmp_path / "0004.png").write_bytes(b"no picture")
    result = stargazer("evaluate", tmp_path, "--json", "--overlay", tmp_path / "drawn")
    assert result.exit_code == 2
    *refused, figures = map(json.loads, result.stdout.splitlines())
    assert [Path(line["file"]).name for line in refused] == ["0001.json", "0002.json", "0003.json"]
    assert len(result.stderr.splitlines()) == 3
    assert (figures["boards"], len(figures["failures"])) == (2, 2), "noise shows no board"


@pytest.mark.usefixtures("reader_by_name")
def test_overlays_are_drawn_of_every_kind_of_picture(
    stargazer: Run, tmp_path: Path, photograph: Callable[[str], Path]
) -> None:
    labels = {"stars": {"core": "red"}, "black": 4, "corners": SQUARE}
    for name in ("0001.png", "0002.jpeg", "0003.webp", "0004.JPG"):
        photograph(name).with_suffix(".json").write_text(json.dumps(labels))
    result = stargazer("evaluate", tmp_path, "--json", "--overlay", tmp_path / "drawn")
    assert result.exit_code == 0
    drawn = sorted(path.name for path in (tmp_path / "drawn").iterdir())
    assert drawn == [f"000{number}.overlay.jpg" for number in (1, 2, 3, 4)]


def test_where_all_labels_have_mistakes_there_are_no_figures(
    stargazer: Run, tmp_path: Path, photograph: Callable[[str], Path]
) -> None:
    photograph("0001.png")
    (tmp_path / "0001.json").write_text("{}")
    result = stargazer("evaluate", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "0001.json" in result.stderr


def test_what_is_read_is_headed_by_a_name_that_can_be_printed(
    stargazer: Run, tmp_path: Path, photograph: Callable[[str], Path], reader_by_name: None
) -> None:
    result = stargazer("read", photograph("a\x1b[31m\udce9.png"))
    assert result.exit_code == 0
    assert result.stdout.startswith("a\ufffd[31m\ufffd.png: ")


def test_a_layout_in_the_working_folder_comes_before_a_profile_of_its_name(
    stargazer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "standard").mkdir()
    (tmp_path / "standard" / "layout.yaml").write_text("game: nebula")
    Image.new("RGB", (90, 90)).save(tmp_path / "empty.png")
    monkeypatch.chdir(tmp_path)
    result = stargazer("calibrate", "empty.png", "--layout", "standard", "--name", "mine")
    assert result.exit_code == 2 and "layout.yaml" in result.stderr
