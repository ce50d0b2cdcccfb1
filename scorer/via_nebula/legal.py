"""Candidates for actions, and the rules that forbid them (V25 to V49)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from scorer.flags import RuleBreak
from scorer.via_nebula.board import SITE, STORAGE, half, half_named
from scorer.via_nebula.edition import (
    FOG,
    FOREST,
    MEADOW,
    RESOURCES,
    RUIN,
    Goods,
    least_blocked,
    ways_from,
)
from scorer.via_nebula.state import (
    A_TURN,
    HAND,
    OPEN,
    Action,
    Box,
    Build,
    Carry,
    Craftsman,
    Deal,
    Decline,
    Explore,
    Lay,
    Reveal,
    Site,
    State,
    Swap,
)
from scorer.via_nebula.words import forbidden

POWERS: Mapping[str, type[Action]] = {"swap": Swap, "explore": Explore, "carry": Carry}


def drawn_from(state: State) -> Sequence[Action]:
    """The possible chance actions; empty where a player acts, or the game is over."""
    if state.over or state.power:
        return ()
    if len(state.open) < OPEN and (state.ready or _all_dealt(state)) and (deck := state.deck):
        return [Reveal(card) for card in deck]
    if state.ready:
        return ()
    if not _all_dealt(state):
        dealt = {card for seat in state.seats for card in seat.hand}
        return [Deal(card) for card in state.edition.private if card not in dealt]
    tokens = state.edition.tokens
    if not state.boxed:
        return [Box(name) for name, own in tokens.items() if own.special]
    pieces = state.pieces
    specials = {own.resource for own in pieces.exploitations.values()}  # placed and exchanged (V18)
    gone = {state.boxed, *pieces.tokens.values(), *(f"{own}-special" for own in specials)}
    at = next_meadow(state)
    return [Lay(name, at) for name in tokens if name not in gone]


def _all_dealt(state: State) -> bool:
    return len(state.seats[-1].hand) == HAND


def next_meadow(state: State) -> str:
    """The first meadow that has not had a token, "" for none (V17)."""
    taken = {*state.pieces.tokens, *state.pieces.exploitations}
    return next((at for at in state.valley.of(MEADOW) if at not in taken), "")


def candidates(state: State) -> Iterator[Action]:
    """Everything that a player may consider, legal or not."""
    pieces, valley, seat = state.pieces, state.valley, state.seat
    sites = pieces.sites(seat.colour)
    fog = [at for at in (*valley.of(FOG), *valley.of(FOREST)) if at not in pieces.tiles]
    if state.power == "swap":
        yield Decline()
        for at in (*sites, STORAGE):
            goods = goods_at(state, at)
            yield from (Swap(at, one, to) for one, to in product(goods, RESOURCES) if one != to)
        return
    if state.power:
        yield Decline()
    if state.power != "carry":
        yield from map(Explore, fog)
    if state.power != "explore":
        yield from (Carry(start, at) for start in pieces.exploitations for at in sites)
    if state.power:
        return
    yield from map(Craftsman, pieces.tokens)
    yield from (Site(_free_half(state, ruin)) for ruin in valley.of(RUIN))
    yield from (Build(at, card) for at in sites for card in (*state.open, *seat.hand))


def _free_half(state: State, ruin: str) -> str:
    """The first free half of a ruin, otherwise the last one."""
    return half(ruin, min(len(state.pieces.ruins.get(ruin, ())), state.setup.room - 1))


def goods_at(state: State, at: str) -> Goods:
    """The goods on one of the player's sites, or in the player's storage."""
    if at == STORAGE:
        return state.seat.storage
    own = state.pieces.element(at)
    return own.holds if own is not None and own.colour == state.seat.colour else {}


def illegal(state: State, action: Action) -> RuleBreak | None:
    """The rule that forbids a player's action; None if it is legal."""
    if state.power and not isinstance(action, Decline | POWERS[state.power]):
        return forbidden("V49", f"first_{state.power}")
    match action:
        case Craftsman(at):
            return _illegal_craftsman(state, at)
        case Site(at):
            return _illegal_site(state, at)
        case Explore(at):
            return _illegal_explore(state, at)
        case Carry(start, at):
            return _illegal_carry(state, start, at)
        case Build(at, card):
            return _illegal_build(state, at, card)
        case Swap(at, given, taken):
            return _illegal_swap(state, at, given, taken)
    return None if state.power else forbidden("V49", "no_power")


def _illegal_craftsman(state: State, at: str) -> RuleBreak | None:
    if at not in state.pieces.tokens:
        return forbidden("V29", "no_token", at, at=at)
    if not state.seat.craftsmen:
        return forbidden("V29", "no_craftsman")
    return None


def _illegal_site(state: State, at: str) -> RuleBreak | None:
    ruin, _number = half_named(at)
    if state.valley.terrain.get(ruin) != RUIN:
        return forbidden("V31", "no_ruin", at, at=at)
    if not state.seat.sites:
        return forbidden("V31", "no_site")
    count = len(state.pieces.sites(state.seat.colour)) + 1
    if count > state.seat.buildings:
        return forbidden("V32", "more_sites", n=count, buildings=state.seat.buildings)
    if len(state.pieces.ruins.get(ruin, ())) >= state.setup.room:
        return forbidden("V3", "ruin_full", at, at=ruin)
    if at != _free_half(state, ruin):
        return forbidden("V3", "other_half", at, at=_free_half(state, ruin))
    return None


