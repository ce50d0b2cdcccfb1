"""A browser's frames: hostile until they are decoded, as photographs are; taken one at a time."""

import io
import threading
from pathlib import Path

import pytest
from PIL import Image

from tests.vision.test_photo import HEIC, encoded, quadrants
from tests.webapp.live.conftest import Table, eventually, push, push_until_taken
from tests.webapp.live.fake_frame_worker import frame
from webapp.app.live import camera_worker, vision_worker
from webapp.app.live.projection import BusyError

CORE = {0: {"core": "red"}}


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_a_frame_is_decoded(kind: str) -> None:
    found = vision_worker.decoded(encoded(quadrants(), kind))
    assert found is not None and found.shape == (48, 64, 3)


def bomb() -> bytes:
    plain = encoded(quadrants(), "JPEG", progressive=True)
    return plain[:-2] + plain[plain.rindex(b"\xff\xda") : -2] * 1000 + plain[-2:]


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"not a picture",
        encoded(quadrants(), "PNG"),
        (HEIC / "quadrants.heic").read_bytes(),
        encoded(quadrants(), "JPEG")[:-40],
        bomb(),
    ],
    ids=["nothing", "text", "PNG", "HEIC", "cut off", "countless scans"],
)
def test_what_is_no_frame_is_none(frame: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision_worker.cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    assert vision_worker.decoded(frame) is None


def test_a_frame_that_claims_to_be_huge_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    Image.new("L", (5000, 4000)).save(out, "JPEG")
    monkeypatch.setattr(vision_worker.cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    assert vision_worker.decoded(out.getvalue()) is None


def test_one_frame_of_a_camera_waits_at_a_time(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(camera_worker, "PATIENCE", 60.0)
    push_until_taken(table, frame(CORE, until=str(tmp_path / "looked at")))
    codes: list[int] = []
    sends = [
        threading.Thread(target=lambda: codes.append(push(table, frame(CORE))[0])) for _ in range(3)
    ]
    for one in sends:
        one.start()
    eventually(lambda: codes == [200, 200])
    (tmp_path / "looked at").touch()
    for one in sends:
        one.join()
    assert codes == [200, 200, 202]


def test_a_frame_is_no_failure_while_the_tables_are_busy(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it is for is written down in the worker's own time; only whose boards they are waits."""
    push_until_taken(table, frame(CORE))
    eventually(lambda: push(table, frame(CORE))[1]["boards"])

    def busy(*_: object) -> None:
        raise BusyError

    monkeypatch.setattr(table.service, "table", busy)
    code, answer = push(table, frame(CORE))
    assert code in (200, 202) and [one["seat"] for one in answer["boards"]] == [None]
