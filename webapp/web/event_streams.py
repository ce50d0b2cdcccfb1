"""The news of games as server-sent events: each entry once, whoever slept meanwhile."""

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
"""Seconds after which a page hears that it is still connected."""
NOTICED_WITHIN = 1.0
"""Seconds within which it is noticed that nobody listens any more."""
LONGEST = 600.0
"""Seconds after which a page is asked to connect again: nobody listens for ever."""
RETRY = "retry: 1500\n\n"
"""How soon a page connects again, ms."""
MOST_LISTENERS = MOST_CONNECTIONS // 2
"""Pages that are held at once; the others are told what there is and connect again a little
later."""
MOST_OF_ADDRESS = CONNECTIONS_OF_ADDRESS // 4
"""Of these from one address other than this computer's: a browser holds one for all its pages."""
MOST_CHANGES = 30
"""Entries that are told one by one to a page that slept: of older ones it sees what came of them,
as it draws the table anew."""
CHANGES_KEPT = 512
NO_GAME = ""
"""The game of which there is news when another page listens."""

log = logging.getLogger(__name__)


class Listener:
    """A page that listens: which entries and revisions it knows, and until when it is told more.

    `known` are its games with the last entry of each, `is_held` whether it is told what is to come.
    """

    def __init__(
        self, known: Mapping[str, int], is_held: bool, address: str | None, longest: float
    ) -> None:
        """Nothing is told yet."""
        self.known, self.standing = dict(known), dict[str, int]()
        self.counts: dict[str, int] = {}
        self.owed: set[str] = set()
        self.address = address
        self.until = monotonic() + (longest if is_held else 0)
        self.beat_at = 0.0

    @property
    def is_held(self) -> bool:
        """Say whether it is told what is still to come."""
        return bool(self.known) and monotonic() < self.until


@dataclass(frozen=True)
class Held:
    """A listener whose connection a server keeps without a thread.

    `news` makes the text that is to be sent for games' new counts, in the page's own language;
    `send` raises ConnectionError or OSError where nobody hears it.
    """

    listener: Listener
    news: Callable[[Mapping[str, int]], str]
    send: Callable[[bytes], None]
    end: Callable[[], None]
    is_gone: Callable[[], bool]


class EventStreams:
    """Tells the pages of all games what happens, in their own language."""

    def __init__(self, service: LiveService, games: Games) -> None:
        """Tell what `service` hears."""
        self._service, self._games = service, games
        self._lock = threading.Lock()
        self._of_address: Counter[str | None] = Counter()
        self._changes: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()
        self._held: list[Held] = []
        self._teller: threading.Thread | None = None

    @property
    def listeners(self) -> int:
        """How many pages listen."""
        with self._lock:
            return self._of_address.total()

    def admit(
        self, known: Mapping[str, int], longest: float = LONGEST, address: str | None = None
    ) -> Listener:
        """Let a page listen, until it is to `leave`.

        `address` is the page's, None where it is this computer's.
        """
        with self._lock:
            self._of_address[address] += 1
            is_many = address is not None and self._of_address[address] > MOST_OF_ADDRESS
            is_held = self._of_address.total() <= MOST_LISTENERS and not is_many
        return Listener(known, is_held, address, longest)

    def leave(self, listener: Listener) -> None:
        """Let a page listen no more."""
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
        """Give the news of games after the entries that a page knows, then each as it comes.

        It takes a thread, which `hold` does not. It ends once the page `is_gone`, which what is
        sent to it would tell much later.

        `change` bears the entry's number as its id, so that a page that lost the connection asks
        for what came after it; `revision` says at which one a game stands; `cameras` that something
        else of it changed, such as a camera's state; `gone` that a game was deleted; `beat` that
        the line is open.
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
        """Give what a page is sent: what is new of the games in `latest`, or a beat.

        At first, with None, what is new of all of them.
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
        """Tell a page from now on whatever is news, until its time is over or it is gone."""
        with self._lock:
            self._held.append(held)
            if self._teller is None:
                self._teller = threading.Thread(target=self._tell, name="news", daemon=True)
                self._teller.start()
        self._service.notifier.wake()

    def _tell(self) -> None:
        """Tell all pages that are held what they are to be told, one after the other."""
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
        """Tell a page what is news to it; whether it is to be told more."""
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
        """Wait for news until the next beat is due, and no longer than somebody listens."""
        until = min(listener.until, monotonic() + BEAT)
        counts = {one: listener.counts[one] for one in listener.known}
        latest: dict[str, int] = {}
        while not latest and not is_gone() and (left := until - monotonic()) > 0:
            latest = self._service.notifier.wait(counts, min(left, NOTICED_WITHIN))
        return latest

    def _news(self, listener: Listener, game_id: str) -> Iterator[str]:
        """What is new of one game; the `listener` knows it then."""
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
            listener.owed.add(game_id)  # what was not told is told after the next beat

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
        "said": live_messages.format_step(step, players, rules) if step and shown else "",
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
