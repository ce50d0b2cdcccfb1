"""Plan a whole turn: which stars to collect, given the best placements with them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from math import inf
from random import Random
from typing import NamedTuple

from scorer.nebula.strategies.masks import BLACK_AT, Masks, bits, occupied, placed, with_black
from scorer.nebula.strategies.outlook import BEGUN, Outlook
from scorer.nebula.turns import actions as act
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.collecting import DRAWN_BY_CHAOS, KEPT_OF_CHAOS, time_moves
from scorer.nebula.turns.finishing import start_claiming
from scorer.nebula.turns.placing import PLACED_IN_A_TURN, PLACED_WITH_BOOSTED
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.stars import STARS, Stars
from scorer.nebula.turns.state import Phase, State

WIDTH = 3
"""The beam width: the number of placements of the same colours that are pursued."""
KEPT_STAR = 0.4
"""The worth in points of the first star of a colour kept in the reserve; `KEPT_AGAIN` of others."""
KEPT_AGAIN = 0.1
WIDTH_OF_RESTS = 6
"""The beam width of what the rest of a turn can bring."""
CERTAIN = 1000.0
"""The weight of a certain point, more than all progress is worth."""
NEVER = inf
"""The exponent that makes unfinished objectives worthless, as there is no further turn."""
TOKEN = 2.0
"""The worth in points of the value token of a black star."""
CHAOS_DRAWS = 6
"""The number of sampled hands when considering chaos."""


class Placements(NamedTuple):
    """Stars placed in sequence as (star, space bit), the masks after them, and their worth."""

    steps: tuple[tuple[int, int], ...]
    masks: Masks
    worth: float


class TurnPlan:
    """The best placements in one turn by beam search, cached by set of colours."""

    def __init__(
        self,
        state: State,
        width: int = WIDTH,
        most: int = PLACED_WITH_BOOSTED,
        begun: float = BEGUN,
        outlook: Outlook | None = None,
    ) -> None:
        """Plan for the player to move, who places at most `most` stars in the turn.

        `outlook` is one of an earlier state of the turn, for its cached results.
        """
        self.outlook = outlook or Outlook(state, state.player, begun)
        self._board, self._width = self.outlook.board, width
        self._boosted = state.governing or state.boosted
        placing = state.phase is Phase.PLACE
        self._begun = frozenset(map(STARS.index, state.placed)) if placing else frozenset()
        self._most = max(most - len(self._begun), 0)
        self._track = state.rules.edition.track_spaces
        self._token = TOKEN if state.rules.has_values else 0.0
        masks = self._board.masks(state.seat.galaxy)
        # kept stars are worthless without a further turn, and on an empty galaxy
        idle = begun == NEVER or not occupied(masks)
        self._kept = (0.0, 0.0) if idle else (KEPT_STAR, KEPT_AGAIN)
        self._beams: dict[frozenset[int], tuple[Placements, ...]] = {
            frozenset(): (Placements((), masks, self.outlook.worth(masks)),)
        }
        self._best: dict[Stars, tuple[Placements, float]] = {}

    def best(self, reserve: Stars) -> tuple[Placements, float]:
        """The best placements from a reserve, and their worth with the stars that are left."""
        if reserve not in self._best:
            self._best[reserve] = self._look_for_best(reserve)
        return self._best[reserve]

    def _look_for_best(self, reserve: Stars) -> tuple[Placements, float]:
        found, most = self._beams[frozenset()][0], float("-inf")
        first, again = self._kept
        given_up = [again if count > 1 else first for count in reserve]
        for stars, beam in self._ways(reserve):
            if beam and (worth := beam[0].worth - sum([given_up[star] for star in stars])) >= most:
                found, most = beam[0], worth
        kept = len(reserve) - reserve.count(0)
        return found, most + first * kept + again * (sum(reserve) - kept)

    def ways(self, reserve: Stars) -> Iterator[Placements]:
        """The placements of a reserve that were pursued, also of no star."""
        return chain.from_iterable(beam for _stars, beam in self._ways(reserve))

    def _ways(self, reserve: Stars) -> Iterator[tuple[frozenset[int], Sequence[Placements]]]:
        boosted = STARS.index(self._boosted) if self._boosted else -1
        kinds = tuple([k for k, count in enumerate(reserve) if count and k not in self._begun])
        for stars in _sets(kinds, self._most):
            too_many = len(stars) + len(self._begun) > PLACED_IN_A_TURN
            if not (too_many and boosted not in stars and boosted not in self._begun):
                yield stars, self._beam(stars)

    def _beam(self, stars: frozenset[int]) -> tuple[Placements, ...]:
        """The best ways to place one star of each of these kinds, best first."""
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

    def action(self, step: tuple[int, int]) -> act.Place | act.PlaceOnTrack:
        star, bit = step
        return act.Place(STARS[star], self._board.names(bit)[0]) if bit else act.PlaceOnTrack()


@cache
def _sets(stars: tuple[int, ...], most: int) -> tuple[frozenset[int], ...]:
    """The sets of at most `most` of some stars, smallest first."""
    return tuple(
        frozenset(chosen) for count in range(most + 1) for chosen in combinations(stars, count)
    )


def ways_by_time(plan: TurnPlan, state: State) -> Iterator[tuple[Action, float]]:
    """The moves of the time markers that gain different stars, with the worth of the turn."""
    seen: set[tuple[str | None, ...]] = set()
    one, two, three = state.clusters
    reserve = state.seat.reserve
    for action, (a, b, c) in _reached(state.hours, state.rules.edition.cluster_spaces):
        taken = one[a], two[b], three[c]
        if taken not in seen:
            seen.add(taken)
            yield action, plan.best(reserve.plus_all([star for star in taken if star]))[1]


@cache
def _reached(
    hours: tuple[int, ...], spaces: int
) -> tuple[tuple[act.InvestTime, tuple[int, ...]], ...]:
    """A move of the time markers for each combination of spaces, with these spaces."""
    ways: dict[tuple[int, ...], act.InvestTime] = {}
    for action in time_moves():
        moved = zip(hours, action.moves, strict=True)
        ways.setdefault(tuple([(hour + move) % spaces for hour, move in moved]), action)
    return tuple((action, ends) for ends, action in ways.items())


def ways_to_collect(plan: TurnPlan, state: State, mind: Random) -> Iterator[tuple[Action, float]]:
    """The ways to collect that gain different stars, with the worth of the turn for each."""
    yield from ways_by_time(plan, state)
    if state.bag.total:
        hands = [_drawn(state.bag, mind) for _ in range(CHAOS_DRAWS)]
        for star in _expendable(state):
            left = state.seat.reserve.minus(star)
            worths = [max(plan.best(left.plus_all(two))[1] for two in _pairs(h)) for h in hands]
            yield act.TurnToChaos(star), sum(worths) / len(worths)


def _expendable(state: State) -> Sequence[str]:
    """The kinds of stars in the reserve that can be given up.

    Not one that finishes something in this turn, if giving up another leaves that possible.
    """
    certain = TurnPlan(state, begun=NEVER)
    sure = {
        star: certain.best(state.seat.reserve.minus(star))[1] for star in state.seat.reserve.kinds
    }
    least = max(sure.values(), default=0.0) - state.rules.edition.finished_constellation
    return [star for star, worth in sure.items() if worth > least]


def _drawn(bag: Stars, mind: Random) -> list[str]:
    stars = bag.listed()
    return mind.sample(stars, min(DRAWN_BY_CHAOS, len(stars)))


def _pairs(hand: Sequence[str]) -> set[tuple[str, ...]]:
    return set(combinations(sorted(hand), min(KEPT_OF_CHAOS, len(hand))))


def planner(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Collect by time for the best two placements, and place as well as possible."""
    if state.phase is Phase.COLLECT:
        plan = TurnPlan(state, width=1, most=PLACED_IN_A_TURN)
        return max(ways_by_time(plan, state), key=lambda way: way[1])[0]
    return within_turn(state, actions, mind)


