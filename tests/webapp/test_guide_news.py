"""What a guided screen tells of what has just happened, and at the end."""

import html
import random
import re
from collections.abc import Callable

from flask import Flask

from scorer.nebula.playing import TURNS
from scorer.nebula.turns.state import Phase, State
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided
from webapp.games.nebula.guide.sentences import most_missed


def test_where_something_has_just_happened_is_shown(guided: Guided) -> None:
    guided.do("time 2 -3 0")
    assert "recent" not in guided.page()
    guided.do("place white core")
    assert re.findall(r'<g class="space([^"]*recent[^"]*)" id="space-(\w+)"', guided.page()) == [
        (" taken recent", "core")
    ]
    assert " recent" not in guided.page("place"), "once something is begun, its places are lit"
    place = f"{guided.game}/guide/explain?place=core"
    text = guided.player.get(place, headers={"X-Partial": "1"}).text
    assert re.findall("<b>(.*?)</b>", text) == ["Star", "Highlighted space", "Core"]
    guided.do("end placing")
    assert guided.state.player == 1 and "recent" not in guided.page(), "it is Luis' board"


def happened(page: str) -> list[str]:
    """What a guided page tells of what was done above the question; then what came before it."""
    news = re.findall('<span class="news">(.*?)<', page)
    every = re.findall(r'id="told-before".*?</section>', page, re.DOTALL)
    return [*news, *(["Before:", *re.findall("<li>(.*?)</li>", every[0])] if every else [])]


def test_events_since_the_last_own_turn_are_listed_in_order(guided: Guided) -> None:
    collected = "moves time markers: top ↻ 2, right ↺ 3. Into the reserve: white, orange, red."
    turn = [
        f"Ana {collected}",
        "Ana places white on the core.",
        "Ana places red on a space of Aries on orbit 1.",
    ]
    for action, told in zip(
        ("time 2 -3 0", "place white core", "place red ar1"), turn, strict=True
    ):
        guided.do(action)
        assert told in happened(guided.page())
    assert guided.state.player == 1
    drawn = "Luis draws red from the bag; only the first player begins without a star."
    assert happened(guided.page()) == [*turn[1:], "Before:", drawn, turn[0]]
    assert "its beginning stands under “Before that”" in guided.page()
    guided.do("time 1 -1 3")
    own, *every = happened(guided.page())
    assert "its beginning stands" not in guided.page()
    assert own.startswith("Luis moves time markers") and every == ["Before:", drawn, *turn]
    guided.do("end placing")
    assert guided.state.player == 0
    told = happened(guided.page())
    at = told.index("Before:")
    assert told[at + 1 : at + 4] == turn, "her own last turn comes first"
    assert (*told[at + 4 :], *told[:at])[0].startswith("Luis moves time markers")


def test_a_phone_tells_what_was_done_since_its_own_players_last_turn(app: Flask) -> None:
    guided, luck = Guided(app, "Ana", "Luis", draws="program", computers="-,-"), random.Random(3)
    phones = [guided.player, Player(app.test_client())]
    for seat, phone in enumerate(phones):
        guided.sit(phone, seat)

    def play_until(reached: Callable[[State], bool]) -> None:
        while not reached(guided.state):
            choices = TURNS.actions(guided.state)
            guided.do(TURNS.write_action(luck.choice(choices)))

    def news_of(phone: Player) -> str:
        return " ".join(happened(phone.get(f"{guided.game}/guide/now").text))

    play_until(lambda state: state.turn == 2)
    play_until(lambda state: state.phase is Phase.PLACE)
    anas, luis = map(news_of, phones)
    news, _then, before = anas.partition("Before:")
    own, luis_first, later = before.partition("Luis")
    assert "Ana places" in own and "Ana" not in later + news, "her last turn, then what came since"
    assert luis_first or "Luis" in news
    assert "Luis" in luis and "Ana" in luis


def test_what_chance_does_stands_with_the_decision_before_it(app: Flask) -> None:
    guided, luck = Guided(app, "Ana", "Luis", draws="program"), random.Random(3)
    told = list[str]()
    while not any("Refill the" in one for one in told):
        guided.do(TURNS.write_action(luck.choice(TURNS.actions(guided.state))))
        told = happened(guided.page())
    assert not any(one.startswith("Refill") for one in told)


def test_the_last_screen_names_what_would_have_brought_each_player_most(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program")
    state = guided.play_out(random.Random(4))
    score = TURNS.score(state, ["Ana", "Luis"])
    for seat, missed in enumerate(most_missed(state, score)):
        lines, owners = (
            score.players[seat].lines,
            dict(zip(state.career, state.markers, strict=True)),
        )
        worth = [16 - 6 * bool(own) for own in owners.values() if seat not in own]
        worth += [14 for line in lines if line.category == "personal" and not line.points]
        worth += [6] * (4 - sum(line.category == "constellation" for line in lines))
        assert missed.values["most"].values["points"] == max(worth)
        assert "by one star" in str(missed) or "by just one star" in str(missed)
        assert html.escape(str(missed)) in html.escape(html.unescape(guided.page()))
    assert "Stars left in a reserve count nothing." in guided.page()
