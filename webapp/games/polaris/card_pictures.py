"""Cards drawn as small pictures: what a common card counts, or a pattern's two forms."""

from collections.abc import Callable, Mapping

from scorer.places import on_arc
from scorer.polaris.card import COMMON, PERSONAL, CommonCard, PersonalCard
from scorer.polaris.patterns import Form
from webapp.web.card_ink import (
    GROUND,
    INK,
    LIT,
    SIZE,
    Point,
    disc,
    framed,
    line,
    number,
    picture,
    ring,
    shape,
)

MIDDLE: Point = (SIZE / 2, SIZE / 2)
FAINT, RED = "#56639f", "#ff8b86"
RADII = (18.0, 28.0, 38.0, 48.0)
"""The radii of the orbits, from the inside out."""
SECTOR = 72.0


def drawn(card: str) -> str:
    """The picture of a card by its id, or of the game. Raise KeyError for any other id."""
    if card == "polaris":
        return draw_game()
    return draw(COMMON[card] if card in COMMON else PERSONAL[card])


def draw(card: CommonCard | PersonalCard) -> str:
    """A card's picture: a standalone square SVG, a night sky in light and dark mode."""
    if isinstance(card, PersonalCard):
        drawn, edge = _forms(card.forms), "#8f7be0"
    else:
        drawn, edge = FAMILIES[card.family](**card.parameters), "#d9b04c"
    return framed(card.id, drawn, edge)


def draw_game() -> str:
    """A picture of the game: its sky with a constellation."""
    points = [_at(-100, 28), _at(-54, 38), _at(-18, 48), _at(18, 38), _at(18, 18), _at(100, 28)]
    drawn = disc(MIDDLE, 59, GROUND) + _sky() + line(points, INK, 2.4)
    return picture("polaris", drawn + "".join(disc(point, 5, LIT) for point in points))


def _at(degrees: float, radius: float) -> Point:
    """A point of the sky at a distance from Polaris, in degrees clockwise from above."""
    return on_arc(MIDDLE, radius, degrees)


def _sky(borders: str = FAINT) -> str:
    rings = "".join(ring(MIDDLE, radius, FAINT, 1) for radius in RADII)
    turns = [SECTOR / 2 + SECTOR * sector for sector in range(5)]
    lines = "".join(line([_at(turn, 10), _at(turn, 53)], borders, 1.4) for turn in turns)
    return rings + lines + disc(MIDDLE, 4, INK)


def _sector(sector: int) -> str:
    start, end = (SECTOR * (sector - 1) + side * SECTOR / 2 for side in (-1, 1))
    (x1, y1), (x2, y2) = _at(start, 53), _at(end, 53)
    wedge = shape(f"M60 60L{x1:.1f} {y1:.1f}A53 53 0 0 1 {x2:.1f} {y2:.1f}Z", LIT, 0.55)
    return wedge + _sky() + number(str(sector), _at(SECTOR * (sector - 1), 33), 16, halo=True)


def _orbit(orbit: int) -> str:
    radius = RADII[(orbit - 1) % len(RADII)]
    shown = _sky() + ring(MIDDLE, radius, LIT, 5)
    return shown + number(str(orbit), (MIDDLE[0], MIDDLE[1] + radius), 14.4, halo=True)


def _borders() -> str:
    turns = [SECTOR / 2 + SECTOR * sector for sector in range(5)]
    stars = [disc(_at(turn, radius), 3.6, LIT) for turn in turns for radius in (28, 48)]
    return _sky(RED) + "".join(stars)


def _longest_line() -> str:
    points = [_at(-54, 48), _at(-18, 48), _at(-18, 28), _at(18, 28), _at(54, 28), _at(54, 48)]
    return _sky() + line(points, LIT, 4) + "".join(disc(point, 5, LIT) for point in points)


def _sizes() -> str:
    drawn = ""
    for size, left, y in ((2, 30.0, 28.0), (3, 26.0, 60.0), (4, 24.0, 92.0)):
        points = [(left + 22 * star, y) for star in range(size)]
        drawn += line(points, LIT, 3) + "".join(disc(point, 6, LIT) for point in points)
        drawn += number(str(size), (104, y), 13, halo=True)
    return drawn


def _in_orbits() -> str:
    pairs = [(turn, radius) for radius in RADII for turn in (-10 - 300 / radius, 300 / radius - 10)]
    return _sky() + "".join(disc(_at(*pair), 4.2, LIT) for pair in pairs)


def _in_sectors() -> str:
    turns = [SECTOR * sector + side for sector in range(5) for side in (-18, 16)]
    return _sky() + "".join(disc(_at(turn, 38), 4.6, LIT) for turn in turns)


def _surrounded() -> str:
    ends = [(60.0, 24.0), (96.0, 60.0), (60.0, 96.0), (24.0, 60.0)]
    links = "".join(line([(60.0, 60.0), end], INK, 7) for end in ends)
    return links + disc((60.0, 60.0), 15, LIT) + "".join(disc(end, 7, FAINT) for end in ends)


def _forms(forms: tuple[Form, ...]) -> str:
    """The forms side by side: stars with their links; up is away from Polaris."""
    drawn = ""
    for form, middle in zip(forms, (33.0, 87.0), strict=False):
        places: dict[int, tuple[int, int]] = {0: (0, 0)}
        for start, direction, end in form.steps:
            x, y = places[start]
            dx, dy = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}[direction]
            places[end] = (x + dx, y + dy)
        xs, ys = zip(*places.values(), strict=True)
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        step = 13.0 if max(wide, high) > 2 else 17.0
        left, top = middle - wide * step / 2, MIDDLE[1] - high * step / 2
        at = {
            star: (left + (x - min(xs)) * step, top + (y - min(ys)) * step)
            for star, (x, y) in places.items()
        }
        drawn += "".join(line([at[start], at[end]], INK, 3.4) for start, _, end in form.steps)
        drawn += "".join(disc(point, 5, LIT) for point in at.values())
    return drawn + line([(60.0, 22.0), (60.0, 98.0)], FAINT, 1)


FAMILIES: Mapping[str, Callable[..., str]] = {
    "stars_in_sector": _sector,
    "stars_in_orbit": _orbit,
    "stars_on_borders": _borders,
    "longest_line": _longest_line,
    "different_sizes": _sizes,
    "presence_in_orbits": _in_orbits,
    "presence_in_sectors": _in_sectors,
    "surrounded_stars": _surrounded,
}
