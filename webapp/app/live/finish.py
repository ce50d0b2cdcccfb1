"""From the table to the score: the document of a game that was followed to its end."""

from collections.abc import Collection
from typing import Any

from webapp.app.game_pages import pages_of
from webapp.app.live.reducer import LiveTable
from webapp.app.session import game_document
from webapp.app.session.board_slots import FOLLOWED, has_moments, owners, with_owners
from webapp.app.session.flow import REVIEW, Step
from webapp.app.session.saved_games import Document


def finished(
    document: Document,
    table: LiveTable,
    left: Collection[int] = (),
    settled: str | None = None,
) -> Document:
    """Return a game's document with its table taken over, each board of it to be reviewed.

    A board stays as the game has it where the table has the same or never showed it: nothing lies
    there, or it is of an earlier moment. So does one that is `left`, by its owner's number, because
    somebody said so. Photographs up to `settled`, the last one there is, are done with.
    """
    live = pages_of(document["game"]).live
    over = live.with_table(document, table)
    empty = live.game.pieces_data({})
    followed = [{key: own[key] for key in empty} for own in owners(over)]
    kept = {*left, *(number for number, pieces in enumerate(followed) if pieces == empty)}
    if has_moments(document):
        earlier = [{key: own[key] for key in empty} for own in owners(document)[:-1]]
        kept |= {number for number, pieces in enumerate(earlier) if pieces == followed[number]}
    taken: list[dict[str, Any]] = []
    for number, (before, after) in enumerate(zip(owners(document), owners(over), strict=True)):
        if number in kept:
            taken.append({**after, **{key: before[key] for key in empty}})
            continue
        taken.append({**after, "offered": None, "settled": settled})
        if before["board"] is not None and all(before[key] == after[key] for key in empty):
            continue
        taken[-1] |= {"board": FOLLOWED, "checked": []}
        over = game_document.without_confirmed(over, (Step(REVIEW, number).key,))
    over = with_owners(over, taken)
    if all(own["board"] is not None for own in taken):
        over = game_document.confirm(over, "photographs")
    for step in live.steps_done(over):
        over = game_document.confirm(over, step)
    return over
