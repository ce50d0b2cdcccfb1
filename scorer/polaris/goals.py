"""The vocabulary of lesson goals, whose words are predicates over states.

All words of a goal must hold. They are about the learner, who is to move at the start.

    in_sector: {2: 3}        this many own stars are in these sectors
    constellation: 4         an own constellation has this many stars, or more
    count: {C11: 6}          these objectives have reached this count
    hand: [new-B3]           these cards are in the learner's hand
    played: 2                this many cards are played in this turn
    telescope: true          the learner has the telescope
    marker: 14               the score marker has reached this number, in a phase that was scored
"""

from collections.abc import Callable, Mapping
from typing import Any

from scorer.goals import GoalWord, is_number, is_true, number_of_each, some_of
from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.steps import StepState

Goal = Callable[[StepState], bool]


def _own(test: Callable[[PlayerStars, Any, StepState], bool]) -> Callable[[Any, StepState], Goal]:
    return lambda value, start: (
        lambda state: test(PlayerStars(state.sky, start.table.player.colour), value, start)
    )


def _in_sectors(own: PlayerStars, least: Mapping[str, int], start: StepState) -> bool:
    sectors = own.sky.board.sectors
    return all(len(own.on(sectors[int(sector)])) >= number for sector, number in least.items())


def _has_constellation(own: PlayerStars, least: int, start: StepState) -> bool:
    return any(constellation.size >= least for constellation in own.constellations)


def _cards(start: StepState) -> Mapping[str, CommonCard | PersonalCard]:
    return {**start.table.edition.common, **start.table.edition.personal}


def _fulfils(own: PlayerStars, least: Mapping[str, int], start: StepState) -> bool:
    cards = _cards(start)
    return all((cards[card].check(own).count or 0) >= number for card, number in least.items())


def _moved_to(marker: int, start: StepState) -> Goal:
    return lambda state: (
        len(state.table.phases) > len(start.table.phases)
        and state.table.seats[start.table.turn].marker >= marker
    )


GOALS: Mapping[str, GoalWord[StepState]] = {
    "in_sector": GoalWord(
        number_of_each(lambda start: map(str, start.sky.board.sectors)), _own(_in_sectors)
    ),
    "constellation": GoalWord(is_number, _own(_has_constellation)),
    "count": GoalWord(number_of_each(_cards), _own(_fulfils)),
    "hand": GoalWord(
        some_of(lambda start: start.table.edition.actions),
        lambda cards, start: lambda state: {*cards} <= {*state.table.seats[start.table.turn].hand},
    ),
    "played": GoalWord(
        is_number,
        lambda cards, start: (
            lambda state: len(state.table.played) + (state.card is not None) >= cards
        ),
    ),
    "telescope": GoalWord(
        is_true, lambda value, start: lambda state: state.table.telescope == start.table.turn
    ),
    "marker": GoalWord(is_number, _moved_to),
}
