"""Pieces as pages draw them: those on spaces one by one, those on tracks counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from scorer.places import Place


@dataclass(frozen=True)
class DrawnPieces:
    """What lies on a board: pieces by their spaces, and how many on each track.

    >>> DrawnPieces.of({Place("ar1"): "red", Place("black", "track", 0): "black"})
    DrawnPieces(stars={'ar1': 'red'}, counts=Counter({'black': 1}))
    """

    stars: Mapping[str, str]
    counts: Mapping[str, int]

    @classmethod
    def of(cls, pieces: Mapping[Place, str]) -> DrawnPieces:
        """The pieces of a position, by their places."""
        return cls(
            {place.id: piece for place, piece in pieces.items() if place.kind != "track"},
            Counter(place.id for place in pieces if place.kind == "track"),
        )
