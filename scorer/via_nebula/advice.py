"""A greedy computer player with its reasons: it values sites, contracts and paths.

It looks one action ahead, at its own side only. The journeyman counts the resources on its sites,
the master also the distance to those that are missing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import permutations
from math import inf

from scorer.greedy import GreedyAdvisor
from scorer.sentence import Sentence, Value
from scorer.via_nebula.board import SITE, STORAGE, half_named, plus
from scorer.via_nebula.edition import FOREST, RUIN, Goods, ways_from
from scorer.via_nebula.legal import candidates, goods_at, illegal, in_reach
from scorer.via_nebula.state import (
    A_TURN,
    HIDDEN,
    Action,
    Build,
    Carry,
    Craftsman,
    Decline,
    Explore,
    Site,
    State,
    Swap,
)
from scorer.via_nebula.turns import TURNS
from scorer.via_nebula.words import say

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
    earned = edition.token_points(seat.tokens), edition.contract_points(seat.contracts)
    value = float(sum(map(sum, earned)))
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
    return (contract.points + weights.building) * share**2 * 0.85 - weights.surplus * surplus


def _tiles_to(state: State, ruin: str, has_craftsman: bool) -> Mapping[str, int]:
    """The least number of tiles from a ruin to each resource; forests count twice, tokens once."""
    ways = _ways_to(state, ruin, has_craftsman, state.pieces.open_meadows(state.valley))
    return {resource: tiles for resource, (tiles, _way) in ways.items()}


def _ways_to(
    state: State, ruin: str, has_craftsman: bool, crossed: frozenset[str]
) -> Mapping[str, tuple[int, tuple[str, ...]]]:
    """The tiles from a ruin to each resource, where nothing bars the `crossed`, and the way."""
    pieces, valley = state.pieces, state.valley
    waiting: list[tuple[int, str, tuple[str, ...]]] = [(0, ruin, ())]
    seen, found = {ruin}, dict[str, tuple[int, tuple[str, ...]]]()
    while waiting:
        tiles, here, way = heappop(waiting)
        if here in pieces.exploitations:
            found.setdefault(pieces.exploitations[here].resource, (tiles, way))
            continue
        if here in pieces.tokens:
            if has_craftsman:
                resource = state.edition.tokens[pieces.tokens[here]].resource
                found.setdefault(resource, (tiles, way))
            continue
        for there in valley.around[here]:
            if there not in seen and valley.terrain[there] != RUIN:
                seen.add(there)
                heappush(waiting, (tiles + _cost(state, there, crossed), there, (*way, there)))
    return found


def _tiles_in_all(state: State, ruin: str, resources: Iterable[str]) -> int:
    """The tiles that open ways from a ruin to all of some resources, each way used for the next."""
    least, has_craftsman = inf, bool(state.seat.craftsmen)
    for order in permutations(dict.fromkeys(resources)):
        crossed, every = state.pieces.open_meadows(state.valley), 0
        for resource in order:
            tiles, way = _ways_to(state, ruin, has_craftsman, crossed)[resource]
            crossed, every = crossed | {*way}, every + tiles
        least = min(least, every)
    return int(least)


def _cost(state: State, at: str, crossed: frozenset[str]) -> int:
    if at in crossed or at in state.pieces.exploitations:
        return 0
    return 2 if state.valley.terrain[at] == FOREST else 1


class Guildmaster(GreedyAdvisor[State, Action]):
    def worth_after(self, state: State, action: Action, number: int, strength: str) -> float:
        """The side's value right after the action, or with what best follows it in the turn."""
        weights = STRONG if strength == MASTER else WEAK
        after = TURNS.after_legal(state, action)
        value = worth(after, number, weights, state.ender is not None)
        if state.ender is not None:  # their last turn: nothing but points counts
            return max([value, *_then(after, number, weights)])
        return max(
            [value, *(one for one, _at in _before_last_building(state, action, after, weights))]
        )

    def reason(self, state: State, action: Action) -> Sentence:
        """What it brings, and the carry that completes a contract if it is another action."""
        why = self._why(state, action)
        completing = [*_completing(state)] if state.ender is None else []
        if not completing or isinstance(action, Build):
            return why
        if action in [one for _points, one, _card in completing]:
            return why
        _points, carry, card = max(completing, key=lambda one: one[0])
        what = _carried(state, carry.start)
        moved = {"what": what, "start": carry.start, "at": carry.at}
        return say("why_but_carry", why=why, **moved, **_named(state, card))

    def _why(self, state: State, action: Action) -> Sentence:
        """The purpose, and the colours of others whose sites get new resources in reach by it."""
        if state.ender is not None and not isinstance(action, Decline):
            best = self.worth_after(state, action, state.mover, MASTER)
            if best <= worth(state, state.mover, STRONG, True):
                return say("why_nothing_more")
        why, after = _purpose(state, action), TURNS.after_legal(state, action)
        others = [seat.colour for seat in state.seats if seat.colour != state.seat.colour]
        also = tuple(one for one in others if _reached(after, one) - _reached(state, one))
        why = say("why_also", why=why, others=also) if also else why
        value, at = max(_before_last_building(state, action, after, STRONG), default=(-inf, ""))
        is_better = value > worth(after, state.mover, STRONG)
        if second := _second_tile(state, action, after):
            points = state.edition.explorer
            why = say("why_second_tile", why=why, at=second.at, points=points)
        return say("why_before_last", why=why, at=at) if is_better else why

    def brings(self, state: State, action: Action) -> Sentence | str:
        """The purpose of an action, but not what speaks for leaving a power unused."""
        return "" if isinstance(action, Decline) else self._why(state, action)


