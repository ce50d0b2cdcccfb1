"""Every page about a game, of every game, at moments of it: the right one, or none at all.

`python -m tests.campaign --part routes` asks every page at every moment.
"""

from collections.abc import Iterator
from itertools import groupby

import pytest

from tests.games.every_game import Moment, every_play, foreign_keys
from tests.games.playthroughs import Asked, Server

FEWEST = {"requests": 650, "pages": 100, "moments": 130, "games and modes": 5}
"""What is asked at least. A page or a game that joins is asked by itself."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which every game is known."""
    made = Server(tmp_path_factory.mktemp("games"), phones=2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def moments(server: Server) -> list[Moment]:
    """The moments of a game of each kind, played by each way to its score."""
    return [moment for play in every_play() for moment in server.moments(play)]


def test_no_page_answers_for_another_game(server: Server, moments: list[Moment]) -> None:
    foreign, asked = foreign_keys(moments), Asked()
    assert all(foreign.values()), "each game has something of its own"
    for _mode, some in groupby(moments, lambda moment: (moment.play.game, moment.play.mode)):
        of_mode = list(some)
        for at, moment in enumerate(of_mode):  # between them they are asked for every page
            server.ask_all(moment, foreign, asked, slice(at, None, len(of_mode)))
    print(asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert {name: min(most, FEWEST[name]) for name, most in asked.counted.items()} == FEWEST


@pytest.mark.parametrize("seed", range(2))
def test_a_walk_leads_nowhere_strange(server: Server, moments: list[Moment], seed: int) -> None:
    asked = Asked()
    server.walk(seed, 40, moments, foreign_keys(moments), asked)
    assert not asked.problems, "\n".join(asked.problems)
    assert asked.codes.total() == 40
