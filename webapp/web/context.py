"""What the application that answers the current request was made with."""

from collections.abc import Mapping

from flask import current_app, g, has_request_context, request

from calibration import Profile
from webapp.app import read_view
from webapp.app.boards.known_boards import BoardGoneError
from webapp.app.guide.service import GuideService
from webapp.app.live.service import LiveService
from webapp.app.services import Services
from webapp.app.session.saved_games import NoSuchGameError, SavedGame
from webapp.server.guard import SAFE_METHODS, browser
from webapp.web.game_blueprints import game_of


def services() -> Services:
    """Return what all pages of the server share."""
    found: Services = current_app.extensions["stargazer"]
    return found


def opened(game_id: str) -> SavedGame:
    """Return a game as the calling browser may see it. Raises NoSuchGameError.

    What a request asks for begins with the game as the gate has opened it, where nothing was
    written since and what it reads beside that is of the same view.
    """
    held: SavedGame | None = g.pop("opened", None)
    if held is not None and held.id == game_id and g.opened_mark == read_view.mark():
        return held
    return services().games.open(game_id, browser())


def hold_opened(game: SavedGame) -> None:
    """Let what is asked for begin with a game, and a page know by it which board it is about.

    A change may be to another board, which what is drawn after it is about.
    """
    g.opened, g.opened_mark = game, read_view.mark()
    if request.method in SAFE_METHODS:
        g.document = game.document


def live_service() -> LiveService:
    """Return the server's live tables."""
    found: LiveService = current_app.extensions["stargazer live"]
    return found


def guide_service() -> GuideService:
    """Return the server's guided games."""
    found: GuideService = current_app.extensions["stargazer guide"]
    return found


def current_profile() -> Profile:
    """Return the board that the current request is about.

    That of the game which its address names by `game_id`, the standard one of the kind of game
    that it names by `game_name` or whose assets it asks for, or else the server's default.
    """
    return _asked_for()[1] or services().boards.default


def current_game() -> str:
    """Return the kind of game that the current request is about, as registered; "" for none."""
    return _asked_for()[0]


def forget_what_is_asked_for() -> None:
    """Draw the rest of the request without the database, which does not answer."""
    g.asked_for = "", None


def _asked_for() -> tuple[str, Profile | None]:
    """Looked up once a request: a page asks for them with each space that it names."""
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
    except NoSuchGameError:  # the page says so
        return "", None
    name = str(document["game"])
    try:
        return name, boards.of(document, int(named.get("player", 0)))
    except BoardGoneError:  # that, too
        return name, boards.standard(name)
