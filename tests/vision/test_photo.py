"""A photograph is hostile until decoded within limits; then it is upright BGR."""

import io
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision import photo, picture_file
from vision.photo import load_photo
from vision.picture_file import PhotoError

HEIC = Path(__file__).parent / "data"
RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 180, 40), (30, 40, 220), (240, 240, 240)


def quadrants(width: int = 64, height: int = 48) -> Image.Image:
    """Red and green above blue and white: every turn and mirroring of it looks different."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = RED
    pixels[: height // 2, width // 2 :] = GREEN
    pixels[height // 2 :, : width // 2] = BLUE
    pixels[height // 2 :, width // 2 :] = WHITE
    return Image.fromarray(pixels)


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def jpeg_with_orientation(orientation: int, picture: Image.Image) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encoded(picture, "JPEG", quality=95, subsampling=0, exif=exif)


def png_header(width: int, height: int) -> bytes:
    """Write a PNG that promises a size and holds almost nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def corners(image: np.ndarray) -> list[tuple[int, ...]]:
    """RGB near the corners: top-left, top-right, bottom-left, bottom-right."""
    height, width, _ = image.shape
    inset_x, inset_y = width // 8, height // 8
    return [
        tuple(int(value) for value in image[y, x, ::-1])
        for y in (inset_y, height - inset_y)
        for x in (inset_x, width - inset_x)
    ]


def assert_shows(image: np.ndarray, *colours: tuple[int, int, int], within: int = 12) -> None:
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    np.testing.assert_allclose(corners(image), colours, atol=within)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_kind_decodes_to_bgr(kind: str) -> None:
    loaded = load_photo(encoded(quadrants(), kind, quality=95))
    assert loaded.size == (64, 48)
    assert loaded.scale == 1.0
    assert_shows(loaded.image, RED, GREEN, BLUE, WHITE)


def test_heic_decodes_to_bgr_and_upright() -> None:
    for name in ("quadrants.heic", "quadrants-turned.heic"):
        loaded = load_photo(HEIC / name)
        assert loaded.name == name
        assert loaded.size == (64, 48)
        assert_shows(loaded.image, RED, GREEN, BLUE, WHITE, within=25)


@pytest.mark.parametrize("name", ["quadrants-grey.heic", "quadrants-grey-10-bit.heic"])
def test_a_grey_heic_has_three_equal_channels(name: str) -> None:
    loaded = load_photo(HEIC / name)
    assert loaded.image.shape == (48, 64, 3)
    assert np.ptp(loaded.image, axis=2).max() == 0
    assert_shows(loaded.image, *((level,) * 3 for level in (89, 119, 57, 240)), within=25)


def test_kind_is_detected_by_content_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(encoded(quadrants(), "PNG"))
    assert_shows(load_photo(path).image, RED, GREEN, BLUE, WHITE)


STORED_FOR_ORIENTATION = {
    1: [],
    2: [Image.Transpose.FLIP_LEFT_RIGHT],
    3: [Image.Transpose.ROTATE_180],
    4: [Image.Transpose.FLIP_TOP_BOTTOM],
    5: [Image.Transpose.TRANSPOSE],
    6: [Image.Transpose.ROTATE_90],  # counter-clockwise: turning it clockwise shows it
    7: [Image.Transpose.TRANSVERSE],
    8: [Image.Transpose.ROTATE_270],
}


