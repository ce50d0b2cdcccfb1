"""Guided games: one decision per screen, answered by tap, keyboard or camera."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.flags import RuleBreak
from scorer.game import Game
from webapp.app.game_pages import Document, pages_of
from webapp.app.guide.finish import finished
from webapp.app.guide.history import History
from webapp.app.guide.service import AlreadyBegunError, RefusedError, TableInUseError
from webapp.app.guide.sitting import Sitting
from webapp.app.guided_game import GuidedGame
from webapp.app.languages import language
from webapp.app.session import flow
from webapp.app.session.board_slots import owners
from webapp.app.session.saved_games import ChangedMeanwhileError, SavedGame
from webapp.app.session.seats import NotYourSeatError
from webapp.server.guard import browser, serves
from webapp.web import guide_questions
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile, guide_service, live_service, services
from webapp.web.failures import wants_json
from webapp.web.pages import steps
from webapp.web.pages.ask import of_term, terms_at
from webapp.web.pages.earlier import FROM_THE_TABLE
from webapp.web.pages.guide_screen import (
    ScreenRequest,
    beginning,
    context_of,
    counted,
    history_of,
    tokens_by_place,
    view_of,
)
from webapp.web.pages.sent_photograph import UnreadPhotographError
from webapp.web.pages.token_sheets import sent_tokens
from webapp.web.table_strip import explained
from webapp.web.words import as_sentence, spoken

blueprint = Blueprint("guide", __name__, url_prefix="/games/<game_id>/guide")


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    game = steps.opened(game_id)
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):  # e.g. after a player left
        if flow.is_guided(game.document):
            guide_service().turn(game_id, on=False)
            flash(_("A game of so many players cannot be guided: it continues without guidance."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    if not flow.is_guided(game.document) and flow.has_been_guided(game.document):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    guide_service().follow(game.id)  # pieces may have been placed elsewhere
    return render_template(
        "guide.html", **context_of(steps.opened(game_id), part, ScreenRequest.by_request())
    )


@blueprint.get("/now")
def now(game_id: str) -> ResponseReturnValue:
    """Return the fragment of the page that changes."""
    game = steps.opened(game_id)
    return render_template(
        "_guide.html", **context_of(game, _part(game), ScreenRequest.by_request())
    )


@blueprint.get("/explain")
def explain(game_id: str) -> ResponseReturnValue:
    """Explain a place and what can be done there, or a card."""
    game = steps.opened(game_id)
    part, place = _part(game), request.args.get("place", "")
    if not wants_json():
        return redirect(url_for(".show", game_id=game_id), 303)
    history, asked = history_of(game), ScreenRequest.by_request()
    id, shown = request.args.get("card", ""), view_of(game, part, history, asked)
    of_card = {"players": game.document["players"], "counted": counted(game, part, shown, id)}
    if found := of_term(part.pages, id):
        return render_template("_term.html", **found, **of_card)
    card = explained(part, game.document, id)
    terms, drawn = None, None if shown is None else shown.drawn_pieces
    if card is None and drawn is not None:
        pieces = [drawn.pieces.get(place, ""), *drawn.regions.get(place, ())]
        terms = terms_at(part.game, current_profile(), place, filter(None, pieces))
    if card is None and terms is None:
        abort(404)
    return render_template(
        "_guide_explained.html",
        part=part,
        card=card,
        view=shown,
        place=place,
        terms=terms,
        **of_card,
    )


@blueprint.get("/secret")
def secret(game_id: str) -> ResponseReturnValue:
    """Show a player's cards on their own phone while they hold a button.

    Raises NotYourSeatError.
    """
    game = steps.opened(game_id)
    part, history = _part(game), history_of(game)
    seat = request.args.get("seat", -1, type=int)
    if seat not in ScreenRequest.by_request().sitting(game).mine:
        raise NotYourSeatError
    state = history and guide_service().seen(game, history, seat).state
    return render_template("_guide_secret.html", game=game, part=part, state=state, seat=seat)


@blueprint.post("/seat")
@changes(Right.TABLE)
def sit(game_id: str) -> ResponseReturnValue:
    """Claim a free seat, or free it for another phone."""
    game = steps.opened(game_id)
    part, history = _part(game), history_of(game)
    seat = request.form.get("seat", -1, type=int)
    computers = () if history is None else history.set_up["computers"]
    if history is None or seat not in range(len(computers)) or computers[seat]:
        abort(422, "no such seat")
    games, asked = services().games, ScreenRequest.by_request()
    try:
        if request.form.get("what") == "leave":
            games.give_back(game_id, seat, browser(), serves())
            return _done(game_id)
        games.take_seat(game_id, seat, browser())
    except NotYourSeatError:
        return _done(game_id, _("Another phone has this seat."))
    if not wants_json():
        draft, at = asked.draft, request.form.get("at")
        return redirect(url_for(".show", game_id=game_id, draft=draft, look=seat, at=at), 303)
    context = context_of(steps.opened(game_id), part, replace(asked, handed_to=seat))
    return render_template("_guide.html", **context)


@blueprint.post("")
@changes(Right.TABLE)
def begin(game_id: str) -> ResponseReturnValue:
    game = steps.opened(game_id)
    part = _part(game)
    draws = request.form.get("draws", "")
    if draws not in part.opening.answers:
        abort(422, "no such way to draw")
    if flow.next_step(game.document).name == "score" or any(
        owner["board"] for owner in owners(game.document)
    ):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    draft = f"{draws}:{request.form.get('computers', '')}"
    begun = beginning(game, part, draft)
    if begun is None or begun.seat is not None:
        abort(422, "no such players")
    anew, laid = request.form.get("anew") == "yes", ",".join(request.form.getlist("laid"))
    try:
        guide_service().begin(game_id, begun.computers, draws, language(), anew)
    except AlreadyBegunError:  # tapped twice, or an old page
        flash(_("The game has already begun. This is how it stands."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    except TableInUseError:
        return redirect(url_for(".show", game_id=game_id, draft=draft, laid=laid or None), 303)
    if draws == "hand" and laid:
        guide_service().lay(game_id, tokens_by_place(laid))
    if anew:
        flash(_("The game before is kept among the earlier states."))
    sit_alone(game_id, begun.computers)
    return _done(game_id)


def sit_alone(game_id: str, computers: Sequence[str]) -> None:
    """Give the only person's seat to whoever begins a game against computers alone."""
    persons = [seat for seat, by in enumerate(computers) if not by]
    game = steps.opened(game_id)
    history = history_of(game)
    if len(persons) != 1 or history is None or not _part(game).has_secrets(history.set_up):
        return
    with suppress(NotYourSeatError):  # begun anew, and the seat is another phone's
        services().games.take_seat(game_id, persons[0], browser())


