"""Lessons on the pages: tries, hints, and what is kept of who has done which."""

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from scorer.game import Game
from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from scorer.polaris.contract import POLARIS_GAME
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.via_nebula.game import VIA_NEBULA
from tests.conftest import in_full
from tests.webapp.conftest import MakeApp, Player
from webapp.app.game_pages import pages_of

LESSONS = NEBULA.course.lessons if NEBULA.course else ()
COURSE_OF_VALLEY = VIA_NEBULA.course.lessons
PARTIAL = {"X-Partial": "1"}


def solve(player: Player, lesson_id: str, game: Game[Any, Any, Any] = NEBULA) -> str:
    """Make the moves that the engine finds, each as the page sends it; the last page."""
    course = game.course
    lesson = next(one for one in course.lessons if one.id == lesson_id)
    attempt, text = Attempt.of(course, lesson), ""
    while not attempt.done:
        way = attempt.solve()
        assert way
        for offered in course.turns.offered(attempt.state):
            attempt.attempt(course.turns.write_action(offered))  # a button leads to no error
        move = course.turns.write_action(way[0])
        form = {"made": list(attempt.made), "try": move}
        answer = player.post(f"/lessons/{game.id}/{lesson_id}", form, headers=PARTIAL)
        assert answer.status_code == 200, answer.text
        assert 'class="judged wrong"' not in answer.text
        attempt, text = attempt.attempt(move).attempt, answer.text
    return text


def learnt(player: Player, game: Game[Any, Any, Any] = NEBULA) -> int:
    return player.get(f"/lessons/{game.id}").text.count('class="lesson learnt"')


GAMES = [NEBULA, POLARIS_GAME, PTOLEMAEUS, VIA_NEBULA]


@pytest.mark.parametrize("game", in_full(GAMES, NEBULA), ids=lambda game: game.id)
def test_every_lesson_is_done_on_its_page_and_counted(
    app: Flask, game: Game[Any, Any, Any]
) -> None:
    player, other = Player(app.test_client()), Player(app.test_client())
    for number, lesson in enumerate(game.course.lessons, start=1):
        page = unescape(player.get(f"/lessons/{game.id}/{lesson.id}").text)
        assert str(lesson.task) in page
        assert f'/ask/{game.id}/{lesson.terms[0]}"' in page
        assert 'class="judged good"' in solve(player, lesson.id, game)
        assert learnt(player, game) == number
    assert learnt(other, game) == 0, "a browser's own"


def test_each_game_has_its_own_lessons_and_leads_to_the_others(player: Player) -> None:
    page = player.get("/lessons/polaris").text
    assert 'href="/lessons/nebula"' in page
    assert 'href="/lessons/polaris/first_star"' in page
    _head, _main, shown = page.partition("<main")  # the head has all that are kept for offline
    assert "/lessons/nebula/first_star" not in shown
    assert 'class="real-board"' in page
    assert player.get("/lessons/chess").status_code == 404
    assert player.get("/lessons/polaris/two_reds").status_code == 404
    assert player.post("/lessons/camera", {"game": "chess", "board": "new"}).status_code == 422


def test_a_card_is_laid_piece_by_piece(player: Player) -> None:
    assert 'data-tells="lay red" data-lies-on="spot"' in player.get("/lessons/polaris/link").text
    reported = player.post("/lessons/polaris/link", {"try": "lay red 2c2"}).text
    assert 'class="judged on"' in reported and 'name="made" value="lay red 2c2"' in reported
    assert 'data-tells="lay link" data-lies-on="edge"' in reported
    assert re.search(r'class="space taken" id="space-2c2"', reported), "it is drawn"


def test_a_card_is_chosen_by_its_picture(player: Player) -> None:
    page = player.get("/lessons/polaris/polaris").text
    assert "One card, do one of these" in page
    assert page.count("/assets/polaris/actions/crescent-B8/") == 3
    reported = player.post("/lessons/polaris/polaris", {"try": "card crescent-B8 2 1"}).text
    assert 'data-tells="lay link" data-lies-on="edge"' in reported


def test_cards_to_take_are_distinguished_from_those_to_play(app: Flask) -> None:
    page = unescape(Player(app.test_client()).get("/lessons/polaris/take_card").text)
    assert len(re.findall(r"<span>Take a card: [\w ]+, sector ", page)) == 6
    plays = r"<span>Play cards, to place stars and links: [\w ]+, sector 2: 1 star"
    assert len(re.findall(plays, page)) == 1


def test_a_phase_that_was_scored_is_shown_with_its_points(app: Flask) -> None:
    text = unescape(solve(Player(app.test_client()), "phase", POLARIS_GAME))
    assert re.search(r"You:\s+6 stars</b>\s*<span class=\"soft\">card \+6 · most \+3<", text)
    filled = r"telescope \+2, for filling the dawn"
    assert re.search(rf"Blue:\s+5 stars</b>\s*<span class=\"soft\">card \+3 · {filled}<", text)


