"""From the table to the score: the document of a game that was followed to its end."""

from collections.abc import Collection
from typing import Any

from webapp import game_document
from webapp.game_document import BY_HAND
from webapp.games import pages_of
from webapp.live.reducer import LiveTable
from webapp.saved_games import Document


def finished(
    document: Document,
    table: LiveTable,
    left: Collection[int] = (),
    settled: str | None = None,
) -> Document:
    """Return a game's document with its table taken over.

    A board is `left` as the game has it where somebody said so, and where nothing lies on the
    table's. Those that are taken over count as reviewed, as their players had them before their
    eyes; photographs up to `settled`, the last one there is, as done with.
    """
    live = pages_of(document["game"]).live
    over = live.with_table(document, table)
    empty = live.game.pieces_data({})
    players: list[dict[str, Any]] = []
    for seat, (before, after) in enumerate(zip(document["players"], over["players"], strict=True)):
        is_empty = {key: after[key] for key in empty} == empty
        if seat in left or (is_empty and before["board"] is not None):
            players.append({**after, **{key: before[key] for key in empty}})
            continue
        done: dict[str, Any] = {"checked": [], "offered": None, "settled": settled}
        players.append({**after, "board": BY_HAND, **done})
        over = game_document.confirm(over, f"review-{seat}")
    over = {**over, "players": players}
    if all(player["board"] is not None for player in players):
        over = game_document.confirm(over, "photographs")
    for step in live.steps_told(over):
        over = game_document.confirm(over, step)
    return game_document.without_confirmed(over, live.steps_left(over))
