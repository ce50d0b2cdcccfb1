"""Planning a whole turn: which stars to collect for what could be placed with them."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import inf
from random import Random
from typing import NamedTuple

from scorer.nebula.strategies.masks import BLACK_AT, Masks, bits, occupied, placed, with_black
from scorer.nebula.strategies.outlook import BEGUN, Outlook
from scorer.nebula.turns.actions import (
    Action,
    EndPlacing,
    InvestTime,
    Keep,
    Place,
    PlaceOnTrack,
    ReplaceBoosted,
    TurnToChaos,
)
from scorer.nebula.turns.collecting import (
    DRAWN_BY_CHAOS,
    KEPT_OF_CHAOS,
    time_moves,
)
from scorer.nebula.turns.placing import PLACED_IN_A_TURN, PLACED_WITH_BOOSTED
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.stars import STARS, Stars
from scorer.nebula.turns.state import Phase, State

WIDTH = 3
"""Of the ways to place the same colours, so many of the best are followed further."""
KEPT_STAR = 0.4
"""Points that a star left in the reserve is worth; of a colour that lies there already, less."""
KEPT_AGAIN = 0.1
NEVER = inf
"""The power of progress by which what is not done counts nothing: there is no further turn."""
TOKEN = 2.0
"""Points that the value token of a black star is worth."""
CHAOS_DRAWS = 6
"""Hands from the bag that are looked at before turning to chaos."""


class Placements(NamedTuple):
    """Stars placed one after the other, (star, space bit) each, what lies then, and its worth."""

    steps: tuple[tuple[int, int], ...]
    masks: Masks
    worth: float


class TurnPlan:
    """The best ways to place stars on a galaxy in one turn, each set of colours looked at once."""

    def __init__(
        self,
        state: State,
        width: int = WIDTH,
        most: int = PLACED_WITH_BOOSTED,
        begun: float = BEGUN,
    ) -> None:
        """Plan for the player whose turn it is, with so many stars in the turn at most."""
        self.outlook = Outlook(state, state.player, begun)
        self._board, self._width = self.outlook.board, width
        self._boosted = state.governing or state.boosted
        placing = state.phase is Phase.PLACE
        self._begun = frozenset(map(STARS.index, state.placed)) if placing else frozenset()
        self._most = max(most - len(self._begun), 0)
        self._track = state.rules.edition.track_spaces
        self._token = TOKEN if state.rules.has_values else 0.0
        masks = self.outlook.masks
        # kept for a turn that does not come, or from a galaxy that the first star opens
        idle = begun == NEVER or not occupied(masks)
        self._kept = (0.0, 0.0) if idle else (KEPT_STAR, KEPT_AGAIN)
        self._beams: dict[frozenset[int], tuple[Placements, ...]] = {
            frozenset(): (Placements((), masks, self.outlook.worth(masks)),)
        }
        self._best: dict[Stars, tuple[Placements, float]] = {}

    def best(self, reserve: Stars) -> tuple[Placements, float]:
        """The best to place of a reserve, and what it is worth with what is left of it."""
        if reserve not in self._best:
            self._best[reserve] = self._look_for_best(reserve)
        return self._best[reserve]

    def _look_for_best(self, reserve: Stars) -> tuple[Placements, float]:
        found, most = self._beams[frozenset()][0], float("-inf")
        boosted = STARS.index(self._boosted) if self._boosted else -1
        kinds = tuple([k for k, held in enumerate(reserve) if held and k not in self._begun])
        first, again = self._kept
        given_up = [again if held > 1 else first for held in reserve]
        for stars in _sets(kinds, self._most):
            too_many = len(stars) + len(self._begun) > PLACED_IN_A_TURN
            if too_many and boosted not in stars and boosted not in self._begun:
                continue
            beam = self._beam(stars)
            if beam and (worth := beam[0].worth - sum([given_up[star] for star in stars])) >= most:
                found, most = beam[0], worth
        kept = len(reserve) - reserve.count(0)
        return found, most + first * kept + again * (sum(reserve) - kept)

    def _beam(self, stars: frozenset[int]) -> tuple[Placements, ...]:
        """The best ways to place stars of these kinds, one of each, best first."""
        if stars not in self._beams:
            ways: dict[Masks, Placements] = {}
            for star in sorted(stars):
                for before in self._beam(stars - {star}):
                    for way in self._with(before, star):
                        ways.setdefault(way.masks, way)
            best = sorted(ways.values(), key=lambda way: -way.worth)
            self._beams[stars] = tuple(best[: self._width])
        return self._beams[stars]

    def _with(self, before: Placements, star: int) -> Iterator[Placements]:
        """The ways to place one star more."""
        steps, masks, sofar = before
        worth = self.outlook.worth
        tokens = sofar - worth(masks)
        if star == BLACK_AT:
            if masks[BLACK_AT] < self._track:
                more = with_black(masks)
                yield Placements((*steps, (star, 0)), more, worth(more) + tokens + self._token)
            return
        for bit in bits(self._board.open_to(masks, star) & ~masks[star]):
            more = placed(masks, star, bit)
            yield Placements((*steps, (star, bit)), more, worth(more) + tokens)

    def action(self, step: tuple[int, int]) -> Place | PlaceOnTrack:
        """The action that a step of placements is."""
        star, bit = step
        return Place(STARS[star], self._board.names(bit)[0]) if bit else PlaceOnTrack()


@cache
def _sets(stars: tuple[int, ...], most: int) -> tuple[frozenset[int], ...]:
    """The sets of up to so many of some stars, the smallest first."""
    return tuple(
        frozenset(chosen) for count in range(most + 1) for chosen in combinations(stars, count)
    )


def ways_by_time(plan: TurnPlan, state: State) -> Iterator[tuple[Action, float]]:
    """The ways to move the time markers that bring different stars, with what the turn is worth."""
    seen: set[tuple[str | None, ...]] = set()
    one, two, three = state.clusters
    held = state.seat.reserve
    for action, (a, b, c) in _reached(state.hours, state.rules.edition.cluster_spaces):
        taken = one[a], two[b], three[c]
        if taken not in seen:
            seen.add(taken)
            yield action, plan.best(held.plus_all([star for star in taken if star]))[1]


@cache
def _reached(hours: tuple[int, ...], spaces: int) -> tuple[tuple[InvestTime, tuple[int, ...]], ...]:
    """The ways to bring the time markers to different spaces, and which spaces those are."""
    ways: dict[tuple[int, ...], InvestTime] = {}
    for action in time_moves():
        moved = zip(hours, action.moves, strict=True)
        ways.setdefault(tuple([(hour + move) % spaces for hour, move in moved]), action)
    return tuple((action, ends) for ends, action in ways.items())


def ways_to_collect(plan: TurnPlan, state: State, mind: Random) -> Iterator[tuple[Action, float]]:
    """The ways to collect that bring different stars, with what the turn is worth by each."""
    yield from ways_by_time(plan, state)
    if state.bag.total:
        hands = [_drawn(state.bag, mind) for _ in range(CHAOS_DRAWS)]
        for star in state.seat.reserve.kinds:
            left = state.seat.reserve.minus(star)
            worths = [max(plan.best(left.plus_all(two))[1] for two in _pairs(h)) for h in hands]
            yield TurnToChaos(star), sum(worths) / len(worths)


def _drawn(bag: Stars, mind: Random) -> list[str]:
    stars = bag.listed()
    return mind.sample(stars, min(DRAWN_BY_CHAOS, len(stars)))


def _pairs(hand: Sequence[str]) -> set[tuple[str, ...]]:
    return set(combinations(sorted(hand), min(KEPT_OF_CHAOS, len(hand))))


def planner(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Collect by time what the best two placements need, and place as well as can be."""
    if state.phase is Phase.COLLECT:
        plan = TurnPlan(state, width=1, most=PLACED_IN_A_TURN)
        return max(ways_by_time(plan, state), key=lambda way: way[1])[0]
    return within_turn(state, actions, mind)


