"""News between servers that share a database and a data folder, over Redis.

Redis holds no data that was acknowledged to a user. Without it, servers keep working and hear
nothing of each other; once it is back, all pages reload their games.
"""

import logging
import threading
from collections.abc import Callable
from secrets import token_hex
from time import sleep
from typing import Any

log = logging.getLogger(__name__)

CHANNEL = "stargazer:news"
LEASE = 30.0
"""Seconds until a silent server loses its leases."""
PATIENCE: dict[str, Any] = {"socket_timeout": 2.0, "socket_connect_timeout": 2.0}
"""Redis client timeouts in seconds."""
AGAIN_AFTER = 1.0
"""Seconds between attempts to reconnect to Redis."""


class PeersError(Exception):
    """Redis does not answer; the one-line message says why and what to do."""


class Peers:
    """The connection to the other servers and this server's leases."""

    def __init__(self, url: str) -> None:
        """Connect to the Redis at `url`. Raises PeersError."""
        try:
            import redis
        except ImportError as error:
            raise PeersError('--redis needs pip install "stargazer[club]"') from error
        self._error = redis.RedisError
        self._name = token_hex(8)
        try:
            self._redis: Any = redis.Redis.from_url(url, decode_responses=True, **PATIENCE)
            self._redis.ping()
        except (ValueError, redis.RedisError) as error:
            raise PeersError(f"--redis {url!r} does not answer: {error}") from error

    def publish(self, game_id: str) -> None:
        """Notify the other servers of a change to a game."""
        try:
            self._redis.publish(CHANNEL, f"{self._name} {game_id}")
        except self._error:
            log.warning("Redis does not answer: other servers hear later of game %s", game_id)

    def listen(self, on_change: Callable[[str | None], None]) -> None:
        """Call `on_change` with each game that others changed; with None if some may be missed."""
        threading.Thread(target=self._listen, args=(on_change,), name="peers", daemon=True).start()

    def _listen(self, on_change: Callable[[str | None], None]) -> None:
        while True:
            try:
                with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    channel.subscribe(CHANNEL)
                    on_change(None)
                    while True:
                        message = channel.get_message(timeout=1.0)
                        name, _, game_id = (message["data"] if message else "").partition(" ")
                        if game_id and name != self._name:
                            on_change(game_id)
            except self._error:
                sleep(AGAIN_AFTER)

    def lease(self, what: str) -> bool:
        """Acquire or renew a lease for `LEASE` seconds; return False if another server holds it.

        Returns True if Redis does not answer.
        """
        key = f"stargazer:hand:{what}"
        try:
            if self._redis.set(key, self._name, nx=True, px=int(LEASE * 1000)):
                return True
            if self._redis.get(key) != self._name:
                return False
            self._redis.pexpire(key, int(LEASE * 1000))
        except self._error:
            log.warning("Redis does not answer: %s may be read twice", what)
        return True
