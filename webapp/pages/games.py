"""The list of games, a new one, and what can be done with a whole one."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp import flow, forms, game_document, scoring
from webapp.games import GamePages, pages_of
from webapp.guard import browser
from webapp.pages import steps
from webapp.saved_games import GAME_BYTES, PAGE, SavedGame
from webapp.services import services

blueprint = Blueprint("games", __name__)

PLAYERS = flow.Step("players")
LAST = 1_000_000
"""How far back the list of games goes at most."""


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Show the games, the one played last first; where there are none, begin the first."""
    services().clear_away()
    skip = max(0, request.args.get("skip", 0, type=int))
    found = services().games.recent(PAGE + 1, min(skip, LAST))
    games = found[:PAGE]
    deleted = request.args.get("deleted")
    if not games and not skip and not deleted:
        return _players_page(forms.blank_players(_pages(), _last_board()), None, first=True)
    return render_template(
        "home.html",
        games=games,
        results={game.id: scoring.result(game, _board(game)) for game in games},
        deleted=deleted,
        older=skip + PAGE if len(found) > PAGE else None,
    )


@blueprint.route("/games/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    """Ask who plays which mode, and start the game."""
    pages, posted = _pages(), request.method == "POST"
    if posted:
        form = forms.players(request.form, pages, services().boards.choices(pages.game.id))
    else:
        form = forms.blank_players(pages, _last_board())
    if posted and form.valid:
        chosen = form.value
        services().storage.take(GAME_BYTES)
        game = services().games.create(
            game_document.new_game(chosen.players, chosen.mode, pages.game.id, chosen.profile)
        )
        return steps.redirect_to_next(game)
    return _players_page(form, None)


@blueprint.route("/games/<game_id>/players", methods=["GET", "POST"])
def players(game_id: str) -> ResponseReturnValue:
    """Correct who plays which mode."""
    game = steps.opened(game_id)
    if request.method != "POST":
        return _players_page(forms.players_of(game.document), game)
    pages = pages_of(game.document["game"])
    form = forms.players(request.form, pages, services().boards.choices(pages.game.id))
    if not form.valid:
        return _players_page(form, game)
    changed = steps.confirm(
        game_id,
        PLAYERS,
        lambda document: game_document.with_players(
            document, form.value.players, form.value.mode, form.value.profile
        ),
    )
    return steps.redirect_to_next(changed)


def _board(game: SavedGame) -> Any:
    """The board that a game was played on."""
    return services().boards.of(game.document).board


def _last_board() -> str:
    """The board of the game that was played last: the next one is on it too."""
    chosen = [game.document.get("profile", "") for game in services().games.recent(1)]
    choices = services().boards.choices(_pages().game.id)
    return next((profile for profile in chosen if profile in choices), "")


def _pages() -> GamePages:
    """The pages of the game whose boards are read here."""
    return pages_of(services().profile.layout.game)


def _players_page(
    form: forms.Form, game: SavedGame | None, first: bool = False
) -> ResponseReturnValue:
    names = forms.known_names(services().games.recent(20))
    pages = _pages() if game is None else pages_of(game.document["game"])
    page = render_template(
        "players.html",
        form=form,
        game=game,
        step=PLAYERS,
        names=names,
        first=first,
        pages=pages,
        boards=services().boards.choices(pages.game.id),
    )
    return page, 200 if form.valid else 422


@blueprint.get("/games/<game_id>")
def resume(game_id: str) -> ResponseReturnValue:
    """Go on where the game was left."""
    return steps.redirect_to_next(services().games.open(game_id))


@blueprint.post("/games/<game_id>/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Take the last step back."""
    services().games.undo(game_id, browser())
    return _back(game_id)


@blueprint.post("/games/<game_id>/redo")
def redo(game_id: str) -> ResponseReturnValue:
    """Take the step that was undone last again."""
    services().games.redo(game_id, browser())
    return _back(game_id)


@blueprint.post("/games/<game_id>/delete")
def delete(game_id: str) -> ResponseReturnValue:
    """Delete a game; for a minute it can be brought back."""
    services().games.delete(game_id)
    return redirect(url_for("games.home", deleted=game_id), 303)


@blueprint.post("/games/<game_id>/restore")
def restore(game_id: str) -> ResponseReturnValue:
    """Bring a game back that was just deleted."""
    services().games.restore(game_id)
    flash(_("The game is back."))
    return redirect(url_for("games.home"), 303)


def _back(game_id: str) -> ResponseReturnValue:
    """Return to the page of this game that asked, which the form names; never elsewhere."""
    here = url_for("games.resume", game_id=game_id)
    wanted = request.form.get("back", "")
    return redirect(wanted if wanted.startswith(f"{here}/") else here, 303)
