"""A camera's frame is hostile until it is decoded, as a photograph is."""

import io

import pytest
from PIL import Image

from tests.vision.test_photo import HEIC, encoded, quadrants
from webapp.live import vision_worker


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
