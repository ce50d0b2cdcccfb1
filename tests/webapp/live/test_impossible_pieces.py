"""A piece where none of its kind can lie is refused, and does no harm in an older log."""

from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from calibration import Profile, load_profile
from tests.webapp.conftest import Player
from tests.webapp.test_ptolemaeus_pages import begun
from webapp.app.backup.archive import BackupError
from webapp.app.live.entry import BadEventError, checked_event

AT = {"seat": "0", "space": "asteroid_aries"}


def is_taken(profile: Profile, space: str, piece: str) -> bool:
    event = {"kind": "placed", "space": space, "star": piece, "count": 1}
    try:
        checked_event(event, profile)
    except BadEventError:
        return False
    return True


@pytest.mark.parametrize("name", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_what_is_taken_makes_a_position(name: str) -> None:
    profile = load_profile(f"{name}/standard")
    game, places = profile.game, [at for at in profile.places if at.kind != "track"]
    taken = [
        (at, piece.id)
        for at, piece in product(places, game.pieces)
        if is_taken(profile, at.id, piece.id)
    ]
    assert taken == [
        (at, piece.id) for at, piece in product(places, game.pieces) if piece.id in game.admits(at)
    ]
    for at, piece in taken:
        game.position(profile.board, {at: piece})


@pytest.fixture
def game(player: Player) -> str:
    """A table of Ptolemaeus that is followed by hand."""
    found = begun(player, live="yes")
    player.post(f"{found}/questions/date", {"answer": "1969-07-20"})
    return found


def test_it_is_refused_by_hand_and_as_a_correction(player: Player, game: str) -> None:
    def code(path: str, **form: str) -> int:
        return player.post(f"{game}/live/{path}", form).status_code

    assert code("star", **AT, star="red") == 422
    assert code("star", **AT, star="asteroid") == 303
    assert code("entries/1", what="instead", star="red") == 422
    assert code("entries/1", what="instead", space="red_luna") == 422
    assert code("entries/1", what="instead", space="asteroid_leo") == 303
    assert player.get(f"{game}/live").status_code == 200


def test_a_table_with_one_in_its_log_opens_says_so_and_goes_on(
    app: Flask, player: Player, game: str
) -> None:
    service, id = app.extensions["stargazer live"], game.rpartition("/")[2]
    player.post(f"{game}/live/star", {**AT, "space": "asteroid_leo", "star": "asteroid"})
    event = {"kind": "placed", "space": AT["space"], "star": "red"}
    (spoiled,) = service.log.append(id, [("hand", {"seat": 0, "event": event})])
    page = player.get(f"{game}/live").text
    assert f'id="impossible-{spoiled.number}"' in page and "· cannot be" in page
    assert player.post(f"{game}/live/star", {**AT, "star": "asteroid"}).status_code == 303
    withdrawn = f"{game}/live/entries/{spoiled.number}"
    assert player.post(withdrawn, {"what": "nothing"}).status_code == 303
    page = player.get(f"{game}/live").text
    assert 'id="impossible-' not in page and "· did not happen" in page
    assert player.post(withdrawn, {"what": "again"}).status_code == 303
    assert 'id="impossible-' in player.get(f"{game}/live").text
    (position,) = service.table(app.extensions["stargazer"].games.open(id)).positions
    assert [*position.pieces.values()] == ["asteroid"] * 2


@pytest.mark.parametrize("star", ["red", "banana"])
def test_it_comes_back_from_a_backup_if_it_has_a_name(
    app: Flask, player: Player, game: str, tmp_path: Path, star: str
) -> None:
    service, backups = app.extensions["stargazer live"], app.extensions["stargazer"].backups
    event = {"kind": "placed", "space": AT["space"], "star": star}
    service.log.append(game.rpartition("/")[2], [("hand", {"seat": 0, "event": event})])
    backup = tmp_path / "backup.zip"
    backup.write_bytes(b"".join(backups.written()))
    with nullcontext() if star == "red" else pytest.raises(BackupError):
        backups.plan(backup)


TABLES: dict[str, dict[str, Any]] = {
    "nebula": {},
    "polaris": {"mode": "phases", "markers": ("red", "blue")},
    "ptolemaeus": {"mode": "", "markers": ("red", "blue")},
    "via_nebula": {"mode": "", "markers": ("red", "blue")},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_full_of_whatever_is_admitted_is_shown(
    app: Flask, player: Player, name: str
) -> None:
    game = player.new_game("Ana", "Luis", game=name, live="yes", **TABLES[name])
    profile = load_profile(f"{name}/standard")
    events = [
        {"kind": "placed", "space": at.id, "star": piece}
        | ({"count": 1} if at.kind == "region" else {})
        for at in profile.places
        if at.kind != "track"
        for piece in profile.game.admits(at)
    ]
    entries = [("hand", {"seat": 0, "event": event}) for event in events]
    app.extensions["stargazer live"].log.append(game.rpartition("/")[2], entries)
    page = player.get(f"{game}/live")
    assert page.status_code == 200 and 'id="impossible-' not in page.text
    wrong = {"seat": "0", "space": events[0]["space"], "star": "banana", "count": "1"}
    assert player.post(f"{game}/live/star", wrong).status_code == 422


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "there can be: asteroid"), ("es", "puede haber"), ("cs", "tam může být")],
)
def test_the_refusal_says_what_can_lie_there(
    player: Player, game: str, language: str, said: str
) -> None:
    player.post("/preferences", {"language": language})
    answer = player.post(f"{game}/live/star", {**AT, "star": "red"})
    assert answer.status_code == 422 and said in answer.text


def test_each_place_offers_what_may_lie_there(player: Player, game: str) -> None:
    page = player.get(f"{game}/live").text
    assert '<option value="asteroid_aries" data-admits="asteroid">' in page
    assert '<option value="red_luna" data-admits="red">' in page
