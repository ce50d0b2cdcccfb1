"""The sky's ornaments: in the corners, and the signs in the spaces."""

from calibration.drawing import (
    Fill,
    Line,
    Mark,
    Point,
    Stroke,
    disc,
    glow,
    moved,
    ring,
    rounded_box,
    star,
    strokes,
)
from calibration.lettering import lettering
from calibration.night import DEEP, GOLD, PALE_GOLD, compass, plate

SHOOTING_STAR = strokes("M -0.05 0.05 L -0.95 0.95 M -0.15 -0.3 L -0.75 0.3 M 0.3 0.15 L -0.3 0.75")
PLUS, MINUS = strokes("M -1 0 L 1 0 M 0 -1 L 0 1"), strokes("M -1 0 L 1 0")


def shooting_star(at: Point, size: float, colour: str, opacity: float = 1.0) -> list[Mark]:
    """A star with three trails, `size` mm from its centre to its edge."""
    head = star((at[0] + 0.38 * size, at[1] - 0.38 * size), 5, 0.62 * size, 0.26 * size, 20)
    return [
        Stroke(moved(SHOOTING_STAR, at, size), colour, size * 0.13, opacity * 0.8),
        Fill((head,), colour, opacity),
    ]


def corners(size_mm: Point) -> list[Mark]:
    """The corner ornaments, all different, so that a turned board is never mistaken."""
    width, height = size_mm
    return [
        *compass((27, 27), 17),
        *_title((width - 32, 18)),
        *_legend((33, height - 19)),
        *telescope((width - 25, height - 25), 18),
    ]


def _title(at: Point) -> list[Mark]:
    x, y = at
    return [
        *plate(at, (25, 11)),
        lettering("POLARIS", (x, y - 2.4), 5.6, PALE_GOLD, spacing=3.2, weight=0.1),
        lettering("THE NIGHT SKY", (x, y + 5.6), 2.1, GOLD, spacing=3.2),
        *(Fill((star((x + side * 20, y + 5.6), 4, 1.5, 0.4),), GOLD) for side in (-1, 1)),
    ]


def _legend(at: Point) -> list[Mark]:
    """The effects of the three kinds of marked spaces."""
    x, y = at
    marks = plate(at, (26, 12.5))
    for across, kind, words in (
        (-16.5, "red", ("PAY", "ONE")),
        (0.0, "white", ("GAIN", "ONE")),
        (16.5, "starred", ("CLOSED", "FOR TWO")),
    ):
        marks += space_ground((x + across, y - 2.6), 5.2, kind)
        for line, word in enumerate(words):
            spot = (x + across, y + 5.3 + 3.0 * line)
            marks.append(lettering(word, spot, 1.6, GOLD, spacing=2.8, weight=0.13))
    return marks


def space_ground(at: Point, radius: float, kind: str) -> list[Mark]:
    """An empty star space: `plain`, `red`, `white` or `starred`."""
    ground, rim, width = {
        "plain": ("#1d2644", "#b9c4e4", 0.45),
        "red": ("#4a1322", "#f0626c", 0.75),
        "white": ("#46506b", "#ffffff", 0.85),
        "starred": ("#1d2644", "#e2c173", 0.6),
    }[kind]
    marks: list[Mark] = [
        ring(at, radius + 0.45, DEEP, 0.9, 0.6),
        disc(at, radius, ground),
        *(disc(at, radius * part, "#ffffff", 0.02) for part in (0.85, 0.6)),
        ring(at, radius - width / 2, rim, width, 0.95),
        ring(at, radius - width - 0.55, rim, 0.14, 0.6),
    ]
    if kind == "red":
        marks += shooting_star(at, radius * 0.42, "#b04652")
        marks.append(_sign(MINUS, at, radius, "#f0626c"))
    elif kind == "white":
        marks += shooting_star(at, radius * 0.42, "#dfe5f4")
        marks.append(_sign(PLUS, at, radius, "#ffffff"))
    elif kind == "starred":
        marks.append(Stroke((star(at, 5, radius * 0.56, radius * 0.24),), "#e2c173", 0.4, 0.95))
    return marks


def _sign(lines: tuple[Line, ...], at: Point, radius: float, colour: str) -> Mark:
    spot = (at[0] + 0.48 * radius, at[1] + 0.46 * radius)
    return Stroke(moved(lines, spot, 0.13 * radius), colour, 0.32)


def telescope(at: Point, radius: float) -> list[Mark]:
    """A brass telescope on its stand, pointing at a bright star, in a disc of `radius` mm."""
    tube = rounded_box(-11, -2.4, 3, 2.4, 0.6)
    parts: list[tuple[Line, str]] = [
        (tube, "#a8894d"),
        (rounded_box(3, -3.2, 13, 3.2, 0.8), "#c4a562"),
        (rounded_box(12.2, -3.7, 13.8, 3.7, 0.5), PALE_GOLD),
        (rounded_box(-13.6, -1.5, -11, 1.5, 0.5), "#7c693f"),
        (rounded_box(-11.4, -2.8, -10.2, 2.8, 0.4), PALE_GOLD),
        (rounded_box(2.2, -3.2, 3.6, 3.2, 0.4), PALE_GOLD),
    ]
    x, y = at
    marks: list[Mark] = [disc(at, radius, DEEP, 0.5), ring(at, radius, GOLD, 0.3, 0.9)]
    marks.append(ring(at, radius - 1.2, GOLD, 0.15, 0.8))
    legs = (((x, y + 2), (x - 6, y + 14)), ((x, y + 2), (x + 6, y + 14)), ((x, y + 2), (x, y + 15)))
    marks.append(Stroke(legs, "#7c693f", 1.0))
    for outline, colour in parts:
        marks.append(Fill(moved([outline], (x, y), 0.95, -32), colour))
    marks.append(Stroke(moved([((-10, -1.0), (12, -1.6))], (x, y), 0.95, -32), "#fff3cf", 0.4, 0.6))
    marks.append(disc((x, y + 1.6), 1.5, PALE_GOLD))
    spot = (x + 10.5, y - 11.0)
    marks += glow(spot, 4, "#ffffff", 0.5)
    marks.append(Fill((star(spot, 4, 2.6, 0.5),), "#ffffff"))
    return marks
