"""Action cards and moons drawn as small pictures: the pieces of choices, and what they give."""

from collections.abc import Mapping
from dataclasses import replace

from scorer.polaris.action_card import ActionCard, Choice
from webapp.web.card_ink import GROUND, INK, LIT, SIZE, Point, disc, line, picture

SHADOW = "#39447f"
MOONS: Mapping[str, tuple[float, bool] | None] = {
    "new": None,
    "crescent": (0.55, False),
    "quarter": (0.0, True),
    "gibbous": (0.55, True),
    "full": (1.0, True),
}
"""The width of the terminator relative to the radius, and whether it bulges; None: unlit."""
REACH = 27.0
"""The distance from a star's middle to the middle of a link touching it."""


def draw_moon(moon: str) -> str:
    """A moon's picture: a standalone square SVG. Raise KeyError for an unknown moon.

    It has a night sky of its own, as a full moon is as light as a page in light mode.
    """
    middle = (60.0, 60.0)
    return picture(moon, disc(middle, 59, GROUND) + _moon(moon, middle, 46.0))


def draw_action(card: ActionCard, choice: int) -> str:
    """A card with one of its choices: its moon above, the pieces below."""
    edge = "#0b0f26" if card.deck == "basic" else "#c9ced8"
    rim = (
        f'<rect x="1.5" y="1.5" width="{SIZE - 3}" height="{SIZE - 3}" rx="11" fill="none" '
        f'stroke="{edge}" stroke-width="3"/>'
    )
    return draw_card(replace(card, choices=(card.choices[choice],)), rim)


def draw_card(card: ActionCard, rim: str = "") -> str:
    """A whole card as printed: its moon once, its choices side by side."""
    drawn = f'<rect width="{SIZE}" height="{SIZE}" rx="12" fill="{GROUND}"/>'
    drawn += _moon(card.moon, (25.0, 25.0), 17.0) + (_sun((98.0, 22.0)) if card.dawn else "")
    if len(card.choices) == 1:
        shown = card.choices[0]
        drawn += _pieces(shown) + (_shooting_star((96.0, 98.0)) if shown.shooting else "")
        return picture(card.id, drawn + rim)
    wide = SIZE / len(card.choices)
    for number, choice in enumerate(card.choices):
        middle = (number + 0.5) * wide
        drawn += f'<g transform="translate({middle - 48} 19) scale(0.8)">{_pieces(choice)}</g>'
        drawn += _shooting_star((middle + 10, 106.0)) if choice.shooting else ""
        if number:
            drawn += line([(number * wide, 50.0), (number * wide, 108.0)], SHADOW, 1.5)
    return picture(card.id, drawn)


def _moon(moon: str, at: Point, radius: float) -> str:
    """A moon as seen from the north: light comes from the right while it waxes."""
    x, y = at
    light = MOONS[moon]
    rim = (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{SHADOW}" stroke="{INK}" '
        f'stroke-width="{radius / 9:.1f}" data-ink="fixed"/>'
    )
    if light is None:
        return rim
    wide, bulges = light
    return rim + (
        f'<path d="M{x} {y - radius}A{radius} {radius} 0 0 1 {x} {y + radius}'
        f'A{wide * radius:.1f} {radius} 0 0 {int(bulges)} {x} {y - radius}Z" fill="{INK}" '
        'data-ink="fixed"/>'
    )


def _pieces(choice: Choice) -> str:
    """Stars with the links at them, or between them; a link without a star stands alone."""
    joined = next((link for link in choice.links if len(link.stars) > 1), None)
    upright = joined is not None and joined.orientation == "vertical"
    middles = [(60.0, 66.0)]
    if choice.stars > 1:
        middles = [(60.0, 92.0), (60.0, 42.0)] if upright else [(34.0, 66.0), (86.0, 66.0)]
    drawn, sides = "", dict[str, int]()
    for link in choice.links:
        x, y = middles[0]
        if len(link.stars) > 1:
            x, y = 60.0, 67.0 if upright else 66.0
        elif link.stars:
            side = -1 if sides.get(link.orientation) else 1
            sides[link.orientation] = 1
            along = link.orientation == "horizontal"
            x, y = (x + side * REACH, y) if along else (x, y - side * REACH)
        drawn += _bar((x, y), link.orientation == "horizontal")
    return drawn + "".join(disc(middle, 12, LIT) for middle in middles[: choice.stars])


def _bar(at: Point, horizontal: bool) -> str:
    dx, dy = (9.0, 0.0) if horizontal else (0.0, 9.0)
    return line([(at[0] - dx, at[1] - dy), (at[0] + dx, at[1] + dy)], INK, 8)


def _sun(at: Point) -> str:
    x, y = at
    rays = [((x + dx * 9, y + dy * 9), (x + dx * 14, y + dy * 14)) for dx, dy in _AROUND]
    return disc(at, 6, LIT) + "".join(line([start, end], LIT, 2.4) for start, end in rays)


def _shooting_star(at: Point) -> str:
    x, y = at
    return line([(x, y), (x - 22, y - 12.1)], INK, 1.6) + disc(at, 5, LIT)


_AROUND = ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
