"""`stargazer score`: scores of game files, with the photographs that they name."""

from pathlib import Path

import click

from webapp.cli.terminal.options import overlay_option
from webapp.cli.terminal.outcome import input_errors, print_json, process_each
from webapp.cli.terminal.quiet import libraries_silenced


@click.command()
@click.argument(
    "games", metavar="GAME...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--profile",
    help="Name or folder of the board's profile.  [default: the one that fits of all that are"
    " known]",
)
@overlay_option
@click.option("--json", "as_json", is_flag=True, help="Print one score a line, as JSON.")
@libraries_silenced()
def score(
    games: tuple[Path, ...], profile: str | None, overlay: Path | None, as_json: bool
) -> None:
    """Score each game file (YAML or JSON), reading the photographs that it names.

    Example: stargazer score game.yaml
    """
    from scorer.datafile import printable
    from webapp.app.session.score_game import ScoredGame
    from webapp.cli.terminal.game_files import GameFileScorer
    from webapp.cli.terminal.score_sheet import print_score

    def show(answer: tuple[Path, ScoredGame]) -> None:
        path, scored = answer
        print_json(scored.score.to_data()) if as_json else print_score(scored)
        if scored.order_warning:
            click.echo(f"stargazer: {printable(str(path))}: {scored.order_warning}", err=True)

    with input_errors():
        scorer = GameFileScorer(profile, overlay)
    process_each(
        games, lambda path: (path, scorer.score(path)), show, as_json=as_json, doing="Scoring games"
    )
