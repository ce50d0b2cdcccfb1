"""Server-sent events about games: each entry is sent once, even after a pause."""

import json
import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

from flask import current_app

from webapp.app.languages import language
from webapp.app.live.projection import BusyError
from webapp.app.live.service import LiveService
from webapp.app.session.saved_games import Games, NoSuchGameError, SavedGame
from webapp.server.connection_limits import MOST_CONNECTIONS
from webapp.server.connection_limits import MOST_OF_ADDRESS as CONNECTIONS_OF_ADDRESS
from webapp.web import live_messages

BEAT = 5.0
"""Seconds between signs of life to a page."""
NOTICED_WITHIN = 1.0
"""Seconds within which a closed connection is noticed."""
LONGEST = 600.0
"""Seconds after which a page must reconnect."""
RETRY = "retry: 1500\n\n"
"""The delay before a page reconnects, in ms."""
MOST_LISTENERS = MOST_CONNECTIONS // 2
"""The most pages whose connections are held; others get the current news and reconnect soon."""
MOST_OF_ADDRESS = CONNECTIONS_OF_ADDRESS // 4
"""Of these, the most from one remote address: a browser shares one among its pages."""
MOST_CHANGES = 30
"""The most entries sent one by one to a page after a pause; it sees the effect of older ones when
it redraws the table."""
CHANGES_KEPT = 512
NO_GAME = ""
"""A pseudo game that has news when another page starts to listen."""

log = logging.getLogger(__name__)


class Listener:
    """A page that listens: the entries and revisions it knows, and when it must reconnect.

    `known` maps its games to the last known entry; `is_held` says whether it waits for news.
    """

    def __init__(
        self, known: Mapping[str, int], is_held: bool, address: str | None, longest: float
    ) -> None:
        self.known, self.standing = dict(known), dict[str, int]()
        self.counts: dict[str, int] = {}
        self.owed: set[str] = set()
        self.address = address
        self.until = monotonic() + (longest if is_held else 0)
        self.beat_at = 0.0

    @property
    def is_held(self) -> bool:
        """Whether it is still to be sent news."""
        return bool(self.known) and monotonic() < self.until


@dataclass(frozen=True)
class Held:
    """A listener whose connection the server holds without a thread.

    `news` returns the text to send for games' new counts, in the page's language; `send` raises
    ConnectionError or OSError if the page is gone.
    """

    listener: Listener
    news: Callable[[Mapping[str, int]], str]
    send: Callable[[bytes], None]
    end: Callable[[], None]
    is_gone: Callable[[], bool]


