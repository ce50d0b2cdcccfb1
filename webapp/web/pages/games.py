"""The list of games, new games, and actions on whole games."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from webapp.app.boards.known_boards import BoardGoneError
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.session import flow, game_document, scoring
from webapp.app.session.board_slots import owners
from webapp.app.session.saved_games import (
    GAME_BYTES,
    PAGE,
    BrokenGameError,
    ChangedMeanwhileError,
    Document,
    SavedGame,
)
from webapp.server import guard
from webapp.server.guard import browser
from webapp.web import forms
from webapp.web.changes import Right, Seen, changes, seen_revision
from webapp.web.context import current_profile, live_service, services
from webapp.web.drawn_once import drawn_once
from webapp.web.failures import wants_json
from webapp.web.membership import join, joined
from webapp.web.pages import steps
from webapp.web.pages.owners import owner_of
from webapp.web.words import board_title

blueprint = Blueprint("games", __name__)

PLAYERS = flow.Step("players")
GAME_ID = re.compile("[0-9a-f]{16}")
LAST = 1_000_000
"""The last position in the list of games."""
LONGEST_SEARCH = 200
SEARCHED_FROM = 4
"""The number of games from which search is offered."""


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Show the games, the last changed first; if there are none, begin the first."""
    services().clear_away()
    history = services().history
    history.look()
    skip = min(max(0, request.args.get("skip", 0, type=int)), LAST)
    wanted = request.args.get("q", "")[:LONGEST_SEARCH]
    if wanted.strip():
        found = services().games.listed(history.results.found(wanted, PAGE + 1, skip))
    else:
        found = services().games.page(PAGE + 1, skip)
    games = found[:PAGE]
    readable = [game for game in games if isinstance(game, SavedGame)]
    deleted = request.args.get("deleted")
    if not games and not skip and not deleted and not wanted:
        return _players_page(forms.blank_players(_pages()), None, first=True)
    ids = [game.id for game in games]
    results, who = history.results.of(ids), history.who()
    serves = guard.serves()
    mine = ids if serves else {*joined(), *services().games.seated(guard.browser(), ids)}
    own = [game_id for game_id in ids if game_id in mine]
    live_games = live_service().being_played(readable)
    several_games = len(services().boards.games) > 1

    def tile(game: SavedGame) -> Markup:
        result = results.get(game.id)
        names = [ending.name for ending in result.endings] if result else []
        persons, is_live = {name: who(name) for name in names}, game.id in live_games
        board = game.document.get(game_document.PROFILE)  # can change without a new revision
        shown = (game.id, game.revision, game.changed_at, board)
        return drawn_once().draw(
            "_tile.html",
            (shown, result, tuple(persons.values()), is_live, several_games, game.id in own),
            game=game,
            result=result,
            persons=persons,
            is_live=is_live,
            several_games=several_games,
            is_mine=game.id in own,
        )

    return render_template(
        "home.html",
        games=games,
        broken={game.id for game in games} - {game.id for game in readable},
        tile=tile,
        own=own,
        wanted=wanted,
        searchable=bool(wanted) or skip > 0 or len(games) >= SEARCHED_FROM,
        deleted=deleted,
        older=skip + PAGE if len(found) > PAGE else None,
        serves=serves,
        pages=pages_of(readable[0].document["game"]) if readable else _pages(),
    )


@blueprint.route("/games/new", methods=["GET", "POST"])
@changes(Right.ANYBODY)
def new() -> ResponseReturnValue:
    """Ask for the players and the mode, and start a game."""
    pages, posted = _pages(), request.method == "POST"
    form = (
        forms.players(request.form, pages, _boards(pages))
        if posted
        else forms.blank_players(pages, _given(pages))
    )
    if posted and form.valid:
        chosen = form.value
        if request.form.get("guided") == "first":
            chosen = _first_game(pages, chosen)
        services().storage.take(GAME_BYTES)
        document = {
            **game_document.new_game(chosen.players, chosen.mode, pages.game.id, chosen.profile),
            **_set_up(pages, chosen),
        }
        game = services().games.create(_live(document), browser(), chosen_id())
        join(game.id)
        if wants_json():
            return jsonify(players=steps.url_of(game, PLAYERS), onward=_onward(game, pages)), 201
        return redirect(_onward(game, pages), 303)
    return _players_page(form, None)


def _onward(game: SavedGame, pages: GamePages) -> str:
    """Return the URL of a new game's next step; whose table is laid has the game on it."""
    step, is_laid = flow.next_step(game.document), _to_play(pages) == "laid"
    if is_laid and step.name == flow.LIVE and "hand" in pages.words.opening.answers:
        laid = request.values.get("laid")
        return url_for("guide.show", game_id=game.id, draft="hand", laid=laid)
    return steps.url_of(game, step)


