"""Cards drawn as small SVG pictures of their pattern, which remain legible at 44 px.

The vocabulary is the same on every card: a star with its colour's mark is that colour; a gold disc
is a star of any colour; a ring with rays is a highlighted space; a dashed line is an indirect link.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import atan2, cos, dist, hypot, pi, sin
from statistics import fmean
from sys import modules

from calibration import Profile
from scorer.families import functions_of
from scorer.nebula.board import GalaxyBoard
from scorer.nebula.card import Card
from scorer.nebula.words import COLOURS
from webapp.web.card_ink import (
    FAINT,
    GROUND,
    INK,
    LINE,
    LIT,
    SIZE,
    Point,
    any_star,
    curve,
    disc,
    framed,
    highlight,
    line,
    number,
    ring,
    shape,
    sign,
    star,
)
from webapp.web.score_picture.sprite import shapes, star_colours

MIDDLE: Point = (SIZE / 2, SIZE / 2)
REACH = 50
"""The distance of the outermost space from the middle."""
DOT = 3.2


class MiniGalaxy:
    """The places of a board's spaces in a picture, with the core in the middle."""

    def __init__(self, profile: Profile) -> None:
        self.board: GalaxyBoard = profile.board
        self._places = {name: space.at for name, space in profile.spaces.items()}
        core = self._places[self.board.core]
        self._scale = REACH / max(dist(core, at) for at in self._places.values())

    def at(self, space: str) -> Point:
        core, own = self._places[self.board.core], self._places[space]
        return (
            MIDDLE[0] + (own[0] - core[0]) * self._scale,
            MIDDLE[1] + (own[1] - core[1]) * self._scale,
        )

    @cached_property
    def radii(self) -> dict[int, float]:
        """The mean distance of each orbit from the middle."""
        return {
            number: fmean(dist(MIDDLE, self.at(space)) for space in spaces)
            for number, spaces in self.board.orbits.items()
        }

    def direction(self, constellation: str) -> Point:
        """The unit vector from the core to the middle of a constellation."""
        places = [self.at(space) for space in self.board.constellations[constellation]]
        x = fmean(place[0] for place in places) - MIDDLE[0]
        y = fmean(place[1] for place in places) - MIDDLE[1]
        return x / hypot(x, y), y / hypot(x, y)

    def region(self, constellation: str) -> str:
        """The SVG path of the sector of the sky around a constellation."""
        towards = self.direction(constellation)
        turn, half = atan2(towards[1], towards[0]), pi / len(self.board.ring) - 0.05
        far = REACH + 6
        start, end = (
            (MIDDLE[0] + far * cos(turn + side), MIDDLE[1] + far * sin(turn + side))
            for side in (-half, half)
        )
        near = (MIDDLE[0] + 5 * towards[0], MIDDLE[1] + 5 * towards[1])
        return (
            f"M{near[0]:.1f} {near[1]:.1f}L{start[0]:.1f} {start[1]:.1f}"
            f"A{far} {far} 0 0 1 {end[0]:.1f} {end[1]:.1f}Z"
        )

    def enlarged(
        self, constellation: str, middle: Point, width: float, height: float
    ) -> dict[str, Point]:
        """The places of a constellation's spaces, scaled to fill a box around `middle`."""
        places = {space: self.at(space) for space in self.board.constellations[constellation]}
        xs, ys = zip(*places.values(), strict=True)
        scale = min(width / (max(xs) - min(xs)), height / (max(ys) - min(ys)))
        at = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return {
            space: (middle[0] + (x - at[0]) * scale, middle[1] + (y - at[1]) * scale)
            for space, (x, y) in places.items()
        }

    def along_orbit(self, start: str, end: str) -> str:
        """The SVG path along the shorter arc between two spaces of an orbit."""
        (x1, y1), (x2, y2) = self.at(start), self.at(end)
        turning = (x1 - MIDDLE[0]) * (y2 - MIDDLE[1]) - (y1 - MIDDLE[1]) * (x2 - MIDDLE[0])
        radius = dist(MIDDLE, (x1, y1))
        clockwise = int(turning > 0)
        return f"M{x1:.1f} {y1:.1f}A{radius:.1f} {radius:.1f} 0 0 {clockwise} {x2:.1f} {y2:.1f}"

    def dots(self, leave_out: Iterable[str] = ()) -> str:
        """Faint dots for all spaces but those to leave out."""
        out = set(leave_out)
        return "".join(
            disc(self.at(space), DOT, FAINT) for space in self.board.spaces if space not in out
        )

    def rings(self, leave_out: Iterable[int] = (), colour: str = FAINT, width: float = 1) -> str:
        """Faint rings for all orbits but those to leave out."""
        out = set(leave_out)
        return "".join(
            ring(MIDDLE, radius, colour, width)
            for number, radius in self.radii.items()
            if number not in out
        )

    def joined(self, pairs: Iterable[Sequence[str]], colour: str, width: float, dashes: str) -> str:
        return "".join(line((self.at(a), self.at(b)), colour, width, dashes) for a, b in pairs)


