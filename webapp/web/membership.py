"""Whose a table is: of those who joined it, which their sessions remember."""

from collections.abc import Collection
from contextlib import suppress

from flask import session

from webapp.app.session.saved_games import NoSuchGameError
from webapp.server import guard
from webapp.web.context import services

REMEMBERED = 60
"""Tables that a browser has joined, the latest: a cookie has no room for many."""


class NotJoinedError(PermissionError):
    """Somebody wants to do what those do who have joined a table; `game_id` is the table's."""

    def __init__(self, game_id: str) -> None:
        """The table `game_id` is not theirs."""
        super().__init__(game_id)
        self.game_id = game_id


def join(game_id: str) -> None:
    """Let the calling browser be one of a table, for good."""
    others = [one for one in joined() if one != game_id]
    session["tables"] = [*others, game_id][-REMEMBERED:]


def joined() -> Collection[str]:
    """The games whose tables the calling browser has joined, by their ids."""
    tables: Collection[str] = session.get("tables", ())
    return tables


def has_joined(game_id: str) -> bool:
    """Say whether the caller is one of a table: has joined it, sits there, or serves."""
    if guard.serves() or game_id in joined():
        return True
    with suppress(NoSuchGameError):
        return any(seat.mine for seat in services().games.open(game_id, guard.browser()).seats)
    return False