def within_turn(
    state: State, actions: Sequence[Action], mind: Random, begun: float = BEGUN
) -> Action:
    """The best decision of a turn after collecting, looking no further than this turn."""
    return next(rated_within_turn(state, actions, mind, begun))[0]


def rated_within_turn(
    state: State, actions: Sequence[Action], mind: Random, begun: float = BEGUN
) -> Iterator[tuple[Action, float]]:
    """The decisions to consider after collecting, the best first, each with the turn's worth."""
    if state.phase is Phase.PLACE:
        yield from _rated_placements(state, actions, begun)
    elif state.phase is Phase.KEEP:
        yield from rated_to_keep(TurnPlan(state, begun=begun), state, actions)
    elif state.phase is Phase.TOKEN:
        yield from _rated(
            (one, _lead(after_legal(state, one), state.player, begun)) for one in actions
        )
    elif state.phase is Phase.BOOST:
        yield next(action for action in actions if isinstance(action, act.ReplaceBoosted)), 0.0
    else:
        yield mind.choice(actions), 0.0


def rated_to_keep(
    plan: TurnPlan, state: State, actions: Sequence[Action]
) -> Sequence[tuple[Action, float]]:
    """The choices of the stars drawn by chaos, the best first."""
    reserve = state.seat.reserve
    keeps = [action for action in actions if isinstance(action, act.Keep)]
    return _rated((keep, plan.best(reserve.plus_all(keep.stars))[1]) for keep in keeps)


