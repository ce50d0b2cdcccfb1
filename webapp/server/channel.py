"""One connection: Waitress's channel, over plain TCP or TLS, with what the door asks of it."""

import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask
from waitress.utilities import Error

from webapp.server import guard
from webapp.server.connection_limits import STRANGERS_BODY, Trust
from webapp.server.guard import is_local
from webapp.server.poll_loop import PollLoop

HOLD = "stargazer.hold"
"""In a request's environment: see `_Task`."""
MOST_UNSENT = 256 * 1024
"""Bytes that wait to be taken by whoever listens; beyond that they are hung up on."""


class Channel(HTTPChannel):
    """A connection, with what the door has to know of it."""

    parser_class: Any  # Waitress calls it with its adjustments
    request: "_Request | None"
    _map: PollLoop
    task_class: "type[_Task]"
    is_forwarded = False
    """Whether it is a proxy's, for the caller that `address` tells."""
    is_held = False
    """Whether more of the answer comes later, and not from a thread of its own."""
    _is_answered_whole = False

    def __init__(
        self,
        server: Any,
        sock: socket.socket,
        address: Any,
        adjustments: Adjustments,
        loop: PollLoop,
    ) -> None:
        """Look after a connection that `server` took in from `address`, in its `loop`."""
        self._peer = self.address = str(address[0])
        self.trust = Trust.HERE if is_local(self.address) else Trust.STRANGER
        self.opened = self.moved = monotonic()
        self.asked = False
        self.parser_class = partial(_Request, self)
        super().__init__(server, sock, address, adjustments, map=loop)

    def has_asked(self, headers: Mapping[str, str]) -> None:
        """Note that a whole head has come, who calls, and whether the cookies are a guest's."""
        self.asked = True
        forwarded = headers.get("X_FORWARDED_FOR", "")
        caller = guard.caller_of(self._peer, self.server.door.proxies, forwarded)
        if caller != self.address or self.is_forwarded:
            self.address, self.is_forwarded = caller, True
            self.trust = Trust.HERE if is_local(caller) else Trust.STRANGER
        if self.trust is Trust.STRANGER and self.server.door.is_guest(headers.get("COOKIE", "")):
            self.trust = Trust.GUEST

    def refusal(self, coming: int) -> Error | None:
        """Say why a body of so many bytes is not taken in; None where it is."""
        if self.trust is Trust.STRANGER and coming > STRANGERS_BODY:
            return _NotInvitedError("Scan the QR code of the computer at your table.")
        # A longer one goes to the disk while it comes.
        if coming > self.adj.inbuf_overflow and not self.server.door.has_room():
            return _NoRoomError("The disk of the computer at your table is full. Nothing is lost.")
        return None

    @property  # type: ignore[override]  # Waitress keeps whole seconds
    def last_activity(self) -> float:
        """Waitress writes here that something came or went, by a clock that may be set back."""
        return self.moved

    @last_activity.setter
    def last_activity(self, _: float) -> None:
        self.moved = monotonic()

    @property
    def is_answered(self) -> bool:
        """Say whether a request has come and its answer is being made."""
        return bool(self.requests) or self.is_held

    @property
    def close_when_flushed(self) -> bool:
        """Whether to hang up when all is sent: not while more is to come."""
        return self._is_answered_whole and not self.is_held

    @close_when_flushed.setter
    def close_when_flushed(self, whole: bool) -> None:
        self._is_answered_whole = whole

    def received(self, data: bytes) -> bool:
        """Take in what has come; nothing is asked over a connection that is held."""
        return not self.is_held and bool(super().received(data))

    @property
    def arriving(self) -> "_Request | None":
        """The request of which something has come, but not all."""
        return self.request

    def readable(self) -> bool:
        """Say whether to wait for what comes."""
        return self.connected and super().readable()

    def writable(self) -> bool:
        """Say whether to wait until something can be sent.

        Not while a thread sends: the loop would come round and round, and keep that thread from
        going on. It asks again soon, since that thread may have woken it before it was done.
        """
        if not (self.connected and super().writable()):
            return False
        if not self.outbuf_lock.acquire(False):
            self._map.is_contended = True
            return False
        self.outbuf_lock.release()
        return True

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send what waits, one thread at a time: what is held is added to by no request."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close=do_close))

    def handle_close(self) -> None:
        """Hang up, and answer nothing that nobody will hear."""
        super().handle_close()
        self.server.task_dispatcher.forget(self)

    def service(self) -> None:
        """Answer a request, from a thread."""
        self._map.at_work.add(self)
        super().service()

    def handle_expt(self) -> None:
        """Hang up on whoever sends urgent data: no browser does, and it would never let us rest."""
        self.handle_close()


