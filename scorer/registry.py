"""Games and what other rooms have for them, found by name through entry points.

A package that brings a game names it in its metadata, in one group a room:

    [project.entry-points."stargazer.games"]
    mine = "my_package.game:MINE"
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scorer.game import Game

GAMES = "stargazer.games"


class UnknownGameError(ValueError):
    """There is no game of this name, or nothing of the kind wanted for it."""


def names(group: str = GAMES) -> tuple[str, ...]:
    """The names in a group, in alphabetical order: of all games, where no group is named.

    >>> names("stargazer.nothing")
    ()
    """
    return tuple(sorted({entry.name for entry in entries(group)}))


@cache
def entries(group: str) -> tuple[EntryPoint, ...]:
    """What packages name in a group. All metadata are read for each group, once."""
    return tuple(entry_points(group=group))


@cache
def find(group: str, name: str) -> Any:
    """What a game's package has in a group. UnknownGameError where it has nothing."""
    for entry in entries(group):
        if entry.name == name:
            return entry.load()
    known = ", ".join(names(group)) or "none: is the package installed?"
    raise UnknownGameError(f"{name} is not known to {group}; there is {known}")


def find_game(name: str) -> Game[Any, Any, Any]:
    """The game of that name. UnknownGameError."""
    game: Game[Any, Any, Any] = find(GAMES, name)
    return game
