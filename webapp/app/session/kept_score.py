"""Stored scores, independent of later changes of board and program.

Sentences are stored in all languages, with spaces by the names of the board at that time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scorer.flags import Flag
from scorer.scoresheet import Line, Score
from scorer.sentence import LANGUAGES, Phrasebook, Sentence

PlaceName = Callable[[str, str], str]
"""Returns the translation of a word in a sentence, such as a space's id."""


@dataclass(frozen=True)
class KeptPlayer:
    """A player's part of a stored score; see `scorer.scoresheet.PlayerScore`."""

    name: str
    total: int
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...]
    decided: Sentence | str
    provisional: bool = False
    hint: str = ""


@dataclass(frozen=True)
class KeptScore:
    """A stored score; see `scorer.scoresheet.Score`. `data` is its JSON data."""

    players: tuple[KeptPlayer, ...]
    ranking: tuple[tuple[str, ...], ...]
    flags: tuple[Flag, ...]
    data: Mapping[str, Any]

    def tie_break(self, name: str) -> Sentence | str:
        """Return what decided a tie with this player's total; "" without a tie."""
        return next(player.decided for player in self.players if player.name == name)

    def to_data(self, language: str = "en") -> dict[str, Any]:
        """Return the stored data, which has all languages."""
        return dict(self.data)


def to_data(score: Score, place_name: PlaceName) -> dict[str, Any]:
    """Return a score as JSON data for storage."""

    def said(text: Sentence | str | None) -> Any:
        if not isinstance(text, Sentence):
            return text
        return {
            language: text.in_language(language, partial(place_name, language))
            for language in LANGUAGES
        }

    def flag(one: Flag) -> dict[str, Any]:
        data = {"kind": one.kind, "spaces": one.spaces, "more": dict(one.more)}
        return {**data, "reason": said(one.reason)}

    def line(one: Line) -> dict[str, Any]:
        own = {key: getattr(one, key) for key in ("category", "points", *_PLACES, "progress")}
        words = {"calculation": said(one.calculation), "in_full": said(one.in_full)}
        return {**own, **words, "subject": dict(one.subject)}

    return {
        "players": [
            {
                "name": player.name,
                "total": player.total,
                "lines": [line(one) for one in player.lines],
                "flags": [flag(one) for one in player.flags],
                "decided": said(score.tie_break(player.name)),
            }
            for player in score.players
        ],
        "ranking": score.ranking,
        "flags": [flag(one) for one in score.flags],
    }


_PLACES = ("spaces", "missing", "links")


def from_data(data: Mapping[str, Any]) -> KeptScore:
    """Parse a stored score.

    Raises ValueError, KeyError, TypeError and AttributeError for invalid data.
    """
    players = tuple(
        KeptPlayer(
            _text(one["name"]),
            _number(one["total"]),
            tuple(_line(line) for line in one["lines"]),
            tuple(_flag(flag) for flag in one["flags"]),
            _sentence(one["decided"]),
        )
        for one in data["players"]
    )
    ranking = tuple(_texts(place) for place in data["ranking"])
    names = [player.name for player in players]
    if sorted(name for place in ranking for name in place) != sorted(names):
        raise ValueError("a ranking of others")
    return KeptScore(players, ranking, tuple(_flag(one) for one in data["flags"]), data)


def _line(data: Mapping[str, Any]) -> Line:
    subject, progress = data["subject"], data["progress"]
    if not all(isinstance(own, str | int) for pair in subject.items() for own in pair):
        raise ValueError("a line about nothing")
    return Line(
        category=_text(data["category"]),
        points=_number(data["points"]),
        calculation=_sentence(data["calculation"]),
        subject=dict(subject),
        progress=None if progress is None else float(progress),
        in_full=None if data["in_full"] is None else _sentence(data["in_full"]),
        **{key: _texts(data[key]) for key in _PLACES},
    )


def _flag(data: Mapping[str, Any]) -> Flag:
    more = dict(data["more"])
    if "links" in more:
        more["links"] = _texts(more["links"])
    return Flag(_text(data["kind"]), _texts(data["spaces"]), more, _sentence(data["reason"]))


def _sentence(said: Any) -> Sentence:
    """Return a sentence with fixed translations."""
    if isinstance(said, str):
        said = dict.fromkeys(LANGUAGES, said)
    plain = {one: _text(said[one]).replace("{", "{{").replace("}", "}}") for one in LANGUAGES}
    return Phrasebook({"said": plain}, {}).say("said")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _number(value: Any) -> int:
    if not isinstance(value, int) or abs(value) > 10**6:
        raise TypeError("no number of points")
    return value
