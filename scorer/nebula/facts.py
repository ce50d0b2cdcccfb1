"""What a Galaxy board has to be (known from the rulebooks) and what this project decided.

A board that breaks a known fact is refused with the fact named; one that differs from a decision
may be right, the rulebooks being silent, so its owner is only told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from scorer.nebula.fulfillable import out_of_reach
from scorer.nebula.words import CONSTELLATIONS

if TYPE_CHECKING:  # board.py checks its boards with this file
    from scorer.nebula.board import GalaxyBoard

ORBIT_SIZES = {3: 6, 4: 5}  # es and cs: "the 6 spaces of orbit 3"; cs: orbit 4, "5 colours"
LARGEST_UNREPEATED_ORBIT = 6  # six colours, none twice
UNREPEATED_ORBITS = (2, 4, 5)  # those of V7 to V9


def broken_facts(board: GalaxyBoard) -> list[tuple[str, str]]:
    """The known facts that a board breaks, as (key, the fact and what is found instead)."""
    return [
        *_spaces_and_constellations(board),
        *_orbits(board),
        *_highlighted(board),
        *_drawn_links(board),
    ]


def _spaces_and_constellations(board: GalaxyBoard) -> Iterator[tuple[str, str]]:
    if len(board.spaces) != 25:
        yield "", f"a Galaxy board has 25 spaces; here {len(board.spaces)}"
    if set(board.constellations) != set(CONSTELLATIONS):
        known = ", ".join(CONSTELLATIONS)
        found = ", ".join(board.constellations)
        yield "constellations", f"there are 4, {known}; here {found}"
    for name, own in board.constellations.items():
        if len(own) != 6:
            yield f"constellations.{name}", f"a constellation has 6 spaces; here {len(own)}"
    for one, other in combinations(board.constellations, 2):
        for space in set(board.constellations[one]) & set(board.constellations[other]):
            reason = f"a space is in one constellation; {space} is in {one} too"
            yield f"constellations.{other}", reason


def _orbits(board: GalaxyBoard) -> Iterator[tuple[str, str]]:
    if sorted(board.orbits) != [1, 2, 3, 4, 5]:
        found = ", ".join(map(str, sorted(board.orbits)))
        yield "orbits", f"there are 5 orbits, 1 to 5; here {found or 'none'}"
    for number, own in board.orbits.items():
        size = ORBIT_SIZES.get(number)
        if size and len(own) != size:
            yield f"orbits.{number}", f"orbit {number} has {size} spaces; here {len(own)}"
        if number in UNREPEATED_ORBITS and len(own) > LARGEST_UNREPEATED_ORBIT:
            yield (
                f"orbits.{number}",
                f"an orbit that a card wants without a repeated colour has at most "
                f"{LARGEST_UNREPEATED_ORBIT} spaces; here {len(own)}",
            )


def _highlighted(board: GalaxyBoard) -> Iterator[tuple[str, str]]:
    if len(board.highlighted) != 5:
        yield "highlighted", f"5 spaces are highlighted; here {len(board.highlighted)}"
    if board.core not in board.highlighted:
        yield "highlighted", "the core is highlighted; here it is not"
    beside = [board.neighbours_by("orbital", space) for space in board.outer_highlighted]
    different = len(frozenset[str]().union(*beside))
    if different != 8 or sum(map(len, beside)) != 8:
        yield (
            "highlighted",
            "the spaces orbitally linked to the four outer highlighted spaces are "
            f"8 different ones; here {different}",
        )


def _drawn_links(board: GalaxyBoard) -> Iterator[tuple[str, str]]:
    ends = {end for pair in board.indirect_ends for end in pair}
    if len(board.indirect_ends) != 4 or len(ends) != 8:
        yield (
            "links.indirect",
            "there are 4 indirect links with 8 different ends; here "
            f"{len(board.indirect_ends)} with {len(ends)}",
        )
    for link in (*board.links_of("direct"), *board.links_of("indirect")):
        if board.core in link.ends:
            continue
        if board.constellation_of(link.a) != board.constellation_of(link.b):
            yield (
                f"links.{link.kind}",
                "direct and indirect links join spaces of one constellation; "
                f"{link.a} and {link.b} are in two",
            )


def differences(board: GalaxyBoard) -> Iterator[str]:
    """What the board does otherwise than this project decided, a sentence each."""
    yield from _other_regions(board)
    yield from _other_links(board)
    for cards in out_of_reach(board):
        yield f"every objective can usually be fulfilled; here not {cards}"


def _other_regions(board: GalaxyBoard) -> Iterator[str]:
    on_orbits = Counter(space for own in board.orbits.values() for space in own)
    if on_orbits[board.core]:
        yield "the core is usually on no orbit; here it is"
    if board.constellation_of(board.core):
        yield "the core is usually in no constellation; here it is"
    for space in board.spaces:
        if space != board.core and on_orbits[space] != 1:
            yield f"a space is usually on exactly one orbit; {space} is on {on_orbits[space]}"
    for name, own in board.constellations.items():
        indirect = sum(a in own and b in own for a, b in board.indirect_ends)
        if indirect != 1:
            yield f"a constellation usually has one indirect link; {name} has {indirect}"
        highlighted = sum(space in own for space in board.outer_highlighted)
        if highlighted != 1:
            yield f"a constellation usually has one highlighted space; {name} has {highlighted}"
    if board.ring != CONSTELLATIONS:
        yield f"the ring is usually {', '.join(CONSTELLATIONS)}; here {', '.join(board.ring)}"


def _other_links(board: GalaxyBoard) -> Iterator[str]:
    near_core = board.neighbours_by("direct", board.core)
    for name, own in board.constellations.items():
        if len(near_core & set(own)) != 1:
            found = len(near_core & set(own))
            yield f"the core usually has one direct link to each constellation; {name} has {found}"
    if board.neighbours(board.core) != near_core:
        yield "the core usually has direct links only; here it has others"
    for ends, count in Counter(link.ends for link in board.links).items():
        if count > 1:
            yield f"two spaces are usually joined once; {' and '.join(sorted(ends))} are {count} ×"
        if len(ends) == 1:
            yield f"a link usually joins two spaces; {min(ends)} is joined to itself"
    for one, other in combinations(board.highlighted, 2):
        if other in board.neighbours_by("orbital", one):
            yield f"highlighted spaces are usually no orbital neighbours; {one} and {other} are"
    lost = set(board.spaces) - board.reach(board.core, board.spaces)
    if lost:
        yield f"every space can usually be reached from the core; not {', '.join(sorted(lost))}"
