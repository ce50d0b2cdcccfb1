"""Values, texts and pictures that nobody means to send; all drawn from a generator with a seed."""

import copy
import json
import random
import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.test_fuzzed_files import ODD, as_key, places, written
from tests.vision.test_photo import encoded as picture_file
from tests.vision.test_photo import png_header

HEIC = Path(__file__).parents[1] / "vision" / "data"
TEXTS = [
    *("", " ", "0", "-1", "1e400", "9" * 5_000, "٣", "NaN", "null", "true", "%s", "{x}", "{{7*7}}"),
    *("\ud800", "\0", "\x1b[2J", "a\r\nSet-Cookie: x=1", "two\nlines", "‮", "😀" * 300),
    *("../../etc/passwd", "/dev/zero", "a/" * 2_000, "x" * 5_000, "<script>alert(1)</script>"),
    *("' OR 1=1 --", "core", "red", "V5", "O19", "I", "aries", "black", "standard", "own.yaml"),
    *("[" * 3_000, "&a *a", "!!python/name:os.system", "file:///etc/passwd", "http://[::1"),
]
HEADERS = {
    "Host": ["evil.example", "", "127.0.0.1:99999", "[::1", "x" * 9_000],
    "Origin": ["https://evil.example", "null", "", "\ud800"],
    "Content-Type": ["application/json", "text/plain", "multipart/form-data", "x/y; charset=\0"],
    "Content-Length": ["0", "-1", "99999999999", "1e3", "x"],
    "Transfer-Encoding": ["chunked", "gzip", "chunked, chunked"],
    "Cookie": ["stargazer=x", "stargazer=" + "A" * 5_000, "a=b; " * 2_000, "=;=;"],
    "Accept-Language": ["cs", "es;q=nan", "x" * 9_000, "*-*-*, ,;q=9", "\0"],
    "Accept-Encoding": ["gzip", "br;q=x"],
    "Range": ["bytes=0-", "bytes=9-1", "bytes=" + "0-1," * 3_000, "x"],
    "If-None-Match": ['"x"', "*", "W/"],
    "If-Modified-Since": ["yesterday", "Mon, 99 Foo 0000 99:99:99 GMT"],
    "Last-Event-ID": ["-1", "9" * 400, "x"],
    "X-Partial": ["1"],
    "X-Forwarded-For": ["127.0.0.1"],
    "Forwarded": ["for=127.0.0.1"],
    "X-HTTP-Method-Override": ["DELETE"],
    "Expect": ["100-continue", "x"],
}
TOKENS = [
    *(b"!!bool x", b"!!timestamp x", b"1.5: x", b"null: x", b"? [a]\n: b", b"&a ", b"*a", b"<<: "),
    *(
        b"\0",
        b"\xff",
        b"\xed\xa0\x80",
        b'"\\ud800"',
        b"1" + b"0" * 5_000,
        b".inf",
        b"NaN",
        b"1e999",
    ),
    *(b"[", b"]", b"{", b"}", b": ", b"\n", b"\t", b"- ", b'"', b"---\n", b"%YAML 9.9\n", b"\r"),
    *(
        b"[" * 600,
        b"{" * 600,
        b"- " * 3_000,
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"0x_",
        b"2026-99-99",
    ),
]