def _then(state: State, number: int, weights: Weights) -> Iterator[float]:
    """The values at the end of the game of buildings and explorations in the rest of a turn."""
    if not state.over and state.mover == number:
        for action in candidates(state):
            if isinstance(action, Build | Explore) and not illegal(state, action):
                yield worth(TURNS.after_legal(state, action), number, weights, True)


def _second_tile(state: State, action: Action, after: State) -> Explore | None:
    """The best further exploring of a turn that with an action takes the last two of a pile."""
    left = next(filter(None, state.seat.piles), 0)
    if not isinstance(action, Explore) or left != A_TURN or after.mover != state.mover:
        return None
    fog = [one for one in candidates(after) if isinstance(one, Explore) and not illegal(after, one)]
    number = state.mover
    ends = {one: worth(TURNS.after_legal(after, one), number, STRONG) for one in fog}
    return max(ends, key=ends.__getitem__, default=None)


def _before_last_building(
    state: State, action: Action, after: State, weights: Weights
) -> Iterator[tuple[float, str]]:
    """The values of an action that gains something before each fifth building, and its place.

    The fifth building ends the turn (V55), so what else is worth an action comes first.
    """
    can_end = state.ender is None and state.seat.buildings == 1 and state.left == A_TURN
    if not can_end or state.power or after.mover != state.mover or after.power or after.over:
        return
    number = state.mover
    for build in (one for one in candidates(state) if isinstance(one, Build)):
        if illegal(state, build) or illegal(after, build):
            continue
        ended, later = (TURNS.after_legal(one, build) for one in (state, after))
        more = worth(later, number, weights, True) - worth(ended, number, weights, True)
        if more > 0:
            yield worth(ended, number, weights) + more, build.at


# reasons


def _reached(state: State, colour: str) -> set[tuple[str, str]]:
    """Every exploitation with a player's site that its resources can be carried to."""
    sites, meadows = state.pieces.sites(colour), state.pieces.open_meadows(state.valley)
    return {
        (start, site)
        for start in state.pieces.exploitations
        for ways in [ways_from(state.valley, meadows, start)]
        for site in sites
        if half_named(site)[0] in ways
    }


def _purpose(state: State, action: Action) -> Sentence:
    match action:
        case Build(at, card):
            return _built(state, at, card)
        case Carry() | Swap():
            return _brought(state, action, action.at)
        case Craftsman(at):
            return _opened(state, at)
        case Site(at):
            return _founded(state, at)
        case Explore(at):
            return _explored(state, at)
        case Decline():
            return say("why_decline")
    return say("why_pass")


def _named(state: State, card: str) -> Mapping[str, Value]:
    """A contract and its points; one in a hand stays unnamed, as others see the same screen."""
    contract = state.edition.contracts[card]
    is_open = card in state.open
    name = say("open_contract", contract=contract.name) if is_open else say("own_contract")
    return {"card": name, "points": contract.points}


def _best(
    state: State, at: str, holds: Goods, of: str = ""
) -> tuple[str, Mapping[str, int]] | None:
    """The contract that suits a site with these goods best, and the tiles to each resource.

    With one more resource `of`, where that is given; None if no known contract lacks it there. Nor
    one that suits another site of the player best that holds as much, if there are others.
    """
    tiles = _tiles_to(state, half_named(at)[0], bool(state.seat.craftsmen))
    every = state.edition.contracts
    known = [card for card in (*state.open, *state.seat.hand) if card in every]
    cards = [one for one in known if not of or every[one].needs.get(of, 0) > holds.get(of, 0)]
    holds = plus(holds, of, 1) if of else holds
    taken = set[str]()
    for site in state.pieces.sites(state.seat.colour):
        own = goods_at(state, site)
        if site != at and sum(own.values()) >= sum(holds.values()):
            near = _tiles_to(state, half_named(site)[0], bool(state.seat.craftsmen))
            left = [one for one in known if one not in taken]
            taken |= {*sorted(left, key=lambda one: _promise(state, one, own, near, STRONG))[-1:]}
    cards = [one for one in cards if one not in taken] or cards
    rated = {card: _promise(state, card, holds, tiles, STRONG) for card in cards}
    return (max(cards, key=rated.__getitem__), tiles) if cards else None


