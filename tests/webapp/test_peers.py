"""Two servers that share a database and a folder: what one does the other knows, and takes over."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask
from sqlalchemy import create_engine

from tests.conftest import in_ci
from tests.services import free_port, missing, redis
from tests.webapp.conftest import MakeApp, Player, TellingReader, both_databases, jpeg
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from webapp.app import peers
from webapp.app.database import open_database
from webapp.app.live.log import AppendedMeanwhileError
from webapp.app.reading import reading_queue
from webapp.app.session.saved_games import Games
from webapp.app.settings import Settings
from webapp.web.application import create_app

pytestmark = [
    *both_databases,
    pytest.mark.skipif(bool(missing("redis")), reason=f"for lack of {missing('redis')}"),
]
PATIENCE_S = 60


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis() as url:
        yield url


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a Redis that is slow to answer because the machine is busy."""
    for name in peers.PATIENCE:
        monkeypatch.setitem(peers.PATIENCE, name, float(PATIENCE_S))


@pytest.fixture
def two(
    tmp_path: Path,
    database_url: str,
    redis_url: str,
    reader: TellingReader,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[list[Flask]]:
    """Two servers, the first one first; one that ended is soon known to have."""
    for module in (peers, reading_queue):
        monkeypatch.setattr(module, "LEASE", 0.5)

    def run_here(job: Any, *arguments: Any) -> Any:
        return job(*arguments)

    made = [
        create_app(
            Settings(
                tmp_path, database_url, redis_url=redis_url, is_first=is_first, rate_limits=False
            ),
            reader,
            FakeFrameWorker,
            run_here,
        )
        for is_first in (True, False)
    ]
    yield made
    for app in made:
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()
        app.extensions["stargazer"].games.close()


def test_a_page_at_one_server_hears_of_a_tap_at_the_other(two: list[Flask]) -> None:
    one, other = (Player(app.test_client()) for app in two)
    game = one.new_game("Ana")
    notifier = two[1].extensions["stargazer live"].notifier
    known = {game.rsplit("/", 1)[1]: notifier.count(game.rsplit("/", 1)[1])}
    one.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17", "advanced": "B3,B16,B20,B24"})
    assert notifier.wait(known, PATIENCE_S), "nothing was heard of it"
    assert other.get(game).status_code == 303, "the game is there, with the same cookies' key"


def test_what_both_add_to_a_log_at_once_is_added_one_after_the_other(two: list[Flask]) -> None:
    game_id = Player(two[0].test_client()).new_game("Ana").rsplit("/", 1)[1]
    one, other = (app.extensions["stargazer live"] for app in two)
    reported: list[int] = []

    def tell(_game: Any, _rules: Any, table: Any, _entries: Any) -> Any:
        if not reported:  # meanwhile, at the other server
            other.tell(game_id, "placed", {"seat": 0, "space": "core", "star": "red"})
        reported.append(table.number)
        return [("placed", {"seat": 0, "space": "ar1", "star": "blue"})]

    one.append_with(game_id, tell)
    assert reported == [0, 1], "what came meanwhile was looked at before anything was added"
    assert [entry.number for entry in other.entries(game_id)] == [1, 2]
    with pytest.raises(AppendedMeanwhileError):
        one.log.append(game_id, [("placed", {})], after=1)


def test_a_photograph_of_a_server_that_ended_is_read_by_the_other_once(
    two: list[Flask], reader: TellingReader
) -> None:
    game_id = Player(two[0].test_client()).new_game("Ana").rsplit("/", 1)[1]
    ended, left = (app.extensions["stargazer"] for app in two)
    ended.reading_queue.close()
    photograph = ended.photographs.add(game_id, jpeg(), lambda _waiting: None)
    deadline = time.monotonic() + PATIENCE_S
    while left.photographs.of(game_id)[0].state == "waiting" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [one.state for one in left.photographs.of(game_id)] == ["read"]
    assert len(reader.names) == 1 and photograph.id == left.photographs.of(game_id)[0].id


def test_what_one_server_has_in_hand_the_other_leaves_to_it(
    redis_url: str, database_url: str
) -> None:
    one, other = peers.Peers(redis_url), peers.Peers(redis_url)
    assert one.lease(database_url) and one.lease(database_url)
    assert not other.lease(database_url)


def test_a_database_that_is_gone_is_reported_and_asked_again(two: list[Flask]) -> None:
    player = Player(two[0].test_client())
    game = player.new_game("Ana")
    sessions = two[0].extensions["stargazer"].games._sessions
    there = sessions.kw["bind"]
    sessions.configure(bind=create_engine(f"postgresql+psycopg://127.0.0.1:{free_port()}/gone"))
    page = player.get(f"{game}/photographs")
    assert page.status_code == 503 and "The database is not responding" in page.text
    assert player.get("/healthz").status_code == 503, "proxies ask another server"
    sessions.configure(bind=there)
    assert player.get(f"{game}/photographs").status_code == 200


def test_a_redis_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PATIENCE, "socket_timeout", 0.05)
    reported = pytest.raises(peers.PeersError, match="does not answer")
    with socket.create_server(("127.0.0.1", 0)) as silent, reported:
        peers.Peers(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")


def test_a_redis_that_is_not_there_is_reported_in_one_line() -> None:
    with pytest.raises(peers.PeersError, match=r"^--redis .* does not answer"):
        peers.Peers("redis://127.0.0.1:1/0")


def test_several_servers_need_more_than_a_file(
    stargazer: Callable[..., Result], tmp_path: Path, redis_url: str, database_url: str
) -> None:
    file = f"sqlite:///{tmp_path / 'games.db'}"
    reported = stargazer("serve", "--data", tmp_path, "--redis", redis_url, "--database", file)
    assert reported.exit_code != 0 and "they need a PostgreSQL" in reported.output


@in_ci
def test_a_backup_moves_from_one_database_to_the_other_and_back(
    stargazer: Callable[..., Result], make_app: MakeApp, tmp_path: Path, database_url: str
) -> None:
    home = make_app(database_url="")
    game_id = Player(home.test_client()).new_game("Ana").rsplit("/", 1)[1]
    before = home.extensions["stargazer"].games.open(game_id)
    saved, again = tmp_path / "home.zip", tmp_path / "club.zip"
    there = Settings(tmp_path / "club", database_url)
    elsewhere = ["--data", there.data_dir, "--database", there.database]
    assert stargazer("backup", saved, "--data", tmp_path / "data").exit_code == 0
    assert "brought back: 1" in stargazer("restore", saved, *elsewhere).output
    assert stargazer("backup", again, *elsewhere).exit_code == 0
    last = Settings(tmp_path / "last")
    assert "brought back: 1" in stargazer("restore", again, "--data", last.data_dir).output
    after = Games(open_database(last.database)).open(game_id)
    assert (after.document, after.revision) == (before.document, before.revision)
