"""Who plays a guided game, and what becomes of it when its players or rules change."""

import random
import re
from html import unescape

from flask import Flask

from scorer.nebula.playing import TURNS
from scorer.nebula.turns.chance import random_outcome
from tests.webapp.conftest import Player, players_form
from tests.webapp.guided import Guided, GuidedTable
from webapp.app.game_pages import pages_of


def test_another_game_on_the_table_may_be_set_up_first(guided: Guided) -> None:
    again = guided.player.post(f"{guided.game}/rematch").headers["Location"]
    page = guided.player.get(again).text
    assert "Ready?" in page and "Set up the table first" in page


def test_who_plays_is_asked_one_after_the_other(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", "Eva", draws="")
    assert guided.asked() == "Do you have the game on the table?"
    assert guided.asked("hand") == "Who plays for Luis?"
    assert guided.asked("hand:-,-") == "Who plays for Eva?"
    assert guided.asked("hand:-,-,medium") == "Ready?"
    assert "· Introductory game" in guided.page("hand:-,-,medium"), "as it was chosen"
    for begun in ("hand:-,-", "hand:-,-,medium"):
        assert 'id="anew"' in guided.page(begun), "all can be chosen anew"
    assert 'id="anew"' not in guided.page(), "nothing is chosen"
    assert guided.asked("hand:-,nobody") == "Do you have the game on the table?"
    form = {"draws": "hand", "computers": "-,-,nobody"}
    assert guided.player.post(f"{guided.game}/guide", form).status_code == 422


def test_a_mode_that_is_only_about_photographs_is_not_named(app: Flask) -> None:
    pages = pages_of("polaris")
    form = players_form("Ana", "Luis", mode="phases", markers=pages.markers) | {"game": "polaris"}
    page = GuidedTable(app, form).page(f"{next(iter(pages.guided.opening.answers))}:-,-")
    assert "Ready?" in page and pages.words.mode("phases") not in page


def test_a_table_may_be_set_up_before_or_be_asked_for_what_lies_there(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="")
    assert "begun=" not in guided.page("program:-,-"), "Stargazer sets it up"
    (way,) = re.findall(r'href="(/table/nebula\?[^"]*)"', unescape(guided.page("hand:-,-")))
    assert "players=2" in way and "mode=intro" in way
    page = unescape(guided.player.get(way).text)
    assert f'href="{guided.game}/guide?draft=hand">The table is ready' in page
    form = {"draws": "hand", "computers": "-,-"}
    assert guided.player.post(f"{guided.game}/guide", form).status_code == 303
    lies_there = "Then tap what lies there."
    assert guided.asked().startswith("Draw a star for") and lies_there in guided.page()
    luck = random.Random(2)
    while TURNS.decides(guided.state) is None:
        guided.do(TURNS.write_action(random_outcome(guided.state, luck)))
        assert lies_there not in guided.page(), "once is enough"


def drawn(guided: Guided) -> str:
    """The page after Stargazer has drawn what is due."""
    seen = guided.history.number
    answer = guided.player.post(f"{guided.game}/guide/draw", {"seen": seen})
    assert answer.status_code == 303
    return guided.page()


def test_stargazer_draws_for_those_who_ask_and_one_step_back_takes_all_of_it_back(
    app: Flask,
) -> None:
    guided = Guided(app, "Ana", "Luis", draws="hand")
    assert 'id="draw"' in guided.page()
    page = unescape(drawn(guided))
    state = guided.state
    assert state.boosted and not any(None in own for own in state.clusters)
    assert guided.asked() == "Turn up four career cards" and not state.career
    left = next(own for own in reversed(state.clusters))
    assert f"In the left cluster, clockwise from its mark: {', '.join(left)}." in page
    assert f"The boosted star: {state.boosted}." in page
    page = drawn(guided)
    assert len(guided.state.career) == 4, "cards are another kind of draw"
    assert guided.state.hands[0].dealt == ("?", "?"), "people have their own"
    assert 'id="draw"' not in page, "a single star is drawn by hand"
    for clusters in (True, False):
        guided.back()
        assert (None not in guided.state.clusters[0]) == clusters


def test_what_lies_before_players_is_folded_while_something_is_drawn(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="hand")
    panel = '<details class="seat-more" '
    assert panel in guided.page() and f"{panel}open" not in guided.page()
    guided.lay_table()
    assert f"{panel}open" in guided.page(), "for a decision"


def test_stargazer_draws_nothing_where_somebody_decides(guided: Guided) -> None:
    seen = guided.history.number
    assert 'id="draw"' not in guided.page()
    answer = guided.player.post(f"{guided.game}/guide/draw", {"seen": seen})
    assert answer.status_code == 422
    assert guided.player.post(f"{guided.game}/guide/draw", {"seen": seen - 1}).status_code == 409


def players(guided: Guided, *names: str, mode: str) -> None:
    """Correct who plays which mode."""
    form = players_form(*names, mode=mode)
    assert guided.player.post(f"{guided.game}/players", form).status_code == 303


def test_a_game_of_other_rules_is_noticed_and_goes_on_where_they_are_changed_back(
    guided: Guided,
) -> None:
    guided.do("time 2 -3 0")
    guided.do("place white core")
    before = guided.state
    for names, mode in ((("Ana", "Luis"), "full"), (("Ana", "Luis", "Eva"), "intro")):
        players(guided, *names, mode=mode)
        page = guided.page()
        assert 'id="another"' in page and "Do you have the game on the table?" in page
        assert "The game has moved on in the meantime" in guided.send(
            "place red ar1", seen=before.turn
        )
        assert f'action="{guided.game}/guide/off"' in guided.player.get(f"{guided.game}/guide").text
        players(guided, "Ana", "Luis", mode="intro")
        assert 'id="another"' not in guided.page()
        assert guided.state == before, "nothing was lost"
    players(guided, "Ana", "Luis", mode="full")
    form = {"draws": "hand", "computers": "-,-", "anew": "yes"}
    assert guided.player.post(f"{guided.game}/guide", form).status_code == 303
    assert guided.state.rules.mode == "full" and not guided.state.turn
    assert guided.stars(0) == {}, "it begins on empty boards"


def test_too_few_players_learn_that_they_cannot_be_guided(guided: Guided) -> None:
    players(guided, "Ana", mode="intro")
    answer = guided.player.get(f"{guided.game}/guide", follow_redirects=True)
    assert "cannot be guided" in answer.text


def test_guidance_is_turned_on_again_from_the_live_page(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    live = f"{guided.game}/live"
    assert "Back to the guided game" in guided.player.get(live).text
    guided.player.post(f"{guided.game}/guide/off")
    page = guided.player.get(live).text
    assert "Be guided again" in page and f'action="{guided.game}/guide/on"' in page
    guided.player.post(f"{live}/star", {"seat": 0, "space": "core", "star": "red"})
    answer = guided.player.post(f"{guided.game}/guide/on")
    guided.player.get(answer.headers["Location"])
    assert guided.state.placed == ("red",), "what was laid meanwhile and is legal counts"


def test_a_game_that_is_followed_live_is_guided_from_its_beginning_alone(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.post(f"{game}/live")
    assert "Be guided from the first turn on" in player.get(f"{game}/live").text
    player.post(f"{game}/live/star", {"seat": 0, "space": "core", "star": "red"})
    assert 'id="guidance"' not in player.get(f"{game}/live").text
    alone = player.new_game("Ana")
    player.post(f"{alone}/live")
    assert 'id="guidance"' not in player.get(f"{alone}/live").text
