"""The response times of pages, compared to the same server's /healthz.

Not pass or fail: `pytest tests/benchmarks/test_webapp_bench.py --benchmark-only` prints the table.
The goal is 50 ms per page.
"""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.webapp.conftest import Player, TellingReader
from webapp.app.settings import Settings
from webapp.web.application import create_app

PAGES = (
    "nebula/cards",
    "nebula/values",
    "photographs",
    "players/0/review",
    "nebula/players/0/personal",
    "nebula/markers",
    "score",
    "score/0",
    "share/score.png",
)


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Player:
    """A player at a server with thirty games."""
    folder: Path = tmp_path_factory.mktemp("companion")
    app = create_app(Settings(data_dir=folder, rate_limits=False), TellingReader())
    somebody = Player(app.test_client())
    for _ in range(29):
        somebody.new_game("Ana", "Luis", "Eva", "Zoë")
    return somebody


@pytest.fixture(scope="module")
def game(player: Player) -> str:
    """A scored game of four players."""
    return player.play_to_score("Ana", "Luis", "Eva", "Zoë")


@pytest.mark.benchmark(group="a page")
def test_baseline_healthz(benchmark: BenchmarkFixture, player: Player) -> None:
    assert benchmark(player.get, "/healthz").status_code == 200


@pytest.mark.benchmark(group="a page")
def test_the_list_of_games(benchmark: BenchmarkFixture, player: Player, game: str) -> None:
    assert benchmark(player.get, "/").status_code == 200


@pytest.mark.benchmark(group="a page")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_a_game(
    benchmark: BenchmarkFixture, player: Player, game: str, page: str
) -> None:
    assert benchmark(player.get, f"{game}/{page}").status_code == 200
