"""What lies on each camera's boards, and what its tracker must hear of the players' corrections.

A correction is made in the log; the tracker that told the wrong piece goes on believing in it until
it hears, and would tell the next change of that space wrongly, or not at all.
"""

from collections import Counter
from collections.abc import Iterator

from scorer.game import Pieces
from webapp.app.live.reducer import LiveTable, ObservedPieces, Rules
from webapp.app.live.worker import Correction


def corrected_pieces(rules: Rules, table: LiveTable) -> ObservedPieces:
    """Return what lies on each camera's boards after all corrections, those of no player left out.

    >>> from calibration import load_profile
    >>> profile = load_profile("standard")
    >>> two = Rules(2, "", profile, live=None)
    >>> empty = two.position({})
    >>> table = LiveTable(0, (empty, empty), boards={("cam", 0): 1, ("cam", 1): None})
    >>> corrected_pieces(two, table)
    {('cam', 0): {}}
    """
    return {
        key: rules.profile.game.pieces_of(table.positions[seat])
        for key, seat in table.boards.items()
        if seat is not None and seat < len(table.positions)
    }


def known_pieces(rules: Rules, table: LiveTable, observed: ObservedPieces) -> ObservedPieces:
    """Return what lies on each camera's boards; on those of no player, what it saw."""
    return {**observed, **corrected_pieces(rules, table)}


def all_corrections(rules: Rules, table: LiveTable, source: str) -> Iterator[Correction]:
    """Tell a camera all that is known to lie on its boards."""
    for (name, board), pieces in corrected_pieces(rules, table).items():
        if name == source:
            yield Correction(
                board,
                {str(at): pieces.get(at) for at in rules.profile.places if at.kind != "track"},
                {track: _counts(pieces)[track] for track in rules.profile.tracks},
            )


def new_corrections(
    rules: Rules, before: LiveTable, after: LiveTable
) -> Iterator[tuple[str, Correction]]:
    """Tell each camera, by its name, what a player's word has changed on its boards."""
    were = corrected_pieces(rules, before)
    for key, pieces in corrected_pieces(rules, after).items():
        old = were.get(key, pieces)
        changed = {
            str(place): pieces.get(place)
            for place in {**old, **pieces}
            if place.kind != "track" and old.get(place) != pieces.get(place)
        }
        counts = {
            track: _counts(pieces)[track]
            for track in rules.profile.tracks
            if _counts(pieces)[track] != _counts(old)[track]
        }
        if changed or counts:
            yield key[0], Correction(key[1], changed, counts)


def _counts(pieces: Pieces) -> Counter[str]:
    return Counter(place.id for place in pieces if place.kind == "track")
