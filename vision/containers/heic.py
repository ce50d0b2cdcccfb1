"""HEIC: nested boxes; an item table gives the location of each picture's data and of metadata.

The table's offsets count from the start of the file, so nothing is moved: metadata are blanked.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.containers.parts import EMPTY_TIFF, MOST_PARTS, BrokenFileError, CutOffError

_KEPT_BOXES = frozenset({b"ftyp", b"meta", b"mdat"})
_KEPT_IN_META = frozenset(b"hdlr pitm iinf iref iprp iloc idat grpl dinf".split())
_TELLING_PROPERTIES = frozenset({b"udes", b"crtt", b"mdft", b"uuid"})
"""A description, the times of creation and modification, and vendor data."""
_CODED = b"hvc1"
_PICTURES = frozenset({_CODED, b"grid", b"iden", b"iovl", b"tmap"})
"""Items that are pictures, or describe how one is composed of others; all else is metadata."""
_NEVER_CODED = bytes(16)
"""Zeros that HEVC cannot contain: it breaks up any run of three."""
_SEQUENCE_SETTINGS = 33
"""The NAL unit type with a picture's size and depth, the "sequence parameter set"."""
_HEADER, _UNIT_HEADER = 22, 2
_PROFILE, _LEVEL = 88, 8
"""Bits of a profile and of a level, of the whole picture or of one of its layers."""
_MOST_ZEROS = 32
_READ = 256
"""Bytes of a unit that contain the depth."""


@dataclass(frozen=True)
class Box:
    """A box's kind, the offsets of its start and of its content, and their common end."""

    kind: bytes
    start: int
    body: int
    end: int


@dataclass(frozen=True)
class Item:
    """An item's kind, and the (start, end) of each extent of its data."""

    kind: bytes
    pieces: tuple[tuple[int, int], ...]