def _to_play(pages: GamePages) -> str:
    """Return "yes" if the form is for a guided game, "laid" if its table is set up; else ""."""
    asked = request.values.get("play", "")
    return asked if pages.guided and asked in {"yes", "laid"} else ""


def _given(pages: GamePages) -> Mapping[str, str]:
    """Return what a new game's form starts with; to play, as the last game or a first one was."""
    if not _to_play(pages):
        return request.args
    last = (game.document for game in services().games.recent(20))
    before = next((one for one in last if one["game"] == pages.game.id), pages.first_game)
    known = {key: before[key] for key in ("mode", game_document.PROFILE) if before.get(key)}
    return {**known, **request.args}


def _set_up(pages: GamePages, chosen: forms.Seating) -> Mapping[str, str]:
    """Return the free options, such as a date, for which the table was set up; {} if impossible."""
    turns = pages.game.turns
    if turns is None or not _to_play(pages):
        return {}
    given = turns.free_options(request.values)
    mode = {"mode": chosen.mode} if chosen.mode else {}
    with suppress(ValueError):
        turns.start({"players": len(chosen.players), **mode, **given})
        return given
    return {}


def chosen_id() -> str | None:
    """Return the id in a form for a new game, so that it is begun once. 422 if malformed."""
    chosen = request.form.get("id", "")
    if chosen and not GAME_ID.fullmatch(chosen):
        abort(422, "no such id")
    return chosen or None


@blueprint.route("/games/<game_id>/players", methods=["GET", "POST"])
@changes(Right.MEMBER, Seen.STEP)
def players(game_id: str) -> ResponseReturnValue:
    game = steps.opened(game_id)
    if request.method != "POST":
        return _players_page(forms.players_of(game.document), game)
    pages = pages_of(game.document["game"])
    form = forms.players(request.form, pages, _boards(pages, game))
    if not form.valid:
        return _players_page(form, game)
    chosen = form.value
    asked = "profile" in request.form  # not if there is only one board to choose from
    other = asked and chosen.profile != game.document.get(game_document.PROFILE, "")
    if other and live_service().entries(game_id):
        message = _("This game was followed live on its board. Begin a new game for another board.")
        return _players_page(replace(form, errors={"profile": message}), game)

    def change(document: Document) -> Document:
        before = pages.piece_roles(document)
        document = _live(game_document.with_players(document, chosen.players, chosen.mode))
        if pages.piece_roles(document) != before:
            document = _without_readings(document)
        return services().boards.changed(document, chosen.profile) if other else document

    seen = request.form.get("revision", type=int)
    try:
        changed = steps.confirm(game_id, PLAYERS, steps.asked(change, seen), seen)
    except (steps.WouldOverwriteError, ChangedMeanwhileError) as error:
        game = steps.opened(game_id)
        gone = game_document.overwritten(game.document, change(game.document))
        page, code = _players_page(form, game, gone=gone)
        return page, 409 if isinstance(error, ChangedMeanwhileError) else code
    if other or pages.piece_roles(changed.document) != pages.piece_roles(game.document):
        services().reading_queue.read_again(game_id)
    return steps.redirect_to_next(changed)


def _without_readings(document: Document) -> Document:
    """Remove boards that were only read: they are read again with the new players' pieces."""
    for number, owner in enumerate(owners(document)):
        is_read = owner["board"] is not None and owner["board"]["photograph"] is not None
        if is_read and not game_document.is_work(document, number):
            document = game_document.without_board(document, number)
    return document


def _first_game(pages: GamePages, chosen: forms.Seating) -> forms.Seating:
    """Return the seating with the mode and board of a first game, if so many can be guided.

    A chosen board is kept.
    """
    first, turns = pages.first_game, pages.game.turns
    if turns is None or len(chosen.players) not in turns.players:
        return chosen
    mode, profile = first.get("mode", chosen.mode), chosen.profile or first.get("profile", "")
    return replace(chosen, mode=mode, profile=profile)


def _live(document: Document) -> Document:
    """Mark a game as live or guided if the form says so."""
    if request.form.get("guided"):
        part = pages_of(document["game"]).guided
        if part is not None and part.fits(document):
            return {**document, flow.LIVE: True, flow.GUIDED: True}
    return {**document, flow.LIVE: True} if request.form.get("live") else document


