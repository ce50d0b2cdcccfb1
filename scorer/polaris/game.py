"""A game to score: its players, and the night sky at each scoring phase and at the end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.flags import Flag
from scorer.polaris.board import BETWEEN_ENDS, STANDARD_SKY, SkyBoard
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.sky import Sky
from scorer.polaris.words import NEUTRAL

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
PHASES = 5


@dataclass(frozen=True)
class Player:
    """A player; values that are not known yet are None.

    `marker` is the score marker's position after the fifth phase, if entered instead of counted
    from the phases. `shooting` is the number of shooting stars left over.
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
    """The sky at one moment, or the photograph to read it from.

    `flags` are those of the reading of the photograph.
    """

    sky: Sky | None = None
    photo: str | None = None
    flags: tuple[Flag, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there is a sky, or a photograph to read it from."""
        return self.sky is not None or self.photo is not None

    def to_data(self) -> dict[str, Any]:
        """The keys of a game file for the sky."""
        data: dict[str, Any] = {} if self.photo is None else {"photo": self.photo}
        return data | (
            sky_data(self.sky.stars, self.sky.links, self.sky.new_moon) if self.sky else {}
        )


@dataclass(frozen=True)
class Phase:
    """A scoring phase: the card at the New Moon, the holder of the telescope, and the sky."""

    card: str
    telescope: str
    snapshot: Snapshot = Snapshot()

    def to_data(self) -> dict[str, Any]:
        """The phase's entry in a game file."""
        return {"card": self.card, "telescope": self.telescope, **self.snapshot.to_data()}


@dataclass(frozen=True)
class Game:
    """All input of a score.

    `end` is the sky after the fifth phase, which is also that phase's sky: either may be left out.

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
        """The snapshots of the phases given, and finally the end."""
        snapshots = [*(phase.snapshot for phase in self.phases), self.end]
        if len(self.phases) == PHASES:
            last, end = snapshots[-2:]
            snapshots[-2:] = [last if last.known else end, end if end.known else last]
        return tuple(snapshots)

    def with_sky(self, sky: Sky, phase: int | None = None, flags: tuple[Flag, ...] = ()) -> "Game":
        """The game with a sky that was read, for a phase, counted from 0, or for the end."""
        snapshot = self.end if phase is None else self.phases[phase].snapshot
        read = replace(snapshot, sky=self.as_played(sky), flags=flags)
        if phase is None:
            return replace(self, end=read)
        phases = list(self.phases)
        phases[phase] = replace(phases[phase], snapshot=read)
        return replace(self, phases=tuple(phases))

    def as_played(self, sky: Sky) -> Sky:
        """The sky with stars that nobody plays as neutral, if two play (P14)."""
        return sky.as_played(self.colours.values())

    def to_data(self) -> dict[str, Any]:
        """The data of a game file, as `game_from_data` reads it."""
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
                    entry.setdefault("neutral", [])  # otherwise the game's would apply
        return data


def sky_data(
    stars: Mapping[str, str], links: Iterable[str] = (), new_moon: int | None = None
) -> dict[str, Any]:
    """The keys of a sky in a game file: `stars`, `links`, `neutral` and `new_moon`.

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
    """The sky of such keys, whose types have been checked. Raise ValueError if it is impossible.

    >>> sky_from_data({"stars": {"3b1": "red"}, "links": [["3b1", "polaris"]]}).links
    ('polaris-3b1',)
    """
    stars = dict(data.get("stars") or {}) | dict.fromkeys(data.get("neutral") or (), NEUTRAL)
    links = [
        board.link_between(a, b) or f"{a}{BETWEEN_ENDS}{b}" for a, b in data.get("links") or ()
    ]
    return Sky(stars, tuple(links), data.get("new_moon"), board)
