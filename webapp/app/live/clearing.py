"""Clearing up: when the game is over, its stars go back into the bag before the camera's eyes.

Each star that goes is an event like any other. Many that go from one board within a short time,
with hardly one laid meanwhile, are no move of the game: the table then still knows the last moment
before. A correction takes one star away, or a few; and what a player tells is never clearing up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from webapp.app.live.entry import Entry

FEWEST = 5
"""So many pieces have to go from a board, and at least half of those on it."""
PAUSE = timedelta(seconds=60)
"""Between two that go; after a longer one it begins anew."""


@dataclass(frozen=True)
class Clearing:
    """Pieces that go from a board one after the other.

    `before` is the last entry before the first of them, `lay` how many pieces lay there then,
    `gone` how many less there are now; `latest` is when the last one went.
    """

    before: int
    lay: int
    gone: int
    latest: datetime

    @property
    def is_clearing_up(self) -> bool:
        """Whether it is more than corrections and moves."""
        return self.gone >= max(FEWEST, self.lay / 2)


Clearings = Mapping[int, Clearing]
"""By the seat whose board it is."""


def followed(clearings: Clearings, entry: Entry, seat: int, lay: int, lie: int) -> Clearings:
    """Return the clearings after an entry that left of the `lay` pieces of a seat's board `lie`.

    >>> from datetime import datetime
    >>> at = datetime(2026, 1, 1)
    >>> gone = {}
    >>> for number in range(1, 7):
    ...     gone = followed(gone, Entry(number, "seen", {}, at), 0, 11 - number, 10 - number)
    >>> gone[0].before, gone[0].is_clearing_up, full_until(gone)
    (0, True, 0)
    """
    known = clearings.get(seat)
    if known is not None and not known.is_clearing_up and entry.at - known.latest > PAUSE:
        known = None
    if entry.kind != "seen" or (known is None and lie >= lay):
        return clearings
    known = known or Clearing(entry.number - 1, lay, 0, entry.at)
    known = replace(known, gone=known.gone + lay - lie, latest=entry.at)
    others = {other: one for other, one in clearings.items() if other != seat}
    return {**others, seat: known} if known.gone > 0 else others


def full_until(clearings: Clearings) -> int | None:
    """Return the last entry before a board was being cleared, None where none is."""
    return min((one.before for one in clearings.values() if one.is_clearing_up), default=None)
