"""Actions as short lines of text, written and read by the fields of their classes.

An action is a frozen dataclass whose fields are words, whole numbers, enums or literals, optional
ones, or tuples of these. Its line is the class's name and its fields in order, or follows `line`:

    @dataclass(frozen=True)
    class TakeCard:
        line: ClassVar[str] = "take {card}"
        card: Annotated[str, Part(private=True)]

`Part` annotates a field with more than its type says.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from scorer.places import Place, PlaceKind
from scorer.sentence import Value

Action = TypeVar("Action")
BETWEEN_ENDS = "-"
"""Joins the two spaces in the id of an edge."""
LONGEST = 200  # characters of a line, well above any action's
MOST_WORDS = 20  # of a line


class NotationError(ValueError):
    """A text that is no action; the message says why."""


@dataclass(frozen=True)
class Part:
    """Facts about a field of an action besides its type.

    `places` are the kinds of place that it may name; empty if it names none. `piece`: it names the
    piece put there. `none` is the word for None. `like` is a pattern of the field's words, needed
    to end a tuple that another follows. `private`: it is chosen from what only the player sees.
    `hidden`: it stays hidden from others after the action, always or for the values that match.
    `player`: it means a player by their colour in `Turns.answers`. `stands_for` is the property
    of the action with all the places for which the one of the field stands.
    """

    places: tuple[PlaceKind, ...] = ()
    piece: bool = False
    none: str = "none"
    like: str = r".+"
    private: bool = False
    hidden: bool | Callable[[Any], bool] = False
    player: bool = False
    stands_for: str = ""


PLAIN = Part()
LITERAL = Part(like="")
"""A word of a line that belongs to no field."""


def _parts(kind: type) -> Mapping[str, Part]:
    hints = get_type_hints(kind, include_extras=True)
    marks = {one.name: getattr(hints[one.name], "__metadata__", ()) for one in fields(kind)}
    return {
        name: next((one for one in own if isinstance(one, Part)), PLAIN)
        for name, own in marks.items()
    }


parts_of: Callable[[type], Mapping[str, Part]] = cache(_parts)
"""The fields of a class of actions by name, in order."""


def hides(action: object) -> bool:
    """Whether the text of an action reveals what only its player may know."""
    return any(
        one.hidden(getattr(action, name)) if callable(one.hidden) else one.hidden
        for name, one in parts_of(type(action)).items()
    )


def places_of(action: object) -> tuple[Place, ...]:
    """The places that an action names or means, in order."""
    found = []
    for name, own in parts_of(type(action)).items():
        value = getattr(action, own.stands_for or name)
        for word in (value if isinstance(value, tuple) else (value,)) if own.places else ():
            if word is not None:
                found.append(place_named(str(word), own))
    return tuple(found)


def place_named(word: str, own: Part) -> Place:
    """The place that a word of a part names; an edge is recognised by its two ends."""
    is_edge = "edge" in own.places and (BETWEEN_ENDS in word or len(own.places) == 1)
    return Place(word, "edge" if is_edge else own.places[0])


def laid_on(kinds: Sequence[type[Action]], place: Place, piece: str) -> Action | None:
    """The action that only puts a piece on a place, of the first class that fits, or None."""
    for kind in kinds:
        parts = parts_of(kind).values()
        named = [place.kind in one.places for one in parts if not one.piece]
        if named == [True]:
            words = {False: place.id, True: piece}
            with suppress(NotationError):
                return Notation((kind,)).read(
                    " ".join(
                        words[token.part.piece] if isinstance(token, _Field) else token
                        for token in _tokens(kind)
                    )
                )
    return None


@dataclass(frozen=True)
class Notation(Generic[Action]):
    """Text for actions of some classes; text is parsed as the first class that fits.

    >>> @dataclass(frozen=True)
    ... class Lay:
    ...     pebble: str
    ...     places: tuple[int, ...] = ()
    >>> lines = Notation((Lay,))
    >>> lines.write(Lay("red", (2, 3))), lines.read("lay red")
    ('lay red 2 3', Lay(pebble='red', places=()))
    """

    kinds: tuple[type[Action], ...]

    def write(self, action: Action) -> str:
        """The action as text, which `read` parses."""
        return " ".join(word for word, _part in self.words(action) if word)

    def words(self, action: Action) -> Sequence[tuple[str, Part]]:
        """The words of an action's text with their parts; the words of a tuple are joined."""
        return [
            (" ".join(token.write(getattr(action, token.name))), token.part)
            if isinstance(token, _Field)
            else (token, LITERAL)
            for token in _tokens(type(action))
        ]

    def said(self, action: Action) -> tuple[str, Mapping[str, Value]]:
        """The literal words of an action's text, joined by `_`, and its fields as phrase values.

        Properties of its class follow the fields.

        >>> @dataclass(frozen=True)
        ... class Lay:
        ...     line = "lay track {pebble}"
        ...     pebble: str
        >>> Notation((Lay,)).said(Lay("black"))
        ('lay_track', {'pebble': 'black'})
        """
        tokens = _tokens(type(action))
        values: dict[str, Value] = {}
        for token in tokens:
            if isinstance(token, _Field):
                value = getattr(action, token.name)
                words = tuple(token.write(value))
                is_number = isinstance(value, int)
                values[token.name] = words if token.many else value if is_number else words[0]
        own = [name for name, one in vars(type(action)).items() if isinstance(one, property)]
        values |= {name: getattr(action, name) for name in own}
        return "_".join(token for token in tokens if isinstance(token, str)), values

    def read(self, text: str) -> Action:
        """The action in a text, legal or not. Raise NotationError if there is none."""
        words = text.split()
        if len(text) <= LONGEST and len(words) <= MOST_WORDS:
            for kind in self.kinds:
                values = _values(_tokens(kind), words)
                if values is not None:
                    return kind(**values)
        known = ", ".join(dict.fromkeys(str(_tokens(kind)[0]) for kind in self.kinds))
        raise NotationError(f"{text[:100]!r} is no action; one begins with {known}")


