"""Bodies that stand: a box to fold for each, with its sign on the top and on every side."""

from collections.abc import Iterator

from calibration.drawing import Drawing, Fill, Line, Mark, Point, Stroke, dashes
from calibration.ptolemaeus.artwork import (
    DARK,
    INK,
    PALE,
    PALE_MIDDLED,
    PAPER,
    body_middle,
    sign,
)
from scorer.ptolemaeus.game import BODIES

SIDE_MM, HEIGHT_MM = 15.0, 12.0
"""The box's, within the disc that a body may be instead (20 mm)."""
TAB_MM = 4.0
NET_MM = SIDE_MM + 2 * HEIGHT_MM + 4.0
ACROSS = 4


def solids() -> Drawing:
    """A sheet with the net of every body: cut along the lines, fold along the dashes."""
    rows = -(-len(BODIES) // ACROSS)
    marks = [
        mark
        for number, body in enumerate(BODIES)
        for mark in net(body, ((number % ACROSS + 0.5) * NET_MM, (number // ACROSS + 0.5) * NET_MM))
    ]
    return Drawing((ACROSS * NET_MM, rows * NET_MM), tuple(marks))


def net(body: str, at: Point) -> Iterator[Mark]:
    """A box without a bottom, its top about a point in mm; each second side has two tabs."""
    side, height = SIDE_MM / 2, HEIGHT_MM
    far, tab = side + height, TAB_MM
    cross = (
        *((-side, -far), (side, -far), (side, -side), (far, -side), (far, side), (side, side)),
        *((side, far), (-side, far), (-side, side), (-far, side), (-far, -side), (-side, -side)),
    )
    outline = _about(at, (*cross, cross[0]))
    tabs = []
    for up in (-1, 1):
        for left in (-1, 1):
            ends = ((side, side), (side + tab, side + 1), (side + tab, far - 1), (side, far))
            tabs.append(_about(at, tuple((left * x, up * y) for x, y in ends)))
    yield from (Fill((one,), PAPER) for one in tabs)
    yield from (Stroke((one,), INK, 0.2) for one in tabs)
    yield Fill((outline,), BODIES[body])
    yield Stroke((outline,), INK, 0.2)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):  # about the top, each edge from a corner
        start, end = (x * side, y * side), (-y * side, x * side)
        yield Stroke(dashes(_about(at, (start, end)), 1.2, 1.0), INK, 0.25)
    for up in (-1, 1):
        for left in (-1, 1):
            edge = ((left * side, up * side), (left * side, up * far))
            yield Stroke(dashes(_about(at, edge), 1.2, 1.0), INK, 0.25)
    yield from body_middle(body, at)
    ink, middle = PALE if body in PALE_MIDDLED else DARK, side + height / 2
    for turn, to in enumerate(((0.0, -middle), (middle, 0.0), (0.0, middle), (-middle, 0.0))):
        yield sign(body, (at[0] + to[0], at[1] + to[1]), side * 0.5, ink, 90.0 * turn)


def top(body: str, at: Point) -> list[Mark]:
    """What is seen of a box from straight above."""
    side = SIDE_MM / 2
    corners = ((-side, -side), (side, -side), (side, side), (-side, side))
    return [Fill((_about(at, corners),), BODIES[body]), *body_middle(body, at)]


def _about(at: Point, line: Line) -> Line:
    return tuple((at[0] + x, at[1] + y) for x, y in line)
