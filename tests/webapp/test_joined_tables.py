"""A table belongs to those who joined it: others look, and neither delete, finish nor rename it."""

import re
from pathlib import Path

import pytest

from tests.webapp.conftest import HERE, Player, both_databases
from tests.webapp.evening import Evening
from webapp.app.session.saved_games import NoSuchGameError

pytestmark = both_databases


@pytest.fixture
def evening(tmp_path: Path, database_url: str) -> Evening:
    """A table that Luis began; the guest has only scanned the invitation."""
    return Evening(tmp_path, database_url)


def asked(evening: Evening, what: str) -> str:
    return f"{evening.game}/{what}"


RENAMED = {"count": "1", "mode": "full", "name-0": "Mallory", "marker-0": "teal", "shown": "0"}


@pytest.mark.parametrize("what", ["delete", "live/finish", "players"])
def test_others_look_and_are_asked_to_join(evening: Evening, what: str) -> None:
    assert evening.guest.get(asked(evening, "live")).status_code == 200
    before = evening.app.extensions["stargazer"].games.open(evening.id)
    refused = evening.guest.post(asked(evening, what), RENAMED)
    assert refused.status_code == 403
    assert f'action="{evening.game}/join"' in refused.text
    assert evening.app.extensions["stargazer"].games.open(evening.id) == before


def test_who_joined_may_as_who_began_it_and_who_serves(evening: Evening) -> None:
    joined = evening.guest.post(asked(evening, "join"), {})
    assert joined.status_code == 303 and joined.location.startswith(evening.game)
    assert evening.guest.post(asked(evening, "players"), RENAMED).status_code != 403
    assert evening.luis.post(asked(evening, "players"), RENAMED).status_code != 403
    assert evening.computer.post(asked(evening, "players"), RENAMED).status_code != 403
    assert evening.guest.post(asked(evening, "delete"), {}).status_code == 303
    with pytest.raises(NoSuchGameError):
        evening.app.extensions["stargazer"].games.open(evening.id)


def test_who_takes_a_seat_has_joined(evening: Evening) -> None:
    assert evening.eva.post(asked(evening, "delete"), {}).status_code == 403
    assert evening.enter(evening.eva, 2, "O7") < 400
    assert evening.eva.post(asked(evening, "delete"), {}).status_code == 303


def test_a_phone_keeps_the_games_of_its_own_tables(evening: Evening) -> None:
    def kept(player: Player) -> str:
        (found,) = re.findall(r'data-keep="([^"]*)"', player.get("/").text)
        return str(found)

    assert kept(evening.luis) == kept(evening.computer) == evening.id
    assert not kept(evening.guest)
    evening.guest.post(asked(evening, "join"), {})
    assert kept(evening.guest) == evening.id


def test_a_phone_keeps_the_games_in_which_it_has_a_seat(evening: Evening) -> None:
    assert evening.enter(evening.eva, 2, "O7") < 400
    with evening.eva.client.session_transaction(base_url=HERE) as session:
        session["tables"] = []  # it has joined many others since
    assert f'data-keep="{evening.id}"' in evening.eva.get("/").text
    assert 'data-keep=""' in evening.guest.get("/").text


def test_people_belong_to_who_serves(evening: Evening) -> None:
    assert evening.guest.post("/people/undo", {}).status_code == 403
    assert evening.computer.post("/people/undo", {}).status_code == 303


def test_who_may_only_look_is_offered_nothing_that_is_refused(evening: Evening) -> None:
    """Neither a table nor a person is theirs to change."""
    delete = f'action="{evening.game}/delete"'
    assert delete in evening.luis.get("/").text and delete not in evening.guest.get("/").text
    person = re.findall(r"/people/[0-9a-f]+", evening.computer.get("/people").text)[0]
    change = f'action="{person}"'
    assert change in evening.computer.get(person).text
    assert change not in evening.guest.get(person).text
