"""Cards drawn as small pictures: what of the sky a common card counts, or a pattern's two forms."""

from collections.abc import Callable, Mapping

from markupsafe import escape

from scorer.places import on_arc
from scorer.polaris.card import COMMON, PERSONAL, CommonCard, PersonalCard
from scorer.polaris.patterns import Form

SIZE, MIDDLE = 120, 60.0
GROUND, FAINT, INK, LIT, RED = "#121a3f", "#56639f", "#e6eafc", "#f3c969", "#ff8b86"
RADII = (18.0, 28.0, 38.0, 48.0)
"""Of the orbits, from the inside out."""
SECTOR = 72.0
Point = tuple[float, float]


def drawn(card: str) -> str:
    """A card's picture by its id, or the game's; KeyError for any other id."""
    if card == "polaris":
        return draw_game()
    return draw(COMMON[card] if card in COMMON else PERSONAL[card])


def draw(card: CommonCard | PersonalCard) -> str:
    """Return a card's picture: a standalone square SVG, a night sky in either appearance."""
    if isinstance(card, PersonalCard):
        drawn, edge = _forms(card.forms), "#8f7be0"
    else:
        drawn, edge = FAMILIES[card.family](**card.parameters), "#d9b04c"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f"<title>{escape(card.id)}</title>"
        f'<rect width="{SIZE}" height="{SIZE}" rx="12" fill="{GROUND}"/>{drawn}'
        f'<rect x="1" y="1" width="{SIZE - 2}" height="{SIZE - 2}" rx="11" fill="none" '
        f'stroke="{edge}" stroke-width="2" stroke-opacity="0.75"/></svg>'
    )


def draw_game() -> str:
    """Return a picture of the game: its sky, and a constellation on it."""
    points = [_at(-100, 28), _at(-54, 38), _at(-18, 48), _at(18, 38), _at(18, 18), _at(100, 28)]
    drawn = _sky() + line(points, INK, 2.4) + "".join(disc(point, 5, LIT) for point in points)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f'<circle cx="60" cy="60" r="59" fill="{GROUND}"/>{drawn}</svg>'
    )


def _at(degrees: float, radius: float) -> Point:
    """A point of the sky: clockwise from above, so far from Polaris."""
    return on_arc((MIDDLE, MIDDLE), radius, degrees)


def line(points: list[Point], colour: str, width: float) -> str:
    """Return a path through points."""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return (
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def disc(at: Point, radius: float, colour: str) -> str:
    """Return a disc."""
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{colour}"/>'


def _sky(borders: str = FAINT) -> str:
    """The orbits and the borders of the sectors."""
    rings = "".join(
        f'<circle cx="60" cy="60" r="{radius}" fill="none" stroke="{FAINT}"/>' for radius in RADII
    )
    turns = [SECTOR / 2 + SECTOR * sector for sector in range(5)]
    lines = "".join(line([_at(turn, 10), _at(turn, 53)], borders, 1.4) for turn in turns)
    return rings + lines + disc((MIDDLE, MIDDLE), 4, INK)


def _sector(sector: int) -> str:
    start, end = (SECTOR * (sector - 1) + side * SECTOR / 2 for side in (-1, 1))
    (x1, y1), (x2, y2) = _at(start, 53), _at(end, 53)
    wedge = (
        f'<path d="M60 60L{x1:.1f} {y1:.1f}A53 53 0 0 1 {x2:.1f} {y2:.1f}Z" '
        f'fill="{LIT}" fill-opacity="0.55"/>'
    )
    x, y = _at(SECTOR * (sector - 1), 33)
    return wedge + _sky() + _number(str(sector), (x, y))


def _number(text: str, at: Point, size: float = 22) -> str:
    return (
        f'<text x="{at[0]:.1f}" y="{at[1] + size * 0.36:.1f}" font-size="{size}" '
        'font-family="system-ui,sans-serif" font-weight="700" text-anchor="middle" '
        f'fill="{INK}" stroke="{GROUND}" stroke-width="4" paint-order="stroke">{text}</text>'
    )


def _orbit(orbit: int) -> str:
    radius = RADII[(orbit - 1) % len(RADII)]
    ring = f'<circle cx="60" cy="60" r="{radius}" fill="none" stroke="{LIT}" stroke-width="5"/>'
    return _sky() + ring + _number(str(orbit), (MIDDLE, MIDDLE + radius), 20)


def _borders() -> str:
    turns = [SECTOR / 2 + SECTOR * sector for sector in range(5)]
    stars = [disc(_at(turn, radius), 3.6, LIT) for turn in turns for radius in (28, 48)]
    return _sky(RED) + "".join(stars)


def _longest_line() -> str:
    points = [_at(-54, 48), _at(-18, 48), _at(-18, 28), _at(18, 28), _at(54, 28), _at(54, 48)]
    return _sky() + line(points, LIT, 4) + "".join(disc(point, 5, LIT) for point in points)


def _sizes() -> str:
    groups = ([(30, 28), (52, 28)], [(26, 60), (48, 60), (70, 60)])
    largest = [(24.0, 92.0), (46.0, 92.0), (68.0, 92.0), (90.0, 92.0)]
    drawn = ""
    for group in (*groups, largest):
        points = [(float(x), float(y)) for x, y in group]
        drawn += line(points, LIT, 3) + "".join(disc(point, 6, LIT) for point in points)
    return drawn + "".join(_number(str(len(g)), (104, g[0][1]), 18) for g in (*groups, largest))


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
    """The forms side by side: stars and the links between them, up being away from Polaris."""
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
        left, top = middle - wide * step / 2, MIDDLE - high * step / 2
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
