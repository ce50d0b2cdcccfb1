"""Strategies: choose one of the legal actions, given the state as a player sees it."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from scorer.nebula.strategies import simple
from scorer.nebula.strategies.lookahead import search
from scorer.nebula.strategies.turn_plan import planner
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.state import State
from scorer.playing import at_random

Strategy = Callable[[State, Sequence[Action], Random], Action]

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "random": at_random,
        "placer": simple.placer,
        "remodeller": simple.remodeller,
        "greedy": simple.greedy,
        "planner": planner,
        "search": search,
    }
)
"""All strategies by name; each of them finishes its games."""
