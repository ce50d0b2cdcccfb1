"""Read topologies written out in layout files. Imports pydantic, which is slow to load."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from scorer.datafile import Problem
from scorer.validation import invalid


def with_numbers(value: Any) -> Any:
    """A mapping by number whose keys may be text, as in JSON; other values are unchanged.

    >>> with_numbers({"1": ["a"], 2: ["b"]})
    {1: ['a'], 2: ['b']}
    """
    if not isinstance(value, Mapping):
        return value
    return {
        int(name) if isinstance(name, str) and name.isdecimal() else name: own
        for name, own in value.items()
    }


def _pair(value: list[str]) -> list[str]:
    if len(value) != 2:
        raise invalid("must be a pair of space ids")
    return value


Spaces = list[str]
Regions = Annotated[dict[int, Spaces], BeforeValidator(with_numbers)]
"""Spaces by region number."""
Ends = Annotated[list[str], AfterValidator(_pair)]
"""The two spaces that a link joins."""


def repeated(lists: Mapping[str, Spaces]) -> Iterator[Problem]:
    """Problems for names that are written twice in a list."""
    for key, names in lists.items():
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield key, f"{name} is written twice"


def links_by_kind(links: Mapping[str, Iterable[Ends]]) -> dict[str, Spaces]:
    """The ends of the links of each kind, by `links.<kind>`."""
    return {f"links.{kind}": [end for ends in own for end in ends] for kind, own in links.items()}
