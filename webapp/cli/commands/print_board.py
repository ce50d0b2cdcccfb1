"""`stargazer print`: a board, and tokens to cut out, as a PDF at true size."""

from contextlib import suppress
from pathlib import Path

import click

from scorer.sentence import LANGUAGES
from webapp.cli.terminal.options import profile_option
from webapp.cli.terminal.outcome import InputError, input_errors


@click.command("print")
@profile_option
@click.option(
    "--out",
    required=True,
    metavar="FILE.pdf",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The PDF to write; one that is there is replaced.",
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "a3", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="The printer's paper.",
)
@click.option(
    "--everything",
    "whole",
    is_flag=True,
    help="Print the whole game: a turn's summary, a board for each player, cards and all else.",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language of the cards, with --everything.",
)
@click.option("--players", type=click.IntRange(1, 8), help="How many boards, with --everything.")
@click.option("--ink-saving", is_flag=True, help="White paper for a night sky, with --everything.")
def print_board(
    profile: str,
    out: Path,
    paper: str,
    whole: bool,
    language: str,
    players: int | None,
    ink_saving: bool,
) -> None:
    """Make a PDF of the board and of its game's tokens to cut out, at true size.

    Example: stargazer print --everything --profile standard --language es --out game.pdf
    """
    from calibration import load_profile
    from calibration.printing import Sheets
    from calibration.printing import print_board as draw
    from webapp.app.everything import everything

    with input_errors():
        if not out.name or (out.exists() and not out.is_file()):
            raise InputError(f"--out {out} is no file: name the PDF to write")
        found = load_profile(profile)
        sheets = Sheets(paper, language, ink_saving)
        pdf = everything(found, sheets, players) if whole else draw(found, paper)
    half_written = out.with_name(f".{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        half_written.write_bytes(pdf)
        half_written.replace(out)
    except OSError as error:
        with suppress(OSError):
            half_written.unlink()
        raise InputError(
            f"{out} cannot be written ({error.strerror}); choose another --out"
        ) from error
    what = "the whole game" if whole else "the board, and tokens"
    click.echo(f"{out}: {what} to cut out, for {paper} paper.")
    click.echo("Print it at 100% (“actual size”, no “fit to page”), the tokens once for the table.")
    if whole:
        click.echo(
            "Print double-sided, flipping on the long edge: even pages are card backs or blank."
        )
    click.echo("The ruler below the board must measure 100 mm.")
