"""Looking further than one's own turn: what the table may bring until the next one.

A Monte-Carlo search over the ways to collect, by sequential halving: the best ways of the turn plan
are tried equally often, the worse half is dropped, and the rest is tried again. Each try makes up
what is hidden or left to chance (determinisation): what the bag brings, and what the others do. It
ends with the best turn that is possible then; or where the game is over, with the points. All ways
are tried with the same luck, so that it does not decide between them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random

from scorer.nebula.strategies.masks import Masks, masked_board
from scorer.nebula.strategies.outlook import BEGUN, Outlook
from scorer.nebula.strategies.turn_plan import (
    NEVER,
    TurnPlan,
    best_to_keep,
    ways_by_time,
    ways_to_collect,
    within_turn,
)
from scorer.nebula.turns.actions import Action, EndPlacing
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.placing import PLACED_IN_A_TURN
from scorer.nebula.turns.play import actions as legal_actions
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.state import Phase, State

ROUNDS = ((6, 2), (3, 4), (2, 6))
"""How many ways are tried in each round of halving, and how often each."""
OTHERS = 0.5
"""What a point of the best other player counts, beside one's own."""


@dataclass
class Branch:
    """A way to collect, and what came of trying it."""

    action: Action
    planned: float
    tries: int = 0
    total: float = 0.0
    after: State | None = None

    @property
    def mean(self) -> float:
        """What it was worth on average; before the first try, what was planned."""
        return self.total / self.tries if self.tries else self.planned


def search(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """The way to collect that leaves the player best off a turn later; the rest as planned."""
    if state.phase is not Phase.COLLECT:
        return within_turn(state, actions, mind, begun(state))
    return Lookahead(state, mind).best().action


def begun(state: State) -> float:
    """What objectives count for that are begun only: in the last round nothing."""
    return NEVER if state.noticed else BEGUN


@dataclass
class Lookahead:
    """One search. Plans for a galaxy are made once, as most tries come to the same ones."""

    state: State
    mind: Random
    plans: dict[tuple[Masks, int, str | None, float], TurnPlan] = field(default_factory=dict)
    outlooks: dict[Hashable, Outlook] = field(default_factory=dict)
    own_token: Action | None = None

    def best(self) -> Branch:
        """The way to collect that was worth most on average, of those tried most often."""
        state = self.state
        self.own_plan = TurnPlan(state, begun=begun(state))
        ways = ways_to_collect(self.own_plan, state, self.mind)
        branches = [Branch(*way) for way in sorted(ways, key=lambda way: -way[1])]
        luck, tries = self.mind.getrandbits(64), 0
        for most, times in ROUNDS:
            branches = sorted(branches, key=lambda one: -one.mean)[:most]
            if len(branches) == 1:
                break
            for _ in range(times):
                for branch in branches:
                    branch.total += self.try_out(branch, Random(luck + tries))
                    branch.tries += 1
                tries += 1
        return max(branches, key=lambda one: one.mean)

    def try_out(self, branch: Branch, luck: Random) -> float:
        """How far ahead the player may be a turn later by a branch, the rest made up."""
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
        """The state when the clusters are refilled after one's own turn; kept if it is certain."""
        before = self.state.bag
        state = self.planned_turn(self.state, self.own_plan, luck, branch.action)
        if state.bag == before:  # nothing was drawn
            branch.after = state
        return state

    def planned_turn(
        self, state: State, plan: TurnPlan, luck: Random, action: Action | None = None
    ) -> State:
        """The state when the clusters are refilled after a turn by a plan; by time, if not said."""
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
                action = best_to_keep(plan, state, choices)
            else:
                action = within_turn(state, choices, luck, begun(state))
            state = after_legal(state, action)
        return state

    def token(
        self, state: State, plan: TurnPlan, choices: Sequence[Action], luck: Random
    ) -> Action:
        """The token to advance: one's own the same by every way, the others' anybody's guess."""
        if plan is not self.own_plan:
            return luck.choice(choices)
        if self.own_token is None:
            self.own_token = within_turn(state, choices, luck, begun(state))
        return self.own_token

    def worth(self, state: State, player: int) -> float:
        """What a player's galaxy is worth."""
        key = player, state.markers, state.values.values(), begun(state)
        if key not in self.outlooks:
            self.outlooks[key] = Outlook(state, player, begun(state))
        outlook = self.outlooks[key]
        return outlook.worth(outlook.board.masks(state.seats[player].galaxy))

    def plan(self, state: State) -> TurnPlan:
        """A quick plan for the player whose turn it is."""
        masks = masked_board(state.rules).masks(state.seat.galaxy)
        key = masks, state.player, state.boosted, begun(state)
        if key not in self.plans:
            self.plans[key] = TurnPlan(state, width=1, most=PLACED_IN_A_TURN, begun=begun(state))
        return self.plans[key]
