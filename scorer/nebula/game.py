"""A game to score: players, cards, and the position of each board."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from scorer.flags import Flag
from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.edition import Edition, load_edition
from scorer.nebula.galaxy import Galaxy

Mode = Literal["intro", "full"]
Marker = Literal["first", "later"]
SLOTS = ("I", "II", "III", "IV")
MOST_PLAYERS = 4


class Values(NamedTuple):
    """The tokens on each track of the Values board that have moved, first place first."""

    colours: tuple[str, ...] = ()
    constellations: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Player:
    """A player with a galaxy, or the photograph to read it from, and cards and markers.

    `career` maps cards with the player's markers to `first` or `later`; None if not recorded.
    `flags` are those of the reading of the photograph.

    >>> ana = Player("Ana", photo="ana.jpg")
    >>> ana.with_galaxy(Galaxy({"core": "red"})).galaxy.count("red")
    1
    """

    name: str
    galaxy: Galaxy | None = None
    photo: str | None = None
    personal: str | None = None
    career: Mapping[str, Marker] | None = None
    flags: tuple[Flag, ...] = ()

    def with_galaxy(self, galaxy: Galaxy, flags: tuple[Flag, ...] = ()) -> "Player":
        return replace(self, galaxy=galaxy, flags=flags)

    def to_data(self) -> dict[str, Any]:
        """The player's entry in a game file."""
        data: dict[str, Any] = {"name": self.name}
        if self.photo is not None:
            data["photo"] = self.photo
        if self.galaxy is not None:
            data |= {"stars": dict(self.galaxy.stars), "black": self.galaxy.black}
        if self.personal is not None:
            data["personal"] = self.personal
        if self.career is not None:
            data["career"] = dict(self.career)
        return data


@dataclass(frozen=True)
class Game:
    """All input of a score."""

    players: tuple[Player, ...]
    mode: Mode = "full"
    career: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    values: Values | None = None
    edition: Edition = field(default_factory=lambda: load_edition("standard"))
    board: GalaxyBoard = STANDARD_BOARD

    def with_player(self, player: Player) -> "Game":
        """The game with the player of that name replaced. Raise KeyError if there is none."""
        if player.name not in [other.name for other in self.players]:
            raise KeyError(player.name)
        players = (player if other.name == player.name else other for other in self.players)
        return replace(self, players=tuple(players))

    def to_data(self) -> dict[str, Any]:
        """The data of a game file, as `game_from_data` reads it."""
        data: dict[str, Any] = {
            "format": 1,
            "game": "nebula",
            "mode": self.mode,
            "edition": self.edition.id,
            "career": list(self.career),
            "advanced": list(self.advanced),
        }
        if self.values is not None:
            data["values"] = {track: list(own) for track, own in self.values._asdict().items()}
        data["players"] = [player.to_data() for player in self.players]
        return data
