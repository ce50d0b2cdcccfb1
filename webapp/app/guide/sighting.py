"""Differences between the boards, by camera or by hand, and the guided game's state.

A placed piece answers the open question if it is a legal action.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scorer.flags import RuleBreak
from scorer.game import Pieces
from scorer.inference import Inference
from scorer.places import Place, counted
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
            action = _only_to(game, state, seat, seen)
            at = next(at for at in (*seen, *known) if seen.get(at) != known.get(at)).whole
            piece = seen.get(at) if at.kind != "region" else None
            yield Sighting(seat, at, piece, action if wanted in (None, action) else None)
            continue
        for region in dict.fromkeys(at.whole for at in (*seen, *known) if at.kind == "region"):
            if counted(seen, region.id) != counted(known, region.id):
                action = _to(game, state, seat, seen) if seat == board else None
                yield Sighting(seat, region, None, action if wanted in (None, action) else None)
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


def _to(game: GuidedGame, state: Any, board: int, seen: Pieces) -> Any:
    """Return the first legal action that leads to a board; None if there is none."""
    turns = game.turns
    legal = turns.actions(state)
    return next((a for a in legal if game.pieces(turns.after(state, a))[board] == seen), None)


def _only_to(game: GuidedGame, state: Any, board: int, seen: Pieces) -> Any:
    """Return the only legal action that leads to a board; None if there are none or several.

    A further board shows only a part of what was done.
    """
    turns = game.turns
    ways = (a for a in turns.actions(state) if game.pieces(turns.after(state, a))[board] == seen)
    found = list(islice(ways, 2))
    return found[0] if len(found) == 1 else None


def drawn_by_hand(game: GuidedGame, history: History, table: LiveTable) -> Any:
    """Return the random outcome that a board implies; None if it is not unique."""
    state = history.state
    board = game.board(state)
    if board is None or not game.turns.outcomes(state):
        return None
    search = Inference(game.turns, lambda one: game.pieces(one)[board], draws=1)
    found = list(islice(search.legal(state, game.seen(history.set_up, table.positions[board])), 2))
    return found[0][0] if len(found) == 1 and found[0] else None
