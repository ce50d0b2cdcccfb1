"""`stargazer archive`: read thousands of photographs into Parquet files."""

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.terminal.options import processes_option, profiles_option
from webapp.cli.terminal.outcome import ExitCode, InputError, input_errors, print_json
from webapp.cli.terminal.progress import progress_bar
from webapp.cli.terminal.quiet import libraries_silenced

if TYPE_CHECKING:
    from webapp.app.archive.reading import Summary
    from webapp.app.reading.executors import ReadingExecutor

PHOTOGRAPHS = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"}
"""Suffixes of files in a folder that count as photographs."""


@click.command()
@click.argument("sources", metavar="FOLDER|GLOB|LIST...", nargs=-1, required=True)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of the archive; what it holds already is not read again.",
)
@profiles_option("Name")
@processes_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
@libraries_silenced()
def archive(
    ctx: click.Context,
    sources: tuple[str, ...],
    out: Path,
    profiles: tuple[str, ...],
    processes: int | None,
    as_json: bool,
) -> None:
    """Read all photographs of a folder, a pattern or a list into Parquet files.

    A list is a text file with a path on each line. Stop the command at any time and run it again:
    each photograph is read once, and what could not be read is a row with its reason. With
    STARGAZER_CLUSTER=tcp://... a Dask cluster reads.

    Example: stargazer archive photos --out readings
    """
    from webapp.app.reading.executors import missing_extra

    try:
        from webapp.app.archive.parts import DamagedPartError
        from webapp.app.archive.reading import Archive
    except ModuleNotFoundError as error:
        raise InputError(missing_extra("An archive is written as Parquet")) from error
    from webapp.cli.terminal.photographs import chosen_profiles, full_name

    with input_errors():
        paths = sorted({path for source in sources for path in _photographs(source)})
        names = profiles or tuple(map(full_name, chosen_profiles(profiles)))
        out.mkdir(parents=True, exist_ok=True)
    try:
        with input_errors(), _claimed(out), _readers(processes) as readers:
            opened = Archive(out, readers, names)
            with progress_bar("Reading photographs") as bar:
                summary = opened.read(paths, bar)
    except DamagedPartError as error:
        raise InputError(str(error)) from error
    _tell(summary, len(paths), out, as_json)
    if summary.unopened:
        ctx.exit(ExitCode.BAD_INPUT)


def _photographs(source: str) -> list[Path]:
    """The photographs that an argument stands for. Raise InputError or OSError."""
    path = Path(source)
    if path.is_dir():
        found = [
            Path(folder, file)
            for folder, _, files in os.walk(path)
            for file in files
            if Path(file).suffix.lower() in PHOTOGRAPHS
        ]
    elif path.is_file() and path.suffix.lower() in PHOTOGRAPHS:
        found = [path]
    elif path.is_file():
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            raise InputError(f"{source} is neither a photograph nor a list of paths") from error
        found = [path.parent / line.strip() for line in lines if line.strip()]
    else:
        named = glob.glob(source, recursive=True)  # noqa: PTH207
        found = [Path(file) for file in named if Path(file).is_file()]
    if not found:
        raise InputError(f"{source} has no photographs: name a folder, a pattern or a list of them")
    return found


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Lock the archive for this process. Raise InputError or OSError."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise InputError(f"{folder} is being written by another command: wait for it") from error


@contextmanager
def _readers(processes: int | None) -> Iterator["ReadingExecutor"]:
    """The cluster, or processes of this computer, shut down on exit."""
    from webapp.app.reading.executors import Processes, named_cluster

    found = named_cluster() or Processes(at_once=processes or os.cpu_count() or 1)
    try:
        yield found
    finally:
        found.shutdown(cancel_futures=True)


def _tell(summary: "Summary", given: int, out: Path, as_json: bool) -> None:
    from scorer.datafile import printable

    if as_json:
        data = {
            "photographs": given,
            "read": summary.read,
            "boards": summary.boards,
            "refused": dict(summary.refused),
            "known": summary.known,
            "unopened": summary.unopened,
        }
        print_json(data)
    else:
        click.echo(f"{given} photographs, {summary.known} of them known already")
        click.echo(f"{summary.read} read, with {summary.boards} boards")
        for problem, count in summary.refused.most_common():
            click.echo(f"{count} not read: {problem.replace('_', ' ')}")
        click.echo(f"All of them are in {printable(str(out))}/*.parquet")
    for path, reason in summary.unopened.items():
        click.echo(f"stargazer: {printable(path)}: {reason}; run the command again", err=True)
