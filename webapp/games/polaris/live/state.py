"""Polaris' state of a live table apart from the pieces: turns, phases and telescopes.

Players change it by entries:

- `turn`: the turn in progress is over
- `joined`: turn number `turn`, from 1, still belongs to the one before it
- `before`: what turn number `turn` placed was there before
- `moon`: the New Moon faces `sector`, on a board whose moons no camera sees
- `telescope`: `seat` had the telescope in phase number `phase`, from 0
- `leave`: a break of the rule `rule` at `places` is accepted
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from scorer.flags import RuleBreak
from scorer.polaris.observed_game import FollowedTable
from scorer.polaris.turn_inference import end_turn, join_turns, lay_before

OF_A_TURN: Mapping[str, Callable[[FollowedTable], FollowedTable]] = {
    "joined": join_turns,
    "before": lay_before,
}
"""Corrections of a turn in progress; ignored if another turn has begun meanwhile."""
Left = tuple[str, tuple[str, ...]]
"""An accepted rule break: its kind, and its sorted places."""


@dataclass(frozen=True)
class PolarisState:
    """The table apart from the pieces; `telescopes` maps phases to the seats of their holders."""

    followed: FollowedTable
    telescopes: Mapping[int, int] = field(default_factory=dict)
    left: frozenset[Left] = frozenset()


def left(kind: str, places: tuple[str, ...]) -> Left:
    """The key of an accepted rule break."""
    return kind, tuple(sorted(places))


def is_left(state: PolarisState, broken: RuleBreak) -> bool:
    """Whether players accepted a rule break."""
    return left(broken.kind, broken.places) in state.left


def with_left(state: PolarisState, broken: Left) -> PolarisState:
    """Accept a rule break; ends the turn that caused it, so that it causes no more."""
    followed, turn = state.followed, state.followed.turn
    if turn is not None and any(left(one.kind, one.places) == broken for one in turn.breaks):
        followed = end_turn(followed)
    return replace(state, followed=followed, left=state.left | {broken})
