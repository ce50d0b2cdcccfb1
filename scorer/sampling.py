"""A computer player for any game with turns: it plays on at random, and counts the score.

Flat Monte Carlo: after each action that may be done, the game goes on a little while by chance
alone, several times, from states that the player cannot tell from the real one. The action after
which the score stands best is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import ClassVar, Generic

from scorer.sentence import Phrasebook, Sentence
from scorer.turns import Action, Advice, Hint, State, Turns

MOST_ACTIONS = 24
"""So many actions are tried, drawn at random where there are more."""
PLAYED_ON = 8
"""So many actions and draws a game goes on after the one that is tried, if it is not over."""
SAMPLES = 8
"""How often it goes on after each."""
STEPS = 480
"""What all of it may take: fewer samples where there is much to try."""

WORDS = Phrasebook(
    {
        "sampling": {"en": "Trying out", "es": "Probando", "cs": "Zkoušením"},
        "likely": {
            "en": "the score stood best after it in most of the games that were tried",
            "es": "con ello la puntuación quedó mejor en las partidas que se probaron",
            "cs": "ve vyzkoušených hrách po něm dopadlo skóre nejlépe",
        },
        "look": {
            "en": "think of what brings points, to you or to others",
            "es": "piensa en lo que da puntos, a ti o a los demás",
            "cs": "přemýšlejte, co přinese body vám nebo ostatním",
        },
        "choices": {
            "en": "there {n:is {n} way|are {n} ways} to go on",
            "es": "hay {n} {n:manera|maneras} de seguir",
            "cs": "pokračovat lze {n} {n:způsobem|způsoby|způsoby}",
        },
        "move": {"en": "try this: {do}", "es": "prueba esto: {do}", "cs": "zkuste toto: {do}"},
    },
    {},
)


@dataclass(frozen=True)
class Sampling(Generic[State, Action]):
    """See `scorer.turns.Advisor`. Points count for the player, unless the game says otherwise."""

    turns: Turns[State, Action]
    strengths: ClassVar[Mapping[str, Sentence | str]] = MappingProxyType(
        {"sampling": WORDS.say("sampling")}
    )

    def choose(self, state: State, strength: str, seed: int = 0) -> Advice[Action]:
        """The best action of those that were tried; see `scorer.turns.Advisor`."""
        self.strengths[strength]
        seat = self.turns.decides(state)
        if seat is None:
            raise ValueError("nobody decides now")
        seen = self.turns.seen_by(state, seat)
        action = self.choose_among(seen, self.turns.actions(seen), Random(seed))
        return Advice(action, WORDS.say("likely"), self.turns.places_of(action))

    def hints(self, state: State) -> tuple[Hint, Hint, Hint]:
        """What counts, how much there is to choose from, and what was best."""
        advice = self.choose(state, "sampling")
        move = WORDS.say("move", do=self.turns.format_action(advice.action))
        places = [at for one in self.turns.actions(state) for at in self.turns.places_of(one)]
        count = len(self.turns.actions(state))
        return (
            Hint(WORDS.say("look")),
            Hint(WORDS.say("choices", n=count), tuple(dict.fromkeys(places))),
            Hint(move, advice.places),
        )

    def choose_among(self, state: State, legal: Sequence[Action], mind: Random) -> Action:
        """The best of some legal actions, of a state as the player who decides knows it."""
        seat = self.turns.decides(state)
        assert seat is not None, "somebody decides where there is a choice"
        if len(legal) == 1:
            return legal[0]
        tried = legal if len(legal) <= MOST_ACTIONS else mind.sample(legal, MOST_ACTIONS)
        samples = max(1, min(SAMPLES, STEPS // (len(tried) * PLAYED_ON)))
        worth = [0.0] * len(tried)
        for _ in range(samples):  # each action has the same luck
            luck, begun = mind.getrandbits(32), self.turns.imagined(state, mind)
            for number, action in enumerate(tried):
                end = self._played_on(self.turns.after(begun, action), Random(luck))
                worth[number] += self._worth(end, seat)
        return tried[max(range(len(tried)), key=worth.__getitem__)]

    def _played_on(self, state: State, luck: Random) -> State:
        """A state some actions later, all of them at random."""
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
        """How far ahead of the best of the others a seat is, in points."""
        score = self.turns.score(state)
        points = [player.total for player in score.players]
        own = points.pop(seat)
        return float(own - max(points, default=0))
