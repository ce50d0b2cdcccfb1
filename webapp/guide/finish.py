"""From a guided game to the score: the document of a game that was played to its end."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from webapp.games.guided import GuidedGame
from webapp.live.finish import finished as table_finished
from webapp.live.reducer import LiveTable

Document = Mapping[str, Any]


def finished(part: GuidedGame, document: Document, table: LiveTable, state: Any) -> Document:
    """Return a game's document with all that lies on the table as its state has it.

    What a camera saw otherwise is no news any more: the players were shown it at the time.
    """
    lying = replace(table, positions=tuple(part.positions(state)))
    return part.with_end(table_finished(document, lying), state)
