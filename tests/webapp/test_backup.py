"""Everything as one file, and back: equal on an empty machine, without loss on another one."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from calibration import load_profile, owned
from calibration.colour_profile import ColourProfile, Swatch, write_colour_profile
from calibration.profile import save_colour_profile
from tests.conftest import in_ci
from tests.webapp.conftest import STARS, Player, TellingReader, jpeg, players_form
from webapp.app.backup import archive
from webapp.app.backup.backups import Backups
from webapp.app.backup.merging import GameMerge
from webapp.app.database import SeatRow
from webapp.app.live.log import Camera
from webapp.app.session.flow import is_guided
from webapp.app.settings import Settings
from webapp.web.application import create_app

Machine = Callable[[str], Flask]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Another computer at each call: a server with its own folder and its own boards."""
    made: list[Flask] = []

    def make(name: str) -> Flask:
        boards = tmp_path / name / "boards"
        for module in ("profile", "owned", "versions"):
            monkeypatch.setattr(f"calibration.{module}.owner_profiles", lambda: boards)
        monkeypatch.setattr("webapp.app.backup.backups.owner_profiles", lambda: boards)
        settings = Settings(data_dir=tmp_path / name, rate_limits=False)
        app = create_app(settings, TellingReader(), run_job=lambda job, *rest: job(*rest))
        made.append(app)
        return app

    yield make
    for app in made:
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()


def evening(app: Flask) -> str:
    """Play a game to its score, begin another, follow a third, with a board and pictures."""
    player = Player(app.test_client())
    game = player.play_to_score("Ana", "Luis")
    player.post(f"{game}/note", {"note": "at home", "was": ""})
    begun = player.new_game("Eva", "Ana")
    events = [
        {"t": number, "board": 0, "kind": "placed", "space": space, "star": star}
        for number, (space, star) in enumerate(STARS.items())
    ]
    live, followed = app.extensions["stargazer live"], begun.split("/")[2]
    live.log.start(Camera(followed, "cam", "rtsp://ana:secret@10.0.0.7/live"))
    live.record(followed, "cam", events, MEMORY)
    opened = player.post("/my-boards/standard/copy").headers["Location"].rsplit("/", 1)[1]
    app.extensions["stargazer"].drafts.save(opened, {**DRAWN, "name": "half drawn"})
    write_colour_profile(
        app.extensions["stargazer"].settings.colour_samples / "nebula-standard.yaml",
        ColourProfile((Swatch("red", "#c82828"),)),
        "nebula",
    )
    player.get("/people")
    ana = next(
        one for one in app.extensions["stargazer"].history.persons.all() if one.name == "Ana"
    )
    player.post(f"/people/{ana.id}/picture", {"photo": (io.BytesIO(jpeg()), "x.jpg")})
    for learner in (ana.id, ""):  # whoever says who learns takes over what nobody's was
        player.post("/lessons/learner", {"person": learner})
        player.post("/lessons/nebula/first_star", {"try": "place red core"})
    owned.unpack_profile(owned.pack_profile(load_profile("standard")))
    save_colour_profile("standard", ColourProfile((Swatch("blue", "#1030c0"),)))
    guided = player.post("/games/new", {**players_form("Zoe", "Ida"), "guided": "yes"})
    guide = guided.headers["Location"]
    assert player.post(guide, {"draws": "hand", "computers": "-,-"}).status_code == 303
    app.extensions["stargazer"].reading_queue._read.problem = "no_board"
    player.read_photograph(begun, player=1)
    return game


DRAWN = load_profile("standard").layout.to_data()
MEMORY: dict[str, Any] = {
    "format": 1,
    "boards": [
        {
            "pose": [[1.0, 0.0, 5.0], [0.0, 1.0, 5.0], [0.0, 0.0, 1.0]],
            "lying": {"ar1": "red"},
            "known": ["ar1", "ar2"],
            "mistaken": {},
        }
    ],
}


def saved(app: Flask) -> bytes:
    """A backup, as the browser of whoever serves is given it."""
    answer = Player(app.test_client()).post("/backup/save")
    assert answer.status_code == 200 and answer.mimetype == "application/zip"
    return answer.data


def brought_back(app: Flask, backup: bytes) -> Player:
    """Bring a backup back in the browser, in parts."""
    player = Player(app.test_client())
    half = len(backup) // 2
    for at, part in ((0, backup[:half]), (half, backup[half:])):
        sent = player.post("/backup/parts", {"at": at, "part": (io.BytesIO(part), "part")})
        assert sent.status_code == 303
    assert player.get("/backup/check").status_code == 200
    assert player.post("/backup/restore").status_code == 303
    return player