def _built(state: State, at: str, card: str) -> Sentence:
    contract = state.edition.contracts.get(card)
    if contract is None:
        return say("why_build_own")
    left = sum(goods_at(state, at).values()) - sum(contract.needs.values())
    key = "why_build_left" if left else "why_build" if card in state.open else "why_build_own"
    return say(key, at=at, left=left, **_named(state, card))


def _brought(state: State, action: Carry | Swap, at: str) -> Sentence:
    """What a resource on a site is for, and what is still lacking there afterwards."""
    if at == STORAGE:
        return say("why_decline")
    what = action.taken if isinstance(action, Swap) else _carried(state, action.start)
    holds = goods_at(state, at)
    if isinstance(action, Swap):
        holds = plus(holds, action.given, -1)
    best = _best(state, at, holds, what)
    if best is None:
        is_known = HIDDEN not in state.seat.hand
        return say("why_carry_left" if is_known else "why_carry_hidden", at=at, what=what)
    card, _tiles = best
    lacking = Counter(state.edition.contracts[card].needs) - Counter(plus(holds, what, 1))
    far = lacking - in_reach(TURNS.after_legal(state, action), at)
    key = ("none" if far == lacking else "far" if far else "lacks") if lacking else "last"
    rest = {"lacking": tuple(lacking.elements()), "far": tuple(far.elements())}
    return say(f"why_carry_{key}", at=at, what=what, **rest, **_named(state, card))


def _completing(state: State) -> Iterator[tuple[int, Carry, str]]:
    """The legal carries by which a site gets all that a known contract needs, with its points."""
    every = state.edition.contracts
    known = [card for card in (*state.open, *state.seat.hand) if card in every]
    for action in candidates(state):
        if isinstance(action, Carry) and not illegal(state, action):
            goods, last = goods_at(state, action.at), {_carried(state, action.start): 1}
            for card in known:
                if Counter(every[card].needs) - Counter(goods) == last:
                    yield every[card].points, action, card


def _carried(state: State, start: str) -> str:
    return state.pieces.exploitations[start].resource


def _opened(state: State, at: str) -> Sentence:
    """Which contract lacks what a token brings, on which site."""
    token = state.edition.tokens[state.pieces.tokens[at]]
    what, count = token.resource, state.worth(state.pieces.tokens[at])
    for site in state.pieces.sites(state.seat.colour):
        holds = goods_at(state, site)
        if (best := _best(state, site, holds, what)) is None:
            continue
        named = _named(state, best[0])
        return say("why_craftsman_site", what=what, n=count, at=site, **named)
    every = state.edition.contracts
    wanted, own = (
        sum(card in every and what in every[card].needs for card in cards)
        for cards in (state.open, state.seat.hand)
    )
    why = say("why_craftsman", what=what, n=count, cards=wanted)
    return say("why_craftsman_own", why=why, own=own) if own else why


def _founded(state: State, at: str) -> Sentence:
    """Which contract can be fulfilled on a new site, and how far its resources are."""
    best = _best(state, at, {})
    if best is None:
        return say("why_site_near", space=at)
    card, tiles = best
    needs = Counter(state.edition.contracts[card].needs)
    lacking = needs - in_reach(state, at)
    near = tuple((needs - lacking).elements())
    named = {"space": at, "near": near, **_named(state, card)}
    if not lacking:
        return say("why_site", **named)
    if not all(tiles.get(one) for one in lacking):  # too few of it, or none
        key = "why_site_short" if near else "why_site_none"
        return say(key, lacking=tuple(lacking.elements()), **named)
    far = _tiles_in_all(state, half_named(at)[0], lacking)
    return say("why_site_far" if near else "why_site_alone", n=far, **named)


def _explored(state: State, at: str) -> Sentence:
    """Whose way to which site a tile shortens, else how near the explorer of its pile is."""
    after = replace(TURNS.after_legal(state, Explore(at)), mover=state.mover)
    for site in state.pieces.sites(state.seat.colour):
        holds = goods_at(state, site)
        if (best := _best(after, site, holds)) is None:
            continue
        card, then = best
        now = _tiles_to(state, half_named(site)[0], bool(state.seat.craftsmen))
        lacking = Counter(state.edition.contracts[card].needs) - Counter(holds)
        closer = sorted(
            (one for one in lacking if then.get(one, inf) < now.get(one, inf)),
            key=then.__getitem__,
        )
        opened = tuple(one for one in closer if not then[one])
        if closer:
            key = "why_explore_open" if opened else "why_explore_nearer"
            of = opened or closer[0]
            return say(key, what=of, at=site, n=then[closer[0]], **_named(state, card))
    pairs = zip(state.seat.piles, after.seats[state.mover].piles, strict=True)
    left = next((then for now, then in pairs if then < now), None)
    if left is None:
        return say("why_explore")
    return say("why_explore_pile", n=left, points=state.edition.explorer)


ADVISOR = Guildmaster(TURNS)
