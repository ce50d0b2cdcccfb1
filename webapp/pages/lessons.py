"""Lessons: a goal on the drawn board; whoever learns tries, and each try is judged and told why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorer.game import Game
from scorer.lesson import Attempt, Course, Judgement, Lesson
from webapp import board_drawing
from webapp.failures import wants_json
from webapp.games import pages_of
from webapp.guard import browser
from webapp.lesson_progress import Learner
from webapp.pages import lesson_camera
from webapp.services import services
from webapp.shelf.persons import NoSuchPersonError

blueprint = Blueprint("lessons", __name__, url_prefix="/lessons")

LEARNER = "learner"
"""What the session keeps of a browser whose user said who learns: the person's id."""
HINTS = 3


@dataclass(frozen=True)
class Shown:
    """What a hint shows: how many were asked for, their words, the spaces lit, the move itself."""

    level: int = 0
    texts: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    move: str = ""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show the lessons, and which of them are done."""
    course, game = _course()
    who = learner()
    done = services().lesson_progress.done(who, game.id)
    return render_template(
        "lessons.html",
        lessons=course.lessons,
        done=done,
        next=next((one for one in course.lessons if one.id not in done), None),
        who=who,
        persons=services().shelf.persons.all(),
        title=game.title,
        board=lesson_camera.watched(),
        boards=lesson_camera.boards(),
    )


@blueprint.post("/learner")
def choose_learner() -> ResponseReturnValue:
    """Say who learns with this browser; nobody in particular, where no person is named."""
    chosen = request.form.get("person", "")
    if chosen:
        person = services().shelf.persons.get(chosen)
        session[LEARNER] = person.id
        services().lesson_progress.hand_over(browser() or "", person)
    else:
        session.pop(LEARNER, None)
    return redirect(url_for(".show"), 303)


@blueprint.get("/<lesson_id>")
def lesson(lesson_id: str) -> ResponseReturnValue:
    """Show a lesson at its start."""
    course, _game = _course()
    return _page(Attempt.of(course, _lesson(course, lesson_id)))


@blueprint.post("/<lesson_id>")
def attempt(lesson_id: str) -> ResponseReturnValue:
    """Judge a try, or give a hint; `made` are the moves until now."""
    course, _game = _course()
    one = _lesson(course, lesson_id)
    made = request.form.getlist("made")
    if len(made) >= one.moves:
        abort(422, "so many moves the lesson has not")
    try:
        begun = Attempt.of(course, one, made)
        board = lesson_camera.watched()
        if "look" in request.form and board is not None:
            judged, laid = lesson_camera.look(begun, board)
            return _judged(begun, judged, laid)
        if "hint" in request.form:
            return _page(begun, hint=request.form.get("hint", 1, type=int))
        judged = begun.attempt(" ".join(request.form.getlist("try")))
    except ValueError as error:
        abort(422, str(error))
    return _judged(begun, judged)


def learner() -> Learner:
    """Return who learns with the browser that asks."""
    known = session.get(LEARNER)
    try:
        person = services().shelf.persons.get(known) if isinstance(known, str) else None
    except NoSuchPersonError:  # made one with somebody else since
        person = None
    return Learner(browser() or "", person)


def course_of_default() -> Course[Any, Any] | None:
    """Return the lessons of the game that is played here; None where it has none."""
    found: Course[Any, Any] | None = services().boards.default.game.course
    return found


def _course() -> tuple[Course[Any, Any], Game[Any, Any, Any]]:
    found = course_of_default()
    if found is None:
        abort(404)
    return found, services().boards.default.game


def _lesson(course: Course[Any, Any], lesson_id: str) -> Lesson[Any]:
    found = next((one for one in course.lessons if one.id == lesson_id), None)
    if found is None:
        abort(404)
    return found


def _hints(attempt: Attempt[Any, Any], level: int) -> Shown:
    """The hints up to a level: where to look, what kind of space, and then the move itself."""
    level = min(max(level, 0), HINTS)
    told = attempt.lesson.hints[:level]
    texts: list[str] = [hint.text for hint in told]
    if level < HINTS:
        return Shown(level, tuple(texts), told[-1].spaces if told else ())
    way = attempt.way()
    if not way:
        return Shown(level, tuple(texts))
    course = attempt.course
    return Shown(
        level,
        (*texts, course.format_action(way[0])),
        course.spaces_of(way[0]),
        course.write_action(way[0]),
    )


def _judged(
    begun: Attempt[Any, Any],
    judged: Judgement[Any, Any] | None,
    laid: lesson_camera.Laid | None = None,
) -> ResponseReturnValue:
    """The lesson after a try, or after a look at the real board; one that is done is noted."""
    if judged is None:
        return _page(begun, laid=laid)
    if judged.outcome == "done":
        game = services().boards.default.game
        services().lesson_progress.note(learner(), game.id, begun.lesson.id)
    return _page(judged.attempt, judged)


def _page(
    attempt: Attempt[Any, Any],
    judged: Judgement[Any, Any] | None = None,
    hint: int = 0,
    laid: lesson_camera.Laid | None = None,
) -> ResponseReturnValue:
    """The lesson as it stands; its part alone, where a script asks for it."""
    course, one = attempt.course, attempt.lesson
    at = course.lessons.index(one)
    after: Sequence[Lesson[Any]] = course.lessons[at + 1 :]
    game = services().boards.default.game
    context: Mapping[str, Any] = {
        "lesson": one,
        "attempt": attempt,
        "judged": judged,
        "shown": _hints(attempt, hint),
        "laid": laid,
        "board": lesson_camera.watched(),
        "following": after[0] if after else None,
        "words": [term for term in game.glossary if term.id in one.terms],
        "number": at + 1,
        "of": len(course.lessons),
        "table_template": pages_of(game.id).lesson_template,
        "drawing": board_drawing.draw(services().boards.standard),
    }
    return render_template("_lesson.html" if wants_json() else "lesson.html", **context)
