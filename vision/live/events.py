"""Live events: what changed at the table, one value each, and the line that it is written as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
