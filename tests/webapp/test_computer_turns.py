"""The computer's turns in a guided game."""

import html
import random
import re

from flask import Flask

from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from tests.webapp.guided import Guided, points_now


def test_the_computer_says_what_to_do_for_it_and_why(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program", computers="-,medium")
    assert "14 points if it is then fulfilled" in guided.page()
    guided.do(f"choose {guided.state.hands[0].dealt[0]}")
    assert guided.state.turn == 1, "its own card it chooses by itself, and says nothing of it"
    guided.do("time 2 -3 0")
    guided.do("end placing")
    text = html.unescape(guided.page())
    assert guided.asked().startswith("Luis ")
    assert ">Done: Ana is next<" in text
    asked = text[: text.index("</section>")]
    at_table, reason, _boosted = re.findall(r'<p class="hint">(.*?)</p>', asked, re.DOTALL)
    assert at_table.startswith("Whoever sits nearest does it on the table for Luis")
    assert 'seat-more" open' not in text, "nothing covers the board"
    assert 0 < text.index('id="panel-1"') < text.index('id="panel-0"'), "whose turn it is"
    assert reason[0].isupper() and reason.endswith(".")
    (action,) = re.findall(r'name="move" value="([^"]+)"', text)
    assert action.startswith(("time", "chaos"))
    assert "Round 1" not in text, "that is how it stood before the computer's turn"
    assert 'id="told-before"' in text, "what Ana has just done is no part of it"

    def in_front_of_luis(page: str) -> list[str]:
        (panel,) = re.findall(r'id="panel-1".*?</article>', page, re.DOTALL)
        return re.findall(r'<div class="has.*?</div>', panel, re.DOTALL)

    has = in_front_of_luis(text)
    guided.tap(action)
    after = html.unescape(guided.page())
    assert has and in_front_of_luis(after) == has
    assert 'id="told-before"' in after, "it was a screen of its own"
    assert guided.state.player == 0 and guided.state.turn == 3, "one tap does its whole turn"
    galaxy = guided.state.seats[1].galaxy
    assert guided.stars(1) == dict(galaxy.stars)
    assert galaxy.stars or galaxy.black, "a black star may be all that it lays"


def test_what_somebody_does_for_the_computer_is_said_to_be_done(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", computers="-,medium")
    guided.lay_table()
    guided.do("time 2 -3 0")
    guided.do("end placing")
    page = guided.page()
    assert re.search(">Done: (Ana is next|Luis goes on)<", page)


def test_what_the_computer_is_to_lay_later_may_be_seen_first(app: Flask) -> None:
    after: dict[str, str] = {}
    while not after:  # a black star may be all that it lays
        guided = Guided(app, "Ana", "Luis", draws="program", computers="-,medium")
        guided.do(f"choose {guided.state.hands[0].dealt[0]}")
        guided.do("time 2 -3 0")
        guided.do("end placing")
        before = guided.state
        (action,) = re.findall(r'name="move" value="([^"]+)"', guided.page())
        guided.tap(action)
        after = dict(guided.state.seats[1].galaxy.stars)
    guided.back()
    assert guided.state == before
    (space, star), *_ = after.items()
    guided.see(board=1, kind="placed", space=space, star="white" if star != "white" else "red")
    assert 'class="notice warning seen"' in guided.page()
    guided.see(board=1, kind="placed", space=space, star=star)
    assert 'class="notice warning seen"' not in guided.page() and guided.state == before
    guided.tap(action)
    assert dict(guided.state.seats[1].galaxy.stars) == after == guided.stars(1)


def test_points_are_explained_after_the_computers_turn_that_is_shown(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", draws="program", computers="-,easy")
    while True:
        page = guided.page()
        if 'id="why-so"' in page and points_now(page):
            break
        guided.do(TURNS.write_action(play.actions(guided.state)[0]))
    (total,) = re.findall(r'<tr class="total">.*?</tr>', page, re.DOTALL)
    assert re.findall(r"<td>([^<]*)<", total) == re.findall(r"[-−]?\d+", points_now(page))


def test_a_computer_never_holds_a_persons_card(app: Flask) -> None:
    guided = Guided(app, "Ana", "Luis", mode="intro", computers="-,medium")
    guided.lay_table()
    state = guided.play_out(random.Random(5))
    taken = state.hands[1].personal
    assert taken is not None and taken.startswith("O")
    answer = guided.player.post(f"{guided.game}/guide/finish")
    assert answer.headers["Location"].endswith("/players/0/personal"), "the computer is not asked"
    answer = guided.player.post(f"{guided.game}/nebula/players/0/personal", {"card": taken})
    assert answer.headers["Location"] == f"{guided.game}/score"
    document = app.extensions["stargazer"].games.open(guided.id).document
    held = [own["personal"] for own in document["players"]]
    assert held[0] == taken and held[1] not in (None, taken)
    guided.player.post(f"{guided.game}/nebula/players/0/personal", {"card": held[1]})
    document = app.extensions["stargazer"].games.open(guided.id).document
    assert len({own["personal"] for own in document["players"]}) == 2


def test_what_follows_from_the_computers_turn_is_said_with_it(app: Flask) -> None:
    """The clusters are refilled on the same screen, each in one line; older rings are gone."""
    guided = Guided(app, "Ana", "Luis", draws="program", computers="-,easy")
    refilled, luck = 0, random.Random(4)
    while not refilled:
        page = html.unescape(guided.page())
        if 'id="why-so"' in page:
            assert not re.search(r'class="space[^"]* recent', page)
            assert ("Dashed rings on the board show where." in page) == (" pointed" in page)
            lines = re.findall(r"<li>(Refill the \w+ cluster: [^<]*)</li>", page)
            assert len(lines) == len({line.partition(":")[0] for line in lines})
            refilled += len(lines)
            (shown,) = re.findall(r'class="after-turn">.*?</ul>', page, re.DOTALL)
            assert ("Nothing to refill: the emptiest" in shown) == (not lines)
            assert all(line in shown for line in lines) and "Boosted: " in shown
            (action,) = re.findall(r'name="move" value="([^"]+)"', page)
            guided.tap(action)
            page = html.unescape(guided.page())
            assert all(line in page for line in lines) and "Ana" in guided.asked() + page
            continue
        guided.do(TURNS.write_action(luck.choice(play.actions(guided.state))))
