"""How a command ends: its exit code, and its message about a file that cannot be used."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from webapp.cli.terminal.progress import progress_bar


class ExitCode(IntEnum):
    """The exit codes that other programs rely on."""

    DONE = 0
    BAD_INPUT = 2
    NO_BOARD = 3
    UNREADABLE_BOARD = 4


_PROBLEM_CODES = {
    "no_board": ExitCode.NO_BOARD,
    "not_empty": ExitCode.UNREADABLE_BOARD,
    "unknown_board": ExitCode.UNREADABLE_BOARD,
    "no_colours": ExitCode.UNREADABLE_BOARD,
    "unreadable": ExitCode.UNREADABLE_BOARD,
}
"""By problem of an UnusablePhotographError; other problems are bad input."""

LONGEST_MESSAGE = 4_000  # characters; twenty mistakes in a file usually have fewer


class InputError(Exception):
    """Why a `file`, if it is about one, cannot be used and what to do, with the exit code.

    `details` are further keys of the error object: where in the file, by which rule.
    """

    def __init__(
        self,
        message: str,
        code: ExitCode = ExitCode.BAD_INPUT,
        details: Mapping[str, Any] | None = None,
        file: Path | None = None,
    ) -> None:
        """Keep the message as one printable line."""
        from scorer.datafile import printable

        lines = "; ".join(line.strip() for line in message.splitlines() if line.strip())
        self.message = printable(lines, LONGEST_MESSAGE)
        self.code = code
        self.details = details or {}
        self.file = file
        super().__init__(self.message)


@contextmanager
def input_errors(file: Path | None = None) -> Iterator[None]:
    """Turn errors of the rooms and the file system into InputError, about the `file` if any.

    Any other error is a bug.
    """
    try:
        yield
    except Exception as error:
        refused = _input_error(error)
        if refused is None:
            raise
        refused.file = file
        raise refused from error


def _input_error(error: Exception) -> InputError | None:
    from calibration import ProfileError  # only on errors, as the rooms are slow to load
    from calibration.cards import CrowdedCardError
    from scorer.datafile import DataFileError, printable
    from vision import PhotoError
    from webapp.app.reading.executors import ClusterError
    from webapp.app.reading.read_photograph import UnusablePhotographError

    if isinstance(error, UnusablePhotographError):
        return InputError(str(error), _PROBLEM_CODES.get(error.problem, ExitCode.BAD_INPUT))
    if isinstance(
        error, ClusterError | CrowdedCardError | DataFileError | PhotoError | ProfileError
    ):
        return InputError(str(error))
    if isinstance(error, OSError):
        if error.filename is None:
            return InputError(str(error))
        named = printable(str(error.filename))
        return InputError(f"{named}: {error.strerror}: check the path")
    return None


def report(error: InputError, file: Path | None, as_json: bool) -> None:
    """Print a line on standard error; with `as_json`, also an error object on standard output."""
    from scorer.datafile import printable

    message = error.message
    if as_json:
        named = None if file is None else str(file)
        print_json({"error": int(error.code), "message": message, "file": named, **error.details})
    if file is not None and printable(file.name) not in message:
        message = f"{printable(str(file))}: {message}"
    click.echo(f"stargazer: {message}", err=True)


def print_json(data: Any) -> None:
    """Write a JSON object as a line of UTF-8, whatever the terminal's encoding."""
    line = json.dumps(data, ensure_ascii=False)
    click.echo(line.encode("utf-8", "replace"))  # file names need not be valid text


Answer = TypeVar("Answer")
Submit = Callable[[Callable[[Path], Answer], Path], Callable[[], Answer]]


@contextmanager
def _workers(count: int) -> Iterator[Submit[Any]]:
    """A function that starts work in a thread; without threads it defers it to the result."""
    if count <= 1:
        yield partial
        return
    pool = ThreadPoolExecutor(count)
    try:
        yield lambda work, file: pool.submit(work, file).result
    finally:
        pool.shutdown(cancel_futures=True)


def process_each(
    files: Sequence[Path],
    work: Callable[[Path], Answer],
    show: Callable[[Answer], None],
    *,
    as_json: bool,
    doing: str,
    at_once: int = 1,
) -> None:
    """Do the work for every file, `at_once` in parallel, and show the answers in order.

    A file that cannot be used is reported and the others are still done; the command then ends with
    the first such exit code. `show` prints an answer, as JSON or for a person.
    """
    failed: list[ExitCode] = []

    def answered(file: Path) -> Answer:
        with input_errors():
            return work(file)

    with progress_bar(doing) as bar, _workers(at_once) as submit:
        bar(0, len(files))
        coming = [submit(answered, file) for file in files]
        for done, (file, answering) in enumerate(zip(files, coming, strict=True), start=1):
            try:
                answer = answering()
            except InputError as error:
                failed.append(error.code)
                with bar.hidden():
                    report(error, file, as_json)
            else:
                with bar.hidden():
                    show(answer)
            bar(done, len(files))
    if failed:
        click.get_current_context().exit(failed[0])