def test_a_wrong_try_is_explained_and_taken_back(app: Flask) -> None:
    answer = Player(app.test_client()).post("/lessons/nebula/first_star", {"try": "place red ar1"})
    assert answer.status_code == 200
    assert str(LESSONS[0].wrong[0].said) in answer.text
    assert 'name="made"' not in answer.text
    assert learnt(Player(app.test_client())) == 0


def test_a_wrong_try_names_the_space_and_the_places_of_each_colour_are_known(
    player: Player,
) -> None:
    address = "/lessons/nebula/turn"
    last = player.get(f"{address}?draft=time:4,0,0", headers=PARTIAL).text
    assert 'name="try" value="time 5 0 0"' in last, "the fifth step takes the stars, as in a game"
    made = {"made": ["time 5 0 0"]}
    page = player.post(address, {**made, "hint": "0"}).text
    fits = re.findall(r'data-tells="(place \w+)".*? data-fits="([^"]*)"', page)
    assert fits == [("place purple", "core ar1 ta1 ge1 ca1"), ("place white", "core")]
    wrong = unescape(player.post(address, {**made, "try": f"{fits[0][0]} ca6"}).text)
    assert 'id="lesson-message" data-at="ca6"' in wrong
    assert "<b>A space of Cancer on orbit 5 without a bright rim:</b>" in wrong


def test_hints_come_in_three_steps_and_the_third_is_the_move(player: Player) -> None:
    pages = [player.post("/lessons/nebula/first_star", {"hint": step}).text for step in (1, 2, 3)]
    for hint, page in zip(LESSONS[0].hints, pages, strict=False):
        assert str(hint.text) in page
    assert "The red star goes on the core" in pages[2]
    lit = 'class="space lit" id="space-core"'
    assert [lit in page for page in pages] == [False, True, True]


def test_no_button_of_a_lesson_is_blank(player: Player) -> None:
    buttons: list[str] = []
    for lesson in PTOLEMAEUS.course.lessons:
        page = player.get(f"/lessons/ptolemaeus/{lesson.id}").text
        buttons += re.findall(r'<button\s+class="option.*?</button>', page, re.DOTALL)
    assert buttons
    assert all(re.sub("<[^>]+>", "", one).strip() for one in buttons)


def test_the_hint_about_the_first_move_is_left_out_after_it(app: Flask) -> None:
    lesson = next(one for one in LESSONS if one.id == "black_star")
    first, second = (str(hint.text) for hint in lesson.hints)
    made = {"made": "place black track", "hint": "1"}
    page = Player(app.test_client()).post("/lessons/nebula/black_star", made).text
    assert first not in page and second in page and 'name="hint" value="3"' in page


def test_what_no_page_sends_is_refused(player: Player) -> None:
    assert player.get("/lessons/nebula/nothing").status_code == 404
    for form in ({"try": "fly"}, {"try": ""}, {"made": "place red ar1", "try": "x"}, {"hint": "x"}):
        answer = player.post("/lessons/nebula/links", form)
        assert answer.status_code == (200 if "hint" in form else 422), form
    made = ["end placing"] * 40
    assert player.post("/lessons/nebula/links", {"made": made, "try": "x"}).status_code == 422


def test_a_person_has_a_progress_of_their_own_whatever_browser_they_use(make_app: MakeApp) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    player.new_game("Ana", "Luis")
    player.get("/people")
    persons = app.extensions["stargazer"].history.persons
    ana, luis = persons.all()
    player.post("/lessons/learner", {"person": ana.id})
    solve(player, "links")
    done = str(next(one for one in NEBULA.course.lessons if one.id == "links").done)
    assert done in unescape(player.get("/lessons/nebula/links").text)
    player.post("/lessons/learner", {"person": luis.id})
    assert done not in unescape(player.get("/lessons/nebula/links").text), "Luis has not done it"
    tablet = Player(app.test_client())
    tablet.post("/lessons/learner", {"person": ana.id})
    assert learnt(tablet) == 1
    tablet.post("/lessons/learner", {"person": luis.id})
    assert learnt(tablet) == 0
    number = persons.merge(luis.id, ana.id)
    assert learnt(tablet) == 1, "they turn out to be one"
    persons.undo(number)
    assert learnt(tablet) == 0
    tablet.post("/lessons/learner", {"person": ""})
    assert learnt(tablet) == 0
    assert tablet.post("/lessons/learner", {"person": "nobody"}).status_code == 404


def test_progress_without_a_learner_goes_to_the_one_named(app: Flask, player: Player) -> None:
    player.new_game("Ana", "Luis")
    player.get("/")
    persons = {one.name: one for one in app.extensions["stargazer"].history.persons.all()}
    player.post("/lessons/nebula/first_star", {"try": "place red core"})
    assert player.get("/lessons").text.count("lesson learnt") == 1
    player.post("/lessons/learner", {"person": persons["Ana"].id})
    assert player.get("/lessons").text.count("lesson learnt") == 1, "nothing is to be done again"
    player.post("/lessons/learner", {"person": persons["Luis"].id})
    assert player.get("/lessons").text.count("lesson learnt") == 0
    player.post("/lessons/learner", {"person": ""})
    assert player.get("/lessons").text.count("lesson learnt") == 0, "it was handed over"


