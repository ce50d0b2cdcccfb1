"""Sources of frames: a camera, a stream, a video file.

A live source delivers its newest frame and drops those that came too fast; a file delivers every
frame in order, with the file's own time, so that a recording is always read alike.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import cv2
import numpy as np

from scorer.datafile import open_regular, printable
from vision.live.moments import Frame, Moment, Notice, Silence, Source, SourceError

STALL = 1.5
"""Seconds without a frame after which a live source is reported as lost."""
BACK_OFF = (0.5, 8.0)
"""Seconds before a lost source is opened again: at first, and at most."""
HANGS = 10.0
"""Seconds without a sign of life after which a grabbing thread is abandoned."""
_LAST_CAMERA = 2**31 - 1
GIVE_UP = 6.0
"""Seconds after which a source that never delivered a picture is refused."""


def open_source(name: str, proven: bool = False) -> Source:
    """The source that a player names: a camera's number, a stream's URL, or a video file.

    A ``proven`` camera or stream has delivered pictures before, and is waited for however long it
    is away. Raises SourceError for any other name, or a file that is no video.
    """
    called = printable(_called(name) if "://" in name else name)
    try:
        name.encode()  # OpenCV crashes on invalid text
    except UnicodeEncodeError as error:
        raise SourceError(f"{called} is no name in UTF-8; rename the file") from error
    if name.isdecimal():
        number = int(name[:20])
        if number > _LAST_CAMERA:
            raise SourceError(f"there is no camera {printable(name, 40)}; the first is 0")
        return LiveSource(f"camera {name}", lambda: cv2.VideoCapture(number), proven)
    if "://" in name:
        return LiveSource(called, lambda: _open_stream(name), proven)
    return FileSource(Path(name))


def _called(url: str) -> str:
    """A stream's name in messages: its host alone, as the rest may contain a password.

    >>> _called("rtsp://ana:secret@192.168.1.7:554/live")
    'the stream of 192.168.1.7'
    """
    with suppress(ValueError):
        parts = urlsplit(url)
        # With a slash in the password, the first part is not the host.
        if parts.hostname and "@" not in f"{parts.path}{parts.query}{parts.fragment}":
            return f"the stream of {parts.hostname}"
    return "the stream"


class FileSource:
    """A video file; every frame, in order, at the time that the file gives it."""

    recorded = True

    def __init__(self, path: Path) -> None:
        """Open the file. Raises SourceError if it is missing or no video."""
        try:
            open_regular(path).close()
        except OSError as error:
            raise SourceError(
                f"{printable(str(path))} cannot be opened ({str(error.strerror).lower()}); "
                "give a video file, a camera's number or a stream's URL"
            ) from error
        self._capture = cv2.VideoCapture(str(path))
        self._closed = False
        self._path = path
        if not self._capture.isOpened():
            raise self._no_video()

    def moments(self) -> Iterator[Moment]:
        """Every frame; time never runs backwards, whatever the file says.

        Raises SourceError if there is none.
        """
        pace = 1 / max(self._capture.get(cv2.CAP_PROP_FPS) or 30.0, 1.0)
        t = -pace
        while not self._closed:
            there, image = self._capture.read()
            if not there:
                break
            position_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            t = position_s if position_s > t else t + pace
            yield Frame(t, image)
        self._capture.release()
        if t < 0 and not self._closed:
            raise self._no_video()

    def _no_video(self) -> SourceError:
        named = printable(str(self._path))
        return SourceError(f"{named} is not a video that can be read; try an MP4 or WebM file")

    def close(self) -> None:
        """Stop after the current frame."""
        self._closed = True


class _NewestFrame:
    """Passes the newest frame between two threads, dropping older ones."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._born = monotonic()
        self.closed = False

    def clock(self) -> float:
        """Seconds since this source began."""
        return monotonic() - self._born

    def put(self, image: np.ndarray) -> None:
        with self._changed:
            self._frame = Frame(self.clock(), image)
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def moments(self, begun: bool, waiting: Callable[[bool], None]) -> Iterator[Moment]:
        """Frames as they come; a Notice after ``STALL`` seconds without one, then Silences.

        ``begun``: there was a frame before; until then nothing else is delivered either.
        ``waiting`` is called after every wait of ``STALL`` seconds with the present value of that.
        """
        lost = False
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frame is not None or self.closed, STALL)
                if self.closed:
                    return
                frame, self._frame = self._frame, None
            if frame is None:
                waiting(begun)
                if begun:
                    yield Silence(self.clock()) if lost else Notice(self.clock(), "source_lost")
                    lost = True
                continue
            if lost:
                lost = False
                yield Notice(frame.t, "source_back")
            begun = True
            yield frame


class LiveSource:
    """A camera or a stream, grabbed by its own thread and reopened when it is lost."""

    recorded = False

    def __init__(
        self, name: str, open_capture: Callable[[], cv2.VideoCapture], proven: bool = False
    ) -> None:
        """Nothing is opened before ``moments``.

        A ``proven`` source has delivered pictures before: it is waited for from the start.
        """
        self._name, self._open, self._proven = name, open_capture, proven
        self._newest = _NewestFrame()
        self._turn = 0
        self._called = 0.0

    def moments(self) -> Iterator[Moment]:
        """Frames until closed. Raises SourceError if there is no picture from the start.

        A proven source never raises.
        """
        self._start_grabbing()
        return self._newest.moments(self._proven, self._look_after)

    def close(self) -> None:
        """End ``moments`` and the grabbing."""
        self._turn += 1
        self._newest.close()

    def _look_after(self, begun: bool) -> None:
        """Replace a grabbing thread that hangs in its driver; give up if it never began."""
        if not begun and self._newest.clock() > GIVE_UP:
            self.close()
            raise SourceError(
                f"{self._name} gives no picture; is it plugged in, not in use, and the right one?"
            )
        if self._newest.clock() - self._called > HANGS:
            self._start_grabbing()

    def _start_grabbing(self) -> None:
        self._turn += 1
        self._called = self._newest.clock()
        threading.Thread(target=self._grab, args=(self._turn,), daemon=True).start()

    def _grab(self, turn: int) -> None:
        """Read frames until closed or until another thread has taken over."""
        pause = BACK_OFF[0]
        while self._mine(turn):
            capture = self._open()
            while self._mine(turn) and capture.isOpened():
                there, image = capture.read()
                if not there:
                    break
                if self._mine(turn):
                    self._newest.put(image)
                    pause = BACK_OFF[0]
            capture.release()
            if self._mine(turn):
                sleep(pause)
                pause = min(2 * pause, BACK_OFF[1])

    def _mine(self, turn: int) -> bool:
        """Whether this thread is still the grabbing one; records that it is alive."""
        if turn != self._turn:
            return False
        self._called = self._newest.clock()
        return True


def _open_stream(url: str) -> cv2.VideoCapture:
    """A stream that times out rather than hanging."""
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 4000]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
