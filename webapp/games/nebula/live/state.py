"""Nebula's state of a live table apart from the stars: completed cards, tokens, the indicator.

Players change it by entries:

- `claim`: `seat` has put a marker on the career card `card`
- `value`: the value token `token` moved `by` a square, as the black star `due` demanded; None if no
  token could or should move
- `indicator`: the black indicator was moved by hand, `by` a square
- `bag`: whether the bag is `empty`
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.nebula.edition import Edition
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.values_board import ValuesBoard
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange


@dataclass(frozen=True)
class NebulaRules:
    """The facts of a game that its state depends on."""

    players: int
    full: bool
    career: tuple[str, ...]
    edition: Edition


@dataclass(frozen=True)
class Due:
    """What a black star demands: the indicator goes to `square`, and a value token moves.

    `boosted`: the square is highlighted, so the boosted star is replaced. `moves_token` is false in
    the introductory game and once the indicator has reached its end.
    """

    entry: int
    seat: int
    square: int
    boosted: bool
    moves_token: bool


@dataclass(frozen=True)
class NebulaState:
    """The table apart from the stars.

    `completed`: by career card the seats that fulfil it or have a marker on it, in order.
    `claimed`: the markers that players have confirmed. `dues`: the unanswered demands of black
    stars, newest last.
    """

    values: ValuesBoard
    completed: Mapping[str, tuple[int, ...]]
    claimed: frozenset[tuple[int, str]] = frozenset()
    indicator: int = 0
    bag_is_empty: bool = False
    dues: tuple[Due, ...] = ()

    @property
    def met(self) -> frozenset[tuple[int, str]]:
        """Who has completed which career card."""
        return frozenset((seat, card) for card, seats in self.completed.items() for seat in seats)

    @property
    def due(self) -> Due | None:
        """The present demand: the newest one covers older ones, as the indicator does."""
        return self.dues[-1] if self.dues else None

    @property
    def to_claim(self) -> tuple[tuple[int, str], ...]:
        """The markers to place now: (seat, card) completed but not claimed."""
        return tuple(
            (seat, card)
            for card, seats in self.completed.items()
            for seat in seats
            if (seat, card) not in self.claimed
        )

    def markers(self, seat: int) -> dict[str, str]:
        """A player's career markers as in a game file, including those to place."""
        return {
            card: "first" if seats[0] == seat else "later"
            for card, seats in self.completed.items()
            if seat in seats
        }


def initial_state(rules: NebulaRules) -> NebulaState:
    values = ValuesBoard(rules.edition.value_squares)
    return NebulaState(values, dict.fromkeys(rules.career, ()))


def with_stars(rules: NebulaRules, state: NebulaState, change: BoardChange) -> NebulaState:
    galaxy: Galaxy = change.after
    more = galaxy.black - change.before.black
    state = _with_black(rules, state, change.number, change.seat, more)
    return replace(state, completed=dict(_completed(rules, state, change.seat, galaxy)))


def _completed(
    rules: NebulaRules, state: NebulaState, seat: int, galaxy: Galaxy
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for card, seats in state.completed.items():
        fulfilled = rules.edition.cards[card].check(galaxy).fulfilled
        if fulfilled and seat not in seats:
            seats = (*seats, seat)
        elif not fulfilled and seat in seats and (seat, card) not in state.claimed:
            seats = tuple(other for other in seats if other != seat)
        yield card, seats


def _with_black(
    rules: NebulaRules, state: NebulaState, number: int, seat: int, more: int
) -> NebulaState:
    """Move the indicator with the black stars, and record the demand of a single one.

    At most one black star is placed in a turn: if several appear at once the camera has only just
    seen them, and their value tokens moved long ago.
    """
    if more == 0:
        return state
    last = rules.edition.indicator_squares
    square = min(max(state.indicator + more, 0), last)
    dues = state.dues
    if more == 1 and state.indicator < last:
        boosted = square in rules.edition.indicator_highlighted
        dues = (*dues, Due(number, seat, square, boosted, rules.full))
    for _taken in range(-more):
        own = [due for due in dues if due.seat == seat]
        dues = tuple(due for due in dues if not own or due != own[-1])
    return replace(state, indicator=square, dues=dues)


def with_entry(rules: NebulaRules, state: NebulaState, entry: Entry) -> NebulaState:
    data = entry.data
    if entry.kind == "claim":
        seat, card = data["seat"], data["card"]
        if card not in state.completed or seat >= rules.players:
            return state
        seats = state.completed[card]
        return replace(
            state,
            claimed=state.claimed | {(seat, card)},
            completed={**state.completed, card: seats if seat in seats else (*seats, seat)},
        )
    if entry.kind == "value":
        return _with_token(state, data)
    if entry.kind == "indicator":
        square = min(max(state.indicator + data["by"], 0), rules.edition.indicator_squares)
        return replace(state, indicator=square)
    if entry.kind == "bag":
        return replace(state, bag_is_empty=bool(data["empty"]))
    return state


def _with_token(state: NebulaState, data: Mapping[str, Any]) -> NebulaState:
    due, token = data.get("due"), data.get("token")
    if due is not None:
        asked = [one.entry for one in state.dues]
        if due not in asked:
            return state  # that black star was taken back, or a newer one was answered
        state = replace(state, dues=state.dues[asked.index(due) + 1 :])
    if token is None:
        return state
    back = data.get("by", 1) < 0
    values = state.values.move_back(token) if back else state.values.move(token)
    return replace(state, values=values)
