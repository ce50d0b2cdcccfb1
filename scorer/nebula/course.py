"""Nebula's lessons: the vocabulary of their files.

A lesson's `start` is a state in the middle of a game. Keys left out are as at a game's start,
except that the first player is about to place stars. Stars that are nowhere on the table are in the
bag. A `goal` has the learner's `stars` by space, `occupied` spaces, a full `orbit` or
`constellation`, `new_links` (each joins a different new star to another one), how many `new` spaces
hold a star, stars `placed` in this turn, the least `reserve`, `black` stars on the track, the
colour `boosted`, `values` (tokens on squares), cards `claimed`, and the `phase` that comes next.
"""

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Annotated, Any, Literal

from pydantic import Field

from scorer.datafile import DataFileError, Problem
from scorer.goals import GoalWord, is_number, number_of_each, some_of
from scorer.lesson import Course
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Mode
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import NO_STARS, STARS, Stars
from scorer.nebula.turns.state import CLUSTERS, Book, Hand, Phase, Rules, Seat, State
from scorer.nebula.values_board import TOKENS, ValuesBoard
from scorer.nebula.words import COLOURS
from scorer.validation import FileModel, validate

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


Count = Annotated[int, Field(ge=0, le=30)]
PHASES = (Phase.COLLECT, Phase.PLACE, Phase.CLAIM)


class _Other(FileModel):
    stars: dict[str, str] = Field(default_factory=dict)
    black: Count = 0


class _Start(FileModel):
    phase: Literal["collect", "place"] = "place"
    mode: Mode = "intro"
    book: Book = "cs"
    turn: Annotated[int, Field(ge=1)] = 1
    stars: dict[str, str] = Field(default_factory=dict)
    black: Count = 0
    reserve: list[str] = Field(default_factory=list)
    other: _Other = _Other()
    boosted: str = "white"
    indicator: Count = 0
    values: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    clusters: list[list[str | None]] = Field(default_factory=list)
    hours: list[int] = Field(default_factory=lambda: [0] * CLUSTERS)
    career: list[str] = Field(default_factory=list)
    advanced: list[str] = Field(default_factory=list)
    personal: str = ""


def _state(read: _Start, rules: Rules, galaxies: list[Galaxy]) -> State:
    values = ValuesBoard(rules.edition.value_squares)
    for token, squares in read.values.items():
        for _ in range(squares):
            values = values.move(token)
    player = (read.turn - 1) % rules.players
    seats = [Seat(galaxies[1])] * rules.players
    seats[player] = Seat(galaxies[0], NO_STARS.plus_all(read.reserve))
    hands = [Hand()] * rules.players
    hands[player] = Hand(personal=read.personal or None)
    begun = new_game(rules)
    state = begun.but(
        phase=Phase(read.phase),
        clusters=tuple(map(tuple, read.clusters)) or begun.clusters,
        hours=tuple(read.hours),
        seats=tuple(seats),
        hands=tuple(hands),
        values=values,
        boosted=read.boosted,
        governing=read.boosted if read.phase == "place" else None,
        indicator=read.indicator,
        career=tuple(read.career),
        advanced=tuple(read.advanced),
        markers=((),) * len(read.career),
        turn=read.turn,
    )
    bag = [all_of - there for all_of, there in zip(rules.all_stars, state.on_table, strict=True)]
    if min(bag) < 0:
        star = STARS[bag.index(min(bag))]
        raise DataFileError(
            [("stars", f"there are more {star} stars on the table than in the game")]
        )
    return state.but(bag=Stars._make(bag))


class NebulaCourse(Course[State, Action]):
    goals = GOALS

    def start_of(self, data: Mapping[str, Any]) -> State:
        """The state of a lesson file's `start`. Raise DataFileError with every mistake."""
        unknown: list[Problem] = [
            (key, "is no key of a start") for key in data.keys() - _Start.model_fields.keys()
        ]
        read, problems = validate(_Start, data)
        problems = [*unknown, *problems]
        rules = Rules(mode=read.mode, book=read.book)
        problems += [
            (f"reserve[{n}]", f"{star} is no star")
            for n, star in enumerate(read.reserve)
            if star not in STARS
        ]
        if read.boosted not in STARS:
            problems.append(("boosted", f"{read.boosted} is no star"))
        spaces = rules.edition.cluster_spaces
        if read.clusters and [len(own) for own in read.clusters] != [spaces] * CLUSTERS:
            problems.append(("clusters", f"must be {CLUSTERS} lists of {spaces} stars"))
        for card in (*read.career, *read.advanced, *filter(None, [read.personal])):
            if card not in rules.edition.cards:
                problems.append(("career", f"{card} is no card"))
        galaxies = []
        for key, own in (("stars", read), ("other", read.other)):
            try:
                galaxies.append(Galaxy(own.stars, own.black, rules.board))
            except ValueError as error:
                problems.append((key, str(error)))
        if problems:
            raise DataFileError(problems)
        return _state(read, rules, galaxies)
