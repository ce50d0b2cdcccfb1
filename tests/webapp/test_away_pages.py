"""Pages by which a game is begun, photographed and entered while the computer is away."""

import json
import re
from html import unescape

import pytest

from tests.webapp.conftest import Player
from webapp.web.pages import offline

GAMES = ("nebula", "polaris")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("page", ["photographs", "hand"])
def test_a_page_for_a_game_that_is_not_begun_may_be_kept(
    player: Player, game: str, page: str
) -> None:
    answer = player.get(f"/away/{game}/{page}")
    assert answer.status_code == 200 and offline.KEPT in answer.headers
    assert f"/games/{offline.ANY_GAME}/" in answer.text
    assert "follow.js" not in answer.text, "there is no such game to follow"
    assert player.get(f"/away/other/{page}").status_code == 404


def test_all_that_begins_a_game_is_named_to_be_kept(player: Player) -> None:
    found = re.search(r'data-kept-always="([^"]+)"', player.get("/preferences").text)
    for address in json.loads(unescape(found[1])):
        assert offline.KEPT in player.get(address).headers, address


def test_lessons_are_kept_before_they_are_opened_and_promise_no_sending(player: Player) -> None:
    found = re.search(r'data-kept-always="([^"]+)"', player.get("/preferences").text)
    kept = json.loads(unescape(found[1]))
    lesson = next(one for one in kept if re.fullmatch("/lessons/polaris/.+", one))
    assert "/lessons/polaris" in kept
    page = player.get(lesson).text
    assert "here you can go on once it is back" in page and "is sent when it is back" not in page
    assert "is sent when it is back" in player.get("/games/new").text
