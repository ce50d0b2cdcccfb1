"""The player aid: a turn, what a piece costs, the configurations, the end of a round, the score."""

from collections.abc import Iterator, Sequence

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, ring, rounded_box
from calibration.lettering import lettering
from calibration.ptolemaeus.artwork import FAINT, INK, PAPER, TINTS, fan, sign
from scorer.ptolemaeus.edition import COMET, PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.sky import ASPECTS, Aspect, places_of

SIZE_MM = (180.0, 250.0)
MARGIN = 10.0
PAYMENTS = (
    ((ZODIAC[4],), "ONE OF THE CONSTELLATION"),
    ((ZODIAC[0], ZODIAC[8]), "TWO OF ITS COLOUR"),
    ((ZODIAC[3], ZODIAC[7], ZODIAC[11]), "THREE OF ONE OTHER COLOUR"),
)
"""What pays for a piece on Leo, and how that is called (T28 to T30)."""
ROUND = (
    "THREE PLANETS OF THE EVENT CARD GO ONE ON",
    "THE COMET GOES ON TO WHERE NO PLANET IS",
    "PIECES WITH THE COMET GO HOME",
    "TURN THE NEXT EVENT CARD",
    "THE ASTROLABE GOES ON",
)
TURN = (
    "TAKE TWO CARDS OR OBSERVE",
    "THE THIRD PIECE STUDIES A PLANET THERE",
    "OR 2 PIECES THERE AND 2 ELSEWHERE STUDY",
    "A STUDY BRINGS AN ASTEROID AND A BONUS CARD",
    "TWO ASTEROIDS BUY A BONUS CARD",
)


def aid() -> Drawing:
    """A sheet for each player's side of the table."""
    width, height = SIZE_MM
    marks: list[Mark] = [
        Fill((rounded_box(0, 0, width, height, 4),), PAPER),
        *_paragraph("A TURN", TURN, MARGIN + 4),
        *_title("A PIECE COSTS", 68),
        *(mark for n, one in enumerate(PAYMENTS) for mark in _payment(*one, 32 + 58 * n)),
        *_title("CONFIGURATIONS", 118),
        *(mark for n, what in enumerate(ASPECTS) for mark in _aspect(what, 24 + 33 * n)),
        *_paragraph("THE END OF A ROUND", ROUND, 168),
        *_title("THE SCORE", 222),
        *_score(),
        Stroke((rounded_box(0, 0, width, height, 4),), FAINT, 0.2),
    ]
    return Drawing(SIZE_MM, tuple(marks))


def _title(text: str, y: float) -> Iterator[Mark]:
    yield lettering(text, (SIZE_MM[0] / 2, y), 4.2, INK, weight=0.16)
    yield Stroke((((MARGIN, y + 4.5), (SIZE_MM[0] - MARGIN, y + 4.5)),), FAINT, 0.3)


def _paragraph(title: str, lines: Sequence[str], y: float) -> Iterator[Mark]:
    yield from _title(title, y)
    for row, line in enumerate(lines):
        yield lettering(line, (SIZE_MM[0] / 2, y + 11 + 8 * row), 3.2, INK)


def _payment(cards: Sequence[str], words: str, x: float) -> Iterator[Mark]:
    for n, card in enumerate(cards):
        left = x - 6 - 3.5 * (len(cards) - 1) + 7 * n
        box = rounded_box(left, 78, left + 12, 78 + 18, 1.2)
        yield Fill((box,), TINTS[STANDARD.colour(card)])
        yield Stroke((box,), INK, 0.3)
        yield lettering(card[:3].upper(), (left + 3.8, 82), 1.9, INK)
    for row, line in enumerate(_halves(words)):
        yield lettering(line, (x, 102 + 4.4 * row), 2.2, INK)


def _halves(words: str) -> tuple[str, str]:
    every = words.split()
    middle = (len(every) + 1) // 2
    return " ".join(every[:middle]), " ".join(every[middle:])


def _aspect(what: Aspect, x: float) -> Iterator[Mark]:
    """A zodiac with a configuration's places, and a piece for each."""
    centre = (x, 138.0)
    points = fan(centre, 11, len(ZODIAC))
    places = [ZODIAC.index(at) for at in places_of(what, ZODIAC[0])]
    yield ring(centre, 13, FAINT, 0.3)
    for point in points:
        yield disc(point, 0.8, FAINT)
    corners = tuple(points[n] for n in places)
    yield Stroke(((*corners, corners[0]),), INK, 0.5)
    for n, point in enumerate(corners):
        off = 2.2 if len({*places}) < len(places) and n else 0.0
        yield disc((point[0] + off, point[1]), 2.0, INK)
    yield lettering(what.upper(), (x, 155.5), 2.1, INK)


def _score() -> Iterator[Mark]:
    step = 13.0
    for n, own in enumerate(STANDARD.studied):
        at: Point = (MARGIN + 8 + step * n, 233.0)
        yield lettering(str(n), at, 2.6, FAINT)
        yield lettering(str(own), (at[0], at[1] + 6), 3.6, INK)
    x = MARGIN + 8 + step * len(STANDARD.studied)
    yield sign(PLANETS[0], (x, 236), 3, INK)
    yield lettering("SECRET 3 OR 1", (x + 26, 231), 2.3, INK)
    yield lettering("NOVA 1", (x + 26, 236), 2.3, INK)
    yield lettering("3 ASTEROIDS 1", (x + 26, 241), 2.3, INK)
    yield sign(COMET, (x, 243.5), 2.4, INK)