@blueprint.post("/do")
@changes(Right.DECISION, Seen.ENTRY)
def do(game_id: str) -> ResponseReturnValue:
    move = request.form.get("move", "")
    return _act(
        game_id, lambda seen, sitting: guide_service().do(game_id, move, seen, sitting=sitting)
    )


@blueprint.post("/draw")
@changes(Right.DECISION, Seen.ENTRY)
def draw(game_id: str) -> ResponseReturnValue:
    """Draw what is to be drawn now, for people to lay it out."""
    return _act(game_id, lambda seen, _sitting: guide_service().draw(game_id, seen))


@blueprint.post("/photograph")
@changes(Right.TABLE, Seen.ENTRY)
def photograph(game_id: str) -> ResponseReturnValue:
    """Show what a photograph shows of what was drawn and laid on sheets; nothing counts yet."""
    game = steps.opened(game_id)
    history, standard = history_of(game), services().boards.standard(game.document["game"])
    seen = request.form.get("seen", -1, type=int)
    if history is None or standard is None or history.number != seen:
        return _done(game_id, _meanwhile(), 409)
    try:
        laid = sent_tokens(standard)
    except UnreadPhotographError as error:
        flash(str(error))
        return redirect(url_for(".show", game_id=game_id), 303)
    if not laid:
        flash(_("No board with tokens was found. Photograph it whole, from above, in good light."))
        return redirect(url_for(".show", game_id=game_id), 303)
    shown = ",".join(map(":".join, laid.items()))
    return redirect(url_for(".show", game_id=game_id, laid=shown, at=seen), 303)


@blueprint.post("/lay")
@changes(Right.DECISION, Seen.ENTRY)
def lay(game_id: str) -> ResponseReturnValue:
    """Take over what a photograph shows, as it was confirmed."""
    laid = tokens_by_place(",".join(request.form.getlist("laid")))
    return _act(game_id, lambda seen, _sitting: guide_service().lay(game_id, laid, seen))


