"""Lessons: a goal on the drawn board, with each try judged and explained."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.game import Game
from scorer.lesson import Attempt, Course, Judgement, Lesson
from webapp.app.game_pages import pages_of
from webapp.app.history.people import NoSuchPersonError
from webapp.app.languages import language
from webapp.app.lesson_progress import Learner
from webapp.app.session import flow, game_document
from webapp.app.session.saved_games import GAME_BYTES
from webapp.server.guard import browser
from webapp.web.changes import Right, changes
from webapp.web.context import guide_service, services
from webapp.web.failures import wants_json
from webapp.web.lesson_tries import place_tried, players, scores, tries
from webapp.web.pages import lesson_camera
from webapp.web.setup_diff import SetupDiff

blueprint = Blueprint("lessons", __name__, url_prefix="/lessons")

LEARNER = "learner"
"""The session key of the learner's person id."""
MADE = "made"
"""The session key of the last lesson tried: its game and id, and the moves made."""
HINTS = 3


@dataclass(frozen=True)
class Shown:
    """The hints shown: their number, texts, highlighted spaces, and the move itself."""

    level: int = 0
    texts: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    move: str = ""


@blueprint.get("")
@blueprint.get("/<game_name>")
def show(game_name: str = "") -> ResponseReturnValue:
    """Show a game's lessons, by default the default game's, and which are done."""
    games = games_with_lessons()
    course, game = _course(game_name or next(iter(games), ""))
    who = learner()
    done = services().lesson_progress.done(who, game.id)
    return render_template(
        "lessons.html",
        lessons=course.lessons,
        done=done,
        next=next((one for one in course.lessons if one.id not in done), None),
        who=who,
        persons=services().history.persons.all(),
        game=game,
        games=[pages_of(name).game for name in games],
        board=lesson_camera.watched(game),
        boards=lesson_camera.boards(game),
    )


@blueprint.post("/learner")
@changes(Right.ANYBODY)
def choose_learner() -> ResponseReturnValue:
    """Choose who learns with this browser; nobody in particular without a person."""
    chosen = request.form.get("person", "")
    if session.get(LEARNER) not in (None, chosen):
        session.pop(MADE, None)  # what somebody else has done
    if chosen:
        person = services().history.persons.get(chosen)
        session[LEARNER] = person.id
        services().lesson_progress.hand_over(browser() or "", person)
    else:
        session.pop(LEARNER, None)
    return redirect(url_for(".show", game_name=request.form.get("game") or None), 303)


@blueprint.get("/<game_name>/<lesson_id>")
def lesson(game_name: str, lesson_id: str) -> ResponseReturnValue:
    """Show a lesson where it was left, or its start."""
    course, game = _course(game_name)
    one, draft = _lesson(course, lesson_id), request.args.get("draft", "")
    kept = session.get(MADE, {})
    if kept.get("lesson") == [game.id, one.id]:
        with suppress(ValueError):  # the lesson has changed since
            begun = Attempt.of(course, one, kept["made"])
            return _page(game, begun, begun.finished(), draft=draft)
    return _page(game, Attempt.of(course, one), draft=draft)


@blueprint.post("/<game_name>/<lesson_id>/again")
@changes(Right.ANYBODY)
def start_again(game_name: str, lesson_id: str) -> ResponseReturnValue:
    session.pop(MADE, None)
    return redirect(url_for(".lesson", game_name=game_name, lesson_id=lesson_id), 303)


@blueprint.post("/<game_name>/<lesson_id>")
@changes(Right.ANYBODY)
def attempt(game_name: str, lesson_id: str) -> ResponseReturnValue:
    """Judge a try, or give a hint; `made` are the moves so far."""
    course, game = _course(game_name)
    one = _lesson(course, lesson_id)
    made = request.form.getlist("made")
    if len(made) >= one.moves:
        abort(422, "so many moves the lesson has not")
    try:
        begun = Attempt.of(course, one, made)
        board = lesson_camera.watched(game)
        if board is not None and "lay" in request.form:
            lesson_camera.lay(begun, board)
        if board is not None and {"look", "lay"} & request.form.keys():
            chosen, was_laid = request.form.get("chosen", ""), "laid" in request.form
            judged, setup_diff = lesson_camera.look(begun, board, chosen, was_laid)
            return _judged(game, begun, judged, setup_diff, was_laid=setup_diff is None)
        if "hint" in request.form:
            return _page(game, begun, hint=request.form.get("hint", 1, type=int))
        judged = begun.attempt(" ".join(request.form.getlist("try")))
    except ValueError as error:
        abort(422, str(error))
    return _judged(game, begun, judged)


