"""A guided game: one thing a screen, done by a tap, by the keyboard or by what a camera saw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.flags import RuleBreak
from webapp import flow
from webapp.board_owners import owners
from webapp.failures import wants_json
from webapp.games import pages_of
from webapp.games.guided import GuidedGame
from webapp.guide.history import History
from webapp.guide.service import (
    AlreadyBegunError,
    RefusedError,
    TableInUseError,
    finished,
    guides,
)
from webapp.guide.view_model import GuideViewModel, view
from webapp.languages import language
from webapp.live.service import live
from webapp.pages import steps
from webapp.pages.earlier import FROM_THE_TABLE
from webapp.saved_games import ChangedMeanwhileError, SavedGame
from webapp.words import as_sentence, said

blueprint = Blueprint("guide", __name__, url_prefix="/games/<game_id>/guide")

LONGEST_DRAFT = 80
MOST_HINTS = 3
PERSON = "-"
"""Stands in a draft for a player who is no computer."""


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show what is to be done now."""
    game = steps.opened(game_id)
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):  # as after a player left
        if flow.is_guided(game.document):
            guides().turn(game_id, on=False)
            flash(_("So many players cannot be guided: the game goes on without guidance."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    if not flow.is_guided(game.document) and flow.has_been_guided(game.document):
        return redirect(url_for("games.resume", game_id=game_id), 303)
    guides().follow(game.id)  # cards were laid on the table elsewhere, perhaps
    return render_template("guide.html", **_context(steps.opened(game_id), part))


@blueprint.get("/now")
def now(game_id: str) -> ResponseReturnValue:
    """Show the part of the page that changes."""
    game = steps.opened(game_id)
    return render_template("_guide.html", **_context(game, _part(game)))


@blueprint.get("/places")
def places(game_id: str) -> ResponseReturnValue:
    """Say for each place of the board why a piece may not go there, null where it may."""
    game = steps.opened(game_id)
    shown = _view(game, _part(game))
    if shown is None:
        abort(404)
    found = {place: broken for place, (_action, broken) in shown.places.items()}
    return jsonify({place: broken and why(broken) for place, broken in found.items()})


@blueprint.post("")
def begin(game_id: str) -> ResponseReturnValue:
    """Begin a guided game."""
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
    begun = _beginning(game, part, draft)
    if begun is None or begun.seat is not None:
        abort(422, "no such players")
    anew = request.form.get("anew") == "yes"
    try:
        guides().begin(game_id, begun.computers, draws, language(), anew)
    except AlreadyBegunError:  # tapped twice, or on a page that was left open
        flash(_("The game has begun already. This is how it stands."))
        return redirect(url_for("games.resume", game_id=game_id), 303)
    except TableInUseError:
        return redirect(url_for(".show", game_id=game_id, draft=draft), 303)
    if anew:
        flash(_("The game before is kept among the earlier states."))
    return _done(game_id)


@blueprint.post("/do")
def do(game_id: str) -> ResponseReturnValue:
    """Do what was chosen."""
    _part(steps.opened(game_id))
    seen = request.form.get("seen", -1, type=int)
    try:
        guides().do(game_id, request.form.get("move", ""), seen)
    except RefusedError as error:
        return _done(game_id, why(error.broken))
    except ChangedMeanwhileError:
        return _done(game_id, _("The game has gone on meanwhile. This is how it stands."))
    except ValueError:
        abort(422, "no such action")
    return _done(game_id)


@blueprint.post("/back")
def back(game_id: str) -> ResponseReturnValue:
    """Take the last decision back."""
    _part(steps.opened(game_id))
    try:
        guides().back(game_id, request.form.get("seen", -1, type=int))
    except ChangedMeanwhileError:
        return _done(game_id, _("The game has gone on meanwhile. This is how it stands."))
    return _done(game_id)


@blueprint.post("/right")
def put_right(game_id: str) -> ResponseReturnValue:
    """Say that the boards lie as they are drawn, whatever a camera saw."""
    _part(steps.opened(game_id))
    guides().put_right(game_id)
    return _done(game_id)


@blueprint.post("/off")
def off(game_id: str) -> ResponseReturnValue:
    """Play on without guidance; the boards stay."""
    _part(steps.opened(game_id))
    guides().turn(game_id, on=False)
    return redirect(url_for("games.resume", game_id=game_id), 303)


@blueprint.post("/on")
def on(game_id: str) -> ResponseReturnValue:
    """Be guided again, from where the guidance was left."""
    _part(steps.opened(game_id))
    guides().turn(game_id, on=True)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/finish")
@steps.as_read
def finish(game_id: str) -> ResponseReturnValue:
    """Take boards, markers and tokens over into the game, and go on to the score."""
    game = steps.opened(game_id)
    part, history = _part(game), _history(game)
    if history is None or not part.question(history.state, "", game.document, history.set_up).over:
        return redirect(url_for("games.resume", game_id=game_id), 303)
    table = live().table(game)
    hidden = [seat for seat, state in enumerate(game.seats) if state.hidden]
    changed = steps.changed(
        game_id,
        FROM_THE_TABLE,
        lambda kept: finished(part, kept, table, history.state, hidden),
        game.revision,
    )
    for status in live().workers.of(game_id):
        live().workers.stop(game_id, status.camera.name)
    return steps.redirect_to_next(changed)


@blueprint.app_template_filter("why")
def why(broken: RuleBreak) -> str:
    """Return in half a sentence why something may not be done."""
    return as_sentence(said(broken.reason))


def _part(game: SavedGame) -> GuidedGame:
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document):
        abort(404)
    return part


def _history(game: SavedGame) -> History | None:
    return guides().history(game) if flow.is_guided(game.document) else None


def _view(game: SavedGame, part: GuidedGame) -> GuideViewModel | None:
    history = _history(game)
    if history is None:
        return None
    draft = request.args.get("draft", "")[:LONGEST_DRAFT]
    asked = min(max(request.args.get("hint", 0, type=int), 0), MOST_HINTS)
    return view(
        part,
        history,
        game.document,
        draft,
        guides().sightings(game, history),
        guides().advice(game, history),
        guides().hints(game, history) if asked else (),
        asked,
    )


@dataclass(frozen=True)
class Beginning:
    """What was said before a guided game begins, and of which `seat` is asked who plays there.

    `draft` is what was said, to be gone on with; `computers` are the strengths, "" for people.
    """

    draws: str
    computers: tuple[str, ...]
    seat: int | None
    draft: str
    strengths: Mapping[str, str]


def _beginning(game: SavedGame, part: GuidedGame, draft: str) -> Beginning | None:
    """Read a draft such as `hand:-,easy`; None where it says nothing that can be."""
    draws, _colon, chosen = draft.partition(":")
    strengths = {} if part.advisor is None else dict(part.advisor.strengths)
    players = len(game.document["players"])
    computers = [one for one in chosen.split(",") if one]
    known = {PERSON, *strengths}
    if (
        draws not in part.opening.answers
        or len(computers) > players
        or not known.issuperset(computers)
    ):
        return None
    if not strengths:
        computers = [PERSON] * players
    computers = computers or [PERSON]  # somebody has to be there: whoever sits first
    seat = len(computers) if len(computers) < players else None
    names = {id: said(words) for id, words in strengths.items()}
    found = tuple("" if one == PERSON else one for one in computers)
    return Beginning(draws, found, seat, f"{draws}:{','.join(computers)}", names)


def _context(game: SavedGame, part: GuidedGame, refused: str = "") -> Mapping[str, Any]:
    live_part = part.pages.live

    def board_title(number: int) -> str:
        return live_part.format_hand(live_part.board_name(game.document, number))

    return {
        "board_title": board_title,
        "game": game,
        "part": part,
        "view": _view(game, part),
        "is_another": flow.is_guided(game.document) and guides().is_another(game),
        "in_use": guides().in_use(game),
        "beginning": _beginning(game, part, request.args.get("draft", "")[:LONGEST_DRAFT]),
        "draft": request.args.get("draft", "")[:LONGEST_DRAFT],
        "refused": refused,
        "last": live().log.last(game.id),
    }


def _done(game_id: str, refused: str = "") -> ResponseReturnValue:
    """Show what is to be done next, and why the last thing was not done."""
    if not wants_json() and not refused:
        return redirect(url_for(".show", game_id=game_id), 303)
    game = steps.opened(game_id)
    page = "_guide.html" if wants_json() else "guide.html"
    return render_template(page, **_context(game, _part(game), refused))
