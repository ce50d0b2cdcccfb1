"""From the table to the score: the document of a game that was followed to its end."""

from typing import Any

from webapp import game_document
from webapp.games import pages_of
from webapp.live.reducer import LiveTable
from webapp.saved_games import Document


def finished(document: Document, table: LiveTable) -> Document:
    """Return a game's document with its table taken over.

    The boards count as reviewed, as their players had them before their eyes.
    """
    live = pages_of(document["game"]).live
    document = live.with_table(document, table)
    players: list[dict[str, Any]] = [
        {**player, "board": {"photograph": None, "index": 0}, "checked": []}
        for player in document["players"]
    ]
    document = {**document, "players": players}
    reviews = [f"review-{seat}" for seat in range(len(players))]
    for step in (*live.steps_told(document), "photographs", *reviews):
        document = game_document.confirm(document, step)
    return game_document.without_confirmed(document, live.steps_left(document))
