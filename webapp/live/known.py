"""What lies on each camera's boards, and what its tracker must hear of the players' corrections.

A correction is made in the log; the tracker that told the wrong star goes on believing in it until
it hears, and would tell the next change of that space wrongly, or not at all.
"""

from collections.abc import Iterator, Mapping

from webapp.live.fold import BoardKey, LiveTable
from webapp.live.worker import Corrected

Lying = tuple[dict[str, str], int]
"""A board's stars by space, and its black stars."""


def lying(table: LiveTable) -> dict[BoardKey, Lying]:
    """Return what lies on each camera's boards after all corrections, those of no player left out.

    >>> from scorer.nebula import load_edition, STANDARD_BOARD
    >>> from webapp.live.fold import Rules, fold
    >>> lying(fold(Rules(2, True, (), load_edition("standard"), STANDARD_BOARD), ()))
    {}
    """
    return {
        key: (dict(table.galaxies[seat].stars), table.galaxies[seat].black)
        for key, seat in (table.boards or {}).items()
        if seat is not None and seat < len(table.galaxies)
    }


def known(table: LiveTable, told: Mapping[BoardKey, Lying]) -> dict[BoardKey, Lying]:
    """Return what lies on each camera's boards; on those of no player, what the camera told."""
    return {**told, **lying(table)}


def whole(table: LiveTable, source: str) -> Iterator[Corrected]:
    """Tell a camera all that is known to lie on its boards."""
    for (name, board), (stars, black) in lying(table).items():
        if name == source:
            spaces = table.galaxies[0].board.spaces
            yield Corrected(board, {space: stars.get(space) for space in spaces}, black)


def corrections(before: LiveTable, after: LiveTable) -> Iterator[tuple[str, Corrected]]:
    """Tell each camera, by its name, what a player's word has changed on its boards."""
    were = lying(before)
    for key, (stars, black) in lying(after).items():
        old: tuple[Mapping[str, str], int] = were.get(key, (stars, black))
        changed = {
            space: stars.get(space)
            for space in {**old[0], **stars}
            if old[0].get(space) != stars.get(space)
        }
        if changed or old[1] != black:
            yield key[0], Corrected(key[1], changed, black if old[1] != black else None)
