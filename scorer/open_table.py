"""What lies open on a table, or before a player: fields of a game's state that are `OnTable`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, get_type_hints

from scorer.secrets import OfEachPlayer, Secret


@dataclass(frozen=True)
class OnTable:
    """Marks a field, or the type that a property returns, as lying open.

    `term` is the word of the game's glossary that explains it. The value is a piece, a card or a
    word by its id, several of them, how many there are of each, or a number; of a `Secret` one it
    is open how many there are. A value that has such fields of its own is marked with no term.
    """

    term: str = ""


@dataclass(frozen=True)
class Thing:
    """What lies there: `count` of something, or things by their ids with how many of each.

    `backs` is set where they lie face down.
    """

    name: str
    term: str
    count: int | None = None
    ids: Sequence[tuple[str, int]] = ()
    backs: bool = False

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.count or self.ids)


@dataclass(frozen=True)
class OpenTable:
    """What lies there for everybody, and before each player in the order of seats."""

    common: Sequence[Thing]
    seats: Sequence[Sequence[Thing]]


def open_table(state: Any) -> OpenTable:
    """What lies open in a state as whoever looks knows it."""
    common: list[Thing] = []
    seats: list[list[Thing]] = []
    for owned, things in _walked(state):
        if owned is None:
            common += things
        else:
            seats += [[] for _seat in range(owned + 1 - len(seats))]
            seats[owned] += things
    return OpenTable(common, seats)


def _walked(value: Any) -> Iterator[tuple[int | None, Sequence[Thing]]]:
    """The things of a value and of the values in it; with the seat whose they are."""
    shown, nested = _marks(type(value))
    yield None, [_thing(name, term, getattr(value, name), back) for name, term, back in shown]
    for name, of_each in nested:
        inner = getattr(value, name)
        if of_each:
            for seat, own in enumerate(inner):
                if is_dataclass(own):
                    yield seat, [thing for _none, things in _walked(own) for thing in things]
        else:
            yield from _walked(inner)


def _thing(name: str, term: str, value: Any, back: Any) -> Thing:
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if value is None or isinstance(value, int):
        return Thing(name, term, value)
    if isinstance(value, Mapping):
        return Thing(name, term, ids=[(str(id), count) for id, count in value.items() if count])
    several = (value,) if isinstance(value, str) else tuple(value)
    if back is not None:
        return Thing(name, term, len(several), backs=bool(several))
    found = dict.fromkeys(str(id) for id in several if id)
    return Thing(name, term, ids=[(id, several.count(id)) for id in found])


Marks = tuple[Sequence[tuple[str, str, Any]], Sequence[tuple[str, bool]]]


def _found(kind: type) -> Marks:
    """The `OnTable` fields and properties of a class, and the fields to look into."""
    if not is_dataclass(kind):
        return (), ()
    hints = get_type_hints(kind, include_extras=True)
    for name, member in vars(kind).items():
        if isinstance(member, property) and member.fget is not None:
            hints[name] = get_type_hints(member.fget, include_extras=True).get("return")
    shown, nested = [], []
    for name, hint in hints.items():
        own = getattr(hint, "__metadata__", ())
        secret = next((one.back for one in own if isinstance(one, Secret)), None)
        terms = [one.term for one in own if isinstance(one, OnTable)]
        of_each = any(isinstance(one, OfEachPlayer) for one in own)
        shown += [(name, term, secret) for term in terms if term]
        nested += [(name, of_each)] if of_each or "" in terms else []
    return shown, nested


_marks: Callable[[type], Marks] = cache(_found)
