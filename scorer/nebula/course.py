"""Nebula's lessons. The `start` in a lesson file is a state in the middle of a game.

Keys left out are as at a game's start, except that the first player is about to place stars. Stars
that are nowhere on the table are in the bag.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from scorer.datafile import DataFileError, Problem
from scorer.lesson import Course
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Mode
from scorer.nebula.goals import GOALS
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import NO_STARS, STARS, Stars
from scorer.nebula.turns.state import CLUSTERS, Book, Hand, Phase, Rules, Seat, State
from scorer.nebula.values_board import ValuesBoard
from scorer.validation import FileModel, validate

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
