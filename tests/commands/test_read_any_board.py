"""`stargazer read` without a profile finds out whose board a photograph shows."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import Result

from calibration import load_profile
from calibration.layout import dump_layout
from calibration.profile import reference_size
from vision.rectify import homography, warp
from webapp.app.reading.photograph_reader import PhotographReader
from webapp.app.reading.read_photograph import UnusablePhotographError

DEMO = Path(__file__).parents[2] / "webapp" / "demo" / "ana.jpg"
CORNERS = np.array([[200.0, 120], [720, 100], [760, 760], [160, 740]])


@pytest.fixture
def own_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.profile.owner_profiles", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def photograph(own_profiles: Path) -> Path:
    """Of a board with the standard one's spaces and artwork of its own, which is known as mine."""
    standard = load_profile("standard")
    rng = np.random.default_rng(4)
    noise = cv2.resize(
        rng.integers(0, 256, (60, 50, 3), np.uint8), reference_size(standard.size_mm)
    )
    folder = own_profiles / "mine"
    folder.mkdir()
    (folder / "layout.yaml").write_text(dump_layout(standard.layout))
    reference = noise // 2 + 60
    cv2.imwrite(str(folder / "reference.png"), reference)
    to_picture = homography(CORNERS, standard.size_mm) @ np.diag([0.25, 0.25, 1])
    picture = warp(reference, to_picture, (900, 850), border=(90, 100, 110))
    cv2.imwrite(str(own_profiles / "photograph.png"), picture)
    return own_profiles / "photograph.png"


def test_each_board_is_read_with_its_own_profile(
    stargazer: Callable[..., Result], photograph: Path
) -> None:
    """And with no other: `--profile` overrules that."""
    read = stargazer("read", "--json", DEMO, photograph)
    lines = [json.loads(line) for line in read.stdout.splitlines()]
    assert [[board["profile"] for board in line["boards"]] for line in lines] == [
        ["standard"],
        ["mine"],
    ]
    shown = PhotographReader()(photograph, "a name", ["standard", "mine"])
    assert [board["profile"] for board in shown.reading["boards"]] == ["mine"]
    keys = {key for seen in lines[0]["boards"][0]["spaces"].values() for key in seen}
    assert keys == {"star", "confidence"}, "the pages keep the colours besides, for their own use"
    assert all("colour" in seen for seen in shown.reading["boards"][0]["spaces"].values())
    with pytest.raises(UnusablePhotographError) as unusable:
        PhotographReader()(photograph, "a name", ["standard"])
    assert unusable.value.preview, "what was photographed is shown, though it could not be read"
    refused = stargazer("read", photograph, "--profile", "standard")
    assert refused.exit_code == 4
    assert "looks different from the board of profile standard" in refused.stderr


def test_a_damaged_profile_keeps_no_other_from_being_read(
    stargazer: Callable[..., Result], own_profiles: Path
) -> None:
    (own_profiles / "broken").mkdir()
    (own_profiles / "broken" / "layout.yaml").write_text("format: 1\n")
    assert stargazer("read", DEMO).exit_code == 0


def test_a_game_is_scored_on_the_board_that_its_photograph_shows(
    stargazer: Callable[..., Result], photograph: Path
) -> None:
    game = {
        "game": "nebula",
        "mode": "intro",
        "players": [{"name": "Ana", "photo": photograph.name, "personal": "O19"}],
    }
    file = photograph.parent / "game.json"
    file.write_text(json.dumps(game))
    scored = stargazer("score", file)
    assert scored.exit_code == 0, scored.stderr
    refused = stargazer("score", file, "--profile", "standard")
    assert refused.exit_code == 4
    assert "looks different" in refused.stderr
