"""What is open on a table or before a player: the fields of a game's state marked `OnTable`."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, get_type_hints

from scorer.secrets import OfEachPlayer, Secret


@dataclass(frozen=True)
class OnTable:
    """Marks a field, or the return type of a property, as open to everybody.

    `term` is the glossary id that explains it. The value is the id of a piece, card or word,
    several ids, a count of each, or a number; for a `Secret` field only the number is open. Without
    a `term`, the value is an object with such fields of its own. A `market` has cards that players
    take from the table. With `at_zero`, a number is shown also when it is 0.
    """

    term: str = ""
    market: bool = False
    at_zero: bool = False


@dataclass(frozen=True)
class Thing:
    """Things on the table: a `count`, or ids with their counts.

    `backs` is set if they are face down, `market` if players take them from the table. It is false
    if there are none, unless it is shown `at_zero`.
    """

    name: str
    term: str
    count: int | None = None
    ids: Sequence[tuple[str, int]] = ()
    backs: bool = False
    market: bool = False
    at_zero: bool = False

    def __bool__(self) -> bool:
        return bool(self.count or self.ids or self.at_zero)


@dataclass(frozen=True)
class OpenTable:
    """The things open to everybody, and those before each player, in seat order."""

    common: Sequence[Thing]
    seats: Sequence[Sequence[Thing]]


def open_table(state: Any) -> OpenTable:
    """The open things in a state, as its viewer knows it."""
    common: list[Thing] = []
    seats: list[list[Thing]] = []
    for owned, things in _walked(state):
        if owned is None:
            common += things
        else:
            seats += [[] for _seat in range(owned + 1 - len(seats))]
            seats[owned] += things
    return OpenTable(common, seats)


def market(state: Any) -> Counter[str]:
    """The cards that players may take from the table; nothing that is hidden."""
    found = Counter[str]()
    for one in open_table(state).common:
        if one.market:
            found.update(dict(one.ids))
    return found


def _walked(value: Any) -> Iterator[tuple[int | None, Sequence[Thing]]]:
    """The things of a value and of the values in it, with the seat they belong to."""
    shown, nested = _marks(type(value))
    yield None, [_thing(name, mark, getattr(value, name), back) for name, mark, back in shown]
    for name, of_each in nested:
        inner = getattr(value, name)
        if of_each:
            for seat, own in enumerate(inner):
                if is_dataclass(own):
                    yield seat, [thing for _none, things in _walked(own) for thing in things]
        else:
            yield from _walked(inner)


def _thing(name: str, mark: OnTable, value: Any, back: Any) -> Thing:
    term = mark.term
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if value is None or isinstance(value, int):
        return Thing(name, term, value, at_zero=mark.at_zero)
    if isinstance(value, Mapping):
        return Thing(name, term, ids=[(str(id), count) for id, count in value.items() if count])
    several = (value,) if isinstance(value, str) else tuple(value)
    if back is not None:
        return Thing(name, term, len(several), backs=bool(several), at_zero=mark.at_zero)
    found = dict.fromkeys(str(id) for id in several if id)
    counts = [(id, several.count(id)) for id in found]
    return Thing(name, term, ids=counts, market=mark.market)


Marks = tuple[Sequence[tuple[str, OnTable, Any]], Sequence[tuple[str, bool]]]


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
        marks = [one for one in own if isinstance(one, OnTable)]
        of_each = any(isinstance(one, OfEachPlayer) for one in own)
        shown += [(name, mark, secret) for mark in marks if mark.term]
        nested += [(name, of_each)] if of_each or not all(mark.term for mark in marks) else []
    return shown, nested


_marks: Callable[[type], Marks] = cache(_found)
