"""A greedy computer player, which also gives hints: it values sites, contracts and paths.

It looks one action ahead, at its own side only. The journeyman counts the resources on its sites,
the master also the distance to those that are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from scorer.greedy import GreedyAdvisor
from scorer.via_nebula.board import SITE, half_named
from scorer.via_nebula.edition import FOREST, RUIN, Goods
from scorer.via_nebula.state import Action, Build, Carry, Craftsman, Explore, Site, State
from scorer.via_nebula.turns import TURNS
from scorer.via_nebula.words import WORDS

JOURNEYMAN, MASTER = "journeyman", "master"


@dataclass(frozen=True)
class Weights:
    """A player's values in points; `near` is that of a missing resource within reach."""

    near: float = 0.45
    farther: float = 0.7
    """The share of it that is left for each tile still to be placed."""
    surplus: float = 0.7
    """The cost of a resource on a site that its contract does not need."""
    building: float = 1.0
    unspent: float = 0.1
    """The cost of a resource on an own exploitation, which may be left there at the end."""
    tile: float = 0.1


STRONG = Weights()
WEAK = Weights(near=0.0, unspent=0.0)


def worth(state: State, number: int, weights: Weights, is_last: bool = False) -> float:
    """The value of a player's side of a table, in points; `is_last` if they will not act again."""
    seat, edition, pieces = state.seats[number], state.edition, state.pieces
    value = float(edition.token_points(seat.tokens) + edition.contract_points(seat.contracts))
    value += edition.explorer * seat.piles.count(0) + edition.end_card * (state.ender == number)
    value += weights.building * len(seat.contracts) - sum(seat.storage.values())
    own = [one.count for one in pieces.exploitations.values() if one.craftsman == seat.colour]
    if is_last:
        return value - pieces.resources(seat.colour).total()
    value -= weights.tile * sum(seat.piles) + weights.unspent * sum(own)
    cards = {card for card in (*state.open, *seat.hand) if card in edition.contracts}
    sites = [
        (at, element.holds)
        for at, element in pieces.elements()
        if (element.what, element.colour) == (SITE, seat.colour)
    ]
    for at, holds in sorted(sites, key=lambda one: -sum(one[1].values())):
        tiles = _tiles_to(state, half_named(at)[0], bool(seat.craftsmen)) if weights.near else {}
        promised = {card: _promise(state, card, holds, tiles, weights) for card in cards}
        if promised:  # each contract counts for one site only
            best = max(sorted(promised), key=promised.__getitem__)
            value += promised[best]
            cards.discard(best)
    return value


def _promise(
    state: State, card: str, holds: Goods, tiles: Mapping[str, int], weights: Weights
) -> float:
    """The value of a site for a contract, which grows with resources there and nearby."""
    contract, done, there = state.edition.contracts[card], 0.0, 0
    for resource, count in contract.needs.items():
        have = min(holds.get(resource, 0), count)
        there += have
        done += have
        if resource in tiles:
            done += (count - have) * weights.near * weights.farther ** tiles[resource]
    share = done / sum(contract.needs.values())
    surplus = sum(holds.values()) - there
    return (contract.points + weights.building) * share**2 * 0.95 - weights.surplus * surplus


def _tiles_to(state: State, ruin: str, has_craftsman: bool) -> Mapping[str, int]:
    """The least number of tiles from a ruin to each resource; forests count twice, tokens once."""
    pieces, valley = state.pieces, state.valley
    crossed = pieces.open_meadows(valley)
    waiting, seen, found = [(0, ruin)], {ruin}, dict[str, int]()
    while waiting:
        tiles, here = heappop(waiting)
        if here in pieces.exploitations:
            found.setdefault(pieces.exploitations[here].resource, tiles)
            continue
        if here in pieces.tokens:
            if has_craftsman:
                found.setdefault(state.edition.tokens[pieces.tokens[here]].resource, tiles)
            continue
        for there in valley.around[here]:
            if there not in seen and valley.terrain[there] != RUIN:
                seen.add(there)
                heappush(waiting, (tiles + _cost(state, there, crossed), there))
    return found


def _cost(state: State, at: str, crossed: frozenset[str]) -> int:
    if at in crossed or at in state.pieces.exploitations:
        return 0
    return 2 if state.valley.terrain[at] == FOREST else 1


class Guildmaster(GreedyAdvisor[State, Action]):
    names = (JOURNEYMAN, MASTER)

    def worth_after(self, state: State, action: Action, number: int, strength: str) -> float:
        """The side's value right after the action."""
        weights = STRONG if strength == MASTER else WEAK
        after = TURNS.after_legal(state, action)
        acts_on = not after.over and after.mover == number
        is_last = state.ender is not None and not acts_on
        return worth(after, number, weights, is_last)

    def look(self, state: State, action: Action) -> str:
        match action:
            case Build():
                return "hint_look_build"
            case Site():
                return "hint_look_site"
        return "hint_look"

    def reason(self, action: Action) -> str:
        match action:
            case Craftsman():
                return "why_craftsman"
            case Site():
                return "why_site"
            case Explore():
                return "why_explore"
            case Carry():
                return "why_carry"
            case Build():
                return "why_build"
        return "why_worth"


ADVISOR = Guildmaster(TURNS, WORDS)
