"""The news of games as server-sent events: each entry once, whoever slept meanwhile."""

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from time import monotonic
from typing import Any

from flask import current_app

from webapp.app.languages import language
from webapp.app.live.projection import BusyError
from webapp.app.live.service import LiveService
from webapp.app.session.saved_games import Games, NoSuchGameError, SavedGame
from webapp.web import live_messages

BEAT = 5.0
"""Seconds after which a page hears that it is still connected."""
NOTICED_WITHIN = 1.0
"""Seconds within which it is noticed that nobody listens any more."""
LONGEST = 600.0
"""Seconds after which a page is asked to connect again: nobody listens for ever."""
RECONNECT_MS = 1500
MOST_LISTENERS = 16
"""Pages that are held at once, each of which keeps a thread of the server; the others are told
what there is and connect again a little later."""
MOST_OF_ADDRESS = 3
"""Of these from one address other than this computer's: half of the threads that it may have."""
MOST_TOLD = 30
"""Entries that are told one by one to a page that slept: of older ones it sees what came of them,
as it draws the table anew."""
CHANGES_KEPT = 512


class EventStreams:
    """Tells the pages of all games what happens, in their own language."""

    def __init__(self, service: LiveService, games: Games) -> None:
        """Tell what `service` hears."""
        self._service, self._games = service, games
        self._lock = threading.Lock()
        self._listeners = 0
        self._of_address: Counter[str | None] = Counter()
        self._changes: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()

    def stream(
        self,
        known: Mapping[str, int],
        is_gone: Callable[[], bool],
        longest: float = LONGEST,
        address: str | None = None,
    ) -> Iterator[str]:
        """Give the news of games after the entries that a page knows, then each as it comes.

        It ends once the page `is_gone`, which what is sent to it would tell much later. `address`
        is the page's, None where it is this computer's.

        `change` bears the entry's number as its id, so that a page that lost the connection asks
        for what came after it; `revision` says at which one a game stands; `cameras` that something
        else of it changed, such as a camera's state; `gone` that a game was deleted; `beat` that
        the line is open.
        """
        known, standing = dict(known), dict[str, int]()
        with self._lock:
            self._listeners += 1
            self._of_address[address] += 1
            is_many = address is not None and self._of_address[address] > MOST_OF_ADDRESS
            is_held = self._listeners <= MOST_LISTENERS and not is_many
            until = monotonic() + (longest if is_held else 0)
        try:
            yield f"retry: {RECONNECT_MS}\n\n"
            counts = {game_id: self._service.notifier.count(game_id) for game_id in known}
            while not is_gone():
                for game_id in list(known):
                    yield from self._news(known, standing, game_id)
                if not known or monotonic() >= until:
                    return
                heard = self._wait({one: counts[one] for one in known}, is_gone, until)
                for game_id in heard:
                    yield _event("cameras", {"game": game_id})
                if not heard:
                    yield _event("beat", {})
                counts |= heard
        finally:
            with self._lock:
                self._listeners -= 1
                self._of_address[address] -= 1
                if not self._of_address[address]:
                    del self._of_address[address]

    def _wait(
        self, counts: Mapping[str, int], is_gone: Callable[[], bool], until: float
    ) -> dict[str, int]:
        """Wait for news until the next beat is due, and no longer than somebody listens."""
        until = min(until, monotonic() + BEAT)
        heard: dict[str, int] = {}
        while not heard and not is_gone() and (left := until - monotonic()) > 0:
            heard = self._service.notifier.wait(counts, min(left, NOTICED_WITHIN))
        return heard

    def _news(self, known: dict[str, int], standing: dict[str, int], game_id: str) -> Iterator[str]:
        """What is new of one game; `known` entries and `standing` revisions go along with it."""
        try:
            game = self._games.open(game_id)
            if standing.get(game_id) != game.revision:
                standing[game_id] = game.revision
                yield _event("revision", {"game": game_id, "revision": game.revision})
            entries = self._service.entries(game_id, after=known[game_id])
            for entry in entries[-MOST_TOLD:]:
                waiting = entries[-1].number - entry.number
                change = {**self._change(game, entry.number), "waiting": waiting}
                known[game_id] = entry.number
                yield _event("change", change, entry.number)
        except NoSuchGameError:
            del known[game_id]
            yield _event("gone", {"game": game_id})
        except BusyError:
            return  # what was not told is told after the next beat

    def _change(self, game: SavedGame, number: int) -> Mapping[str, Any]:
        key = (game.id, game.revision, language(), number)
        with self._lock:
            change = self._changes.get(key)
        if change is None:
            change = _change(self._service, game, number)
            with self._lock:
                self._changes[key] = change
                while len(self._changes) > CHANGES_KEPT:
                    self._changes.popitem(last=False)
        return change


def _change(service: LiveService, game: SavedGame, number: int) -> Mapping[str, Any]:
    """Say what an entry changed."""
    rules, players = service.rules(game), game.document["players"]
    before = rules.live.view_model(game.document, service.table(game, number - 1), rules)
    after = rules.live.view_model(game.document, service.table(game, number), rules)
    step = next((step for step in reversed(after.table.steps) if step.entry.number == number), None)
    shown = step is not None and step.status == "counts"
    return {
        "game": game.id,
        "number": number,
        "said": live_messages.format_step(step, players, rules.live) if step and shown else "",
        "seat": step.seat if step and shown else None,
        "space": step.event.get("space") if step and shown else None,
        "alerts": [asdict(alert) for alert in live_messages.alerts(before, after)],
    }


def _event(name: str, data: Mapping[str, Any], number: int | None = None) -> str:
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def event_streams() -> EventStreams:
    """Return the streams of the application that answers the current request."""
    found: EventStreams = current_app.extensions["stargazer events"]
    return found
