"""Career objectives, the V cards."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import Table
from scorer.nebula.words import COLOURS, say
from scorer.objective import CardResult, objective

Spaces = tuple[str, ...]
Name = TypeVar("Name")


def constellation_in_colours(
    galaxy: Galaxy, table: Table, constellation: str, colours: int = 3
) -> CardResult:
    """V1 to V4: the constellation is full, with exactly 3 different colours."""
    return _full_in_colours(galaxy, galaxy.board.constellations[constellation], colours)


def orbit_in_colours(galaxy: Galaxy, table: Table, orbit: int, colours: int = 3) -> CardResult:
    """V5: orbit 3 is full, with exactly 3 different colours."""
    return _full_in_colours(galaxy, galaxy.board.orbits[orbit], colours)


def each_colour(galaxy: Galaxy, table: Table, needed: int = 2) -> CardResult:
    """V6: at least 2 stars of each of the six colours."""
    counts = [min(galaxy.count(colour), needed) for colour in COLOURS]
    spaces = tuple(s for colour in COLOURS for s in galaxy.where(colour)[:needed])
    words = say("each_colour", count=counts.count(needed), total=len(COLOURS), needed=needed)
    return objective(sum(counts) / (needed * len(COLOURS)), spaces, (), words)


def orbit_unrepeated(galaxy: Galaxy, table: Table, orbit: int) -> CardResult:
    """V7 to V9: the orbit is full and no colour repeats in it."""
    orbit_spaces = galaxy.board.orbits[orbit]
    first_of: dict[str, str] = {}
    for space in orbit_spaces:
        if space in galaxy.stars:
            first_of.setdefault(galaxy.stars[space], space)
    spaces = tuple(first_of.values())
    missing = tuple([space for space in orbit_spaces if space not in spaces])
    words = say("different_on_orbit", count=len(spaces), size=len(orbit_spaces), orbit=orbit)
    return objective(len(spaces) / len(orbit_spaces), spaces, missing, words)


def colour_in_constellations(
    galaxy: Galaxy, table: Table, colour: str, needed: int = 2, constellations: int = 3
) -> CardResult:
    """V10 to V15: 2 stars of the colour in each of 3 constellations; the core is in none."""
    filled = galaxy.where(colour)
    matches = [
        tuple([space for space in filled if space in own])
        for own in galaxy.board.constellations.values()
    ]
    best = sorted(matches, key=lambda own: -min(len(own), needed))[:constellations]
    done = sum(len(own) >= needed for own in matches)
    earned = [own for own in matches if len(own) >= needed] if done >= constellations else best
    have = sum(min(len(own), needed) for own in best)
    words = say(
        "colour_in_constellations",
        count=done,
        constellations=constellations,
        needed=needed,
        colour=colour,
    )
    return objective(have / (needed * constellations), _together(earned), (), words)


def adjacent_orbits_full(galaxy: Galaxy, table: Table, orbits: int = 3) -> CardResult:
    """V16: three adjacent orbits full: 1-2-3, 2-3-4 or 3-4-5."""
    numbers, regions = sorted(galaxy.board.orbits), galaxy.board.orbits
    runs = [numbers[start : start + orbits] for start in range(len(numbers) - orbits + 1)]
    best = _nearest(galaxy, regions, runs)
    names = tuple(str(number) for number in best)
    return _occupied(galaxy, _together(regions[n] for n in best), "orbits_full", names)


def opposite_constellations_full(galaxy: Galaxy, table: Table) -> CardResult:
    """V17: two opposite constellations full."""
    return _pair_full(galaxy, galaxy.board.opposite_constellations)


def adjacent_constellations_full(galaxy: Galaxy, table: Table) -> CardResult:
    """V18: two adjacent constellations full."""
    return _pair_full(galaxy, galaxy.board.adjacent_constellations)


def indirect_ends_occupied(galaxy: Galaxy, table: Table) -> CardResult:
    """V19: all 8 ends of the indirect links occupied."""
    return _occupied(galaxy, _together(galaxy.board.indirect_ends), "indirect_ends")


def beside_highlighted_occupied(galaxy: Galaxy, table: Table) -> CardResult:
    """V20: all 8 spaces orbitally linked to the outer highlighted spaces occupied."""
    return _occupied(galaxy, galaxy.board.beside_highlighted, "beside_highlighted")


def _together(groups: Iterable[Spaces]) -> Spaces:
    return tuple(chain.from_iterable(groups))


def _full_in_colours(galaxy: Galaxy, region: Spaces, colours: int) -> CardResult:
    """Whether a region is full in exactly `colours` colours.

    Progress is the share of spaces whose stars can stay: those of the most frequent colours, as
    long as a space is left for each colour still missing.
    """
    stars = galaxy.stars
    filled = tuple([space for space in region if space in stars])
    counts: dict[str, int] = {}
    for space in filled:
        counts[stars[space]] = counts.get(stars[space], 0) + 1
    keep = sorted(counts, key=lambda colour: -counts[colour])[:colours]
    room = len(region) - (colours - len(keep))
    stay = min(sum([counts[colour] for colour in keep]), room)
    missing = tuple([space for space in region if stars.get(space) not in keep])
    words = say(
        "filled_in_named" if counts else "filled_in_colours",
        full=len(filled),
        size=len(region),
        count=len(counts),
        colours=tuple(counts),
        needed=colours,
    )
    return objective(stay / len(region), filled, missing, words)


def _nearest(
    galaxy: Galaxy, regions: Mapping[Name, Spaces], groups: Sequence[Sequence[Name]]
) -> Sequence[Name]:
    """The group of regions with the largest share of occupied spaces; the first of ties."""
    stars = galaxy.stars.keys()
    occupied = {name: len(stars & own) for name, own in regions.items()}

    def share(group: Sequence[Name]) -> float:
        spaces = sum([len(regions[name]) for name in group])
        return sum([occupied[name] for name in group]) / spaces

    return max(groups, key=share)


def _pair_full(galaxy: Galaxy, pairs: Sequence[tuple[str, str]]) -> CardResult:
    regions = galaxy.board.constellations
    best = tuple(_nearest(galaxy, regions, pairs))
    region = _together(regions[name] for name in best)
    return _occupied(galaxy, region, "constellations_full", best)


def _occupied(
    galaxy: Galaxy, region: Spaces, phrase: str, names: tuple[str, ...] = ()
) -> CardResult:
    empty = galaxy.empty(region)
    filled = tuple([space for space in region if space in galaxy.stars])
    words = say(phrase, full=len(filled), size=len(region), names=names)
    return objective(len(filled) / len(region), filled, empty, words)