class _Numbers:
    """Reads consecutive big-endian numbers."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data, self.at, self._end = data, start, end

    def next(self, size: int) -> int:
        return int.from_bytes(self.bytes(size), "big")

    def bytes(self, size: int) -> bytes:
        begin, self.at = self.at, self.at + size
        if self.at > self._end:
            raise BrokenFileError("a table without its end")
        return self._data[begin : self.at]


def file_boxes(data: bytes) -> list[Box]:
    """The top-level boxes of a file; anything after them is left out.

    Raises CutOffError if one is truncated, and BrokenFileError.
    """
    found: list[Box] = []
    try:
        for box in boxes(data, 0, len(data)):
            found.append(box)
    except CutOffError:
        raise
    except BrokenFileError:
        if len(found) == MOST_PARTS or b"meta" not in {box.kind for box in found}:
            raise
    return found


def boxes(data: bytes, start: int, end: int) -> Iterator[Box]:
    """The boxes in a part of a file.

    Raises CutOffError if the file ends within one, and BrokenFileError.
    """
    for _ in range(MOST_PARTS):
        if start == end:
            return
        numbers = _Numbers(data, start, end)
        length, kind, header = numbers.next(4), numbers.bytes(4), 8
        if length == 1:
            length, header = numbers.next(8), 16
        if length == 0 and kind.isalnum():  # the last one may omit its length
            length = end - start
        if length < header:
            raise BrokenFileError("a box without a length")
        if start + length > end:
            raise CutOffError if kind in _KEPT_BOXES else BrokenFileError("a box without its end")
        yield Box(kind, start, start + header, start + length)
        start += length
    raise BrokenFileError("too many boxes")


def check(data: bytes) -> None:
    """Raise CutOffError if a picture's data are missing or zeros, and BrokenFileError.

    The latter also if the file declares another bit depth than the coded picture: libheif would
    trust it and abort the whole process.
    """
    for box in _properties(data):
        if box.kind == b"hvcC" and not is_depth_true(data[box.body : box.end]):
            raise BrokenFileError("another depth than it says")
    for item in _items(data):
        if item.kind != _CODED:
            continue
        for start, end in item.pieces:
            if end > len(data) or data.find(_NEVER_CODED, start, end) >= 0:
                raise CutOffError


def size(data: bytes) -> tuple[int, int]:
    """(width, height) in px of the largest picture, before it is turned or cropped.

    Read here because the decoder's own parsing of item tables is not robust against malformed ones.
    """
    found = [
        (int.from_bytes(data[box.body + 4 : box.body + 8], "big"), data[box.body + 8 : box.end])
        for box in _properties(data)
        if box.kind == b"ispe"
    ]
    sizes = [(width, int.from_bytes(height[:4], "big")) for width, height in found]
    if not sizes:
        raise BrokenFileError("no picture")
    return max(sizes, key=lambda size: size[0] * size[1])


def without_metadata(data: bytes) -> bytes:
    """The same picture without metadata; its orientation is part of the picture."""
    blanked = bytearray(data)
    for start, end in _names(data):
        blanked[start:end] = bytes(end - start)
    for item in _items(data):
        if item.kind in _PICTURES:
            continue
        for number, (start, end) in enumerate(item.pieces):
            # Decoders that expect an Exif item find an empty one: its first four bytes are the TIFF
            # offset.
            says = bytes(4) + EMPTY_TIFF if item.kind == b"Exif" and number == 0 else b""
            blanked[start:end] = says[: end - start].ljust(end - start, b"\0")
    for box in _telling_boxes(data):
        blanked[box.start + 4 : box.start + 8] = b"free"
        blanked[box.body : box.end] = bytes(box.end - box.body)
    return bytes(blanked[: file_boxes(data)[-1].end])


def _telling_boxes(data: bytes) -> Iterator[Box]:
    for box in file_boxes(data):
        if box.kind not in _KEPT_BOXES:
            yield box
    for box in _in_meta(data):
        if box.kind not in _KEPT_IN_META:
            yield box
    for box in _properties(data):
        if box.kind in _TELLING_PROPERTIES:
            yield box


def _properties(data: bytes) -> Iterator[Box]:
    """The properties of pictures, such as their sizes and orientation."""
    around = _meta(data).get(b"iprp")
    for inner in boxes(data, around.body, around.end) if around else ():
        if inner.kind == b"ipco":
            yield from boxes(data, inner.body, inner.end)


def _meta(data: bytes) -> dict[bytes, Box]:
    """The file's tables, by kind."""
    return {box.kind: box for box in _in_meta(data)}


def _in_meta(data: bytes) -> Iterator[Box]:
    for box in file_boxes(data):
        if box.kind == b"meta":  # four bytes of version and flags come first
            yield from boxes(data, box.body + 4, box.end)


def _items(data: bytes) -> list[Item]:
    meta = _meta(data)
    if not {b"iinf", b"iloc"} <= meta.keys():
        raise BrokenFileError("no table of items")
    kinds = {number: kind for number, kind, _ in _entries(data, meta[b"iinf"])}
    own = meta[b"idat"].body if b"idat" in meta else 0
    items = [
        Item(kinds.get(number, b""), pieces) for number, pieces in _places(data, meta[b"iloc"], own)
    ]
    if sum(end - start for item in items for start, end in item.pieces) > len(data):
        raise BrokenFileError("items that lie over one another")
    return items


def _names(data: bytes) -> Iterator[tuple[int, int]]:
    """The extents of the items' names and descriptions."""
    for _, _, rest in _entries(data, _meta(data)[b"iinf"]):
        yield rest


def _entries(data: bytes, table: Box) -> Iterator[tuple[int, bytes, tuple[int, int]]]:
    """Each item's number, kind, and the extent of its description."""
    count_size = 4 if data[table.body] else 2
    for entry in boxes(data, table.body + 4 + count_size, table.end):
        numbers = _Numbers(data, entry.body, entry.end)
        version = numbers.next(1)
        numbers.next(3)
        number = numbers.next(4 if version == 3 else 2)
        numbers.next(2)
        kind = numbers.bytes(4) if version >= 2 else b""
        if not kind.isascii():
            raise BrokenFileError("an item without a kind")
        yield number, kind, (numbers.at, entry.end)


