"""Nebula tables in the middle of a game, and whole games, for tests of turns and records."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scorer.datafile import read_data_file
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Game
from scorer.nebula.game_file import game_from_data
from scorer.nebula.playing import TURNS
from scorer.nebula.records import RecordWriter
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import Stars
from scorer.nebula.turns.state import Hand, Phase, Rules, Seat, State

CLUSTERS = (
    ("orange", "white", "yellow", "purple", "black", "yellow"),
    ("blue", "red", "black", "white", "orange", "purple"),
    ("red", "orange", "red", "blue", "white", "black"),
)
Choose = Callable[[State, Sequence[Action], random.Random], Action]


def load_game(path: Path) -> Game:
    """The game of a file."""
    return game_from_data(read_data_file(path), folder=path.parent)


def stars(*listed: str) -> Stars:
    return Stars().plus_all(listed)


def table(
    phase: Phase = Phase.COLLECT,
    *,
    rules: Rules | None = None,
    reserve: Sequence[str] = (),
    galaxy: Galaxy | None = None,
    **more: Any,
) -> State:
    """A table of two (by default) in turn 1, player 0 to act, with the stars set out as they are.

    What lies on the table is taken from the bag, unless `bag` or `box` say otherwise.
    """
    rules = rules or Rules()
    first = Seat(galaxy or Galaxy({}), stars(*reserve))
    others = rules.players - 1
    state = new_game(rules).but(
        phase=phase,
        clusters=CLUSTERS,
        boosted="yellow",
        governing="yellow",
        career=("V16", "V13", "V4", "V1"),
        markers=((), (), (), ()),
        advanced=("B11", "B10", "B29", "B27") if rules.has_values else (),
        seats=(first, *[Seat(Galaxy({}))] * others),
        hands=(Hand(("O10", "O19"), "O10"), *[Hand(("O1", "O2"), "O1")] * others),
        turn=1,
    )
    state = state.but(**more)
    if "bag" not in more:
        rest = zip(rules.game_stars, state.box, state.on_table, strict=True)
        state = state.but(bag=Stars._make(all_ - box - out for all_, box, out in rest))
    return state


def played(state: State, *actions: Action) -> State:
    for action in actions:
        state = TURNS.after(state, action)
    return state


def refused(state: State, action: Action) -> str:
    broken = play.illegal(state, action)
    assert broken is not None, f"{action} is legal"
    return broken.kind


def at_random(state: State, actions: Sequence[Action], mind: random.Random) -> Action:
    return mind.choice(actions)


def moments(
    rules: Rules, seed: object, choose: Choose = at_random
) -> Iterator[tuple[State, Action, State]]:
    """A whole game, move by move: before, what happened, after."""
    mind = random.Random(f"{seed}")
    state = new_game(rules)
    while state.phase is not Phase.OVER:
        choices = play.actions(state)
        action = choose(state, choices, mind) if choices else random_outcome(state, mind)
        following = TURNS.after(state, action)
        yield state, action, following
        state = following


def recorded(rules: Rules, seed: object, choose: Choose = at_random) -> dict[str, Any]:
    """The record of a whole game."""
    writer = RecordWriter(["Ana", "Luis", "Eva", "Jan"][: rules.players])
    for before, action, after in moments(rules, seed, choose):
        writer.add(before, action, after)
    return writer.record(after)
