"""The pictures of cards: where in the zodiac they are, or the bodies that they name."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, ring, rounded_box, star
from calibration.ptolemaeus.artwork import FAINT, INK, PAPER, SHADES, TINTS, draw_token, fan, sign
from scorer.ptolemaeus.edition import COMET, ECLIPSIS, NOVA, SEXTANT, STANDARD, ZODIAC
from scorer.ptolemaeus.game import BODY_MM, PTOLEMAEUS
from scorer.ptolemaeus.sky import ASPECTS, places_of

SIDE_MM = 40.0
"""A picture's, both ways."""
GAME = PTOLEMAEUS.id
MIDDLE: Point = (SIDE_MM / 2, SIDE_MM / 2)
PAYMENTS = (("leo",), ("aries", "sagittarius"), ("cancer", "scorpius", "pisces"))
"""What pays for a piece on Leo: one of it, two of its colour, three of one other (T28 to T30)."""
_WHEEL_MM = 16.0


def picture(id: str) -> Drawing | None:
    """What is drawn on a card, in a part of the player aid or as the game's sign; else None.

    >>> picture("payment") == picture("leo"), picture("no card")
    (False, None)
    """
    if id in ZODIAC:
        marks = [*_wheel((id,)), sign(id, MIDDLE, 8.0, INK)]
    elif id in STANDARD.events:
        marks = [*_bodies((*STANDARD.events[id], COMET), 0.75)]
    elif id in STANDARD.secrets:
        marks = [*_bodies(STANDARD.secrets[id], 0.85)]
    elif id in STANDARD.bonus and STANDARD.bonus[id].planet:
        marks = [*_bodies((STANDARD.bonus[id].planet,), 1.6)]
    elif id in STANDARD.bonus and STANDARD.bonus[id].colour:
        trine = STANDARD.of_colour[STANDARD.bonus[id].colour]
        marks = [*_wheel(trine), _joined(trine, MIDDLE, 12.0), *_piece(MIDDLE)]
    elif id in _OTHERS:
        marks = [*_OTHERS[id]()]
    else:
        return None
    ground = rounded_box(0, 0, SIDE_MM, SIDE_MM, 4)
    colour = STANDARD.bonus[id].colour if id in STANDARD.bonus else STANDARD.colour(id)
    frame = rounded_box(0.8, 0.8, SIDE_MM - 0.8, SIDE_MM - 0.8, 3.2)
    frames = [Stroke((frame,), SHADES[colour], 1.6)] if colour in SHADES else []
    tint = TINTS.get(colour, PAPER)
    return Drawing((SIDE_MM, SIDE_MM), (Fill((ground,), tint), *frames, *marks))


def _wheel(lit: Sequence[str]) -> Iterator[Mark]:
    """The ring of the zodiac, some of its constellations large and in their colour."""
    yield ring(MIDDLE, _WHEEL_MM, FAINT, 0.3)
    for id, at in zip(ZODIAC, fan(MIDDLE, _WHEEL_MM, len(ZODIAC)), strict=True):
        yield disc(at, 2.6 if id in lit else 1.5, INK if id in lit else PAPER)
        colours = SHADES if id in lit else TINTS
        yield disc(at, 2.0 if id in lit else 1.2, colours[STANDARD.colour(id)])


def _joined(places: Sequence[str], centre: Point, radius: float) -> Mark:
    points = fan(centre, radius, len(ZODIAC))
    corners = [points[ZODIAC.index(at)] for at in places]
    return Stroke(((*corners, corners[0]),), INK, 0.5)


def _bodies(bodies: Sequence[str], scale: float) -> Iterator[Mark]:
    """Bodies as they lie printed, about the middle, just beside each other."""
    apart = 1.03 * BODY_MM / 2 / math.sin(math.pi / max(2, len(bodies)))
    for body, at in zip(bodies, fan((0.0, 0.0), apart, len(bodies)), strict=True):
        for mark in draw_token(body, at):
            yield _scaled(mark, scale)


