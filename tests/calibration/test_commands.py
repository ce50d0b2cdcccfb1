"""`stargazer print` and `stargazer calibrate`, as a player calls them."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import Result

from calibration import Profile, load_profile
from calibration.profile import built_in_profiles, profile_version
from models.synthesis.reprint import pictured
from models.synthesis.token_set import random_token_set
from scorer.places import Place
from tests.benchmarks.star_kits import photograph as photograph_stars
from tests.calibration.tables import on_a_table
from tests.conftest import in_ci

Run = Callable[..., Result]
LAYOUT = built_in_profiles()["nebula/standard"] / "layout.yaml"


@pytest.fixture
def photograph(standard: Profile, tmp_path: Path) -> Path:
    """The empty board on a light table, its corners at 100,100 and 900,1060."""
    table = np.full((1200, 1000, 3), 190, np.uint8)
    table[100:1060, 100:900] = standard.reference
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), table)
    return path


def test_print_says_what_it_wrote_and_how_to_print(stargazer: Run, tmp_path: Path) -> None:
    out = tmp_path / "prints" / "board.pdf"
    result = stargazer("print", "--out", out, "--paper", "letter")
    assert result.exit_code == 0
    assert str(out) in result.output
    assert "100%" in result.output
    assert pypdfium2.PdfDocument(out)[0].get_size() == (612, 792), "of the paper asked for"
    assert [path.name for path in out.parent.iterdir()] == ["board.pdf"]


def test_print_where_nothing_can_be_written(stargazer: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = stargazer("print", "--out", tmp_path / "file" / "board.pdf")
    assert result.exit_code == 2
    assert "choose another --out" in result.stderr


def test_print_unknown_profile(stargazer: Run, tmp_path: Path) -> None:
    result = stargazer("print", "--profile", "andromeda", "--out", tmp_path / "board.pdf")
    assert result.exit_code == 2
    assert "no such profile" in result.stderr
    assert result.stderr.count("\n") == 1


def test_calibrate_writes_a_profile(stargazer: Run, photograph: Path, tmp_path: Path) -> None:
    result = stargazer(
        "calibrate", photograph, "--layout", LAYOUT, "--name", "mine", "--out", tmp_path,
        "--corners", "103,98 897,101 903,1058 99,1063", "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    reported = json.loads(result.stdout)
    assert reported == {"format": 1, "profile": str(tmp_path / "mine")}
    assert load_profile(reported["profile"]).reference is not None


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        ("1,2 3,4", "not four points"),
        ("a,b c,d e,f g,h", "not four points"),
        ("100,100 100,1060 900,1060 900,100", "anticlockwise"),
        ("100,100 1900,100 900,1060 100,1060", "outside the photograph of 1000 x 1200 px"),
    ],
)
def test_calibrate_with_bad_corners(
    stargazer: Run, photograph: Path, tmp_path: Path, corners: str, reason: str
) -> None:
    result = stargazer(
        "calibrate", photograph, "--layout", LAYOUT, "--name", "mine", "--out", tmp_path,
        "--corners", corners, "--json",
    )  # fmt: skip
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    reported = json.loads(result.stdout)
    assert reported["error"] == 2
    assert reason in reported["message"]


def test_calibrate_with_a_wrong_layout(stargazer: Run, photograph: Path, tmp_path: Path) -> None:
    layout = tmp_path / "layout.yaml"
    layout.write_text(LAYOUT.read_text().replace("format: 1", "format: 9").replace("22]", "left]"))
    result = stargazer("calibrate", photograph, "--layout", layout, "--name", "mine")
    assert result.exit_code == 2
    assert "format: must be 1" in result.stderr
    assert "black_track.at[0][1]: must be a number" in result.stderr
    assert result.stderr.count("\n") == 1


def test_calibrate_from_what_is_no_photograph(stargazer: Run, tmp_path: Path) -> None:
    photo = tmp_path / "empty.jpg"
    photo.write_text("not a picture")
    result = stargazer(
        "calibrate", photo, "--layout", LAYOUT, "--name", "mine", "--out", tmp_path,
        "--corners", "0,0 800,0 800,960 0,960",
    )  # fmt: skip
    assert result.exit_code == 2
    assert "empty.jpg" in result.stderr
    assert result.stderr.count("\n") == 1


@in_ci
def test_calibrate_finds_the_board_by_itself(stargazer: Run, tmp_path: Path) -> None:
    reference = load_profile("standard").reference
    assert reference is not None
    corners = np.array([[310, 120], [720, 190], [650, 770], [230, 690]])
    photo = tmp_path / "empty.png"
    cv2.imwrite(str(photo), on_a_table(reference, corners, (1000, 900)))
    result = stargazer("calibrate", photo, "--layout", LAYOUT, "--name", "mine", "--out", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert f"--profile {tmp_path / 'mine'}" in result.output
    made = load_profile(tmp_path / "mine").reference
    assert made is not None
    softened = [cv2.GaussianBlur(picture, (0, 0), 3).ravel() for picture in (made, reference)]
    assert np.corrcoef(*softened)[0, 1] > 0.98


def test_calibrate_where_no_board_is_found(
    stargazer: Run, photograph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.rough_outlines", lambda *_: [])
    result = stargazer(
        "calibrate", photograph, "--layout", LAYOUT, "--name", "mine", "--out", tmp_path
    )
    assert result.exit_code == 3
    assert "give its --corners" in result.stderr


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    home = tmp_path / "own"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(home))
    return home


@in_ci
def test_calibrate_learns_the_stars_for_a_built_in_board(
    stargazer: Run, tmp_path: Path, own_folder: Path
) -> None:
    rng = np.random.default_rng(3)
    board = load_profile("standard")
    spaces = [Place(space) for space in ("ar1", "ar4", "ta2", "ta5", "ge1", "ge4", "ca3")]
    tokens = random_token_set(rng, board)
    lying = dict(zip(spaces, tokens, strict=True))
    shot = photograph_stars(rng, pictured(board), tokens, lying, np.ones(3, np.float32))
    photo = tmp_path / "stars.png"
    cv2.imwrite(str(photo), shot.picture)
    before = profile_version("standard")
    result = stargazer("calibrate", "--stars", photo, "--name", "standard", "--json")
    assert result.exit_code == 0, result.stderr
    reported = json.loads(result.stdout)
    assert [swatch["piece"] for swatch in reported["swatches"]] == list(tokens)
    kit = load_profile("standard").colour_profile
    assert [swatch.colour for swatch in kit.swatches] == [s["colour"] for s in reported["swatches"]]
    assert profile_version("standard") > before
    empty = tmp_path / "bare.png"
    cv2.imwrite(str(empty), np.full((600, 800, 3), (60, 90, 140), np.uint8))
    refused = stargazer("calibrate", "--stars", empty, "--name", "standard")
    assert refused.exit_code == 3
    assert "on the board or right beside it" in refused.stderr
    assert load_profile("standard").colour_profile == kit


def test_calibrate_without_any_photograph(stargazer: Run) -> None:
    result = stargazer("calibrate", "--name", "standard")
    assert result.exit_code == 2
    assert "--stars" in result.stderr
