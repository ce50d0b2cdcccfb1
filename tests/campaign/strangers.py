"""Connections of strangers, who were never invited: silent, slow, or as fast as they can."""

import contextlib
import socket
import time

from tests.campaign.server import HERE, NETWORK

STRANGER = 10
"""The first of the strangers' addresses on the network."""
HEAD = f"GET / HTTP/1.1\r\nHost: {HERE}\r\n".encode()
BODY = (
    f"POST /api/read HTTP/1.1\r\nHost: {HERE}\r\nContent-Type: application/json\r\n"
    "Content-Length: 30000000\r\n\r\n"
).encode()


class Stranger:
    """One connection of the attack, reopened whenever it is closed."""

    def __init__(self, kind: str, source: str, port: int) -> None:
        """`kind` is silent, header, body, asks or drops."""
        self.kind, self.source, self.port = kind, source, port
        self.socket: socket.socket | None = None
        self.opened, self.begun = 0, 0.0

    def step(self) -> None:
        """Perform the next action of this kind of attack."""
        try:
            if self.socket is None:
                self.socket = socket.socket()
                self.socket.bind((self.source, 0))
                self.socket.settimeout(2)
                self.socket.connect((HERE, self.port))
                self.socket.setblocking(False)
                self.opened += 1
                if self.kind in ("header", "body"):
                    self.socket.send(HEAD if self.kind == "header" else BODY)
                if self.kind == "asks":
                    self.socket.send(HEAD + b"\r\n")
            elif self.kind in ("header", "body"):
                self.socket.send(b"X")
            elif self.kind == "drops":
                self.close()
                return
            if self.kind != "drops":
                with contextlib.suppress(BlockingIOError):
                    answered = self.socket.recv(65536)
                    if not answered:
                        self.close()
                    elif self.kind == "asks":
                        self.socket.send(HEAD + b"\r\n")
        except OSError:
            self.close()

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None


def hold_the_door(port: int, seconds: float, addresses: int, flood: bool) -> None:
    """Occupy a server's connections with 300 silent ones, and 70 on which bytes trickle in.

    With `flood` 20 more request pages without pause, and 20 are opened and dropped.
    """
    kinds = {"silent": 300, "header": 50, "body": 20}
    if flood:
        kinds |= {"asks": 20, "drops": 20}
    sources = [NETWORK.format(STRANGER + number) for number in range(addresses)]
    all_of_them = [
        Stranger(kind, sources[number % addresses], port)
        for kind, count in kinds.items()
        for number in range(count)
    ]
    slow = [one for one in all_of_them if one.kind not in ("asks", "drops")]
    fast = [one for one in all_of_them if one.kind in ("asks", "drops")]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        for one in slow:
            one.step()
        while time.monotonic() - begun < 0.5:
            for one in fast:
                one.step()
            time.sleep(0.005 if fast else 0.5)
