"""A connection: Waitress's channel over TCP or TLS, with the state that its limits depend on."""

import socket
import ssl
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
"""A key of a request's environment; see `_Task`."""
MOST_UNSENT = 256 * 1024
"""The most unsent bytes of a held answer, beyond which the connection is closed."""


class Channel(HTTPChannel):
    """A connection, with the state that its limits depend on."""

    parser_class: Any  # called by Waitress with its adjustments
    request: "_Request | None"
    _map: PollLoop
    task_class: "type[_Task]"
    is_forwarded = False
    """Whether it comes from a proxy, for the caller in `address`."""
    is_held = False
    """Whether the rest of the answer comes later, from no thread of its own."""
    _is_answered_whole = False

    def __init__(
        self,
        server: Any,
        sock: socket.socket,
        address: Any,
        adjustments: Adjustments,
        loop: PollLoop,
    ) -> None:
        self._peer = self.address = str(address[0])
        self.trust = Trust.HERE if is_local(self.address) else Trust.STRANGER
        self.opened = self.moved = monotonic()
        self.asked = False
        self.parser_class = partial(_Request, self)
        super().__init__(server, sock, address, adjustments, map=loop)

    def has_asked(self, headers: Mapping[str, str]) -> None:
        """Note that a whole head has arrived, who the caller is, and whether it is a guest."""
        self.asked = True
        forwarded = headers.get("X_FORWARDED_FOR", "")
        caller = guard.caller_of(self._peer, self.server.door.proxies, forwarded)
        if caller != self.address or self.is_forwarded:
            self.address, self.is_forwarded = caller, True
            self.trust = Trust.HERE if is_local(caller) else Trust.STRANGER
        if self.trust is Trust.STRANGER and self.server.door.is_guest(headers.get("COOKIE", "")):
            self.trust = Trust.GUEST

    def refusal(self, coming: int) -> Error | None:
        """Return why a body of this many bytes is refused; None if it is accepted."""
        if self.trust is Trust.STRANGER and coming > STRANGERS_BODY:
            return _NotInvitedError("Scan the QR code of the computer at your table.")
        # Larger bodies are buffered on disk.
        if coming > self.adj.inbuf_overflow and not self.server.door.has_room():
            return _NoRoomError("The disk of the computer at your table is full. Nothing is lost.")
        return None

    @property  # type: ignore[override]  # Waitress keeps whole seconds
    def last_activity(self) -> float:
        """The time of the last transfer; Waitress sets it, by a clock that may be set back."""
        return self.moved

    @last_activity.setter
    def last_activity(self, _: float) -> None:
        self.moved = monotonic()

    @property
    def is_answered(self) -> bool:
        """Whether a request has arrived and is being answered."""
        return bool(self.requests) or self.is_held

    @property
    def close_when_flushed(self) -> bool:
        """Whether to close when everything is sent, which a held connection must not."""
        return self._is_answered_whole and not self.is_held

    @close_when_flushed.setter
    def close_when_flushed(self, whole: bool) -> None:
        self._is_answered_whole = whole

    def received(self, data: bytes) -> bool:
        """Handle received data; a held connection accepts no further request."""
        return not self.is_held and bool(super().received(data))

    @property
    def arriving(self) -> "_Request | None":
        """The request that has only arrived in part."""
        return self.request

    def readable(self) -> bool:
        return self.connected and super().readable()

    def writable(self) -> bool:
        """Whether to wait until data can be sent.

        Not while a thread is sending: the loop would spin, and slow that thread down. The loop asks
        again soon, as the thread may have woken it before it was done.
        """
        if not (self.connected and super().writable()):
            return False
        if not self.outbuf_lock.acquire(False):
            self._map.is_contended = True
            return False
        self.outbuf_lock.release()
        return True

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send pending data, one thread at a time, as held answers are not written by requests."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close=do_close))

    def handle_close(self) -> None:
        """Close, and drop requests whose answers nobody will receive."""
        with self.outbuf_lock:
            super().handle_close()
        self.server.task_dispatcher.forget(self)

    def close(self) -> None:
        """Close while no thread is sending: the next connection may get the socket's number."""
        with self.outbuf_lock:
            super().close()

    def service(self) -> None:
        """Answer a request, in a thread."""
        self._map.at_work.add(self)
        super().service()

    def handle_expt(self) -> None:
        """Close if urgent data arrives: browsers send none, and it would wake the loop forever."""
        self.handle_close()


class TLSChannel(Channel):
    """A connection over TLS, where data may also be pending inside OpenSSL.

    The loop must not read it while a thread writes to it, which holds `outbuf_lock`.
    """

    socket: ssl.SSLSocket

    def handle_read(self) -> None:
        """Receive all that has arrived of a record."""
        data = self.recv(self.adj.recv_bytes)
        while data:
            self.moved = monotonic()
            self.received(data)
            # Data that OpenSSL already holds does not wake the loop.
            data = self.recv(self.adj.recv_bytes) if self._holds_more() else b""

    def _holds_more(self) -> bool:
        with self.outbuf_lock:
            return self.connected and self.socket.pending() > 0

    def recv(self, buffer_size: int) -> bytes:
        """Return what has arrived; empty during a handshake, in a partial record, or at the end."""
        try:
            with self.outbuf_lock:
                data = self.socket.recv(buffer_size)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return b""
        except OSError:  # closed, or plain HTTP sent to this port
            data = b""
        if not data:
            self.handle_close()
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what can be sent now, and return its length."""
        try:
            return self.socket.send(data)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


class _Task(WSGITask):
    """Answers a request; the application may hold the connection, to send the rest later.

    It calls `environ[HOLD](begin)` and returns the first part, of unspecified length. After that is
    sent, or has failed, `begin(send, end)` is called: `send(data)` adds to the answer without
    blocking, and raises ConnectionError if nobody receives it; `end()` ends it.
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
        with suppress(OSError):  # the server has stopped
            self._wake()

    def _wake(self) -> None:
        self.channel._map.touch(self.channel)
        self.channel.server.pull_trigger()


Channel.task_class = _Task


class _Request(HTTPRequestParser):
    """A request being received: records its start, and refuses long bodies."""

    error: Any  # of any class, not only the first one that Waitress assigns

    def __init__(self, channel: Channel, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self._channel = channel
        self.began = monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self._channel.has_asked(self.headers)
        self.error = self._channel.refusal(self.coming)
        is_too_long = self.content_length >= self.adj.max_request_body_size
        if self.error is not None or is_too_long:
            self.body_rcv, self.content_length = None, 0  # refuse without receiving it
        if is_too_long:  # the application says so, in the caller's language
            self.headers["CONNECTION"], self.expect_continue = "close", False

    @property
    def coming(self) -> int:
        """The number of bytes of a body that are, or may be, still to come."""
        length = self.adj.max_request_body_size if self.chunked else self.content_length
        return length - self.body_bytes_received


class _NotInvitedError(Error):
    code = 401
    reason = "Unauthorized"


class _NoRoomError(Error):
    code = 507
    reason = "Insufficient Storage"
