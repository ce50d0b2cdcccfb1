"""Text on pictures, in any script: each letter uses the first font that has it."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from calibration.pdf import FONT

_FOLDER = Path(__file__).parent
_PAGE_FONTS = _FOLDER.parent / "static" / "fonts"
_TEXT = str(FONT)

# Common system fonts for scripts that the shipped fonts lack, by file name.
_OF_THE_SYSTEM = (
    "DejaVuSans.ttf",
    "NotoSansCJK-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansSymbols2-Regular.ttf",
    "Arial Unicode.ttf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "AppleSDGothicNeo.ttc",
    "segoeui.ttf",
    "msyh.ttc",
    "YuGothM.ttc",
    "malgun.ttf",
    "Nirmala.ttf",
    "seguisym.ttf",
)


@dataclass(frozen=True)
class Lettering:
    """A text style: its fonts, in order of preference."""

    faces: tuple[str, ...]

    def width(self, text: str, size: int) -> float:
        return sum(_font(face, size).getlength(run) for face, run in self._runs(text))

    def write(
        self,
        draw: ImageDraw.ImageDraw,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        align: str = "left",
    ) -> None:
        """Write a line with its baseline at `at`, aligned left, right or middle."""
        x, y = at
        if align != "left":
            x -= self.width(text, size) * (0.5 if align == "middle" else 1)
        for face, run in self._runs(text):
            draw.text((x, y), run, colour, _font(face, size), anchor="ls")
            x += _font(face, size).getlength(run)

    def fitted(self, text: str, size: int, room: float) -> str:
        """Return the text, shortened with an ellipsis if it is wider than `room` px."""
        if self.width(text, size) <= room:
            return text
        while text and self.width(f"{text}…", size) > room:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def _runs(self, text: str) -> Iterator[tuple[str, str]]:
        """Split a text where the font changes; combining marks stay with their letter."""
        face, run = "", ""
        for letter in text:
            joins = run and (letter.isspace() or unicodedata.category(letter) in ("Mn", "Me", "Cf"))
            best = face if joins else self._face_of(letter)
            if best != face and run:
                yield face, run
                run = ""
            face, run = best, run + letter
        if run:
            yield face, run

    def _face_of(self, letter: str) -> str:
        candidates = (*self.faces, *_system_faces())
        return next((face for face in candidates if _has(face, letter)), self.faces[0])


TITLE = Lettering(
    (
        str(_PAGE_FONTS / "marcellus-latin-400-normal.woff2"),
        str(_PAGE_FONTS / "marcellus-latin-ext-400-normal.woff2"),
        _TEXT,
    )
)
TEXT = Lettering((_TEXT,))


@cache
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(face, size)


@cache
def _system_faces() -> tuple[str, ...]:
    return tuple(face for face in _OF_THE_SYSTEM if _is_there(face))


def _is_there(face: str) -> bool:
    try:
        ImageFont.truetype(face, 16)
    except OSError:
        return False
    return True


@cache
def _has(face: str, letter: str) -> bool:
    """Whether a font has a letter: it is drawn unlike the sign for a missing one."""
    return letter.isspace() or _drawn(face, letter) != _drawn(face, "\uffff")


@cache
def _drawn(face: str, letter: str) -> bytes:
    image = Image.new("L", (48, 48))
    ImageDraw.Draw(image).text((8, 36), letter, 255, _font(face, 24), anchor="ls")
    return image.tobytes()
