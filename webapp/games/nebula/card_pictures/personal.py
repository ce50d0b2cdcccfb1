"""The patterns of the personal cards."""

from webapp.games.nebula.card_pictures.mini_galaxy import MIDDLE, MiniGalaxy
from webapp.web.card_ink import (
    GROUND,
    INK,
    LINE,
    LIT,
    any_star,
    disc,
    highlight,
    number,
    ring,
    shape,
    star,
)


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
    return drawn + number("≤4", MIDDLE, 28)