def test_a_table_for_lessons_is_no_game(app: Flask, player: Player) -> None:
    player.new_game("Ana", "Luis")
    for _ in range(2):
        answer = player.post("/lessons/camera", {"board": "new"})
    table = answer.headers["Location"].split("/")[2]
    home = player.get("/").text
    assert home.count('class="tile"') == 1 and table not in home
    assert "Lessons" not in player.get("/people").text
    assert table not in player.get("/?q=Lessons").text
    assert "Lessons" not in player.get("/games/new").text
    games = app.extensions["stargazer"].games
    assert [game.id for game in games.recent(9, lessons=True)].count(table) == 1
    assert len(games.recent(9, lessons=True)) == 2, "the one that there is serves again"
    assert player.get(f"/games/{table}/live/cameras").status_code == 200


@pytest.mark.parametrize("name", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_after_the_lessons_a_first_game_begins_against_a_beginner(
    app: Flask, player: Player, name: str
) -> None:
    assert "first-game" in player.get(f"/lessons/{name}").text
    answer = player.post(f"/lessons/{name}/first-game", {})
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/guide")
    page = player.get(answer.headers["Location"]).text
    assert "Computer" in page and 'id="table-strip"' in page
    game = app.extensions["stargazer"].games.open(answer.headers["Location"].split("/")[2])
    history = app.extensions["stargazer guide"].history(game)
    guided = pages_of(name).guided
    assert guided is not None and guided.advisor is not None
    weakest = next(iter(guided.strengths))
    assert list(history.set_up["computers"]) == ["", weakest]
    assert game.seats[0].mine or game.seats[0].other, "whoever began it sits there"
    if name == "nebula":
        assert game.document["mode"] == "intro"
    assert not {*pages_of(name).steps(game.document).start} - {*game.document["confirmed"]}
    if name == "ptolemaeus":
        assert game.document["date"] == history.set_up["date"] == "1969-07-20", "the rulebook's"


def test_a_lesson_is_gone_on_with_where_it_was_left(player: Player) -> None:
    at = "/lessons/nebula/black_star"
    player.post(at, {"try": "place black track"})
    assert 'name="made" value="place black track"' in player.get(at).text
    player.post(f"{at}/again", {})
    assert 'name="made" value="place' not in player.get(at).text


def test_a_reload_of_a_lesson_that_is_done_shows_how_it_goes_on(player: Player) -> None:
    last = COURSE_OF_VALLEY[-1]
    solve(player, last.id, VIA_NEBULA)
    page = unescape(player.get(f"/lessons/via_nebula/{last.id}").text)
    assert str(last.done) in page and "Play your first game now" in page
    player.post(f"/lessons/via_nebula/{last.id}/again", {})
    assert str(last.done) not in unescape(player.get(f"/lessons/via_nebula/{last.id}").text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_last_hint_names_what_the_page_offers(game: Game[Any, Any, Any]) -> None:
    turns = game.course.turns
    for lesson in game.course.lessons:
        attempt = Attempt.of(game.course, lesson)
        while way := attempt.solve():
            first, offered = way[0], turns.offered(attempt.state)
            if not any(map(turns.places_of, offered)):
                assert first in offered, lesson.id
            begun = {turns.write_action(one).rpartition(" ")[0] for one in offered}
            assert first in offered or turns.write_action(first).rpartition(" ")[0] in begun
            attempt = attempt.attempt(turns.write_action(first)).attempt


def test_a_card_to_take_is_named_by_its_moon(player: Player) -> None:
    page = player.post("/lessons/polaris/take_card", {"hint": 3}).text
    assert "A card goes to the hand: crescent moon." in page and "crescent-B3 goes" not in page


def test_the_computer_of_a_first_game_is_not_listed_among_people(player: Player) -> None:
    player.post("/lessons/nebula/first-game", {})
    player.new_game("Ana", "Luis")
    page = player.get("/people").text
    assert "Ana" in page and "Computer" not in page


def test_a_card_beside_a_lesson_says_how_much_of_it_one_has(app: Flask) -> None:
    page = Player(app.test_client()).get("/lessons/polaris/pattern").text
    assert "<strong>You have: the pattern 1 time</strong></p></div>" in page
    assert "You have: " not in Player(app.test_client()).get("/lessons/nebula/career_card").text


def test_players_of_a_lesson_have_different_letters(app: Flask) -> None:
    page = Player(app.test_client()).get("/lessons/polaris/longest_line").text
    letters = re.findall(r'class="marker marker-(\w+)"[^>]*>(\w+)<', page)
    assert {*letters} == {("red", "YO"), ("blue", "B"), ("yellow", "YE")}
