"""Questions that no camera can answer: one on a page, or all of a step together."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_date
from flask_babel import gettext as _

from scorer.game import Question
from webapp.app.game_pages import AnswersError, Field, pages_of
from webapp.app.session import flow, game_document
from webapp.app.session.saved_games import SavedGame
from webapp.app.session.table_reading import TableAnswer, points_seen, unmoved
from webapp.server.guard import serves
from webapp.web.changes import Right, Seen, changes
from webapp.web.forms import Form, listed
from webapp.web.game_blueprints import of_step, page_of
from webapp.web.pages import steps
from webapp.web.pages.whole_table import answers_seen, photograph_of
from webapp.web.words import said

blueprint = Blueprint("questions", __name__, url_prefix="/games/<game_id>/questions")


@blueprint.app_template_filter("day")
def _day(ordinal: int) -> str:
    """Return the ISO 8601 date of a `datetime.date.toordinal`."""
    return date.fromordinal(ordinal).isoformat()


@blueprint.route("/<question>", methods=["GET", "POST"])
@blueprint.route("/<question>/<int:player>", methods=["GET", "POST"])
@changes(Right.TABLE, Seen.STEP)
def ask(game_id: str, question: str, player: int | None = None) -> ResponseReturnValue:
    """Ask a question of the table or of a player, and continue.

    Answers `read` from a photograph are proposed here, and in the same player's next question.
    """
    game = steps.opened(game_id)
    if player is not None:
        steps.seat(game, player)
    asked = _asked(game, question)
    if request.method != "POST":
        return ask_page(game, question, player)
    answer, problem = _answer(asked)
    if problem:
        return ask_page(game, question, player, problem)
    step = flow.Step(question, player)
    game = steps.confirm(
        game_id, step, lambda kept: game_document.with_answer(kept, question, answer, player)
    )
    after = flow.next_step(game.document)
    questions = pages_of(game.document["game"]).steps(game.document).players
    if (read := _read()) and after.player == player and after.name in questions:
        return redirect(f"{steps.url_of(game, after)}?{urlencode({'read': ','.join(read)})}", 303)
    if after.name == flow.LIVE and (draft := request.args.get("draft")):  # as the game before it
        return redirect(steps.url_of(game, after, draft=draft), 303)
    return steps.redirect_to_next(game)


def ask_page(
    game: SavedGame, question: str, player: int | None, problem: str = ""
) -> ResponseReturnValue:
    """Return a question's page, with what is wrong with the answer or photograph sent."""
    asked = _asked(game, question)
    holder = game.document if player is None else game.document["players"][player]
    hidden = asked.secret and player is not None and game.seats[player].hidden
    read, answer = _read(), holder.get(question)
    sent = request.form.get("answer", "") if asked.kind == "date" else ""
    page = render_template(
        "hidden.html" if hidden else "question.html",
        game=game,
        step=flow.Step(question, player),
        player=player,
        seat=holder,
        heading=said(asked.text),
        alone=True,
        groups=[[Field("answer", asked)]],
        form=Form(
            {"answer": sent or (answer if read is None else read)},
            {"answer": problem} if problem else {},
        ),
        read=read,
        serves=serves(),
    )
    return page, 422 if problem else 200


def page(blueprint: Blueprint, step: str) -> None:
    """Add the page of a step's `fields`, at the step's name, to a game's blueprint."""

    @blueprint.route(f"/{step}", methods=["GET", "POST"], endpoint=step)
    @of_step(step)
    @changes(Right.TABLE, Seen.STEP)
    def view(game_id: str) -> ResponseReturnValue:
        return together(game_id, step)


