"""Sources: every frame of a file in order, the newest of a camera, and sources that go and come."""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep

import cv2
import numpy as np
import pytest

from tests.conftest import in_full
from tests.live.rtsp import RtspCamera
from tests.services import free_port
from vision.live import (
    FileSource,
    Frame,
    LiveSource,
    Notice,
    Silence,
    Source,
    SourceError,
    open_source,
    source,
)
from vision.live.moments import Moment


def picture(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))
    for shade in range(0, 250, 10):
        writer.write(picture(shade))
    writer.release()
    return path


@pytest.fixture
def table() -> np.ndarray:
    """A picture with something in it: broad soft shades, 96 x 128 px."""
    shades = np.random.default_rng(3).uniform(30, 220, (6, 8, 3)).astype(np.uint8)
    return cv2.resize(shades, (128, 96), interpolation=cv2.INTER_CUBIC)


class Camera:
    """Stands in for OpenCV's capture: gives so many frames, then fails, or hangs until it may."""

    def __init__(self, frames: int, hang: threading.Event | None = None) -> None:
        self.left, self._hang = frames, hang

    def isOpened(self) -> bool:  # noqa: N802
        return self.left > 0 or self._hang is not None

    def read(self) -> tuple[bool, np.ndarray | None]:
        sleep(0.02)
        if self.left <= 0:
            if self._hang is not None:
                self._hang.wait(60)
            return False, None
        self.left -= 1
        return True, picture(self.left % 200)

    def release(self) -> None:
        self.left = 0


