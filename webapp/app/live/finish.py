"""From the live table to the score: the document of a game that was followed to its end."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from scorer.game import Game
from scorer.places import counted
from webapp.app.game_pages import pages_of
from webapp.app.live.reducer import LiveTable
from webapp.app.session import game_document
from webapp.app.session.board_slots import DOUBTFUL, FOLLOWED, has_moments, owners, with_owners
from webapp.app.session.flow import REVIEW, Step
from webapp.app.session.saved_games import Document


def finished(
    document: Document, table: LiveTable, left: Collection[int] = (), settled: str | None = None
) -> Document:
    """Return a game's document with the live table's boards, each to be reviewed.

    The review asks about regions still in doubt. A board keeps the document's pieces if the table
    has the same ones or none, or if its owner number is in `left`, as somebody decided. Earlier
    snapshots keep theirs. Photographs up to `settled`, the last one, are not offered any
    more.
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
        board = number - len(owners(over)) + 1 if has_moments(over) else number
        doubtful = _doubtful(table, board, live.game)
        known = before["board"] is not None and before["board"].get(DOUBTFUL, {}) == doubtful
        if known and all(before[key] == after[key] for key in empty):
            continue
        source = {**FOLLOWED, DOUBTFUL: doubtful} if doubtful else FOLLOWED
        taken[-1] |= {"board": source, "checked": []}
        over = game_document.without_confirmed(over, (Step(REVIEW, number).key,))
    over = with_owners(over, taken)
    if all(own["board"] is not None for own in taken):
        over = game_document.confirm(over, "photographs")
    for step in live.steps_done(over):
        over = game_document.confirm(over, step)
    return over


def _doubtful(table: LiveTable, board: int, game: Game[Any, Any, Any]) -> dict[str, list[str]]:
    """Return the possible counts, such as "2 plum", of each region still in doubt on a board."""
    found: dict[str, list[str]] = {}
    for (number, region), doubt in table.doubts.items():
        if number != board:
            continue
        lies = counted(game.pieces_of(table.positions[board]), region)
        counts = [
            Counter({kind: int(n) for n, kind in map(str.split, own)}) for own in doubt.answers
        ]
        kinds = dict.fromkeys(kind for own in (lies, *counts) for kind in own)
        uncertain = [kind for kind in kinds if any(own[kind] != lies[kind] for own in counts)]
        likely = (f"{own[kind]} {kind}" for kind in uncertain for own in counts)
        found[region] = [*dict.fromkeys(likely)]
    return found
