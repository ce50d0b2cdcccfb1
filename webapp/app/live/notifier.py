"""Wakes the pages that wait for news of a game.

It carries no news itself: a page that wakes reads the log after the last entry it knows, so
whoever slept, reloaded or lost the connection gets each entry, and each once.
"""

import threading
from collections import Counter
from collections.abc import Mapping


class Notifier:
    """How often each game was said to have news, and who waits for the next time."""

    def __init__(self) -> None:
        """No news yet."""
        self._changed = threading.Condition()
        self._counts: Counter[str] = Counter()

    def notify(self, game_id: str) -> None:
        """Wake whoever waits for news of a game."""
        with self._changed:
            self._counts[game_id] += 1
            self._changed.notify_all()

    def count(self, game_id: str) -> int:
        """Return how often there was news of a game."""
        with self._changed:
            return self._counts[game_id]

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
