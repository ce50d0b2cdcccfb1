"""Via Nebula's answers to what the table page asks of a game."""

from typing import Any

from scorer.via_nebula.edition import PILES, STANDARD
from webapp.app.game_pages import Document
from webapp.app.live_game import LiveGame
from webapp.app.session import flow


class LiveViaNebula(LiveGame):
    """The valley is watched; the guild boards lie beside it, out of view."""

    def game_data(self, document: Document) -> dict[str, Any]:
        """Piles on a guild board of which nothing was seen are those that a game begins with."""
        data = super().game_data(document)
        if flow.is_guided(document):
            return data
        players = [dict(own) for own in data["players"]]
        for board in data["boards"]:
            seat = board.get("seat")
            if seat is not None and not board.get("regions"):
                players[seat]["piles"] = [STANDARD.tables[len(players)].pile] * PILES
        return {**data, "players": players}
