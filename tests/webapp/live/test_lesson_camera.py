"""Lessons on the real board: what a camera tells is judged against the goal, wrong tries too."""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Any

import pytest
from flask import Flask

from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from scorer.places import Place
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.steps import STEPS, Lay
from tests.webapp.live.conftest import Table, eventually, push_until_taken
from tests.webapp.live.fake_frame_worker import frame

PARTIAL = {"X-Partial": "1"}
COURSE = NEBULA.course
LESSONS = {lesson.id: lesson for lesson in COURSE.lessons}
SKIES = POLARIS_GAME.course
LINK = next(one for one in SKIES.lessons if one.id == "link")
Pieces = Mapping[Place, str]


class Learner:
    """Somebody with a lesson's page open, which sends what it holds."""

    def __init__(self, table: Table, game: str, lesson: str) -> None:
        self.table, self.address = table, f"/lessons/{game}/{lesson}"
        self.page = ""

    def look(self, **more: Any) -> str:
        """What the page tells when the board is looked at, or when something is tapped."""
        held = self.page.partition("</form>")[0]
        made = re.findall(r'name="made" value="([^"]*)"', held)
        form = {"made": made, **({"laid": "1"} if 'name="laid"' in held else {})}
        form |= more or {"look": "1"}
        answer = self.table.player.post(self.address, form, headers=PARTIAL)
        assert answer.status_code == 200, answer.text
        self.page = unescape(answer.text)
        return self.page

    def lay(self, pieces: Pieces) -> None:
        """Make the camera see these pieces, and no others."""
        table = self.table
        game = table.app.extensions["stargazer"].games.open(table.id)
        (seen, *_) = table.service.table(game).positions
        lying = table.service.rules(game).profile.game.pieces_of(seen)
        for place in lying.keys() - pieces.keys():
            if place.kind != "dial":  # a frame is turned, not taken away
                table.see(kind="removed", space=place.id, was=lying[place])
        for place, piece in pieces.items():
            if lying.get(place) != piece:
                table.see(kind="placed", space=place.id, star=piece)


@pytest.fixture
def table(serve: Callable[..., Flask]) -> Table:
    """A table that is followed, whose first board is the one for lessons."""
    made = Table(serve())
    made.place(0, {"core": "white"})  # of another game, before the lesson
    answer = made.player.post("/lessons/camera", {"board": f"{made.id}.0"})
    assert answer.status_code == 303
    return made


@pytest.fixture
def sky(serve: Callable[..., Flask]) -> Table:
    """A table with a sky, set up for lessons."""
    made = Table(serve(), "/games/none")
    answer = made.player.post("/lessons/camera", {"game": "polaris", "board": "new"})
    made.game = answer.headers["Location"].removesuffix("/live/cameras")
    made.id = made.game.rsplit("/", 1)[1]
    return made


@pytest.mark.parametrize("lesson_id", ["first_star", "two_reds", "replacing", "constellation"])
def test_a_lesson_is_done_on_the_board_that_a_camera_sees(table: Table, lesson_id: str) -> None:
    assert COURSE is not None
    lesson = LESSONS[lesson_id]
    learner, attempt = Learner(table, "nebula", lesson_id), Attempt.of(COURSE, lesson)
    start = NEBULA.pieces_of(lesson.start.seat.galaxy)
    assert "First set up the real board" in learner.look()
    learner.lay(start)
    assert "make your move on the real board" in learner.look()
    _verb, star, space = lesson.wrong[0].example.split()
    learner.lay({**start, Place(space): star})
    reported = learner.look()
    assert 'class="judged wrong"' in reported
    assert str(lesson.wrong[0].said) in reported
    assert "Put it back on the board" in reported
    learner.lay(start)
    assert 'class="judged wrong"' not in learner.look()
    lying = dict(start)
    while not attempt.done:
        way = attempt.solve()
        assert way
        text = COURSE.turns.write_action(way[0])
        _verb, star, space = text.split()
        lying[Place(space)] = star
        learner.lay(lying)
        reported = learner.look()
        attempt = attempt.attempt(text).attempt
    assert str(lesson.done) in reported
    assert table.player.get("/lessons").text.count('class="lesson learnt"') == 1


def with_laid(lying: Pieces, text: str) -> Pieces:
    step = STEPS.read_action(text)
    assert isinstance(step, Lay)
    (place,) = STEPS.places_of(step)
    return {**lying, place: step.piece}


