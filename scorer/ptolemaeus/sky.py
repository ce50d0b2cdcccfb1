"""Configurations of bodies (T33 to T37), payments (T28 to T31), and room for pieces (T39)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement as multisets
from itertools import product
from typing import Literal

from scorer.ptolemaeus.edition import COMET, PIECES, SEXTANT, ZODIAC, Edition, onward

Aspect = Literal["constellation", "conjunction", "opposition", "trine", "square"]
ASPECTS: Mapping[Aspect, Sequence[int]] = {
    "constellation": (0,),
    "conjunction": (0, 0),
    "opposition": (0, 6),
    "trine": (0, 4, 8),
    "square": (0, 3),
}
"""The places of a configuration relative to its first one; a piece goes on each."""
MOST_AT_REST = 2
"""The most pieces of a player that stay on a constellation (T39)."""


def places_of(aspect: Aspect, at: str) -> tuple[str, ...]:
    """The constellations of a configuration.

    >>> places_of("square", "gemini"), places_of("conjunction", "leo")
    (('gemini', 'virgo'), ('leo', 'leo'))
    """
    return tuple(onward(at, steps) for steps in ASPECTS[aspect])


def first_of(aspect: Aspect, at: str) -> str:
    """The constellation that names a configuration that `at` belongs to.

    >>> first_of("opposition", "libra"), first_of("trine", "pisces"), first_of("square", "leo")
    ('aries', 'cancer', 'leo')
    """
    turn = {"opposition": 6, "trine": 4}.get(aspect, len(ZODIAC))
    return ZODIAC[ZODIAC.index(at) % turn]


def is_offered(aspect: Aspect, at: str, bodies: Mapping[str, str]) -> bool:
    """Whether the bodies form it; the comet is one of them, but makes no conjunction (T37)."""
    planets = [where for body, where in bodies.items() if body != COMET]
    if aspect == "conjunction":
        return planets.count(at) > 1
    return all(place in bodies.values() for place in places_of(aspect, at))


def offered(bodies: Mapping[str, str]) -> Iterator[tuple[Aspect, str]]:
    """Every present configuration, and every constellation with a body (T27)."""
    for aspect in ASPECTS:
        for at in ZODIAC:
            if first_of(aspect, at) == at and is_offered(aspect, at, bodies):
                yield aspect, at


# payments


def sorted_cards(cards: Sequence[str]) -> tuple[str, ...]:
    """Cards in the zodiac's order, sextants last."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


_ORDER = {card: number for number, card in enumerate((*ZODIAC, SEXTANT, "?"))}


def pays(edition: Edition, at: str, cards: Sequence[str]) -> bool:
    """Whether cards are a payment for one piece on a constellation (T28 to T31)."""
    named = [card for card in cards if card != SEXTANT]
    colours = {edition.colour(card) for card in named}
    match len(cards):
        case 1:
            return {*named} <= {at}
        case 2:
            return colours <= {edition.colour(at)}
        case 3:
            return len(colours) < 2 and edition.colour(at) not in colours
    return False


