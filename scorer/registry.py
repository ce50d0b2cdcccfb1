"""Games, and what other rooms add to them, found by name through entry points.

A package with a game declares it in its metadata, in one group for each room:

    [project.entry-points."stargazer.games"]
    mine = "my_package.game:MINE"
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scorer.game import Game

GAMES = "stargazer.games"
_installed = cache(entry_points)  # reads the metadata of every package


class UnknownGameError(ValueError):
    """There is no game of this name, or the group has nothing for it."""


def names(group: str = GAMES) -> tuple[str, ...]:
    """The sorted names in a group; by default the names of all games.

    >>> names("stargazer.nothing")
    ()
    """
    return tuple(sorted({entry.name for entry in entries(group)}))


@cache
def entries(group: str) -> tuple[EntryPoint, ...]:
    return tuple(_installed().select(group=group))


@cache
def find(group: str, name: str) -> Any:
    """What a game has in a group. Raise UnknownGameError if it has nothing."""
    for entry in entries(group):
        if entry.name == name:
            return entry.load()
    known = ", ".join(names(group)) or "none: is the package installed?"
    raise UnknownGameError(f"{name} is not known to {group}; there is {known}")


def find_game(name: str) -> Game[Any, Any, Any]:
    """The game of this name. Raise UnknownGameError."""
    game: Game[Any, Any, Any] = find(GAMES, name)
    return game
