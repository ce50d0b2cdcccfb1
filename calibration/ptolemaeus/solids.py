"""Bodies that stand: a box to fold for each, which is known by each of its sides if it falls."""

from collections.abc import Iterator, Sequence
from functools import partial

from calibration.drawing import Drawing, Mark, Point
from calibration.folding import box_net, net_sheet
from calibration.layout import Layout
from calibration.ptolemaeus.artwork import body_middle
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
    return net_sheet([partial(net, body) for body in BODIES], NET_MM, ACROSS, "solids")


def net(body: str, at: Point) -> Iterator[Mark]:
    """A body's box as it is cut out, its top about a point in mm."""

    def face(at: Point, _radius: float, turn: float) -> Sequence[Mark]:
        return body_middle(body, at, turn)

    return box_net(at, SIDE_MM, HEIGHT_MM, BODIES[body], face)
