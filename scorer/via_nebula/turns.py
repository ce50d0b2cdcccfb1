"""The course of a game (V15 to V57): legal actions and their effects.

A game in which nobody can act any more ends without an end card, as the rules do not cover this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from scorer.flags import RuleBreak
from scorer.plain import PlainBoard, PlainPosition
from scorer.sentence import Sentence, Verbatim
from scorer.turns import SetUp, Turns
from scorer.via_nebula.board import (
    BUILDING,
    GUILD,
    SITE,
    STORAGE,
    VALLEY,
    Element,
    Exploitation,
    guild_pieces,
    plus,
    valley_pieces,
)
from scorer.via_nebula.edition import COLOURS, EDITIONS, FOREST, RUIN, SIDES, Goods
from scorer.via_nebula.legal import (
    any_legal,
    candidates,
    drawn_from,
    goods_at,
    illegal,
    next_meadow,
)
from scorer.via_nebula.score import Standing, ViaNebulaSheet, score_table
from scorer.via_nebula.state import (
    A_TURN,
    HAND,
    HIDDEN,
    Action,
    Box,
    Build,
    Carry,
    Craftsman,
    Deal,
    Decline,
    Explore,
    Lay,
    Pass,
    Reveal,
    Site,
    State,
    Swap,
    begun,
)
from scorer.via_nebula.words import forbidden, say


class ViaNebulaTurns(Turns[State, Action]):
    players: ClassVar[range] = range(2, 5)
    options: ClassVar[Mapping[str, Sequence[str]]] = {"side": SIDES}

    def start(self, set_up: SetUp, board: PlainBoard | None = None) -> State:
        """A table of `players`, or of the players of some `colours`, on a `side` of the board."""
        colours = tuple(set_up.get("colours") or COLOURS[: set_up["players"]])
        side = set_up.get("side") or SIDES[0]
        if len(colours) not in self.players or len({*colours} & {*COLOURS}) < len(colours):
            raise ValueError(f"2 to 4 different colours of {', '.join(COLOURS)} play")
        if side not in SIDES:
            raise ValueError(f"the board has the sides {', '.join(SIDES)}")
        return begun(colours, side, EDITIONS.load(set_up.get("edition") or "standard"))

    # legal actions

    def player(self, state: State) -> int | None:
        return None if state.over else state.mover

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """What is dealt, turned up or placed next."""
        source = drawn_from(state)
        return [(action, 1 / len(source)) for action in source]

    def ending(self, state: State, names: Sequence[str]) -> Sentence:
        if state.ender is None:
            return say("ended_idle")
        return say("ended_by_building", name=Verbatim(names[state.ender]))

    def actions(self, state: State) -> Sequence[Action]:
        if state.over or drawn_from(state):
            return ()
        found = [one for one in candidates(state) if illegal(state, one) is None]
        return found or ([Decline()] if state.power else [Pass()])

    def offered(self, state: State) -> Sequence[Action]:
        """All candidates, and what is legal; not what a secret contract lacks (V16)."""
        if state.over or drawn_from(state):
            return ()
        secret = {*state.seat.hand} - {HIDDEN}
        found = (
            one
            for one in candidates(state)
            if not (isinstance(one, Build) and one.card in secret and illegal(state, one))
        )
        ruins, pieces = state.valley.of(RUIN), state.pieces
        none = () if state.power or pieces.sites(state.seat.colour) else ruins[:1]  # says why
        carried = [Carry(start, at) for start in pieces.exploitations for at in none][:1]
        built = [Build(at, card) for card in state.open for at in none][:1]
        return list(dict.fromkeys((*found, *carried, *built, *self.actions(state))))

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None if it is legal."""
        if state.over:
            return forbidden("V57", "over")
        source = drawn_from(state)
        if source or isinstance(action, Deal | Reveal | Box | Lay):
            known = action in source
            return None if known else forbidden("V16", "chance" if source else "not_drawn")
        if isinstance(action, Pass):
            return forbidden("V26", "can_act") if any_legal(state) else None
        return illegal(state, action)

    def by_itself(self, state: State) -> Action | None:
        """The end of a turn in which nothing more can be done."""
        asked = state.over or state.power or drawn_from(state) or any_legal(state)
        return None if asked else Pass()

    def after_legal(self, state: State, action: Action) -> State:
        is_chance = isinstance(action, Deal | Reveal | Box | Lay)
        return _settled((_happened if is_chance else _done)(state, action))

    # views

    def positions(self, state: State) -> Sequence[PlainPosition]:
        """The valley, then the guild boards."""
        guilds = (
            PlainPosition(GUILD, guild_pieces(seat.piles, seat.storage)) for seat in state.seats
        )
        return (PlainPosition(VALLEY, valley_pieces(state.pieces)), *guilds)

    def score(self, state: State, names: Sequence[str] = ()) -> ViaNebulaSheet:
        """The score of the table as it stands, with what V62 moves into storage."""
        named = names or [seat.colour for seat in state.seats]
        standings = [
            Standing(
                named[number],
                seat.colour,
                seat.piles,
                seat.storage,
                state.edition.token_points(seat.tokens),
                state.edition.contract_points(seat.contracts),
                state.ender == number,
            )
            for number, seat in enumerate(state.seats)
        ]
        return score_table(standings, state.pieces, state.edition, side=state.side)

    def answers(self, state: State) -> Mapping[str, Any]:
        """What is face down, and who has the end card."""
        return {
            "side": state.side,
            "players": [
                {
                    "colour": seat.colour,
                    "tokens": list(seat.tokens),
                    "contracts": list(seat.contracts),
                    "end_card": state.ender == number,
                }
                for number, seat in enumerate(state.seats)
            ],
        }

    def imagined(self, state: State, rng: Random) -> State:
        """Hidden contracts are sampled from the private ones that the player does not see."""
        seen = {card for seat in state.seats for card in (*seat.hand, *seat.contracts)}
        unseen = [card for card in state.edition.private if card not in seen]
        rng.shuffle(unseen)
        for number, seat in enumerate(state.seats):
            hand = tuple(unseen.pop() if card == HIDDEN else card for card in seat.hand)
            state = state.with_seat(number, hand=hand)
        return state


