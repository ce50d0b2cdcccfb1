"""Cards of the market that a camera no longer sees, and the actions that take them.

A lifted card looks like a taken one, so players are asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.open_table import market
from scorer.turns import Turns
from webapp.app.guide.history import History
from webapp.app.live.reducer import CardCount, LiveTable


@dataclass(frozen=True)
class MissingCard:
    """`count` cards with an id that the camera `source` misses, of `expected`."""

    source: str
    card: str
    count: int
    expected: int


def missing_cards(history: History, table: LiveTable) -> Iterator[MissingCard]:
    """Yield the cards that are missing although no action has taken them.

    As with boards, nothing is missing just after an undo.
    """
    if not table.cards:
        return
    first = min(counts[0].number for counts in table.cards.values())
    taken = list(_taken(history, first))
    for (source, card), counts in table.cards.items():
        here = counts[-1].here
        missing = _missing(counts, [(number, own[card]) for number, own in taken], history.undone)
        if missing > 0:
            yield MissingCard(source, card, missing, here + missing)


def _taken(history: History, first: int) -> Iterator[tuple[int, Counter[str]]]:
    """Yield the cards that actions took from the market, by their log entries after `first`."""
    moments = [moment for moment in history.moments if moment.number > first]
    if not moments:
        return
    skipped = len(history.moments) - len(moments)
    state = history.moments[skipped - 1].state if skipped else history.start
    before = market(state)
    for moment in moments:
        after = market(moment.state)
        yield moment.number, before - after
        before = after


def _missing(counts: Sequence[CardCount], taken: Sequence[tuple[int, int]], undone: int) -> int:
    """Return how many cards are missing, negative if some that were taken still lie there.

    A card may be taken before or after the camera misses it.
    """
    here = missing = 0
    changes = [(one.number, one.here, 0) for one in counts]
    changes += [(number, -1, own) for number, own in taken if own]
    for number, now, own in sorted(changes):
        if own:
            missing = max(missing - own, -here)
        else:
            missing = max(missing + here - now, min(missing, 0))
            here = now
        if number <= undone:
            missing = 0
    return missing


def ways_to_take(turns: Turns[Any, Any], state: Any, card: str) -> Sequence[Any]:
    """Return the legal actions that take a card of the market."""
    there = market(state)[card]
    return [
        action
        for action in (turns.actions(state) if there else ())
        if market(turns.after(state, action))[card] < there
    ]
