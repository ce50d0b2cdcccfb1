"""The services and the game of the current request."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import current_app, g, has_request_context, request

from calibration import Profile
from webapp.app import read_view
from webapp.app.boards.known_boards import BoardGoneError
from webapp.app.session.game_document import NoSuchGameError
from webapp.server.guard import SAFE_METHODS, browser
from webapp.web.game_blueprints import game_of

if TYPE_CHECKING:  # the processes that read cards draw them, without these
    from webapp.app.guide.service import GuideService
    from webapp.app.live.service import LiveService
    from webapp.app.services import Services
    from webapp.app.session.saved_games import SavedGame


def services() -> "Services":
    found: Services = current_app.extensions["stargazer"]
    return found


def opened(game_id: str) -> "SavedGame":
    """Return a game as the calling browser may see it. Raises NoSuchGameError.

    Reuses the game opened by the gate if nothing was written since and the read view is the same.
    """
    held: SavedGame | None = g.pop("opened", None)
    if held is not None and held.id == game_id and g.opened_mark == read_view.mark():
        return held
    return services().games.open(game_id, browser())


def hold_opened(game: "SavedGame") -> None:
    """Keep the opened game for `opened`, and for pages to find their board.

    A request that changes something may change the board, so only safe requests keep the document.
    """
    g.opened, g.opened_mark = game, read_view.mark()
    if request.method in SAFE_METHODS:
        g.document = game.document


def live_service() -> "LiveService":
    """Return the server's live tables."""
    found: LiveService = current_app.extensions["stargazer live"]
    return found


def guide_service() -> "GuideService":
    """Return the server's guided games."""
    found: GuideService = current_app.extensions["stargazer guide"]
    return found


def current_profile() -> Profile:
    """Return the board that the current request is about.

    That of the game in the URL's `game_id`, else the standard board of the game in `game_name` or
    whose assets are requested, else the server's default.
    """
    return _asked_for()[1] or services().boards.default


def current_game() -> str:
    """Return the name of the game that the current request is about, "" for none."""
    return _asked_for()[0]


def current_players() -> int:
    """Return how many play the game that the current request is about, 0 if that is unknown.

    Explanations that a page of the game asks for say it in their address.
    """
    if not has_request_context():
        return 0
    document = g.get("document")
    return (
        request.args.get("players", 0, type=int) if document is None else len(document["players"])
    )


def forget_what_is_asked_for() -> None:
    """Render the rest of the request without the database, which does not answer."""
    g.asked_for = "", None


def _asked_for() -> tuple[str, Profile | None]:
    """Return the game and board of the request, looked up once."""
    if not has_request_context():
        return "", None
    if "asked_for" not in g:
        g.asked_for = _look_up(request.view_args or {})
    found: tuple[str, Profile | None] = g.asked_for
    return found


def _look_up(named: Mapping[str, str]) -> tuple[str, Profile | None]:
    boards = services().boards
    if "game_id" not in named:
        name = named.get("game_name") or game_of(request.blueprint)
        return name, boards.standard(name)
    try:
        document = g.get("document") or services().games.open(named["game_id"]).document
    except NoSuchGameError:  # the page reports it
        return "", None
    name = str(document["game"])
    try:
        return name, boards.of(document, int(named.get("player", 0)))
    except BoardGoneError:  # likewise
        return name, boards.standard(name)