# effects


def _happened(state: State, action: Action) -> State:
    match action:
        case Deal(card):
            seat = next(n for n, own in enumerate(state.seats) if len(own.hand) < HAND)
            return state.with_seat(seat, hand=(*state.seats[seat].hand, card))
        case Reveal(card):
            return replace(state, open=(*state.open, card))
        case Box(token):
            return replace(state, boxed=token)
        case Lay(token, at):
            return _laid(state, token, at)
    raise AssertionError(action)


def _done(state: State, action: Action) -> State:
    match action:
        case Pass():
            return replace(state, left=0)
        case Decline():
            return replace(state, power="")
        case Swap(at, given, taken):
            goods = plus(plus(goods_at(state, at), given, -1), taken, 1)
            return _holding(replace(state, power=""), at, goods)
    cost = 0 if state.power else 1
    if isinstance(action, Explore) and state.valley.terrain[action.at] == FOREST:
        cost = A_TURN
    state = replace(state, left=state.left - cost, acted=True, power="")
    match action:
        case Craftsman(at):
            return _exploited(state, at)
        case Site(at):
            pieces = state.pieces.with_element(at, Element(SITE, state.seat.colour))
            state = replace(state, pieces=pieces)
            return state.with_seat(state.mover, sites=state.seat.sites - 1)
        case Explore(at):
            return _explored(state, at)
        case Carry(start, at):
            return _carried(state, start, at)
        case Build(at, card):
            return _built(state, at, card)
    raise AssertionError(action)


