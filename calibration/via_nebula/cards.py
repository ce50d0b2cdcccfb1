"""What else is cut out: guild boards, meadow tiles, contracts, the end card and an aid."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, rasterise, rounded_box
from calibration.layout import Layout, load_layout
from calibration.lettering import lettering
from calibration.profile import LAYOUT_FILE
from calibration.via_nebula.artwork import (
    FAINT,
    INK,
    PAPER,
    PROFILES,
    draw_layout,
    draw_token,
    sign,
)
from calibration.via_nebula.solids import solids
from scorer.via_nebula.board import GUILD, TILE, VALLEY
from scorer.via_nebula.edition import COLOURS, STANDARD
from scorer.via_nebula.game import GOODS, TILE_MM

CARD_MM = (41.0, 63.0)
ACROSS, DOWN = 4, 4
POWERS: Mapping[str, Sequence[str]] = {
    "swap": ("TURN ONE RESOURCE", "INTO ANOTHER"),
    "explore": ("EXPLORE A FOG", "SPACE"),
    "carry": ("CARRY ONE", "RESOURCE"),
}
AID = (
    ("TWO ACTIONS", ()),
    ("A CRAFTSMAN", ("ON ANY TOKEN",)),
    ("B SITE", ("ON ANY RUIN WITH ROOM",)),
    ("C EXPLORE FOG", ("BESIDE YOURS OR OPEN",)),
    ("D EXPLORE FOREST", ("BOTH ACTIONS",)),
    ("E CARRY", ("OVER OPEN MEADOWS",)),
    ("F BUILD", ("BY A CONTRACT",)),
)


@dataclass(frozen=True)
class Card:
    """A card's title, its resources, the lines below them, and its points."""

    title: str
    goods: Mapping[str, int] = field(default_factory=dict)
    lines: Sequence[str] = ()
    points: int = 0


def faces() -> Iterator[Card]:
    """Every card, one after the other; an aid for each player."""
    for id, own in STANDARD.contracts.items():
        yield Card(id, own.needs, POWERS.get(own.power, ()), own.points)
    yield Card("END", lines=("FIFTH BUILDING", "ONE LAST TURN", "FOR THE OTHERS"), points=2)
    for _colour in COLOURS:
        yield Card("", lines=[line for head, more in AID for line in (head, *more)])


def contract_picture(id: str, px_per_mm: float) -> np.ndarray:
    """A contract's face as it is printed, (H, W, 3) uint8 BGR. KeyError for none."""
    return rasterise(_contracts()[id], px_per_mm)


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """With the valley: the guild boards, its tiles, what is folded, and all the cards."""
    if layout.kind != VALLEY.kind:
        return ()
    cards = list(faces())
    size = (ACROSS * CARD_MM[0] + 2, DOWN * CARD_MM[1] + 2)
    on_sheet = ACROSS * DOWN
    sheets = (
        tuple(
            mark
            for number, card in enumerate(cards[start : start + on_sheet])
            for mark in _card(card, _corner(number))
        )
        for start in range(0, len(cards), on_sheet)
    )
    guild = draw_layout(load_layout(PROFILES / f"standard-{GUILD.kind}" / LAYOUT_FILE))
    named = replace(guild, name=GUILD.kind)
    contracts = (Drawing(size, one, "" if n else "contracts") for n, one in enumerate(sheets))
    return (*(named for _colour in COLOURS), _tiles(), solids(), *contracts)


def card_faces(_layout: Layout) -> dict[str, Drawing]:
    """Every contract as it is printed."""
    return dict(_contracts())


@cache
def _contracts() -> Mapping[str, Drawing]:
    return {
        card.title: Drawing(CARD_MM, tuple(_card(card, (0, 0))))
        for card in faces()
        if card.title in STANDARD.contracts
    }


def _tiles() -> Drawing:
    """Sixty tiles in rows."""
    pitch, across = TILE_MM + 1.5, 6
    marks: list[Mark] = []
    for number in range(STANDARD.tiles):
        at = (pitch * (number % across + 0.5), pitch * (number // across + 0.6) * 0.94)
        marks += draw_token(TILE, at)
    size = (pitch * across, 0.94 * pitch * (STANDARD.tiles // across + 0.2))
    return Drawing(size, tuple(marks), "tiles")


def _corner(number: int) -> Point:
    return 1 + number % ACROSS * CARD_MM[0], 1 + number // ACROSS * CARD_MM[1]


def _card(card: Card, corner: Point) -> Iterator[Mark]:
    (x, y), (width, height) = corner, CARD_MM
    edge = rounded_box(x, y, x + width, y + height, 2.5)
    yield Fill((edge,), PAPER)
    if card.title:
        yield lettering(card.title, (x + width / 2, y + 7), 4.0, INK)
    each = [one for one, count in card.goods.items() for _ in range(count)]
    for number, one in enumerate(each):
        at = (x + width / 2 + 9.0 * (number - (len(each) - 1) / 2), y + 22)
        yield disc(at, 4.2, GOODS[one])
        yield sign(one, at, 2.4, PAPER)
    top = y + (8 if not card.title else 36 if each else 24)
    for row, line in enumerate(card.lines):
        yield lettering(line, (x + width / 2, top + 4.1 * row), 1.8, INK)
    if card.points:
        yield lettering(str(card.points), (x + width / 2, y + height - 8), 6.0, INK)
    yield Stroke((edge,), FAINT, 0.2)
