"""Differences between the boards, by camera or by hand, and the guided game's state.

A placed piece answers the open question if it is a legal action.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scorer.flags import RuleBreak
from scorer.inference import Inference
from scorer.places import Place, counted
from scorer.table import Pieces
from webapp.app.guide.history import History
from webapp.app.guided_game import GuidedGame
from webapp.app.live.reducer import LiveTable


@dataclass(frozen=True)
class Sighting:
    """A place that differs, the piece on it, and the action that it would be.

    `seat` is the board's number: its player's, or 0 for a shared board. `piece` is None if a piece
    of the game is missing. `action` is None unless it is one of the current player's; `broken` says
    why it is not legal.
    """

    seat: int
    place: Place
    piece: str | None
    action: Any = None
    broken: RuleBreak | None = None

    @property
    def answers(self) -> bool:
        return self.action is not None and self.broken is None


def sightings(
    game: GuidedGame, history: History, table: LiveTable, wanted: Any = None
) -> list[Sighting]:
    """Return the current differences, legal actions first; empty just after an undo.

    With `wanted`, the action of a computer player, only that action counts as an answer.
    """
    last = max((step.entry.number for step in table.steps if step.status == "counts"), default=0)
    if last <= history.undone:
        return []
    found = list(_differing(game, history, table, wanted))
    return sorted(found, key=lambda one: not one.answers)


def _differing(
    game: GuidedGame, history: History, table: LiveTable, wanted: Any
) -> Iterator[Sighting]:
    state = history.state
    board = game.board(state)
    pieces = game.pieces(state)[: len(table.positions)]
    for seat, (known, position) in enumerate(zip(pieces, table.positions, strict=True)):
        seen = game.seen(history.set_up, position)
        if game.is_further_board(history.set_up, state, seat) and seen != known:
            ways = _ways_to(game, state, seat, seen, wanted)
            at = next(at for at in (*seen, *known) if seen.get(at) != known.get(at)).whole
            piece = seen.get(at) if at.kind != "region" else None
            yield Sighting(seat, at, piece, ways[0] if len(ways) == 1 else None)
            continue
        for region in dict.fromkeys(at.whole for at in (*seen, *known) if at.kind == "region"):
            if counted(seen, region.id) != counted(known, region.id):
                ways = _ways_to(game, state, seat, seen, wanted) if seat == board else []
                if len(ways) < 2:  # else the player says which
                    yield Sighting(seat, region, None, ways[0] if ways else None)
        for place in dict.fromkeys(at for at in (*seen, *known) if at.kind != "region"):
            piece = seen.get(place)
            if piece == known.get(place):
                continue
            if piece is None or seat != board:
                yield Sighting(seat, place, piece)
                continue
            action = game.turns.placing(state, place, piece)
            if action is None or wanted not in (None, action):
                yield Sighting(seat, place, piece)
                continue
            yield Sighting(seat, place, piece, action, game.turns.illegal(state, action))


def _ways_to(game: GuidedGame, state: Any, board: int, seen: Pieces, wanted: Any) -> Sequence[Any]:
    """Return the legal actions that lead to a board, `wanted` alone if given; at most two."""
    turns = game.turns
    legal = turns.actions(state) if wanted is None else [wanted]
    return list(islice((a for a in legal if game.pieces(turns.after(state, a))[board] == seen), 2))


def drawn_by_hand(game: GuidedGame, history: History, table: LiveTable) -> Any:
    """Return the random outcome that a board implies; None if it is not unique."""
    state = history.state
    board = game.board(state)
    if board is None or not game.turns.outcomes(state):
        return None
    search = Inference(game.turns, lambda one: game.pieces(one)[board], draws=1)
    found = list(islice(search.legal(state, game.seen(history.set_up, table.positions[board])), 2))
    return found[0][0] if len(found) == 1 and found[0] else None
