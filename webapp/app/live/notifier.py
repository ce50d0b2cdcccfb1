"""Wakes the pages that wait for news of a game.

It carries no news itself: a page that wakes reads the log after the last entry it knows, so
whoever slept, reloaded or lost the connection gets each entry, and each once.
"""

import threading
from collections import Counter
from collections.abc import Mapping

from webapp.app.peers import Peers


class Notifier:
    """How often each game was said to have news, and who waits for the next time."""

    def __init__(self, peers: Peers | None = None) -> None:
        """No news yet; with `peers`, other servers' pages are woken too."""
        self._changed = threading.Condition()
        self._counts: Counter[str] = Counter()
        self._peers = peers
        if peers is not None:
            peers.listen(self._wake)

    def notify(self, game_id: str) -> None:
        """Wake whoever waits for news of a game."""
        self._wake(game_id)
        if self._peers is not None:
            self._peers.publish(game_id)

    def wake(self) -> None:
        """Wake whoever waits at this server, of whatever game."""
        self._wake("")

    def _wake(self, game_id: str | None) -> None:
        with self._changed:
            self._counts.update([game_id] if game_id is not None else list(self._counts))
            self._changed.notify_all()

    def count(self, game_id: str) -> int:
        """Return how often there was news of a game."""
        with self._changed:
            return self._counts.setdefault(game_id, 0)

    def wait(self, known: Mapping[str, int], seconds: float) -> dict[str, int]:
        """Wait until a game's count is another than the `known` one, at most so long.

        Return the counts of such games.
        """

        def news() -> dict[str, int]:
            return {
                game: self._counts[game]
                for game, count in known.items()
                if self._counts[game] != count
            }

        with self._changed:
            return self._changed.wait_for(news, seconds)
