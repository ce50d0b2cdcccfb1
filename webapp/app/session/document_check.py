"""Whether a document that was kept is one of a game: a database, too, can be damaged."""

from collections.abc import Mapping
from typing import Any

from webapp.app.game_pages import pages_of
from webapp.app.session import flow, game_document, seats
from webapp.app.session.board_slots import owners
from webapp.app.session.game_document import PROFILE


def is_readable(document: Any) -> bool:
    """Say whether the pages of a game can work with a document; None is what could not be read."""
    try:
        check_document(document)
    except Exception:
        return False
    return True


def check_document(document: Mapping[str, Any]) -> None:
    """Raise an exception, of whichever kind, for what is no document of a game known here."""
    players = document["players"]
    pages = pages_of(document["game"])
    texts = [document.get(key, "") for key in (PROFILE, game_document.NOTE, "mode")]
    ensure(all(isinstance(text, str) for text in texts), "a text that is none")
    ensure(isinstance(players, list) and 1 <= len(players) <= len(pages.markers), "players")
    ensure(all(isinstance(step, str) for step in document["confirmed"]), "steps")
    ensure(isinstance(document.get(game_document.RECOUNTS, 0), int), "a count")
    for player in players:
        ensure(isinstance(player["name"], str) and 0 < len(player["name"]) <= 100, "a name")
        ensure(player["marker"] in pages.markers, "a colour")
    for owner in owners(document):
        ensure(all(isinstance(space, str) for space in owner["checked"]), "spaces")
        for source in (owner["board"], owner.get("offered")):
            ensure(source is None or source.keys() >= {"photograph", "index"}, "a board")
    shown = seats.view(document, {}, None)
    flow.steps(shown)
    pages.game_data(shown)


def ensure(holds: bool, what: str) -> None:
    """Raise ValueError unless something `holds` of `what`."""
    if not holds:
        raise ValueError(f"{what} that cannot be")
