"""Validate plain data (`datafile.py`) with pydantic models, with mistakes in plain words.

Cross checks (a repeated name, two firsts on a card) need the valid part of a file even if something
else in it is wrong. So a wrong value is reported and left out, and the rest is read.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from scorer.datafile import Problem, key_of
from scorer.plain_data import shown


class FileModel(BaseModel):
    """A model of a file: strict types, unknown keys are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


Model = TypeVar("Model", bound=FileModel)
Context = TypeVar("Context")

Place = tuple[int | str, ...]
NO_MAPPING = {"dict_type", "model_type", "model_attributes_type"}
REASONS = {
    "missing": "missing",
    "string_type": "must be text (put it in quotes)",
    "string_too_long": "must have {max_length} characters at most",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must hold keys and values",
    "model_type": "must hold keys and values",
    "model_attributes_type": "must hold keys and values",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} at most",
    "literal_error": "must be {expected}",
}


def invalid(reason: str) -> PydanticCustomError:
    """An error for a validator to raise, with its own text."""
    return PydanticCustomError("invalid", "{reason}", {"reason": reason})


def at_most(most: int, reason: str = "has {count} entries, more than {most}") -> BeforeValidator:
    """Refuse a list or mapping with too many entries before any entry is validated."""

    def check(value: object) -> object:
        if isinstance(value, list | dict) and len(value) > most:
            raise invalid(reason.format(count=len(value), most=most))
        return value

    return BeforeValidator(check)


def not_blank(value: str) -> str:
    """Strip a text; refuse one that is blank."""
    if value.strip():
        return value.strip()
    raise invalid("must not be empty")


LONGEST_NAME = 100  # characters
LONGEST_PATH = 1000
Id = Annotated[str, Field(max_length=LONGEST_NAME)]
Name = Annotated[Id, AfterValidator(not_blank)]
MOST = 99
"""The most of anything that a file counts or lists for one player, without a bound by the game."""
Count = Annotated[int, Field(ge=0, le=MOST)]
Few = at_most(MOST)
Ids = Annotated[list[Id], Few]
FileName = Annotated[str, Field(max_length=LONGEST_PATH), AfterValidator(not_blank)]


def not_among(value: str, what: str, names: Sequence[str], listed: str = "") -> str:
    """Why a value is refused, with the most similar name, or all names.

    >>> not_among("yelow", "no colour", ("red", "yellow"))
    'yelow is no colour; did you mean yellow?'
    """
    near = get_close_matches(value, names, n=1)
    hint = f"; did you mean {near[0]}?" if near else f": {listed or ', '.join(names)}"
    return f"{value} is {what}{hint}"


def among(what: str, names: Sequence[str], listed: str = "") -> AfterValidator:
    """Accept one of `names`; `what` and `listed` as in `not_among`."""

    def check(value: str) -> str:
        if value in names:
            return value
        raise invalid(not_among(value, what, names, listed))

    return AfterValidator(check)


def unknown(key: str, value: str, what: str, names: Sequence[str]) -> Sequence[Problem]:
    """A problem unless a value is in `names`; `what` names its absence, such as "no colour"."""
    return [] if value in names else [(key, not_among(value, what, names))]


class Seated(Protocol):
    """A player in a game file."""

    @property
    def name(self) -> str:
        """The name, unique among the players."""

    @property
    def colour(self) -> str:
        """The colour, one of the game's, unique among the players."""


def seat_problems(
    players: Sequence[Seated], colours: Sequence[str], fewest: int = 1
) -> Iterator[Problem]:
    """Problems with the number of players, their names and their colours."""
    if not fewest <= len(players) <= len(colours):
        yield "players", f"must be {fewest} to {len(colours)}, not {len(players)}"
    names, taken = [own.name for own in players], [own.colour for own in players]
    for number, own in enumerate(players):
        key = f"players[{number}]"
        if not own.name or names.count(own.name) > 1:
            yield f"{key}.name", "every player needs a name of their own"
        if taken.count(own.colour) > 1:
            yield f"{key}.colour", f"{own.colour} is another player's too"
        yield from unknown(f"{key}.colour", own.colour, "no colour of a player", colours)


def context_of(info: ValidationInfo, kind: type[Context]) -> Context:
    """The context that `validate` was called with, of type `kind`."""
    assert isinstance(info.context, kind)
    return info.context


def on_board(
    board: type[Context], names: Callable[[Context], Container[Any]], reason: str
) -> AfterValidator:
    """Accept values among the names of the board that `validate` was called with.

    `reason` for others may contain `{value}`.
    """

    def check(value: Any, info: ValidationInfo) -> Any:
        if value in names(context_of(info, board)):
            return value
        raise invalid(reason.format(value=value))

    return AfterValidator(check)


def validate(
    model: type[Model], data: Mapping[str, Any], context: object = None
) -> tuple[Model, list[Problem]]:
    """The model of the valid part of `data`, and the problems of the rest.

    Every field of the model must have a default, used if its value is left out.
    """
    try:
        return model.model_validate(dict(data), context=context), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    problems = [(key_of(_place(detail)), reason_of(detail)) for detail in details]
    right = _without(data, [(_place(detail), detail["type"]) for detail in details])
    try:
        return model.model_validate(right, context=context), problems
    except ValidationError:  # keys that are not text cannot be located
        return model(), problems


def with_further(problems: Sequence[Problem], further: Iterable[Problem]) -> list[Problem]:
    """All problems, and those of `further` for keys without one."""
    known = {key for key, _ in problems}
    return [*problems, *(problem for problem in further if problem[0] not in known)]


def _place(detail: ErrorDetails) -> Place:
    """Where a value is wrong; a mistake in a key is located at its value."""
    location = detail["loc"]
    return location[:-1] if location[-1] == "[key]" else location


def reason_of(detail: ErrorDetails) -> str:
    """What is wrong with a value, in plain words."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "invalid":
        return str(context["reason"])
    said = REASONS[kind].format(**context) if kind in REASONS else detail["msg"]
    return f"{said}, not {shown(detail['input'])}"


def _without(data: Any, wrong: Iterable[tuple[Place, str]]) -> Any:
    """A copy of the data without the wrong values, given their places and pydantic error types.

    A wrong value that should be a mapping becomes an empty one, so that players keep their index.
    """
    inside: dict[int | str, list[tuple[Place, str]]] = {}
    for (part, *rest), mistake in wrong:
        inside.setdefault(part, []).append((tuple(rest), mistake))
    right: dict[int | str, Any] = {}
    for part, value in data.items() if isinstance(data, Mapping) else enumerate(data):
        mistakes = inside.get(part, [])
        here = {mistake for rest, mistake in mistakes if not rest}
        if not mistakes:
            right[part] = value
        elif not here and isinstance(value, Mapping | list):  # otherwise no type of a union fits
            right[part] = _without(value, mistakes)
        elif here & NO_MAPPING:
            right[part] = {}
    return right if isinstance(data, Mapping) else list(right.values())
