"""A simulated hand in the bag: chance by a random generator."""

from bisect import bisect
from itertools import accumulate
from random import Random

from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.play import outcomes
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.turns.step import DRAWS


def random_outcome(state: State, generator: Random) -> Action:
    """One of the `outcomes` of a state in which chance decides, by their probabilities."""
    if state.phase is Phase.DEAL:
        return generator.choice(outcomes(state))[0]
    place = generator.randrange(state.bag.total)  # each star in the bag is as likely as any other
    return DRAWS[STARS[bisect(tuple(accumulate(state.bag)), place)]]
