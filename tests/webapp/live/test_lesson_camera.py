"""Lessons on the real board: what a camera tells is judged against the goal, wrong tries too."""

from collections.abc import Callable, Mapping
from html import unescape

import pytest
from flask import Flask

from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from tests.webapp.live.conftest import Table

PARTIAL = {"X-Partial": "1"}
COURSE = NEBULA.course
assert COURSE is not None
LESSONS = {lesson.id: lesson for lesson in COURSE.lessons}


@pytest.fixture
def table(serve: Callable[..., Flask]) -> Table:
    """A table that is followed, whose first board is the one for lessons."""
    made = Table(serve())
    made.place(0, {"core": "white"})  # of another game, before the lesson
    answer = made.player.post("/lessons/camera", {"board": f"{made.id}.0"})
    assert answer.status_code == 303
    return made


def look(table: Table, lesson: str, made: tuple[str, ...] = ()) -> str:
    """What the page tells when the board is looked at."""
    form = {"look": "1", "made": list(made)}
    answer = table.player.post(f"/lessons/nebula/{lesson}", form, headers=PARTIAL)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def lay(table: Table, stars: Mapping[str, str]) -> None:
    """Make the camera see these stars, and no others."""
    lying = table.stars()
    for space in lying.keys() - stars.keys():
        table.see(kind="removed", space=space, was=lying[space])
    table.place(0, {space: star for space, star in stars.items() if lying.get(space) != star})


@pytest.mark.parametrize("lesson_id", ["first_star", "two_reds", "replacing", "constellation"])
def test_a_lesson_is_done_on_the_board_that_a_camera_sees(table: Table, lesson_id: str) -> None:
    assert COURSE is not None
    lesson = LESSONS[lesson_id]
    attempt = Attempt.of(COURSE, lesson)
    start = dict(lesson.start.seat.galaxy.stars)
    if start:
        assert "First lay your board" in look(table, lesson_id)
    lay(table, start)
    assert "make your move there" in look(table, lesson_id)
    _verb, star, space = lesson.wrong[0].example.split()
    lay(table, {**start, space: star})
    told = look(table, lesson_id)
    assert 'class="judged wrong"' in told
    assert str(lesson.wrong[0].said) in told
    assert "Lay it back on the board" in told
    lay(table, start)
    assert 'class="judged wrong"' not in look(table, lesson_id)
    told = ""
    while not attempt.done:
        way = attempt.way()
        assert way
        text = COURSE.write_action(way[0])
        _verb, star, space = text.split()
        lay(table, {**table.stars(), space: star})
        told = look(table, lesson_id, attempt.made)
        attempt = attempt.attempt(text).attempt
    assert str(lesson.done) in told
    assert table.player.get("/lessons").text.count('class="lesson learnt"') == 1


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