def _places(data: bytes, table: Box, own: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Each item's number and extents; `own` is the offset of the table's own data."""
    numbers = _Numbers(data, table.body, table.end)
    version = numbers.next(1)
    numbers.next(3)
    sizes, more = numbers.next(1), numbers.next(1)
    offset_size, length_size, base_size = sizes >> 4, sizes & 15, more >> 4
    index_size = more & 15 if version else 0
    left = MOST_PARTS
    for _ in range(numbers.next(4 if version == 2 else 2)):
        number = numbers.next(4 if version == 2 else 2)
        method = numbers.next(2) & 15 if version else 0
        numbers.next(2)
        base = numbers.next(base_size) + (own if method == 1 else 0)
        count = numbers.next(2)
        left -= count
        if left < 0:
            raise BrokenFileError("too many pieces")
        pieces = []
        for _ in range(count):
            numbers.next(index_size)
            start = base + numbers.next(offset_size)
            pieces.append((start, start + numbers.next(length_size)))
        if method < 2:  # other methods refer to other items' extents
            yield number, tuple(pieces)


class _Bits:
    """Reads a string of bits, most significant first."""

    def __init__(self, data: bytes) -> None:
        self._bits = "".join(f"{byte:08b}" for byte in data)
        self._at = 0

    def number(self, count: int) -> int:
        """The next ``count`` bits as a number."""
        read = self._bits[self._at : self._at + count]
        if len(read) < count:
            raise BrokenFileError("settings without their end")
        self._at += count
        return int(read or "0", 2)

    def golomb(self) -> int:
        """An exponential Golomb code, in which small numbers are short."""
        zeros = 0
        while not self.number(1):
            zeros += 1
            if zeros > _MOST_ZEROS:
                raise BrokenFileError("a number without its end")
        return (1 << zeros) - 1 + self.number(zeros)


def is_depth_true(configuration: bytes) -> bool:
    """Whether the content of a box `hvcC` declares the depth of the coded picture."""
    if len(configuration) <= _HEADER:
        raise BrokenFileError("settings without their end")
    said = configuration[17] & 7
    return all(_depth(unit) == said for unit in _sequence_settings(configuration))


def _sequence_settings(configuration: bytes) -> Iterator[bytes]:
    """The NAL units of that type, without emulation prevention bytes."""
    at = _HEADER + 1
    for _ in range(configuration[_HEADER]):
        kind = configuration[at : at + 1]
        count, at = int.from_bytes(configuration[at + 1 : at + 3], "big"), at + 3
        for _ in range(count):
            length, at = int.from_bytes(configuration[at : at + 2], "big"), at + 2
            unit, at = configuration[at : at + length], at + length
            if not kind or at > len(configuration):
                raise BrokenFileError("settings without their end")
            if kind[0] & 63 == _SEQUENCE_SETTINGS:
                yield unit[_UNIT_HEADER:_READ].replace(b"\0\0\x03", b"\0\0")


def _depth(settings: bytes) -> int:
    """The picture's bits above eight."""
    bits = _Bits(settings)
    bits.number(4)  # whose settings
    layers = bits.number(3)
    bits.number(1 + _PROFILE + _LEVEL)
    flags = [(bits.number(1), bits.number(1)) for _ in range(layers)]
    if layers:
        bits.number(2 * (8 - layers))
    for profile, level in flags:
        bits.number(_PROFILE * profile + _LEVEL * level)
    bits.golomb()  # which settings
    if bits.golomb() == 3:  # colour at full size
        bits.number(1)
    for _ in range(2):  # width and height
        bits.golomb()
    if bits.number(1):  # what is cropped of the four sides
        for _ in range(4):
            bits.golomb()
    return bits.golomb()
