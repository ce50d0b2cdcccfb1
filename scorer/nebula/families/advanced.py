"""Advanced objectives, B1 to B30, which count how often a pattern occurs."""

from collections.abc import Sequence

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import MARKERS_OF_A_PLAYER, Table
from scorer.nebula.words import COLOURS, say
from scorer.objective import CardResult, tally


def linked_pairs(galaxy: Galaxy, table: Table, colours: Sequence[str]) -> CardResult:
    """B1 to B15: the most pairs of linked stars of the two colours, without reusing a star."""
    one, other = colours
    pairs = _most_pairs(galaxy, one, other)
    spaces = tuple(space for pair in pairs for space in pair)
    words = say("linked_pairs", count=len(pairs), one=one, other=other)
    return tally(len(pairs), len(galaxy.board.spaces) // 2, spaces, words)


def highlighted_alike(galaxy: Galaxy, table: Table) -> CardResult:
    """B16: stars of the most frequent colour on the highlighted spaces."""
    highlighted = galaxy.board.highlighted
    filled = {
        colour: tuple(space for space in highlighted if galaxy.stars.get(space) == colour)
        for colour in COLOURS
    }
    colour = max(COLOURS, key=lambda colour: len(filled[colour]))  # the first of ties
    spaces = filled[colour]
    if not spaces:
        return tally(0, len(highlighted), (), say("none_highlighted"), highlighted)
    missing = tuple(space for space in highlighted if space not in spaces)
    words = say("highlighted_alike", count=len(spaces), colour=colour)
    return tally(len(spaces), len(highlighted), spaces, words, missing)


def career_markers(galaxy: Galaxy, table: Table) -> CardResult:
    """B17: career markers that the player has placed."""
    words = say("career_markers", count=table.markers)
    return tally(table.markers, MARKERS_OF_A_PLAYER, (), words)


def orbits_with_colour(galaxy: Galaxy, table: Table, colour: str) -> CardResult:
    """B18 to B23: orbits with at least one star of the colour."""
    orbits = galaxy.board.orbits.values()
    filled = [[space for space in own if galaxy.stars.get(space) == colour] for own in orbits]
    spaces = tuple(space for own in filled for space in own)
    missing = tuple(
        space for own, stars in zip(orbits, filled, strict=True) if not stars for space in own
    )
    count = sum(map(bool, filled))
    words = say("orbits_with_colour", count=count, colour=colour)
    return tally(count, len(orbits), spaces, words, missing)


def highlighted_surrounded(galaxy: Galaxy, table: Table) -> CardResult:
    """B24: outer highlighted spaces, empty or not, whose linked spaces are all occupied."""
    outer = galaxy.board.outer_highlighted
    open_around = {
        space: [
            near
            for near in galaxy.board.spaces
            if near in galaxy.board.neighbours(space) and near not in galaxy.stars
        ]
        for space in outer
    }
    spaces = tuple(space for space in outer if not open_around[space])
    missing = tuple(dict.fromkeys(near for space in outer for near in open_around[space]))
    words = say("highlighted_surrounded", count=len(spaces))
    return tally(len(spaces), len(outer), spaces, words, missing)


def colour_beside_highlighted(galaxy: Galaxy, table: Table, colour: str) -> CardResult:
    """B25 to B30: stars of the colour orbitally linked to an outer highlighted space, each once."""
    beside = galaxy.board.beside_highlighted
    spaces = tuple(space for space in beside if galaxy.stars.get(space) == colour)
    missing = tuple(space for space in beside if space not in spaces)
    words = say("colour_beside_highlighted", count=len(spaces), colour=colour)
    return tally(len(spaces), len(beside), spaces, words, missing)


def _most_pairs(galaxy: Galaxy, one: str, other: str) -> list[tuple[str, str]]:
    """A maximum set of linked pairs, (space of `one`, space of `other`).

    Linked stars of two colours form a bipartite graph, matched along augmenting paths (Kuhn, 1955):
    there are few, and a library for graphs takes longer to import than a card to score.
    """
    board = galaxy.board
    beside = {a: [b for b in galaxy.where(other) if board.linked(a, b)] for a in galaxy.where(one)}
    partner: dict[str, str] = {}

    def finds_partner(space: str, tried: set[str]) -> bool:
        for free in beside[space]:
            if free in tried:
                continue
            tried.add(free)
            if free not in partner or finds_partner(partner[free], tried):
                partner[free] = space
                return True
        return False

    for space in beside:
        finds_partner(space, set())
    given = {a: b for b, a in partner.items()}
    return [(a, given[a]) for a in beside if a in given]
