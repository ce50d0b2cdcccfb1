"""What a table of Polaris keeps beside the pieces: its turns and phases, who had the telescope.

Players tell it by entries of their own:

- `turn`: the turn in progress is over
- `joined`: the turn of that `turn`, counted from 1, is still the one before it
- `before`: what that `turn` laid had lain there before
- `moon`: the New Moon faces `sector` now, on a board whose moons no camera sees
- `telescope`: the player of `seat` had the telescope in the phase `phase`, counted from 0
- `leave`: a broken rule of that `rule` and those `places` is left as it is
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
"""What is said of a turn in progress; nothing where another one has begun meanwhile."""
Left = tuple[str, tuple[str, ...]]
"""A broken rule that is left as it is: its kind, and its places in order."""


@dataclass(frozen=True)
class PolarisState:
    """The table beside the pieces; `telescopes` has the seat of who had it, by the phase."""

    followed: FollowedTable
    telescopes: Mapping[int, int] = field(default_factory=dict)
    left: frozenset[Left] = frozenset()


def left(kind: str, places: tuple[str, ...]) -> Left:
    """Return how a broken rule is known that is left as it is."""
    return kind, tuple(sorted(places))


def is_left(state: PolarisState, broken: RuleBreak) -> bool:
    """Say whether players left it as it is."""
    return left(broken.kind, broken.places) in state.left


def with_left(state: PolarisState, broken: Left) -> PolarisState:
    """Leave a broken rule as it is; the turn that breaks it is over, so that it breaks no more."""
    followed, turn = state.followed, state.followed.turn
    if turn is not None and any(left(one.kind, one.places) == broken for one in turn.breaks):
        followed = end_turn(followed)
    return replace(state, followed=followed, left=state.left | {broken})
