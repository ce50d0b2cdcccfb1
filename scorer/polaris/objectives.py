"""The families of common objectives: factories that turn a card's parameters into its check.

They implement the rules P60 to P67, without the thresholds of cards.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.result import Check, Tally
from scorer.polaris.words import say

PRESENT = 2  # own stars in an orbit or sector
WELL_PRESENT = 3  # likewise, for the tie-break
SHORTEST = 2  # stars in a line


def stars_in_sector(sector: int) -> Check:
    """P60: own stars in a sector; one on a red space counts for both of its sectors."""
    return lambda own: _stars_on(own, own.sky.board.sectors.get(sector, ()))


def stars_in_orbit(orbit: int) -> Check:
    """P61: own stars on an orbit."""
    return lambda own: _stars_on(own, own.sky.board.orbits.get(orbit, ()))


def stars_on_borders() -> Check:
    """P62: own stars on red spaces."""
    return lambda own: _stars_on(own, own.sky.board.red)


def longest_line() -> Check:
    """P63: stars on the longest path in one constellation."""

    def check(own: PlayerStars) -> Tally:
        line = own.longest_line
        if line is None:
            return Tally(0, say("no_constellation"), least_more=SHORTEST)
        words = say("longest_line", count=line.size)
        return Tally(line.size, words, line.spaces, line.links)

    return check


def different_sizes() -> Check:
    """P64: different sizes of own constellations; the first of each size earns it."""

    def check(own: PlayerStars) -> Tally:
        of_size = {one.size: one for one in reversed(own.constellations)}
        if not of_size:
            return Tally(0, say("no_constellation"))
        sizes = sorted(of_size)
        words = say("sizes", count=len(sizes), sizes=tuple(map(str, sizes)))
        spaces = tuple(space for size in sizes for space in of_size[size].spaces)
        links = tuple(link for size in sizes for link in of_size[size].links)
        return Tally(len(sizes), words, tuple(dict.fromkeys(spaces)), links)

    return check


def presence_in_orbits() -> Check:
    """P65: orbits with 2 or more own stars; ties by those with 3 or more."""
    return lambda own: _presence(own, own.sky.board.orbits.values(), "orbits_present")


def presence_in_sectors() -> Check:
    """P66: sectors with 2 or more own stars, likewise; red spaces count for none."""

    def check(own: PlayerStars) -> Tally:
        red = set(own.sky.board.red)
        inner = [[s for s in sector if s not in red] for sector in own.sky.board.sectors.values()]
        return _presence(own, inner, "sectors_present")

    return check


def surrounded_stars() -> Check:
    """P67: own stars with a link on each of their 3 or 4 link spaces; ties by those with 4."""

    def check(own: PlayerStars) -> Tally:
        board, sky = own.sky.board, own.sky
        around = {space: board.links_at(space) for space in own.spaces}
        spaces = tuple(space for space in around if all(map(sky.has_link, around[space])))
        links = dict.fromkeys(link for space in spaces for link in around[space])
        lacking = dict.fromkeys(
            link for own in around.values() for link in own if link not in links
        )
        missing = tuple(link for link in lacking if not sky.has_link(link))
        by_four = sum(len(around[space]) == 4 for space in spaces)
        words = say("surrounded" if spaces else "none_surrounded", count=len(spaces), four=by_four)
        return Tally(len(spaces), words, spaces, tuple(links), (), missing, by_four)

    return check


FAMILIES: Mapping[str, Callable[..., Check]] = MappingProxyType(
    {
        family.__name__: family
        for family in (
            stars_in_sector,
            stars_in_orbit,
            stars_on_borders,
            longest_line,
            different_sizes,
            presence_in_orbits,
            presence_in_sectors,
            surrounded_stars,
        )
    }
)


def _stars_on(own: PlayerStars, spaces: Iterable[str]) -> Tally:
    region = tuple(spaces)
    stars = own.on(region)
    words = say("stars", count=len(stars))
    return Tally(len(stars), words, stars, missing=_empty(own, region))


def _presence(own: PlayerStars, regions: Iterable[Iterable[str]], phrase: str) -> Tally:
    on_each = [(tuple(region), own.on(region)) for region in regions]
    present = [stars for _, stars in on_each if len(stars) >= PRESENT]
    well = sum(len(stars) >= WELL_PRESENT for stars in present)
    spaces = tuple(space for stars in present for space in stars)
    open_regions = [region for region, stars in on_each if len(stars) < PRESENT]
    missing = tuple(space for region in open_regions for space in _empty(own, region))
    words = say(phrase, count=len(present), well=well)
    return Tally(len(present), words, spaces, missing=missing, tie_break=well)


def _empty(own: PlayerStars, spaces: Iterable[str]) -> tuple[str, ...]:
    """The spaces where the player might still place a star."""
    taken = own.sky.stars.keys() | own.closed
    return tuple(space for space in spaces if space not in taken)
