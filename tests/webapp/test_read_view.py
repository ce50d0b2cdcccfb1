"""What a page reads, it reads of one view, whoever writes meanwhile."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest
from flask import Flask, Response
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError

from tests.webapp.conftest import Player, both_databases
from tests.webapp.live.conftest import eventually
from webapp.app.database import reading
from webapp.app.live.service import LiveService
from webapp.app.read_view import one_view
from webapp.app.session.saved_games import Document, Games, NoSuchGameError, SavedGame
from webapp.web.pages import gate

pytestmark = both_databases


@pytest.fixture
def games(app: Flask) -> Games:
    found: Games = app.extensions["stargazer"].games
    return found


@pytest.fixture
def game(player: Player) -> str:
    return player.new_game("Ana").rsplit("/", 1)[1]


def renamed(name: str) -> Callable[[Document], Document]:
    return lambda kept: {**kept, "players": [{**kept["players"][0], "name": name}]}


def elsewhere(work: Callable[..., Any], *arguments: Any) -> None:
    """Have another thread do something, and wait for that."""
    with ThreadPoolExecutor(1) as other:
        other.submit(work, *arguments).result()


def name_of(games: Games, game: str) -> str:
    return str(games.open(game).document["players"][0]["name"])


def uses(games: Games, connections: int) -> None:
    """Wait until so many connections are in use: other threads have some for a moment."""
    pool = games._sessions.kw["bind"].pool
    eventually(lambda: pool.checkedout() == connections)


def test_what_others_write_is_seen_in_the_next_view(games: Games, game: str) -> None:
    with one_view():
        assert name_of(games, game) == "Ana"
        elsewhere(games.change, game, "players", renamed("Luis"))
        assert name_of(games, game) == "Ana"
    assert name_of(games, game) == "Luis"


def test_what_the_thread_itself_writes_is_seen_at_once(games: Games, game: str) -> None:
    with one_view():
        assert name_of(games, game) == "Ana"
        with reading(games._sessions) as session:
            games.change(game, "players", renamed("Luis"))
            assert session.in_transaction()
            assert name_of(games, game) == "Luis"
    uses(games, 0)


def test_a_view_has_one_connection_and_gives_it_back(games: Games, game: str) -> None:
    with one_view():
        name_of(games, game)
        name_of(games, game)
        uses(games, 1)
    uses(games, 0)


def test_after_a_failure_there_is_another_view(games: Games, game: str) -> None:
    with one_view():
        assert name_of(games, game) == "Ana"
        elsewhere(games.change, game, "players", renamed("Luis"))
        with pytest.raises(DBAPIError), reading(games._sessions) as session:
            session.execute(text("select * from nowhere"))
        uses(games, 0)
        assert name_of(games, game) == "Luis"


def test_what_is_not_there_leaves_the_view_as_it_is(games: Games, game: str) -> None:
    with one_view():
        assert name_of(games, game) == "Ana"
        elsewhere(games.change, game, "players", renamed("Luis"))
        with pytest.raises(NoSuchGameError):
            games.open("0" * 16)
        assert name_of(games, game) == "Ana"
    assert name_of(games, game) == "Luis"


def test_a_view_is_one_threads_and_ends(games: Games, game: str) -> None:
    names: list[str] = []

    def look() -> None:
        names.append(name_of(games, game))

    with one_view():
        assert name_of(games, game) == "Ana"
        inherited = copy_context()
        elsewhere(games.change, game, "players", renamed("Luis"))
        elsewhere(inherited.run, look)
        assert name_of(games, game) == "Ana"
        uses(games, 1)
    inherited.run(look)
    assert names == ["Luis", "Luis"]
    uses(games, 0)


def test_a_page_is_drawn_of_one_view(
    games: Games, player: Player, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unchanged = gate.not_modified

    def after_the_gate(opened: SavedGame) -> Response | None:
        elsewhere(games.change, game, "players", renamed("Luis"))
        return unchanged(opened)

    monkeypatch.setattr(gate, "not_modified", after_the_gate)
    seen = player.get(f"/games/{game}/players/0/review").text
    assert "Ana" in seen and "Luis" not in seen
    monkeypatch.undo()
    assert "Luis" in player.get(f"/games/{game}/players/0/review").text
    uses(games, 0)


def test_a_table_is_written_to_of_the_game_as_it_is(app: Flask, games: Games, game: str) -> None:
    live: LiveService = app.extensions["stargazer live"]
    names: list[str] = []

    def tell(now: SavedGame, *_: Any) -> list[Any]:
        names.append(now.document["players"][0]["name"])
        return []

    with one_view():
        name_of(games, game)
        elsewhere(games.change, game, "players", renamed("Luis"))
        live.append_with(game, tell)
    assert names == ["Luis"]


def test_a_connection_that_is_cut_off_is_left_quietly(games: Games, game: str) -> None:
    sessions = games._sessions
    if sessions.kw["bind"].dialect.name != "postgresql":
        pytest.skip("SQLite has no connection that can be cut off")

    def cut_off(process: int) -> None:
        with sessions() as session:
            session.execute(text(f"select pg_terminate_backend({process})"))

    with one_view():
        with reading(sessions) as session:
            process = session.scalar(text("select pg_backend_pid()"))
        elsewhere(cut_off, process)
        with pytest.raises(OperationalError):
            name_of(games, game)
        with reading(sessions) as session:
            process = session.scalar(text("select pg_backend_pid()"))
        elsewhere(cut_off, process)
    assert name_of(games, game) == "Ana"
    uses(games, 0)
