"""`stargazer replay`: play game records again, and check every rule."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webapp.cli.commands.simulate import records_of
from webapp.cli.terminal.outcome import ExitCode, InputError, print_json, report

if TYPE_CHECKING:  # commands that do not run load no game
    from scorer.playing import Records

STANDARD_INPUT = Path("-")


@click.command()
@click.argument(
    "records", metavar="RECORD...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="Print an answer a record, as JSON.")
def replay(records: tuple[Path, ...], as_json: bool) -> None:
    """Check that game records keep to the rules and give the score they say.

    A file holds a record a line; `-` is standard input.

    Example: stargazer replay games.jsonl
    """
    failed = False
    for path in records:
        try:
            failed |= _replay_file(path, as_json)
        except InputError as error:
            failed = True
            report(error, path, as_json)
    if failed:
        click.get_current_context().exit(ExitCode.BAD_INPUT)


def _replay_file(path: Path, as_json: bool) -> bool:
    """Check the records of a file; return whether one of them is illegal."""
    from scorer.records import RecordError, parse_record

    legal = illegal = turns = 0
    for number, line in enumerate(_lines(path), start=1):
        try:
            record = parse_record(line)
            replayed = _records_of(record).replay(record)
        except RecordError as error:
            illegal += 1
            where = {"record": number, "turn": error.turn, "field": error.field, "rule": error.rule}
            report(InputError(f"{path}: record {number}, {error}", details=where), path, as_json)
            continue
        legal += 1
        turns += replayed
        if as_json:
            answer = {"record": number, "turns": replayed, "legal": True}
            print_json({"format": 1, "file": str(path), **answer})
    if not legal + illegal:
        raise InputError(f"{path}: holds no record; stargazer simulate --json writes one a line")
    if not as_json:
        click.echo(f"{path}: {legal:,} of {legal + illegal:,} records legal, {turns:,} turns")
    return bool(illegal)


def _records_of(record: Mapping[str, Any]) -> "Records":
    """The checker for the game of a record. Raise RecordError for an unknown header."""
    from scorer.plain_data import shown
    from scorer.records import RecordError

    if record.get("format") != 1:
        found = shown(record.get("format"))
        raise RecordError("header", 0, "format", f"must be 1, not {found}")
    game = record.get("game")
    try:
        return records_of(game if isinstance(game, str) else "")
    except InputError as error:
        raise RecordError("header", 0, "game", str(error)) from None


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file of records. Raise InputError if it cannot be opened or read."""
    from scorer.datafile import open_regular
    from scorer.records import record_lines

    piped = path == STANDARD_INPUT
    try:
        with nullcontext(sys.stdin.buffer) if piped else open_regular(path) as file:
            yield from record_lines(file)
    except OSError as error:
        reason = (error.strerror or "no such file").lower()
        raise InputError(f"{path}: cannot be read ({reason})") from error
