"""A score as the sheet that players know: one column each, a line for all that counts."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from webapp.terminal.flags import flag_in_words

CATEGORIES = ("personal", "career", "black", "constellation", "colour", "advanced")
_HEADINGS = {
    "personal": "Personal objective",
    "career": "Career",
    "black": "Black stars",
    "constellation": "Constellations",
    "colour": "Colours",
    "advanced": "Advanced",
}
_WIDTH_OF_A_FILE = 120
"""Columns where standard output is not a terminal, which would say its own width."""


def print_score(score: Mapping[str, Any], card_names: Mapping[str, str]) -> None:
    """Print a score (as `Score.to_data` gives it) as a sheet, with the ranking below.

    `card_names` has, by a card's number, what the card asks for.
    """
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_FILE
    console.print(sheet(score["players"], card_names))
    console.print(_ranking(score))
    for player in score["players"]:
        for note in _notes(player):
            console.print(f"! {player['name']}: {note}", style="yellow", markup=False)


def sheet(players: Iterable[Mapping[str, Any]], card_names: Mapping[str, str]) -> Table:
    """Lay out the players' lines side by side."""
    players = list(players)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_footer=True)
    table.add_column("", footer="Total", style="bold", no_wrap=True)
    table.add_column("")
    for player in players:
        mark = " *" if player["provisional"] else ""
        total = Text(f"{player['total']}{mark}", style="bold")
        table.add_column("", justify="right", footer=total, no_wrap=True)
        table.add_column(Text(player["name"], style="bold"), ratio=1)
    lines = [_by_row(player) for player in players]
    rows = sorted({row for of_player in lines for row in of_player}, key=_order(lines))
    for category, keys in groupby(rows, key=lambda row: row[0]):
        for index, row in enumerate(keys):
            heading = _HEADINGS[category] if index == 0 else ""
            cells = [cell for of_player in lines for cell in _cells(of_player.get(row))]
            table.add_row(heading, _subject(row[1], card_names), *cells)
        table.add_section()
    return table


Row = tuple[str, str]
"""A line's category, and which of that category it is: a card, a constellation, a colour."""


def _by_row(player: Mapping[str, Any]) -> dict[Row, Mapping[str, Any]]:
    return {_row(line): line for line in player["lines"]}


def _row(line: Mapping[str, Any]) -> Row:
    category = line["category"]
    if category == "personal":  # a card each, in one row
        return category, ""
    return category, line.get("card") or line.get(category, "")


def _order(lines: list[dict[Row, Mapping[str, Any]]]) -> Any:
    """Order rows by category, then as the players' own lines have them."""
    seen: dict[Row, int] = {}
    for of_player in lines:
        for row in of_player:
            seen.setdefault(row, len(seen))
    return lambda row: (CATEGORIES.index(row[0]), seen[row])


def _subject(key: str, card_names: Mapping[str, str]) -> str:
    return f"{key} {card_names[key]}" if key in card_names else key


def _cells(line: Mapping[str, Any] | None) -> tuple[Text, Text]:
    if line is None:
        return Text("-", style="dim"), Text("")
    how = line["calculation"]
    if line["category"] == "personal":
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


def _notes(player: Mapping[str, Any]) -> Iterable[str]:
    if player["provisional"]:
        cards = ", ".join(player["proposed"]) or "none"
        yield (
            f"* no career markers in the game file; fulfilled on the board: {cards}. "
            "Write `career: {}` or who was `first` or `later`"
        )
    for flag in player["flags"]:
        yield flag_in_words(flag)
