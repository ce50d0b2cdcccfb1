"""The patterns of the advanced cards."""

from collections.abc import Sequence
from math import cos, dist, pi, sin

from scorer.nebula.words import COLOURS
from webapp.games.nebula.card_pictures.mini_galaxy import MIDDLE, MiniGalaxy
from webapp.web.card_ink import (
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
    star,
)
from webapp.web.score_picture.sprite import shapes, star_colours


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
