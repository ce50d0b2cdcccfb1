"""Facts about night skies: P1 to P9 of the rules, as far as their text goes.

A board that breaks one is refused with the rule named. Everything else may vary between editions;
the owner is only notified of what is unusual.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scorer.polaris.words import POLARIS

if TYPE_CHECKING:  # boards import this module
    from scorer.polaris.board import SkyBoard

SECTORS = 5
FEWEST_ORBITS = 4  # the top tier of "presence in orbits"
STARRED = 10
LINKS_AROUND = (3, 4)


def broken_facts(board: "SkyBoard") -> Iterator[tuple[str, str]]:
    """The rules that a board breaks, as (key, the rule and what was found instead)."""
    yield from _sectors(board)
    yield from _orbits(board)
    yield from _links(board)
    for key, named in (("white", board.white), ("starred", board.starred)):
        if POLARIS in named:
            yield key, "Polaris is no star space, so of no kind of them (P2, P3)"
    found = len(set(board.starred) - {POLARIS})
    if found != STARRED:
        yield "starred", f"{STARRED} star spaces bear a ★; here {found} (P9)"


def _sectors(board: "SkyBoard") -> Iterator[tuple[str, str]]:
    if sorted(board.sectors) != list(range(1, SECTORS + 1)):
        found = ", ".join(map(str, sorted(board.sectors)))
        yield "sectors", f"there are {SECTORS} sectors, 1 to {SECTORS}; here {found} (P1)"
    ring = tuple(board.sectors)
    neighbours = {frozenset(pair) for pair in zip(ring, ring[1:] + ring[:1], strict=True)}
    for number, own in board.sectors.items():
        if POLARIS in own:
            yield f"sectors.{number}", "Polaris belongs to every sector; leave it out (P3)"
    for space in board.star_spaces:
        within = board.sectors_of(space)
        if not within:
            yield "sectors", f"{space} is in no sector; each space is in one, red ones in two (P2)"
        elif len(within) > 1 and within not in neighbours:
            named = ", ".join(map(str, sorted(within)))
            reason = f"a red space is on the border of two neighbours; {space} is in {named} (P2)"
            yield "sectors", reason
        if len(within) > 1 and space in board.white:
            yield "white", f"a white space is in one sector; {space} is on a border (P2)"


def _orbits(board: "SkyBoard") -> Iterator[tuple[str, str]]:
    numbers = sorted(board.orbits)
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < FEWEST_ORBITS:
        found = ", ".join(map(str, numbers))
        reason = f"orbits are numbered from 1, {FEWEST_ORBITS} or more; here {found or 'none'} (P4)"
        yield "orbits", reason
    on = Counter(space for own in board.orbits.values() for space in own)
    for space, times in on.items():
        if space == POLARIS:
            yield "orbits", "Polaris is on no orbit (P3)"
        elif times > 1:
            yield "orbits", f"a star space lies on exactly one orbit; {space} on {times} (P4)"


def _links(board: "SkyBoard") -> Iterator[tuple[str, str]]:
    for ends, times in Counter(link.ends for link in board.links).items():
        named = " and ".join(sorted(ends))
        if len(ends) == 1:
            yield "links", f"a link space has two ends; {named} is joined to itself (P5)"
        elif times > 1:
            yield "links", f"one link space lies between two; between {named} {times} (P5)"
    for space in board.star_spaces:
        around = len(board.links_at(space))
        if around not in LINKS_AROUND:
            yield (
                "links",
                f"3 or 4 link spaces are around a star space; around {space} {around} (P7)",
            )


def differences(board: "SkyBoard") -> Iterator[str]:
    """What is unusual about a board, one sentence each."""
    for link in board.link_spaces:
        if not board.sectors_of_link(link):
            yield f"a link space usually lies in a sector; {link} lies in none (P6)"
    if not board.links_at(POLARIS):
        yield "Polaris usually has link spaces; here it has none (P3)"
    lost = set(board.star_spaces) - board.reach(POLARIS, board.spaces)
    if lost:
        named = ", ".join(space for space in board.star_spaces if space in lost)
        yield f"every space can usually be joined to Polaris; not {named}"
