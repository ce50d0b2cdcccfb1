"""Backups that are not what they should be."""

import io
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import Player, jpeg
from tests.webapp.test_backup import MEMORY
from webapp.app.backup.archive import BackupError
from webapp.app.session import game_document


def packed(**parts: bytes | str) -> bytes:
    """A zip with these parts; a name's two underscores are a slash."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in {"backup.json": '{"format": 1}', **parts}.items():
            made.writestr(name, content)
    return out.getvalue()


ID = "0123456789abcdef"
GAME = {
    "id": ID,
    "revision": 0,
    "created_at": "2026-11-20T20:00:00",
    "changed_at": "2026-11-20T20:00:00",
    "deleted_at": None,
    "revisions": [],
    "seats": [],
    "photographs": [],
    "live": [],
}


def game(**changes: Any) -> bytes:
    """A backup with one game that is not what it should be."""
    return packed(**{f"games/{ID}.json": json.dumps({**GAME, **changes})})


def revision(**document: Any) -> list[Mapping[str, Any]]:
    """One step with such a document."""
    return [{"number": 0, "step": "players", "at": GAME["created_at"], "document": document}]


SEAT = {"name": "Ana", "marker": "teal", "board": None, "checked": [], "stars": {}, "black": 0}
DRAFT = {"id": ID, "game": "nebula", "state": "proposed", "corners": [[0, 0]] * 4, "layout": {}}


def draft(**changes: Any) -> bytes:
    """A backup with a board being drawn that is not what it should be."""
    written = json.dumps({**DRAFT, **changes})
    return packed(**{f"drafts/{ID}/draft.json": written, f"drafts/{ID}/photo": jpeg()})


def stars(name: str, **kept: Any) -> bytes:
    """A backup with stars that were seen which are none."""
    return packed(**{"seen-stars.json": json.dumps({name: kept})})


def cameras(memory: Any) -> bytes:
    """A backup with a camera that remembers what cannot be."""
    document = revision(game="nebula", players=[SEAT], confirmed=[])
    return game(revisions=document, cameras=[{"name": "cam", "memory": memory}])


HOSTILE = {
    "a draft of nothing": packed(**{f"drafts/{ID}/draft.json": "[]"}),
    "a draft without a photograph": packed(**{f"drafts/{ID}/draft.json": json.dumps(DRAFT)}),
    "another draft": draft(id="f" * 16),
    "a draft of chess": draft(game="chess"),
    "a draft in no state": draft(state="eaten"),
    "a draft elsewhere": draft(corners=[["x"]]),
    "a draft with more": draft(path="/etc/passwd"),
    "a draft's picture": packed(
        **{f"drafts/{ID}/draft.json": json.dumps(DRAFT), f"drafts/{ID}/photo": "<html>"}
    ),
    "stars of a path": stars("../../nebula-x", at=0, swatches=[]),
    "stars of no game": stars("chess-standard", at=0, swatches=[]),
    "stars of no colour": stars("nebula-standard", at=0, swatches=[["red", "red"]]),
    "stars of never": stars("nebula-standard", at="now", swatches=[]),
    "no stars": packed(**{"seen-stars.json": "[]"}),
    "a camera of nothing": cameras([]),
    "a camera that saw nothing": cameras({"boards": [3]}),
    "a camera askew": cameras({"boards": [{**MEMORY["boards"][0], "pose": [1, 2]}]}),
    "a camera that lists": cameras({"boards": [{**MEMORY["boards"][0], "lying": []}]}),
    "no zip": b"PK nothing",
    "cut short": packed()[:-10],
    "another zip": packed(**{"evil.txt": "x"}),
    "a path": packed(**{"photographs/../../../etc/passwd": "x"}),
    "an absolute path": packed(**{"/etc/passwd": "x"}),
    "a bomb": packed(**{"persons.json": b" " * (17 * 1024 * 1024)}),
    "newer": packed(**{"backup.json": '{"format": 2}'}),
    "no picture": packed(**{f"photographs/{ID}/{ID}.photo": b"<html>"}),
    "no json": packed(**{f"games/{ID}.json": "{"}),
    "deep json": packed(**{f"games/{ID}.json": "[" * 100_000}),
    "no game": packed(**{f"games/{ID}.json": "[]"}),
    "no steps": game(),
    "unknown game": game(revisions=revision(game="chess", players=[SEAT], confirmed=[])),
    "no players": game(revisions=revision(game="nebula", players=[], confirmed=[])),
    "strange step": game(revisions=revision(game="nebula", mode=3, players=[SEAT], confirmed=[])),
    "wrong type": game(revision="0"),
    "many steps": game(revisions=[0] * 1000),
    "lessons": packed(**{"lessons.json": '[{"name": 3}]'}),
    "no lessons": packed(**{"lessons.json": "{}"}),
    "persons": packed(**{"persons.json": '[{"name": 3}]'}),
}


def test_a_hostile_file_is_refused_in_one_line(app: Flask, tmp_path: Path) -> None:
    file = tmp_path / "backup.zip"
    backups = app.extensions["stargazer"].backups
    for kind, content in HOSTILE.items():
        file.write_bytes(content)
        with pytest.raises(BackupError) as caught:
            backups.restore(file)
        assert "\n" not in str(caught.value), kind
        assert app.extensions["stargazer"].games.recent() == [], kind


EARLIER = {
    "a card": {"career": ["<script>", "V7", "V12", "V17"]},
    "a deck": {"advanced": ["B3", "V5", "B20", "B24"]},
    "an answer": {"values": {"colours": ["<script>"], "constellations": [], "advanced": []}},
    "an edition": {"edition": "<script>"},
    "a game": {"game": "polaris"},
    "an offer": {"players": [{**SEAT, "career": {}, "offered": "9"}]},
    "a star": {"players": [{**SEAT, "career": {}, "stars": {"core": "<script>"}}]},
}


@pytest.mark.parametrize("kind", [None, *EARLIER])
def test_each_state_of_a_game_is_tried_out(app: Flask, tmp_path: Path, kind: str | None) -> None:
    """One that was undone long ago can be brought back, and its pages be opened."""
    now = dict(game_document.new_game([("Ana", "teal")], "full", "nebula"))
    earlier = {**now, **(EARLIER[kind] if kind else {"career": ["V5"]})}
    steps = [*revision(**earlier), {**revision(**now)[0], "number": 1, "parent": 0}]
    file = tmp_path / "backup.zip"
    file.write_bytes(game(revision=1, revisions=steps))
    backups = app.extensions["stargazer"].backups
    if kind is None:
        assert backups.restore(file).games == [ID]
        return
    with pytest.raises(BackupError, match=f"{ID}.json: is not a game"):
        backups.restore(file)
    assert app.extensions["stargazer"].games.recent() == []


SET_UP = {
    **{"computers": ["", ""], "draws": "hand", "seed": "00ff"},
    **{"players": 2, "mode": "full", "edition": "standard", "book": "cs"},
}
GUIDED: Mapping[str, list[Any]] = {
    "no action": [{"begin": SET_UP}, {"by": "tap"}],
    "no count": [{"begin": SET_UP}, {"do": "draw red", "told": "<script>"}],
    "a seed": [{"begin": {**SET_UP, "seed": "<script>"}}],
    "a computer": [{"begin": {**SET_UP, "computers": ["", "<script>"]}}],
    "a way to draw": [{"begin": {**SET_UP, "draws": ["hand"]}}],
}


@pytest.mark.parametrize("kind", [None, *GUIDED])
def test_what_was_done_in_a_guided_game_is_read(
    app: Flask, tmp_path: Path, kind: str | None
) -> None:
    document = dict(game_document.new_game([("Ana", "teal"), ("Eva", "lime")], "full", "nebula"))
    done = GUIDED[kind] if kind else [{"begin": SET_UP}, {"do": "draw red", "told": 0}]
    log = [
        {"number": number, "kind": "guide", "data": data, "at": GAME["created_at"]}
        for number, data in enumerate(done, 1)
    ]
    file = tmp_path / "backup.zip"
    file.write_bytes(
        game(revisions=revision(**{**document, "live": True, "guided": True}), live=log)
    )
    backups = app.extensions["stargazer"].backups
    if kind is None:
        assert backups.restore(file).games == [ID]
        return
    with pytest.raises(BackupError, match="is not a game"):
        backups.restore(file)


def test_a_size_that_is_a_lie_is_not_unpacked(app: Flask, tmp_path: Path) -> None:
    honest = game(revisions=revision(game="nebula", players=[SEAT], confirmed=[]))
    with zipfile.ZipFile(io.BytesIO(honest)) as read:
        size = read.getinfo(f"games/{ID}.json").file_size
    lie = honest.replace(struct.pack("<L", size), struct.pack("<L", size - 1))
    file = tmp_path / "backup.zip"
    file.write_bytes(lie)
    with pytest.raises(BackupError):
        app.extensions["stargazer"].backups.plan(file)


def test_a_refused_backup_is_reported_in_the_browser(player: Player) -> None:
    player.post("/backup/parts", {"at": 0, "part": (io.BytesIO(HOSTILE["a path"]), "x.zip")})
    reported = player.get("/backup/check")
    assert reported.status_code == 422 and "This backup cannot be brought back" in reported.text
    assert 'href="/backup"' in reported.text.split("This backup cannot")[-1]
    assert player.get("/backup/check").status_code == 303, "it is gone"
    missing = player.post("/backup/parts", {"at": 5, "part": (io.BytesIO(b"x"), "x.zip")})
    assert missing.status_code == 422 and "Part of it is missing" in missing.text