@steps.as_read
def together(game_id: str, name: str) -> ResponseReturnValue:
    """Ask all `fields` of a game's step on one page, and continue.

    Answers that a photograph of the whole table shows are proposed; sent from here, a doubtful one
    has been looked at.
    """
    game, step, doubtful = steps.opened(game_id), flow.Step(name), dict[str, TableAnswer]()
    pages = pages_of(game.document["game"])
    fields = pages.fields(name, game.document)
    form = Form({field.name: field.answer for field in fields})
    for seen in answers_seen(game, step):
        for field in fields:
            if field.question.id == seen.question.id and not field.answer:
                form = replace(form, entered={**form.entered, field.name: seen.seen})
                if seen.value is None:
                    doubtful[field.name] = seen
    photograph = photograph_of(game)
    points = points_seen(game.document, photograph.reading or {}) if photograph else ()
    counted = {one.field.name: one for one in points if one.step == step}
    read = {id: one.value for id, one in counted.items() if form.entered[id] is None}
    form = replace(form, entered={**form.entered, **read})
    if request.method == "POST":
        answers = {field.name: _answer(field.question, field.name) for field in fields}
        value = {
            field: [] if field in doubtful and unmoved(field) in request.form else answer
            for field, (answer, _problem) in answers.items()
        }
        errors = {field: problem for field, (_answer, problem) in answers.items() if problem}
        errors |= {
            field: _("Which tokens have moved? If none has, tick that below.")
            for field in doubtful
            if not value[field] and unmoved(field) not in request.form
        }
        try:
            if not errors:
                pages.with_answers(name, game.document, value)
        except AnswersError as error:
            errors = {**error.problems}
        form = Form(value, errors, None if errors else value)
    heading, mode = f"page_{name}", game.document.get("mode", "")
    return steps.form_page(
        "question.html",
        game,
        step,
        form,
        lambda kept: pages.with_answers(name, kept, form.value),
        game.revision,
        heading=pages.words.say(f"{heading}_{mode}", pages.words.say(heading)),
        hint=pages.words.say(f"{heading}_hint"),
        groups=[[*some] for _, some in groupby(fields, lambda one: one.card or one.seat)],
        doubtful=doubtful,
        counted=counted,
        photograph=photograph,
    )


def _asked(game: SavedGame, question: str) -> Question:
    """Return a step's question; 404 if there is none, or the game has its own page for it."""
    pages = pages_of(game.document["game"])
    try:
        if page_of(pages.game.id, question):
            abort(404)
        return pages.question(question, game.document)
    except KeyError:
        abort(404)


def _read() -> list[str] | None:
    """Return the options that a photograph showed, None without one."""
    sent = request.values.get("read")
    return None if sent is None else [*filter(None, sent.split(","))]


def _answer(asked: Question, field: str = "answer") -> tuple[Any, str]:
    """Return the answer that was sent, and what is wrong with it, "" if it is valid."""
    if asked.kind == "number":
        number = request.form.get(field, type=int)
        if number is None or not asked.least <= number <= asked.most:
            wanted = _(
                "Enter a number from %(least)s to %(most)s.", least=asked.least, most=asked.most
            )
            return number, wanted
        return number, ""
    if asked.kind == "date":
        return _date(asked)
    known = [option.id for option in asked.options]
    if asked.kind == "order":
        return _order(known, listed(request.form.get(field, "")))
    sent = request.form.getlist(field)
    chosen = [one for one in sent if one in known]
    if asked.kind == "one":
        is_open = not sent and "" in known  # as if that was chosen
        return (chosen[0], "") if len(chosen) == 1 else (None, "" if is_open else _("Choose one."))
    if len(set(chosen)) != len(chosen) or not asked.least <= len(chosen) <= asked.most:
        return None, _("Choose from %(least)s to %(most)s.", least=asked.least, most=asked.most)
    return chosen, ""


def _order(known: Sequence[str], order: list[str]) -> tuple[list[str], str]:
    """Return the order that was sent, and what is wrong with it."""
    if any(token not in known for token in order):
        return order, _("One of these tokens does not belong on this track.")
    return order, _("One of these tokens is listed twice.") if len({*order}) < len(order) else ""


def _date(asked: Question) -> tuple[str | None, str]:
    """Return the chosen date in ISO 8601; a proposed one takes precedence."""
    answer = request.form.get("proposed") or request.form.get("answer", "").strip()
    first, last = date.fromordinal(asked.least), date.fromordinal(asked.most)
    try:
        day = date.fromisoformat(answer)
    except ValueError:
        return None, _("Enter a date: year, month and day.")
    if not first <= day <= last:
        bounds = {"first": format_date(first, "long"), "last": format_date(last, "long")}
        return None, _("Enter a day from %(first)s to %(last)s.", **bounds)
    return day.isoformat(), ""
