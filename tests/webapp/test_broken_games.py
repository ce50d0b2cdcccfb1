"""A database that is damaged: one game that cannot be read is one game, and never all of them."""

import sqlite3
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import MakeApp, Player, players_form
from tests.webapp.test_backup import Machine, machine
from tests.webapp.test_restores import ID, game, revision
from tests.webapp.test_storage import guest
from webapp.app.database import DatabaseError, open_database
from webapp.app.session import game_document

__all__ = ["machine"]

BROKEN = {
    "no JSON": "{",
    "null": "null",
    "no game": "[]",
    "nobody": '{"game": "nebula", "players": [], "confirmed": []}',
    "chess": '{"game": "chess", "players": [{"name": "Ana", "marker": "teal"}], "confirmed": []}',
    "no text": b"\xff\xfe{",
}


def damage(app: Flask, address: str, document: str | bytes, which: str = "1=1") -> None:
    """Write something else over a game's states."""
    with sqlite3.connect(app.extensions["stargazer"].settings.data_dir / "stargazer.db") as it:
        done = it.execute(
            f"UPDATE revisions SET document = CAST(? AS TEXT) WHERE game_id = ? AND {which}",
            (document, address.rsplit("/", 1)[1]),
        )
        assert done.rowcount


@pytest.mark.parametrize("kind", BROKEN)
def test_a_game_that_cannot_be_read_is_one_broken_game(
    player: Player, app: Flask, kind: str
) -> None:
    broken, well = player.new_game("Ana"), player.play_to_score("Eva", "Luis")
    damage(app, broken, BROKEN[kind])
    home = player.get("/")
    assert home.status_code == 200 and "This game cannot be read" in home.text
    assert "Eva" in home.text and f"{broken}/delete" in home.text
    assert "data-confirm" not in home.text, "what is deleted comes back, and nobody is asked"
    reported = player.get(f"{broken}/nebula/cards")
    assert reported.status_code == 409 and "the other games are not" in reported.text
    for path in ("/people", "/my-boards", "/games/new", f"{well}/score", "/?q=Eva", "/learn"):
        assert player.get(path).status_code < 500, path
    assert player.post("/games/new", players_form("Max")).status_code == 303
    player.send_photograph(player.new_game("Zoe"))
    for path in ("undo", "redo", "rematch", "earlier/0", "photographs"):
        assert player.post(f"{broken}/{path}").status_code in (404, 409), path
    assert player.post(f"{broken}/mend").headers["Location"] == "/"
    assert "No state of this game can be read" in player.get("/").text
    assert player.post(f"{broken}/delete").status_code == 303
    assert "This game cannot be read" not in player.get("/").text
    assert player.post(f"{broken}/restore").status_code == 303
    assert "This game cannot be read" in player.get("/").text


def test_it_is_saved_as_it_is_for_whoever_serves(make_app: MakeApp, app: Flask) -> None:
    app = make_app(rate_limits=False, invitation="open-sesame")
    host, phone = Player(app.test_client()), guest(app, 7)
    broken = host.new_game("Ana")
    damage(app, broken, "{broken")
    assert "as-it-is.json" in host.get("/").text
    saved = host.get(f"{broken}/as-it-is.json")
    assert saved.json is not None and saved.json["revisions"][0]["document"] == "{broken"
    assert "as-it-is.json" not in phone.get("/").text
    assert f"{broken}/delete" not in phone.get("/").text, "whoever only looks is not offered that"
    assert phone.get(f"{broken}/as-it-is.json").status_code == 403
    assert host.get(f"{host.new_game('Eva')}/as-it-is.json").status_code == 404, "it has secrets"


def test_a_game_goes_back_to_its_last_good_state(player: Player, app: Flask) -> None:
    broken = player.new_game("Ana")
    player.lay_cards(broken)
    damage(app, broken, "{", "number = 2")
    assert "cannot be read" in player.get("/").text
    assert player.post(f"{broken}/mend").status_code == 303
    assert "cannot be read" not in player.get("/").text
    assert player.get(f"{broken}/nebula/cards").status_code == 200
    assert player.get(f"{broken}/earlier").status_code == 200
    redone = player.post(f"{broken}/players/0/review/redo")
    assert redone.status_code == 409, "what was damaged"
    assert player.post(f"{broken}/undo").status_code == 303
    assert player.post(f"{broken}/note", {"note": "x", "was": ""}).status_code == 303


def test_a_backup_has_what_can_be_read(machine: Machine) -> None:
    app = machine("here")
    player = Player(app.test_client())
    lost, half, well = (player.new_game(name) for name in ("Ana", "Eva", "Luis"))
    player.lay_cards(half)
    damage(app, lost, "{")
    damage(app, half, "null", "number = 1")
    backups = app.extensions["stargazer"].backups
    file = Path(app.extensions["stargazer"].settings.data_dir, "backup.zip")
    file.write_bytes(b"".join(backups.written()))
    plan = backups.plan(file)
    assert sorted(plan.games) == sorted(one.rsplit("/", 1)[1] for one in (half, well))
    assert b"unreadable/" + lost.rsplit("/", 1)[1].encode() in file.read_bytes()


def test_a_backup_brings_a_broken_game_back(machine: Machine) -> None:
    app = machine("here")
    player = Player(app.test_client())
    now = dict(game_document.new_game([("Ana", "teal")], "full", "nebula"))
    backups = app.extensions["stargazer"].backups
    file = Path(app.extensions["stargazer"].settings.data_dir, "backup.zip")
    file.write_bytes(game(revisions=revision(**now)))
    backups.restore(file)
    damage(app, f"/games/{ID}", "{")
    (brought,) = backups.restore(file).games
    assert player.get(f"/games/{brought}/nebula/cards").status_code == 200


def test_garbage_in_the_file_is_reported_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "stargazer.db"
    open_database(f"sqlite:///{file}").kw["bind"].dispose()
    data = bytearray(file.read_bytes())
    data[8192 : len(data) // 2] = b"garbage!" * ((len(data) // 2 - 8192) // 8)
    file.write_bytes(data)
    with pytest.raises(DatabaseError) as caught:
        open_database(f"sqlite:///{file}")
    reported = str(caught.value)
    assert "is damaged" in reported and "stargazer restore" in reported and "\n" not in reported


def test_garbage_while_it_runs_is_reported_in_one_line(
    player: Player, app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    player.get("/")
    file = app.extensions["stargazer"].settings.data_dir / "stargazer.db"
    for one in (file, file.with_name("stargazer.db-wal")):
        one.write_bytes(b"garbage!" * 20_000)
    app.extensions["stargazer"].games._sessions.kw["bind"].dispose()
    reported = player.get("/")
    assert reported.status_code == 500 and "The database is damaged" in reported.text
    assert "start it again there" in reported.text
    assert "the database is damaged" in caplog.text and "Traceback" not in caplog.text
