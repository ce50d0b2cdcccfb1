"""`stargazer live`: what happens on the boards before a camera, one event a line."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webapp.cli.terminal.flags import flag_in_words
from webapp.cli.terminal.options import profile_option
from webapp.cli.terminal.outcome import InputError, input_errors, print_json
from webapp.cli.terminal.quiet import libraries_silenced

if TYPE_CHECKING:  # keeps `--help` fast
    from scorer.game import Game

_WORDS = {
    "board_found": "found",
    "board_lost": "not to be seen; what lay on it is kept",
    "board_moved": "moved, and found again",
    "placed": "{star} on {space}{doubt}",
    "replaced": "{star} on {space} in place of {was}{doubt}",
    "removed": "{was} gone from {space}{doubt}",
    "doubtful": "{space} is unclear: {answers}",
    "settled": "{space} is clear now",
    "turned": "the {star} faces {dial} {space}{doubt}",
    "rule_break": "rule broken: {rule}",
    "rule_mended": "put right: {rule}",
    "objective": "{card} {state}{name}",
    "source_lost": "the camera gives no picture; trying again",
    "source_back": "the camera is back",
}
_ON_A_TRACK = "{kind}: {count}{doubt}"
"""For other kinds of event, which are names of tracks. `turned` is a dial that was placed."""
_SURE = 0.9


@click.command()
@click.option(
    "--source",
    required=True,
    metavar="S",
    help="A camera's number (0 is the first), a stream's URL, or a video file.",
)
@profile_option
@click.option(
    "--game",
    type=click.Path(path_type=Path),
    help="A game file, to report its cards' progress too. Players sit left to right.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one event a line, as JSON.")
@libraries_silenced()
def live(source: str, profile: str, game: Path | None, as_json: bool) -> None:
    """Track the boards before a camera, in a stream or in a video file.

    Example: stargazer live --source 0 --game game.yaml
    """
    from scorer.datafile import read_data_file
    from scorer.referee import Referee
    from vision.live import ModelFrameReader, SourceError, Tracker, open_source, track
    from webapp.cli.terminal.photographs import calibrated_profile

    with input_errors():
        board = calibrated_profile(profile)
    rules, played = board.game, None
    if game is not None:
        with input_errors(game):
            played = rules.game_from_data(read_data_file(game), board.board, game.parent)
    try:
        opened = open_source(source)
        tracker = Tracker(ModelFrameReader(board), Referee(rules, board.board, played).news)
        if played is not None:
            tracker.play(rules.piece_roles(rules.game_data(played)))
        players = () if played is None else rules.player_names(played)
        names = {
            card.id: str(card.name)
            for seat in range(len(players))
            for card in rules.objectives(played, seat)
        }
        try:
            for event in track(opened, tracker):
                data = event.to_data()
                if as_json:
                    data.pop("reason", None)
                    print_json(data)
                else:
                    click.echo(event_in_words(data, rules, players, names))
        finally:
            opened.close()
    except SourceError as error:
        file = None if "://" in source else Path(source)
        raise InputError(str(error), file=file) from error
    if not tracker.boards:
        click.echo("stargazer: no board was seen; get the whole board into the picture", err=True)


def event_in_words(
    event: Mapping[str, Any],
    game: "Game[Any, Any, Any]",
    players: tuple[str, ...] = (),
    cards: Mapping[str, str] | None = None,
) -> str:
    """An event as a line, such as "1:12.4  board 1: red on ar3".

    Boards are named by their players, or numbered from 1.
    """
    minutes, seconds = divmod(event["t"], 60)
    time = f"{minutes:.0f}:{seconds:04.1f}"
    doubt = event.get("confidence", 1.0)
    dials = {piece.id: piece.dial for piece in game.pieces if piece.dial}
    dial = dials.get(event.get("star", ""), "")
    words = {
        **event,
        **{key: game.piece_name(event[key]) for key in ("star", "was") if key in event},
        "dial": dial,
        "doubt": "" if doubt >= _SURE else f" (perhaps: {doubt:.0%})",
        "state": "met" if event.get("met") else f"{event.get('progress', 0):.0%}",
        "name": f": {(cards or {})[event['card']]}" if event.get("card") in (cards or {}) else "",
    }
    if "answers" in event:
        words["answers"] = " or ".join(", ".join(one) or "empty" for one in event["answers"])
    if "rule" in event:
        words["rule"] = flag_in_words({**event, "kind": event["rule"]})
    said = _WORDS.get("turned" if dial else event["kind"], _ON_A_TRACK).format(**words)
    if "board" not in event:
        return f"{time}  {said}"
    return f"{time}  {_owner(event, game, players)}: {said}"


def _owner(event: Mapping[str, Any], game: "Game[Any, Any, Any]", players: tuple[str, ...]) -> str:
    """The owner of an event's board, or of its objective on a shared board."""
    number: int | None = event.get("player") if game.table.shared else event["board"]
    if number is not None and number < len(players):
        return players[number]
    return f"board {event['board'] + 1}"
