"""Secret fields of a game's state, which only their player sees.

In a state with `seats: Annotated[tuple[Seat, ...], OfEachPlayer()]`, a seat may have a field
`hand: Annotated[tuple[str, ...], Secret()]`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, get_type_hints

Value = TypeVar("Value")


@dataclass(frozen=True)
class Secret:
    """Marks a field that is hidden from others, who see `back` for each of its values but None.

    It belongs to the player of the enclosing `OfEachPlayer` value; a field marked with both has one
    value for each player.
    """

    back: Any = "?"


@dataclass(frozen=True)
class OfEachPlayer:
    """Marks a field with a value for each player, in seat order."""


def seen_by(state: Value, player: int | None) -> Value:
    """A state as a player may see it; None: as the public may."""
    return _seen(state, player)


def _seen(value: Value, player: int | None) -> Value:
    changes: dict[str, Any] = {}
    for name, (secret, is_of_each) in _marked(type(value)).items():
        was = getattr(value, name)
        if is_of_each:
            changes[name] = tuple(
                one if seat == player else _of_another(one, secret) for seat, one in enumerate(was)
            )
        else:
            changes[name] = _face_down(was, secret)
    return replace(value, **changes) if changes else value  # type: ignore[type-var]


def _of_another(value: Any, secret: Secret | None) -> Any:
    return _seen(value, None) if secret is None else _face_down(value, secret)


def _face_down(value: Any, secret: Secret) -> Any:
    if isinstance(value, tuple):
        return tuple(_face_down(one, secret) for one in value)
    return None if value is None else secret.back


def _marks(kind: type) -> Mapping[str, tuple[Secret | None, bool]]:
    found = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        own = getattr(hint, "__metadata__", ())
        secret = next((one for one in own if isinstance(one, Secret)), None)
        is_of_each = any(isinstance(one, OfEachPlayer) for one in own)
        if secret or is_of_each:
            found[name] = secret, is_of_each
    return found


_marked: Callable[[type], Mapping[str, Any]] = cache(_marks)
"""The fields of a class with a secret or a value for each player, with these marks."""
