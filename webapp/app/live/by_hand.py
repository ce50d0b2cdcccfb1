"""Log entries that change a board to what a player has entered."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorer.places import Place, counted
from scorer.table import Pieces

NewEntry = tuple[str, Mapping[str, Any]]
"""An entry's kind and its data."""


def laid_by_hand(board: int, wanted: Pieces, current: Pieces) -> Iterator[NewEntry]:
    """Yield the entries that change a board from the `current` pieces to the `wanted` ones.

    >>> core, ar1 = Place("core"), Place("ar1")
    >>> [told["event"] for _, told in laid_by_hand(0, {core: "red"}, {ar1: "blue"})]
    [{'kind': 'placed', 'space': 'core', 'star': 'red'}, {'kind': 'removed', 'space': 'ar1'}]
    """
    return changed_by_hand(board, wanted, current, dict.fromkeys((*wanted, *current)))


def changed_by_hand(
    board: int, wanted: Pieces, current: Pieces, places: Iterable[Place]
) -> Iterator[NewEntry]:
    """Yield the entries for these places only, and for the tracks and regions they belong to."""
    tracks: dict[str, None] = {}
    regions: dict[str, None] = {}
    for place in places:
        if place.kind == "track":
            tracks[place.id] = None
        elif place.kind == "region":
            regions[place.id] = None
        elif wanted.get(place) != current.get(place):
            yield "hand", {"seat": board, "event": _event(place, wanted.get(place))}
    for region in regions:
        for event in _in_region(region, wanted, current):
            yield "hand", {"seat": board, "event": event}
    for track in tracks:
        count = _count(wanted, track)
        if count != _count(current, track):
            yield "hand", {"seat": board, "event": {"kind": track, "count": count}}


def _in_region(region: str, wanted: Pieces, current: Pieces) -> Iterator[dict[str, Any]]:
    """Yield an event for each kind of piece whose count in a region changes."""
    then, now = counted(wanted, region), counted(current, region)
    for piece in sorted(then | now):
        if then[piece] != now[piece]:
            kind = "placed" if then[piece] > now[piece] else "removed"
            yield {"kind": kind, "space": region, "star": piece, "count": then[piece]}


def _event(place: Place, piece: str | None) -> dict[str, Any]:
    if piece is None:
        return {"kind": "removed", "space": place.id}
    return {"kind": "placed", "space": place.id, "star": piece}


def _count(pieces: Pieces, track: str) -> int:
    return sum(at.kind == "track" and at.id == track for at in pieces)
