"""Shapes and colours of the pages, for pictures drawn elsewhere.

They are parsed from the pages' sprite and style sheet.
"""

import re
from functools import cache
from pathlib import Path

_WEB = Path(__file__).parents[1]


@cache
def shapes() -> dict[str, str]:
    """Return the sprite's shapes by id, drawn in a box from -10 to 10."""
    sprite = (_WEB / "templates" / "_marks.html").read_text(encoding="utf-8")
    found = re.findall(r'(?s)<symbol id="([\w-]+)" viewBox="-10 -10 20 20">(.*?)</symbol>', sprite)
    return dict(found)


@cache
def star_colours() -> dict[str, str]:
    """Return each star's colour on the screen."""
    return dict(re.findall(r"--star-(\w+): (#[0-9a-f]{3,6});", _style()))


@cache
def mark_colours() -> dict[str, str]:
    return dict(re.findall(r"\.star-(\w+) \{[^}]*--star-mark: (#[0-9a-f]{3,6});", _style()))


@cache
def region_fills() -> dict[str, tuple[str, float]]:
    """Return the colour and opacity of each kind of region."""
    styles = sorted(_WEB.parent.glob("games/*/static/style/game.css"))
    rule = r"\.region\.(\w+) \{ fill: (#[0-9a-f]{6}); fill-opacity: ([\d.]+); \}"
    found = [one for style in styles for one in re.findall(rule, style.read_text("utf-8"))]
    return {rim: (colour, float(opacity)) for rim, colour, opacity in found}


def _style() -> str:
    return (_WEB / "static" / "style" / "base.css").read_text(encoding="utf-8")
