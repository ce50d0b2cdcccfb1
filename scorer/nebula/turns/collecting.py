"""Step I of a turn: collect stars, by investing time or by turning to chaos."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import Draw, InvestTime, Keep, TurnToChaos
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import CLUSTERS, Phase, State
from scorer.nebula.turns.step import BagDraw, Step
from scorer.nebula.words import refuse

MOVEMENT_POINTS = 5
DRAWN_BY_CHAOS = 5
KEPT_OF_CHAOS = 2

_TURNS_TO_CHAOS = {star: TurnToChaos(star) for star in STARS}


@cache
def time_moves() -> tuple[InvestTime, ...]:
    """Every way to spend the movement points on the time markers."""
    steps = range(-MOVEMENT_POINTS, MOVEMENT_POINTS + 1)
    return tuple(
        InvestTime(moves)
        for moves in product(steps, repeat=CLUSTERS)
        if sum(map(abs, moves)) == MOVEMENT_POINTS
    )


def hours_after(state: State, moves: Sequence[int]) -> tuple[int, ...]:
    """The spaces of the time markers after they move."""
    spaces = state.rules.edition.cluster_spaces
    return tuple([(hour + move) % spaces for hour, move in zip(state.hours, moves, strict=True)])


def stars_at(state: State, hours: Sequence[int]) -> tuple[str | None, ...]:
    """The star in front of each time marker, or None."""
    return tuple([own[hour] for own, hour in zip(state.clusters, hours, strict=True)])


def taken_by(state: State, moves: Sequence[int]) -> tuple[str, ...]:
    """The stars gained by moving the time markers."""
    return tuple([star for star in stars_at(state, hours_after(state, moves)) if star])


def _collected(state: State, stars: Iterable[str], **changes: Any) -> State:
    """The state with stars collected; the present boosted star governs the placing."""
    seat = state.seat.but(reserve=state.seat.reserve.plus_all(stars))
    return state.but(
        phase=Phase.PLACE,
        seats=state.seats_with(seat),
        governing=state.boosted,
        placed=(),
        **changes,
    )


class Collect(Step[InvestTime | TurnToChaos]):
    """Move the time markers and take the stars in front of them, or give up a star to chaos."""

    takes = (InvestTime, TurnToChaos)

    def actions(self, state: State) -> Sequence[InvestTime | TurnToChaos]:
        """All moves of the markers, and each kind of star to give up."""
        return [*time_moves(), *[_TURNS_TO_CHAOS[star] for star in state.seat.reserve.kinds]]

    def illegal(self, state: State, action: InvestTime | TurnToChaos) -> RuleBreak | None:
        """Refuse wrong movement points, and a star to give up that is not in the reserve."""
        if isinstance(action, TurnToChaos):
            if state.seat.reserve.of(action.returned) > 0:
                return None
            if not state.seat.reserve.total:
                return refuse("chaos_returned", "chaos_empty")
            return refuse("chaos_returned", star=action.returned)
        if len(action.moves) != CLUSTERS or any(type(move) is not int for move in action.moves):
            return refuse("one_direction", clusters=CLUSTERS)
        spent = sum(map(abs, action.moves))
        if spent == MOVEMENT_POINTS:
            return None
        return refuse("movement_points", spent=spent, points=MOVEMENT_POINTS)

    def after(self, state: State, action: InvestTime | TurnToChaos) -> State:
        """Take the stars, or put the one given up into the box."""
        if isinstance(action, TurnToChaos):
            seat = state.seat.but(reserve=state.seat.reserve.minus(action.returned))
            return state.but(
                phase=Phase.CHAOS if state.bag.total else Phase.KEEP,
                seats=state.seats_with(seat),
                box=state.box.plus(action.returned),
            )
        hours = hours_after(state, action.moves)
        taken = [star for star in stars_at(state, hours) if star]
        clusters = tuple(
            [(*own[:h], None, *own[h + 1 :]) for own, h in zip(state.clusters, hours, strict=True)]
        )
        return _collected(state, taken, clusters=clusters, hours=hours)


class Chaos(BagDraw):
    """Stars are drawn for a player who turned to chaos, as many as the bag has."""

    def after(self, state: State, action: Draw) -> State:
        bag, drawn = state.bag.minus(action.star), (*state.drawn, action.star)
        all_there = len(drawn) == DRAWN_BY_CHAOS or not bag.total
        return state.but(bag=bag, drawn=drawn, phase=Phase.KEEP if all_there else Phase.CHAOS)


class KeepStars(Step[Keep]):
    """Two of the stars drawn go to the reserve, the others to the box."""

    takes = (Keep,)

    def actions(self, state: State) -> Sequence[Keep]:
        in_order = sorted(state.drawn, key=STARS.index)
        return [Keep(kept) for kept in dict.fromkeys(combinations(in_order, _to_keep(state)))]

    def illegal(self, state: State, action: Keep) -> RuleBreak | None:
        """Refuse a wrong number of stars, and stars that were not drawn."""
        if len(action.stars) == _to_keep(state) and Counter(action.stars) <= Counter(state.drawn):
            return None
        return refuse("chaos_kept", keep=_to_keep(state), drawn=len(state.drawn))

    def after(self, state: State, action: Keep) -> State:
        others = Counter(state.drawn) - Counter(action.stars)
        box = state.box.plus_all(others.elements())
        return _collected(state, action.stars, box=box, drawn=())


def _to_keep(state: State) -> int:
    return min(KEPT_OF_CHAOS, len(state.drawn))
