"""SVG elements for card pictures, on a square of 120 by 120.

Stars, marks and constellation signs come from the sprite of the pages and its style sheet.
"""

from collections.abc import Iterable

from markupsafe import escape

from scorer.places import Point as Point
from webapp.web.score_picture.sprite import mark_colours, shapes, star_colours

SIZE = 120
GROUND = "#121a3f"
FAINT = "#3d4a8c"
LINE = "#7d8acb"
INK = "#e6eafc"
LIT = "#f3c969"


def picture(title: str, drawn: str) -> str:
    """Return a standalone square SVG."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f"<title>{escape(title)}</title>{drawn}</svg>"
    )


def framed(title: str, drawn: str, edge: str) -> str:
    """Return a standalone square SVG on a night sky, framed in a deck's colour."""
    return picture(
        title,
        f'<rect width="{SIZE}" height="{SIZE}" rx="12" fill="{GROUND}"/>{drawn}'
        f'<rect x="1" y="1" width="{SIZE - 2}" height="{SIZE - 2}" rx="11" fill="none" '
        f'stroke="{edge}" stroke-width="2" stroke-opacity="0.75"/>',
    )


def star(colour: str, at: Point, radius: float) -> str:
    """Draw a star with its colour's mark."""
    edge = LINE if colour == "black" else GROUND
    return _placed(
        f'<g fill="{star_colours()[colour]}" stroke="{edge}" stroke-width="1" '
        f'stroke-linejoin="round">{shapes()["shape-star"]}</g>'
        f'<g fill="{mark_colours()[colour]}">{shapes()[f"mark-{colour}"]}</g>',
        at,
        radius / 9.6,
    )


def sign(constellation: str, at: Point, radius: float, colour: str = INK) -> str:
    return _placed(
        f'<g fill="none" stroke="{colour}" stroke-width="1.7" stroke-linecap="round">'
        f"{shapes()[f'sign-{constellation}']}</g>",
        at,
        radius / 7,
    )


def _placed(drawn: str, at: Point, scale: float) -> str:
    return f'<g transform="translate({_n(at[0])} {_n(at[1])}) scale({scale:.3f})">{drawn}</g>'


def any_star(at: Point, radius: float) -> str:
    """Draw a star of any colour: a gold disc."""
    return disc(at, radius, LIT)


def highlight(at: Point, radius: float) -> str:
    """Draw a highlighted space: a ring with rays."""
    x, y = at
    rays = "".join(
        f'<path transform="rotate({turn} {_n(x)} {_n(y)})" '
        f'd="M{_n(x)} {_n(y - radius * 1.2)}V{_n(y - radius * 1.42)}"/>'
        for turn in range(0, 360, 45)
    )
    return (
        f'<g stroke="{LIT}" stroke-width="{_n(max(2.0, radius * 0.2))}" stroke-linecap="round">'
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{GROUND}"/>{rays}</g>'
    )


def disc(at: Point, radius: float, colour: str) -> str:
    return f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(radius)}" fill="{colour}"/>'


def ring(at: Point, radius: float, colour: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(radius)}" fill="none" '
        f'stroke="{colour}" stroke-width="{_n(width)}"{dashed}/>'
    )


def line(points: Iterable[Point], colour: str, width: float, dashes: str = "") -> str:
    path = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
    return curve(f"M{path}", colour, width, dashes)


def curve(path: str, colour: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round"'
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{_n(width)}" '
        f'stroke-linejoin="round"{dashed}/>'
    )


def shape(path: str, colour: str, opacity: float = 1.0) -> str:
    seen = "" if opacity == 1 else f' fill-opacity="{opacity}"'
    return f'<path d="{path}" fill="{colour}"{seen}/>'


def number(text: str, at: Point, height: float, halo: bool = False) -> str:
    """Write digits or symbols centred on a point; `height` is that of a digit."""
    about = f' stroke="{GROUND}" stroke-width="4" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{_n(at[0])}" y="{_n(at[1] + height / 2)}" font-size="{_n(height / 0.72)}" '
        f'font-family="system-ui,sans-serif" font-weight="700" text-anchor="middle" '
        f'fill="{INK}"{about}>{text}</text>'
    )


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
