"""Elements that stand: buildings, building sites and craftsmen as boxes to fold."""

from collections.abc import Iterator, Mapping
from functools import partial

from calibration.drawing import Drawing, Mark, Point
from calibration.folding import box_net, net_sheet
from calibration.via_nebula.artwork import pen_on, sign
from scorer.via_nebula.board import BUILDING, CRAFTSMAN, SITE
from scorer.via_nebula.game import SWATCHES, VIA_NEBULA

BOXES_MM: Mapping[str, Point] = {CRAFTSMAN: (8.0, 6.0), SITE: (12.4, 2.5), BUILDING: (8.0, 5.0)}
"""The side and the height of each element's box; its top is as large as the disc it may be.

They are low: what stands high hides what lies behind it from a camera at the table's edge.
"""
PITCH_MM, ACROSS = 27.0, 7


def solids() -> Drawing:
    """A sheet with the nets of all elements: cut along the lines, fold along the dashes."""
    elements = [piece.id for piece in VIA_NEBULA.pieces if piece.owner for _ in range(piece.supply)]
    return net_sheet([partial(net, element) for element in elements], PITCH_MM, ACROSS, "solids")


def net(element: str, at: Point) -> Iterator[Mark]:
    """An element's box as it is cut out, its top about a point in mm."""
    what, _, colour = element.partition("_")
    pen = pen_on(SWATCHES[colour])

    def face(at: Point, radius: float, turn: float) -> list[Mark]:
        return [sign(what, at, radius * 0.55, pen, turn)]

    return box_net(at, *BOXES_MM[what], SWATCHES[colour], face)
