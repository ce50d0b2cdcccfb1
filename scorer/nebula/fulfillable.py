"""The arrangements of stars that fulfil a card, and what a galaxy lacks for the nearest of them.

No two linked stars of an arrangement have the same colour. A card that has none certainly cannot be
fulfilled on a board; one that has some may still be unreachable in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING, Any

from scorer.nebula.words import COLOURS, say
from scorer.objective import CardResult, Lack
from scorer.sentence import Sentence

if TYPE_CHECKING:  # boards import this module
    from scorer.nebula.board import GalaxyBoard
    from scorer.nebula.card import Card
    from scorer.nebula.galaxy import Galaxy
    from scorer.nebula.result import Table

MOST_NAMED = 3
"""The most stars that are named where each of them alone fulfils a card."""
Arrangement = Mapping[str, Sequence[str]]
"""The spaces that have to hold each colour."""


def out_of_reach(board: GalaxyBoard) -> Iterator[Sentence]:
    """The cards that cannot be fulfilled on a board, with what they ask for."""
    colour = COLOURS[0]
    asked: list[tuple[str, dict[str, Any], Sentence]] = [
        ("colour_on_indirect_links", {"colour": colour}, say("cards_indirect")),
        ("colour_on_highlighted", {"colour": colour}, say("cards_highlighted")),
        ("stars_of_colour", {"colour": colour}, say("cards_six")),
        *(
            (
                "constellation_in_colours",
                {"constellation": one},
                say("cards_constellation", card=id),
            )
            for id, one in zip(("V1", "V2", "V3", "V4"), board.constellations, strict=True)
        ),
        ("orbit_in_colours", {"orbit": 3}, say("cards_orbit")),
        ("colour_in_constellations", {"colour": colour}, say("cards_three_constellations")),
    ]
    for family, parameters, sentence in asked:
        if next(iter(arrangements(board, family, parameters)), None) is None:
            yield sentence


def arrangements(
    board: GalaxyBoard, family: str, parameters: Mapping[str, Any]
) -> Iterable[Arrangement]:
    """The arrangements that fulfil a card of a family; () if its colours do not matter."""
    colour = parameters.get("colour", "")
    match family:
        case "colour_on_indirect_links":
            return _alike(board, colour, product(*board.indirect_ends))
        case "colour_on_highlighted":
            return _alike(board, colour, combinations(board.highlighted, 4))
        case "stars_of_colour":
            return ({colour: spaces} for spaces in _apart_from(board, board.spaces, 6))
        case "colour_in_constellations":
            return _alike(board, colour, _two_in_three_constellations(board))
        case "constellation_in_colours":
            return _in_three_colours(board, board.constellations[parameters["constellation"]])
        case "orbit_in_colours":
            return _in_three_colours(board, board.orbits[parameters["orbit"]])
        case "orbit_unrepeated":
            orbit = board.orbits[parameters["orbit"]]
            each = permutations(COLOURS, len(orbit))
            return ({one: [space] for one, space in zip(own, orbit, strict=True)} for own in each)
    return ()


def _alike(
    board: GalaxyBoard, colour: str, choices: Iterable[Sequence[str]]
) -> Iterator[Arrangement]:
    return ({colour: spaces} for spaces in choices if _apart(board, spaces))


def _apart(board: GalaxyBoard, spaces: Iterable[str]) -> bool:
    """Whether all the spaces may hold stars of one colour."""
    return not any(board.linked(a, b) for a, b in combinations(spaces, 2))


def _apart_from(board: GalaxyBoard, spaces: Sequence[str], stars: int) -> Iterator[Sequence[str]]:
    """Every choice of `stars` of the spaces that may hold stars of one colour."""
    if stars == 0:
        yield ()
        return
    for place, space in enumerate(spaces):
        later = [s for s in spaces[place + 1 :] if not board.linked(s, space)]
        if len(later) >= stars - 1:
            yield from ((space, *others) for others in _apart_from(board, later, stars - 1))


def _in_three_colours(board: GalaxyBoard, region: Sequence[str]) -> Iterator[Arrangement]:
    """The ways to fill a region with exactly three colours."""
    links = [
        (a, b) for a, b in combinations(range(len(region)), 2) if board.linked(region[a], region[b])
    ]
    patterns = [
        pattern
        for pattern in product(range(3), repeat=len(region))
        if len({*pattern}) == 3 and all(pattern[a] != pattern[b] for a, b in links)
    ]
    for three in combinations(COLOURS, 3):
        for pattern in patterns:
            filled = [*zip(pattern, region, strict=True)]
            yield {
                colour: [space for kind, space in filled if kind == number]
                for number, colour in enumerate(three)
            }


def _two_in_three_constellations(board: GalaxyBoard) -> Iterator[Sequence[str]]:
    pairs = [
        [pair for pair in combinations(own, 2) if _apart(board, pair)]
        for own in board.constellations.values()
    ]
    for three in combinations(pairs, 3):
        yield from (tuple(chain.from_iterable(choice)) for choice in product(*three))


def with_lack(card: Card, galaxy: Galaxy, table: Table) -> CardResult:
    """The result of a card, with what it lacks in its words."""
    result = card.check(galaxy, table)
    found = [] if result.fulfilled else _lacks(card, galaxy)
    if not found:
        return result
    fewest = min(found)
    if fewest.pieces == 1:
        stars = _single_stars(card, galaxy)
        if 0 < len(stars) <= MOST_NAMED:
            counted = say("counted_by_one", counted=result.calculation, stars=stars)
            return replace(result, calculation=counted, lack=_least(found))
        if not stars:  # the rules refuse the one that lacks as long as no other is placed
            found = [Lack(max(2, one.pieces), one.replacing) for one in found]
            fewest = min(found)
    key = "counted_replacing" if fewest.replacing else "counted_lacking"
    if fewest.replacing == fewest.pieces:
        key = "counted_over_others"
    counted = say(key, counted=result.calculation, n=fewest.pieces, r=fewest.replacing)
    return replace(result, calculation=counted, lack=_least(found))


def _single_stars(card: Card, galaxy: Galaxy) -> tuple[Sentence, ...]:
    """The stars that each fulfil a card that lacks a single one, where they may be placed.

    They replace others only if no empty space does.
    """
    for spaces in (galaxy.empty(), tuple(galaxy.stars)):
        found = dict[str, list[str]]()
        for space, colour in product(spaces, COLOURS):
            is_legal = galaxy.illegal(space, colour) is None
            if is_legal and card.check(galaxy.place(space, colour)).fulfilled:
                found.setdefault(space, []).append(colour)
        if found:
            break
    return tuple(
        say(
            "stars_over" if space in galaxy.stars else "stars_on",
            stars=tuple(colours),
            space=galaxy.board.spoken(space),
            old=galaxy.stars.get(space, ""),
        )
        for space, colours in found.items()
    )


Masked = tuple[tuple[int, int, int], ...]
"""For each colour of an arrangement its number, its spaces and the spaces linked to these."""


class Arrangements:
    """The arrangements on a board as bit masks, each family's worked out once."""

    def __init__(self, board: GalaxyBoard) -> None:
        self.board = board
        self.bit = {space: 1 << number for number, space in enumerate(board.spaces)}
        self._known: dict[tuple[str, str], Sequence[Masked]] = {}

    def of(self, card: Card) -> Sequence[Masked]:
        """Those that fulfil a card; () if its colours do not matter."""
        key = card.family, str(sorted(card.parameters.items()))
        if key not in self._known:
            found = arrangements(self.board, card.family, card.parameters)
            self._known[key] = [self._masked(one) for one in found]
        return self._known[key]

    def mask(self, spaces: Iterable[str]) -> int:
        return sum(self.bit[space] for space in spaces)

    def _masked(self, arrangement: Arrangement) -> Masked:
        region = {*chain(*arrangement.values())}
        return tuple(
            (
                COLOURS.index(colour),
                self.mask(spaces),
                self.mask({*chain(*map(self.board.neighbours, spaces))} - region),
            )
            for colour, spaces in arrangement.items()
        )