def _boards(pages: GamePages, game: SavedGame | None = None) -> Mapping[str, str]:
    """Return the titles of the boards a game can be played on, by name."""
    boards = services().boards
    found = {
        name: board_title(profile.title) for name, profile in boards.choices(pages.game.id).items()
    }
    if game is not None and (own := boards.name_of(game.document)) not in found:
        shown = boards.shown_name(game.document)
        if shown != own:  # a kept version that still equals the board
            return {own if name == shown else name: title for name, title in found.items()}
        with suppress(BoardGoneError):  # a kept version that differs now
            found[own] = _(
                "%(board)s, as it was", board=board_title(boards.of(game.document).title)
            )
    return found


def _pages() -> GamePages:
    """Return the pages of the requested game, else of the last played, else of the default."""
    known = services().boards.games
    asked = request.values.get("game", "")
    if asked not in known:
        last = services().games.recent(1)
        asked = last[0].document["game"] if last else ""
    return pages_of(asked if asked in known else known[0])


def _choices() -> Sequence[GamePages]:
    """Return the games to choose from for a new one; () without a choice."""
    known = services().boards.games
    return [pages_of(name) for name in known] if len(known) > 1 else ()


def _players_page(
    form: forms.Form, game: SavedGame | None, first: bool = False, gone: Sequence[int] = ()
) -> tuple[str, int]:
    """Ask for the players; the owners in `gone` would lose their boards, which is shown first."""
    names = forms.known_names(services().games.recent(20))
    pages = _pages() if game is None else pages_of(game.document["game"])
    to_play = "" if game else _to_play(pages)
    table, turns = pages.game.table, pages.game.turns
    page = render_template(
        "players.html",
        to_play=to_play,
        counts=turns.players
        if to_play and turns
        else range(table.fewest_players, table.most_players + 1),
        form=form,
        game=game,
        step=PLAYERS,
        names=names,
        first=first,
        pages=pages,
        games=_choices() if game is None else (),
        boards=_boards(pages, game),
        gone=[
            (
                owner_of(game.document, seat),
                scoring.drawn_pieces(game.document, seat, current_profile().board),
            )
            for seat in gone
        ]
        if game
        else [],
        serves=guard.serves(),
    )
    return page, 200 if form.valid and not gone else 422


@blueprint.get("/games/<game_id>")
def resume(game_id: str) -> ResponseReturnValue:
    """Continue a game where it was left; live games at the table."""
    game = steps.opened(game_id)
    if live_service().being_played([game]):
        return redirect(steps.url_of(game, flow.Step("live")), 303)
    return steps.redirect_to_next(game)


@blueprint.post("/games/<game_id>/undo")
@changes(Right.TABLE, Seen.REVISION)
def undo(game_id: str) -> ResponseReturnValue:
    """Undo the last step, the one that the page offered."""
    services().games.undo(game_id, browser(), seen_revision())
    return steps.redirect_back(game_id, url_for("games.resume", game_id=game_id))


@blueprint.post("/games/<game_id>/mend")
@changes(Right.CLOSED)
def mend(game_id: str) -> ResponseReturnValue:
    """Return a broken game to its latest readable state."""
    try:
        return steps.redirect_to_next(services().games.mend(game_id))
    except BrokenGameError:
        flash(_("No state of this game can be read."))
    return redirect(url_for("games.home"), 303)


@blueprint.get("/games/<game_id>/as-it-is.json")
def as_it_is(game_id: str) -> ResponseReturnValue:
    """Return the stored data of a broken game to the host; other games may contain secrets."""
    guard.require_host()
    try:
        services().games.open(game_id)
    except BrokenGameError:
        response = jsonify(services().games.raw(game_id))
        response.headers.set("Content-Disposition", "attachment", filename=f"{game_id}.json")
        return response
    abort(404)


@blueprint.post("/games/<game_id>/delete")
@changes(Right.CLOSED_MEMBER)
def delete(game_id: str) -> ResponseReturnValue:
    """Delete a game; it can be restored for a minute."""
    services().games.delete(game_id)
    return redirect(url_for("games.home", deleted=game_id), 303)


@blueprint.post("/games/<game_id>/join")
@changes(Right.TABLE)
def join_table(game_id: str) -> ResponseReturnValue:
    """Join a table, with the rights of those who play there."""
    join(game_id)
    flash(_("You have joined this table."))
    return redirect(url_for(".resume", game_id=game_id), 303)


@blueprint.post("/games/<game_id>/restore")
@changes(Right.CLOSED)
def restore(game_id: str) -> ResponseReturnValue:
    services().games.restore(game_id)
    flash(_("The game is back."))
    return redirect(url_for("games.home"), 303)
