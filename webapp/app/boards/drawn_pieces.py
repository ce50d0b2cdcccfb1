"""Pieces as pages draw them: by place on spaces and links, counted on tracks."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.places import Place, counted


@dataclass(frozen=True)
class DrawnPieces:
    """The pieces on a board.

    `stars` are pieces by spot, `links` by edge, `counts` the number on each track, and `regions`
    the number of each kind in a region.

    >>> DrawnPieces.of({Place("ar1"): "red", Place("black", "track", 0): "black"})
    DrawnPieces(stars={'ar1': 'red'}, counts=Counter({'black': 1}), links={}, regions={})
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]
    links: Mapping[str, str] = field(default_factory=dict)
    regions: Mapping[str, Counter[str]] = field(default_factory=dict)

    @property
    def pieces(self) -> Mapping[str, str]:
        """The pieces on spots and edges, by place id."""
        return {**self.stars, **self.links}

    @classmethod
    def of(cls, pieces: Mapping[Place, str]) -> "DrawnPieces":
        """Group the pieces of a position by kind of place."""
        return cls(
            {place.id: piece for place, piece in pieces.items() if place.kind == "spot"},
            Counter(place.id for place in pieces if place.kind == "track"),
            {place.id: piece for place, piece in pieces.items() if place.kind == "edge"},
            {at.id: counted(pieces, at.id) for at in pieces if at.kind == "region"},
        )
