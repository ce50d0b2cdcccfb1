"""Sources: every frame of a file in order, the newest of a camera, and sources that go and come."""

import threading
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np
import pytest

from vision.live import (
    FileSource,
    Frame,
    LiveSource,
    Notice,
    QueueSource,
    SourceError,
    open_source,
    source,
)


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


class Camera:
    """Stands in for OpenCV's capture: gives so many frames, then fails, or hangs for a while."""

    def __init__(self, frames: int, hang: float = 0.0) -> None:
        self._left, self._hang = frames, hang

    def isOpened(self) -> bool:  # noqa: N802
        return self._left > 0

    def read(self) -> tuple[bool, np.ndarray | None]:
        sleep(0.02)
        if self._left <= 0:
            sleep(self._hang)
            return False, None
        self._left -= 1
        return True, picture(self._left % 200)

    def release(self) -> None:
        self._left = 0


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make sources lose patience sooner than at the table, so that the tests take no time."""
    monkeypatch.setattr(source, "STALL", 0.2)
    monkeypatch.setattr(source, "GIVE_UP", 0.5)
    monkeypatch.setattr(source, "HANGS", 0.6)
    monkeypatch.setattr(source, "BACK_OFF", (0.3, 0.4))


def test_a_file_gives_every_frame_at_its_own_time(video: Path):
    frames = list(FileSource(video).moments())
    assert [round(f.image.mean(), -1) for f in frames] == list(range(0, 250, 10))
    assert [f.t for f in frames] == pytest.approx(np.arange(25) / 10, abs=0.001)


def test_a_file_can_be_closed_in_the_middle(video: Path):
    opened = FileSource(video)
    seen = 0
    for _ in opened.moments():
        seen += 1
        opened.close()
    assert seen == 1


@pytest.mark.parametrize(
    ("name", "told"), [("gone.mp4", "is not there"), ("notes.txt", "is not a video")]
)
def test_what_is_no_video_is_told(tmp_path: Path, name: str, told: str):
    (tmp_path / "notes.txt").write_text("core: red")
    with pytest.raises(SourceError, match=told):
        open_source(str(tmp_path / name))


def test_of_pushed_frames_the_newest_wins():
    queue = QueueSource()
    for shade in (1, 2, 3):
        queue.push(picture(shade))
    first = next(queue.moments())
    assert isinstance(first, Frame)
    assert first.image.mean() == 3


def test_a_pushed_jpeg_is_decoded_and_anything_else_refused():
    queue = QueueSource()
    queue.push_encoded(cv2.imencode(".jpg", picture(90))[1].tobytes())
    assert next(queue.moments()).image.shape == (48, 64, 3)
    for junk in (b"", b"<html>"):
        with pytest.raises(SourceError, match="not a JPEG"):
            queue.push_encoded(junk)


def test_closing_ends_a_wait_for_frames():
    queue = QueueSource()
    threading.Timer(0.05, queue.close).start()
    begun = monotonic()
    assert list(queue.moments()) == []
    assert monotonic() - begun < 1


def test_a_stall_is_noticed_within_two_seconds_and_told_once():
    queue = QueueSource()
    queue.push(picture(1))
    moments = queue.moments()
    next(moments)
    begun = monotonic()
    lost = next(moments)
    assert isinstance(lost, Notice)
    assert lost.kind == "source_lost"
    assert monotonic() - begun < 2
    queue.push(picture(2))
    assert [getattr(next(moments), "kind", "frame") for _ in range(2)] == ["source_back", "frame"]


def kinds(live: LiveSource, seconds: float) -> list[str]:
    """What a source gives in a time, runs of frames as one."""
    threading.Timer(seconds, live.close).start()
    told: list[str] = []
    for moment in live.moments():
        kind = moment.kind if isinstance(moment, Notice) else "frames"
        if told[-1:] != [kind]:
            told.append(kind)
    return told


@pytest.mark.usefixtures("hasty")
def test_a_camera_that_is_pulled_is_opened_again():
    cameras = iter([Camera(5), Camera(0), Camera(1000)])
    live = LiveSource("camera 0", lambda: next(cameras))
    assert kinds(live, 2.0) == ["frames", "source_lost", "source_back", "frames"]


@pytest.mark.usefixtures("hasty")
def test_a_driver_that_hangs_is_left_behind():
    cameras = iter([Camera(5), Camera(1000)])
    first = next(cameras)
    first.isOpened = lambda: True  # type: ignore[method-assign]
    first._hang = 30
    captures = iter([first])
    live = LiveSource("camera 0", lambda: next(captures, None) or next(cameras))
    assert kinds(live, 2.0) == ["frames", "source_lost", "source_back", "frames"]


@pytest.mark.usefixtures("hasty")
def test_a_camera_that_never_gives_a_picture_is_refused():
    with pytest.raises(SourceError, match="camera 3 gives no picture"):
        list(LiveSource("camera 3", lambda: Camera(0)).moments())
