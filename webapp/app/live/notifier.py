"""Wakes the pages that wait for news of a game.

It carries no news itself: a woken page reads the log after its last known entry, so that it gets
each entry exactly once, even after sleep, reload or a lost connection.
"""

import threading
from collections import Counter
from collections.abc import Mapping

from webapp.app.peers import Peers


class Notifier:
    """A count of notifications per game, and those who wait for the next one."""

    def __init__(self, peers: Peers | None = None) -> None:
        """Start without news; with `peers`, wake other servers' pages, too."""
        self._changed = threading.Condition()
        self._counts: Counter[str] = Counter()
        self._peers = peers
        if peers is not None:
            peers.listen(self._wake)

    def notify(self, game_id: str) -> None:
        """Wake everybody waiting for news of a game."""
        self._wake(game_id)
        if self._peers is not None:
            self._peers.publish(game_id)

    def wake(self) -> None:
        """Wake everybody waiting at this server, for any game."""
        self._wake("")

    def _wake(self, game_id: str | None) -> None:
        with self._changed:
            self._counts.update([game_id] if game_id is not None else list(self._counts))
            self._changed.notify_all()

    def count(self, game_id: str) -> int:
        with self._changed:
            return self._counts.setdefault(game_id, 0)

    def wait(self, known: Mapping[str, int], seconds: float) -> dict[str, int]:
        """Wait until a game's count differs from the `known` one, or the time is over.

        Returns the counts that differ.
        """

        def news() -> dict[str, int]:
            return {
                game: self._counts[game]
                for game, count in known.items()
                if self._counts[game] != count
            }

        with self._changed:
            return self._changed.wait_for(news, seconds)
