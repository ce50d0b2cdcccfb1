"""A score as a sheet like the printed one: a column for each player, a row for each score line."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.scoresheet import PlayerScore
from webapp.app.session.score_game import ScoredGame
from webapp.cli.terminal.flags import flag_in_words

_WIDTH_OF_A_FILE = 120
"""The width in columns if standard output is not a terminal."""


def print_score(scored: ScoredGame) -> None:
    """Print a game's score as a sheet, with the ranking below."""
    score = scored.score.to_data()
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_FILE
    table = sheet(score["players"], scored.game.categories, scored.card_names)
    _fit(table, console)
    console.print(table)
    console.print(_ranking(score))
    for flag in scored.score.flags:
        console.print(f"! {flag_in_words(flag.in_words())}", style="yellow", markup=False)
    for player in scored.score.players:
        for note in _notes(player):
            console.print(f"! {player.name}: {note}", style="yellow", markup=False)


def _fit(table: Table, console: Console) -> None:
    """Let the text columns share the width; the words of the first column stay whole."""
    unbounded = console.options.update(max_width=10 * console.width)
    if console.measure(table, options=unbounded).maximum > console.width:
        table.expand = True
        first = table.columns[0]
        first.width = max(console.measure(cell).minimum for cell in first.cells)


def sheet(
    players: Sequence[Mapping[str, Any]],
    categories: Mapping[str, str],
    card_names: Mapping[str, str],
) -> Table:
    """Lay out the players' lines side by side, below a heading for each category."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, show_footer=True)
    table.add_column("", footer=Text("Total", style="bold"), ratio=2, overflow="fold")
    for player in players:
        mark = " *" if player["provisional"] else ""
        total = Text(f"{player['total']}{mark}", style="bold")
        table.add_column("", justify="right", footer=total, no_wrap=True)
        table.add_column(Text(player["name"], style="bold"), ratio=1, overflow="fold")
    lines = [_by_row(player, _single(players)) for player in players]
    rows = sorted({row for of_player in lines for row in of_player}, key=_order(lines, categories))
    for category, keys in groupby(rows, key=lambda row: row.category):
        heading = Text(str(categories[category]), style="bold")
        own = list(keys)
        if own[0].about:
            table.add_row(heading)
        for row in own:
            about = row.about
            cells = [
                cell for of_player in lines for cell in _cells(of_player.get(row), bool(about))
            ]
            named = f"{about} {card_names[about]}" if about in card_names else about
            subject = Padding(named, (0, 0, 0, 2)) if about else heading
            table.add_row("" if row.number else subject, *cells)
        table.add_section()
    return table


class Row(NamedTuple):
    """The category of a line, and its subject in it: a card, a colour; "" if it has none.

    `number` distinguishes a player's lines with the same subject.
    """

    category: str
    about: str
    number: int = 0


def _single(players: Sequence[Mapping[str, Any]]) -> set[str]:
    """Categories in which each player has one line, with their own subject: shown in one row."""
    lines = [(player["name"], line) for player in players for line in player["lines"]]
    each = Counter((name, line["category"]) for name, line in lines)
    several = {category for (_, category), count in each.items() if count > 1}
    about: dict[str, set[str]] = {}
    for _, line in lines:
        about.setdefault(line["category"], set()).add(line.get("card", ""))
    return {category for category, cards in about.items() if len(cards) > 1} - several


def _by_row(player: Mapping[str, Any], single: set[str]) -> dict[Row, Mapping[str, Any]]:
    rows: dict[Row, Mapping[str, Any]] = {}
    for line in player["lines"]:
        category = line["category"]
        about = "" if category in single else line.get("card") or line.get(category, "")
        alike = (Row(category, about, number) for number in count())
        rows[next(row for row in alike if row not in rows)] = line
    return rows


def _order(lines: list[dict[Row, Mapping[str, Any]]], categories: Mapping[str, str]) -> Any:
    """A sort key for rows: by category, then in the order of the players' lines."""
    seen: dict[Row, int] = {}
    for of_player in lines:
        for row in of_player:
            seen.setdefault(row, len(seen))
    order = list(categories)
    return lambda row: (order.index(row.category), seen[row])


def _cells(line: Mapping[str, Any] | None, named: bool) -> tuple[Text, Text]:
    if line is None:
        return Text("-", style="dim"), Text("")
    how = line["calculation"]
    if not named and "card" in line:
        how = f"{line['card']} {how}"
    style = "" if line["points"] else "dim"
    return Text(str(line["points"]), style=style), Text(how, style="dim")


def _ranking(score: Mapping[str, Any]) -> Text:
    totals = {player["name"]: player["total"] for player in score["players"]}
    text = Text()
    place = 1
    for names in score["ranking"]:
        text.append(f"{place}. {' and '.join(names)}", style="bold" if place == 1 else "")
        text.append(f" {totals[names[0]]}   ")
        place += len(names)
    return text


def _notes(player: PlayerScore) -> Iterator[str]:
    if player.hint:
        yield f"* {player.hint}"
    for flag in player.flags:
        yield flag_in_words(flag.in_words())
