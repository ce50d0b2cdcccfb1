"""A photograph keeps its pixels and colours, and loses where, when and with what it was taken."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from tests.vision.test_photo import HEIC, encoded, quadrants
from vision.containers import heic, jpeg, webp
from vision.photo import load_photo
from vision.picture_file import PhotoError, inspect_picture

SECRETS = (b"Orlojphone", b"Staromestske", b"GPS", b"2024:06:01", bytes([0, 0, 0, 50, 0, 0, 0, 1]))
"""The maker, a place in words, a tag's name, a time, and 50 degrees of latitude in EXIF."""
TELLING = b"Orlojphone at Staromestske GPS 2024:06:01"


def exif(orientation: int = 1) -> bytes:
    """EXIF data of a phone that knew where it was."""
    reported = Image.Exif()
    reported[0x0112], reported[0x010F], reported[0x0132] = (
        orientation,
        "Orlojphone",
        "2024:06:01 12:00:00",
    )
    place = reported.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (50.0, 5.0, 12.0), "E", (14.0, 25.0, 1.0)
    return reported.tobytes()


def stripped(data: bytes) -> bytes:
    """What a server keeps of a file."""
    assert any(secret in data for secret in SECRETS), "this file has nothing to lose"
    kept = inspect_picture(data).data
    assert not [secret for secret in SECRETS if secret in kept]
    assert inspect_picture(kept).data == kept
    return kept


def assert_same_picture(one: bytes, other: bytes) -> None:
    before, after = load_photo(one), load_photo(other)
    assert before.size == after.size
    np.testing.assert_array_equal(before.image, after.image)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_stays_as_it_is_and_as_it_is_turned(kind: str, orientation: int) -> None:
    data = encoded(quadrants(), kind, exif=exif(orientation), quality=90)
    kept = stripped(data)
    assert_same_picture(data, kept)
    assert inspect_picture(kept).orientation == orientation
    with Image.open(io.BytesIO(kept)) as picture:
        assert set(picture.getexif()) <= {0x0112}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_colour_profile_is_kept(kind: str) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    kept = stripped(encoded(quadrants(), kind, exif=exif(), icc_profile=profile))
    with Image.open(io.BytesIO(kept)) as picture:
        assert picture.info["icc_profile"] == profile


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


@pytest.mark.parametrize(
    "told",
    [
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + TELLING),
        segment(0xED, b"Photoshop 3.0\0" + b"8BIM\x04\x04\0\0\0\0" + TELLING),
        segment(0xE2, b"MPF\0" + TELLING),
        segment(0xE0, b"JFXX\0" + TELLING),
        segment(0xE5, TELLING),
        segment(0xFE, TELLING),
        b"\xff\xff\xff" + segment(0xFE, TELLING),
    ],
    ids=["XMP", "IPTC", "MPF", "JFXX", "a maker's own", "comment", "comment after fill bytes"],
)
@pytest.mark.parametrize("progressive", [False, True])
def test_every_segment_of_a_jpeg_that_tells_is_left_out(told: bytes, progressive: bool) -> None:
    plain = encoded(quadrants(640, 480), "JPEG", progressive=progressive)
    last_scan = plain.rindex(b"\xff\xda")
    for at in (2, 20, last_scan) if progressive else (2, 20):
        data = plain[:at] + told + plain[at:]
        assert_same_picture(data, stripped(data))


def test_what_a_phone_appends_to_a_jpeg_is_left_out() -> None:
    plain = encoded(quadrants(), "JPEG")
    second = encoded(quadrants(), "JPEG", exif=exif())
    assert stripped(plain + second + b"ftypmp42" + TELLING) == plain


def test_a_jpegs_thumbnails_are_left_out() -> None:
    plain = encoded(quadrants(), "JPEG")
    header = b"JFIF\0\x01\x01\0\0\x01\0\x01" + bytes([14, 1]) + TELLING + b"!"
    data = plain[:2] + segment(0xE0, header) + plain[20:]
    assert_same_picture(data, stripped(data))


def test_nothing_but_the_picture_is_read_any_further() -> None:
    plain = encoded(quadrants(), "JPEG")
    data = (
        plain[:2] + segment(0xE1, b"Exif\0\0" + exif(6)[6:].ljust(65_000, b"\0")) * 20 + plain[2:]
    )
    file = inspect_picture(data)
    assert file.orientation == 6 and file.header is not None
    assert len(file.header.info["exif"]) < 64


def test_the_colours_of_a_cmyk_jpeg_are_kept() -> None:
    data = encoded(quadrants().convert("CMYK"), "JPEG", exif=exif(), quality=95)
    assert_same_picture(data, stripped(data))


def test_every_chunk_of_a_png_that_tells_is_left_out() -> None:
    text = PngInfo()
    text.add_text("Location", "Staromestske")
    text.add_text("Camera", "Orlojphone", zip=True)
    text.add_itxt("XML:com.adobe.xmp", "<x>Staromestske</x>")
    text.add(b"tIME", b"\x07\xe8\x06\x01\x0c\0\0")
    text.add(b"prVt", TELLING)
    data = encoded(quadrants().convert("RGBA"), "PNG", pnginfo=text, exif=exif(6)) + TELLING
    kept = stripped(data)
    assert_same_picture(data, kept)
    assert zlib.compress(b"Orlojphone")[2:8] not in kept and b"tIME" not in kept


