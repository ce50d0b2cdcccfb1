"""Bodies that stand: a box to fold for each, with its sign on the top and on every side."""

from calibration.drawing import Drawing, Mark, Point
from calibration.folding import Face, Net, box_net, box_top, net_sheet
from calibration.layout import Layout
from calibration.ptolemaeus.artwork import DARK, PALE, PALE_MIDDLED, body_middle, sign
from scorer.ptolemaeus.game import BODIES

SIDE_MM, HEIGHT_MM = 15.0, 12.0
"""The box's, within the disc that a body may be instead (20 mm)."""
NET_MM = SIDE_MM + 2 * HEIGHT_MM + 4.0
ACROSS = 4


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """The bodies; what else there is to cut out are cards."""
    return (solids(),)


def solids() -> Drawing:
    """A sheet with the net of every body: cut along the lines, fold along the dashes."""

    def drawn(body: str) -> Net:
        size, colour = (SIDE_MM, HEIGHT_MM), BODIES[body]
        return lambda at: box_net(at, *size, colour, _top(body), _wall(body))

    return net_sheet([drawn(body) for body in BODIES], NET_MM, ACROSS)


def top(body: str, at: Point) -> list[Mark]:
    """What is seen of a box from straight above."""
    return box_top(at, SIDE_MM, BODIES[body], _top(body))


def _top(body: str) -> Face:
    return lambda at, _radius, _turn: body_middle(body, at)


def _wall(body: str) -> Face:
    ink = PALE if body in PALE_MIDDLED else DARK
    return lambda at, _radius, turn: [sign(body, at, SIDE_MM / 4, ink, turn)]