def _laid(state: State, token: str, at: str) -> State:
    """Put a token on a meadow; a special one is exchanged for its resources (V18)."""
    pieces, own = state.pieces, state.edition.tokens[token]
    if own.special:
        found = Exploitation(own.resource, state.worth(token))
        pieces = replace(pieces, exploitations={**pieces.exploitations, at: found})
    else:
        pieces = replace(pieces, tokens={**pieces.tokens, at: token})
    state = replace(state, pieces=pieces)
    return state if next_meadow(state) else replace(state, ready=True)


def _exploited(state: State, at: str) -> State:
    """V29; if the supply of the resource is empty, the craftsman returns at once (V43)."""
    pieces, seat = state.pieces, state.seat
    token = pieces.tokens[at]
    resource = state.edition.tokens[token].resource
    count = min(state.worth(token), state.supply[resource])
    tokens = {place: own for place, own in pieces.tokens.items() if place != at}
    exploitations = dict(pieces.exploitations)
    if count:
        exploitations[at] = Exploitation(resource, count, seat.colour)
    state = replace(state, pieces=replace(pieces, tokens=tokens, exploitations=exploitations))
    craftsmen = seat.craftsmen - bool(count)
    return state.with_seat(state.mover, craftsmen=craftsmen, tokens=(*seat.tokens, token))


def _explored(state: State, at: str) -> State:
    """Place a tile from the leftmost pile, or else from the reserve (V34)."""
    piles = list(state.seat.piles)
    pile = next((number for number, count in enumerate(piles) if count), None)
    pieces = replace(state.pieces, tiles=state.pieces.tiles | {at})
    if pile is None:
        return replace(state, pieces=pieces, reserve=state.reserve - 1)
    piles[pile] -= 1
    return replace(state, pieces=pieces).with_seat(state.mover, piles=tuple(piles))


def _carried(state: State, start: str, at: str) -> State:
    own = state.pieces.exploitations[start]
    state = replace(state, pieces=state.pieces.without_one(start))
    state = _holding(state, at, plus(goods_at(state, at), own.resource, 1))
    if own.count > 1 or not own.craftsman:
        return state
    number = next(n for n, seat in enumerate(state.seats) if seat.colour == own.craftsman)
    return state.with_seat(number, craftsmen=state.seats[number].craftsmen + 1)


def _holding(state: State, at: str, goods: Goods) -> State:
    """With other resources on one of the player's sites, or in the storage."""
    if at == STORAGE:
        return state.with_seat(state.mover, storage=goods)
    own = state.pieces.element(at)
    assert own is not None, "only what stands there holds resources"
    return replace(state, pieces=state.pieces.with_element(at, replace(own, holds=goods)))


def _built(state: State, at: str, card: str) -> State:
    """V47 to V50 and, with the fifth building, V55."""
    seat, contract = state.seat, state.edition.contracts[card]
    storage = seat.storage
    for resource, count in goods_at(state, at).items():
        storage = plus(storage, resource, count - contract.needs.get(resource, 0))
    state = replace(
        state,
        pieces=state.pieces.with_element(at, Element(BUILDING, seat.colour)),
        open=tuple(own for own in state.open if own != card),
        power=contract.power,
    )
    state = state.with_seat(
        state.mover,
        sites=seat.sites + 1,
        buildings=seat.buildings - 1,
        storage=storage,
        hand=tuple(own for own in seat.hand if own != card),
        contracts=(*seat.contracts, card),
    )
    if seat.buildings == 1 and state.ender is None:
        return replace(state, ender=state.mover, left=0)
    return state


def _settled(state: State) -> State:
    """Drop a power that cannot be used, and start the next turn if this one is over."""
    if state.power and not any_legal(state):
        state = replace(state, power="")
    if not state.ready or state.power or state.left:
        return state
    idle, mover = (0 if state.acted else state.idle + 1), (state.mover + 1) % len(state.seats)
    over = mover == state.ender or idle == len(state.seats)
    return replace(state, mover=mover, left=A_TURN, acted=False, idle=idle, over=over)


TURNS = ViaNebulaTurns()