class TLSChannel(Channel):
    """A connection over TLS: what waits to be read or written waits inside OpenSSL too."""

    socket: ssl.SSLSocket

    def __init__(self, *arguments: Any) -> None:
        """Look after a connection as `Channel` does."""
        # One TLS connection must not be read by the loop while a request's thread writes to it.
        self._tls_lock = threading.RLock()
        super().__init__(*arguments)

    def handle_read(self) -> None:
        """Take all that has come of a record."""
        data = self.recv(self.adj.recv_bytes)
        while data:
            self.moved = monotonic()
            self.received(data)
            # What OpenSSL holds already does not wake the loop.
            data = self.recv(self.adj.recv_bytes) if self._holds_more() else b""

    def _holds_more(self) -> bool:
        with self._tls_lock:
            return self.connected and self.socket.pending() > 0

    def recv(self, buffer_size: int) -> bytes:
        """Return what has come; nothing inside a handshake or a record, or at the end."""
        try:
            with self._tls_lock:
                data = self.socket.recv(buffer_size)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return b""
        except OSError:  # closed, or plain HTTP sent to this port
            data = b""
        if not data:
            self.handle_close()
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what can be sent now, and return how much that was."""
        try:
            with self._tls_lock:
                return self.socket.send(data)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


class _Task(WSGITask):
    """Answers a request; the application may hold the connection and send more of the answer later.

    It calls `environ[HOLD](begin)` and returns what there is already, of no given length. When
    that is on its way, `begin(send, end)` is called, in any case: `send(data)` adds to the answer
    without waiting, and raises ConnectionError where nobody takes it; `end()` ends it.
    """

    _begin: Callable[[Callable[[bytes], None], Callable[[], None]], None] | None = None

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[HOLD] = self._hold
        environ["REMOTE_ADDR"] = self.channel.address
        if self.channel.is_forwarded and self.request.headers.get("X_FORWARDED_PROTO") == "https":
            environ["wsgi.url_scheme"] = "https"
        return environ

    def service(self) -> None:
        try:
            super().service()
        finally:
            if self._begin is not None:
                self._begin(self._send, self._end)

    def finish(self) -> None:
        if self._begin is None:
            super().finish()

    def _hold(self, begin: Callable[[Callable[[bytes], None], Callable[[], None]], None]) -> None:
        self._begin, self.channel.is_held = begin, True

    def _send(self, data: bytes) -> None:
        if not self.channel.connected or self.channel.total_outbufs_len > MOST_UNSENT:
            raise ConnectionResetError
        try:
            self.write(data)
        except ClientDisconnected as error:
            raise ConnectionResetError from error
        self._wake()

    def _end(self) -> None:
        try:
            super().finish()
        except ClientDisconnected:
            self.channel.will_close = True
        self.channel.is_held = False
        with suppress(OSError):  # the server has ended
            self._wake()

    def _wake(self) -> None:
        self.channel._map.touch(self.channel)
        self.channel.server.pull_trigger()


Channel.task_class = _Task


class _Request(HTTPRequestParser):
    """A request while it arrives: knows since when, and takes in nothing long from a stranger."""

    error: Any  # of any kind, not of the first kind that Waitress finds

    def __init__(self, channel: Channel, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self._channel = channel
        self.began = monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self._channel.has_asked(self.headers)
        self.error = self._channel.refusal(self.coming)
        if self.error is not None:
            self.body_rcv, self.content_length = None, 0  # refused before it is received

    @property
    def coming(self) -> int:
        """How many bytes of a body are still to come, or may be."""
        length = self.adj.max_request_body_size if self.chunked else self.content_length
        return length - self.body_bytes_received


class _NotInvitedError(Error):
    code = 401
    reason = "Unauthorized"


class _NoRoomError(Error):
    code = 507
    reason = "Insufficient Storage"
