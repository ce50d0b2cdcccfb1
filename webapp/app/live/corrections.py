"""The pieces on each camera's boards, and the corrections that its tracker must receive.

A correction is made in the log. Until the tracker receives it, it keeps the wrong piece and would
report the next change of that space wrongly, or not at all.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from calibration import Profile
from scorer.places import Place, counted
from scorer.table import Pieces
from webapp.app.live.reducer import BoardKey, LiveTable, ObservedPieces, Rules
from webapp.app.live.worker import Correction


def corrected_pieces(rules: Rules, table: LiveTable) -> ObservedPieces:
    """Return the corrected pieces on each camera's boards, except unowned boards.

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
    """Return the corrected pieces on each camera's boards; on unowned boards, those it saw."""
    return {**observed, **corrected_pieces(rules, table)}


def all_corrections(rules: Rules, table: LiveTable, source: str) -> Iterator[Correction]:
    """Yield corrections with everything known of a camera's boards."""
    for (name, board), pieces in corrected_pieces(rules, table).items():
        if name == source:
            profile = _profile(rules, table, (name, board))
            asked = _regions(table.doubts, table.boards[name, board])
            yield _correction(board, profile, pieces, profile.places.keys() - asked, asked)


def new_corrections(
    rules: Rules, before: LiveTable, after: LiveTable
) -> Iterator[tuple[str, Correction]]:
    """Yield the corrections after an entry, with the name of each camera concerned.

    Regions that are in doubt are reopened, since no person's count of them holds any longer.
    """
    were = corrected_pieces(rules, before)
    for key, pieces in corrected_pieces(rules, after).items():
        old = were.get(key, pieces)
        changed = {at.whole for at in {**old, **pieces} if old.get(at) != pieces.get(at)}
        answered = before.doubts.keys() - after.doubts.keys()
        changed |= _regions(answered, after.boards[key])
        changed -= _regions(after.doubts, after.boards[key])
        reopened = _regions(after.doubts.keys() - before.doubts.keys(), after.boards[key])
        if changed or reopened:
            profile = _profile(rules, after, key)
            yield key[0], _correction(key[1], profile, pieces, changed, reopened)


def _regions(doubts: Collection[tuple[int, str]], number: int | None) -> set[Place]:
    """Return the regions of board `number` that are in doubt."""
    return {Place(at, "region") for own, at in doubts if own == number}


def _profile(rules: Rules, table: LiveTable, key: BoardKey) -> Profile:
    """Return the profile of a camera's board, which must be assigned."""
    number = table.boards[key]
    assert number is not None
    return rules.slots[number].profile


def _correction(
    board: int,
    profile: Profile,
    pieces: Pieces,
    places: Collection[Place],
    reopened: Collection[Place] = (),
) -> Correction:
    counts = Counter(place.id for place in pieces if place.kind == "track")
    tracks = {place.id for place in places if place.kind == "track"}
    return Correction(
        board,
        {str(at): pieces.get(at) for at in places if at.kind not in ("track", "region")},
        {track: counts[track] for track in profile.tracks if track in tracks},
        _held(profile, pieces, places),
        _held(profile, pieces, reopened),
    )


def _held(profile: Profile, pieces: Pieces, places: Collection[Place]) -> dict[str, Sequence[str]]:
    """Return the sorted pieces in each region among the places."""
    return {
        at.id: sorted(counted(pieces, at.id).elements())
        for at in places
        if at.kind == "region" and at in profile.places
    }
