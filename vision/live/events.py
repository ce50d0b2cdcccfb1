"""Live events: changes at the table, and their JSON form."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scorer.places import Place
from vision.live.board_state import Change, Doubt


@dataclass(frozen=True)
class LiveEvent:
    """Something that happened at ``t`` seconds of the source's own clock.

    ``board`` is its number, None for events of the source. ``more`` are the kind's own keys.

    >>> LiveEvent(12.4, "removed", 0, {"space": "ar3", "was": "red", "confidence": 0.99}).to_data()
    {'format': 1, 't': 12.4, 'board': 0, 'kind': 'removed', 'space': 'ar3', 'was': 'red', \
'confidence': 0.99}
    """

    t: float
    kind: str
    board: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        where = {} if self.board is None else {"board": self.board}
        return {"format": 1, "t": round(self.t, 3), **where, "kind": self.kind, **self.more}


def change_events(
    t: float,
    board: int,
    changes: Sequence[Change],
    before: Mapping[str, int],
    after: Mapping[str, int],
    found: Set[Place] = frozenset(),
) -> list[LiveEvent]:
    """The events for changes on a board; the pieces of a track one by one, under its name.

    ``before`` and ``after`` are the number of pieces on each track. At the ``found`` places nobody
    saw them come or go: they changed while the board, or the camera, was away.
    """
    events = [
        event
        for change in changes
        if change.place.kind != "track"
        for event in (
            _in_region(t, board, change, change.place in found)
            if change.place.kind == "region"
            else [_on_space(t, board, change, change.place in found)]
        )
    ]
    for track, count in after.items():
        sure = min((c.confidence for c in changes if c.place.id == track), default=1.0)
        was = before.get(track, 0)
        for step in range(was + 1, count + 1) if count > was else (count,) * (count != was):
            more = {"count": step, "confidence": round(sure, 4)}
            events.append(LiveEvent(t, track, board, more))
    return events


def doubt_events(
    t: float, board: int, before: Mapping[Place, Doubt], after: Mapping[Place, Doubt]
) -> list[LiveEvent]:
    """New questions about a board, with the possible contents of each region, and settled ones.

    A question is asked again once its answers are no longer outdated. An answer is a list of counts
    of kinds: [["2 plum", "1 pear"], []].
    """
    events = []
    for place in {**before, **after}:
        if place not in after:
            events.append(LiveEvent(t, "settled", board, {"space": place.id}))
        elif place not in before or before[place].outdated > after[place].outdated:
            answers = [
                [f"{count} {piece}" for piece, count in Counter(held or ()).items()]
                for held in after[place].likeliest
            ]
            events.append(LiveEvent(t, "doubtful", board, {"space": place.id, "answers": answers}))
    return events


def _on_space(t: float, board: int, change: Change, found: bool) -> LiveEvent:
    more: dict[str, Any] = {"space": change.place.id}
    if change.now is not None:
        more["star"] = change.now
    if change.was is not None:
        more["was"] = change.was
    if change.source is not None:
        more["from"] = change.source.id
    if change.exchanged and change.was and change.now:
        more["exchanged"] = True
    more["confidence"] = round(change.confidence, 4)
    if found:
        more["found"] = True
    kind = "removed" if change.now is None else "replaced" if change.was else "placed"
    return LiveEvent(t, kind, board, more)


def _in_region(t: float, board: int, change: Change, found: bool) -> list[LiveEvent]:
    """The changes of a region: one event per kind of piece, with its present count."""
    was, now = (Counter(held or ()) for held in (change.was, change.now))
    events = []
    for piece in sorted(was | now):
        if was[piece] != now[piece]:
            kind = "placed" if now[piece] > was[piece] else "removed"
            more = {"space": change.place.id, "star": piece, "count": now[piece]}
            more["confidence"] = round(change.confidence, 4)
            events.append(LiveEvent(t, kind, board, {**more, **({"found": True} if found else {})}))
    return events


def corners_data(corners: np.ndarray) -> dict[str, Any]:
    """An event's own keys for a board's pose, from its (4, 2) px corners."""
    return {"corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners]}
