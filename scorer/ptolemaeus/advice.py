"""A computer player, which also helps people: greedy over what pieces and cards promise.

It looks at its own side alone, as far as the end of what an action begins; of cards that are drawn
it expects the usual. The apprentice counts pieces wherever they lie, and cards whatever they show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.greedy import GreedyAdvisor
from scorer.ptolemaeus.edition import SEXTANT, ZODIAC
from scorer.ptolemaeus.sky import MOST_AT_REST, is_frugal, sorted_cards
from scorer.ptolemaeus.state import Action, Claim, End, Pay, State, Study, Take
from scorer.ptolemaeus.turns import TURNS, standing
from scorer.ptolemaeus.words import WORDS

APPRENTICE, ASTRONOMER = "apprentice", "astronomer"
DEEPEST = 12
"""Steps that an action is followed for until it is done."""
USUAL: Mapping[str, float] = {"draw": 0.16, "bonus": 0.5, "steal": 0.16, "take": 0.2}
"""What a card that comes is worth before anybody sees it."""


@dataclass(frozen=True)
class Weights:
    """What a player thinks things are worth, in points."""

    piece: float = 0.3
    with_planet: float = 0.12
    """A piece where a planet stands that is not studied yet."""
    pair: float = 0.35
    """Two of them: the third one studies it."""
    asteroid: float = 0.3
    bonus: float = 0.5
    secret: float = 0.5
    """A studied planet of the secret objective."""
    named: float = 0.24
    """A card of a constellation where such a planet stands."""
    card: float = 0.1
    sextant: float = 0.32
    keeps: float = 0.9
    """What each further card is worth beside the one before it."""


STRONG = Weights()
WEAK = Weights(
    with_planet=0.0,
    pair=0.0,
    asteroid=0.2,
    bonus=0.25,
    secret=0.0,
    named=0.14,
    card=0.14,
    sextant=0.2,
)


def worth(state: State, number: int, weights: Weights) -> float:
    """What a player's side of a table is worth, in points."""
    own = standing(state, number, "")
    seat, edition = state.seats[number], state.edition
    value = float(edition.studied[len(own.studied)] + own.nova)
    value += edition.secret[len({*own.studied} & {*(own.secret or ())})]
    value += weights.secret * len({*own.studied} & {*(own.secret or ())})
    value += weights.asteroid * own.asteroids
    value += weights.bonus * (len(seat.bonus) - own.nova)
    open_at = {at: len(state.planets_at(at, number)) for at in ZODIAC}
    for at, count in own.pieces.items():
        value += weights.piece * count
        if open_at[at]:
            value += weights.with_planet * count + weights.pair * (count >= MOST_AT_REST)
    cards = sorted(
        (
            weights.sextant if card == SEXTANT else weights.named if open_at.get(card) else
            weights.card
            for card in seat.hand
        ),
        reverse=True,
    )  # fmt: skip
    value += sum(own * weights.keeps**n for n, own in enumerate(cards))
    waiting = [task for task in state.todo if task.seat == number]
    return value + sum(USUAL.get(task.kind, 0.0) for task in waiting)


class Astronomer(GreedyAdvisor[State, Action]):
    """See `scorer.greedy`."""

    names = (APPRENTICE, ASTRONOMER)

    def worth_after(self, state: State, action: Action, number: int, strength: str) -> float:
        """The side's worth once each further step of the action is done, the best one each time."""
        return _followed(state, action, number, STRONG if strength == ASTRONOMER else WEAK)

    def reason(self, action: Action) -> str:
        """By the kind of action."""
        match action:
            case Take():
                return "why_take"
            case Study():
                return "why_study"
            case Claim():
                return "why_claim"
            case End():
                return "why_end"
        return "why_worth"

    def sensible(self, state: State, legal: Sequence[Action]) -> Sequence[Action]:
        """See `_sensible`."""
        return _sensible(state, legal)


def _sensible(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    """Those worth a thought: no card is paid that could be kept; twelve points are claimed."""
    claim = [one for one in legal if isinstance(one, Claim)]
    edition = state.edition
    return claim or [
        one
        for one in legal
        if not isinstance(one, Pay) or is_frugal(edition, one.at, sorted_cards(one.cards))
    ]


def _followed(state: State, action: Action, number: int, weights: Weights) -> float:
    """What a side is worth once an action is done, each of its steps the best one."""
    after = TURNS.after_legal(state, action)
    if isinstance(action, End):
        return worth(state, number, weights)
    for _ in range(DEEPEST):
        if not after.todo or after.over or TURNS.outcomes(after) or TURNS.decides(after) != number:
            break
        steps = _sensible(after, TURNS.actions(after))
        if isinstance(steps[0], Take):
            break
        after = max(
            (TURNS.after_legal(after, step) for step in steps),
            key=lambda one: worth(one, number, weights),
        )
    return worth(after, number, weights)


ADVISOR = Astronomer(TURNS, WORDS)