def _scaled(mark: Mark, scale: float) -> Mark:
    def lines(every: Sequence[Sequence[Point]]) -> tuple[tuple[Point, ...], ...]:
        return tuple(
            tuple((MIDDLE[0] + x * scale, MIDDLE[1] + y * scale) for x, y in line) for line in every
        )

    if isinstance(mark, Fill):
        return Fill(lines(mark.outlines), mark.colour, mark.opacity)
    assert isinstance(mark, Stroke), "tokens are drawn, no pixels"
    return Stroke(lines(mark.lines), mark.colour, mark.width * scale, mark.opacity)


def _piece(at: Point, radius: float = 3.0) -> Iterator[Mark]:
    yield disc(at, radius, INK)
    yield ring(at, radius * 0.6, PAPER, 0.4)


def _sextant() -> Iterator[Mark]:
    yield from _wheel(ZODIAC)
    yield Fill((star(MIDDLE, 6, 10, 4.5),), INK)


def _eclipsis() -> Iterator[Mark]:
    yield ring(MIDDLE, 12.6, "#f4a81c", 2.4)
    yield disc(MIDDLE, 11.4, INK)


def _nova() -> Iterator[Mark]:
    yield Fill((star(MIDDLE, 8, 16, 6),), "#f4a81c")
    yield Stroke((star(MIDDLE, 8, 16, 6),), INK, 0.5)


def _payment() -> Iterator[Mark]:
    """Three ways to pay for a piece on Leo, one in each row."""
    for row, cards in enumerate(PAYMENTS):
        y = 1.5 + 12.6 * row
        for n, card in enumerate(cards):
            x = SIDE_MM / 2 - 5.6 * len(cards) + 11.2 * n + 0.6
            box = rounded_box(x, y, x + 10, y + 11.6, 1)
            yield Fill((box,), TINTS[STANDARD.colour(card)])
            yield Stroke((box,), INK, 0.3)
            yield sign(card, (x + 5, y + 5.8), 3.4, INK)


def _configurations() -> Iterator[Mark]:
    """A small zodiac for each, with a piece on each of its places."""
    for (what, steps), middle in zip(
        list(ASPECTS.items())[1:], ((10.5, 10.5), (29.5, 10.5), (10.5, 29.5), (29.5, 29.5)),
        strict=True,
    ):  # fmt: skip
        points = fan(middle, 7.5, len(ZODIAC))
        for point in points:
            yield disc(point, 0.5, FAINT)
        yield _joined(places_of(what, ZODIAC[0]), middle, 7.5)
        for n, step in enumerate(steps):
            beside = 3.2 * n if not any(steps) else 0.0
            yield disc((points[step][0] + beside, points[step][1]), 1.4, INK)


def _study() -> Iterator[Mark]:
    """Three pieces with a planet, and the one that goes to it."""
    yield from _bodies(("venus",), 1.1)
    for x in (8.0, 20.0, 32.0):
        yield from _piece((x, 35.0))


def _comet() -> Iterator[Mark]:
    yield from _wheel(())
    yield from _bodies((COMET,), 1.0)


def _score() -> Iterator[Mark]:
    """All that gives points: planets, a constellation of one's own, asteroids."""
    yield from _bodies(STANDARD.secrets["S1"], 0.7)
    yield Fill((star((5.5, 6.0), 8, 5, 2),), "#f4a81c")
    for x in (28.0, 32.5, 37.0):
        yield disc((x, 4.0), 2.0, "#4a4d52")


_OTHERS: Mapping[str, Callable[[], Iterator[Mark]]] = {
    SEXTANT: _sextant,
    ECLIPSIS: _eclipsis,
    NOVA: _nova,
    "payment": _payment,
    "configuration": _configurations,
    "study": _study,
    "comet": _comet,
    GAME: _score,
}
