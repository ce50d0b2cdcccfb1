"""The toy game on the pages: what was read is told in its own pieces."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration import load_profile
from tests.webapp.conftest import Player, TellingReader
from webapp.app.settings import Settings
from webapp.web.application import create_app

FROGS = {"north": "amber", "middle": "amber", "mill": "teal"}


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """Somebody who plays on the meadow, whose photographs all show the same frogs."""
    reader = TellingReader()
    pads = load_profile("meadow").board.spaces
    reader.boards = [
        {
            "profile": "meadow",
            "corners": [[0, 0], [800, 0], [800, 960], [0, 960]],
            "spaces": {pad: {"star": FROGS.get(pad), "confidence": 0.99} for pad in pads},
            "loose": [],
            "flags": [],
        }
    ]
    app = create_app(Settings(tmp_path / "data", rate_limits=False, profile="meadow"), reader)
    yield Player(app.test_client())
    app.extensions["stargazer"].reading_queue.close()


def test_the_photographs_page_counts_its_pieces(player: Player) -> None:
    game = player.new_game("Ana")
    page = player.read_photograph(game)
    assert '<p class="board-state">3 pieces</p>' in page
