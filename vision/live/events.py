"""Live events: what changed at the table, one value each, and the line that it is written as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.live.settle import Change


@dataclass(frozen=True)
class LiveEvent:
    """Something that happened at ``t`` seconds of the source's own clock.

    ``board`` is its number, None for what concerns the source. ``more`` are the kind's own keys.

    >>> LiveEvent(12.4, "removed", 0, {"space": "ar3", "was": "red", "confidence": 0.99}).to_data()
    {'format': 1, 't': 12.4, 'board': 0, 'kind': 'removed', 'space': 'ar3', 'was': 'red', \
'confidence': 0.99}
    """

    t: float
    kind: str
    board: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """The event as JSON data."""
        where = {} if self.board is None else {"board": self.board}
        return {"format": 1, "t": round(self.t, 3), **where, "kind": self.kind, **self.more}


def change_events(
    t: float, board: int, changes: Sequence[Change], black_before: int, black: int
) -> list[LiveEvent]:
    """What changes on a board are told as; the black stars of its track one by one."""
    events = []
    sure = 1.0
    for change in changes:
        if change.place.startswith("track "):
            sure = min(sure, change.confidence)
        else:
            events.append(_on_space(t, board, change))
    if black != black_before:
        for count in range(black_before + 1, black + 1) if black > black_before else (black,):
            more = {"count": count, "confidence": round(sure, 4)}
            events.append(LiveEvent(t, "black", board, more))
    return events


def _on_space(t: float, board: int, change: Change) -> LiveEvent:
    more: dict[str, Any] = {"space": change.place}
    if change.now is not None:
        more["star"] = change.now
    if change.was is not None:
        more["was"] = change.was
    more["confidence"] = round(change.confidence, 4)
    kind = "removed" if change.now is None else "replaced" if change.was else "placed"
    return LiveEvent(t, kind, board, more)


def corners_data(corners: np.ndarray) -> dict[str, Any]:
    """An event's own keys for where a board lies."""
    return {"corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners]}
