"""Via Nebula's implementation of the contract `scorer.game.Game`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scorer.flags import Flag, RuleBreak
from scorer.game import Option, Question, imported
from scorer.objective import CardResult, objective
from scorer.places import Place, PlaceKind
from scorer.plain import PlainBoard, PlainFile, PlainGame, PlainPosition
from scorer.sentence import Sentence
from scorer.table import BoardKind, Piece, Piles, Table
from scorer.via_nebula.board import (
    BUILDING,
    CRAFTSMAN,
    GUILD,
    PILE_PLACES,
    SITE,
    STORAGE,
    TILE,
    VALLEY,
    ValleyPieces,
    half_named,
    on_guild,
    pieces_on,
)
from scorer.via_nebula.edition import (
    BUILDINGS,
    COLOURS,
    CRAFTSMEN,
    EDITIONS,
    MEADOW,
    RESOURCES,
    RUIN,
    SIDES,
    SITES,
    STANDARD,
    Edition,
)
from scorer.via_nebula.score import Standing, ViaNebulaSheet, score_table, valley_flags
from scorer.via_nebula.words import WORDS, forbidden, say

SWATCHES = {"blue": "#1c3ad0", "black": "#26262b", "white": "#f1efe8", "red": "#b8143a"}
GOODS = {
    "wood": "#1f9a2a",
    "stone": "#22cfc2",
    "clay": "#ee5518",
    "wheat": "#e8e015",
    "food": "#9a3ccc",
}
"""Far apart in hue from each other and from the players' colours, so that no lamp makes one look
like another."""
HELD: frozenset[PlaceKind] = frozenset({"region"})
TILE_MM, TOKEN_MM, SITE_MM, SMALL_MM = 22.0, 16.0, 14.0, 9.0
"""Diameters of discs; small ones are as large as a cube of 8 mm appears."""


@dataclass(frozen=True)
class ContractCard:
    id: str
    name: Sentence
    rule: Sentence


class ViaNebula(PlainGame):
    """A shared valley, and a guild board for each player.

    >>> VIA_NEBULA.admits(Place("H1b", "region"))[:2], VIA_NEBULA.admits(Place("A1", "region"))
    (('site_blue', 'site_black'), ('tile',))
    >>> two = VIA_NEBULA.piece_roles({"players": [{"colour": "red"}, {"colour": "blue"}]})
    >>> VIA_NEBULA.pile_heights({"pile_1": False, "pile_2": True, "pile_3": True}, two)
    {'pile_1': range(1, 6), 'pile_2': range(1, 6), 'pile_3': [5]}
    >>> VIA_NEBULA.pile_heights({"pile_1": True, "pile_2": True}, VIA_NEBULA.piece_roles({}))
    {'pile_1': range(1, 6), 'pile_2': [3, 4, 5]}
    """

    id = "via_nebula"
    pieces = (
        *(
            Piece(one, own, STANDARD.supply, HELD, diameter_mm=SMALL_MM)
            for one, own in GOODS.items()
        ),
        Piece(TILE, "#5f9a34", STANDARD.tiles, HELD, diameter_mm=TILE_MM),
        *(
            Piece(name, GOODS[own.resource], 1, HELD, diameter_mm=TOKEN_MM)
            for name, own in STANDARD.tokens.items()
        ),
        *(
            Piece(f"{what}_{colour}", own, supply, HELD, colour, diameter_mm=diameter)
            for what, supply, diameter in (
                (CRAFTSMAN, CRAFTSMEN, SMALL_MM),
                (SITE, SITES, SITE_MM),
                (BUILDING, BUILDINGS, SMALL_MM),
            )
            for colour, own in SWATCHES.items()
        ),
    )
    table = Table(
        (BoardKind(VALLEY, "all"), BoardKind(GUILD)),
        2,
        4,
        piles=Piles(PILE_PLACES, {players: own.pile for players, own in STANDARD.tables.items()}),
    )

    turns = imported("scorer.via_nebula.turns:TURNS")
    advisor = imported("scorer.via_nebula.advice:ADVISOR")

    @cached_property
    def _of_colour(self) -> Mapping[str, tuple[str, ...]]:
        return {
            what: tuple(f"{what}_{colour}" for colour in COLOURS)
            for what in (CRAFTSMAN, SITE, BUILDING)
        }

    def admits(self, place: Place) -> tuple[str, ...]:
        """By terrain; tiles on piles, resources in the storage."""
        if place.id == STORAGE:
            return RESOURCES
        kind = STANDARD.valleys[SIDES[0]].terrain.get(half_named(place.id)[0])
        if kind == RUIN:
            return (*self._of_colour[SITE], *self._of_colour[BUILDING], *RESOURCES)
        if kind == MEADOW:
            laid = (name for name, own in STANDARD.tokens.items() if not own.special)
            return (*laid, *RESOURCES, *self._of_colour[CRAFTSMAN])
        return (TILE,)

    def place_name(self, board: PlainBoard, place: str, language: str = "en") -> str:
        """A hexagon's own name, or what is printed there."""
        ruin, number = half_named(place)
        if number and place not in PILE_PLACES:
            return say("half", at=ruin).in_language(language)
        return WORDS.word(place, language)

    def rule_breaks(
        self, position: PlainPosition, game: PlainFile | None = None
    ) -> tuple[RuleBreak, ...]:
        """Also overfull ruins, misplaced tiles, and what must be corrected during the game."""
        found = [*super().rule_breaks(position, game)]
        if position.board.kind == VALLEY.kind:
            players = len(COLOURS) if game is None else len(game.seats)
            edition, side = _edition(game), _side(game)
            flags = valley_flags(pieces_on(position), edition, players, side)
            found += [RuleBreak(one.kind, one.spaces, reason=one.reason) for one in flags]
            found += _of_the_moment(position)
        return tuple(found)

    # a game file

    game_from_data = imported("scorer.via_nebula.game_file:read_game")
    game_data = imported("scorer.via_nebula.game_file:write_game")

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """What is face down (V29, V50), and who has the end card."""
        tokens = tuple(
            Option(
                name,
                say(
                    "token_face",
                    token=name,
                    resource=own.resource,
                    shows=own.shows,
                    points=own.points,
                ),
            )
            for name, own in STANDARD.tokens.items()
            if not own.special
        )
        cards = tuple(Option(one, contract_face(STANDARD, one)) for one in STANDARD.contracts)
        return (
            Question("tokens", say("ask_tokens"), "some", tokens, 0, len(tokens), True, True),
            Question("contracts", say("ask_contracts"), "some", cards, 0, BUILDINGS, True, True),
            Question("end_card", say("ask_end_card"), "number", (), 0, 1, True),
        )

    def objectives(self, game: PlainFile, player: int) -> tuple[ContractCard, ...]:
        """The contracts that a player has fulfilled; every neutral one if unknown."""
        edition = _edition(game)
        contracts = game.seats[player].answers.get("contracts") or edition.neutral
        return tuple(contract_card(edition, id) for id in dict.fromkeys(contracts))

    def check(
        self, game: PlainFile, objective: Any, positions: Sequence[PlainPosition], player: int
    ) -> CardResult:
        """How many of the resources it needs are on the best of the player's sites (V46)."""
        answers, needs = game.seats[player].answers, _edition(game).contracts[objective.id].needs
        pieces, total = pieces_on(positions[0]), sum(needs.values())
        holds = [own.holds for _at, own in pieces.elements() if own.colour == answers["colour"]]
        most = max(
            (sum(min(own.get(one, 0), count) for one, count in needs.items()) for own in holds),
            default=0,
        )
        if objective.id in answers.get("contracts", ()):
            most = total
        return _result(most / total, say("n_on_site", n=most, of=total))

    def score(self, game: PlainFile) -> ViaNebulaSheet:
        pieces, edition = pieces_on(game.lies(VALLEY.kind)), _edition(game)
        standings = [_standing(game, number, edition) for number in range(len(game.seats))]
        twice = _cards_in_two_places(game, pieces)
        flags = [Flag("card_twice", reason=say("card_twice", card=card)) for card in twice]
        return score_table(
            standings,
            pieces,
            edition,
            bool(game.answers.get("collected")),
            (*self.flags_of(game), *flags),
            _side(game),
        )


