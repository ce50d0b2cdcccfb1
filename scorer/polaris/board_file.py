"""Read the topology of a sky. Imported only then, as pydantic is slow to import."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from scorer.datafile import Problem
from scorer.polaris.board import BETWEEN_ENDS, BoardError, SkyBoard, build_board
from scorer.polaris.facts import broken_facts
from scorer.polaris.words import POLARIS
from scorer.topology_file import Ends, Regions, Spaces, links_by_kind, repeated
from scorer.validation import FileModel, validate


class _Links(FileModel):
    horizontal: list[Ends] = Field(default_factory=list)
    vertical: list[Ends] = Field(default_factory=list)


class _Topology(FileModel):
    sectors: Regions = Field(default_factory=dict)
    orbits: Regions = Field(default_factory=dict)
    white: Spaces = Field(default_factory=list)
    starred: Spaces = Field(default_factory=list)
    links: _Links = _Links()


def read_board(data: object) -> SkyBoard:
    """The board of a layout file's `topology`, written out.

    Raise BoardError with every problem; a board that breaks one of P1 to P9 is refused with the
    rule named.

    >>> from scorer.polaris.board import STANDARD_SKY
    >>> read_board({**STANDARD_SKY.to_data(), "starred": ["1c1"]})
    Traceback (most recent call last):
    scorer.polaris.board.BoardError: starred: 10 star spaces bear a ★; here 1 (P9)
    """
    if not isinstance(data, Mapping):
        reason = "must be `standard`, or the sectors, orbits and links written out"
        raise BoardError([("topology", reason)])
    written, problems = validate(_Topology, data)
    problems += [(key, "missing") for key in _Topology.model_fields if key not in data]
    if not problems:
        problems += _unknown_or_repeated(written)
    if problems:
        raise BoardError(problems)
    topology: dict[str, Any] = written.model_dump()
    board = build_board(topology)
    broken = list(broken_facts(board))
    if broken:
        raise BoardError(broken)
    return board


def _unknown_or_repeated(written: _Topology) -> Iterator[Problem]:
    """Names that are on no orbit, or repeated in a list; the rules are checked afterwards."""
    on_orbits = {space for own in written.orbits.values() for space in own} | {POLARIS}
    lists = {
        **{f"sectors.{number}": own for number, own in written.sectors.items()},
        **{f"orbits.{number}": own for number, own in written.orbits.items()},
        "white": written.white,
        "starred": written.starred,
    }
    for number, spaces in written.orbits.items():
        for name in (name for name in spaces if BETWEEN_ENDS in name):
            reason = f"{name} has a hyphen, which joins the ends of a link: choose another id"
            yield f"orbits.{number}", reason
    yield from repeated(lists)
    lists |= links_by_kind(written.links.model_dump())
    for key, names in lists.items():
        for name in sorted(set(names) - on_orbits):
            yield key, f"{name} is on no orbit; every star space lies on exactly one (P4)"
