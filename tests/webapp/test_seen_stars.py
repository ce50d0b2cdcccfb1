"""What a person corrected on a board is remembered for the next photograph of that evening."""

import os
from pathlib import Path

import pytest

from calibration import load_profile
from calibration.colour_profile import ColourProfile, Swatch
from tests.webapp.conftest import STARS, Player, TellingReader, read_board
from webapp.app.reading.colour_samples import EACH, EVENING, ColourSamples

PROFILE = load_profile("standard")
COLOURS = {
    "core": "#b02828", "ar1": "#2840b0", "ar2": "#e0e0e0", "ar3": "#b45028", "ar4": "#d0c030",
    "ta1": "#803090",
}  # fmt: skip


def seen() -> dict:
    """A reading's board that says what colour each place has."""
    board = dict(read_board())
    spaces = board["spaces"].items()
    board["spaces"] = {
        s: {**reported, "colour": COLOURS.get(s, "#202020")} for s, reported in spaces
    }
    return board


def test_a_corrected_board_tells_of_all_its_stars(tmp_path: Path) -> None:
    stars = ColourSamples(tmp_path)
    assert stars.colour_profile(PROFILE) == ColourProfile()
    stars.learn(PROFILE, seen(), STARS | {"ar3": "red"})
    swatches = stars.colour_profile(PROFILE).swatches
    assert Swatch("red", COLOURS["ar3"]) in swatches
    assert Swatch("red", COLOURS["core"]) in swatches
    assert Swatch("purple", COLOURS["ta1"]) in swatches
    assert len(swatches) == len(STARS)


def test_a_board_that_was_read_right_teaches_nothing(tmp_path: Path) -> None:
    ColourSamples(tmp_path).learn(PROFILE, seen(), STARS)
    assert list(tmp_path.iterdir()) == []


def test_the_newest_swatches_of_an_evening_are_kept(tmp_path: Path) -> None:
    stars = ColourSamples(tmp_path)
    for number in range(9):
        board = seen()
        board["spaces"]["ar3"]["colour"] = f"#b0{number:02x}28"
        stars.learn(PROFILE, board, STARS | {"ar3": "red"})
    kept = stars.colour_profile(PROFILE).swatches
    assert max(sum(s.piece == kind for s in kept) for kind in STARS.values()) == EACH
    assert Swatch("red", "#b00828") in kept
    (file,) = tmp_path.glob("*.yaml")
    os.utime(file, (0, file.stat().st_mtime - EVENING - 60))
    assert stars.colour_profile(PROFILE) == ColourProfile()


def test_a_damaged_file_is_as_none(tmp_path: Path) -> None:
    stars = ColourSamples(tmp_path)
    stars.learn(PROFILE, seen(), STARS | {"ar3": "red"})
    (file,) = tmp_path.glob("*.yaml")
    file.write_text("{")
    assert stars.colour_profile(PROFILE) == ColourProfile()


@pytest.mark.parametrize("corrected", [True, False])
def test_a_confirmed_board_teaches_what_was_corrected_on_it(
    player: Player, reader: TellingReader, tmp_path: Path, corrected: bool
) -> None:
    reader.boards = [seen()]
    game = player.new_game("Ana")
    player.read_photograph(game)
    if corrected:
        player.post(f"{game}/players/0/star", {"space": "ar3", "star": "red"})
    player.post(f"{game}/players/0/review", {})
    kept = list(tmp_path.rglob("seen-stars/*.yaml"))
    assert len(kept) == corrected
