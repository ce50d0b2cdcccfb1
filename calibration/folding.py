"""Standing pieces: boxes without a bottom, to cut out, fold and glue."""

from collections.abc import Callable, Iterator, Sequence

from calibration.drawing import Drawing, Fill, Line, Mark, Point, Stroke, dashes

TAB_MM = 4.0
_PAPER, _INK = "#f2ead6", "#3a3128"
Face = Callable[[Point, float, float], Sequence[Mark]]
"""Draws a face: centre in mm, radius of the circle it fits, rotation in degrees."""
Net = Callable[[Point], Iterator[Mark]]
"""Draws a net with its top about a point in mm."""


def box_net(at: Point, side_mm: float, height_mm: float, colour: str, face: Face) -> Iterator[Mark]:
    """A box's net, its top about a point in mm; every other side has two tabs.

    The face is drawn on the top and, upright, on each side.
    """
    side, height, tab = side_mm / 2, height_mm, min(TAB_MM, height_mm / 2)
    far = side + height
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
    yield from (Fill((one,), _PAPER) for one in tabs)
    yield from (Stroke((one,), _INK, 0.2) for one in tabs)
    yield Fill((outline,), colour)
    yield Stroke((outline,), _INK, 0.2)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):  # around the top, each edge from a corner
        start, end = (x * side, y * side), (-y * side, x * side)
        yield Stroke(dashes(_about(at, (start, end)), 1.2, 1.0), _INK, 0.25)
    for up in (-1, 1):
        for left in (-1, 1):
            edge = ((left * side, up * side), (left * side, up * far))
            yield Stroke(dashes(_about(at, edge), 1.2, 1.0), _INK, 0.25)
    yield from face(at, side, 0.0)
    middle, room = side + height / 2, min(side, height / 2)
    for turn, to in enumerate(((0.0, -middle), (middle, 0.0), (0.0, middle), (-middle, 0.0))):
        yield from face((at[0] + to[0], at[1] + to[1]), room, 90.0 * turn)


def net_sheet(nets: Sequence[Net], pitch_mm: float, across: int, name: str = "") -> Drawing:
    """Nets in rows, each in a square of side `pitch_mm`."""
    rows = -(-len(nets) // across)
    marks = [
        mark
        for number, net in enumerate(nets)
        for mark in net(((number % across + 0.5) * pitch_mm, (number // across + 0.5) * pitch_mm))
    ]
    return Drawing((across * pitch_mm, rows * pitch_mm), tuple(marks), name, folds=True)


def _about(at: Point, line: Line) -> Line:
    return tuple((at[0] + x, at[1] + y) for x, y in line)
