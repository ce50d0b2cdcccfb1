"""The HTTP API, as a script calls it."""

import io
from pathlib import Path

import pytest

from scorer.datafile import LARGEST_FILE
from tests.webapp.conftest import HERE, STARS, Player, TellingReader, jpeg, read_board

GAME = {
    "format": 1,
    "game": "nebula",
    "mode": "intro",
    "career": ["V5"],
    "players": [{"name": "Ana", "stars": STARS, "black": 4, "personal": "O2", "career": {}}],
}


def read(player: Player, content: bytes | None = None, **form: str):
    photo = (io.BytesIO(jpeg() if content is None else content), form.pop("name", "ana.jpg"))
    return player.client.post("/api/read", base_url=HERE, data={"photo": photo, **form})


def test_the_server_says_that_it_is_alive(player: Player) -> None:
    assert player.get("/healthz").json == {"status": "ok"}


def test_a_photograph_is_read(player: Player) -> None:
    answer = read(player)
    assert answer.status_code == 200
    assert answer.json["photo"] == "ana.jpg"
    assert answer.json["boards"][0]["spaces"]["core"]["star"] == "red"


def test_what_only_the_companion_keeps_is_not_sent(player: Player, reader: TellingReader) -> None:
    spaces = {
        space: {**seen, "colour": "#b01020"} for space, seen in read_board()["spaces"].items()
    }
    reader.boards = [{**read_board(), "spaces": spaces}]
    sent = read(player).json["boards"][0]["spaces"]
    assert all(set(seen) == {"star", "confidence"} for seen in sent.values())


def test_a_photographs_name_is_no_path(player: Player, reader: TellingReader) -> None:
    read(player, name="../../secret/ana.jpg")
    assert reader.names == ["ana.jpg"]


@pytest.mark.parametrize(
    ("problem", "code"), [("no_board", 422), ("unreadable", 422), ("not_a_photograph", 400)]
)
def test_what_cannot_be_read_is_reported(
    player: Player, reader: TellingReader, problem: str, code: int
) -> None:
    reader.problem = problem
    answer = read(player)
    assert answer.status_code == code
    assert answer.json["error"] == problem and problem in answer.json["message"]


def test_an_upload_that_is_no_picture_is_refused(player: Player) -> None:
    assert read(player, b"hello").status_code == 400
    assert player.client.post("/api/read", base_url=HERE).json["error"] == "no_photo"


@pytest.mark.parametrize("profile", ["/etc", "../standard", "none"])
def test_a_profile_is_a_name_never_a_path(player: Player, profile: str) -> None:
    answer = read(player, profile=profile)
    assert answer.status_code == 400
    assert answer.json["error"] == "unknown_profile"
    assert "standard" in answer.json["message"]


def test_a_game_is_scored(player: Player) -> None:
    answer = player.client.post("/api/score", base_url=HERE, json=GAME)
    assert answer.status_code == 200
    (ana,) = answer.json["players"]
    assert ana["total"] == sum(line["points"] for line in ana["lines"]) == 6
    assert answer.json["ranking"] == [["Ana"]]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b'{"career": ["\\ud800"]}', 400),
        (b'{"mode": "intro", "mode": "full"}', 400),
        (b'{"players": [{"name": "Ana", "stars": {}, "black": 1%s}]}' % (b"0" * 5_000), 400),
        (b'{"players": [%s7]}' % (b"7, " * 4_000), 400),
        (b"null", 422),
        (b"[]", 422),
        (b'{"players": [{"name": "Ana", "stars": {"core": "pink"}}]}', 422),
        (b'{"players": [{"name": "Ana", "photo": "/etc/passwd"}]}', 422),
        (b'{"players": [{"name": "Ana", "stars": {}}], "edition": "/etc/passwd"}', 422),
    ],
)
def test_what_is_no_game_is_reported(player: Player, body: bytes, code: int) -> None:
    answer = player.client.post(
        "/api/score", base_url=HERE, data=body, content_type="application/json"
    )
    assert answer.status_code == code, answer.text
    assert set(answer.json) == {"error", "message"}


def test_a_game_that_is_not_json_is_reported(player: Player) -> None:
    answer = player.client.post("/api/score", base_url=HERE, data="x", content_type="text/plain")
    assert answer.status_code == 415


def test_a_body_larger_than_any_game_is_refused_unread(player: Player) -> None:
    game = b'{"players": [{"name": "Ana", "stars": {}}]}'
    largest = game + b" " * (LARGEST_FILE - len(game))
    for body, code in ((largest, 200), (largest + b" ", 413)):
        answer = player.client.post(
            "/api/score", base_url=HERE, data=body, content_type="application/json"
        )
        assert answer.status_code == code
    assert answer.json == {
        "error": "too_large",
        "message": "Send a game file of at most 100,000 bytes.",
    }


def test_the_api_is_described(player: Player) -> None:
    described = player.get("/api/openapi.json").json
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {"/healthz", "/api/read", "/api/score"}
    assert "/api/read" in player.get("/api").text


def test_wrong_methods_and_addresses_are_answered_in_json(player: Player) -> None:
    assert player.get("/api/score").json["error"] == 405
    assert player.get("/api/none").json["error"] == 404


def test_no_upload_is_left_behind(player: Player, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert read(player).status_code == 200
    assert not list(tmp_path.glob("stargazer-*"))
