"""Files of game records, one JSON object a line, and errors in them."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from scorer.datafile import DataFileError, bounded, parse_json

LARGEST_RECORD = 1_000_000
"""Bytes of a record; one of four players has about 100,000."""


class RecordError(ValueError):
    """The first check that a record fails.

    `rule` is the id of the check, `turn` the turn (0: before the first; the last one for the end
    and the score), `field` the path in the record, with indices from 0.
    """

    def __init__(self, rule: str, turn: int, field: str, reason: str) -> None:
        """`reason` says what would have been right."""
        ((_, reason),) = bounded([("", reason)])  # it may quote the record
        self.rule, self.turn, self.field, self.reason = rule, turn, field, reason
        place = f"turn {turn}, {field}" if field else f"turn {turn}"
        super().__init__(f"{place}: {rule}: {reason}")


def parse_record(line: bytes) -> Mapping[str, Any]:
    """The record in a line of a file. Raise RecordError `json` if it is no JSON object."""
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
    """The lines of a file with records; one that is too large is cut, so that parsing fails."""
    while line := file.readline(LARGEST_RECORD + 1):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LARGEST_RECORD:
            rest = file.readline(LARGEST_RECORD + 1)
        if line.strip():
            yield line
