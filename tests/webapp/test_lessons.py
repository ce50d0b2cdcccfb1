"""Lessons on the pages: tries, hints, and what is kept of who has done which."""

from html import unescape

from flask import Flask

from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from tests.webapp.conftest import MakeApp, Player

COURSE = NEBULA.course
assert COURSE is not None
LESSONS = COURSE.lessons
PARTIAL = {"X-Partial": "1"}


def solve(player: Player, lesson_id: str) -> str:
    """Make the moves that the engine finds, each as the page sends it; the last page."""
    assert COURSE is not None
    lesson = next(one for one in LESSONS if one.id == lesson_id)
    attempt, text = Attempt.of(COURSE, lesson), ""
    while not attempt.done:
        way = attempt.way()
        assert way
        move = COURSE.write_action(way[0])
        form = {"made": list(attempt.made), "try": move}
        answer = player.post(f"/lessons/nebula/{lesson_id}", form, headers=PARTIAL)
        assert answer.status_code == 200, answer.text
        assert 'class="judged wrong"' not in answer.text
        attempt, text = attempt.attempt(move).attempt, answer.text
    return text


def learnt(player: Player) -> int:
    return player.get("/lessons").text.count('class="lesson learnt"')


def test_every_lesson_is_done_on_its_page_and_counted(app: Flask) -> None:
    player, other = Player(app.test_client()), Player(app.test_client())
    for number, lesson in enumerate(LESSONS, start=1):
        page = unescape(player.get(f"/lessons/nebula/{lesson.id}").text)
        assert str(lesson.task) in page
        assert 'class="judged good"' in solve(player, lesson.id)
        assert learnt(player) == number
    assert learnt(other) == 0, "a browser's own"


def test_a_wrong_try_is_explained_and_taken_back(app: Flask) -> None:
    answer = Player(app.test_client()).post("/lessons/nebula/first_star", {"try": "place red ar1"})
    assert answer.status_code == 200
    assert str(LESSONS[0].wrong[0].said) in answer.text
    assert 'name="made"' not in answer.text
    assert learnt(Player(app.test_client())) == 0


def test_hints_come_in_three_steps_and_the_third_is_the_move(app: Flask) -> None:
    player = Player(app.test_client())
    pages = [player.post("/lessons/nebula/first_star", {"hint": step}).text for step in (1, 2, 3)]
    for hint, page in zip(LESSONS[0].hints, pages, strict=False):
        assert str(hint.text) in page
    assert "The red star goes on the core" in pages[2]
    lit = 'class="space lit" id="space-core"'
    assert [lit in page for page in pages] == [False, True, True]


def test_what_no_page_sends_is_refused(app: Flask) -> None:
    player = Player(app.test_client())
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
    persons = app.extensions["stargazer"].shelf.persons
    ana, luis = persons.all()
    player.post("/lessons/learner", {"person": ana.id})
    solve(player, "links")
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


def test_what_nobody_in_particular_learnt_is_theirs_who_is_named(app: Flask) -> None:
    player = Player(app.test_client())
    player.new_game("Ana", "Luis")
    player.get("/")
    persons = {one.name: one for one in app.extensions["stargazer"].shelf.persons.all()}
    player.post("/lessons/nebula/first_star", {"try": "place red core"})
    assert player.get("/lessons").text.count("lesson learnt") == 1
    player.post("/lessons/learner", {"person": persons["Ana"].id})
    assert player.get("/lessons").text.count("lesson learnt") == 1, "nothing is to be done again"
    player.post("/lessons/learner", {"person": persons["Luis"].id})
    assert player.get("/lessons").text.count("lesson learnt") == 0
    player.post("/lessons/learner", {"person": ""})
    assert player.get("/lessons").text.count("lesson learnt") == 0, "it was handed over"


def test_a_table_for_lessons_is_no_game(app: Flask) -> None:
    player = Player(app.test_client())
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
