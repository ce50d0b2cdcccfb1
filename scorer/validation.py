"""Reading plain data into a pydantic model with every mistake said in plain words.

Cross checks (a name given twice, two firsts on a card) need what is right in a file even where
something else in it is wrong. So a wrong value is reported, left out, and the rest is read.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from scorer.datafile import Problem


class FileModel(BaseModel):
    """A model of a file: no value is bent into another type, unknown keys are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


Model = TypeVar("Model", bound=FileModel)

REASONS = {
    "missing": "missing",
    "string_type": "must be text (put it in quotes)",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must hold keys and values",
    "model_type": "must hold keys and values",
    "model_attributes_type": "must hold keys and values",
}


def invalid(reason: str) -> PydanticCustomError:
    """The error that a validator raises to say something in its own words."""
    return PydanticCustomError("invalid", "{reason}", {"reason": reason})


def validate(
    model: type[Model], data: Mapping[str, Any], context: object = None
) -> tuple[Model, list[Problem]]:
    """The model of what is right in `data`, and the problems of what is not.

    Every field of the model must have a default, for the case that its value is left out.
    """
    problems: list[Problem] = []
    try:
        right = deepcopy(dict(data))
    except RecursionError:
        return model(), [("", "nested too deep to be data")]
    while True:
        try:
            return model.model_validate(right, context=context), problems
        except ValidationError as error:
            details = error.errors(include_url=False)
            problems += [(key_of(detail["loc"]), _reason(detail)) for detail in details]
            # once a place, though both a key and its value may be wrong; backwards, so that the
            # places of the other items of a list stay what they are
            wrong_at = {_place(detail["loc"]): detail["type"] for detail in details}
            for place in sorted(wrong_at, key=_in_order, reverse=True):
                _leave_out(right, place, wrong_at[place])


def key_of(location: tuple[int | str, ...]) -> str:
    """A place in the data as a person would write it.

    >>> key_of(("players", 0, "stars", "ar1"))
    'players[0].stars.ar1'
    """
    parts = _place(location)
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts).lstrip(".")


def _place(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """A place in the data; what is wrong with a key is found where its value is."""
    return tuple(part for part in location if part != "[key]")


def _reason(detail: ErrorDetails) -> str:
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind == "invalid":
        return str(context["reason"])
    shown = _shown(detail["input"])
    if kind == "greater_than_equal":
        return f"must be {context['ge']} or more, not {shown}"
    if kind == "less_than_equal":
        return f"must be {context['le']} at most, not {shown}"
    if kind == "literal_error":
        return f"must be {context['expected']}, not {shown}"
    return f"{REASONS.get(kind, detail['msg'])}, not {shown}"


def _shown(value: object) -> str:
    try:
        found = repr(value)
    except ValueError:  # Python prints no number of thousands of digits
        return "a number as long as that"
    return found if len(found) <= 40 else f"{found[:37]}..."


def _in_order(location: tuple[int | str, ...]) -> list[str]:
    return [f"{part:06d}" if isinstance(part, int) else part for part in location]


def _leave_out(data: Any, place: tuple[int | str, ...], kind: str) -> None:
    *path, last = place
    for part in path:
        data = data[part]
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        data[last] = {}  # keeps the place of a player among the players
    else:
        del data[last]
