"""The shapes and colours that pages draw with, for pictures that are drawn elsewhere.

They are read from the sprite that the pages show and the style sheet that colours it.
"""

import re
from functools import cache
from pathlib import Path

_WEB = Path(__file__).parents[1]


@cache
def shapes() -> dict[str, str]:
    """Return the sprite's shapes by id, drawn in a box from -10 to 10."""
    sprite = (_WEB / "templates" / "_marks.html").read_text(encoding="utf-8")
    found = re.findall(r'<symbol id="([\w-]+)" viewBox="-10 -10 20 20">(.*?)</symbol>', sprite)
    return dict(found)


@cache
def star_colours() -> dict[str, str]:
    """Return what each star colour looks like on a screen."""
    return dict(re.findall(r"--star-(\w+): (#[0-9a-f]{3,6});", _style()))


@cache
def mark_colours() -> dict[str, str]:
    """Return the colour of the mark inside each star."""
    return dict(re.findall(r"\.star-(\w+) \{[^}]*--star-mark: (#[0-9a-f]{3,6});", _style()))


@cache
def region_fills() -> dict[str, tuple[str, float]]:
    """Return the colour of each game's kinds of region, and how opaque it is."""
    styles = sorted(_WEB.parent.glob("games/*/static/style/game.css"))
    rule = r"\.region\.(\w+) \{ fill: (#[0-9a-f]{6}); fill-opacity: ([\d.]+); \}"
    found = [one for style in styles for one in re.findall(rule, style.read_text("utf-8"))]
    return {rim: (colour, float(opacity)) for rim, colour, opacity in found}


def _style() -> str:
    return (_WEB / "static" / "style" / "base.css").read_text(encoding="utf-8")
