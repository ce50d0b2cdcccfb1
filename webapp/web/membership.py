"""Who has joined a table, as remembered in browsers' sessions."""

from collections.abc import Collection
from contextlib import suppress

from flask import session

from webapp.app.session.saved_games import NoSuchGameError
from webapp.server import guard
from webapp.web.context import services

REMEMBERED = 60
"""The most tables a browser's session remembers, limited by the cookie's size."""


class NotJoinedError(PermissionError):
    """The caller has not joined the table `game_id`."""

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = game_id


def join(game_id: str) -> None:
    """Join the calling browser to a table permanently."""
    others = [one for one in joined() if one != game_id]
    session["tables"] = [*others, game_id][-REMEMBERED:]


def joined() -> Collection[str]:
    """Return the ids of the games whose tables the calling browser has joined."""
    tables: Collection[str] = session.get("tables", ())
    return tables


def has_joined(game_id: str) -> bool:
    """Return whether the caller belongs to a table: joined it, has a seat, or is the host."""
    if guard.serves() or game_id in joined():
        return True
    with suppress(NoSuchGameError):
        return any(seat.mine for seat in services().games.open(game_id, guard.browser()).seats)
    return False
