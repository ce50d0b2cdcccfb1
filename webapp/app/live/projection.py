"""A game's log in memory, and the table after each of its entries.

As the log is append-only, cached entries stay valid, and a table is derived from the previous one.
Only entries that change the past, such as corrections, require reducing the whole log again.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from weakref import WeakValueDictionary

from calibration import Profile
from webapp.app.live.entry import Entry
from webapp.app.live.log import Log
from webapp.app.live.reducer import LiveTable, ObservedPieces, Rules, extend, observe, reduce

TABLES_KEPT = 40
"""The tables cached per game, after its latest entries; streams to pages use them."""
GAMES_KEPT = 8
MOST_AT_ONCE = 8
"""The most requests that use projections at a time. Most take a millisecond, but a correction to a
very long log takes seconds of processor time."""
PATIENCE = 2.0
"""Seconds that a request waits for its game's projection, and then for a free slot."""


ProfilesOf = Callable[[str], Sequence[Profile]]
"""Returns a game's boards, one of each kind, by the game's id."""


class BusyError(Exception):
    """Too many requests are being processed; retry in a moment."""


class Projection:
    """What is derived from one game's log; callers must `hold` it."""

    def __init__(
        self, log: Log, game_id: str, profiles_of: ProfilesOf, requests: threading.Semaphore
    ) -> None:
        """Start empty. `requests` limits the number of requests that use any projection."""
        self._log, self._game_id, self._requests = log, game_id, requests
        self._profiles_of = profiles_of
        self._lock = threading.Lock()
        self._entries: list[Entry] = []
        self._observed: ObservedPieces = {}
        self._tables: OrderedDict[tuple[Rules, int], LiveTable] = OrderedDict()
        self._past: tuple[tuple[Rules, int, int], LiveTable] | None = None

    @contextmanager
    def hold(self, patiently: bool = False) -> Iterator[None]:
        """Lock the projection and the log for a request.

        `patiently` waits without limit, for threads that serve no request. Raises BusyError.
        """
        if patiently:
            with self._lock:
                yield
            return
        # Requests that wait for one game must not block those for other games.
        with _acquired(self._lock), _acquired(self._requests):
            yield

    def entries(self, after: int = 0) -> Sequence[Entry]:
        """Return the entries after a number, in order."""
        self._catch_up()
        return self._entries[after:]

    def observed(self) -> ObservedPieces:
        """Return the pieces as the cameras saw them, uncorrected."""
        self._catch_up()
        return dict(self._observed)

    def table(self, rules: Rules, number: int | None = None) -> LiveTable:
        """Return the table as reported after an entry, by default the last one."""
        self._catch_up()
        last = len(self._entries) if number is None else min(number, len(self._entries))
        near = self._near(rules, last)
        table = None if near is None else self._extended(rules, near, last)
        return self._keep(rules, last, table or reduce(rules, self._entries[:last]))

    def table_at(self, rules: Rules, number: int) -> LiveTable:
        """Return the table as it really was after an entry, with later corrections applied."""
        self._catch_up()
        key = (rules, number, len(self._entries))
        if self._past is None or self._past[0] != key:
            self._past = key, reduce(rules, self._entries, number)
        return self._past[1]

    def _catch_up(self) -> None:
        news = self._log.entries(self._game_id, after=len(self._entries))
        profiles = self._profiles_of(self._game_id) if news else ()
        for entry in news:
            self._entries.append(entry)
            if entry.kind == "restart":
                self._observed.clear()
            elif entry.kind == "seen":
                observe(profiles, self._observed, entry.data["source"], entry.data["event"])

    def _near(self, rules: Rules, last: int) -> LiveTable | None:
        """Return the latest cached table at or before an entry."""
        numbers = [number for kept, number in self._tables if kept == rules and number <= last]
        return self._tables[rules, max(numbers)] if numbers else None

    def _extended(self, rules: Rules, table: LiveTable, last: int) -> LiveTable | None:
        for entry in self._entries[table.number : last]:
            more = extend(rules, table, entry)
            if more is None:
                return None
            table = more
        return table

    def _keep(self, rules: Rules, number: int, table: LiveTable) -> LiveTable:
        key = (rules, number)
        self._tables[key] = table
        self._tables.move_to_end(key)
        while len(self._tables) > TABLES_KEPT:
            self._tables.popitem(last=False)
        return table


@contextmanager
def _acquired(lock: "threading.Lock | threading.Semaphore") -> Iterator[None]:
    """Hold a lock. Raises BusyError if it is not free within PATIENCE."""
    if not lock.acquire(timeout=PATIENCE):
        raise BusyError
    try:
        yield
    finally:
        lock.release()


class Projections:
    """The projections of all games; only recently used ones are kept."""

    def __init__(self, log: Log, profiles_of: ProfilesOf) -> None:
        """Project the games of a log on the boards that `profiles_of` returns."""
        self._log, self._profiles_of = log, profiles_of
        self._requests = threading.Semaphore(MOST_AT_ONCE)
        self._lock = threading.Lock()
        self._used: WeakValueDictionary[str, Projection] = WeakValueDictionary()
        self._kept: OrderedDict[str, Projection] = OrderedDict()

    def of(self, game_id: str) -> Projection:
        """Return a game's only projection, which all who write to its log must hold."""
        with self._lock:
            found = self._used.get(game_id)
            if found is None:
                found = self._used[game_id] = Projection(
                    self._log, game_id, self._profiles_of, self._requests
                )
            self._kept[game_id] = found
            self._kept.move_to_end(game_id)
            while len(self._kept) > GAMES_KEPT:
                self._kept.popitem(last=False)
            return found