def _of_the_moment(position: PlainPosition) -> Iterator[RuleBreak]:
    """What must be corrected during the game: V32, and impossible contents of places."""
    pieces = pieces_on(position)
    for at in dict.fromkeys(place.id for place in position.pieces):
        yield from _of_place(at, position.counted(at))
    for colour in COLOURS:
        sites = pieces.sites(colour)
        standing = sum(one.colour == colour for _at, one in pieces.elements())
        left = BUILDINGS - standing + len(sites)
        if len(sites) > left:
            yield forbidden("V32", "too_many_sites", *sites, n=len(sites), buildings=left)


def _of_place(at: str, there: Counter[str]) -> Iterator[RuleBreak]:
    """Pieces that cannot be in one place together, or alone."""
    kinds = sum(there[one] > 0 for one in RESOURCES)
    of = Counter(one.partition("_")[0] for one in there.elements() if "_" in one)
    if kinds > 1 and not of[SITE]:
        yield forbidden("V4", "two_kinds", at, at=at)
    if of[SITE] + of[BUILDING] > 1:
        yield forbidden("V3", "two_elements", at, at=at)
    if STANDARD.valleys[SIDES[0]].terrain.get(half_named(at)[0]) == RUIN:
        if kinds and not of[SITE]:
            yield forbidden("V42", "no_site_there", at, at=at)
        return
    if of[CRAFTSMAN] > 1 or (of[CRAFTSMAN] and any(one in STANDARD.tokens for one in there)):
        yield forbidden("V29", "no_token", at, at=at)
    if kinds and any(one in STANDARD.tokens for one in there):
        yield forbidden("V29", "token_and_goods", at, at=at)
    if of[CRAFTSMAN] and not kinds:
        colour = next(one for one in there if one.startswith(CRAFTSMAN)).partition("_")[2]
        yield forbidden("V43", "comes_home", at, at=at, colour=colour)


