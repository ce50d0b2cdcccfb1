"""Every card of the game, to be cut out: constellations, events, bonus cards, objectives."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, rounded_box, star
from calibration.layout import Layout
from calibration.lettering import lettering
from calibration.ptolemaeus.aid import aid
from calibration.ptolemaeus.artwork import FAINT, INK, PAPER, TINTS, fan, sign
from calibration.ptolemaeus.solids import solids
from scorer.ptolemaeus.edition import ECLIPSIS, SEXTANT, STANDARD

CARD_MM = (41.0, 63.0)
ACROSS, DOWN = 4, 4
Face = tuple[str, str, Sequence[str]]
"""A card's title, the colour of its middle, and the planets on it."""


def faces() -> Iterator[Face]:
    """Every card, one after the other."""
    for card in STANDARD.deck:
        yield card, TINTS.get(STANDARD.colour(card), PAPER), ()
    for event, planets in STANDARD.events.items():
        yield event, PAPER, planets
    yield ECLIPSIS, FAINT, ()
    for id in STANDARD.bonus_deck:
        bonus = STANDARD.bonus[id]
        own = (bonus.planet,) if bonus.planet else ()
        yield id.replace("_", " "), TINTS.get(bonus.colour, PAPER), own
    for secret, planets in STANDARD.secrets.items():
        yield secret, PAPER, planets


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """Bodies to fold, the player aid, and sheets of sixteen cards."""
    cards = list(faces())
    size = (ACROSS * CARD_MM[0] + 2, DOWN * CARD_MM[1] + 2)
    on_sheet = ACROSS * DOWN
    sheets = (
        Drawing(
            size,
            tuple(
                mark
                for number, face in enumerate(cards[start : start + on_sheet])
                for mark in _card(face, _corner(number))
            ),
        )
        for start in range(0, len(cards), on_sheet)
    )
    return (solids(), aid(), *sheets)


def _corner(number: int) -> Point:
    return 1 + number % ACROSS * CARD_MM[0], 1 + number // ACROSS * CARD_MM[1]


def _card(face: Face, corner: Point) -> Iterator[Mark]:
    title, colour, planets = face
    (x, y), (width, height) = corner, CARD_MM
    edge = rounded_box(x, y, x + width, y + height, 2.5)
    yield Fill((edge,), PAPER)
    yield Fill((rounded_box(x + 3, y + 3, x + width - 3, y + height - 16, 1.5),), colour)
    middle = (x + width / 2, y + (height - 13) / 2)
    for planet, at in zip(planets, fan(middle, 10, len(planets)), strict=True):
        yield sign(planet, at, 6.0, INK)
    if title == SEXTANT:
        yield Fill((star(middle, 6, 11, 5),), INK)
    for row, line in enumerate(wrap(title.upper(), 13)):
        yield lettering(line, (x + width / 2, y + height - 12 + 3.7 * row), 2.6, INK)
    yield Stroke((edge,), FAINT, 0.2)
