"""Bodies that stand: a box to fold for each, which is known by each of its sides if it falls.

Beside them the astrolabe, a disc for the first player.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from calibration.drawing import Drawing, Fill, Group, Mark, Point, disc, ring, star
from calibration.folding import box_net, net_sheet
from calibration.layout import Layout
from calibration.lettering import lettering
from calibration.ptolemaeus.artwork import INK, PAPER, SHADES, body_middle
from calibration.star_token import CUT_LINE
from scorer.ptolemaeus.game import BODIES

SIDE_MM, HEIGHT_MM = 15.0, 12.0
"""The box's, within the disc that a body may be instead (20 mm)."""
NET_MM = SIDE_MM + 2 * HEIGHT_MM + 4.0
ACROSS = 4
ASTROLABE_MM = 30.0


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """The bodies and the astrolabe; what else there is to cut out are cards."""
    return (solids(),)


def solids() -> Drawing:
    """A sheet with the net of every body: cut along the lines, fold along the dashes."""
    sheet = net_sheet([partial(net, body) for body in BODIES], NET_MM, ACROSS, "solids")
    (width, height), radius = sheet.size_mm, ASTROLABE_MM / 2
    at = (width / 2, height + radius + 2)
    named = Group("astrolabe", (at[0] - radius, height), (at[0] + radius, at[1] + radius + 2))
    size = (width, named.bottom_right[1] + 5)
    return replace(sheet, size_mm=size, marks=(*sheet.marks, *astrolabe(at)), groups=(named,))


def astrolabe(at: Point) -> Iterator[Mark]:
    """The first player's marker, about a point in mm."""
    gold, radius = SHADES["yellow"], ASTROLABE_MM / 2
    yield disc(at, radius, gold)
    yield from (ring(at, radius - inset, INK, 0.4) for inset in (1.0, 3.5))
    yield Fill((star(at, 12, radius - 1.0, 6.5),), INK)
    yield disc(at, 5.5, PAPER)
    yield lettering("1", at, 6.0, INK, weight=0.16)
    yield ring(at, radius, CUT_LINE, 0.12)


def net(body: str, at: Point) -> Iterator[Mark]:
    """A body's box as it is cut out, its top about a point in mm."""

    def face(at: Point, _radius: float, turn: float) -> Sequence[Mark]:
        return body_middle(body, at, turn)

    return box_net(at, SIDE_MM, HEIGHT_MM, BODIES[body], face)
