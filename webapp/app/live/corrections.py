"""What lies on each camera's boards, and what its tracker must hear of the players' corrections.

A correction is made in the log; the tracker that told the wrong piece goes on believing in it until
it hears, and would tell the next change of that space wrongly, or not at all.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from calibration import Profile
from scorer.game import Pieces
from scorer.places import Place, counted
from webapp.app.live.reducer import BoardKey, LiveTable, ObservedPieces, Rules
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
            profile = _profile(rules, table, (name, board))
            asked = _regions(table.doubts, table.boards[name, board])
            yield _correction(board, profile, pieces, profile.places.keys() - asked, asked)


def new_corrections(
    rules: Rules, before: LiveTable, after: LiveTable
) -> Iterator[tuple[str, Correction]]:
    """Tell each camera, by its name, what a player's word has changed on its boards.

    What a region holds that is asked about is nobody's word, or no longer: it is opened anew.
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
    """The regions on the board of a number, of those that doubts are about."""
    return {Place(at, "region") for own, at in doubts if own == number}


def _profile(rules: Rules, table: LiveTable, key: BoardKey) -> Profile:
    """The profile of a camera's board that is somebody's, or everybody's."""
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
    """What lies on these places of a board, and on the tracks that they are of."""
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
    """All pieces that lie in each of the places that is a region."""
    return {
        at.id: sorted(counted(pieces, at.id).elements())
        for at in places
        if at.kind == "region" and at in profile.places
    }
