"""The Flask blueprints that games bring, as `GamePages.blueprints` names them."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from flask import Blueprint

from scorer import registry
from webapp.app.game_pages import GROUP, pages_of


def game_blueprints() -> Mapping[str, Sequence[Blueprint]]:
    """Import each game's blueprints; by the game's name."""
    return {
        name: [_imported(place) for place in pages_of(name).blueprints]
        for name in registry.names(GROUP)
    }


def _imported(place: str) -> Blueprint:
    module, _, attribute = place.partition(":")
    found: Blueprint = getattr(import_module(module), attribute)
    return found
