"""The Flask blueprints of games, and their URLs.

They are found in the modules `views` and `live.views` of the package of a game's `GamePages`. Pages
of a saved game are at `/games/<game_id>/<game>/`; files common to all games of a kind, such as card
pictures and styles, at `/assets/<game>/`. A blueprint's own `url_prefix` is appended.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, url_for

from scorer import registry
from webapp.app.game_pages import GROUP, pages_of
from webapp.web.changes import View

STYLE = "style/game.css"
"""A game's style sheet in the static folder of its `AssetsBlueprint`; its pages load it last."""
VIEWS = ("views", "live.views")
"""Module names in the package of the game's pages."""


def of_step(step: str) -> Callable[[View], View]:
    """Declare a view that only games with a step have; the step's main page is named like it."""

    def declared(view: View) -> View:
        view.step = step  # type: ignore[attr-defined]
        return view

    return declared


def step_served_by(endpoint: str) -> str | None:
    """Return the step of a game's own page; None if it belongs to none."""
    found: str | None = getattr(current_app.view_functions.get(endpoint), "step", None)
    return found


def page_of(game: str, step: str) -> str | None:
    """Return the endpoint of a game's own page for a step; None if its question is asked."""
    endpoint = f"{game}.{step}"
    return endpoint if step_served_by(endpoint) == step else None


class AssetsBlueprint(Blueprint):
    """Pictures and styles of a kind of game, independent of saved games."""

    def __init__(self, name: str, import_name: str, draw_card: Callable[[str], str]) -> None:
        """`draw_card` returns a card's SVG by id; it raises KeyError for unknown ids."""
        super().__init__(name, import_name, static_folder="static")
        self._draw_card = draw_card
        self.add_url_rule("/cards/<card>.svg", "card_picture", self._card_picture)

    def _card_picture(self, card: str) -> Response:
        return svg_picture(lambda: self._draw_card(card))


def svg_picture(draw: Callable[[], str]) -> Response:
    """Return an SVG response cached for a day; 404 on LookupError."""
    try:
        response = Response(draw(), mimetype="image/svg+xml")
    except LookupError:
        abort(404)
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


def game_blueprints() -> Mapping[str, Sequence[Blueprint]]:
    """Return each game's blueprints by the game's name."""
    return {name: _of_game(name) for name in registry.names(GROUP)}


@cache
def _of_game(name: str) -> Sequence[Blueprint]:
    modules = pages_of(name).modules(*VIEWS)
    return [one for own in modules for one in vars(own).values() if isinstance(one, Blueprint)]


def register_game_blueprints(app: Flask) -> None:
    """Register all blueprints at their URLs."""
    for name, blueprints in game_blueprints().items():
        for blueprint in blueprints:
            is_assets = isinstance(blueprint, AssetsBlueprint)
            place = f"/assets/{name}" if is_assets else f"/games/<game_id>/{name}"
            app.register_blueprint(blueprint, url_prefix=f"{place}{blueprint.url_prefix or ''}")


def assets() -> Iterator[AssetsBlueprint]:
    """Yield all assets blueprints with static files."""
    for own in game_blueprints().values():
        for blueprint in own:
            if isinstance(blueprint, AssetsBlueprint) and blueprint.static_folder is not None:
                yield blueprint


def style_of(game: str) -> str | None:
    """Return the URL of a game's style sheet, None if it has none."""
    for own in game_blueprints().get(game, ()):
        if isinstance(own, AssetsBlueprint) and _has_style(own.static_folder):
            return url_for(f"{own.name}.static", filename=STYLE)
    return None


@cache
def _has_style(folder: str | None) -> bool:
    return folder is not None and Path(folder, STYLE).is_file()


def game_of(blueprint: str | None) -> str:
    """Return the name of the game with a blueprint, "" for none."""
    brought = game_blueprints().items()
    return next((name for name, own in brought if blueprint in [one.name for one in own]), "")
