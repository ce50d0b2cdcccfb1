"""The log entries of a guided game's actions, and what they change on the table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from scorer.turns import SetUp
from webapp.app.guide.history import KIND, By, History, Moment
from webapp.app.guided_game import GuidedGame
from webapp.app.live.by_hand import NewEntry, changed_by_hand
from webapp.app.live.reducer import LiveTable, Rules, changed_pieces


def done(
    part: GuidedGame, table: LiveTable, history: History, action: Any, by: By
) -> tuple[list[NewEntry], History]:
    """Return the log entries of an action, and the history after it."""
    before, after = history.state, part.turns.after(history.state, action)
    entries: list[NewEntry] = list(board_entries(part, history.set_up, after, table, before))
    entries += part.live_entries(table.own, before, action, after)
    data = {"do": part.turns.write_action(action), "by": by, "told": len(entries)}
    moment = Moment(action, by, after, entries=len(entries))
    return [(KIND, data), *entries], replace(history, moments=(*history.moments, moment))


def at_once(
    part: GuidedGame,
    rules: Rules,
    table: LiveTable,
    history: History,
    further: Callable[[History], Any],
) -> tuple[list[NewEntry], History]:
    """Return the entries of several actions that are one decision; `further` is None at its end."""
    by: By = "tap"
    every = list[NewEntry]()
    while (action := further(history)) is not None:
        entries, history = done(part, table, history, action, by)
        table, by = with_entries(rules, table, entries), "itself"
        every += entries
    return every, history


def with_entries(rules: Rules, table: LiveTable, entries: Sequence[NewEntry]) -> LiveTable:
    """Return the table with entries that are not logged yet."""
    positions = list(table.positions)
    for kind, data in entries:
        if kind == "restart":
            table = replace(table, own=rules.live.initial_state(rules))
            positions = [rules.position({}, board) for board in range(rules.boards)]
        if kind == "hand":
            board = data["seat"]
            before = rules.profile.game.pieces_of(positions[board])
            pieces = changed_pieces(rules.slots[board].profile, before, data["event"])
            positions[board] = rules.position(pieces, board)
    return replace(table, positions=tuple(positions))


def board_entries(
    part: GuidedGame, set_up: SetUp, state: Any, table: LiveTable, before: Any = None
) -> Iterator[NewEntry]:
    """Yield the entries that bring the table's boards to a state, where changed since `before`."""
    count = len(table.positions)
    were = [None] * count if before is None else part.pieces(before)[:count]
    for seat, (was, now, position) in enumerate(
        zip(were, part.pieces(state)[:count], table.positions, strict=True)
    ):
        seen = part.seen(set_up, position)
        looked_at = dict.fromkeys((*now, *(seen if was is None else was)))
        places = [at for at in looked_at if was is None or was.get(at) != now.get(at)]
        yield from changed_by_hand(seat, now, seen, places)
