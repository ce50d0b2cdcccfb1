"""Elements that stand: buildings, building sites and craftsmen as boxes to fold."""

from collections.abc import Mapping

from calibration.drawing import Drawing, Mark, Point
from calibration.folding import Face, Net, box_net, box_top, net_sheet
from calibration.via_nebula.artwork import pen_on, sign
from scorer.via_nebula.board import BUILDING, CRAFTSMAN, SITE
from scorer.via_nebula.game import SWATCHES, VIA_NEBULA

BOXES_MM: Mapping[str, Point] = {CRAFTSMAN: (8.0, 6.0), SITE: (12.4, 2.5), BUILDING: (8.0, 5.0)}
"""The side and the height of each element's box; its top is as large as the disc it may be.

They are low: what stands high hides what lies behind it from a camera at the table's edge.
"""
PITCH_MM, ACROSS = 32.0, 6


def solids() -> Drawing:
    """A sheet with the nets of all elements: cut along the lines, fold along the dashes."""
    elements = [piece.id for piece in VIA_NEBULA.pieces if piece.owner for _ in range(piece.supply)]

    def drawn(element: str) -> Net:
        what, _, colour = element.partition("_")
        size, face = BOXES_MM[what], _face(what, colour)
        return lambda at: box_net(at, *size, SWATCHES[colour], face)

    return net_sheet([drawn(element) for element in elements], PITCH_MM, ACROSS, "solids")


def top(element: str, at: Point) -> list[Mark]:
    """What is seen of an element's box from straight above."""
    what, _, colour = element.partition("_")
    return box_top(at, BOXES_MM[what][0], SWATCHES[colour], _face(what, colour))


def _face(what: str, colour: str) -> Face:
    pen = pen_on(SWATCHES[colour])
    return lambda at, radius, turn: [sign(what, at, radius * 0.55, pen, turn)]
