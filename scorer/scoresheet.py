"""Scores of any game: lines, players, ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scorer.flags import Flag
from scorer.sentence import Phrasebook, Sentence


@dataclass(frozen=True)
class Line:
    """One line of a player's score: category, points, explanation, and the spaces that earn them.

    `subject` specifies the category, such as {"card": "V5"}. Lines of cards have `progress` (0 to
    1) and `missing` (the spaces in the way). `links` earn the points on boards where links are
    pieces. `in_full` is a `calculation` of bare numbers with what they count, for people.
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
        """The calculation for people."""
        return self.in_full or self.calculation

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The line as JSON data, with its calculation in a language."""
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
    """One player's lines; `total` is their sum, `provisional` if some are proposed."""

    @property
    def name(self) -> str:
        """The player's name."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines in the order of a score sheet."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What a person should look at."""

    @property
    def provisional(self) -> bool:
        """Whether some lines are proposed."""

    @property
    def hint(self) -> Sentence | str:
        """What would make a provisional score final; "" if nothing is needed."""

    @property
    def total(self) -> int:
        """The sum of the lines' points."""


class Score(Protocol):
    @property
    def players(self) -> Sequence[PlayerScore]:
        """The players in the order of the game file."""

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Names by place, best first; ties share a place."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """What a person should look at that belongs to no player, such as on a shared board."""

    def tie_break(self, name: str) -> Sentence | str:
        """What decided between this player and others with the same total, if anything, in words.

        "" if no other has the same total.
        """

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The score object as JSON data.

        `format` (1), `game`, `players`, and `ranking` as above; each player has `name`, `total`,
        `provisional`, `lines` and `flags`.
        """


@dataclass(frozen=True)
class PlayerSheet:
    """A player's lines and flags (a `PlayerScore`)."""

    name: str
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...] = ()
    provisional: bool = False
    hint: Sentence | str = ""

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """The player's part of a score object."""
        return {
            "name": self.name,
            "total": self.total,
            "provisional": self.provisional,
            "lines": [line.to_data(language) for line in self.lines],
            "flags": [flag.to_data() for flag in self.flags],
        }


@dataclass(frozen=True)
class ScoreSheet:
    """A score (a `Score`) in which most points win and ties share a place."""

    game: str
    players: tuple[PlayerSheet, ...]
    flags: tuple[Flag, ...] = ()

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Names by place, most points first."""
        return places({player.name: (player.total,) for player in self.players})

    def tie_break(self, name: str) -> Sentence | str:
        """A text that the place is shared, or ""."""
        shared = any(name in place and len(place) > 1 for place in self.ranking)
        return _WORDS.say("shared") if shared else ""

    def to_data(self, language: str = "en") -> dict[str, Any]:
        return {
            "format": 1,
            "game": self.game,
            "players": [player.to_data(language) for player in self.players],
            "ranking": [list(place) for place in self.ranking],
            "flags": [flag.to_data() for flag in self.flags],
        }


def winning_margin(score: Score) -> int:
    """Return how many points more the winner has than anybody else; 0 if others have as many.

    A game may be won with fewer points.
    """
    winners = score.ranking[0]
    totals = [one.total for one in score.players if one.name in winners]
    others = [one.total for one in score.players if one.name not in winners]
    return max(0, totals[0] - max(others)) if len(totals) == 1 and others else 0


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
    """Names by place, best first; results compare as tuples, greater is better, ties share a place.

    >>> places({"Ana": (50, 3), "Eva": (61, 2), "Luis": (50, 3)})
    (('Eva',), ('Ana', 'Luis'))
    """
    best_first = sorted(set(results.values()), reverse=True)
    return tuple(
        tuple(name for name, own in results.items() if own == result) for result in best_first
    )
