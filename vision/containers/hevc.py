"""HEVC: the bit-level settings of a coded picture, in HEIC's box `hvcC`."""

from collections.abc import Iterator

from vision.containers.parts import BrokenFileError

_SEQUENCE_SETTINGS = 33
"""The NAL unit type with a picture's size and depth, the "sequence parameter set"."""
_HEADER, _UNIT_HEADER = 22, 2
_PROFILE, _LEVEL = 88, 8
"""Bits of a profile and of a level, of the whole picture or of one of its layers."""
_MOST_ZEROS = 32
_READ = 256
"""Bytes of a unit that contain the depth."""


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
