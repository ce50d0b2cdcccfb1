"""What an address can name: numbers within bounds, and the pages that a game has."""

from typing import Any

from flask import Flask, abort, request
from werkzeug.routing import IntegerConverter, Map

from webapp.app.game_pages import pages_of
from webapp.web.context import services
from webapp.web.game_blueprints import game_of

LARGEST_NUMBER = 2**31 - 1
"""What every database has room for."""
OF_CLOSED_GAMES = frozenset({"games.restore", "games.delete", "games.mend", "games.as_it_is"})
"""The endpoints that are about a game which was deleted, or is broken."""


class Number(IntegerConverter):
    """A number in an address. A larger one leads nowhere, and one of many digits is not read."""

    regex = r"\d{1,10}"

    def __init__(self, url_map: Map, **more: Any) -> None:
        """Take what any number in an address may say of itself, up to the largest."""
        super().__init__(url_map, **{"max": LARGEST_NUMBER, **more})


def check_pages(app: Flask) -> None:
    """Answer 404 for a page about a game, by the `game_id` of its address, that the game lacks.

    That is every page of one that is not there, the pages that another kind of game brings, and
    those of a step that a game played in this mode has not. Nothing else of the request is done.
    """

    @app.before_request
    def check_page() -> None:
        game_id = (request.view_args or {}).get("game_id")
        if game_id is None or request.endpoint in OF_CLOSED_GAMES:
            return
        document = services().games.open(game_id).document
        owner = game_of(request.blueprint)
        if owner and (
            owner != document["game"]
            or not pages_of(owner).has_page(str(request.endpoint), document)
        ):
            abort(404)
