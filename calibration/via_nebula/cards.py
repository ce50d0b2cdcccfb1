"""The pictures of cards: what a contract needs, its points and its power, and the end card.

Resources have the same disc each as on contracts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, moved, ring, rounded_box
from calibration.lettering import lettering
from calibration.via_nebula.artwork import FAINT, HEXAGON, INK, TERRAIN, pen_on, sign
from scorer.via_nebula.board import BUILDING
from scorer.via_nebula.edition import FOG, MEADOW, STANDARD, Contract
from scorer.via_nebula.game import GOODS

SIDE_MM = 40.0
"""A picture's, both ways."""
END = "end_card"
PAPER = "#fdfcf8"
_PLACES: Mapping[int, tuple[float, Sequence[Point]]] = {
    2: (9.0, ((10.5, 12.5), (29.5, 12.5))),
    3: (6.4, ((7.4, 10.0), (20.0, 14.5), (32.6, 10.0))),
    4: (6.0, ((7.0, 7.4), (33.0, 7.4), (13.8, 18.4), (26.2, 18.4))),
}
"""Where discs lie on the picture by how many there are, and their radius."""
_POINTS_AT, _ALONE_AT, _POWER_AT = (11.0, 32.0), (20.0, 32.0), (29.0, 32.0)


def picture(id: str) -> Drawing | None:
    """What is drawn on a card or a resource; None where it is none of the standard edition.

    >>> picture("N1") == picture("N7"), picture("no card")
    (False, None)
    """
    if id in STANDARD.contracts:
        marks = [*_contract(STANDARD.contracts[id])]
    elif id in GOODS:
        at, radius = (SIDE_MM / 2, SIDE_MM / 2), SIDE_MM / 2 - 1
        shown = sign(id, at, radius * 0.62, pen_on(GOODS[id]))
        drawn = disc(at, radius, GOODS[id]), ring(at, radius, INK, 1.2), shown
        return Drawing((SIDE_MM, SIDE_MM), drawn)
    elif id == END:
        marks = [sign(BUILDING, (20, 13), 10, INK), *_points((20, 31), STANDARD.end_card)]
    else:
        return None
    rim = rounded_box(0.4, 0.4, SIDE_MM - 0.4, SIDE_MM - 0.4, 3)
    ground = rounded_box(0, 0, SIDE_MM, SIDE_MM, 3)
    return Drawing((SIDE_MM, SIDE_MM), (Fill((ground,), PAPER), Stroke((rim,), FAINT, 0.6), *marks))


def _contract(contract: Contract) -> Iterator[Mark]:
    radius, places = _PLACES[len(contract.each)]
    for one, at in zip(contract.each, places, strict=True):
        yield disc(at, radius, GOODS[one])
        yield ring(at, radius, INK, 0.3)
        yield sign(one, at, radius * 0.6, pen_on(GOODS[one]))
    yield from _points(_POINTS_AT if contract.power else _ALONE_AT, contract.points)
    if contract.power:
        x, y = _POWER_AT
        box = rounded_box(x - 8, y - 6, x + 8, y + 6, 2)
        yield Stroke((box,), INK, 0.5)
        yield from _POWERS[contract.power]((x, y))


def _points(at: Point, points: int) -> Iterator[Mark]:
    """A number on a shield."""
    x, y = at
    shield = ((x - 6, y - 6), (x + 6, y - 6), (x + 6, y + 2), (x, y + 7), (x - 6, y + 2))
    yield Fill(((*shield, shield[0]),), INK)
    yield lettering(str(points), (x, y - 0.4), 6.0, PAPER)


def _arrow(start: Point, end: Point) -> Mark:
    """A line along a row with a head at its end."""
    (x, y), back = end, 1.8 if end[0] < start[0] else -1.8
    return Stroke(((start, end), ((x + back, y - 1.6), end, (x + back, y + 1.6))), INK, 0.9)


def _swap(at: Point) -> Iterator[Mark]:
    x, y = at
    yield _arrow((x - 5, y - 2.2), (x + 5, y - 2.2))
    yield _arrow((x + 5, y + 2.2), (x - 5, y + 2.2))


def _explore(at: Point) -> Iterator[Mark]:
    x, y = at
    for left, kind in ((x - 4.8, FOG), (x + 4.8, MEADOW)):
        yield Fill(moved((HEXAGON,), (left, y), 2.7), TERRAIN[kind])
        yield Stroke(moved((HEXAGON,), (left, y), 2.7), INK, 0.4)
    yield _arrow((x - 1.8, y), (x + 1.9, y))


def _carry(at: Point) -> Iterator[Mark]:
    x, y = at
    yield disc((x - 4.6, y), 2.4, INK)
    yield _arrow((x - 1.4, y), (x + 6, y))


_POWERS: Mapping[str, Callable[[Point], Iterator[Mark]]] = {
    "swap": _swap,
    "explore": _explore,
    "carry": _carry,
}
