"""Wakes the pages that wait for news of a game.

It carries no news itself: a page that wakes reads the log after the last entry it knows, so
whoever slept, reloaded or lost the connection gets each entry, and each once.
"""

import threading
from collections import Counter
from collections.abc import Mapping


class Feed:
    """One bell for each game."""

    def __init__(self) -> None:
        """No news yet."""
        self._changed = threading.Condition()
        self._rung: Counter[str] = Counter()

    def ring(self, game_id: str) -> None:
        """Wake whoever waits for news of a game."""
        with self._changed:
            self._rung[game_id] += 1
            self._changed.notify_all()

    def rung(self, game_id: str) -> int:
        """Return how often the game's bell has rung."""
        with self._changed:
            return self._rung[game_id]

    def wait(self, rung: Mapping[str, int], seconds: float) -> dict[str, int]:
        """Wait until a game's bell has rung more often than `rung` says, at most so long.

        Return how often the bells of such games have rung.
        """

        def news() -> dict[str, int]:
            return {
                game: self._rung[game] for game, times in rung.items() if self._rung[game] != times
            }

        with self._changed:
            return self._changed.wait_for(news, seconds)
