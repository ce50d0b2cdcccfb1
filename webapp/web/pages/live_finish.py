"""From the table to the score: its current state, an earlier one, or the last before clearing."""

from collections.abc import Collection, Iterator

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp.app.live.finish import finished
from webapp.app.live.reducer import LiveTable
from webapp.app.session import flow, game_document, scoring
from webapp.app.session.board_slots import BY_HAND, DOUBTFUL, owners
from webapp.app.session.saved_games import Document, SavedGame
from webapp.web.changes import Right, changes
from webapp.web.context import current_profile, live_service, services
from webapp.web.pages import steps
from webapp.web.pages.earlier import FROM_THE_TABLE
from webapp.web.pages.owners import owners_of
from webapp.web.words import spoken_name

blueprint = Blueprint("live_finish", __name__, url_prefix="/games/<game_id>/live")


@blueprint.get("/finish")
def ask(game_id: str) -> ResponseReturnValue:
    """Show the boards that differ between the game and the table, for a choice.

    If there are none, show the table.
    """
    game, at = steps.opened(game_id), request.args.get("at", type=int)
    if not game_document.overwritten(game.document, finished(game.document, _table(game, at))):
        return redirect(url_for("live.show", game_id=game_id, at=at), 303)
    return _ask(game, at)


@blueprint.post("/finish")
@changes(Right.MEMBER)
@steps.as_read
def finish(game_id: str) -> ResponseReturnValue:
    """Take the table over into the game, and continue to the review.

    A board that somebody had worked on is only replaced if the form confirms it; boards that were
    never seen are asked for.
    """
    game = steps.opened(game_id)
    at, seen = request.form.get("at", type=int), request.form.get("revision", type=int)
    if seen not in (None, game.revision):
        return _ask(game, at, changed=True)
    table = _table(game, at)
    numbers = range(len(owners(game.document)))
    left = [number for number in numbers if request.form.get(f"board-{number}") == "game"]
    photographs = services().photographs.of(game_id)
    settled = photographs[-1].id if photographs else None

    def take_over(kept: Document) -> Document:
        return finished(kept, table, left, settled)

    missing = [own.name for own in owners_of(take_over(game.document)) if own.board is None]
    if len(missing) < len(numbers):
        try:
            careful = steps.asked(take_over, seen)
            game = steps.changed(game_id, FROM_THE_TABLE, careful, game.revision)
        except steps.WouldOverwriteError:
            return redirect(url_for(".ask", game_id=game_id, at=at), 303)
    for status in live_service().workers.of(game_id):
        live_service().workers.stop(game_id, status.camera.name)
    if places := ", ".join(_uncounted(game.document, left)):
        flash(_("The camera could not count what is on %(places)s. Check it.", places=places))
    if missing:
        names = ", ".join(missing)
        flash(
            _("Not seen on the table: %(names)s. Photograph it, or enter it by hand.", names=names)
        )
    if len(missing) == len(numbers):
        return redirect(url_for("photographs.show", game_id=game_id), 303)
    return steps.redirect_to_next(game)


def _uncounted(document: Document, left: Collection[int]) -> Iterator[str]:
    """Yield the regions in doubt on the boards taken over, with their owners."""
    each = zip(owners_of(document), owners(document), strict=True)
    for number, (owner, own) in enumerate(each):
        if number not in left:
            for region in (own["board"] or BY_HAND).get(DOUBTFUL, {}):
                place = spoken_name(region)
                yield place if len(owners(document)) == 1 else f"{place} ({owner.name})"


def _table(game: SavedGame, at: int | None) -> LiveTable:
    """Return the table after an entry, by default the current one, or the last before clearing."""
    now = live_service().table(game)
    at = now.full_until if at is None else at
    return now if at is None else live_service().table_at(game, at)


def _ask(game: SavedGame, at: int | None, changed: bool = False) -> ResponseReturnValue:
    after, board = finished(game.document, _table(game, at)), current_profile().board
    page = render_template(
        "finish.html",
        game=game,
        step=flow.next_step(game.document),
        at=at,
        changed=changed,
        owners=owners_of(game.document),
        asked=game_document.overwritten(game.document, after),
        before=scoring.all_drawn_pieces(game.document, board),
        after=scoring.all_drawn_pieces(after, board),
    )
    return page, 409 if changed else 200
