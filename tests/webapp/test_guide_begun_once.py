"""A guided game is begun once; what another one takes the place of comes back."""

from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import both_databases, players_form
from tests.webapp.guided import Guided
from webapp.app.guide.history import History
from webapp.app.guide.service import GuideService
from webapp.app.session.saved_games import SavedGame

pytestmark = both_databases


def begin(guided: Guided, **more: str) -> str:
    """Begin as a page does that was left open; where that leads."""
    form = {"draws": "program", "computers": "-,-", **more}
    answer = guided.player.post(f"{guided.game}/guide", form)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def test_a_guided_game_not_yet_begun_is_listed_as_guided(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="")
    assert "Next: Guided game" in guided.player.get("/").text


def test_a_running_game_is_begun_once(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    before, entries = guided.history, guided.service._live.entries(guided.id)
    for more in ({}, {"anew": "yes"}):
        assert begin(guided, **more) == guided.game
        assert "The game has already begun" in guided.player.get(f"{guided.game}/guide").text
    guided.player.post(f"{guided.game}/guide/off")
    assert begin(guided) == guided.game
    assert guided.service._live.entries(guided.id) == entries
    guided.player.post(f"{guided.game}/guide/on")
    assert guided.history == before


def test_what_is_done_while_a_page_is_drawn_is_news_to_it(
    guided: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, before = GuideService.taken_card, guided.history.number

    def meanwhile(self: GuideService, game: SavedGame, history: History) -> Any:
        if guided.history.number == before:
            guided.do("time 2 -3 0")  # on another phone
        return really(self, game, history)

    monkeypatch.setattr(GuideService, "taken_card", meanwhile)
    page = guided.page()
    assert f'name="seen" value="{before}"' in page and guided.history.number > before
    assert int(page.partition('data-last="')[2].partition('"')[0]) < guided.history.number


def test_a_game_on_the_table_is_left_only_where_it_is_said_and_comes_back(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    before, number = guided.state, guided.service._live.log.last(guided.id)
    two, three = (players_form(*names, mode="intro") for names in (("A", "B"), ("A", "B", "C")))
    guided.player.post(f"{guided.game}/players", three)
    assert begin(guided, computers="-,-,-") == f"{guided.game}/guide?draft=program:-,-,-"
    page = guided.player.get(f"{guided.game}/guide?draft=program:-,-,-").text
    assert 'id="in-use"' in page and 'name="anew" value="yes"' in page
    assert guided.service._live.log.last(guided.id) == number
    assert begin(guided, computers="-,-,-", anew="yes") == f"{guided.game}/guide"
    assert len(guided.history.state.seats) == 3 and guided.stars(0) == {}

    guided.player.post(f"{guided.game}/players", two)
    page = guided.player.get(f"{guided.game}/earlier").text
    assert page.count("/earlier/games/") == 1
    for _tapped_twice in range(2):
        guided.player.post(f"{guided.game}/earlier/games/{number}")
    assert guided.state == before and guided.stars(0) == {"core": "white"}
    kinds = [entry.kind for entry in guided.service._live.entries(guided.id)]
    assert kinds.count("restart") == 2
    guided.do("place red ar1")
    assert guided.stars(0) == {"core": "white", "ar1": "red"}
    assert guided.player.post(f"{guided.game}/earlier/games/3").status_code == 404


def test_a_new_game_at_the_table_taken_back_is_the_guided_one_again(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    before = guided.state
    for _tapped_twice in range(2):
        guided.player.post(f"{guided.game}/live/restart")
    restart = guided.service._live.entries(guided.id)[-1]
    assert restart.kind == "restart" and restart.number == guided.service._live.log.last(guided.id)
    assert guided.service._live.entries(guided.id)[-2].kind != "restart", "a second tap is none"
    assert guided.asked() == "Do you have the game on the table?"
    guided.player.post(f"{guided.game}/live/entries/{restart.number}", {"what": "nothing"})
    assert guided.state == before


def test_what_the_guide_wrote_down_is_no_step_of_the_time_line(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    log = guided.service._live.log
    done = {"entry": log.last(guided.id), "event": None}
    reported = guided.player.post(
        f"{guided.game}/live/entries/{done['entry']}", {"what": "nothing"}
    )
    assert reported.status_code == 422
    log.append(guided.id, [("amend", done)])  # as it was possible once
    guided.player.post(f"{guided.game}/guide/off")
    assert guided.player.get(f"{guided.game}/live").status_code == 200