class EventStreams:
    """Sends pages the news of games in their own languages."""

    def __init__(self, service: LiveService, games: Games) -> None:
        """Send the news of `service`."""
        self._service, self._games = service, games
        self._lock = threading.Lock()
        self._of_address: Counter[str | None] = Counter()
        self._changes: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()
        self._held: list[Held] = []
        self._teller: threading.Thread | None = None

    @property
    def listeners(self) -> int:
        """The number of listening pages."""
        with self._lock:
            return self._of_address.total()

    def admit(
        self, known: Mapping[str, int], longest: float = LONGEST, address: str | None = None
    ) -> Listener:
        """Register a listening page until `leave`.

        `address` is the page's, None for this computer.
        """
        with self._lock:
            self._of_address[address] += 1
            is_many = address is not None and self._of_address[address] > MOST_OF_ADDRESS
            is_held = self._of_address.total() <= MOST_LISTENERS and not is_many
        return Listener(known, is_held, address, longest)

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._of_address[listener.address] -= 1
            if not self._of_address[listener.address]:
                del self._of_address[listener.address]

    def stream(
        self,
        known: Mapping[str, int],
        is_gone: Callable[[], bool],
        longest: float = LONGEST,
        address: str | None = None,
    ) -> Iterator[str]:
        """Yield the news of games after the known entries, then further news as it comes.

        It occupies a thread, unlike `hold`, and ends once the page `is_gone`, which failed writes
        would reveal much later.

        A `change` event has the entry's number as its id, so that a page that reconnects can ask
        for later entries. `revision` gives a game's current one; `cameras` reports other changes,
        such as a camera's status; `gone` that a game was deleted; `beat` that the connection is
        open.
        """
        listener = self.admit(known, longest, address)
        try:
            yield RETRY
            yield from self.news(listener)
            while listener.is_held and not is_gone():
                yield from self.news(listener, self._wait(listener, is_gone))
        finally:
            self.leave(listener)

    def news(self, listener: Listener, latest: Mapping[str, int] | None = None) -> Iterator[str]:
        """Yield the news of the games in `latest`, or a beat if it is empty.

        The first time, with None, yield the news of all games.
        """
        if latest is None:
            notifier = self._service.notifier
            listener.counts = {one: notifier.count(one) for one in listener.known}
        else:
            listener.counts |= latest
            yield from (_event("cameras", {"game": game_id}) for game_id in latest)
            if not latest:
                yield _event("beat", {})
        listener.beat_at = monotonic() + BEAT
        asked = listener.known.keys() if latest is None else latest.keys() | listener.owed
        listener.owed = set()
        for game_id in [one for one in listener.known if one in asked]:
            yield from self._news(listener, game_id)

    def hold(self, held: Held) -> None:
        """Send a page news from now on, until its time is over or it is gone."""
        with self._lock:
            self._held.append(held)
            if self._teller is None:
                self._teller = threading.Thread(target=self._tell, name="news", daemon=True)
                self._teller.start()
        self._service.notifier.wake()

    def _tell(self) -> None:
        """Send news to all held pages in turn, forever."""
        known = {NO_GAME: -1}
        while True:
            latest = self._service.notifier.wait(known, NOTICED_WITHIN)
            known[NO_GAME] = latest.get(NO_GAME, known[NO_GAME])
            with self._lock:
                held = list(self._held)
            gone = [one for one in held if not self._send_news(one)]
            with self._lock:
                self._held = [one for one in self._held if one not in gone]
                counts = {NO_GAME: known[NO_GAME]}
                for one in self._held:
                    counts |= {game: one.listener.counts[game] for game in one.listener.known}
            known = counts
            for one in gone:
                self.leave(one.listener)
                one.end()

    def _send_news(self, held: Held) -> bool:
        """Send a page its news; return whether to keep it."""
        listener, now = held.listener, monotonic()
        counts = {one: self._service.notifier.count(one) for one in listener.known}
        latest = {one: count for one, count in counts.items() if count != listener.counts[one]}
        if held.is_gone():
            return False
        try:
            if latest or now >= listener.beat_at:
                held.send(held.news(latest).encode())
        except OSError:
            return False
        except Exception:
            log.exception("a page is told nothing more; it asks again")
            return False
        return listener.is_held

    def _wait(self, listener: Listener, is_gone: Callable[[], bool]) -> dict[str, int]:
        """Wait for news until the next beat is due or the page is gone."""
        until = min(listener.until, monotonic() + BEAT)
        counts = {one: listener.counts[one] for one in listener.known}
        latest: dict[str, int] = {}
        while not latest and not is_gone() and (left := until - monotonic()) > 0:
            latest = self._service.notifier.wait(counts, min(left, NOTICED_WITHIN))
        return latest

    def _news(self, listener: Listener, game_id: str) -> Iterator[str]:
        """Yield the news of one game and update the `listener`."""
        try:
            game = self._games.open(game_id)
            if listener.standing.get(game_id) != game.revision:
                listener.standing[game_id] = game.revision
                yield _event("revision", {"game": game_id, "revision": game.revision})
            entries = self._service.entries(game_id, after=listener.known[game_id])
            for entry in entries[-MOST_CHANGES:]:
                waiting = entries[-1].number - entry.number
                change = {**self._change(game, entry.number), "waiting": waiting}
                listener.known[game_id] = entry.number
                yield _event("change", change, entry.number)
        except NoSuchGameError:
            del listener.known[game_id]
            yield _event("gone", {"game": game_id})
        except BusyError:
            listener.owed.add(game_id)  # sent after the next beat

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
    rules, players = service.rules(game), game.document["players"]
    before = rules.live.view_model(game.document, service.table(game, number - 1), rules)
    after = rules.live.view_model(game.document, service.table(game, number), rules)
    step = next((step for step in reversed(after.table.steps) if step.entry.number == number), None)
    shown = step is not None and step.status == "counts"
    return {
        "game": game.id,
        "number": number,
        "said": live_messages.format_step(step, players, rules) if step and shown else "",
        "seat": step.seat if step and shown else None,
        "space": step.event.get("space") if step and shown else None,
        "alerts": [asdict(alert) for alert in live_messages.alerts(before, after)],
    }


def _event(name: str, data: Mapping[str, Any], number: int | None = None) -> str:
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def event_streams() -> EventStreams:
    found: EventStreams = current_app.extensions["stargazer events"]
    return found
