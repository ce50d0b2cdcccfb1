"""Pieces as pages draw them: those on spaces and on links one by one, those on tracks counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.places import Place, counted


@dataclass(frozen=True)
class DrawnPieces:
    """What lies on a board: pieces by their spaces and links, and how many on each track.

    `stars` are those on spots, `links` those on edges, which are links' own spaces; `regions` says
    how many of each kind lie in a region.

    >>> DrawnPieces.of({Place("ar1"): "red", Place("black", "track", 0): "black"})
    DrawnPieces(stars={'ar1': 'red'}, counts=Counter({'black': 1}), links={}, regions={})
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]
    links: Mapping[str, str] = field(default_factory=dict)
    regions: Mapping[str, Counter[str]] = field(default_factory=dict)

    @property
    def pieces(self) -> Mapping[str, str]:
        """The pieces on spots and edges, by their places' ids."""
        return {**self.stars, **self.links}

    @classmethod
    def of(cls, pieces: Mapping[Place, str]) -> DrawnPieces:
        """The pieces of a position, by their places."""
        return cls(
            {place.id: piece for place, piece in pieces.items() if place.kind == "spot"},
            Counter(place.id for place in pieces if place.kind == "track"),
            {place.id: piece for place, piece in pieces.items() if place.kind == "edge"},
            {at.id: counted(pieces, at.id) for at in pieces if at.kind == "region"},
        )
