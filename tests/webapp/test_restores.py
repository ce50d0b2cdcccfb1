"""A backup that a stranger may have made is looked through outside the server, one at a time."""

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.webapp.conftest import MakeApp, Player
from tests.webapp.live.conftest import eventually
from tests.webapp.test_hostile_backup import ID, game, packed, revision
from webapp.app.backup import restores
from webapp.app.backup.archive import BackupError
from webapp.app.backup.backups import Backups, Restored
from webapp.app.backup.restores import Restores
from webapp.app.database import open_database
from webapp.app.session import game_document
from webapp.app.session.saved_games import Games
from webapp.app.settings import Settings
from webapp.app.storage import NoRoomError

NEW_GAME = dict(game_document.new_game([("Ana", "teal")], "full", "nebula"))


def states(count: int) -> bytes:
    """A backup of a game with so many states, no two alike."""
    documents = [{**NEW_GAME, "note": str(number)} for number in range(count)]
    steps = [
        {**revision(**document)[0], "number": number, "parent": number - 1 if number else None}
        for number, document in enumerate(documents)
    ]
    return game(revision=count - 1, revisions=steps)


@pytest.fixture
def apart(tmp_path: Path) -> Restores:
    return Restores(Settings(data_dir=tmp_path), b"key")


@in_ci
def test_it_is_looked_through_and_brought_back_by_another_process(
    apart: Restores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "backup.zip"
    monkeypatch.setattr(Backups, "plan", None)
    monkeypatch.setattr(Backups, "restore", None)
    file.write_bytes(states(2))
    assert apart.restore(file).games == [ID]
    assert Games(open_database(apart.settings.database)).open(ID).document["note"] == "1"
    file.write_bytes(packed(**{f"games/{ID}.json": "{"}))
    with pytest.raises(BackupError, match="is not JSON"):
        apart.plan(file)


@in_ci
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux counts memory")
def test_one_that_fills_the_memory_is_refused(
    apart: Restores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restores, "MEMORY", 200 * 1024 * 1024)
    file = tmp_path / "backup.zip"
    file.write_bytes(packed(**{f"games/{ID}.json": "[" + "[]," * 5_000_000 + "[]]"}))
    assert file.stat().st_size < 100_000
    with pytest.raises(BackupError, match="has far too much in it"):
        apart.plan(file)


def test_one_that_takes_too_long_is_stopped(
    apart: Restores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restores, "WORKS_AT_LEAST", 0.05)
    monkeypatch.setattr(restores, "SECONDS_OF_MB", 0.0)
    monkeypatch.setattr(restores, "WORKS_AT_MOST", 0.05)
    file = tmp_path / "backup.zip"
    file.write_bytes(states(900))
    with pytest.raises(BackupError, match="takes far too long"):
        apart.plan(file)


def test_one_that_is_larger_than_all_that_is_kept_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Restores(
        Settings(data_dir=tmp_path, max_stored_bytes=10_000), b"key", lambda job, *rest: job(*rest)
    )
    file = tmp_path / "backup.zip"
    file.write_bytes(packed(**{f"games/{ID}.json": " " * 20_000}))
    with pytest.raises(NoRoomError, match="storage"):
        small.plan(file)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Restoring goes on until this is set."""
    goes_on, really = threading.Event(), Backups.restore

    def restore(backups: Backups, path: Path) -> Restored:
        assert goes_on.wait(60)
        return really(backups, path)

    monkeypatch.setattr(Backups, "restore", restore)
    yield goes_on
    goes_on.set()


def test_of_several_at_once_one_is_brought_back(make_app: MakeApp, slow: threading.Event) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    part = {"at": 0, "part": (io.BytesIO(states(1)), "x.zip")}
    assert player.post("/backup/parts", part).status_code == 303
    codes: list[int] = []
    players = [Player(app.test_client()) for _ in range(4)]
    for one in players:
        one.token()
    asking = [
        threading.Thread(target=lambda one=one: codes.append(restored(one))) for one in players
    ]
    for thread in asking:
        thread.start()
    eventually(lambda: len(codes) == 3)
    assert codes == [409] * 3
    reported = player.post("/backup/restore")
    assert reported.status_code == 409 and "A backup is being brought back" in reported.text
    again = {"at": 0, "part": (io.BytesIO(b"x"), "x.zip")}
    assert player.post("/backup/parts", again).status_code == 409
    assert player.get("/backup/check").status_code == 409
    assert player.post("/backup/discard").status_code == 409
    slow.set()
    for thread in asking:
        thread.join(60)
    assert codes == [409] * 3 + [303]
    assert [one.id for one in app.extensions["stargazer"].games.recent()] == [ID]
    assert player.post("/backup/restore").headers["Location"] == "/backup"


def restored(player: Player) -> int:
    """Bring back what was sent; return the answer's code."""
    return player.post("/backup/restore").status_code