def changed_data(rng: random.Random, data: Any) -> Any:
    """Values replaced, left out, renamed or repeated."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        found = list(places(data)) if isinstance(data, dict | list) else []
        if not found or len(found) > 20_000:
            break
        container, key = rng.choice(found)
        change = rng.random()
        if change < 0.6:
            container[key] = copy.deepcopy(rng.choice(ODD))
        elif change < 0.7:
            del container[key]
        elif isinstance(container, list):
            container[key:key] = [container[key]] * rng.choice([2, 150, 1_500])
        else:
            container[as_key(rng.choice([*TEXTS, 0, 1.5, None]))] = container.pop(key)
    return data


def changed_text(rng: random.Random, data: Any, as_json: bool) -> bytes:
    """A file of changed data; in some its text is changed as well."""
    if rng.random() < 0.7:
        data = changed_data(rng, data)
    text = written(data, as_json).encode("utf-8", "surrogatepass")
    return changed_bytes(rng, text) if rng.random() < 0.4 else text


def changed_lines(rng: random.Random, lines: Sequence[Any]) -> bytes:
    """A file of a JSON value a line, some of them changed."""
    reported = [json.dumps(line).encode() for line in lines]
    for _ in range(rng.choice([1, 1, 3])):
        at = rng.randrange(len(reported))
        reported[at] = changed_text(rng, lines[at], as_json=True)
    return b"\n".join(reported)


def changed_bytes(rng: random.Random, data: bytes) -> bytes:
    """Bits flipped, bytes zeroed, put in, left out, repeated; or the end cut off."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 20])):
        length = len(changed)
        # Headers are at the beginning, and what lies there decides about all the rest.
        at = rng.randrange(min(length, 600) if rng.random() < 0.5 else length) if length else 0
        change = rng.randrange(8)
        if change <= 1 and length:
            changed[at] ^= 1 << rng.randrange(8)
        elif change <= 3 and length:
            changed[at] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        elif change == 4:
            changed[at:at] = rng.choice(TOKENS)
        elif change == 5:
            del changed[at : at + rng.choice([1, 7, 300])]
        elif change == 6:
            changed[at:at] = changed[at : at + rng.choice([5, 300])]
        else:
            changed[at:] = bytes(length - at) if rng.random() < 0.5 else b""
    return bytes(changed)


@cache
def pictures() -> dict[str, bytes]:
    """A small picture of a board in every way in which a file may hold one, by suffix and name."""
    board = Image.open(Path(__file__).parents[2] / "webapp" / "demo" / "ana.jpg")
    small = board.convert("RGB").resize((480, 360))
    clear = small.convert("RGBA")
    clear.putalpha(200)
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "a board"
    found = {
        "plain.jpg": picture_file(small, "JPEG", exif=exif),
        "progressive.jpg": picture_file(small, "JPEG", progressive=True),
        "plain.png": picture_file(small, "PNG"),
        "clear.png": picture_file(clear, "PNG"),
        "plain.webp": picture_file(small, "WEBP", exif=exif),
        "lossless.webp": picture_file(clear, "WEBP", lossless=True, method=0),
    }
    return found | {path.name: path.read_bytes() for path in sorted(HEIC.glob("*.heic"))}


@cache
def bombs() -> dict[str, bytes]:
    """Pictures that are small as files, and would take a decoder minutes or gigabytes."""
    progressive = picture_file(Image.new("RGB", (2000, 1500)), "JPEG", progressive=True)
    last = progressive.rindex(b"\xff\xda")
    plain = pictures()["plain.jpg"]
    exif = b"Exif\0\0II*\0\x08\0\0\0" + bytes(65_000)
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    webp = bytearray(pictures()["lossless.webp"])
    webp[24:30] = b"\xff" * 6  # a width and a height of 16 million pixels
    return {
        "scans.jpg": progressive[:-2] + progressive[last:-2] * 10_000 + progressive[-2:],
        "64 scans.jpg": progressive[:-2] + progressive[last:-2] * 53 + progressive[-2:],
        "exif.jpg": plain[:2] + segment * 480 + plain[2:],
        "huge.png": png_header(65_535, 65_535),
        "large.png": picture_file(Image.new("1", (30_000, 30_000)), "PNG"),
        "64 megapixels.png": picture_file(Image.new("RGBA", (8_000, 8_000)), "PNG"),
        "lying.webp": bytes(webp),
        "noise.jpg": picture_file(_noise(4_000, 3_000), "JPEG", quality=95),
    }


def large_frame() -> bytes:
    """A camera's frame of 1280 × 960, taken in and yet more than any pipe holds."""
    return picture_file(_noise(1280, 960), "JPEG", quality=95)


def _noise(width: int, height: int) -> Image.Image:
    pixels = np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)
    return Image.fromarray(pixels)


def changed_picture(rng: random.Random) -> tuple[str, bytes]:
    """A picture's file, changed, and its suffix; one in forty is a bomb."""
    if rng.random() < 1 / 40:
        name = rng.choice(sorted(bombs()))
        return Path(name).suffix, bombs()[name]
    name = rng.choice(sorted(pictures()))
    return Path(name).suffix, changed_bytes(rng, pictures()[name])
