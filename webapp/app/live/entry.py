"""The log entries of a live game. The log is append-only.

Each entry has a number, counted per game, and a kind:

- `seen`: a camera's `event`, as `stargazer live --json` prints it, with its `source`
- `hand`: a player's `event` on the board `seat`, with `after`, the entry it follows if not the
  last; a `settled` one has `held`, the complete contents of a region by kind
- `amend`: the entry `entry` was wrong: `event` is what happened instead, None for nothing; without
  an `event` the original entry counts again
- `assign`: the board `board` of the camera `source` is that of `seat`; None: unowned, such as one
  that another camera sees better
- `playing`: pieces were removed, but the game goes on
- `restart`: earlier entries belong to another game; with `to`, the game that ended at that entry is
  resumed
- `card`: the camera `source` sees `here` cards of the market with the id `card`; or a player says
  that so many are there
- `guide`: an entry of a guided game, see `guide.history`

All other kinds are defined by the game, where it reduces them.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from calibration import Profile
from scorer.places import Place, PlaceKind

PIECE_CHANGES = ("placed", "replaced", "removed")
"""The live events of one space; the count of a track has the track's name as its kind."""

DOUBTFUL, SETTLED = "doubtful", "settled"
"""The live events that open and close a question about a region's contents."""
MOST_ANSWERS = 12

NEWS_OF_THE_SOURCE = ("board_found", "board_lost", "board_moved", "source_lost", "source_back")
"""The live events about how well the camera sees."""

DERIVED = ("rule_break", "rule_mended", "objective")
"""The live events that are derived from others, and recomputed so that corrections apply."""

MOST_BOARDS = 64
MOST_LEFT_GAMES = 20
"""The most abandoned games that are offered to be resumed."""
GUIDE = "guide"
CARD = "card"
NO_STEPS = ("amend", "assign", CARD, GUIDE)
"""Kinds of entries that are not steps of the timeline and cannot be corrected there."""
REPLAY = "replay"
"""The source name of a recording that is played into a game."""


def changes_a_board(event: Mapping[str, Any]) -> bool:
    """Whether an event changes pieces: on a space, in a region, or on a track."""
    return event["kind"] in PIECE_CHANGES or "count" in event or "held" in event


class BadEventError(ValueError):
    """An invalid event; the one-line message says what is wrong."""


class NotAdmittedError(BadEventError):
    """An event's piece cannot lie on its space; `admitted` are those that can."""

    def __init__(self, piece: str, space: str, admitted: Sequence[str]) -> None:
        super().__init__(f"star: {piece[:40]} cannot lie on {space}")
        self.space, self.admitted = space, admitted


@dataclass(frozen=True)
class Entry:
    number: int
    kind: str
    data: Mapping[str, Any]
    at: datetime


