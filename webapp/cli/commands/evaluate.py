"""`stargazer evaluate`: measure the reading of labelled photographs."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from webapp.cli.terminal.options import overlay_option, profile_option
from webapp.cli.terminal.outcome import ExitCode, InputError, input_errors, print_json, report
from webapp.cli.terminal.progress import progress_bar
from webapp.cli.terminal.quiet import libraries_silenced


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@profile_option
@overlay_option
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.pass_context
@libraries_silenced()
def evaluate(
    ctx: click.Context, folder: Path, profile: str, overlay: Path | None, as_json: bool
) -> None:
    """Measure accuracy on a folder of labelled photographs (0001.jpg with 0001.json).

    Labels with mistakes are reported; the other photographs are still measured.

    Example: stargazer evaluate photos/labelled --profile my-board
    """
    with input_errors():
        if not folder.is_dir():
            raise InputError(
                f"{folder} is not a folder: name one with 0001.jpg and 0001.json in it", file=folder
            )
    from vision.evaluation import NothingToEvaluateError
    from vision.evaluation import evaluate as measure
    from webapp.cli.terminal.photographs import calibrated_profile

    try:
        with input_errors(), progress_bar("Reading photographs") as bar:
            evaluation = measure(folder, calibrated_profile(profile), bar)
    except NothingToEvaluateError as error:
        raise InputError(str(error), file=folder) from error
    for labels, mistake in evaluation.unlabelled.items():
        report(InputError(str(mistake)), labels, as_json)
    if not evaluation.judged:
        ctx.exit(ExitCode.BAD_INPUT)
    if as_json:
        print_json(evaluation.to_data())
    else:
        _print_figures(evaluation.table())
    if overlay is not None:
        _draw(folder, profile, overlay)
    if evaluation.unlabelled:
        ctx.exit(ExitCode.BAD_INPUT)


def _print_figures(rows: Iterable[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)


def _draw(folder: Path, profile: str, overlay: Path) -> None:
    """Draw the overlays in a second pass, so that drawing does not count in the measured times."""
    from vision.evaluation import labelled_photographs
    from webapp.app.reading.read_photograph import UnusablePhotographError
    from webapp.cli.terminal.photographs import OverlayReader, calibrated_profile

    photographs = [picture for picture, _ in labelled_photographs(folder)]
    with input_errors(), progress_bar("Drawing") as bar:
        reader = OverlayReader([calibrated_profile(profile)], overlay)
        for done, photograph in enumerate(photographs, start=1):
            with suppress(UnusablePhotographError):  # already counted as missed
                reader.read(photograph)
            bar(done, len(photographs))
