"""The news of a game as server-sent events: each entry once, whoever slept meanwhile."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from time import monotonic
from typing import Any

from webapp.live import telling
from webapp.live.desk import LiveDesk
from webapp.live.entry import Entry
from webapp.live.outlook import Outlook
from webapp.saved_games import Games, NoSuchGameError, SavedGame

BEAT = 5.0
"""Seconds after which a page hears that it is still connected."""
LONGEST = 600.0
"""Seconds after which a page is asked to connect again: nobody listens for ever."""
RECONNECT_MS = 1500
MOST_LISTENERS = 16
"""Pages that are held at once, each of which keeps a thread of the server; the others are told
what there is and connect again a little later."""

_listeners = 0


def stream(
    desk: LiveDesk, games: Games, game_id: str, after: int, longest: float = LONGEST
) -> Iterator[str]:
    """Give the news after an entry, then each new one as it comes.

    `change` bears the entry's number as its id, so that a page that lost the connection asks
    for what came after it; `cameras` says that a camera's state changed; `beat` that the
    line is open.
    """
    global _listeners
    _listeners += 1
    try:
        until = monotonic() + (longest if _listeners <= MOST_LISTENERS else 0)
        yield f"retry: {RECONNECT_MS}\n\n"
        rung = desk.feed.rung(game_id)
        while True:
            for number, message in _changes(desk, games.open(game_id), after):
                after = number
                yield _event("change", message, number)
            if monotonic() >= until:
                return
            heard = desk.feed.wait(game_id, rung, min(BEAT, max(0.0, until - monotonic())))
            yield _event("beat" if heard == rung else "cameras", {})
            rung = heard
    except NoSuchGameError:
        yield _event("gone", {})
    finally:
        _listeners -= 1


def _changes(
    desk: LiveDesk, game: SavedGame, after: int
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    entries = desk.log.entries(game.id)
    fresh = [index for index, entry in enumerate(entries) if entry.number > after]
    for index in fresh:
        waiting = len(entries) - 1 - index
        yield entries[index].number, change(desk, game, entries[: index + 1], waiting)


def change(
    desk: LiveDesk, game: SavedGame, entries: list[Entry], waiting: int
) -> Mapping[str, Any]:
    """Say what the last of some entries changed; `waiting` is how many more are to be told."""
    edition = desk.rules(game).edition
    before = Outlook(game.document, desk.table(game, entries[:-1]), edition)
    after = Outlook(game.document, desk.table(game, entries), edition)
    last = entries[-1].number
    step = next((step for step in after.table.steps if step.entry.number == last), None)
    shown = step is not None and step.fate == "counts"
    return {
        "number": last,
        "waiting": waiting,
        "said": telling.step_said(step, game.document["players"]) if step and shown else "",
        "seat": step.seat if step and shown else None,
        "space": step.event.get("space") if step and shown else None,
        "alerts": [asdict(alert) for alert in telling.alerts(before, after)],
    }


def _event(name: str, data: Mapping[str, Any], number: int | None = None) -> str:
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
