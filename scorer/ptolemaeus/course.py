"""Ptolemaeus' lessons: the vocabulary of their files.

A lesson's `start` is the sky of the edition's date, except for `planets` and `comet`. The learner
has the `hand`, `bonus` cards, `pieces`, `studied` planets and `asteroids` given, the rival the
pieces `rival`; `acted` means that the learner's action is done. A `goal` has the `studied` planets
and `pieces` to reach, the least number of `cards` or those of a `hand`, and a game `claimed`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.datafile import DataFileError
from scorer.goals import GoalWord, is_number, is_true, some_of
from scorer.lesson import Course
from scorer.ptolemaeus.edition import CARDS, COMET, PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.sky import sorted_cards
from scorer.ptolemaeus.state import Action, State
from scorer.ptolemaeus.turns import TURNS

KEYS = ("planets", COMET, "hand", "bonus", "pieces", "studied", "asteroids", "rival", "acted")
OPEN = ("aries", "taurus", "gemini", "cancer", "libra", "sextant")


def _are_pieces(value: Any, start: State) -> bool:
    return isinstance(value, Mapping) and value.keys() <= {*ZODIAC}


def _studied(value: Sequence[str], start: State) -> Callable[[State], bool]:
    return lambda state: {*value} <= {*state.seats[0].studied} and not state.todo


def _pieces(value: Mapping[str, int], start: State) -> Callable[[State], bool]:
    return lambda state: all(state.seats[0].on(at) == n for at, n in value.items())


def _cards(value: int, start: State) -> Callable[[State], bool]:
    return lambda state: len(state.seats[0].hand) >= value


GOALS: Mapping[str, GoalWord[State]] = {
    "studied": GoalWord(some_of(lambda start: PLANETS), _studied),
    "pieces": GoalWord(_are_pieces, _pieces),
    "cards": GoalWord(is_number, _cards),
    "hand": GoalWord(
        some_of(lambda start: CARDS),
        lambda value, _: lambda state: {*value} <= {*state.seats[0].hand},
    ),
    "claimed": GoalWord(is_true, lambda _, __: lambda s: s.claimed == 0),
}


class PtolemaeusCourse(Course[State, Action]):
    goals = GOALS

    def start_of(self, data: Mapping[str, Any]) -> State:
        """The first turn of two players."""
        wrong = [(key, "is no key of a start") for key in data.keys() - {*KEYS}]
        sky = {**TURNS.start({"players": 2}).bodies, **data.get("planets", {})}
        sky |= {COMET: data[COMET]} if COMET in data else {}
        pieces = [data.get("pieces", {}), data.get("rival", {})]
        places = [*sky.values(), *pieces[0], *pieces[1]]
        wrong += [("", f"{at} is no constellation") for at in places if at not in ZODIAC]
        wrong += [("hand", f"{c} is no card") for c in data.get("hand", ()) if c not in CARDS]
        wrong += [
            ("bonus", f"{c} is none") for c in data.get("bonus", ()) if c not in STANDARD.bonus
        ]
        wrong += [
            ("studied", f"{p} is no planet") for p in data.get("studied", ()) if p not in PLANETS
        ]
        if wrong:
            raise DataFileError(wrong)
        state = replace(
            TURNS.start({"players": 2}),
            todo=(),
            planets=tuple(sky[planet] for planet in PLANETS),
            comet=sky[COMET],
            open=OPEN,
            event="E1",
            round=1,
            acting=bool(data.get("acted")),
            actions=int(not data.get("acted")),
        )
        for seat, own in enumerate(pieces):
            state = state.with_seat(seat, state.seats[seat].shifted(own), secret=f"S{seat + 1}")
        asteroids = data.get("asteroids", 0)
        return replace(state, asteroids=ZODIAC[asteroids:]).with_seat(
            0,
            hand=sorted_cards(data.get("hand", ())),
            bonus=tuple(data.get("bonus", ())),
            studied=tuple(data.get("studied", ())),
            asteroids=asteroids,
        )