def _rated(found: Iterable[tuple[Action, float]]) -> Sequence[tuple[Action, float]]:
    return sorted(found, key=lambda one: -one[1])


def _rated_placements(
    state: State, actions: Sequence[Action], begun: float
) -> Iterator[tuple[Action, float]]:
    """The first step of the best turn, then for each star the best that is no part of it."""
    plan = TurnPlan(state, begun=begun)
    best, worth = plan.best(state.seat.reserve)
    steps = [plan.action(step) for step in best.steps]
    yield steps[0] if steps else act.EndPlacing(), worth
    outlook = plan.outlook
    found: dict[str, Action] = {}
    for action in actions:
        if isinstance(action, act.Place | act.PlaceOnTrack) and action not in steps:
            other = found.setdefault(action.star, action)
            found[action.star] = max(
                (other, action), key=lambda one: outlook.worth(outlook.after(one))
            )
    rests = ((action, after_legal(state, action)) for action in found.values())
    others = [
        (action, TurnPlan(rest, begun=begun).best(rest.seat.reserve)[1])
        for action, rest in rests
        if rest.phase is Phase.PLACE  # nothing else is to be decided first
    ]
    if steps:
        idle = TurnPlan(state, most=len(state.placed), begun=begun)
        others.append((act.EndPlacing(), idle.best(state.seat.reserve)[1]))
    yield from _rated(others)


def _lead(state: State, player: int, begun: float) -> float:
    """The lead of a player's prospects over the best other player's, whose count half."""
    worths = [Outlook(state, one, begun).now for one in range(state.rules.players)]
    own = worths.pop(player)
    return own - 0.5 * max(worths)


class FinishedFirst(Outlook):
    """Points that are certain come before any for progress."""

    def __init__(self, state: State, player: int) -> None:
        super().__init__(state, player)
        self._certain = Outlook(state, player, NEVER)

    def worth(self, masks: Masks) -> float:
        return CERTAIN * self._certain.worth(masks) + super().worth(masks)


def best_rests(state: State, actions: Sequence[Action]) -> Iterator[tuple[Action, State]]:
    """After each placement, the state at the end of the turn that brings most points by then.

    An action that ends placing leaves the cards to claim. None after one that calls for another
    decision first.
    """
    outlook = FinishedFirst(state, state.player)
    for action in actions:
        now = after_legal(state, action)
        if now.phase is Phase.CLAIM:
            yield action, claimed(now)
        if now.phase is not Phase.PLACE:
            continue
        plan = TurnPlan(now, WIDTH_OF_RESTS, outlook=outlook)
        best = max(plan.ways(now.seat.reserve), key=lambda way: way.worth)
        for step in sorted(best.steps, key=lambda step: step[0] == BLACK_AT):  # it may interrupt
            now = after_legal(now, plan.action(step))
        yield action, claimed(now)


def claimed(state: State) -> State:
    """The state once the stars are placed, with markers on all cards that they fulfil."""
    state = start_claiming(state)
    for card in state.fulfilled:
        state = after_legal(state, act.Claim(card))
    return state
