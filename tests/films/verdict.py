"""Compare a tracker's events with a film's truth: found, missed and false ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_EARLY, _LATE = 0.7, 8.0
"""The most seconds before and after a true event at which a reported one matches it."""

Event = Mapping[str, Any]


def is_change(event: Event) -> bool:
    """Whether an event reports a new piece on a place, or a count on a track.

    >>> is_change({"kind": "black", "count": 2}), is_change({"kind": "board_moved", "board": 0})
    (True, False)
    """
    return event["kind"] in ("placed", "replaced", "removed") or "count" in event


@dataclass(frozen=True)
class Verdict:
    """The true events found and missed, and the false ones.

    `delays` are the seconds from the arm's leaving the place until the report, for each event
    found, except those at the film's beginning.
    """

    found: tuple[Event, ...]
    missed: tuple[Event, ...]
    false: tuple[Event, ...]
    delays: tuple[float, ...]


def judge(
    truth: Mapping[str, Any],
    events: Sequence[Event],
    late: float = _LATE,
    watched: float = float("inf"),
) -> Verdict:
    """Compare reported events with a film's truth, as `shoot` gives it.

    An event reported more than `late` seconds afterwards is missed, and the report is false.
    Changes after `watched` seconds need not be reported; if they are, the report is not false.
    """
    seat = _seats(truth["corners"], events)
    open_events = [{**e, "board": seat.get(e["board"], -1)} for e in events if is_change(e)]
    found, missed, delays = [], [], []
    for true in truth["events"]:
        wanted = {key: value for key, value in true.items() if key != "t"}
        match = next(
            (
                e
                for e in open_events
                if all(e.get(key) == value for key, value in wanted.items())
                and -_EARLY <= e["t"] - true["t"] <= late
            ),
            None,
        )
        if match is None:
            if true["t"] < watched:
                missed.append(true)
            continue
        open_events.remove(match)
        found.append(true)
        if true["t"] > 0:
            delays.append(match["t"] - true["t"])
    return Verdict(tuple(found), tuple(missed), tuple(open_events), tuple(delays))


def _seats(corners: Sequence[Any], events: Sequence[Event]) -> dict[int, int]:
    """The film's number of each board reported as found, matched by position."""
    centres = np.array(corners).mean(axis=1)
    seats: dict[int, int] = {}
    for event in events:
        if event["kind"] == "board_found":
            at = np.array(event["corners"]).mean(axis=0)
            seats.setdefault(event["board"], int(np.hypot(*(centres - at).T).argmin()))
    return seats
