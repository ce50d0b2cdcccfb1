"""Families of cards: small factories that turn a card's parameters into its check."""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import isfunction, signature
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from scorer.datafile import DataFileError

Check = TypeVar("Check")


def check_of(
    id: str,
    family: str,
    parameters: Mapping[str, Any],
    families: Mapping[str, Callable[..., Check]],
    possible: Callable[[str, object], bool],
) -> Check:
    """The check of a card file's entry: what its family makes of its parameters.

    `possible` says whether a value may stand for a parameter of that name. DataFileError for a
    family that is not, a value that is not possible, or parameters that the family does not take.

    >>> families = {"reds": lambda count: f"{count} red ones"}
    >>> check_of("C1", "reds", {"count": 3}, families, lambda name, value: value != 0)
    '3 red ones'
    >>> check_of("C1", "reds", {"sum": 3}, families, lambda name, value: value != 0)
    Traceback (most recent call last):
    scorer.datafile.DataFileError: C1: reds does not take these parameters: sum
    """
    if family not in families:
        raise DataFileError([(f"{id}.family", f"{family} is not a family of cards")])
    for name, value in parameters.items():
        if not possible(name, value):
            raise DataFileError([(f"{id}.{name}", f"{value!r} is not possible here")])
    try:
        return families[family](**parameters)
    except TypeError:
        given = ", ".join(parameters) or "none"
        reason = f"{family} does not take these parameters: {given}"
        raise DataFileError([(id, reason)]) from None


def functions_of(*modules: ModuleType) -> Mapping[str, Callable[..., Any]]:
    """The public functions that are written in some modules, by their names."""
    return MappingProxyType(
        {
            name: own
            for module in modules
            for name, own in vars(module).items()
            if isfunction(own) and own.__module__ == module.__name__ and name[0] != "_"
        }
    )


def families_of(*modules: ModuleType) -> Mapping[str, Callable[..., Any]]:
    """The families that are written in some modules, by their names.

    Each is a public function of a position and the table; its further arguments are what a card
    says. The family binds these. TypeError for arguments that the function does not take.
    """

    def family(check: Callable[..., Any]) -> Callable[..., Any]:
        def of_card(**parameters: Any) -> Callable[..., Any]:
            signature(check).bind(None, None, **parameters)
            return partial(check, **parameters)

        return of_card

    return {name: family(check) for name, check in functions_of(*modules).items()}
