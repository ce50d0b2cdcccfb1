"""A game whose board is everybody's is scored from photographs of it, and its score printed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from scorer.board_state import PlaceReading
from scorer.places import Place
from scorer.polaris.contract import POLARIS_GAME
from vision import BoardReading
from webapp.app.session.score_game import ScoredGame, UnusablePhotographError, score_game
from webapp.cli.terminal.score_sheet import print_score

FILE = {
    "game": "polaris",
    "players": [
        {"name": "Ana", "colour": "red", "marker": 21, "personal": "PO1", "shooting": 2},
        {"name": "Eva", "colour": "blue", "marker": 20},
    ],
    "stars": {"1a1": "red", "1a2": "red", "3a1": "red", "3b1": "red", "3c1": "red"},
    "links": [["1a1", "1a2"], ["3a1", "3b1"], ["3b1", "3c1"]],
}


@pytest.fixture
def sheet(capsys: pytest.CaptureFixture[str]) -> str:
    played = POLARIS_GAME.game_from_data(FILE, POLARIS_GAME.standard_board)
    print_score(ScoredGame(POLARIS_GAME, played, POLARIS_GAME.score(played)))
    return capsys.readouterr().out


def test_each_line_about_the_same_is_shown(sheet: str) -> None:
    assert "constellation of 2" in sheet and "constellation of 3" in sheet
    assert sheet.count("Constellations") == 1


def test_what_is_to_be_looked_at_on_the_board_is_said_once(sheet: str) -> None:
    assert sheet.count("with two players there is a neutral star on each") == 1
    assert "Eva: * not entered yet: the personal objective, the shooting stars left over" in sheet


def seen(*spaces: str) -> BoardReading:
    """A reading of the sky with red stars."""
    places = {
        Place(space): PlaceReading("red" if space in spaces else None, 0.99)
        for space in POLARIS_GAME.standard_board.spaces
    }
    nowhere = np.zeros((4, 2))
    return BoardReading("standard", "polaris", nowhere, places, {}, (), (), to_photo=np.eye(3))


class TestPhotographs:
    file: ClassVar = {
        "players": [{"name": "Ana", "colour": "red"}, {"name": "Eva", "colour": "blue"}],
        "phases": [{"card": "C1", "telescope": "Ana", "photo": "first.jpg"}],
        "photo": "end.jpg",
    }

    def scored(self, **boards: Sequence[Any]) -> ScoredGame:
        return score_game(
            self.file,
            POLARIS_GAME,
            POLARIS_GAME.standard_board,
            Path("evening"),
            lambda path: boards[path.stem],
        )

    def test_each_moment_has_its_own(self) -> None:
        scored = self.scored(first=[seen("1a1", "1a2")], end=[seen("1a1", "1a2", "3b1")])
        assert scored.photos == ("first.jpg", "end.jpg")
        lines = scored.score.players[0].lines
        assert [line.subject["count"] for line in lines if line.category == "phase"] == [2]
        assert [line.subject["count"] for line in lines if line.category == "lonely"] == [3]

    def test_one_of_several_boards_is_nobodys_own(self) -> None:
        reason = "^end.jpg shows 2 boards: crop it to one$"
        with pytest.raises(UnusablePhotographError, match=reason):
            self.scored(first=[seen()], end=[seen(), seen()])
