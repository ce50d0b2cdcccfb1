"""The owner's own cards of a game, such as a boxed edition's: their pictures, in one file.

It is stored beside the profile of the board that they are played with, a zip of JPEGs: `ID.jpg` is
the card of that id, `unnamed/N.jpg` one that was photographed but not named yet
(`unnamed/N-asked.jpg` if another may be missing before it), `photographs/N.jpg` the rows.
"""

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from calibration.layout import ProfileError
from calibration.profile import deck_path
from scorer.datafile import open_regular

DECK_BYTES = 16 * 1024 * 1024
CARD_PX = 288
"""Largest longer side of a card's picture."""
MOST_CARDS = 400
DELETED = ".deleted"
PHOTOGRAPH_PX = 1200
"""Largest longer side of a photograph of rows."""
_ASKED = "-asked"
_PATIENCE_S = 60.0
"""How long to wait for others who change the same deck."""
_NAME = re.compile(r"(unnamed/|photographs/)?(\w[\w-]{0,63})\.jpg")
BROKEN_ZIP = (
    zipfile.BadZipFile,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""Exceptions from reading a damaged or malicious zip file."""


class TooManyCardsError(ProfileError):
    """More pictures than a deck holds."""


class DeckBusyError(ProfileError):
    """Somebody else has been changing the same deck for too long."""


@dataclass(frozen=True)
class UnnamedCard:
    """A JPEG of a card; `follows` if it is known to come right after the card before."""

    jpeg: bytes
    follows: bool = True


@dataclass(frozen=True)
class OwnDeck:
    """JPEGs of whole cards, upright: `cards` by id, and those not named yet.

    `photographs` are the sources of the unnamed ones, each card outlined and numbered.
    """

    cards: Mapping[str, bytes] = field(default_factory=dict)
    unnamed: Sequence[UnnamedCard] = ()
    photographs: Sequence[bytes] = ()

    def __bool__(self) -> bool:
        return bool(self.pictured)

    @property
    def pictured(self) -> int:
        return len(self.cards) + len(self.unnamed) + len(self.photographs)

    def pictures(self) -> Mapping[str, np.ndarray]:
        """(H, W, 3) uint8 BGR by the ids of the cards."""
        return {card: _decoded(jpeg, card) for card, jpeg in self.cards.items()}


def own_deck(name_or_path: str | Path) -> OwnDeck:
    """The owner's cards for a profile, named as for `load_profile`; empty if there are none.

    Raises `ProfileError`.
    """
    file = deck_path(name_or_path)
    if not file.is_file():
        return OwnDeck()
    with open_regular(file) as opened:
        return unpack_deck(opened.read(DECK_BYTES + 1), file)


def readable_deck(name_or_path: str | Path) -> OwnDeck:
    """The same; also empty if the file is damaged or there is no such profile."""
    try:
        return own_deck(name_or_path)
    except ProfileError:
        return OwnDeck()


@contextmanager
def deck_to_change(name_or_path: str | Path) -> Iterator[OwnDeck]:
    """The same, locked against changes by others. Raises `ProfileError`."""
    with _locked(deck_path(name_or_path)):
        yield readable_deck(name_or_path)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout  # only here, as reading a board needs no lock

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        held = FileLock(file.with_name(f".{file.name}.lock")).acquire(timeout=_PATIENCE_S)
    except Timeout as error:
        raise DeckBusyError(file, [("", "other cards are just being read")]) from error
    except OSError as error:
        raise _unwritten(file, error) from error
    with held:
        yield


def save_deck(name_or_path: str | Path, deck: OwnDeck) -> None:
    """Store the owner's cards for a profile; an empty deck has no file. Raises `ProfileError`."""
    file = deck_path(name_or_path)
    packed = pack_deck(deck)
    if deck.pictured > MOST_CARDS:
        raise TooManyCardsError(file.name, [("", f"more than {MOST_CARDS} cards, far too many")])
    if len(packed) > DECK_BYTES:
        reason = f"more than {DECK_BYTES // 1024**2} MB of cards"
        raise TooManyCardsError(file.name, [("", reason)])
    draft = file.with_name(f".{file.name}")
    try:
        if not deck:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(packed)
        draft.replace(file)
    except OSError as error:
        raise _unwritten(file, error) from error


def _unwritten(file: Path, error: OSError) -> ProfileError:
    return ProfileError(file, [("", f"cannot be written ({error.strerror})")])


def delete_deck(name: str) -> None:
    """Move the owner's cards for a profile aside, at most one deck. Raises `ProfileError`."""
    file = deck_path(name)
    with _locked(file):
        put_aside(file)


def restore_deck(name: str) -> None:
    """Restore the cards deleted last. Raises `ProfileError`, also if there are newer ones."""
    file = deck_path(name)
    with _locked(file):
        if file.exists():
            raise ProfileError(name, [("", "other cards were shown since")])
        bring_back(file)


def put_aside(file: Path) -> None:
    """Delete a file so that `bring_back` can restore it. Raises `ProfileError` without one."""
    _move(file, _aside(file))


def bring_back(file: Path) -> None:
    """Restore a file put aside. Raises `ProfileError` without one."""
    _move(_aside(file), file)


def _aside(file: Path) -> Path:
    return file.with_name(f".{file.name}{DELETED}")


def _move(one: Path, other: Path) -> None:
    try:
        one.replace(other)
    except OSError as error:
        raise ProfileError(one.name, [("", "nothing of yours is known for it")]) from error


def pack_deck(deck: OwnDeck) -> bytes:
    """The bytes of a deck's file; deterministic."""
    files = {f"{card}.jpg": jpeg for card, jpeg in deck.cards.items()}
    for number, card in enumerate(deck.unnamed):
        files[f"unnamed/{number}{'' if card.follows else _ASKED}.jpg"] = card.jpeg
    files |= {f"photographs/{number}.jpg": jpeg for number, jpeg in enumerate(deck.photographs)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, jpeg in files.items():
            packed.writestr(zipfile.ZipInfo(name), jpeg)
    return out.getvalue()


def unpack_deck(raw: bytes, source: str | Path) -> OwnDeck:
    """The deck in the bytes of its file. Raises `ProfileError`, about `source`, if invalid."""
    cards: dict[str, bytes] = {}
    unnamed: list[UnnamedCard] = []
    photographs: list[bytes] = []
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            infos = packed.infolist()
            small = sum(info.file_size for info in infos) <= DECK_BYTES
            if not small or len(infos) > MOST_CARDS:
                raise ProfileError(source, [("", "more cards than any game has")])
            for info in infos:
                named = _NAME.fullmatch(info.filename)
                if named is None:
                    raise ProfileError(source, [("", "holds what is no card's picture")])
                if named[1] == "photographs/":
                    photographs.append(packed.read(info))
                elif named[1]:
                    unnamed.append(UnnamedCard(packed.read(info), not named[2].endswith(_ASKED)))
                else:
                    cards[named[2]] = packed.read(info)
    except ProfileError:
        raise
    except BROKEN_ZIP as error:
        raise ProfileError(source, [("", "is no whole file of cards")]) from error
    return OwnDeck(cards, unnamed, photographs)


def reencoded(deck: OwnDeck, source: str | Path) -> OwnDeck:
    """An untrusted deck, each picture decoded and encoded again. Raises `ProfileError`."""

    def anew(jpeg: bytes, longest: int = CARD_PX) -> bytes:
        return encode_card(_decoded(jpeg, source, longest))

    cards = {card: anew(jpeg) for card, jpeg in deck.cards.items()}
    unnamed = [replace(card, jpeg=anew(card.jpeg)) for card in deck.unnamed]
    return OwnDeck(cards, unnamed, [anew(jpeg, PHOTOGRAPH_PX) for jpeg in deck.photographs])


def encode_card(picture: np.ndarray) -> bytes:
    """An (H, W, 3) uint8 BGR picture of a card, or of rows of them, as a JPEG."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def _decoded(jpeg: bytes, source: str | Path, longest: int = CARD_PX) -> np.ndarray:
    """Decode a picture of at most `longest` px. Raises `ProfileError`."""
    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as header:
            fits = max(header.size) <= longest
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise ProfileError(source, [("", "holds what is no card's picture")]) from error
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if fits else None
    if image is None:
        raise ProfileError(source, [("", "holds what is no card's picture")])
    return np.asarray(image, np.uint8)
