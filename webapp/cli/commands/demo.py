"""`stargazer demo`: the sample game, from its photographs to its score sheet."""

from pathlib import Path

import click

from webapp.cli.terminal.outcome import input_errors, print_json
from webapp.cli.terminal.quiet import libraries_silenced

SAMPLE_GAME = Path(__file__).parents[2] / "demo" / "game.yaml"


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("stargazer-demo"),
    show_default=True,
    help="The folder for the photographs with what was read drawn on them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the score as JSON.")
@libraries_silenced()
def demo(out: Path, as_json: bool) -> None:
    """Score the sample game of two players that ships with Stargazer.

    Example: stargazer demo --out overlays/
    """
    from webapp.cli.terminal.game_files import GameFileScorer
    from webapp.cli.terminal.score_sheet import print_score

    with input_errors():
        scored = GameFileScorer("standard", overlay_dir=out).score(SAMPLE_GAME)
    if as_json:
        print_json(scored.score.to_data())
        return
    print_score(scored)
    drawn = [out / f"{Path(photo).stem}.overlay.jpg" for photo in scored.photos]
    click.echo(f"\nWhat was read is drawn in {' and '.join(map(str, drawn))}.")
    click.echo(
        "\nNext:\n"
        "  stargazer print --out board.pdf         a board and stars to cut out\n"
        "  stargazer read PHOTO --overlay read/    what lies on your own board\n"
        f"  stargazer score GAME                    a game of yours; copy {SAMPLE_GAME}"
    )