@dataclass(frozen=True)
class _Field:
    """A field of a line; `read` parses a word of it, `many` marks a tuple."""

    name: str
    read: Callable[[str], Any]
    many: bool
    part: Part

    def write(self, value: Any) -> Sequence[str]:
        """The words of a value; none for an empty tuple."""
        return [
            self.part.none if one is None else str(one) for one in (value if self.many else [value])
        ]


def _line(kind: type) -> tuple[str | _Field, ...]:
    hints, parts = get_type_hints(kind), parts_of(kind)
    name = re.sub(r"(?<=.)(?=[A-Z])", "-", kind.__name__).lower()
    line = getattr(kind, "line", " ".join([name, *(f"{{{one}}}" for one in parts)]))
    return tuple(
        _field(word[1:-1], hints[word[1:-1]], parts[word[1:-1]]) if word[0] == "{" else word
        for word in line.split()
    )


_tokens: Callable[[type], tuple[str | _Field, ...]] = cache(_line)
"""The literal words and fields of a class's line."""


def _field(name: str, hint: Any, own: Part) -> _Field:
    many = get_origin(hint) is tuple
    of = get_args(hint)[0] if many else hint
    return _Field(name, _reader(of, own), many, own)


def _reader(hint: Any, own: Part) -> Callable[[str], Any]:
    """A parser for a word of a type, which raises ValueError for other words."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        readers = [_reader(one, own) for one in others]
        assert len(readers) == 1, "a field is of one type, or None"
        return lambda word: None if word == own.none else readers[0](word)
    if get_origin(hint) is Literal:
        return _among({str(value): value for value in get_args(hint)})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _among({str(value): value for value in hint})
    if hint is bool:
        return _among({"True": True, "False": False})
    if hint is int:
        return _whole_number
    assert hint is str, f"a line of text has no {hint}"
    return _like(re.compile(own.like))


def _among(known: Mapping[str, Any]) -> Callable[[str], Any]:
    def read(word: str) -> Any:
        if word not in known:
            raise ValueError(word)
        return known[word]

    return read


def _like(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def read(word: str) -> str:
        if not pattern.fullmatch(word):
            raise ValueError(word)
        return word

    return read


def _whole_number(word: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise ValueError(word)
    return int(word)


def _values(tokens: Sequence[str | _Field], words: Sequence[str]) -> dict[str, Any] | None:
    """The values of the fields in the words of a line; None if the words do not fit."""
    values: dict[str, Any] = {}
    left = list(words)
    for token in tokens:
        if isinstance(token, str):
            if left[:1] != [token]:
                return None
            del left[0]
            continue
        read: list[Any] = []
        while left and (token.many or not read):
            try:
                read.append(token.read(left[0]))
            except ValueError:
                break
            del left[0]
        if not token.many and not read:
            return None
        values[token.name] = tuple(read) if token.many else read[0]
    return None if left else values