def payments(edition: Edition, at: str, hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every way to pay for a piece from a hand."""
    held = Counter(hand)
    kinds = sorted_cards([*held])
    for size in (1, 2, 3):
        for cards in multisets(kinds, size):
            if pays(edition, at, cards) and not Counter(cards) - held:
                yield cards


def is_frugal(edition: Edition, at: str, cards: Sequence[str]) -> bool:
    """Whether a payment has no card to spare."""
    left = ([*cards[:n], *cards[n + 1 :]] for n in range(len(cards)))
    pair = len(cards) == 3 and SEXTANT in cards  # a sextant alone pays
    return not pair and not any(pays(edition, at, some) for some in left if some)


def can_pay(edition: Edition, places: Sequence[str], hand: Sequence[str]) -> bool:
    """Whether a hand has a payment for each of some places."""
    return _can_pay(edition, tuple(sorted(places)), sorted_cards(hand))


def lacking(
    edition: Edition, places: Sequence[str], hand: Sequence[str]
) -> tuple[Sequence[str], Sequence[str], int, Sequence[str]]:
    """What a hand lacks to pay for some places: (any of, all of, number, colours).

    Any one of the first cards pays, all of the second together, which are more than one and as few
    as possible, or this number of cards of any one of the colours. It is the least number that
    does, and the colours are those for which it does.

    >>> from scorer.ptolemaeus.edition import STANDARD
    >>> lacking(STANDARD, ("leo",), ("aries", "taurus"))
    (['leo'], (), 1, ['red'])
    >>> lacking(STANDARD, ("libra", "libra"), ("leo",))
    ([], ('libra', 'libra'), 4, ['yellow'])
    """
    different = dict.fromkeys(places)
    named = [at for at in different if can_pay(edition, places, (*hand, at))]
    several = (
        cards
        for count in range(2, len(places) + 1)
        for cards in multisets(different, count)
        if can_pay(edition, places, (*hand, *cards))
    )
    together = () if named else next(several, ())
    others = {
        colour: next((card for card in cards if card not in places), "")
        for colour, cards in edition.of_colour.items()
    }
    for more in range(1, 3 * len(places) + 1):
        colours = [
            colour
            for colour, card in others.items()
            if card and can_pay(edition, places, (*hand, *[card] * more))
        ]
        if colours:
            return named, together, more, colours
    raise AssertionError("three cards of one other colour pay for any place")


@lru_cache(maxsize=50_000)
def _can_pay(edition: Edition, places: tuple[str, ...], hand: tuple[str, ...]) -> bool:
    if not places:
        return True
    held = Counter(hand)
    colours = edition.colours
    for ways in product(("name", SEXTANT, *colours), repeat=len(places)):
        named = Counter(at for at, way in zip(places, ways, strict=True) if way == "name")
        if ways.count(SEXTANT) > held[SEXTANT] or named - held:
            continue
        left = Counter[str]()
        for card, count in (held - named).items():
            left[edition.colour(card)] += count
        for at, way in zip(places, ways, strict=True):
            if way in colours:
                left[way] -= 2 if way == edition.colour(at) else 3
        if all(left[colour] >= 0 for colour in colours):
            return True
    return False


# placing pieces

SkyPieces = tuple[tuple[int, ...], int, tuple[int, ...]]
"""A player's pieces on each constellation, the number of planets studied, and the number of
unstudied ones on each constellation."""


def placings(
    sky: SkyPieces, at: int, observed: Sequence[int]
) -> Iterator[tuple[int | None, SkyPieces]]:
    """The ways to put a piece on constellation number `at`, by its source; None: the reserve.

    With an empty reserve it comes from a constellation that is not `observed` (T38). A third piece
    needs a planet to study (T39), and all three leave with it (T42).
    """
    pieces, studied, unstudied = sky
    if pieces[at] >= MOST_AT_REST and not unstudied[at]:
        return
    others = [n for n, count in enumerate(pieces) if count and n not in observed]
    for source in [None] if PIECES - sum(pieces) - studied > 0 else others:
        after, left = list(pieces), list(unstudied)
        after[at] += 1
        if source is not None:
            after[source] -= 1
        third = after[at] > MOST_AT_REST
        if third:
            after[at], left[at] = 0, left[at] - 1
        yield source, (tuple(after), studied + third, tuple(left))


@lru_cache(maxsize=50_000)
def can_place(sky: SkyPieces, places: tuple[int, ...], observed: tuple[int, ...]) -> bool:
    """Whether pieces can be put on the remaining places of an observation, in some order."""
    for at in dict.fromkeys(places):
        rest = list(places)
        rest.remove(at)
        ways = placings(sky, at, observed)
        if any(can_place(after, tuple(rest), observed) for _source, after in ways):
            return True
    return not places
