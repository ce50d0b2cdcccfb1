"""The patterns of the career cards."""

from collections.abc import Sequence

from scorer.nebula.board import GalaxyBoard
from scorer.nebula.words import COLOURS
from webapp.games.nebula.card_pictures.mini_galaxy import MIDDLE, MiniGalaxy
from webapp.web.card_ink import (
    FAINT,
    GROUND,
    INK,
    LINE,
    LIT,
    any_star,
    curve,
    disc,
    highlight,
    line,
    number,
    ring,
    shape,
    sign,
    star,
)

THREE = ("red", "yellow", "blue")
"""An example of three different colours."""


def constellation_in_colours(galaxy: MiniGalaxy, constellation: str) -> str:
    """The constellation's sign, and the constellation filled with three colours."""
    places = galaxy.enlarged(constellation, middle=(60, 81), width=88, height=50)
    links = [link for link in galaxy.board.links_of("direct") if link.ends <= places.keys()]
    drawn = sign(constellation, (60, 25), 17, LIT)
    drawn += "".join(line((places[link.a], places[link.b]), LINE, 3) for link in links)
    colours = _three_colours(galaxy.board, list(places))
    return drawn + "".join(star(colours[space], place, 13) for space, place in places.items())


def _three_colours(board: GalaxyBoard, spaces: Sequence[str]) -> dict[str, str]:
    """Colour spaces legally: no two linked spaces have the same colour."""
    chosen: dict[str, str] = {}
    for space in spaces:
        beside = {chosen.get(near) for near in board.neighbours(space)}
        free = [colour for colour in THREE if colour not in beside] or list(THREE)
        chosen[space] = min(free, key=list(chosen.values()).count)
    return chosen


def orbit_in_colours(galaxy: MiniGalaxy, orbit: int) -> str:
    """The orbit filled with three colours, with its number in the middle."""
    return _orbit(galaxy, orbit, THREE * 2)


def orbit_unrepeated(galaxy: MiniGalaxy, orbit: int) -> str:
    """The orbit filled with different colours, with its number in the middle."""
    return _orbit(galaxy, orbit, COLOURS)


def _orbit(galaxy: MiniGalaxy, orbit: int, colours: Sequence[str]) -> str:
    spaces = galaxy.board.orbits[orbit]
    room = disc(MIDDLE, galaxy.radii[orbit] - 5, GROUND) if orbit < 4 else disc(MIDDLE, 24, GROUND)
    return (
        galaxy.rings(colour=FAINT, width=1.5)
        + room
        + ring(MIDDLE, galaxy.radii[orbit], LIT, 3.5)
        + _coloured(galaxy, spaces, colours, 11)
        + number(str(orbit), MIDDLE, 22 if orbit < 3 else 30)
    )


def _coloured(
    galaxy: MiniGalaxy, spaces: Sequence[str], colours: Sequence[str], radius: float
) -> str:
    pairs = zip(spaces, colours, strict=False)
    return "".join(star(colour, galaxy.at(space), radius) for space, colour in pairs)


def each_colour(galaxy: MiniGalaxy) -> str:
    """Two stars of every colour."""
    drawn = ""
    for place, colour in enumerate(COLOURS):
        x, y = 23 + place % 3 * 37, 34 + place // 3 * 52
        drawn += star(colour, (x - 6, y - 8), 15) + star(colour, (x + 6, y + 9), 15)
    return drawn


def colour_in_constellations(galaxy: MiniGalaxy, colour: str) -> str:
    """The four constellations as fields of the sky; three hold two stars of the colour."""
    *three, other = galaxy.board.ring
    drawn = ""
    for constellation in three:
        x, y = _field(galaxy, constellation)
        drawn += disc((x, y), 26, "#2a3570")
        drawn += star(colour, (x - 9, y - 8), 14) + star(colour, (x + 9, y + 8), 14)
    return drawn + ring(_field(galaxy, other), 24, LINE, 2, "4 4")


def _field(galaxy: MiniGalaxy, constellation: str) -> tuple[float, float]:
    x, y = galaxy.direction(constellation)
    stretch = 28 / max(abs(x), abs(y))
    return MIDDLE[0] + stretch * x, MIDDLE[1] + stretch * y


def adjacent_orbits_full(galaxy: MiniGalaxy) -> str:
    board = galaxy.board
    numbers = sorted(board.orbits)
    three = numbers[len(numbers) // 2 - 1 :][:3]
    drawn = galaxy.rings(three, width=1.5)
    drawn += "".join(ring(MIDDLE, galaxy.radii[orbit], "#8a7548", 5) for orbit in three)
    for orbit in three:
        drawn += "".join(any_star(galaxy.at(space), 5.6) for space in board.orbits[orbit])
    return drawn + galaxy.dots([space for orbit in three for space in board.orbits[orbit]])


def opposite_constellations_full(galaxy: MiniGalaxy) -> str:
    return _full(galaxy, galaxy.board.opposite_constellations[0])


def adjacent_constellations_full(galaxy: MiniGalaxy) -> str:
    return _full(galaxy, galaxy.board.adjacent_constellations[0])


def _full(galaxy: MiniGalaxy, constellations: Sequence[str]) -> str:
    board = galaxy.board
    spaces = [space for name in constellations for space in board.constellations[name]]
    drawn = "".join(shape(galaxy.region(name), LIT, 0.3) for name in constellations)
    rest = [name for name in board.ring if name not in constellations]
    drawn += "".join(shape(galaxy.region(name), LINE, 0.16) for name in rest)
    return drawn + galaxy.dots(spaces) + "".join(any_star(galaxy.at(one), 6) for one in spaces)


def indirect_ends_occupied(galaxy: MiniGalaxy) -> str:
    """The indirect links with a star at either end."""
    ends = galaxy.board.indirect_ends
    spaces = [space for pair in ends for space in pair]
    return (
        galaxy.dots(spaces)
        + galaxy.joined(ends, INK, 4.5, "4 2.5")
        + "".join(any_star(galaxy.at(space), 7.5) for space in spaces)
    )


def beside_highlighted_occupied(galaxy: MiniGalaxy) -> str:
    """The outer highlighted spaces with a star on either side along their orbits."""
    board = galaxy.board
    drawn = galaxy.rings(width=1.5)
    for space in board.outer_highlighted:
        for beside in board.neighbours_by("orbital", space):
            drawn += curve(galaxy.along_orbit(space, beside), LINE, 4)
    drawn += "".join(any_star(galaxy.at(space), 7.5) for space in board.beside_highlighted)
    return drawn + "".join(highlight(galaxy.at(space), 7) for space in board.outer_highlighted)
