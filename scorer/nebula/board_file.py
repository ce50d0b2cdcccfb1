"""Read the topology of a Galaxy board. Imported only then, as pydantic is slow to import."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from scorer.datafile import Problem
from scorer.nebula.board import WRITTEN_LINKS, BoardError, GalaxyBoard, build_board
from scorer.nebula.facts import broken_facts
from scorer.nebula.words import say
from scorer.topology_file import Ends, Regions, Spaces, links_by_kind, repeated
from scorer.validation import FileModel, invalid, validate


def _in_order(value: object) -> object:
    return dict(enumerate(value, start=1)) if isinstance(value, list) else value


def _left_out(value: object) -> object:
    raise invalid("follow from the orbits; leave them out")


class _Links(FileModel):
    direct: list[Ends] = Field(default_factory=list)
    indirect: list[Ends] = Field(default_factory=list)
    orbital: Annotated[Any, AfterValidator(_left_out)] = None


class _Topology(FileModel):
    core: str = "core"
    ring: Spaces | None = None
    constellations: dict[str, Spaces] = Field(default_factory=dict)
    orbits: Annotated[Regions, BeforeValidator(_in_order)] = Field(default_factory=dict)
    highlighted: Spaces = Field(default_factory=list)
    links: _Links = _Links()


def read_board(data: object) -> GalaxyBoard:
    """The board of a layout file's `topology`, written out.

    Raise BoardError with every problem; a board that contradicts the rulebooks is refused with the
    fact that it breaks.

    >>> read_board({"orbits": {1: ["a"]}})
    Traceback (most recent call last):
    scorer.nebula.board.BoardError: constellations: missing
    highlighted: missing
    links: missing
    """
    if not isinstance(data, Mapping):
        raise BoardError([("topology", "must be `standard`, or the links and regions written out")])
    written, problems = validate(_Topology, data)
    needed = _Topology.model_fields.keys() - {"core", "ring"}
    problems += [(key, "missing") for key in sorted(needed - data.keys())]
    if isinstance(links := data.get("links"), Mapping):
        problems += [(f"links.{key}", "missing") for key in WRITTEN_LINKS if key not in links]
    problems = problems or [*_wrong_names(written)]
    if problems:
        raise BoardError(problems)
    board = build_board(written.model_dump(exclude_none=True))
    if broken := broken_facts(board):
        raise BoardError(broken)
    return board


def _wrong_names(written: _Topology) -> Iterator[Problem]:
    """Names that are not spaces, or are repeated in a list."""
    known = {written.core, *(space for own in written.constellations.values() for space in own)}
    lists = {
        "highlighted": written.highlighted,
        **{f"orbits.{number}": own for number, own in written.orbits.items()},
    }
    constellations = {f"constellations.{name}": own for name, own in written.constellations.items()}
    yield from repeated({**constellations, **lists})
    lists |= links_by_kind({kind: getattr(written.links, kind) for kind in WRITTEN_LINKS})
    for key, names in lists.items():
        for name in sorted(set(names) - known):
            yield key, say("fact_member", space=name)
    if written.ring is not None and sorted(written.ring) != sorted(written.constellations):
        yield "ring", "must name each of the constellations once, in order"
