"""Offline support of the installed app, while the server is unavailable."""

import hashlib
import inspect
import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from scorer import registry
from webapp.app.database import now
from webapp.app.game_pages import pages_of
from webapp.app.languages import language
from webapp.app.session import game_document
from webapp.app.session.saved_games import SavedGame
from webapp.server import guard
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.game_blueprints import assets
from webapp.web.pages import boards
from webapp.web.pages import photographs as photographs_of_game

blueprint = Blueprint("offline", __name__)

KEPT = "Stargazer-Keep"
"""The header of responses that may be cached: a code of the browser and its language.

A browser drops responses cached with another code."""
ANY_GAME = "0" * 16
"""The id on pages for a game that has not been begun."""
PAGES = frozenset(
    {
        "boards.review",
        "lessons.lesson",
        "lessons.show",
        "games.new",
        "offline.hand",
        "offline.photographs",
        "photographs.show",
        "games.home",
        "people.person",
        "people.show",
        "score.leaderboard",
        "score.sheet",
        "history.about",
    }
)
"""Pages without anybody's hidden card: of whole games, and the boards of unfinished ones."""
SHIPPED = ("*.webmanifest", "*.svg", "style/*.css", "script/*.js", "fonts/*.woff2", "icons/*.png")


@blueprint.get("/service-worker.js")
def worker() -> ResponseReturnValue:
    """Return the service worker with the list of files to cache and their version.

    Another version replaces the cached files.
    """
    root = Path(current_app.static_folder or "")
    folders = {"static": root}
    folders |= {f"{own.name}.static": Path(own.static_folder or "") for own in assets()}
    names = [
        url_for(endpoint, filename=name)
        for endpoint, folder in folders.items()
        for name in shipped(folder)
    ]
    contents = {"version": version(*folders.values()), "assets": [*names, url_for(".away")]}
    script = (root / "script" / "service_worker.js").read_text(encoding="utf-8")
    response = Response(
        f"const SHIPPED = {json.dumps(contents)};\n{script}", mimetype="text/javascript"
    )
    response.headers["Cache-Control"] = "no-cache"
    return response


@lru_cache
def shipped(root: Path) -> tuple[str, ...]:
    """Return the names of the shipped files that pages use, without the worker itself."""
    found = (file for pattern in SHIPPED for file in sorted(root.glob(pattern)))
    names = [file.relative_to(root).as_posix() for file in found]
    return tuple(name for name in names if not name.endswith("service_worker.js"))


@lru_cache
def version(*roots: Path) -> str:
    """Return a hash of these files and of the templates, translations and words."""
    files: list[Path] = []
    for root in roots:
        files += [root / name for name in shipped(root)]
        files += sorted((root.parent / "templates").rglob("*.html"))
        files += sorted((root.parent / "translations").rglob("*.mo"))
        files += (root / "script").glob("service_worker.js")
    for name in registry.names():
        package = Path(inspect.getfile(type(registry.find_game(name)))).parent
        files += sorted(package.rglob("*.yaml"))
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


@blueprint.get("/away")
def away() -> ResponseReturnValue:
    """Show that the server is unavailable, in place of a page that was not cached."""
    return render_template("away.html")


@blueprint.get("/away/<game_name>/photographs")
def photographs(game_name: str) -> ResponseReturnValue:
    """Show the photographs page of a game begun offline."""
    game = _begun_away(game_name)
    return render_template(
        "photographs.html", **photographs_of_game.context_of(game, ()), begun_away=game.id
    )


@blueprint.get("/away/<game_name>/hand")
def hand(game_name: str) -> ResponseReturnValue:
    """Show the page for entering a board by hand, offline."""
    game = _begun_away(game_name)
    by_hand = game_document.with_hand_entry(game.document, 0)
    return boards.hand_page(replace(game, document=by_hand), 0, begun_away=game.id)


def _begun_away(game_name: str) -> SavedGame:
    """Return a placeholder for any game begun offline; scripts insert id and names."""
    if game_name not in services().boards.games:
        abort(404)
    pages = pages_of(game_name)
    markers = pages.markers[: pages.game.table.most_players]
    players = [(f"‹{seat}›", marker) for seat, marker in enumerate(markers)]
    document = game_document.new_game(players, next(iter(pages.modes), ""), game_name)
    at = now()
    return SavedGame(ANY_GAME, document, 0, None, None, at, at)


@blueprint.post("/leave")
@changes(Right.ANYBODY)
def leave() -> ResponseReturnValue:
    """Leave the table: delete this browser's session and all it has cached."""
    session.clear()
    response = redirect(url_for("games.home"), 303)
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


@blueprint.after_app_request
def _say_what_may_be_kept(response: Response) -> Response:
    """Allow the browser to cache a page or picture."""
    is_picture = (response.mimetype or "").startswith("image/") and "max-age" in str(
        response.cache_control
    )
    shown = request.endpoint in PAGES or is_picture
    if request.method == "GET" and response.status_code == 200 and shown:
        named = guard.browser() or "program"
        code = hashlib.sha256(f"keeps {named} {language()}".encode())
        response.headers[KEPT] = code.hexdigest()[:16]
    return response
