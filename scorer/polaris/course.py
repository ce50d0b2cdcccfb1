"""Polaris' lessons: the vocabulary of their files.

A lesson's `start` is a table in play. The learner plays red, and is the first of three. Keys left
out are as at a game's start, except that nobody has cards, and the market has only those of
`market`. `card` is a card of the hand that is already being played, in its own moon's sector. A
`goal` has the learner's least stars `in_sector`, the size of a `constellation`, the `count` of
objectives, cards in `hand`, how many are `played` in this turn, the `telescope`, and the `marker`
to reach in a phase that was scored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from scorer.datafile import DataFileError, Problem
from scorer.goals import GoalWord, is_number, is_true, number_of_each, some_of
from scorer.lesson import Course
from scorer.polaris.card import CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.game import sky_from_data
from scorer.polaris.steps import Step, StepState
from scorer.polaris.table_state import PlayCard, set_up
from scorer.validation import FileModel, validate

Goal = Callable[[StepState], bool]
LEARNERS = ("red", "blue", "yellow")
"""The colours at the table of a lesson, the learner's first."""
Count = Annotated[int, Field(ge=0, le=60)]


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


class _Start(FileModel):
    new_moon: Annotated[int, Field(ge=1)] = 1
    stars: dict[str, list[str]] = Field(default_factory=dict)
    links: list[str] = Field(default_factory=list)
    hand: list[str] = Field(default_factory=list)
    market: list[str] = Field(default_factory=list)
    card: str = ""
    shooting: Count = 0
    markers: dict[str, Count] = Field(default_factory=dict)
    dawn: list[str] = Field(default_factory=list)
    objectives: list[str] = Field(default_factory=list)
    personal: str = ""
    telescope: str = ""


class PolarisCourse(Course[StepState, Step]):
    goals = GOALS

    def start_of(self, data: Mapping[str, Any]) -> StepState:
        """The state of a lesson file's `start`. Raise DataFileError with every mistake."""
        unknown: list[Problem] = [
            (key, "is no key of a start") for key in data.keys() - _Start.model_fields.keys()
        ]
        read, problems = validate(_Start, data)
        problems = [*unknown, *problems]
        begun = set_up([(colour, colour) for colour in LEARNERS])
        edition = begun.edition
        known = {
            "hand": edition.actions,
            "market": edition.actions,
            "dawn": edition.actions,
            "objectives": edition.common,
            "personal": edition.personal,
        }
        for key, cards in known.items():
            written = getattr(read, key)
            named = [written] if isinstance(written, str) else written
            problems += [
                (key, f"{card} is no such card") for card in named if card not in (*cards, "")
            ]
        problems += [
            (key, f"{colour} does not play")
            for key in ("stars", "markers", "telescope")
            for colour in ([read.telescope] if key == "telescope" else getattr(read, key))
            if colour not in (*LEARNERS, "")
        ]
        stars = {space: colour for colour, own in read.stars.items() for space in own}
        if read.card not in (*read.hand, ""):
            problems.append(("card", f"{read.card} is not in the hand"))
        links = [link.split("-") for link in read.links]
        if not all(len(ends) == 2 for ends in links):
            problems.append(("links", "must be ends such as 1a1-1b1"))
        if problems:
            raise DataFileError(problems)
        try:
            sky = sky_from_data({"stars": stars, "links": links, "new_moon": read.new_moon})
        except ValueError as error:
            raise DataFileError([("stars", str(error))]) from None
        used = {*read.hand, *read.dawn, *read.market}
        piles = {
            pile: tuple(card for card in cards if card not in used)
            for pile, cards in begun.piles.items()
        }
        seats = [
            replace(seat, marker=read.markers.get(seat.colour, seat.marker), shooting=0)
            for seat in begun.seats
        ]
        seats[0] = replace(
            seats[0], hand=tuple(read.hand), shooting=read.shooting, personal=read.personal or None
        )
        table = replace(
            begun,
            seats=tuple(seats),
            sky=sky,
            piles=piles,
            markets={
                deck: tuple(card for card in read.market if edition.actions[card].deck == deck)
                for deck in begun.markets
            },
            pending=(),
            objectives=tuple(read.objectives),
            dawn=tuple(read.dawn),
            telescope=LEARNERS.index(read.telescope) if read.telescope else None,
        )
        played = PlayCard(read.card, table.lunar_sector(read.card)) if read.card else None
        return StepState(table, laid_out=True, card=played)