def cameras(*first: Camera) -> Iterator[Camera]:
    """These, and then sound ones, however often a busy computer makes one look lost."""
    return iter([*first, *(Camera(1000) for _ in range(99))])


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make sources notice sooner than at the table what is lost, so that the tests take no time."""
    monkeypatch.setattr(source, "STALL", 0.2)
    monkeypatch.setattr(source, "HANGS", 0.6)
    monkeypatch.setattr(source, "BACK_OFF", (0.3, 0.4))


@pytest.fixture
def soon_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "GIVE_UP", 0.5)


def test_a_file_gives_every_frame_at_its_own_time(video: Path):
    frames = list(FileSource(video).moments())
    assert [round(f.image.mean(), -1) for f in frames] == list(range(0, 250, 10))
    assert [f.t for f in frames] == pytest.approx(np.arange(25) / 10, abs=0.001)


def test_of_a_file_alone_the_time_is_a_recordings(video: Path):
    assert open_source(str(video)).recorded
    assert not open_source("0").recorded and not open_source("rtsp://127.0.0.1/").recorded


def test_a_file_can_be_closed_in_the_middle(video: Path):
    opened = FileSource(video)
    seen = 0
    for _ in opened.moments():
        seen += 1
        opened.close()
    assert seen == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone.mp4", r"cannot be opened \(no such file"),
        ("notes.txt", "is not a video"),
        ("folder", r"cannot be opened \(is a directory\)"),
        ("x" * 5_000, r"cannot be opened \(file name too long\)"),
        ("a\0b", r"cannot be opened \(no such file"),
        ("caf\udce9.mp4", "no name in UTF-8"),
        ("99999999999999999999", "there is no camera"),
        ("9" * 5_000, "there is no camera"),
    ],
)
def test_what_is_no_video_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("core: red")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SourceError, match=message) as refused:
        open_source(name)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 400


def test_of_a_cameras_frames_the_newest_is_given():
    goes_on = threading.Event()

    class Waits(Camera):
        def read(self) -> tuple[bool, np.ndarray | None]:
            if self.left == 198:
                goes_on.wait(60)
            return super().read()

    camera = Waits(199)
    live = LiveSource("camera 0", lambda: camera)
    moments = live.moments()
    first = next(moments)
    goes_on.set()
    while camera.left > 190:
        sleep(0.02)
    second = next(moments)
    live.close()
    assert second.image.mean() <= first.image.mean() - 5, "an old frame was kept for us"


def test_closing_ends_a_wait_for_frames(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "STALL", 600.0)  # nothing else would end it
    live = LiveSource("camera 0", lambda: Camera(0))
    received: list[list[Moment]] = []
    waits = threading.Thread(target=lambda: received.append(list(live.moments())), daemon=True)
    waits.start()
    waits.join(0.05)
    live.close()
    waits.join(60)
    assert received == [[]]


def test_a_stall_is_noticed_and_reported_once():
    assert source.STALL < 2
    goes_on = threading.Event()
    opened = cameras(Camera(1, hang=goes_on))
    live = LiveSource("camera 0", lambda: next(opened))
    moments = live.moments()
    next(moments)
    lost = next(moments)
    goes_on.set()
    assert isinstance(lost, Notice)
    assert lost.kind == "source_lost"
    later = (moment for moment in moments if not isinstance(moment, Silence))
    assert [getattr(next(later), "kind", "frame") for _ in range(2)] == ["source_back", "frame"]
    live.close()


class Stream:
    """An HTTP camera, JPEG after JPEG, that can be pulled and plugged in again on its port."""

    def __init__(self) -> None:
        self._port = free_port()  # which is free still when it is plugged in again
        self.plug_in()

    def plug_in(self) -> None:
        self._on = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler(self._on))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def pull(self) -> None:
        self._on.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/video"

    @staticmethod
    def _handler(pulled: threading.Event) -> type[BaseHTTPRequestHandler]:
        jpeg = cv2.imencode(".jpg", picture(90))[1].tobytes()
        part = b"--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
                self.end_headers()
                with suppress(OSError):
                    while not pulled.wait(0.03):
                        self.wfile.write(part % (len(jpeg), jpeg))

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        return Handler


def test_a_picture_over_rtsp_is_the_cameras(table: np.ndarray):
    camera = RtspCamera(table)
    live = open_source(camera.address)
    frame = next(live.moments())
    live.close()
    camera.pull()
    assert isinstance(frame, Frame)
    assert np.abs(frame.image.astype(int) - table).mean() < 4


@pytest.mark.parametrize("protocol", in_full(["http", "rtsp"], "http"))
def test_a_stream_that_is_cut_is_taken_up_again(protocol: str):
    stream = Stream() if protocol == "http" else RtspCamera(picture(90))
    received: list[str] = []
    for kind in kinds(open_source(stream.address), 4):
        received.append(kind)
        if received == ["frames"]:
            stream.pull()
        elif kind == "source_lost":
            stream.plug_in()
    stream.pull()
    assert received == CUT


CUT = ["frames", "source_lost", "source_back", "frames"]


def kinds(live: Source, count: int) -> Iterator[str]:
    """The first things that a source gives, runs of frames as one, without its silences."""
    patience = threading.Timer(120.0, live.close)
    patience.start()
    before = ""
    for moment in live.moments():
        kind = moment.kind if isinstance(moment, Notice) else "frames"
        if kind != before and not isinstance(moment, Silence):
            before, count = kind, count - 1
            yield kind
        if count == 0:
            break
    patience.cancel()
    live.close()


@pytest.mark.usefixtures("hasty")
def test_a_camera_that_is_pulled_is_opened_again():
    opened = cameras(Camera(5), Camera(0))
    live = LiveSource("camera 0", lambda: next(opened))
    assert list(kinds(live, 4)) == CUT


@pytest.mark.usefixtures("hasty")
def test_a_driver_that_hangs_is_left_behind():
    hangs = threading.Event()
    opened = cameras(Camera(5, hang=hangs))
    live = LiveSource("camera 0", lambda: next(opened))
    assert list(kinds(live, 4)) == CUT
    hangs.set()


@pytest.mark.usefixtures("hasty", "soon_refused")
def test_a_camera_that_never_gives_a_picture_is_refused():
    with pytest.raises(SourceError, match="camera 3 gives no picture"):
        list(LiveSource("camera 3", lambda: Camera(0)).moments())


@pytest.mark.usefixtures("hasty")
def test_a_camera_that_worked_before_is_waited_for_from_the_start():
    """As after a restart of the server, while the camera is away."""
    opened = cameras(*(Camera(0) for _ in range(4)))
    live = LiveSource("camera 3", lambda: next(opened), proven=True)
    assert list(kinds(live, 3)) == CUT[1:]


@pytest.mark.usefixtures("hasty")
def test_whoever_watches_a_camera_that_is_away_is_not_kept_waiting():
    opened = cameras(Camera(5), *(Camera(0) for _ in range(99)))
    live = LiveSource("camera 0", lambda: next(opened))
    moments = live.moments()
    assert sum(isinstance(next(moments), Silence) for _ in range(12)) >= 3
    live.close()


@pytest.mark.usefixtures("hasty", "soon_refused")
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("rtsp://ana:secret@127.0.0.1:1/live?pwd=secret", "the stream of 127.0.0.1 gives"),
        ("http://127.0.0.1:1/secret.mjpg", "the stream of 127.0.0.1 gives"),
        ("rtsp://127.0.0.1:1/user=ana&password=secret", "the stream of 127.0.0.1 gives"),
        ("rtsp://[::1]:1/secret", "the stream of ::1 gives"),
        ("rtsp://ana:sec/ret@127.0.0.1:1/secret", "the stream gives"),
        ("rtsp://[ana:secret@127.0.0.1:1/secret", "the stream gives"),
    ],
)
def test_a_stream_that_gives_no_picture_is_reported_without_its_password(
    address: str, said: str, capfd: pytest.CaptureFixture[str]
):
    with pytest.raises(SourceError, match=f"^{said}") as refused:
        list(open_source(address).moments())
    message = str(refused.value) + "".join(capfd.readouterr())
    assert not {"ana", "sec", "secret"} & set(re.split(r"\W", message))
