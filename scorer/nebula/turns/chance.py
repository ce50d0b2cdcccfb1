"""Simulated draws from the bag."""

from bisect import bisect
from itertools import accumulate
from random import Random

from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.play import outcomes
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.turns.step import DRAWS


def random_outcome(state: State, generator: Random) -> Action:
    """A random one of the `outcomes` of a state in which chance decides, by probability."""
    if state.phase is Phase.DEAL:
        return generator.choice(outcomes(state))[0]
    place = generator.randrange(state.bag.total)  # each star in the bag is equally likely
    return DRAWS[STARS[bisect(tuple(accumulate(state.bag)), place)]]