def colour_on_indirect_links(galaxy: MiniGalaxy, colour: str) -> str:
    """Four dashed links, each with a star of the colour at one end and an open other end."""
    ends = galaxy.board.indirect_ends
    drawn = galaxy.rings() + galaxy.joined(ends, INK, 4.5, "4 2.5")
    for a, b in ends:
        drawn += disc(galaxy.at(a), 5.5, GROUND) + ring(galaxy.at(a), 5.5, LINE, 2.5)
        drawn += star(colour, galaxy.at(b), 12)
    return drawn + disc(MIDDLE, 17, GROUND) + star(colour, MIDDLE, 17)


def colour_on_highlighted(galaxy: MiniGalaxy, colour: str) -> str:
    """The highlighted spaces; all but one hold the colour."""
    spaces = galaxy.board.highlighted
    drawn = galaxy.dots(spaces)
    drawn += "".join(highlight(galaxy.at(space), 12.5) for space in spaces[:-1])
    drawn += highlight(galaxy.at(spaces[-1]), 7)
    return drawn + "".join(star(colour, galaxy.at(space), 11) for space in spaces[:-1])


def stars_of_colour(galaxy: MiniGalaxy, colour: str) -> str:
    """Six stars of the colour, like the pips of a die."""
    return "".join(star(colour, (x, y), 20) for y in (24, 60, 96) for x in (36, 84))


def most_black(galaxy: MiniGalaxy) -> str:
    """A crowned black star between smaller ones."""
    crown = "M36 40 32 12 47 24 60 8 73 24 88 12 84 40Z"
    return (
        star("black", (26, 92), 17)
        + star("black", (94, 92), 17)
        + star("black", (60, 76), 33)
        + shape(crown, LIT)
    )


def few_empty(galaxy: MiniGalaxy) -> str:
    """A galaxy of stars with four empty spaces, one in each constellation."""
    board = galaxy.board
    empty = [spaces[-1] for spaces in board.constellations.values()]
    places = [galaxy.at(space) for space in board.spaces if space not in empty]
    drawn = "".join(
        any_star(at, 6) for at in places if abs(at[0] - 60) > 37 or abs(at[1] - 60) > 22
    )
    drawn += "".join(ring(galaxy.at(space), 6.5, INK, 2.5, "3 2.2") for space in empty)
    return drawn + number("0–4", MIDDLE, 28)


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


def linked_pairs(galaxy: MiniGalaxy, colours: Sequence[str]) -> str:
    """A star of one colour linked to a star of the other."""
    one, other = colours
    low, high = (35, 82), (85, 38)
    return line((low, high), INK, 7) + star(one, low, 32) + star(other, high, 32)


