"""How the toy is played: a secret number is drawn for each, then die by die and turn by turn."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, ClassVar

from scorer.flags import RuleBreak
from scorer.notation import Part
from scorer.places import Place, in_region
from scorer.plain import PlainPosition
from scorer.scoresheet import PlayerSheet, ScoreSheet
from scorer.secrets import OfEachPlayer, Secret
from scorer.turns import SetUp, Turns

from . import BASKET, FIELDS, FRUIT, LANES, RING, SECRETS, WORDS, lines

ROUNDS = 6
HIDDEN = 0
"""What others see of a secret number."""


@dataclass(frozen=True)
class Draw:
    """Chance: the next player's secret number."""

    number: Annotated[int, Part(private=True, hidden=True)]


@dataclass(frozen=True)
class Roll:
    """Chance: the die says a field."""

    field: Annotated[str, Part(places=("region",))]


@dataclass(frozen=True)
class Pick:
    """A fruit of the field that the die says goes into one's basket."""

    fruit: str
    field: Annotated[str, Part(places=("region",))]


@dataclass(frozen=True)
class Build:
    """A lane of one's own."""

    lane: Annotated[str, Part(places=("edge",))]


Action = Draw | Roll | Pick | Build


@dataclass(frozen=True)
class Side:
    basket: tuple[str, ...] = ()
    secret: Annotated[int | None, Secret(back=HIDDEN)] = None


@dataclass(frozen=True)
class State:
    """A game: each field's fruit, the lanes' colours, what the die says, whose turn it is."""

    fruit: tuple[tuple[str, ...], ...]
    lanes: tuple[tuple[str, str], ...] = ()
    sides: Annotated[tuple[Side, ...], OfEachPlayer()] = ()
    die: str = ""
    turn: int = 0

    @property
    def here(self) -> tuple[str, ...]:
        """The fruit where the die says."""
        return self.fruit[FIELDS.index(self.die)] if self.die else ()


class OrchardTurns(Turns[State, Action]):
    """The rules of the turns."""

    players: ClassVar[range] = range(2, 3)

    def start(self, set_up: SetUp, board: Any = None) -> State:
        """One fruit of each kind in every field."""
        return State((tuple(sorted(FRUIT)),) * len(FIELDS), sides=(Side(), Side()))

    def player(self, state: State) -> int | None:
        """By turns, from when the numbers are drawn to the end."""
        drawn = all(side.secret is not None for side in state.sides)
        return state.turn % 2 if drawn and state.turn < 2 * ROUNDS else None

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """Secret numbers first; then, each turn, a field where something grows."""
        if any(side.secret is None for side in state.sides):
            return [(Draw(number), 1 / len(SECRETS)) for number in SECRETS]
        if self.player(state) is None or state.die:
            return ()
        grown = [field for field, fruit in zip(FIELDS, state.fruit, strict=True) if fruit]
        return [(Roll(field), 1 / len(grown)) for field in grown]

    def actions(self, state: State) -> Sequence[Action]:
        """A fruit from there, or a lane anywhere."""
        if not state.die:
            return ()
        built = dict(state.lanes)
        places = (place.id for place in RING.places if place.kind == "edge")
        return [
            *(Pick(fruit, state.die) for fruit in sorted({*state.here})),
            *(Build(lane) for lane in places if lane not in built),
        ]

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """What chance and the die do not say; a fruit that is not there; a lane that is built."""
        if action in (*self.actions(state), *(outcome for outcome, _ in self.outcomes(state))):
            return None
        kind, place = "not_now", ""
        if isinstance(action, Pick) and state.die:
            kind, place = "no_fruit" if action.field == state.die else "other_field", action.field
        elif isinstance(action, Build) and action.lane in dict(state.lanes):
            kind, place = "built", action.lane
        spaces = (place,) if place else ()
        return RuleBreak(kind, spaces, reason=WORDS.say(kind, place=place))

    def after_legal(self, state: State, action: Action) -> State:
        if isinstance(action, Draw):
            seat = next(n for n, side in enumerate(state.sides) if side.secret is None)
            return self._with_side(state, seat, secret=action.number)
        if isinstance(action, Roll):
            return replace(state, die=action.field)
        seat, going = state.turn % 2, replace(state, die="", turn=state.turn + 1)
        if isinstance(action, Build):
            return replace(going, lanes=(*state.lanes, (action.lane, LANES[seat])))
        left = [*state.here]
        left.remove(action.fruit)
        at = FIELDS.index(state.die)
        fruit = (*state.fruit[:at], tuple(left), *state.fruit[at + 1 :])
        basket = (*state.sides[seat].basket, action.fruit)
        return self._with_side(replace(going, fruit=fruit), seat, basket=basket)

    def _with_side(self, state: State, seat: int, **changes: Any) -> State:
        sides = list(state.sides)
        sides[seat] = replace(sides[seat], **changes)
        return replace(state, sides=tuple(sides))

    def positions(self, state: State) -> Sequence[PlainPosition]:
        """The fields, then each player's basket."""
        grown = (in_region(id, Counter(own)) for id, own in zip(FIELDS, state.fruit, strict=True))
        lying = {place: piece for own in grown for place, piece in own.items()}
        lying |= {Place(lane, "edge"): piece for lane, piece in state.lanes}
        held = [in_region("basket", Counter(side.basket)) for side in state.sides]
        return (PlainPosition(RING, lying), *(PlainPosition(BASKET, own) for own in held))

    def placing(self, state: State, place: Place, piece: str) -> Action | None:
        """A lane that comes to lie there, or a fruit that leaves."""
        return Build(place.id) if place.kind == "edge" else None

    def score(self, state: State, names: Sequence[str] = ()) -> ScoreSheet:
        """Of what lies there, as if it ended now."""
        fields, *baskets = self.positions(state)
        players = (
            PlayerSheet(name, lines(fields, basket, seat, state.sides[seat].secret or HIDDEN))
            for seat, (name, basket) in enumerate(zip(names or ("P1", "P2"), baskets, strict=True))
        )
        return ScoreSheet("orchard", tuple(players))

    def answers(self, state: State) -> Mapping[str, Any]:
        return {"players": [{"secret": side.secret} for side in state.sides]}

    def imagined(self, state: State, rng: Random) -> State:
        """A number for each that is hidden."""
        for seat, side in enumerate(state.sides):
            if side.secret == HIDDEN:
                state = self._with_side(state, seat, secret=rng.choice(SECRETS))
        return state


TURNS = OrchardTurns()