def of_this_game(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries of the game that is being played now.

    They start at the last restart that was not undone; a resumed game has its earlier entries, too.

    >>> from datetime import datetime
    >>> def told(*kinds):
    ...     every = [(kind, {}) if isinstance(kind, str) else kind for kind in kinds]
    ...     return [Entry(n, *one, datetime(2026, 1, 1)) for n, one in enumerate(every, 1)]
    >>> [e.number for e in of_this_game(told("hand", "hand", "restart", "hand"))]
    [3, 4]
    >>> [e.number for e in of_this_game(told("hand", "restart", "hand", ("restart", {"to": 1})))]
    [1, 4]
    """
    amended = {entry.data["entry"]: entry.data for entry in entries if entry.kind == "amend"}
    kept: list[Entry] = []
    end = len(entries)
    for entry in reversed(entries):
        if entry.number > end or entry.kind != "restart":
            continue
        if amended.get(entry.number, {}).get("event", ()) is None:
            continue  # undone
        kept = [*entries[entry.number - 1 : end], *kept]
        end = min(goes_back_to(entry), entry.number - 1)
        if end == 0:
            return kept
    return [*entries[:end], *kept]


@dataclass(frozen=True)
class LeftGame:
    """An abandoned game: its last entry, that entry's time, and its number of entries."""

    number: int
    at: datetime
    entries: int


def left_games(every: Sequence[Entry]) -> Sequence[LeftGame]:
    """Return the abandoned games, the latest first."""
    played = {entry.number for entry in of_this_game(every)}
    found: dict[int, LeftGame] = {}
    for restart in reversed(every):
        if restart.kind == "restart":
            counted = [one for one in of_this_game(every[: restart.number - 1]) if _is_event(one)]
            if counted and counted[-1].number not in {*played, *found}:
                found[counted[-1].number] = LeftGame(
                    restart.number - 1, counted[-1].at, len(counted)
                )
    return list(found.values())[:MOST_LEFT_GAMES]


def _is_event(entry: Entry) -> bool:
    return entry.kind not in ("restart", "assign", "amend", CARD)


def goes_back_to(restart: Entry) -> int:
    """Return the last entry of the game that a restart resumes, 0 for a new game."""
    number = restart.data.get("to", 0)
    return number if isinstance(number, int) and number > 0 else 0


def profile_numbered(profiles: Sequence[Profile], number: int) -> Profile | None:
    """Return the profile for a camera's board number; `profiles` has one of each kind of board."""
    table = profiles[0].game.table
    return dict(zip(table.boards, profiles, strict=False)).get(table.kind_numbered(number))


_KINDS: tuple[PlaceKind, ...] = ("spot", "dial", "edge", "region")
"""The kinds of places that an event's `space` may refer to."""


def place_named(profile: Profile, space: str) -> Place:
    """Return the place that an event's `space` refers to."""
    may_be = [Place(space, kind) for kind in _KINDS]
    return next((at for at in may_be if at in profile.places), may_be[0])


def checked_event(data: object, *profiles: Profile) -> dict[str, Any]:
    """Return a validated live event, with unknown keys removed.

    `profiles`, one of each kind of board at the table, define spaces, pieces and tracks. Raises
    BadEventError.

    >>> from calibration import load_profile
    >>> checked_event({"kind": "removed", "space": "ar3", "note": 1}, load_profile("standard"))
    {'kind': 'removed', 't': 0.0, 'board': 0, 'space': 'ar3'}
    """
    if not isinstance(data, Mapping):
        raise BadEventError("an event is an object with a kind")
    kind = data.get("kind")
    profile = profile_numbered(profiles, _board(data))
    if profile is None:
        raise BadEventError("board: no board of that kind is known")
    known = (*PIECE_CHANGES, DOUBTFUL, SETTLED, *profile.tracks, *NEWS_OF_THE_SOURCE, *DERIVED)
    if kind not in known:
        raise BadEventError(f"{str(kind)[:40]} is not a kind of event")
    event: dict[str, Any] = {"kind": kind, "t": _number(data, "t"), "board": _board(data)}
    if kind in PIECE_CHANGES:
        event["space"] = _one_of(
            data, "space", [place.id for place in profile.places if place.kind != "track"]
        )
    if kind in (DOUBTFUL, SETTLED):
        return event | _about_region(data, kind, profile)
    if kind in ("placed", "replaced"):
        event["star"] = _admitted_piece(data, profile, event["space"])
    region = Place(str(event.get("space")), "region")
    if region in profile.places:  # events count pieces by kind
        event["star"] = _one_of(data, "star", profile.game.admits(region))
        supply = next(one.supply for one in profile.game.pieces if one.id == event["star"])
        event["count"] = _one_of(data, "count", range(supply + 1))
    if kind in profile.tracks:
        event["count"] = _one_of(data, "count", range(len(profile.tracks[kind]) + 1))
    if data.get("was") in [piece.id for piece in profile.game.pieces]:
        event["was"] = data["was"]
    if data.get("found") is True:  # it was there when the camera first saw the place
        event["found"] = True
    if kind == "replaced" and data.get("exchanged") is True:
        event["exchanged"] = True
    if "confidence" in data:
        event["confidence"] = min(max(_number(data, "confidence"), 0.0), 1.0)
    return event


def _admitted_piece(data: Mapping[str, Any], profile: Profile, space: str) -> str:
    piece: str = _one_of(data, "star", [piece.id for piece in profile.game.pieces])
    admitted = profile.game.admits(place_named(profile, space))
    if piece not in admitted:
        raise NotAdmittedError(piece, space, admitted)
    return piece


def _about_region(data: Mapping[str, Any], kind: str, profile: Profile) -> dict[str, Any]:
    """Validate a doubt about a region, with the possible counts of each kind."""
    regions = [place.id for place in profile.places if place.kind == "region"]
    region = _one_of(data, "space", regions)
    if kind == SETTLED:
        return {"space": region}
    answers = data.get("answers")
    if not isinstance(answers, list) or len(answers) > MOST_ANSWERS:
        raise BadEventError("answers: a short list is expected")
    held = possible_answers(answers, profile, Place(region, "region"))
    return {"space": region, "answers": [[f"{n} {own}" for own, n in one.items()] for one in held]}


def possible_answers(
    answers: Iterable[Any], profile: Profile, region: Place
) -> Sequence[dict[str, int]]:
    """Return those answers of a camera that are possible, as counts of each kind."""
    found = []
    for one in answers:
        with suppress(BadEventError):
            found.append(answered(one, profile, region))
    return found


def answered(counts: Any, profile: Profile, region: Place) -> dict[str, int]:
    """Parse an answer to counts of each kind in a region. Raises BadEventError."""
    if not isinstance(counts, list | tuple):
        raise BadEventError("answers: each is a list")
    supply = {piece.id: piece.supply for piece in profile.game.pieces}
    held: dict[str, int] = {}
    for one in counts:
        count, _, kind = str(one).partition(" ")
        is_count = count.isascii() and count.isdecimal() and len(count) <= 3
        if kind not in profile.game.admits(region) or kind in held or not is_count:
            raise BadEventError(f"answers: {str(one)[:40]} is not possible here")
        held[kind] = _one_of({"count": int(count)}, "count", range(1, supply[kind] + 1))
    return held


def _one_of(data: Mapping[str, Any], key: str, known: Any) -> Any:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
        raise BadEventError(f"{key}: {str(value)[:40]} is not possible here")
    return value


def _board(data: Mapping[str, Any]) -> int:
    number = data.get("board", 0)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < MOST_BOARDS:
        raise BadEventError("board: a number from 0 is expected")
    return number


def _number(data: Mapping[str, Any], key: str) -> float:
    value = data.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise BadEventError(f"{key}: a number is expected")
    return float(value)
