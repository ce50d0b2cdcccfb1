"""The vocabulary of lesson goals, whose words are predicates over states.

All words of a goal must hold. `new` is relative to the lesson's start.

    stars: {core: red}               these spaces hold these colours
    occupied: [ar1]                  these spaces hold a star
    orbit: 2                         the orbit is full
    constellation: aries             the constellation is full
    new_links: [direct, orbital]     new stars, each joined by one of these links to another star
    new: 1                           this many more spaces hold a star
    placed: 3                        this many stars were placed in this turn
    reserve: {red: 1}                the reserve has at least these stars
    black: 3                         this many black stars are on the track
    boosted: blue                    the boosted star is of this colour
    values: {white: 1}               these value tokens are on these squares
    claimed: [V7]                    the player's markers are on these cards
    phase: place                     this is what comes next; `over`: the game has ended
"""

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any

from scorer.goals import GoalWord, is_number, number_of_each, some_of
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.values_board import TOKENS
from scorer.nebula.words import COLOURS

Goal = Callable[[State], bool]
LINKS = ("direct", "indirect", "orbital")


def _coloured(value: Any, start: State) -> bool:
    known = {*start.rules.board.spaces}
    return isinstance(value, dict) and {*value} <= known and {*value.values()} <= {*COLOURS}


def _one_of(choices: Callable[[State], Any]) -> Callable[[Any, State], bool]:
    return lambda value, start: value in choices(start)


def _galaxy(test: Callable[[Galaxy, Any], bool]) -> Callable[[Any, State], Goal]:
    return lambda value, start: lambda state: test(state.seats[start.player].galaxy, value)


def _new_links(kinds: list[str], start: State) -> Goal:
    """For each kind of link, a different new star is joined by it to a star."""
    before, board = start.seat.galaxy.stars, start.rules.board

    def met(state: State) -> bool:
        stars = state.seats[start.player].galaxy.stars
        new = [space for space in stars if space not in before]
        return any(
            all(
                board.neighbours_by(kind, space) & stars.keys()
                for kind, space in zip(kinds, order, strict=True)
            )
            for order in permutations(new, len(kinds))
        )

    return met


GOALS: Mapping[str, GoalWord[State]] = {
    "stars": GoalWord(_coloured, _galaxy(lambda own, stars: stars.items() <= own.stars.items())),
    "occupied": GoalWord(
        some_of(lambda start: start.rules.board.spaces),
        _galaxy(lambda own, spaces: own.stars.keys() >= {*spaces}),
    ),
    "orbit": GoalWord(
        _one_of(lambda start: start.rules.board.orbits),
        _galaxy(lambda own, orbit: not own.empty(own.board.orbits[orbit])),
    ),
    "constellation": GoalWord(
        _one_of(lambda start: start.rules.board.constellations),
        _galaxy(lambda own, name: name in own.finished_constellations()),
    ),
    "new_links": GoalWord(some_of(lambda start: LINKS), _new_links),
    "new": GoalWord(
        is_number,
        lambda more, start: (
            lambda state: (
                len(state.seats[start.player].galaxy.stars) >= len(start.seat.galaxy.stars) + more
            )
        ),
    ),
    "placed": GoalWord(is_number, lambda most, start: lambda state: len(state.placed) >= most),
    "reserve": GoalWord(
        number_of_each(lambda start: STARS),
        lambda stars, start: (
            lambda state: all(
                state.seats[start.player].reserve.of(star) >= number
                for star, number in stars.items()
            )
        ),
    ),
    "black": GoalWord(is_number, _galaxy(lambda own, black: own.black == black)),
    "boosted": GoalWord(
        _one_of(lambda start: STARS), lambda star, start: lambda state: state.boosted == star
    ),
    "values": GoalWord(
        number_of_each(lambda start: TOKENS),
        lambda tokens, start: lambda state: tokens.items() <= state.values.at.items(),
    ),
    "claimed": GoalWord(
        some_of(lambda start: start.career),
        lambda cards, start: lambda state: {*cards} <= state.claims_of(start.player).keys(),
    ),
    "phase": GoalWord(
        _one_of(lambda start: tuple(Phase)), lambda phase, start: lambda state: state.phase == phase
    ),
}
"""For each word, whether a value is possible, and its predicate."""
