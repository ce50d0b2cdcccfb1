"""Look ahead to the player's next turn: Monte Carlo search over the ways to collect.

Sequential halving: the best ways of the turn plan are tried equally often, the worse half is
dropped, and the rest is tried again. Each try samples what is hidden or random (determinisation):
draws from the bag, and the others' moves. It ends with the best turn that is then possible, or with
the score if the game is over. All ways share the same luck, so that it does not decide between
them.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from scorer.nebula.strategies.masks import Masks, masked_board
from scorer.nebula.strategies.outlook import BEGUN, Outlook
from scorer.nebula.strategies.reasons import fitting_personal
from scorer.nebula.strategies.turn_plan import (
    NEVER,
    TurnPlan,
    rated_to_keep,
    rated_within_turn,
    ways_by_time,
    ways_to_collect,
    within_turn,
)
from scorer.nebula.turns.actions import Action, ChoosePersonal, EndPlacing
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.placing import PLACED_IN_A_TURN
from scorer.nebula.turns.play import actions as legal_actions
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.state import Phase, State

ROUNDS = ((6, 2), (3, 4), (2, 6))
"""(number of ways, tries of each) in each round of halving."""
OTHERS = 0.5
"""The weight of the best other player's points, relative to one's own."""


@dataclass
class Branch:
    """A way to collect, with the results of its tries."""

    action: Action
    planned: float
    tries: int = 0
    total: float = 0.0
    after: State | None = None

    @property
    def mean(self) -> float:
        """The mean result; the planned worth before the first try."""
        return self.total / self.tries if self.tries else self.planned


def search(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Choose the way to collect that leads to the best next turn, and the personal objective that
    fits the open cards best; act as planned otherwise."""
    return next(rated(state, actions, mind))[0]


def rated(state: State, actions: Sequence[Action], mind: Random) -> Iterator[tuple[Action, float]]:
    """The actions that `search` considers, the best first, with their worth in points."""
    if state.phase is Phase.CHOOSE:
        yield ChoosePersonal(fitting_personal(state)[0]), 0.0
    elif state.phase is Phase.COLLECT:
        yield from ((one.action, one.mean) for one in Lookahead(state, mind).ranked())
    else:
        yield from rated_within_turn(state, actions, mind, begun(state))


def begun(state: State) -> float:
    """The exponent for the progress of unfinished objectives, which are worthless at the end."""
    return NEVER if state.noticed else BEGUN


@dataclass
class Lookahead:
    """One search, with plans cached by galaxy, as most tries lead to the same ones."""

    state: State
    mind: Random
    plans: dict[tuple[Masks, int, str | None, float], TurnPlan] = field(default_factory=dict)
    outlooks: dict[Hashable, Outlook] = field(default_factory=dict)
    own_token: Action | None = None

    def ranked(self) -> Sequence[Branch]:
        """The ways to collect by their mean, those tried most often first."""
        state = self.state
        self.own_plan = TurnPlan(state, begun=begun(state))
        ways = ways_to_collect(self.own_plan, state, self.mind)
        branches = [Branch(*way) for way in sorted(ways, key=lambda way: -way[1])]
        luck, tries = self.mind.getrandbits(64), 0
        left = list[Branch]()
        for most, times in ROUNDS:
            branches = sorted(branches, key=lambda one: -one.mean)
            branches, left = branches[:most], [*branches[most:], *left]
            if len(branches) == 1:
                break
            for _ in range(times):
                for branch in branches:
                    branch.total += self.try_out(branch, Random(luck + tries))
                    branch.tries += 1
                tries += 1
        tried = [one for one in left if one.tries]  # others have no mean to compare with
        return [*sorted(branches, key=lambda one: -one.mean), *tried]

    def try_out(self, branch: Branch, luck: Random) -> float:
        """The player's lead a turn later in one random try of a branch."""
        player = self.state.player
        state = branch.after or self.own_turn(branch, luck)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.COLLECT and state.player == player:
                break
            state = (
                self.planned_turn(state, self.plan(state), luck)
                if state.phase is Phase.COLLECT
                else after_legal(state, random_outcome(state, luck))
            )
        worths = [self.worth(state, one) for one in range(state.rules.players)]
        own = worths.pop(player)
        if state.phase is not Phase.OVER:
            own = max(worth for _, worth in ways_by_time(self.plan(state), state))
        return own - OTHERS * max(worths)

    def own_turn(self, branch: Branch, luck: Random) -> State:
        """The state after one's own turn, before the refill; cached if nothing was drawn."""
        before = self.state.bag
        state = self.planned_turn(self.state, self.own_plan, luck, branch.action)
        if state.bag == before:  # nothing was drawn
            branch.after = state
        return state

    def planned_turn(
        self, state: State, plan: TurnPlan, luck: Random, action: Action | None = None
    ) -> State:
        """The state after a turn by a plan, before the refill; collects by time by default."""
        turn = state.turn
        if action is None:
            action = max(ways_by_time(plan, state), key=lambda way: way[1])[0]
        state = after_legal(state, action)
        steps: list[tuple[int, int]] | None = None
        while state.turn == turn and state.phase not in (Phase.REFILL, Phase.OVER):
            choices = legal_actions(state)
            if state.phase is Phase.PLACE:
                if steps is None:
                    steps = list(plan.best(state.seat.reserve)[0].steps)
                action = plan.action(steps.pop(0)) if steps else EndPlacing()
            elif not choices:
                action = random_outcome(state, luck)
            elif state.phase is Phase.TOKEN:
                action = self.token(state, plan, choices, luck)
            elif state.phase is Phase.KEEP:
                action = rated_to_keep(plan, state, choices)[0][0]
            else:
                action = within_turn(state, choices, luck, begun(state))
            state = after_legal(state, action)
        return state

    def token(
        self, state: State, plan: TurnPlan, choices: Sequence[Action], luck: Random
    ) -> Action:
        """The token to advance: planned and the same for all branches, random for the others."""
        if plan is not self.own_plan:
            return luck.choice(choices)
        if self.own_token is None:
            self.own_token = within_turn(state, choices, luck, begun(state))
        return self.own_token

    def worth(self, state: State, player: int) -> float:
        key = player, state.markers, state.values.values(), begun(state)
        if key not in self.outlooks:
            self.outlooks[key] = Outlook(state, player, begun(state))
        outlook = self.outlooks[key]
        return outlook.worth(outlook.board.masks(state.seats[player].galaxy))

    def plan(self, state: State) -> TurnPlan:
        """A quick plan for the player to move."""
        masks = masked_board(state.rules).masks(state.seat.galaxy)
        key = masks, state.player, state.boosted, begun(state)
        if key not in self.plans:
            self.plans[key] = TurnPlan(state, width=1, most=PLACED_IN_A_TURN, begun=begun(state))
        return self.plans[key]