def contents(backup: bytes) -> Mapping[str, Any]:
    """What a backup has in it by name: data of JSON, else bytes."""
    with zipfile.ZipFile(io.BytesIO(backup)) as packed:
        found = {name: packed.read(name) for name in packed.namelist() if name != archive.ABOUT}
    packs = {name: own for name, own in found.items() if name.endswith(".zip")}
    for name, own in packs.items():  # of which only the times of its files differ
        with zipfile.ZipFile(io.BytesIO(own)) as inner:
            found[name] = repr([(one, inner.read(one)) for one in inner.namelist()]).encode()
    return {n: json.loads(own) if n.endswith(".json") else own for n, own in found.items()}


def test_a_backup_on_an_empty_machine_equals_the_original(machine: Machine) -> None:
    original = machine("one")
    game = evening(original)
    backup = saved(original)
    copy = machine("two")
    player = brought_back(copy, backup)
    before, after = contents(backup), contents(saved(copy))
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] != after[name]] == []
    kinds = {name.split("/")[0] for name in before}
    assert kinds >= {"games", "photographs", "boards", "persons", "persons.json", "drafts"}
    assert list(after["seen-stars.json"]) == ["nebula-standard"]
    assert "blue" in before["stars/nebula/standard.yaml"].decode()
    guides = [one.extensions["stargazer guide"] for one in (original, copy)]
    (guided,) = [
        one for one in copy.extensions["stargazer"].games.recent() if is_guided(one.document)
    ]
    states = [one.history(guided).state for one in guides]
    assert states[0] == states[1], "a guided game goes on where it was"
    (failed,) = [
        name
        for name in before
        if name.endswith(".preview.jpg") and name.replace("preview.jpg", "board0.jpg") not in before
    ]
    assert before[failed] == after[failed], "what could not be read is shown there, too"
    (draft,) = copy.extensions["stargazer"].drafts.all()
    assert draft.state == "proposed" and draft.layout["name"] == "half drawn"
    assert player.get(f"/my-boards/drafts/{draft.id}").status_code == 200
    assert player.get(f"/my-boards/drafts/{draft.id}/board.jpg").status_code == 200
    standard = load_profile("standard")
    seen = [one.extensions["stargazer"].colour_samples for one in (original, copy)]
    assert seen[0].colour_profile(standard) == seen[1].colour_profile(standard) != ColourProfile()
    assert int(seen[0].version(standard)) == seen[1].version(standard), "of the same evening"
    cameras = [
        one["cameras"]
        for name, one in after.items()
        if name.startswith("games/") and one["cameras"]
    ]
    assert cameras == [[{"name": "cam", "memory": MEMORY}]]
    assert sorted(one["name"] for one in after["lessons.json"]) == ["", "ana"]
    for made in (original, copy):
        one = Player(made.test_client())
        assert "1 finished game is counted." in one.get("/people").text
        assert "at home" in one.get(f"{game}/about").text
    assert player.get(f"{game}/score").status_code == 200