def within_turn(
    state: State, actions: Sequence[Action], mind: Random, begun: float = BEGUN
) -> Action:
    """The best of the decisions of a turn after collecting, as far as the turn goes."""
    if state.phase is Phase.PLACE:
        plan = TurnPlan(state, begun=begun)
        steps = plan.best(state.seat.reserve)[0].steps
        return plan.action(steps[0]) if steps else EndPlacing()
    if state.phase is Phase.KEEP:
        return best_to_keep(TurnPlan(state, begun=begun), state, actions)
    if state.phase is Phase.TOKEN:
        return max(
            actions, key=lambda action: _lead(after_legal(state, action), state.player, begun)
        )
    if state.phase is Phase.BOOST:
        return next(action for action in actions if isinstance(action, ReplaceBoosted))
    return mind.choice(actions)


def best_to_keep(plan: TurnPlan, state: State, actions: Sequence[Action]) -> Action:
    """Which of the stars that chaos brought to keep."""
    reserve = state.seat.reserve
    keeps = [action for action in actions if isinstance(action, Keep)]
    return max(keeps, key=lambda keep: plan.best(reserve.plus_all(keep.stars))[1])


def _lead(state: State, player: int, begun: float) -> float:
    """How far a player's prospects are ahead of the best other player's."""
    worths = [Outlook(state, one, begun).now for one in range(state.rules.players)]
    own = worths.pop(player)
    return own - 0.5 * max(worths)
