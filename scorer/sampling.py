"""A computer player for any game with turns: flat Monte Carlo.

Each legal action is followed by short random playouts, from sampled states that are consistent
with what the player knows. The action with the best mean lead in points is chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import ClassVar, Generic

from scorer.sentence import Phrasebook
from scorer.turns import Action, Advice, State, Strength, Turns

MOST_ACTIONS = 24
"""The most actions tried; drawn at random from more."""
PLAYED_ON = 8
"""The length of a playout in actions and draws, unless the game ends before."""
SAMPLES = 8
"""The playouts for each action."""
STEPS = 480
"""The budget of playout steps for a choice; more actions get fewer samples."""

WORDS = Phrasebook(
    {
        "sampling": {"en": "Trying out", "es": "Probando", "cs": "Zkoušením"},
        "likely": {
            "en": "the score stood best after it in most of the games that were tried",
            "es": "con ello la puntuación quedó mejor en las partidas que se probaron",
            "cs": "ve vyzkoušených hrách po něm dopadlo skóre nejlépe",
        },
    },
    {},
)


@dataclass(frozen=True)
class Sampling(Generic[State, Action]):
    """An `Advisor` (`scorer.turns`) that values an action by the player's lead in points."""

    turns: Turns[State, Action]
    strengths: ClassVar[Mapping[str, Strength]] = MappingProxyType(
        {"sampling": Strength(WORDS.say("sampling"))}
    )

    def choose(self, state: State, strength: str, seed: int = 0) -> Advice[Action]:
        """The best action of those tried; see `scorer.turns.Advisor`."""
        self.strengths[strength]
        seat = self.turns.decides(state)
        if seat is None:
            raise ValueError("nobody decides now")
        seen = self.turns.seen_by(state, seat)
        action = self.choose_among(seen, self.turns.actions(seen), Random(seed))
        return Advice(action, WORDS.say("likely"), self.turns.places_of(action))

    def choose_among(self, state: State, legal: Sequence[Action], mind: Random) -> Action:
        """The best of the `legal` actions in a state as the player to move knows it."""
        seat = self.turns.decides(state)
        assert seat is not None, "somebody decides where there is a choice"
        if len(legal) == 1:
            return legal[0]
        tried = legal if len(legal) <= MOST_ACTIONS else mind.sample(legal, MOST_ACTIONS)
        samples = max(1, min(SAMPLES, STEPS // (len(tried) * PLAYED_ON)))
        worth = [0.0] * len(tried)
        for _ in range(samples):  # the same luck for each action
            luck, begun = mind.getrandbits(32), self.turns.imagined(state, mind)
            for number, action in enumerate(tried):
                end = self._played_on(self.turns.after(begun, action), Random(luck))
                worth[number] += self._worth(end, seat)
        return tried[max(range(len(tried)), key=worth.__getitem__)]

    def _played_on(self, state: State, luck: Random) -> State:
        for _ in range(PLAYED_ON):
            action = self.turns.drawn(state, luck)
            if action is None:
                legal = self.turns.actions(state)
                if not legal:
                    break
                action = luck.choice(legal)
            state = self.turns.after(state, action)
        return state

    def _worth(self, state: State, seat: int) -> float:
        """The lead of a seat over the best of the others, in points."""
        score = self.turns.score(state)
        points = [player.total for player in score.players]
        own = points.pop(seat)
        return float(own - max(points, default=0))