@pytest.mark.parametrize("lossless", [False, True])
def test_every_chunk_of_a_webp_that_tells_is_left_out(lossless: bool) -> None:
    picture = quadrants().convert("RGBA")
    picture.putpixel((1, 1), (0, 0, 0, 0))
    options = {"exif": exif(3), "xmp": b"<x>Staromestske</x>", "lossless": lossless}
    plain = encoded(picture, "WEBP", **options)
    body = plain[8:] + b"prVt" + struct.pack("<I", len(TELLING)) + TELLING + b"\0"
    data = b"RIFF" + struct.pack("<I", len(body)) + body + TELLING
    assert_same_picture(data, stripped(data))


def test_the_frames_of_an_animation_are_kept() -> None:
    later = Image.new("RGB", (64, 48), "black")
    options = {"save_all": True, "append_images": [later], "exif": exif()}
    data = encoded(quadrants(), "WEBP", **options)
    with Image.open(io.BytesIO(stripped(data))) as picture:
        assert picture.n_frames == 2


def test_a_heic_is_blanked_where_it_tells() -> None:
    data = (HEIC / "quadrants-located.heic").read_bytes()
    kept = stripped(data)
    assert len(kept) == len(data)
    assert_same_picture(data, kept)


@pytest.mark.parametrize("name", ["quadrants.heic", "quadrants-turned.heic", "quadrants-grey.heic"])
def test_a_heic_is_turned_as_before(name: str) -> None:
    data = (HEIC / name).read_bytes()
    assert_same_picture(data, heic.without_metadata(data))


@pytest.mark.parametrize("kind", [b"mpvd", b"uuid", b"moov"])
def test_what_a_phone_appends_to_a_heic_is_blanked(kind: bytes) -> None:
    data = (HEIC / "quadrants.heic").read_bytes()
    film = data + struct.pack(">I", len(TELLING) + 8) + kind + TELLING
    assert_same_picture(data, stripped(film))


@pytest.mark.parametrize("told", [TELLING, b"\0\0" + TELLING, bytes(3), b"SEFT", bytes(400)])
def test_what_is_appended_to_a_heic_and_is_no_box_is_left_out(told: bytes) -> None:
    data = (HEIC / "quadrants.heic").read_bytes()
    kept = inspect_picture(data + told).data
    assert kept == heic.without_metadata(data)
    assert_same_picture(data, data + told)


def damaged(data: bytes) -> bytes:
    with pytest.raises(PhotoError) as caught:
        inspect_picture(data)
    assert caught.value.reason in {"damaged", "cut_off"}
    return data


@pytest.mark.parametrize(
    "data",
    [
        encoded(quadrants(), "JPEG")[:2] + segment(0xFE, b"") * 70_000,
        encoded(quadrants(), "PNG")[:33] + (bytes(4) + b"teXt" + bytes(4)) * 70_000,
        b"RIFF" + struct.pack("<I", 4 + 8 * 70_000) + b"WEBP" + (b"junk" + bytes(4)) * 70_000,
        (HEIC / "quadrants.heic").read_bytes() + b"\0\0\0\x08free" * 70_000,
    ],
    ids=["JPEG", "PNG", "WebP", "HEIC"],
)
def test_a_file_of_countless_parts_is_refused(data: bytes) -> None:
    damaged(data)


def test_words_in_a_heic_that_are_no_text_end_nothing() -> None:
    data = (HEIC / "quadrants-located.heic").read_bytes()
    strange = data.replace(b"application/rdf+xml", b"application/rdf\xa4xml")
    assert_same_picture(data, strange)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIC"])
def test_no_damage_brings_anything_but_a_refusal(kind: str) -> None:
    located = HEIC / "quadrants-located.heic"
    whole = located.read_bytes() if kind == "HEIC" else encoded(quadrants(), kind, exif=exif(6))
    rng = np.random.default_rng(11)
    for _ in range(600):
        changed = bytearray(whole)
        for at in rng.integers(0, min(len(whole), 700), rng.integers(1, 6)):
            changed[at] = rng.choice([0, 1, 8, 64, 127, 128, 255, rng.integers(0, 256)])
        try:
            inspect_picture(bytes(changed))
        except PhotoError as error:
            assert "\n" not in str(error)


def test_items_that_lie_over_one_another_cost_no_more_than_the_file() -> None:
    data = bytearray((HEIC / "quadrants-located.heic").read_bytes())
    second = data.index(b"iloc") + 34  # where the EXIF data begin, and 10 further how long they are
    assert int.from_bytes(data[second : second + 4], "big") == data.index(b"Exif\0\0MM") - 4
    data[second : second + 4], data[second + 10 : second + 14] = (
        bytes(4),
        struct.pack(">I", len(data)),
    )
    damaged(bytes(data))


def test_scans_are_counted_with_their_data_skipped() -> None:
    assert jpeg.count_scans(jpeg.parts(encoded(quadrants(), "JPEG"))) == 1
    progressive = encoded(quadrants(), "JPEG", progressive=True)
    assert jpeg.count_scans(jpeg.parts(progressive)) == 10


def test_only_pictures_with_many_zeros_are_asked_about() -> None:
    assert webp.shortened(encoded(quadrants(), "WEBP")) is None
    assert not jpeg.has_zero_run(encoded(quadrants(), "JPEG"))
