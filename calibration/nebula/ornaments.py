"""The board's frame and corner ornaments, in gold and deep blue."""

from dataclasses import replace

from calibration.drawing import Fill, Mark, Point, arc, disc, glow, ring, star
from calibration.lettering import lettering
from calibration.night import GOLD, PALE_GOLD, compass, plate


def corners(size_mm: tuple[float, float]) -> list[Mark]:
    """The corner ornaments, all different, so that a turned board is never mistaken."""
    width, height = size_mm
    return [
        *_moons((width - 31, 51)),
        *compass((21.5, height - 22.5), 12.5),
        *_cartouche((width - 28.5, height - 17.5)),
    ]


def _moons(at: Point) -> list[Mark]:
    """Five phases of the moon along a curve."""
    marks: list[Mark] = []
    for i, lit in enumerate((-0.55, -0.1, 1.0, 0.1, 0.55)):
        x, y = at[0] - 17 + 8.5 * i, at[1] + 1.6 - 1.6 * (1 - ((i - 2) / 2) ** 2)
        size = 2.9 if lit == 1.0 else 2.3
        marks.append(replace(disc((x, y), size, "#1b2340", 0.95), fixed=True))
        if lit == 1.0:
            marks += glow((x, y), size * 2, "#e8e2c8", 0.4)
            marks.append(replace(disc((x, y), size, "#e4dfca"), fixed=True))
            for dx, dy, crater in ((-0.9, -0.6, 0.55), (0.8, 0.5, 0.75), (0.3, -1.4, 0.4)):
                marks.append(replace(disc((x + dx, y + dy), crater, "#c2bda9", 0.8), fixed=True))
        else:
            side = -1 if i < 2 else 1
            rim = arc((x, y), size, size, -90, 90)
            shade = arc((x, y), size * abs(lit), size, 90, -90)
            crescent = tuple((x + side * (px - x), py) for px, py in (*rim, *shade))
            marks.append(Fill((crescent,), "#d8d3be", 0.95, fixed=True))
        marks.append(ring((x, y), size, GOLD, 0.15, 0.8))
    return marks


def _cartouche(at: Point) -> list[Mark]:
    """The board's title on a small plate."""
    x, y = at
    marks: list[Mark] = [
        *plate(at, (24, 11)),
        lettering("NEBULA", (x, y - 2.6), 5.6, PALE_GOLD, spacing=3.2, weight=0.1),
        lettering("THE GALAXY", (x, y + 5.6), 2.1, GOLD, spacing=4.2),
    ]
    for side in (-1, 1):
        marks.append(Fill((star((x + side * 16.2, y + 5.6), 4, 1.5, 0.4),), GOLD))
    return marks
