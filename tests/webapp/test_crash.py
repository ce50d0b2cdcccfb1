"""A server killed at the worst moment: every confirmed step is there, nothing is half-written."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import in_full
from tests.webapp.conftest import MakeApp, Player
from webapp.app.database import open_database
from webapp.app.reading.photographs import Photographs
from webapp.app.session import game_document
from webapp.app.session.saved_games import Games

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX's")


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


SAVE_FOR_EVER = """
    import sys
    from tests.webapp import documents
    from webapp.app.session import game_document
    from webapp.app.database import open_database
    from webapp.app.session.saved_games import Games
    games = Games(open_database(sys.argv[1]))
    game = games.create(game_document.new_game([("Ana", "teal")], "full", "nebula"))
    print(game.id, flush=True)
    while True:
        black = (game.revision + 1) % 1000
        game = games.change(game.id, "black", lambda doc: documents.with_black(doc, 0, black))
        print(game.revision, flush=True)
"""


@pytest.mark.parametrize("saves", in_full([1, 7, 40], 7))
def test_killed_while_saving(tmp_path: Path, saves: int) -> None:
    url = f"sqlite:///{tmp_path / 'stargazer.db'}"
    process = start(SAVE_FOR_EVER, url)
    game_id = process.stdout.readline().strip()
    confirmed = 0
    while confirmed < saves:
        confirmed = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split("\n")
    confirmed = max([confirmed, *(int(line) for line in rest[:-1] if line)])
    process.wait()
    with sqlite3.connect(tmp_path / "stargazer.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    game = Games(open_database(url)).open(game_id)
    assert game.revision in {confirmed, confirmed + 1}
    assert game.document["players"][0]["black"] == game.revision % 1000
    assert game.undo == "black"


UPLOAD_HALF = """
    import os, sys, time
    from pathlib import Path
    from webapp.app.database import open_database
    from webapp.app.reading.photographs import Photographs
    def slowly(_descriptor):
        print("half", flush=True)
        time.sleep(60)
    photographs = Photographs(open_database(sys.argv[1]), Path(sys.argv[2]))
    os.fsync = slowly
    photographs.add(sys.argv[3], bytes(300_000), lambda waiting: 0)
"""


def test_killed_while_uploading(make_app: MakeApp) -> None:
    app = make_app()
    settings = app.extensions["stargazer"].settings
    game = Player(app.test_client()).new_game("Ana")
    game_id = game.rsplit("/", 1)[1]
    process = start(UPLOAD_HALF, settings.database, settings.photographs, game_id)
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(settings.photographs.rglob("*.part"))
    again = Player(make_app().test_client())
    assert "No photograph yet" in again.get(f"{game}/photographs").text
    assert not list(settings.photographs.rglob("*.*"))


def test_a_photograph_that_waited_is_read_after_the_restart(make_app: MakeApp) -> None:
    app = make_app()
    game = Player(app.test_client()).new_game("Ana")
    store = app.extensions["stargazer"].photographs
    store.add(game.rsplit("/", 1)[1], b"picture", lambda waiting: 0)
    again = Player(make_app().test_client())
    assert 'data-ready="yes"' in again.wait_for_reading(game)


def test_files_that_nothing_refers_to_are_swept(tmp_path: Path) -> None:
    sessions = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    game = Games(sessions).create(game_document.new_game([("Ana", "teal")], "full", "nebula"))
    photographs = Photographs(sessions, tmp_path / "photographs")
    kept = photographs.add(game.id, b"one", lambda waiting: 0)
    stray = photographs.path(kept).with_name("0123456789abcdef.photo")
    stray.write_bytes(b"two")
    photographs.sweep()
    assert photographs.path(kept).read_bytes() == b"one" and not stray.exists()
