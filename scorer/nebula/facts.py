"""Facts about Galaxy boards from the rulebooks, and this project's choices beyond them.

A board that breaks a fact is refused. One that differs from a choice may be right, as the rulebooks
are silent, so its owner is only notified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from scorer.nebula.fulfillable import out_of_reach
from scorer.nebula.words import CONSTELLATIONS, say
from scorer.sentence import Sentence

if TYPE_CHECKING:  # boards import this module
    from scorer.nebula.board import GalaxyBoard

ORBIT_SIZES = {3: 6, 4: 5}  # es and cs: "the 6 spaces of orbit 3"; cs: orbit 4, "5 colours"
LARGEST_UNREPEATED_ORBIT = 6  # six colours without repetition
UNREPEATED_ORBITS = (2, 4, 5)  # the orbits of V7 to V9


def broken_facts(board: GalaxyBoard) -> list[tuple[str, Sentence]]:
    """The facts that a board breaks, as (key, the fact and what was found instead)."""
    return [
        *_spaces_and_constellations(board),
        *_orbits(board),
        *_highlighted(board),
        *_drawn_links(board),
    ]


def _spaces_and_constellations(board: GalaxyBoard) -> Iterator[tuple[str, Sentence]]:
    if len(board.spaces) != 25:
        yield "", say("fact_spaces", found=len(board.spaces))
    if set(board.constellations) != set(CONSTELLATIONS):
        found = tuple(board.constellations)
        yield "constellations", say("fact_constellations", known=CONSTELLATIONS, found=found)
    for name, own in board.constellations.items():
        if len(own) != 6:
            yield f"constellations.{name}", say("fact_constellation_spaces", found=len(own))
    for one, other in combinations(board.constellations, 2):
        for space in set(board.constellations[one]) & set(board.constellations[other]):
            reason = say("fact_one_constellation", space=space, other=one)
            yield f"constellations.{other}", reason


def _orbits(board: GalaxyBoard) -> Iterator[tuple[str, Sentence]]:
    if sorted(board.orbits) != [1, 2, 3, 4, 5]:
        found = tuple(map(str, sorted(board.orbits)))
        yield "orbits", say("fact_orbits", found=found) if found else say("fact_no_orbits")
    for number, own in board.orbits.items():
        size = ORBIT_SIZES.get(number)
        if size and len(own) != size:
            reason = say("fact_orbit_spaces", orbit=number, spaces=size, found=len(own))
            yield f"orbits.{number}", reason
        if number in UNREPEATED_ORBITS and len(own) > LARGEST_UNREPEATED_ORBIT:
            most = LARGEST_UNREPEATED_ORBIT
            yield f"orbits.{number}", say("fact_orbit_largest", most=most, found=len(own))


def _highlighted(board: GalaxyBoard) -> Iterator[tuple[str, Sentence]]:
    if len(board.highlighted) != 5:
        yield "highlighted", say("fact_highlighted", found=len(board.highlighted))
    if board.core not in board.highlighted:
        yield "highlighted", say("fact_core_highlighted")
    beside = [board.neighbours_by("orbital", space) for space in board.outer_highlighted]
    different = len(frozenset[str]().union(*beside))
    if different != 8 or sum(map(len, beside)) != 8:
        yield "highlighted", say("fact_beside_highlighted", found=different)


def _drawn_links(board: GalaxyBoard) -> Iterator[tuple[str, Sentence]]:
    ends = {end for pair in board.indirect_ends for end in pair}
    if len(board.indirect_ends) != 4 or len(ends) != 8:
        links = len(board.indirect_ends)
        yield "links.indirect", say("fact_indirect", links=links, ends=len(ends))
    for link in (*board.links_of("direct"), *board.links_of("indirect")):
        if board.core in link.ends:
            continue
        if board.constellation_of(link.a) != board.constellation_of(link.b):
            yield f"links.{link.kind}", say("fact_within", a=link.a, b=link.b)


def differences(board: GalaxyBoard) -> Iterator[Sentence]:
    """How the board differs from this project's choices, one sentence each."""
    yield from _other_regions(board)
    yield from _other_links(board)
    for cards in out_of_reach(board):
        yield say("usual_fulfilled", cards=cards)


def _other_regions(board: GalaxyBoard) -> Iterator[Sentence]:
    on_orbits = Counter(space for own in board.orbits.values() for space in own)
    if on_orbits[board.core]:
        yield say("usual_core_off_orbits")
    if board.constellation_of(board.core):
        yield say("usual_core_alone")
    for space in board.spaces:
        if space != board.core and on_orbits[space] != 1:
            yield say("usual_one_orbit", space=space, found=on_orbits[space])
    for name, own in board.constellations.items():
        indirect = sum(a in own and b in own for a, b in board.indirect_ends)
        if indirect != 1:
            yield say("usual_one_indirect", name=name, found=indirect)
        highlighted = sum(space in own for space in board.outer_highlighted)
        if highlighted != 1:
            yield say("usual_one_highlighted", name=name, found=highlighted)
    if board.ring != CONSTELLATIONS:
        yield say("usual_ring", known=CONSTELLATIONS, found=board.ring)


def _other_links(board: GalaxyBoard) -> Iterator[Sentence]:
    near_core = board.neighbours_by("direct", board.core)
    for name, own in board.constellations.items():
        if len(near_core & set(own)) != 1:
            found = len(near_core & set(own))
            yield say("usual_core_links", name=name, found=found)
    if board.neighbours(board.core) != near_core:
        yield say("usual_core_direct")
    for ends, count in Counter(link.ends for link in board.links).items():
        if count > 1:
            yield say("usual_joined_once", spaces=tuple(sorted(ends)), times=count)
        if len(ends) == 1:
            yield say("usual_joined_to_another", space=min(ends))
    for one, other in combinations(board.highlighted, 2):
        if other in board.neighbours_by("orbital", one):
            yield say("usual_highlighted_apart", a=one, b=other)
    lost = set(board.spaces) - board.reach(board.core, board.spaces)
    if lost:
        yield say("usual_reached", spaces=tuple(sorted(lost)))