@blueprint.post("/<game_name>/first-game")
@changes(Right.ANYBODY)
def first_game(game_name: str) -> ResponseReturnValue:
    """Begin a guided beginners' game against the weakest computer; the program draws."""
    game = _course(game_name)[1]
    pages = pages_of(game.id)
    if pages.guided is None:
        abort(404)
    person = learner().person
    name = person.name if person else _("Player %(number)s", number=1)
    seats = list(zip((name, _("Computer")), pages.markers, strict=False))
    document = game_document.new_game(
        seats, pages.first_mode, game.id, pages.first_game.get("profile", "")
    )
    document = {**document, flow.LIVE: True, flow.GUIDED: True}
    for question in pages.steps(document).start:
        usual = pages.question(question, document).options[0].id
        document = game_document.with_answer(document, question, usual)
        document = game_document.confirm(document, question)
    services().storage.take(GAME_BYTES)
    made = services().games.create(document, browser())
    draws = [*pages.words.opening.answers][-1]
    computers = ("", next(iter(pages.guided.strengths)))
    services().games.take_seat(made.id, 0, browser())
    guide_service().begin(made.id, computers, draws, language(), False)
    return redirect(url_for("guide.show", game_id=made.id), 303)


def learner() -> Learner:
    """Return who learns with the calling browser."""
    known = session.get(LEARNER)
    try:
        person = services().history.persons.get(known) if isinstance(known, str) else None
    except NoSuchPersonError:  # merged with somebody else since
        person = None
    return Learner(browser() or "", person)


def games_with_lessons() -> Sequence[str]:
    """Return the playable games with lessons, the default's first."""
    return [name for name in services().boards.games if pages_of(name).game.course is not None]


def _course(game_name: str) -> tuple[Course[Any, Any], Game[Any, Any, Any]]:
    if game_name not in games_with_lessons():
        abort(404)
    game = pages_of(game_name).game
    assert game.course is not None
    return game.course, game


def _lesson(course: Course[Any, Any], lesson_id: str) -> Lesson[Any]:
    found = next((one for one in course.lessons if one.id == lesson_id), None)
    if found is None:
        abort(404)
    return found


def _hints(attempt: Attempt[Any, Any], level: int) -> Shown:
    """Return the hints up to a level: where to look, the kind of space, then the move itself.

    The first is about the first move: later it is left out.
    """
    level, first = min(max(level, 0), HINTS), int(bool(attempt.made))
    level += first if level == 1 else 0
    hints = attempt.lesson.hints[first:level]
    texts: list[str] = [hint.text for hint in hints]
    if level < HINTS:
        return Shown(level, tuple(texts), hints[-1].spaces if hints else ())
    way = attempt.solve()
    if not way:
        return Shown(level, tuple(texts))
    course = attempt.course
    return Shown(
        level,
        (*texts, course.turns.format_action(way[0])),
        tuple(place.id for place in course.turns.places_of(way[0])),
        course.turns.write_action(way[0]),
    )


def _judged(
    game: Game[Any, Any, Any],
    begun: Attempt[Any, Any],
    judged: Judgement[Any, Any] | None,
    setup_diff: SetupDiff | None = None,
    was_laid: bool = False,
) -> ResponseReturnValue:
    """Record a completed lesson, and show it after a try or a look at the real board."""
    if judged is not None and judged.outcome == "done":
        services().lesson_progress.note(learner(), game.id, begun.lesson.id)
    attempt = begun if judged is None else judged.attempt
    session[MADE] = {"lesson": [game.id, attempt.lesson.id], "made": attempt.made}
    return _page(game, attempt, judged, setup_diff=setup_diff, was_laid=was_laid)


def _page(
    game: Game[Any, Any, Any],
    attempt: Attempt[Any, Any],
    judged: Judgement[Any, Any] | None = None,
    hint: int = 0,
    setup_diff: SetupDiff | None = None,
    was_laid: bool = False,
    draft: str = "",
) -> ResponseReturnValue:
    """Return the lesson's page, or its fragment for scripts.

    `was_laid`: a camera has seen the real board match the lesson. `draft`: as in a guided game.
    """
    course, one = attempt.course, attempt.lesson
    board = lesson_camera.watched(game)
    at = course.lessons.index(one)
    after: Sequence[Lesson[Any]] = course.lessons[at + 1 :]
    context: Mapping[str, Any] = {
        "lesson": one,
        "attempt": attempt,
        "judged": judged,
        "wrong_at": place_tried(course.turns, judged.tried)
        if judged and judged.outcome == "wrong" and judged.tried
        else "",
        "shown": _hints(attempt, hint),
        "setup_diff": setup_diff,
        "was_laid": was_laid,
        "goes_on_board": board is not None and attempt.goes_on_board(),
        "board": board,
        "game": board and board.game,
        "live": pages_of(game.id).live,
        "following": after[0] if after else None,
        "words": [term for term in game.glossary if term.id in one.terms],
        "number": at + 1,
        "of": len(course.lessons),
        "tries": partial(tries, attempt, draft),
        "draft": draft,
        "players": players(attempt),
        "scores": partial(scores, attempt),
        "cards": [term for term in game.glossary if term.number and term.id in one.shows],
    }
    return render_template("_lesson.html" if wants_json() else "lesson.html", **context)