def highlighted_alike(galaxy: MiniGalaxy) -> str:
    """The highlighted spaces, each with a star of the same unspecified colour."""
    spaces = galaxy.board.highlighted
    stripes = "".join(
        f'<stop offset="{step / 6:.3f}" stop-color="{star_colours()[colour]}"/>'
        f'<stop offset="{(step + 1) / 6:.3f}" stop-color="{star_colours()[colour]}"/>'
        for step, colour in enumerate(COLOURS)
    )
    drawn = f'<linearGradient id="any">{stripes}</linearGradient>' + galaxy.dots(spaces)
    for space in spaces:
        x, y = galaxy.at(space)
        drawn += highlight((x, y), 12.5)
        drawn += (
            f'<g transform="translate({x:.1f} {y:.1f}) scale(1.15)" fill="url(#any)" '
            f'stroke="{GROUND}">{shapes()["shape-star"]}</g>'
        )
    corners = [(x, y) for x in (20, 100) for y in (20, 100)]
    free = max(corners, key=lambda corner: min(dist(corner, galaxy.at(one)) for one in spaces))
    return drawn + number("=", free, 24)


def career_markers(galaxy: MiniGalaxy) -> str:
    """Career cards with a marker on each."""
    drawn = ""
    for x, y, turn in ((20, 18, -12), (43, 24, 0), (66, 38, 12)):
        drawn += (
            f'<rect x="{x}" y="{y}" width="36" height="52" rx="5" fill="#2a3570" stroke="{LIT}" '
            f'stroke-width="2.5" transform="rotate({turn} {x + 18} {y + 52})"/>'
        )
    for x, y in ((24, 74), (58, 84), (94, 92)):
        drawn += disc((x, y), 16, GROUND) + disc((x, y), 14, LIT)
        drawn += curve(f"M{x - 7} {y}l5 6 9-11", GROUND, 4.5)
    return drawn


def orbits_with_colour(galaxy: MiniGalaxy, colour: str) -> str:
    """The orbits around the core in a corner, each with a star of the colour."""
    corner, step = (12.0, 108.0), 20
    drawn = disc(corner, 5, LINE)
    places = []
    for orbit, degrees in zip(sorted(galaxy.board.orbits), (45, 72, 18, 60, 32), strict=False):
        radius = 22 + step * (orbit - 1)
        drawn += curve(
            f"M{corner[0]} {corner[1] - radius}A{radius} {radius} 0 0 1 "
            f"{corner[0] + radius} {corner[1]}",
            LINE,
            2.5,
        )
        turn = degrees * pi / 180
        places.append((corner[0] + radius * cos(turn), corner[1] - radius * sin(turn)))
    return drawn + "".join(star(colour, place, 15) for place in places)


def highlighted_surrounded(galaxy: MiniGalaxy) -> str:
    """A highlighted space with every space around it occupied."""
    around = [
        (MIDDLE[0] + 40 * cos(turn * pi / 2 + pi / 4), MIDDLE[1] + 40 * sin(turn * pi / 2 + pi / 4))
        for turn in range(4)
    ]
    drawn = "".join(line((MIDDLE, place), LINE, 5) for place in around)
    drawn += highlight(MIDDLE, 18)
    return drawn + "".join(any_star(place, 16) for place in around)


def colour_beside_highlighted(galaxy: MiniGalaxy, colour: str) -> str:
    """A highlighted space with a star of the colour on either side along its orbit."""
    return (
        curve("M8 96Q60 8 112 96", LINE, 4)
        + highlight((60, 48), 16)
        + star(colour, (29, 76), 24)
        + star(colour, (91, 76), 24)
    )


FAMILIES = functions_of(modules[__name__])
"""Drawing functions by family: (galaxy, **parameters of the card) -> SVG elements."""

EDGES = {"personal": "#8f7be0", "career": "#d9b04c", "advanced": "#4fa9b8"}
"""The colours of thin frames that distinguish the decks."""


def draw(card: Card, profile: Profile) -> str:
    """A card's picture: a standalone square SVG, a night sky in light and dark mode."""
    pattern = FAMILIES[card.family](MiniGalaxy(profile), **card.parameters)
    return framed(card.id, pattern, EDGES[card.deck])
