"""A camera that speaks RTSP: one JPEG over and over, as RTP interleaved in the TCP connection.

As much of RFC 2326 (RTSP), RFC 3550 (RTP) and RFC 2435 (JPEG in RTP) as a player asks for.
"""

import socketserver
import struct
import threading
from contextlib import suppress

import cv2
import numpy as np

from tests.services import free_port

SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\n"
ANSWERS = {
    "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN", ""),
    "DESCRIBE": ("Content-Type: application/sdp", SDP),
    "SETUP": ("Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1", ""),
    "PLAY": ("Session: 1", ""),
    "TEARDOWN": ("Session: 1", ""),
}
FRAGMENT = 1200


def rtp_payload(image: np.ndarray) -> tuple[bytes, bytes, bytes]:
    """Of a picture as JPEG: the main header without its offset, quantisation tables, the scan."""
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    tables, at = b"", 2
    while True:
        marker, size = struct.unpack(">HH", jpeg[at : at + 4])
        segment = jpeg[at + 4 : at + 2 + size]
        at += 2 + size
        if marker == 0xFFDB:
            tables += segment[1:]
        elif marker == 0xFFC0:
            height, width = struct.unpack(">HH", segment[1:5])
        elif marker == 0xFFDA:
            break
    main = struct.pack(">BBBB", 1, 255, width // 8, height // 8)  # type 1: 4:2:0, tables within
    quantisation = struct.pack(">BBH", 0, 0, len(tables)) + tables
    return main, quantisation, jpeg[at:].removesuffix(b"\xff\xd9")


class RtspCamera:
    """Gives ``image`` to whoever asks for ``address``; can be pulled and plugged in again."""

    def __init__(self, image: np.ndarray) -> None:
        self._port = free_port()  # which is free still when it is plugged in again
        self._image = image
        self.plug_in()

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self._port}/table"

    def plug_in(self) -> None:
        self._pulled = threading.Event()
        socketserver.ThreadingTCPServer.allow_reuse_address = True
        handler = _handler(rtp_payload(self._image), self._pulled)
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", self._port), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def pull(self) -> None:
        self._pulled.set()
        self._server.shutdown()
        self._server.server_close()


def _handler(
    payload: tuple[bytes, bytes, bytes], pulled: threading.Event
) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                while not pulled.is_set() and self._answer() != "PLAY":
                    pass
                self._play()

        def _answer(self) -> str:
            method = self.rfile.readline().split(b" ")[0].decode()
            if method not in ANSWERS:
                raise ConnectionAbortedError
            number = "0"
            while (line := self.rfile.readline().decode().strip()) != "":
                if line.lower().startswith("cseq:"):
                    number = line[5:].strip()
            more, body = ANSWERS[method]
            length = f"Content-Length: {len(body)}\r\n" if body else ""
            answer = f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{more}\r\n{length}\r\n{body}"
            self.wfile.write(answer.encode())
            return method

        def _play(self) -> None:
            main, quantisation, scan = payload
            sequence = time = 0
            while not pulled.wait(0.04):
                time += 3600
                for first in range(0, len(scan), FRAGMENT):
                    last = first + FRAGMENT >= len(scan)
                    sequence = (sequence + 1) % 65536
                    rtp = struct.pack(">BBHII", 128, 26 | 128 * last, sequence, time, 1)
                    rtp += struct.pack(">I", first) + main + (b"" if first else quantisation)
                    rtp += scan[first : first + FRAGMENT]
                    self.wfile.write(b"$\0" + struct.pack(">H", len(rtp)) + rtp)

    return Handler