def test_a_lesson_is_done_on_the_sky_that_a_camera_sees(sky: Table) -> None:
    assert SKIES is not None
    learner = Learner(sky, "polaris", "link")
    start = POLARIS_GAME.pieces_of(LINK.start.sky)
    reported = learner.look()
    assert "0 of 4" in reported and "Lay: red star, 2b2; blue star, 2c4; blue star, 1b3" in reported
    assert "Turn: the new moon faces sector 1" in reported
    assert 'class="space lit" id="space-2b2"' in reported or 'lit" id="space-2b2"' in reported
    learner.lay({Place("2b2"): "red", Place("1b4"): "blue", Place("3", "dial"): "new_moon"})
    reported = learner.look()
    assert "1 of 4" in reported and "Take away: blue star, 1b4<" in reported
    learner.lay(start)
    assert "make your move on the real board" in learner.look()
    for wrong in LINK.wrong:
        if not wrong.after:
            learner.lay(with_laid(start, wrong.example))
            reported = learner.look()
            assert 'class="judged wrong"' in reported and str(wrong.said) in reported
            learner.lay(start)
            assert 'class="judged wrong"' not in learner.look()
    lying = with_laid(start, "lay red 2c2")
    learner.lay(lying)
    reported = learner.look()
    assert 'class="judged on"' in reported
    assert re.search(r'class="space taken" id="space-2c2"', reported), "it is drawn"
    learner.lay(with_laid(lying, "lay link 2b2-2c2"))
    assert str(LINK.done) in learner.look()
    assert sky.player.get("/lessons/polaris").text.count('class="lesson learnt"') == 1


def test_what_is_not_laid_is_tapped(sky: Table) -> None:
    learner = Learner(sky, "polaris", "dawn")
    learner.look(lay="1")
    assert "make your move on the real board" in learner.look()
    lying = POLARIS_GAME.pieces_of(next(o for o in SKIES.lessons if o.id == "dawn").start.sky)
    learner.lay({**lying, Place("2b3"): "red"})
    assert 'class="judged on"' in learner.look()
    assert "continue with a tap here" in learner.page
    assert 'class="judged good"' in learner.look(**{"try": "end"})


def test_what_lay_there_before_the_lesson_is_no_try(sky: Table) -> None:
    learner = Learner(sky, "polaris", "first_star")
    lesson = {Place("2b3"): "blue", Place("4c2"): "yellow", Place("1", "dial"): "new_moon"}
    learner.lay({**lesson, Place("3b2"): "red"})
    reported = learner.look()
    assert "Take away: red star, 3b2" in reported and 'class="judged wrong"' not in reported
    learner.lay(lesson)
    assert "make your move" in learner.look()
    learner.lay({**lesson, Place("3b2"): "red"})
    assert 'class="judged wrong"' in learner.look(), "now it is one"


def test_a_frame_that_is_turned_is_turned_back_first(sky: Table) -> None:
    learner = Learner(sky, "polaris", "first_star")
    lesson = {Place("2b3"): "blue", Place("4c2"): "yellow", Place("1", "dial"): "new_moon"}
    learner.lay(lesson)
    assert "make your move" in learner.look()
    learner.lay({**lesson, Place("2", "dial"): "new_moon"})
    reported = learner.look()
    assert "2 of 3" in reported and "Turn: the new moon faces sector 1" in reported


def test_the_learners_word_counts_where_a_camera_is_mistaken(sky: Table) -> None:
    learner = Learner(sky, "polaris", "link")
    learner.lay({Place("2b2"): "blue"})
    assert "First set up the real board" in learner.look()
    assert "make your move" in learner.look(lay="1")
    assert "make your move" in learner.look()


def test_the_camera_is_let_go_and_a_table_for_lessons_is_set_up(table: Table) -> None:
    player = table.player
    assert "data-events" in player.get("/lessons/nebula/links").text
    player.post("/lessons/camera", {"board": ""})
    assert "data-events" not in player.get("/lessons/nebula/links").text
    assert player.post("/lessons/camera", {"board": "nobody.0"}).status_code == 422
    answer = player.post("/lessons/camera", {"board": "new"})
    assert answer.headers["Location"].endswith("/live/cameras")
    page = player.get(answer.headers["Location"]).text
    assert 'href="/lessons/nebula"' in page
    assert "data-events" in player.get("/lessons/nebula/links").text


def test_the_page_films_and_says_how_the_camera_does(sky: Table) -> None:
    page = sky.player.get("/lessons/polaris/link").text
    assert 'id="camera-start"' in page, "one phone is the page and the camera"
    reported = Learner(sky, "polaris", "link").look()
    assert "No camera is watching" in reported and "Tap on the screen instead" in reported
    back = sky.player.post("/lessons/camera", {"game": "polaris", "board": "", "lesson": "link"})
    assert back.headers["Location"] == "/lessons/polaris/link"
    assert 'id="camera-start"' not in sky.player.get("/lessons/polaris/link").text


def test_another_games_board_before_the_camera_is_not_waited_for_in_silence(sky: Table) -> None:
    push_until_taken(sky, frame({0: {"core": "red"}}, profile="nebula/standard"))
    learner = Learner(sky, "polaris", "link")
    eventually(lambda: "Let it see the whole board of Polaris" in learner.look())


def test_a_table_for_lessons_has_the_colours_of_all_who_play_in_them(sky: Table) -> None:
    document = sky.app.extensions["stargazer"].games.open(sky.id).document
    assert [player["marker"] for player in document["players"]] == ["red", "blue", "yellow"]
    page = sky.player.get("/lessons/polaris").text
    assert page.count(f'value="{sky.id}.') == 1, "one sky, whoever plays"
    assert sky.player.get(f"{sky.game}/live").status_code == 200