@pytest.mark.parametrize("orientation", STORED_FOR_ORIENTATION)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_applied_and_size_is_the_upright_one(
    orientation: int, kind: str
) -> None:
    stored = quadrants()
    for turn in STORED_FOR_ORIENTATION[orientation]:
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    loaded = load_photo(encoded(stored, kind, quality=95, exif=exif))
    assert loaded.size == (64, 48)
    assert loaded.image.shape == (48, 64, 3)
    assert_shows(loaded.image, RED, GREEN, BLUE, WHITE)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_broken_exif_means_upright() -> None:
    data = encoded(quadrants(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    assert_shows(load_photo(data).image, RED, GREEN, BLUE, WHITE)


def test_cmyk_jpeg() -> None:
    data = encoded(quadrants().convert("CMYK"), "JPEG", quality=95)
    assert_shows(load_photo(data).image, RED, GREEN, BLUE, WHITE)


def test_sixteen_bit_png() -> None:
    sixteen = np.asarray(quadrants())[..., ::-1].astype(np.uint16) * 257
    _, data = cv2.imencode(".png", sixteen)
    assert_shows(load_photo(data.tobytes()).image, RED, GREEN, BLUE, WHITE)


def test_sixteen_bit_grey_png() -> None:
    grey = np.asarray(quadrants().convert("L")).astype(np.uint16) * 257
    _, data = cv2.imencode(".png", grey)
    levels = [(int(value),) * 3 for value in (89, 119, 57, 240)]
    assert_shows(load_photo(data.tobytes()).image, *levels)


def test_palette_and_grey_png() -> None:
    palette = load_photo(encoded(quadrants().quantize(8), "PNG"))
    assert_shows(palette.image, RED, GREEN, BLUE, WHITE)
    grey = load_photo(encoded(quadrants().convert("L"), "PNG"))
    assert np.ptp(grey.image, axis=2).max() == 0


def test_transparency_is_shown_on_white() -> None:
    picture = quadrants().convert("RGBA")
    picture.paste((0, 0, 0, 0), (0, 0, 32, 24))
    for kind in ("PNG", "WEBP"):
        loaded = load_photo(encoded(picture, kind, lossless=True))
        assert_shows(loaded.image, (255, 255, 255), GREEN, BLUE, WHITE)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_an_animation_the_first_picture_counts(kind: str) -> None:
    later = Image.new("RGB", (64, 48), "black")
    data = encoded(quadrants(), kind, save_all=True, append_images=[later], lossless=True)
    assert_shows(load_photo(data).image, RED, GREEN, BLUE, WHITE)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_very_large_photograph_is_halved_but_keeps_its_size(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(photo, "HALVED_ABOVE", 1000)
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = quadrants().transpose(Image.Transpose.ROTATE_90)
    loaded = load_photo(encoded(stored, kind, exif=exif))
    assert loaded.size == (64, 48)
    assert loaded.image.shape == (24, 32, 3)
    assert loaded.scale == 0.5
    assert_shows(loaded.image, RED, GREEN, BLUE, WHITE)


def refusal(source: Path | bytes) -> str:
    with pytest.raises(PhotoError) as caught:
        load_photo(source)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    assert "does not exist" in refusal(tmp_path / "none.jpg")
    assert "is a folder" in refusal(tmp_path)


def test_what_is_not_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("Ana: 71, Luis: 64\n")
    assert refusal(path).startswith("notes.jpg is not a picture")
    assert "empty file" in refusal(b"")
    assert "not a picture of a known kind" in refusal(encoded(quadrants(), "GIF"))
    assert "not a picture of a known kind" in refusal(encoded(quadrants(), "TIFF"))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("kept", [0.05, 0.5, 0.98])
def test_a_truncated_file_is_refused(kind: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    message = refusal(data[: int(len(data) * kept)])
    assert "cut off" in message or "damaged" in message


def test_a_truncated_heic_is_refused() -> None:
    data = (HEIC / "quadrants.heic").read_bytes()
    assert "cut off" in refusal(data[: len(data) // 2])
    assert "cut off" in refusal(data[:40])


def assert_refused_when_filled_up(data: bytes) -> None:
    for kept in (0.3, 0.6, 0.9, 0.98):
        cut = int(len(data) * kept)
        message = refusal(data[:cut] + bytes(len(data) - cut))
        assert "cut off" in message or "damaged" in message


def soft_noise() -> Image.Image:
    noise = np.random.default_rng(1).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    return Image.fromarray(cv2.GaussianBlur(noise, (0, 0), 2))


KINDS = [
    ("JPEG", {}),
    ("JPEG", {"optimize": True}),
    ("JPEG", {"progressive": True}),
    ("PNG", {}),
    ("WEBP", {"method": 0}),
    ("WEBP", {"method": 4}),
    ("WEBP", {"lossless": True}),
    ("WEBP", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"}),
]


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_a_file_cut_off_and_filled_with_zeros_is_refused(
    kind: str, options: dict[str, object]
) -> None:
    assert_refused_when_filled_up(encoded(soft_noise(), kind, **options))


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_a_file_of_which_a_block_is_zeros_is_refused(kind: str, options: dict[str, object]) -> None:
    """As a card or a copy leaves it that lost a block of the middle."""
    data = encoded(soft_noise(), kind, **options)
    for share in (0.3, 0.5, 0.7):
        at = int(len(data) * share)
        message = refusal(data[:at] + bytes(512) + data[at + 512 :])
        assert "zeros" in message or "damaged" in message


@pytest.mark.parametrize("options", [{}, {"optimize": True}, {"progressive": True}])
@pytest.mark.parametrize("quality", [5, 50, 95])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_jpeg_of_one_colour_may_be_zeros(
    quality: int, options: dict[str, object], colour: str
) -> None:
    picture = Image.new("RGB", (1200, 900), colour)
    picture.paste(quadrants(200, 100), (100, 200))
    assert load_photo(encoded(picture, "JPEG", quality=quality, **options)).size == (1200, 900)


@pytest.mark.parametrize(
    "name", ["quadrants-grey.heic", "quadrants-grey-10-bit.heic", "quadrants.heic"]
)
def test_a_heic_that_says_another_depth_is_refused(name: str) -> None:
    """By the file's own words, before a decoder that would end the whole process over it."""
    data = bytearray((HEIC / name).read_bytes())
    assert load_photo(bytes(data)).size == (64, 48)
    data[data.index(b"hvcC") + 4 + 17] ^= 1
    with pytest.raises(PhotoError, match="damaged"):
        picture_file.inspect_picture(bytes(data))


def test_a_heic_cut_off_and_filled_with_zeros_is_refused() -> None:
    assert_refused_when_filled_up((HEIC / "noise.heic").read_bytes())


@pytest.mark.parametrize("options", [{"method": 0}, {"method": 4}, {"lossless": True, "method": 0}])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_webp_that_ends_in_one_colour_is_not_cut_off(
    options: dict[str, object], colour: str
) -> None:
    picture = quadrants(1600, 1200)
    picture.paste(Image.new("RGB", (1600, 700), colour), (0, 500))
    assert load_photo(encoded(picture, "WEBP", **options)).size == (1600, 1200)


def test_a_thumbnail_does_not_hide_that_the_picture_is_cut_off() -> None:
    exif = b"Exif\0\0" + encoded(quadrants(), "JPEG")
    data = encoded(quadrants(640, 480), "JPEG", exif=exif)
    assert "cut off" in refusal(data[: data.rindex(b"\xff\xda") + 200])


def test_what_a_phone_appends_after_the_picture_is_ignored() -> None:
    data = encoded(quadrants(), "JPEG", quality=95) + b"\xff\xd8 a film, cut off"
    assert_shows(load_photo(data).image, RED, GREEN, BLUE, WHITE)


@pytest.mark.parametrize("size", [(30_000, 30_000), (2**31 - 1, 2**31 - 1), (80_000_001, 1)])
def test_an_oversized_picture_is_refused_before_a_pixel_is_decoded(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    message = refusal(png_header(*size))
    assert f"{size[0]} x {size[1]} pixels" in message
    assert "save it smaller" in message


def test_an_oversized_heic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_file, "MAX_HEIC_PIXELS", 1000)
    assert "64 x 64 pixels" in refusal(HEIC / "quadrants.heic")  # as stored, before it is cropped


def test_too_many_bytes_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(photo.MAX_BYTES + 1)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("read"))
    assert "more than 64 MB" in refusal(path)


def test_a_jpeg_of_countless_scans_is_refused_before_a_pixel_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = encoded(quadrants(), "JPEG", progressive=True)
    last = plain[plain.rindex(b"\xff\xda") : -2]
    assert_shows(load_photo(plain[:-2] + last * 20 + plain[-2:]).image, RED, GREEN, BLUE, WHITE)
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    message = refusal(plain[:-2] + last * 10_000 + plain[-2:])
    assert "10010 times, more than 64" in message


@pytest.mark.parametrize("name", ["a" * 5000, "no\0name", "a/" * 3000 + "b.jpg"])
def test_a_name_that_no_file_can_have_is_refused_in_few_words(name: str) -> None:
    message = refusal(Path(name))
    assert "check the path" in message and len(message) < 300


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_no_damage_ends_in_anything_but_a_photo_error(kind: str) -> None:
    whole = encoded(quadrants(), kind, exif=jpeg_with_orientation(6, quadrants())[20:60])
    rng = np.random.default_rng(7)
    for _ in range(150):
        damaged = bytearray(whole)
        for at in rng.integers(0, len(whole), 4):
            damaged[at] = rng.integers(0, 256)
        try:
            load_photo(bytes(damaged))
        except PhotoError as error:
            assert "\n" not in str(error)
