"""A reading as a table: the star on each space, and where to look."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from scorer.datafile import printable
from scorer.registry import find_game
from webapp.cli.terminal.flags import flag_in_words

_DARK = 150
"""The sum of an RGB colour's levels below which it counts as dark."""


def print_reading(reading: Mapping[str, Any]) -> None:
    """Print a reading (as from `Reading.to_data`) for a person."""
    width, height = reading["size"]
    boards = reading["boards"]
    head = f"{printable(reading['photo'])}: {width} x {height}, {_counted(len(boards), 'board')}"
    if "timing_ms" in reading:
        head += f", read in {reading['timing_ms']['total']:.0f} ms"
    console = Console(highlight=False)
    console.print(head, style="bold")
    for board in boards:
        console.print(board_table(board))
    for card in reading.get("cards", ()):
        console.print(_card(card))


def _card(read: Mapping[str, Any]) -> Text:
    from vision.cards import UNCERTAIN_BELOW  # only here, as boards without cards are printed, too

    if read["confidence"] >= UNCERTAIN_BELOW:
        return Text(f"card {read['card']}")
    likely = {read["card"]: read["confidence"], **read.get("alternatives", {})}
    listed = ", ".join(f"{card} {p:.0%}" for card, p in likely.items())
    return Text(f"not sure which card this is ({listed})", style="yellow")


def board_table(board: Mapping[str, Any]) -> RenderableType:
    """A board of a reading: one row for each group of spaces with the same letters in their ids."""
    game = find_game(board["game"])
    styles = {piece.id: _style(piece.colour) for piece in game.pieces}
    doubtful = {
        space
        for flag in board["flags"]
        if flag["kind"] in ("uncertain", "hidden")
        for space in flag["spaces"]
    }
    rows: dict[str, list[Text]] = {}
    for name, read in board["spaces"].items():
        rows.setdefault(name.rstrip("0123456789"), []).append(
            _space(name, read["star"], styles, name in doubtful)
        )
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for row in rows.values():
        table.add_row(*row)
    return Group(table, *_lines_below(board, [str(piece.id) for piece in game.pieces]))


def _lines_below(board: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[Text]:
    for track in (key for key, read in board.items() if key in pieces and "count" in read):
        yield Text(f"{_counted(board[track]['count'], f'{track} star')} on the track")
    if "links" in board:
        laid = [name for name, read in board["links"].items() if read["link"]]
        yield Text(f"{_counted(len(laid), 'link')}: {', '.join(laid)}" if laid else "no links")
    for region, read in board.get("regions", {}).items():
        held = ", ".join(f"{count} {piece}" for piece, count in read["pieces"].items())
        yield Text(f"{region}: {held or 'nothing'}")
    for piece in find_game(board["game"]).pieces:
        if piece.dial and piece.id in board:
            name = find_game(board["game"]).piece_name(piece.id)
            yield Text(f"{name}: {piece.dial} {board[piece.id][piece.dial]}")
    for loose in board["loose"]:
        x, y = loose["at"]
        yield Text(f"! a {loose['star']} star lies on no space, at pixel {x:.0f}, {y:.0f}")
    for flag in board["flags"]:
        yield Text(f"! {flag_in_words(flag)}", style="yellow")


def _style(colour: str) -> str:
    """A piece's own colour; grey for dark ones, so that they show on a dark terminal."""
    dark = sum(bytes.fromhex(colour[1:])) < _DARK
    return "bright_black" if dark else colour


def _space(name: str, star: str | None, styles: Mapping[str, str], doubtful: bool) -> Text:
    text = Text(f"{name} ")
    text.append(star or "-", style=styles[star] if star else "dim")
    if doubtful:
        text.append("?", style="yellow")
    return text


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
