"""Families of cards: factories that turn a card's parameters into its check."""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import isfunction, signature
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from scorer.datafile import DataFileError, Problem

Check = TypeVar("Check")
Card = TypeVar("Card")


def check_of(
    id: str,
    family: str,
    parameters: Mapping[str, Any],
    families: Mapping[str, Callable[..., Check]],
    possible: Callable[[str, object], bool],
) -> Check:
    """The check of an entry of a card file: its family, applied to its parameters.

    `possible` says whether a value is allowed for a parameter name. Raise DataFileError for an
    unknown family, an impossible value, or parameters that the family does not take.

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


def renumbered(
    key: str,
    entries: Mapping[str, Mapping[str, Any]],
    changes: Mapping[str, Any],
    make: Callable[[str, Mapping[str, Any]], Card],
    problems: list[Problem],
) -> dict[str, Card]:
    """The cards of a deck by the numbers that an edition prints; mistakes are added to `problems`.

    A number may stand for another card of the deck (`C3: C5`), or for its own card with other
    values (`C11: {thresholds: [0, 3, 5, 7, 9]}`).
    """
    cards = {}
    for number in dict.fromkeys((*entries, *changes)):
        entry, change = entries.get(number), changes.get(number, {})
        if not isinstance(change, str | Mapping):
            problems.append((f"{key}.{number}", "must be a card's number, or its parameters"))
            continue
        like = entries.get(change) if isinstance(change, str) else entry
        if entry is None or like is None:
            problems.append((f"{key}.{number}", f"{change} is not a card of that deck"))
            continue
        if isinstance(change, Mapping):
            like = change if "family" in change else {**like, **change}
        try:
            cards[number] = make(number, like)
        except DataFileError as error:
            problems += [(f"{key}.{place}", reason) for place, reason in error.problems]
    return cards


def functions_of(*modules: ModuleType) -> Mapping[str, Callable[..., Any]]:
    """The public functions defined in some modules, by name."""
    return MappingProxyType(
        {
            name: own
            for module in modules
            for name, own in vars(module).items()
            if isfunction(own) and own.__module__ == module.__name__ and name[0] != "_"
        }
    )


def families_of(*modules: ModuleType) -> Mapping[str, Callable[..., Any]]:
    """The families defined in some modules, by name.

    Each is a public function of a position, the table and the parameters of a card. The family
    binds the parameters. It raises TypeError for parameters that the function does not take.
    """

    def family(check: Callable[..., Any]) -> Callable[..., Any]:
        def of_card(**parameters: Any) -> Callable[..., Any]:
            signature(check).bind(None, None, **parameters)
            return partial(check, **parameters)

        return of_card

    return {name: family(check) for name, check in functions_of(*modules).items()}