def test_no_secret_is_in_it_and_a_hidden_card_is_sealed(machine: Machine, tmp_path: Path) -> None:
    app = machine("one")
    player = Player(app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    headers = {"X-Partial": "1"}
    assert (
        player.post(
            f"{game}/live/personal", {"seat": 0, "card": "O19"}, headers=headers
        ).status_code
        == 204
    )
    live = app.extensions["stargazer live"]
    live.log.start(Camera(game.split("/")[2], "stream-1", "rtsp://ana:secret@10.0.0.7/live"))
    backup = saved(app)
    reported = json.dumps({n: str(own) for n, own in contents(backup).items()})
    key = (tmp_path / "one" / "session.key").read_bytes()
    for secret in ("rtsp", "secret", "O19", key.hex(), str(key)):
        assert secret not in reported
    again = brought_back(app, backup)
    assert again.get("/").status_code == 200
    seats = {"same": app, "other": machine("two")}
    brought_back(seats["other"], backup)
    kept = {}
    for name, made in seats.items():
        with made.extensions["stargazer"].backups._sessions() as session:
            rows = session.scalars(select(SeatRow))
            kept[name] = [(row.card, bool(row.owner), bool(row.lost_by)) for row in rows]
    assert kept == {"same": [("O19", True, False)], "other": [(None, False, True)]}


def test_nothing_is_lost_where_there_are_games_already(machine: Machine, tmp_path: Path) -> None:
    here, there = machine("one"), machine("two")
    players = {app: Player(app.test_client()) for app in (here, there)}
    names = ("Ana", "Eva", "Zoe", "Ida")
    ids = {name: players[here].new_game(name, "Luis").split("/")[2] for name in names}
    forms = {"count": "2", "mode": "intro", "marker-0": "teal", "marker-1": "coral"}

    def play(app: Flask, name: str, other: str) -> None:
        address = f"/games/{ids[name]}/players"
        answer = players[app].post(address, {**forms, "name-0": name, "name-1": other})
        assert answer.status_code == 303

    brought_back(there, saved(here))
    play(there, "Eva", "There")
    play(there, "Zoe", "There")
    players[there].post(f"/games/{ids['Zoe']}/undo")
    play(here, "Zoe", "Here")
    play(here, "Ida", "Here")
    backup = tmp_path / "there.zip"
    backup.write_bytes(saved(there))
    backups = here.extensions["stargazer"].backups
    assert backups.plan(backup).games == {
        ids["Ana"]: GameMerge.SAME,
        ids["Eva"]: GameMerge.NEWER,
        ids["Zoe"]: GameMerge.BOTH,
        ids["Ida"]: GameMerge.OLDER,
    }
    assert len(backups.restore(backup).games) == 2
    games = here.extensions["stargazer"].games.recent()
    reported = sorted(", ".join(one["name"] for one in game.document["players"]) for game in games)
    assert reported == ["Ana, Luis", "Eva, There", "Ida, Here", "Zoe, Here", "Zoe, Luis"]
    (copy,) = [one for one in games if one.id not in ids.values()]
    again = players[here].post(f"/games/{copy.id}/players/0/review/redo")
    assert again.status_code == 303
    assert "Zoe, There" in players[here].get(f"/games/{copy.id}/about").text, "undone, not lost"


def test_a_backup_that_goes_further_takes_the_place(machine: Machine) -> None:
    first, second = machine("one"), machine("two")
    player = Player(first.test_client())
    game = player.new_game("Ana", "Luis")
    brought_back(second, saved(first))
    player.lay_cards(game)
    player.read_photograph(game, player=0)
    other = brought_back(second, saved(first))
    assert len(second.extensions["stargazer"].games.recent()) == 1
    page = other.get(f"{game}/photographs").text
    assert "/boards/0.jpg" in page


def test_it_is_for_whoever_serves_alone(machine: Machine) -> None:
    app = machine("one")
    guest = app.test_client()
    guest.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    made = app.extensions["stargazer"]
    opened = replace(made.settings, invitation="open-sesame")
    app.extensions["stargazer"] = replace(made, settings=opened)
    phone = Player(guest)
    assert phone.get("/join/open-sesame").status_code == 303
    assert phone.get("/backup").status_code == 403
    for deed in ("save", "parts", "restore", "discard"):
        assert phone.post(f"/backup/{deed}").status_code == 403
    assert phone.get("/backup/check").status_code == 403


@in_ci
def test_the_commands_save_and_bring_back(
    machine: Machine, tmp_path: Path, stargazer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = machine("one")
    player = Player(app.test_client())
    player.new_game("Ana", "Luis")
    file = tmp_path / "all.zip"
    done = stargazer("backup", file, "--data", tmp_path / "one")
    assert done.exit_code == 0 and file.stat().st_size > 500
    for looks_through in ("plan", "restore"):  # a stranger's file is another process's affair
        monkeypatch.setattr(Backups, looks_through, None)
    back = stargazer("restore", file, "--data", tmp_path / "three")
    assert back.exit_code == 0 and "games brought back: 1;" in back.stdout, back.stderr
    again = stargazer("restore", file, "--data", tmp_path / "three")
    assert "games brought back: 0; here already: 1;" in again.stdout
    file.write_bytes(b"nothing")
    wrong = stargazer("restore", file, "--data", tmp_path / "three")
    assert wrong.exit_code == 2 and "is no zip" in wrong.stderr
    none = stargazer("restore", tmp_path / "none.zip", "--data", tmp_path / "three")
    assert none.exit_code == 2 and "No such file" in none.stderr


def test_it_is_streamed(app: Flask, player: Player) -> None:
    player.play_to_score("Ana", "Luis")
    parts = list(app.extensions["stargazer"].backups.written())
    assert len(parts) > 4
