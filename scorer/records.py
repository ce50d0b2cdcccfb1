"""Game records in a file, a JSON object a line, and what is wrong with one."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from scorer.datafile import DataFileError, bounded, parse_json

LARGEST_RECORD = 1_000_000
"""Bytes of a record; one of four players has about 100,000."""


class RecordError(ValueError):
    """The first check of a record that fails.

    `rule` is the check's id, `turn` where in the game (0: before the first turn; the last turn's
    number for the end and the score), `field` the path in the record, counting from 0.
    """

    def __init__(self, rule: str, turn: int, field: str, reason: str) -> None:
        """Keep where and why; `reason` says what would have been right."""
        ((_, reason),) = bounded([("", reason)])  # it may quote the record
        self.rule, self.turn, self.field, self.reason = rule, turn, field, reason
        place = f"turn {turn}, {field}" if field else f"turn {turn}"
        super().__init__(f"{place}: {rule}: {reason}")


def parse_record(line: bytes) -> Mapping[str, Any]:
    """The record that a line of a file holds. RecordError `json` where it is no JSON object."""
    try:
        if len(line) > LARGEST_RECORD:
            raise DataFileError([("", f"over {LARGEST_RECORD:,} bytes, far too large")])
        data = parse_json(line)
    except DataFileError as error:
        raise RecordError("json", 0, "", str(error)) from None
    if not isinstance(data, Mapping):
        raise RecordError("json", 0, "", "must be a JSON object, a record a line")
    return data


def record_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file that hold records; one that is too large comes cut, and is refused."""
    while line := file.readline(LARGEST_RECORD + 1):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LARGEST_RECORD:
            rest = file.readline(LARGEST_RECORD + 1)
        if line.strip():
            yield line