@blueprint.post("/back")
@changes(Right.DECISION, Seen.ENTRY)
def back(game_id: str) -> ResponseReturnValue:
    return _act(game_id, lambda seen, sitting: guide_service().back(game_id, seen, sitting))


def _act(game_id: str, act: Callable[[int, Sitting], object]) -> ResponseReturnValue:
    """Act on the last entry `seen` on the page, and show the result."""
    game = steps.opened(game_id)
    part = _part(game)
    try:
        act(request.form.get("seen", -1, type=int), ScreenRequest.by_request().sitting(game))
    except NotYourSeatError:
        return _done(game_id, _("Another phone has this seat."))
    except RefusedError as error:
        rule = rule_term(error.broken, part.game)
        return _done(game_id, why(error.broken), rule=rule)
    except ChangedMeanwhileError:
        return _done(game_id, _meanwhile(), 409)
    except ValueError:
        abort(422, "no such action")
    return _done(game_id)


def _meanwhile() -> str:
    return _("The game has moved on in the meantime. This is how it stands.")


@blueprint.post("/right")
@changes(Right.TABLE)
def put_right(game_id: str) -> ResponseReturnValue:
    """Confirm that the boards match the drawing, whatever a camera saw."""
    _part(steps.opened(game_id))
    guide_service().put_right(game_id)
    return _done(game_id)


@blueprint.post("/card")
@changes(Right.TABLE)
def keep_card(game_id: str) -> ResponseReturnValue:
    """Note that a card that a camera misses has not been taken."""
    _part(steps.opened(game_id))
    guide_service().keep_card(game_id, request.form.get("card", ""))
    return _done(game_id)


@blueprint.post("/off")
@changes(Right.TABLE)
def off(game_id: str) -> ResponseReturnValue:
    """Continue without guidance; the boards stay."""
    _part(steps.opened(game_id))
    guide_service().turn(game_id, on=False)
    return redirect(url_for("games.resume", game_id=game_id), 303)


@blueprint.post("/on")
@changes(Right.TABLE)
def on(game_id: str) -> ResponseReturnValue:
    """Resume guidance where it was stopped."""
    _part(steps.opened(game_id))
    guide_service().turn(game_id, on=True)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/finish")
@changes(Right.MEMBER)
@steps.as_read
def finish(game_id: str) -> ResponseReturnValue:
    """Take boards, markers and tokens over into the game, and continue to the score."""
    game = steps.opened(game_id)
    part, history = _part(game), history_of(game)
    if history is None or not _is_over(part, history, game.document):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    table = live_service().table(game)
    changed = steps.changed(
        game_id,
        FROM_THE_TABLE,
        lambda kept: finished(part, kept, table, history.state),
        game.revision,
        over=True,
    )
    for status in live_service().workers.of(game_id):
        live_service().workers.stop(game_id, status.camera.name)
    return steps.redirect_to_next(changed)


@blueprint.app_template_filter("why")
def why(broken: RuleBreak, here: str = "") -> str:
    """Return a sentence saying why something is forbidden; `here` is the place concerned."""
    return as_sentence(spoken(broken.reason, here))


@blueprint.app_template_filter("rule_term")
def rule_term(broken: RuleBreak, game: Game[Any, Any, Any]) -> str:
    """Return the id of the term that explains the rule behind a refusal; "" if there is none."""
    return next((term.id for term in game.glossary if broken.kind in term.rules), "")


def _part(game: SavedGame) -> GuidedGame:
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):
        abort(404)
    return part


def _is_over(part: GuidedGame, history: History, document: Document) -> bool:
    return guide_questions.Asked(part, history.state).question(document).over


def _done(game_id: str, refused: str = "", code: int = 200, rule: str = "") -> ResponseReturnValue:
    """Show the next decision, and why the last action was refused, by which `rule`'s term."""
    if not wants_json() and not refused:
        return redirect(url_for(".show", game_id=game_id), 303)
    game = steps.opened(game_id)
    page = "_guide.html" if wants_json() else "guide.html"
    return render_template(
        page, **context_of(game, _part(game), ScreenRequest.by_request(), refused, rule)
    ), code