def _standing(game: PlainFile, number: int, edition: Edition) -> Standing:
    seat = game.seats[number]
    answers = seat.answers
    piles, storage = on_guild(game.lies(GUILD.kind, number))
    tokens, contracts = answers.get("tokens"), answers.get("contracts")
    return Standing(
        seat.name,
        answers["colour"],
        tuple(answers.get("piles", piles)),
        answers.get("storage", storage),
        _points(answers.get("token_points"), tokens, edition.token_points),
        _points(answers.get("contract_points"), contracts, edition.contract_points),
        answers.get("end_card", False),
        tuple(flag for one in game.boards if one.seat == number for flag in one.flags),
    )


def _points(
    values: Sequence[int] | None, cards: Sequence[str] | None, worth: Any
) -> Sequence[int] | None:
    """The values, or the worth of each card; None if neither is known. Repeats count twice."""
    return worth(cards) if values is None and cards is not None else values


def _edition(game: PlainFile | None) -> Edition:
    name = STANDARD.id if game is None else game.answers.get("edition", STANDARD.id)
    return EDITIONS.load(name)


def _side(game: PlainFile | None) -> str:
    return SIDES[0] if game is None else str(game.answers.get("side", SIDES[0]))


def contract_face(edition: Edition, id: str) -> Sentence:
    """What a contract needs and gives, after the number that its print bears."""
    own = edition.contracts[id]
    return say("contract_face", card=id, needs=own.each, points=own.points)


def contract_rule(edition: Edition, id: str) -> Sentence:
    own = edition.contracts[id]
    return say("contract_rule", needs=own.each, points=own.points)


def contract_card(edition: Edition, id: str) -> ContractCard:
    name = say("contract", card=edition.contracts[id].name)
    return ContractCard(id, name, contract_rule(edition, id))


def _result(progress: float, said: Sentence) -> CardResult:
    return objective(progress, (), (), said)


def _cards_in_two_places(game: PlainFile, pieces: ValleyPieces) -> list[str]:
    """Tokens and contracts that occur more than once (V75)."""
    found = Counter(pieces.tokens.values())
    for seat in game.seats:
        for key in ("tokens", "contracts"):
            found.update(seat.answers.get(key, ()))
    return [card for card, count in found.items() if count > 1]


VIA_NEBULA = ViaNebula()
