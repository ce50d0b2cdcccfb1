"""A game to be scored: who played, the night sky at its end and at each scoring phase."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.datafile import DataFileError
from scorer.flags import Flag
from scorer.polaris.board import BETWEEN_ENDS, STANDARD_SKY, SkyBoard
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.sky import Sky
from scorer.polaris.words import NEUTRAL

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
PHASES = 5


class GameFileError(DataFileError):
    """A game file with mistakes; `.problems` holds the key and reason of each, str() a line each.

    >>> from scorer.polaris.game_file import game_from_data
    >>> game_from_data({"players": [{"name": "Ana", "colour": "red"}], "stars": {}})
    Traceback (most recent call last):
    scorer.polaris.game.GameFileError: players: must be 2 to 4, not 1
    """


@dataclass(frozen=True)
class Player:
    """A player; what nobody has told yet is None.

    `marker` is where the score marker stood after the fifth phase, typed instead of being counted
    from the phases. `shooting` are the shooting stars left over.
    """

    name: str
    colour: str
    shooting: int | None = None
    personal: str | None = None
    marker: int | None = None

    def to_data(self) -> dict[str, Any]:
        """The player's entry in a game file."""
        data: dict[str, Any] = {"name": self.name, "colour": self.colour}
        more = {"shooting": self.shooting, "personal": self.personal, "marker": self.marker}
        return data | {key: value for key, value in more.items() if value is not None}


@dataclass(frozen=True)
class Snapshot:
    """The sky at one moment: as it lay, or the photograph that it is still to be read from.

    `flags` are what the reading of the photograph drew attention to.
    """

    sky: Sky | None = None
    photo: str | None = None
    flags: tuple[Flag, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there is a sky, or a photograph to read it from."""
        return self.sky is not None or self.photo is not None

    def to_data(self) -> dict[str, Any]:
        """The keys of a game file that say so."""
        data: dict[str, Any] = {} if self.photo is None else {"photo": self.photo}
        return data | (
            sky_data(self.sky.stars, self.sky.links, self.sky.new_moon) if self.sky else {}
        )


@dataclass(frozen=True)
class Phase:
    """A scoring phase: the card at the New Moon, who had the telescope, and the sky then."""

    card: str
    telescope: str
    snapshot: Snapshot = Snapshot()

    def to_data(self) -> dict[str, Any]:
        """The phase's entry in a game file."""
        return {"card": self.card, "telescope": self.telescope, **self.snapshot.to_data()}


@dataclass(frozen=True)
class Game:
    """Everything that a score is counted from.

    `end` is the sky after the fifth phase. It is that phase's sky too: either may be left out.

    >>> ana, eva = Player("Ana", "red"), Player("Eva", "blue")
    >>> game = Game((ana, eva), Snapshot(photo="sky.jpg"))
    >>> game.with_sky(Sky({"1a1": "red", "1c1": "white"})).end.sky.where("neutral")
    ('1c1',)
    """

    players: tuple[Player, ...]
    end: Snapshot = Snapshot()
    phases: tuple[Phase, ...] = ()
    edition: Edition = field(default_factory=lambda: load_edition("standard"))
    board: SkyBoard = STANDARD_SKY

    @property
    def colours(self) -> dict[str, str]:
        """The colour of each player, by name."""
        return {player.name: player.colour for player in self.players}

    @property
    def skies(self) -> tuple[Snapshot, ...]:
        """The snapshots of the phases there are, and last the end."""
        snapshots = [*(phase.snapshot for phase in self.phases), self.end]
        if len(self.phases) == PHASES:
            last, end = snapshots[-2:]
            snapshots[-2:] = [last if last.known else end, end if end.known else last]
        return tuple(snapshots)

    def with_sky(self, sky: Sky, phase: int | None = None, flags: tuple[Flag, ...] = ()) -> "Game":
        """The game with the sky that was read for a phase, counted from 0, or for the end."""
        snapshot = self.end if phase is None else self.phases[phase].snapshot
        read = replace(snapshot, sky=self.as_played(sky), flags=flags)
        if phase is None:
            return replace(self, end=read)
        phases = list(self.phases)
        phases[phase] = replace(phases[phase], snapshot=read)
        return replace(self, phases=tuple(phases))

    def as_played(self, sky: Sky) -> Sky:
        """A sky as a camera saw it: of two players, stars that nobody plays are neutral (P14)."""
        return sky.as_played(self.colours.values())

    def to_data(self) -> dict[str, Any]:
        """The game as a game file holds it; `game_from_data` reads it back."""
        data: dict[str, Any] = {
            "format": 1,
            "game": "polaris",
            "edition": self.edition.id,
            "players": [player.to_data() for player in self.players],
            **self.end.to_data(),
        }
        if self.phases:
            data["phases"] = [phase.to_data() for phase in self.phases]
            for phase, entry in zip(self.phases, data["phases"], strict=True):
                if phase.snapshot.sky and "neutral" in data:
                    entry.setdefault("neutral", [])  # or the game's would hold there
        return data


def sky_data(
    stars: Mapping[str, str], links: Iterable[str] = (), new_moon: int | None = None
) -> dict[str, Any]:
    """The keys by which a game file writes a sky: `stars`, `links`, `neutral` and `new_moon`.

    >>> sky_data({"1a1": "red", "1c1": "neutral"}, ["1a1-1b1"])
    {'stars': {'1a1': 'red'}, 'links': [['1a1', '1b1']], 'neutral': ['1c1']}
    """
    data: dict[str, Any] = {
        "stars": {space: colour for space, colour in stars.items() if colour != NEUTRAL},
        "links": [link.split(BETWEEN_ENDS) for link in links],
    }
    if neutral := [space for space, colour in stars.items() if colour == NEUTRAL]:
        data["neutral"] = neutral
    if new_moon is not None:
        data["new_moon"] = new_moon
    return data


def sky_from_data(data: Mapping[str, Any], board: SkyBoard = STANDARD_SKY) -> Sky:
    """The sky of such keys, which are known to have the right types. ValueError for no such sky.

    >>> sky_from_data({"stars": {"3b1": "red"}, "links": [["3b1", "polaris"]]}).links
    ('polaris-3b1',)
    """
    stars = dict(data.get("stars") or {}) | dict.fromkeys(data.get("neutral") or (), NEUTRAL)
    links = [
        board.link_between(a, b) or f"{a}{BETWEEN_ENDS}{b}" for a, b in data.get("links") or ()
    ]
    return Sky(stars, tuple(links), data.get("new_moon"), board)
