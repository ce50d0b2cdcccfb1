"""Via Nebula's lessons: the vocabulary of their files.

A lesson's `start` is the valley as in a game file (`tiles`, `tokens`, `exploitations`, `ruins`;
without `tokens` they are on all free meadows), with the `open` contracts and those in the learner's
`hand`, the `tiles_left` on each of the learner's piles, and the learner's number of `buildings`. A
`goal` has places that are `open` meadows, `exploited` by the learner, or hold the learner's `site`,
resources on a site (`carried`), contracts `fulfilled`, the most resources `stored`, the number of
`explorers` shown, the end card `ended`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scorer.datafile import DataFileError
from scorer.goals import GoalWord, is_number, is_true, some_of
from scorer.lesson import Course
from scorer.via_nebula.board import BUILDING, VALLEY, ValleyPieces, pieces_on
from scorer.via_nebula.edition import COLOURS, MEADOW, PILES, RESOURCES, SIDES, SPECIAL, STANDARD
from scorer.via_nebula.game_file import ON_VALLEY, read_game
from scorer.via_nebula.state import Action, State, begun

LEARNERS = COLOURS[:2]
CONTRACTS = STANDARD.contracts
KEYS = (*ON_VALLEY, "open", "hand", "tiles_left", "buildings")
OPEN = ("N11", "N12", "N13", "N29")
"""The open contracts of a lesson without `open`."""


def _seated(state: State, number: int, colour: str, pieces: ValleyPieces) -> State:
    """Remove a player's things in the valley from the guild board."""
    seat = state.seats[number]
    placed = [own for own in pieces.exploitations.values() if own.craftsman == colour]
    built = [own for _at, own in pieces.elements() if (own.what, own.colour) == (BUILDING, colour)]
    return state.with_seat(
        number,
        craftsmen=seat.craftsmen - len(placed),
        sites=seat.sites - len(pieces.sites(colour)),
        buildings=seat.buildings - len(built),
    )


def _open(value: list[str], start: State) -> Callable[[State], bool]:
    return lambda state: {*value} <= state.pieces.open_meadows(state.valley)


def _exploited(value: list[str], start: State) -> Callable[[State], bool]:
    def holds(state: State) -> bool:
        found = state.pieces.exploitations
        return all(at in found and found[at].craftsman == LEARNERS[0] for at in value)

    return holds


def _site(value: list[str], start: State) -> Callable[[State], bool]:
    return lambda state: {*value} <= {*state.pieces.sites(LEARNERS[0])}


def _are_goods(value: Any, start: State) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(own, Mapping) and {*own} <= {*RESOURCES} for own in value.values()
    )


def _carried(value: Mapping[str, Mapping[str, int]], start: State) -> Callable[[State], bool]:
    def lies(state: State) -> bool:
        found = {at: state.pieces.element(at) for at in value}
        return all(
            own is not None and all(own.holds.get(one, 0) >= n for one, n in value[at].items())
            for at, own in found.items()
        )

    return lies


def _fulfilled(value: list[str], start: State) -> Callable[[State], bool]:
    return lambda state: {*value} <= {*state.seats[0].contracts} and not state.power


def _stored(value: int, start: State) -> Callable[[State], bool]:
    return lambda state: sum(state.seats[0].storage.values()) <= value


def _explorers(value: int, start: State) -> Callable[[State], bool]:
    return lambda state: state.seats[0].piles.count(0) >= value


GOALS: Mapping[str, GoalWord[State]] = {
    "open": GoalWord(some_of(lambda start: start.valley.spaces), _open),
    "exploited": GoalWord(some_of(lambda start: start.valley.spaces), _exploited),
    "site": GoalWord(lambda value, _: isinstance(value, list), _site),
    "carried": GoalWord(_are_goods, _carried),
    "fulfilled": GoalWord(some_of(lambda start: CONTRACTS), _fulfilled),
    "stored": GoalWord(lambda value, _: value in range(PILES), _stored),
    "explorers": GoalWord(is_number, _explorers),
    "ended": GoalWord(is_true, lambda _, __: lambda s: s.ender == 0),
}


class ViaNebulaCourse(Course[State, Action]):
    goals = GOALS

    def start_of(self, data: Mapping[str, Any]) -> State:
        """A turn of the first of two players."""
        wrong = [(key, "is no key of a start") for key in data.keys() - {*KEYS}]
        cards = (*data.get("open", ()), *data.get("hand", ()))
        wrong += [("", f"{card} is no contract") for card in cards if card not in CONTRACTS]
        if wrong:
            raise DataFileError(wrong)
        players = [{"name": own, "colour": own, "piles": [0] * PILES} for own in LEARNERS]
        file = {key: data[key] for key in ON_VALLEY if key in data}
        pieces = pieces_on(read_game({**file, "players": players}).lies(VALLEY.kind))
        if "tokens" not in data:
            free = [
                at for at in STANDARD.valleys[SIDES[0]].of(MEADOW) if at not in pieces.exploitations
            ]
            laid = (name for name, own in STANDARD.tokens.items() if not own.special)
            pieces = replace(pieces, tokens=dict(zip(free, laid, strict=False)))
        state = begun(LEARNERS, SIDES[0], STANDARD)
        state = replace(
            state,
            pieces=pieces,
            boxed=f"{RESOURCES[0]}-{SPECIAL}",
            ready=True,
            open=tuple(data.get("open", OPEN)),
        )
        for number, colour in enumerate(LEARNERS):
            state = _seated(state, number, colour, pieces)
        first = state.seats[0]
        buildings = data.get("buildings", first.buildings)
        return state.with_seat(
            0,
            hand=tuple(data.get("hand", ())),
            piles=tuple(data.get("tiles_left", first.piles)),
            buildings=buildings,
            contracts=STANDARD.neutral[len(STANDARD.neutral) - first.buildings + buildings :],
        )
