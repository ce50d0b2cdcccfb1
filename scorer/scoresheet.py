"""What a score of any game is, its lines, and places in a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scorer.flags import Flag
from scorer.sentence import Phrasebook, Sentence


@dataclass(frozen=True)
class Line:
    """One line of a player's score: what for, how many points, why, and which spaces earn them.

    `subject` says what of the category it is about, such as {"card": "V5"}. `progress` (0 to 1)
    and `missing` (the spaces in the way) are there where the line is a card's. `links` are those
    that earn the points, on boards where links are pieces. `in_full` is a calculation of bare
    numbers with what they count, for people.
    """

    category: str
    points: int
    calculation: Sentence
    spaces: tuple[str, ...] = ()
    subject: Mapping[str, str | int] = field(default_factory=dict)
    progress: float | None = None
    missing: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    in_full: Sentence | None = field(default=None, compare=False)

    @property
    def explanation(self) -> Sentence:
        """The calculation as a page tells it."""
        return self.in_full or self.calculation

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The line as JSON data, its calculation in a language."""
        data: dict[str, Any] = {
            "category": self.category,
            **self.subject,
            "points": self.points,
            "calculation": self.calculation.in_language(language),
            "spaces": list(self.spaces),
        }
        if self.links:
            data["links"] = list(self.links)
        if self.progress is not None:
            data |= {"progress": round(self.progress, 3), "missing": list(self.missing)}
        return data


class PlayerScore(Protocol):
    """One player's lines; `total` is their sum, `provisional` says that some are proposed."""

    @property
    def name(self) -> str:
        """The player's."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """In the order of a score sheet."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What a person should look at."""

    @property
    def provisional(self) -> bool:
        """Whether some lines are proposed."""

    @property
    def hint(self) -> Sentence | str:
        """What would make a provisional score a final one; "" where nothing is needed."""

    @property
    def total(self) -> int:
        """The sum of the lines' points."""


class Score(Protocol):
    """What a game ends in."""

    @property
    def players(self) -> Sequence[PlayerScore]:
        """In the order of the game file."""

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Names by place, best first, shared places together."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What a person should look at on what is everybody's, such as a shared board."""

    def tie_break(self, name: str) -> Sentence | str:
        """What decided, or that nothing does, in words, where others have this player's total.

        "" where none has.
        """

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The score object of the interfaces, JSON data.

        `format` (1), `game`, `players`, and `ranking` as above; of each player `name`, `total`,
        `provisional`, `lines` and `flags`.
        """


@dataclass(frozen=True)
class PlayerSheet:
    """A player's lines, and what is to be known of them (a `PlayerScore`)."""

    name: str
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...] = ()
    provisional: bool = False
    hint: Sentence | str = ""

    @property
    def total(self) -> int:
        """Their sum."""
        return sum(line.points for line in self.lines)

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """As a score object has them."""
        return {
            "name": self.name,
            "total": self.total,
            "provisional": self.provisional,
            "lines": [line.to_data(language) for line in self.lines],
            "flags": [flag.to_data() for flag in self.flags],
        }


@dataclass(frozen=True)
class ScoreSheet:
    """A score (a `Score`) that most points win; who has as many shares the place."""

    game: str
    players: tuple[PlayerSheet, ...]
    flags: tuple[Flag, ...] = ()

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Most points first."""
        return places({player.name: (player.total,) for player in self.players})

    def tie_break(self, name: str) -> Sentence | str:
        """That a place is shared, where others have this player's total; "" where none has."""
        shared = any(name in place and len(place) > 1 for place in self.ranking)
        return _WORDS.say("shared") if shared else ""

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The score object."""
        return {
            "format": 1,
            "game": self.game,
            "players": [player.to_data(language) for player in self.players],
            "ranking": [list(place) for place in self.ranking],
            "flags": [flag.to_data() for flag in self.flags],
        }


_WORDS = Phrasebook(
    {
        "shared": {
            "en": "the same points: the place is shared",
            "es": "mismos puntos: comparten el lugar",
            "cs": "stejný počet bodů: místo je společné",
        }
    },
    {},
)


def places(results: Mapping[str, tuple[int, ...]]) -> tuple[tuple[str, ...], ...]:
    """Who shares each place, best first; of results, the greater is better, then the next number.

    >>> places({"Ana": (50, 3), "Eva": (61, 2), "Luis": (50, 3)})
    (('Eva',), ('Ana', 'Luis'))
    """
    best_first = sorted(set(results.values()), reverse=True)
    return tuple(
        tuple(name for name, own in results.items() if own == result) for result in best_first
    )
