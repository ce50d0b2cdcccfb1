"""Who looks at a guided game: which seats are theirs, and whose cards they may see now.

All that leaves the server of a guided game is drawn from the state as `seat` may know it. A phone
that one player has sees that player's; one that several share sees none until it was handed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.app.guided_game import GuidedGame
from webapp.app.session.seats import NotYourSeatError, SeatState


@dataclass(frozen=True)
class Sitting:
    """The seats that are the looker's and those that are others'; `seat`: whose cards are shown."""

    mine: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    seat: int | None = None

    @classmethod
    def of(cls, seats: Sequence[SeatState], handed_to: int | None = None) -> Sitting:
        """Read what somebody is told of the seats; the phone was handed to a seat, or not yet."""
        mine = frozenset(number for number, seat in enumerate(seats) if seat.mine)
        others = frozenset(number for number, seat in enumerate(seats) if seat.other)
        alone = next(iter(mine)) if len(mine) == 1 else None
        return cls(mine, others, handed_to if handed_to in mine else alone)

    def acts_for(self, seat: int | None) -> bool:
        """Whether they may do what is public for a seat: nobody's, a free one, or their own."""
        return seat not in self.others


def check_acts(sitting: Sitting | None, seat: int | None) -> None:
    """Raise NotYourSeatError for somebody who may not act for a seat; None: the server itself."""
    if sitting is not None and not sitting.acts_for(seat):
        raise NotYourSeatError


def known_to(sitting: Sitting | None, part: GuidedGame, state: Any) -> Any:
    """A state as somebody who acts may know it."""
    if sitting is None:
        return state
    decides = part.turns.decides(state)
    return part.turns.seen_by(state, decides if decides in sitting.mine else None)
