"""From the table to the score: the document of a game that was followed to its end."""

from collections.abc import Collection
from typing import Any

from webapp import game_document
from webapp.board_owners import owners, with_owners
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

    A board is `left` as the game has it, by its owner's number, where somebody said so, and where
    nothing lies on the table's. Those that are taken over count as reviewed, as their players had
    them before their eyes; photographs up to `settled`, the last one there is, as done with.
    """
    live = pages_of(document["game"]).live
    over = live.with_table(document, table)
    empty = live.game.pieces_data({})
    taken: list[dict[str, Any]] = []
    for number, (before, after) in enumerate(zip(owners(document), owners(over), strict=True)):
        is_empty = {key: after[key] for key in empty} == empty
        if number in left or (is_empty and before["board"] is not None):
            taken.append({**after, **{key: before[key] for key in empty}})
            continue
        done: dict[str, Any] = {"checked": [], "offered": None, "settled": settled}
        taken.append({**after, "board": BY_HAND, **done})
        over = game_document.confirm(over, f"review-{number}")
    over = with_owners(over, taken)
    if all(own["board"] is not None for own in taken):
        over = game_document.confirm(over, "photographs")
    for step in live.steps_told(over):
        over = game_document.confirm(over, step)
    return game_document.without_confirmed(over, live.steps_left(over))
