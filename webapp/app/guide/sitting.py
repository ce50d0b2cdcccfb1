"""Who views a guided game: their seats, and whose cards they may see now.

Everything sent of a guided game is drawn from the state as `seat` may know it. The phone of one
player shows that player's cards; a shared phone shows none until it is handed to somebody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.app.guided_game import GuidedGame
from webapp.app.session.seats import NotYourSeatError, SeatState


@dataclass(frozen=True)
class Sitting:
    """The viewer's own and others' seats; `seat` is the one whose cards are shown."""

    mine: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    seat: int | None = None

    @classmethod
    def of(cls, seats: Sequence[SeatState], handed_to: int | None = None) -> "Sitting":
        """Derive it from the states of the seats and the seat the phone was handed to, if any."""
        mine = frozenset(number for number, seat in enumerate(seats) if seat.mine)
        others = frozenset(number for number, seat in enumerate(seats) if seat.other)
        alone = next(iter(mine)) if len(mine) == 1 else None
        return cls(mine, others, handed_to if handed_to in mine else alone)

    def acts_for(self, seat: int | None) -> bool:
        """Whether the viewer may act for a seat: free, their own, or nobody's (None)."""
        return seat not in self.others


def check_acts(sitting: Sitting | None, seat: int | None) -> None:
    """Raise NotYourSeatError unless `sitting`, or the server (None), may act for a seat."""
    if sitting is not None and not sitting.acts_for(seat):
        raise NotYourSeatError


def known_to(sitting: Sitting | None, part: GuidedGame, state: Any) -> Any:
    """Return a state as the actor may know it; None, the server, knows all of it."""
    if sitting is None:
        return state
    decides = part.turns.decides(state)
    return part.turns.seen_by(state, decides if decides in sitting.mine else None)
