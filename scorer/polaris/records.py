"""Whole games of Polaris, played and written down step by step."""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType

from scorer.playing import ActionRecords, Strategy
from scorer.polaris.advice import STRENGTHS, advise
from scorer.polaris.game import FEWEST_PLAYERS, MOST_PLAYERS
from scorer.polaris.score import Score, score_game
from scorer.polaris.steps import STEPS, Step, StepState, StepTurns, read_step, write_step
from scorer.polaris.table_state import set_up
from scorer.polaris.words import COLOURS


def at_random(state: StepState, legal: Sequence[Step], mind: Random) -> Step:
    """Any legal step."""
    return mind.choice(legal)


def by_advice(strength: str, state: StepState, legal: Sequence[Step], mind: Random) -> Step:
    """What the computer player of a strength does."""
    return advise(state).action


class PolarisRecords(ActionRecords[StepState, Step]):
    """Names and colours in the order of turns; the New Moon begins at sector 1.

    >>> record = PolarisRecords().simulate(2, ["random"], 7, 0, {})
    >>> record["setup"][0], len(record["final"]["players"])
    ('sky', 2)
    """

    game = "polaris"
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    play_by: Mapping[str, Strategy[StepState, Step]] = MappingProxyType(
        {"random": at_random, **{strength: partial(by_advice, strength) for strength in STRENGTHS}}
    )

    @property
    def turns(self) -> StepTurns:
        """Piece by piece."""
        return STEPS

    def start(self, names: Sequence[str]) -> StepState:
        """Nothing is dealt yet."""
        return StepState(set_up(list(zip(names, COLOURS, strict=False))))

    def player(self, state: StepState) -> int | None:
        """Whose turn it is; None while cards are dealt or a phase is scored."""
        in_play = state.laid_out and not (state.scored or state.over or STEPS.outcomes(state))
        return state.table.turn if in_play else None

    def write_action(self, action: Step) -> str:
        """As a guided game keeps it."""
        return write_step(action)

    def read_action(self, text: str) -> Step:
        """Read back."""
        return read_step(text)

    def score(self, state: StepState) -> Score:
        """Of the phases as they were scored."""
        return score_game(state.table.to_game())