def _illegal_explore(state: State, at: str) -> RuleBreak | None:
    valley, pieces = state.valley, state.pieces
    kind = valley.terrain.get(at)
    rule = "V35" if kind == FOREST else "V33"
    if kind not in (FOG, FOREST):
        return forbidden(rule, "no_fog", at, at=at)
    if at in pieces.tiles:
        return forbidden(rule, "explored", at, at=at)
    if kind == FOREST and state.power:
        return forbidden("V33", "fog_alone", at, at=at)
    if kind == FOREST and state.left < A_TURN:
        return forbidden("V35", "both_actions", at, at=at)
    if not any(state.seat.piles) and not state.reserve:
        return forbidden("V34", "no_tile")
    near, own = valley.around[at], pieces.occupied_by(state.seat.colour)
    if any(pieces.is_open(one, valley) for one in near) or own.intersection(near):
        return None
    if not own and not pieces.open_meadows(valley):
        return forbidden(rule, "nothing_near")
    return forbidden(rule, "not_adjacent", at, at=at)


def _illegal_carry(state: State, start: str, at: str) -> RuleBreak | None:
    pieces = state.pieces
    if start not in pieces.exploitations:
        return forbidden("V40", "no_exploitation", start, at=start)
    if (broken := _without_site(state, "V40") or _not_own_site(state, at, "V42")) is not None:
        return broken
    meadows, ruin = pieces.open_meadows(state.valley), half_named(at)[0]
    if ruin not in ways_from(state.valley, meadows, start):
        _actions, way = least_closed(state, start, at)
        closed = tuple(one for one in way[1:-1] if one not in meadows)
        phrase = "way_closed" if closed else "no_way"
        return forbidden("V41", phrase, start, at, start=start, at=at, closed=closed)
    return None


def least_closed(state: State, start: str, site: str) -> tuple[int, tuple[str, ...]]:
    """The path from an exploitation to a site that the player to move opens with fewest actions.

    With their number. What lies on a meadow is carried away one by one; a token first needs a
    craftsman, and without one in hand another turn.
    """
    pieces = state.pieces
    held = {at: own.count for at, own in pieces.exploitations.items()}
    hired = 1 if state.seat.craftsmen else 1 + A_TURN
    held |= {at: hired + state.worth(token) for at, token in pieces.tokens.items()}
    meadows, ruin = pieces.open_meadows(state.valley), half_named(site)[0]
    return least_blocked(state.valley, meadows, frozenset(held.items()), start, ruin)


def reached_from(state: State, site: str) -> Sequence[str]:
    """The exploitations whose resources can be carried to a site over open meadows (V41)."""
    meadows, ruin = state.pieces.open_meadows(state.valley), half_named(site)[0]
    every = state.pieces.exploitations
    return [start for start in every if ruin in ways_from(state.valley, meadows, start)]


def in_reach(state: State, site: str) -> Counter[str]:
    """How many of each resource can be carried to a site."""
    found = Counter[str]()
    for own in map(state.pieces.exploitations.__getitem__, reached_from(state, site)):
        found[own.resource] += own.count
    return found


def _without_site(state: State, rule: str) -> RuleBreak | None:
    return None if state.pieces.sites(state.seat.colour) else forbidden(rule, "no_own_site")


def _not_own_site(state: State, at: str, rule: str) -> RuleBreak | None:
    own = state.pieces.element(at)
    if own is None or own.what != SITE:
        return forbidden(rule, "no_site_there", at, at=at)
    if own.colour != state.seat.colour:
        return forbidden(rule, "other_site", at, at=at, colour=own.colour)
    return None


def _illegal_build(state: State, at: str, card: str) -> RuleBreak | None:
    if (broken := _without_site(state, "V46") or _not_own_site(state, at, "V46")) is not None:
        return broken
    if not state.seat.buildings:
        return forbidden("V47", "no_building")
    goods, few = goods_at(state, at), state.edition.fewest
    if not may_fulfil(state, at):
        sites = state.pieces.sites(state.seat.colour)
        enough = [one for one in sites if sum(goods_at(state, one).values()) >= few]
        is_one = any(may_fulfil(state, site) for site in enough)
        if sum(goods.values()) < few if is_one else not enough:
            return forbidden("V46", "too_few", n=few)
        return forbidden("V46", "fulfils_none" if is_one else "fulfil_none", at=at)
    contract = state.edition.contracts.get(card)
    if contract is None or card not in (*state.open, *state.seat.hand):
        name = card if contract is None else contract.name
        return forbidden("V46", "no_contract", card=name)
    missing = tuple(one for one, count in contract.needs.items() if goods.get(one, 0) < count)
    if missing:
        return forbidden("V46", "lacking", at, at=at, card=contract.name, missing=missing)
    return None


def may_fulfil(state: State, at: str) -> bool:
    """Whether what lies on a site fulfils a contract, as far as everybody may know (V16)."""
    goods, every = goods_at(state, at), state.edition.contracts
    gone = {card for seat in state.seats for card in seat.contracts}
    private = {*state.edition.private} - gone if state.seat.hand else ()
    return any(
        all(goods.get(one, 0) >= count for one, count in every[card].needs.items())
        for card in (*state.open, *private)
        if card in every
    )


def _illegal_swap(state: State, at: str, given: str, taken: str) -> RuleBreak | None:
    if not state.power:
        return forbidden("V49", "no_power")
    if at != STORAGE and (broken := _not_own_site(state, at, "V49")) is not None:
        return broken
    if not goods_at(state, at).get(given):
        return forbidden("V49", "not_held", at, at=at, given=given)
    if given == taken or taken not in RESOURCES:
        return forbidden("V49", "same_kind")
    if not state.supply[taken]:
        return forbidden("V49", "none_left", taken=taken)
    return None


def any_legal(state: State) -> bool:
    """Whether anything is legal besides declining a power."""
    found = (one for one in candidates(state) if not isinstance(one, Decline))
    return any(illegal(state, one) is None for one in found)
