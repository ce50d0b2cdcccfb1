"""Opening a game, confirming its steps, and redirecting to the next one."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp.app.session import board_slots, flow, game_document
from webapp.app.session.board_slots import numbered
from webapp.app.session.saved_games import (
    Change,
    ChangedMeanwhileError,
    Document,
    NotAsShownError,
    SavedGame,
    Shown,
)
from webapp.app.session.scoring import scoring_blockers
from webapp.server.guard import browser
from webapp.web.changes import seen_revision
from webapp.web.context import guide_service, services
from webapp.web.context import opened as opened
from webapp.web.forms import Form
from webapp.web.game_blueprints import page_of

DELIVERY = re.compile("[0-9a-f]{32}")
ENDPOINTS = {
    "players": "games.players",
    "live": "live.show",
    "photographs": "photographs.show",
    "review": "boards.review",
    "score": "score.leaderboard",
}
"""The steps of every game; games name the pages of their own."""


def url_of(game: SavedGame, step: flow.Step, **query: str) -> str:
    """Return the URL of a step's page."""
    values: dict[str, Any] = {"game_id": game.id, **query}
    if step.player is not None:
        values["player"] = step.player
    if step.name == "live" and flow.is_guided(game.document):
        return url_for("guide.show", **values)
    if step.name in ENDPOINTS:
        return url_for(ENDPOINTS[step.name], **values)
    if (endpoint := page_of(game.document["game"], step.name)) is not None:
        return url_for(endpoint, **values)
    return url_for("questions.ask", question=step.name, **values)


def changed(
    game_id: str, step: str, change: Change, seen: int | None = None, over: bool = False
) -> SavedGame:
    """Save a change by the calling browser; `over`: the game is over by its rules.

    Raises NoSuchGameError, NotYourSeatError, and ChangedMeanwhileError if the game is not at the
    revision `seen`, by default the one that the form must name.
    """
    seen = seen_revision() if seen is None else seen
    return services().games.change(
        game_id, step, change, browser(), seen, delivery=delivery(), over=over
    )


def delivery() -> str | None:
    """Return the phone's delivery id, so that a repeated delivery is processed once, or None."""
    named = request.form.get("delivery", "")
    if named and not DELIVERY.fullmatch(named):
        abort(422, "no such delivery")
    return named or None


View = Callable[..., ResponseReturnValue]
MOST_TRIES = 5


def as_read(view: View) -> View:
    """Retry a view if the game changed between its reading and writing.

    For changes computed from more than the document, such as who sits at the table.
    """

    @wraps(view)
    def again(*args: Any, **kwargs: Any) -> ResponseReturnValue:
        for _attempt in range(MOST_TRIES - 1):
            with suppress(ChangedMeanwhileError):
                return view(*args, **kwargs)
        return view(*args, **kwargs)

    return again


class StaleConfirmationError(Exception):
    """What somebody confirmed has changed since their page was drawn.

    Nothing was written.
    """

    def __init__(self, game_id: str, step: flow.Step) -> None:
        """`step` is the one whose page is shown again."""
        super().__init__(game_id)
        self.game_id, self.step = game_id, step


def confirm(
    game_id: str,
    step: flow.Step,
    change: Change = lambda document: document,
    seen: int | None = None,
    also: Sequence[flow.Step] = (),
) -> SavedGame:
    """Save a change and confirm its step in one transaction. Raises the errors of `changed`.

    Forms name the revision that their page was drawn from in `shown`. Raises StaleConfirmationError
    if the content of the step's page, or of those confirmed `also`, has changed, unless the game
    has this answer already.
    """

    def confirmed(document: Document) -> Document:
        return game_document.confirm(change(document), step.key)

    def on_page(document: Document) -> Sequence[Any]:
        return [flow.shown(document, one) for one in (step, *also)]

    revision = request.form.get("shown", type=int)
    shown = None if revision is None else Shown(revision, on_page)
    try:
        return services().games.change(
            game_id, step.key, confirmed, browser(), seen, shown, delivery()
        )
    except NotAsShownError as error:
        game = opened(game_id)
        if step.name != flow.REVIEW and confirmed(game.document) == game.document:
            return game
        raise StaleConfirmationError(game_id, step) from error


class WouldOverwriteError(Exception):
    """The change would discard somebody's work on a board without confirmation."""


def asked(change: Change, seen: int | None) -> Change:
    """Return a change that raises WouldOverwriteError if it discards unconfirmed work.

    `seen` is the revision that whoever confirms was shown, None for nobody.
    """

    def careful(document: Document) -> Document:
        after = change(document)
        if seen is None and game_document.overwritten(document, after):
            raise WouldOverwriteError
        return after

    return careful


def redirect_to_next(game: SavedGame) -> ResponseReturnValue:
    """Redirect to what prevents scoring, else to the next step or the score."""
    if scoring_blockers(game.document, services().boards.of(game.document)):
        return redirect(url_for("scoring_blockers.show", game_id=game.id), 303)
    if flow.next_step(game.document).name == "score":
        game = guide_service().reveal(game)
    return redirect(url_of(game, flow.next_step(game.document)), 303)


def form_page(
    template: str,
    game: SavedGame,
    step: flow.Step,
    form: Form,
    change: Change | None = None,
    seen: int | None = None,
    **shown: object,
) -> ResponseReturnValue:
    """Return the page of a step with its form; save a valid submission and continue.

    Without a change nothing is saved. Raises the errors of `confirm`.
    """
    if request.method == "POST" and form.valid and change:
        return redirect_to_next(confirm(game.id, step, change, seen))
    page = render_template(template, form=form, game=game, step=step, **shown)
    return page, 200 if form.valid else 422


def redirect_back(game_id: str, other: str) -> ResponseReturnValue:
    """Redirect to the game's page in the form's `back`, else to `other`."""
    wanted = request.form.get("back", "")
    inside = wanted.startswith(f"{url_for('games.resume', game_id=game_id)}/")
    return redirect(wanted if inside else other, 303)


def seat(game: SavedGame, player: int) -> Mapping[str, Any]:
    """Return a seat of the game. Raises NoSuchSeatError."""
    return numbered(game.document["players"], player)


def owner(game: SavedGame, number: int) -> Mapping[str, Any]:
    """Return the owner of a board by number. Raises NoSuchSeatError."""
    return board_slots.owner(game.document, number)
