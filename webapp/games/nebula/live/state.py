"""What a table of Nebula keeps beside the stars: who completed what, tokens, the indicator.

Players tell it by entries of their own:

- `claim`: the marker of `seat` lies on the career card `card`
- `value`: the value token `token` moved `by` a square, asked for by the black star `due`;
  None where no token could or should move
- `indicator`: the black indicator was moved by hand, `by` a square
- `bag`: the bag is `empty`, or is not after all
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
    """What of a game its state depends on."""

    players: int
    full: bool
    career: tuple[str, ...]
    edition: Edition


@dataclass(frozen=True)
class Due:
    """What a black star asks for: the indicator goes to `square`, and a value token moves.

    `boosted`: the square is highlighted, so the boosted star is replaced. `moves_token` is
    false in the introductory game and once the indicator had come to its end.
    """

    entry: int
    seat: int
    square: int
    boosted: bool
    moves_token: bool


@dataclass(frozen=True)
class NebulaState:
    """The table beside the stars.

    `completed`: by career card the seats that fulfil it or have their marker on it, the first
    one first. `claimed`: the markers that players said they have placed. `dues`: what black stars
    have asked for and nobody has answered yet, the newest last.
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
        """What is asked for now: the newest stands for the older ones, as the indicator does."""
        return self.dues[-1] if self.dues else None

    @property
    def to_claim(self) -> tuple[tuple[int, str], ...]:
        """The markers to be placed now: (seat, card) completed and not claimed."""
        return tuple(
            (seat, card)
            for card, seats in self.completed.items()
            for seat in seats
            if (seat, card) not in self.claimed
        )

    def markers(self, seat: int) -> dict[str, str]:
        """A player's career markers as a game file has them, those to be placed included."""
        return {
            card: "first" if seats[0] == seat else "later"
            for card, seats in self.completed.items()
            if seat in seats
        }


def initial_state(rules: NebulaRules) -> NebulaState:
    """Return the state before the first star."""
    values = ValuesBoard(rules.edition.value_squares)
    return NebulaState(values, dict.fromkeys(rules.career, ()))


def with_stars(rules: NebulaRules, state: NebulaState, change: BoardChange) -> NebulaState:
    """Return the state after a galaxy has changed."""
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
    """Move the indicator with the black stars, and ask for what one placed in a turn asks for.

    In a turn one black star is placed at most: where several come at once the camera has only
    now seen them, and their value tokens have long moved.
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
    """Return the state after a player's tap."""
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
            return state  # the black star that asked was taken back, or a newer one was answered
        state = replace(state, dues=state.dues[asked.index(due) + 1 :])
    if token is None:
        return state
    back = data.get("by", 1) < 0
    values = state.values.move_back(token) if back else state.values.move(token)
    return replace(state, values=values)
