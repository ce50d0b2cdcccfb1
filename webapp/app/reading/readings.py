"""Readings as JSON data, with the rules that their boards break."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibration import Profile
from scorer.flags import RuleBreak
from vision import BoardReading, Reading, profile_of


def rule_breaks(board: BoardReading, profile: Profile) -> tuple[RuleBreak, ...]:
    game = profile.game
    return game.rule_breaks(game.position(profile.board, board.pieces))


def reading_data(
    reading: Reading, profiles: Sequence[Profile], in_words: bool = False, colours: bool = False
) -> dict[str, Any]:
    """Return a reading as JSON data, with broken rules among each board's flags.

    Each board was read with one of the `profiles`. Only the companion uses `colours` of spaces.
    """
    data = reading.to_data(colours)
    for board, written in zip(reading.boards, data["boards"], strict=True):
        written["flags"] += [
            broken.in_words() if in_words else broken.to_data()
            for broken in rule_breaks(board, profile_of(board, profiles))
        ]
    return data


def without_colours(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reading without the colours of spaces, in the public format."""
    boards = [
        {
            **board,
            "spaces": {
                space: {key: value for key, value in seen.items() if key != "colour"}
                for space, seen in board["spaces"].items()
            },
        }
        for board in data["boards"]
    ]
    return {**data, "boards": boards}


def in_reading_order(boards: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the numbers of a reading's boards row by row, left to right.

    Boards are in one row if their centres differ in height by less than half a board.
    """
    places = [_place(board["corners"]) for board in boards]
    rows: list[list[int]] = []
    for number in sorted(range(len(boards)), key=lambda one: places[one][1]):
        (_x, y, height) = places[number]
        if rows and y - places[rows[-1][0]][1] < height / 2:
            rows[-1].append(number)
        else:
            rows.append([number])
    return [number for row in rows for number in sorted(row, key=lambda one: places[one][0])]


def _place(corners: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Return a board's centre x, y and its height in the photograph, px."""
    xs, ys = zip(*corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys), max(ys) - min(ys)