def lack(card: Card, galaxy: Galaxy) -> Lack | None:
    """What a card lacks; None for one whose colours do not matter, or that cannot be fulfilled.

    Other stars may be needed besides, to reach the spaces.

    >>> from scorer.nebula.card import CARDS
    >>> from scorer.nebula.galaxy import Galaxy
    >>> lack(CARDS["V7"], Galaxy({"core": "red", "ar1": "blue", "ar2": "red"}))
    Lack(pieces=3, replacing=0)
    >>> lack(CARDS["V7"], Galaxy({"core": "blue", "ar2": "red", "ge2": "red"}))
    Lack(pieces=3, replacing=1)
    """
    return _least(_lacks(card, galaxy))


def _least(lacks: Sequence[Lack]) -> Lack | None:
    return Lack(*map(min, zip(*lacks, strict=True))) if lacks else None


def _lacks(card: Card, galaxy: Galaxy) -> Sequence[Lack]:
    known = galaxy.board.arrangements
    lying = [known.mask(galaxy.where(colour)) for colour in COLOURS]
    occupied = sum(lying)
    found = []
    for arrangement in known.of(card):
        pieces = replacing = 0
        for colour, spaces, near in arrangement:
            placed, beside = spaces & ~lying[colour], lying[colour] & near
            others = beside.bit_count()
            pieces += placed.bit_count() + others
            replacing += (placed & occupied).bit_count() + others
        found.append(Lack(pieces, replacing))
    return found
