"""Detecting that a finished game is being cleared away in front of the camera.

Each removed piece is logged as usual. Many removals from one board in a short time, with hardly any
placements, are no move of the game; the table then remembers the last entry before them.
Corrections remove only a few pieces, and what a player enters never counts as clearing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from webapp.app.live.entry import Entry

FEWEST = 5
"""The minimum number of removed pieces; at least half of the board's must be gone, too."""
PAUSE = timedelta(seconds=60)
"""The longest pause between two removals of one clearing."""


@dataclass(frozen=True)
class Clearing:
    """Consecutive removals from a board.

    `before` is the last entry before the first removal, `lay` the number of pieces then, `gone` how
    many fewer there are now, `latest` the time of the last removal.
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
"""By the seat of the board."""


def followed(clearings: Clearings, entry: Entry, seat: int, lay: int, lie: int) -> Clearings:
    """Return the clearings after an entry that reduced a seat's board from `lay` to `lie` pieces.

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
    """Return the last entry before any board was cleared, None if none is."""
    return min((one.before for one in clearings.values() if one.is_clearing_up), default=None)
