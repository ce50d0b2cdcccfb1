"""Find objectives that no galaxy on a board can fulfil.

Every arrangement of the stars that a card needs is tried, given that no two linked stars may have
the same colour. A card that passes may still be unreachable in play; one that fails certainly is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

from scorer.nebula.words import say
from scorer.sentence import Sentence

if TYPE_CHECKING:  # boards import this module indirectly
    from scorer.nebula.board import GalaxyBoard


def out_of_reach(board: GalaxyBoard) -> Iterator[Sentence]:
    """The cards that cannot be fulfilled on a board, with what they ask for."""
    if not any(_apart(board, ends) for ends in product(*board.indirect_ends)):
        yield say("cards_indirect")
    if not any(_apart(board, four) for four in combinations(board.highlighted, 4)):
        yield say("cards_highlighted")
    if not _can_lay(board, board.spaces, 6):
        yield say("cards_six")
    for card, region in zip(("V1", "V2", "V3", "V4"), board.constellations.values(), strict=True):
        if not _in_three_colours(board, region):
            yield say("cards_constellation", card=card)
    if not _in_three_colours(board, board.orbits[3]):
        yield say("cards_orbit")
    if not _two_in_three_constellations(board):
        yield say("cards_three_constellations")


def _apart(board: GalaxyBoard, spaces: Sequence[str]) -> bool:
    """Whether all the spaces may hold stars of one colour."""
    return not any(board.linked(a, b) for a, b in combinations(spaces, 2))


def _can_lay(board: GalaxyBoard, spaces: Sequence[str], stars: int) -> bool:
    """Whether `stars` stars of one colour fit on the spaces."""
    if stars == 0:
        return True
    for place, space in enumerate(spaces):
        later = [s for s in spaces[place + 1 :] if not board.linked(s, space)]
        if len(later) >= stars - 1 and _can_lay(board, later, stars - 1):
            return True
    return False


def _in_three_colours(board: GalaxyBoard, region: Sequence[str]) -> bool:
    """Whether the region can be filled with exactly three colours."""
    links = [
        (a, b) for a, b in combinations(range(len(region)), 2) if board.linked(region[a], region[b])
    ]
    return any(
        len(set(colours)) == 3 and all(colours[a] != colours[b] for a, b in links)
        for colours in product(range(3), repeat=len(region))
    )


def _two_in_three_constellations(board: GalaxyBoard) -> bool:
    pairs = [
        [pair for pair in combinations(own, 2) if _apart(board, pair)]
        for own in board.constellations.values()
    ]
    return any(
        _apart(board, [space for pair in choice for space in pair])
        for three in combinations(pairs, 3)
        for choice in product(*three)
    )
