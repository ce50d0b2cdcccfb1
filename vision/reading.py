"""A reading: the piece on each place of a photograph's boards, with probabilities."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration import Profile
from scorer.board_state import BoardState


@dataclass(frozen=True, eq=False)
class BoardReading(BoardState):
    """One board of a photograph; ``to_photo`` (3, 3) maps mm on the board to px of the photograph.

    ``corners`` are (4, 2) px.
    """

    to_photo: np.ndarray = field(kw_only=True)


def profile_of(board: BoardReading, profiles: Iterable[Profile]) -> Profile:
    """The profile that a board was read with. Raises ValueError if it is not among ``profiles``."""
    for profile in profiles:
        if (profile.layout.game, profile.name) == (board.game, board.profile):
            return profile
    raise ValueError(f"nothing is known of profile {board.profile}")


@dataclass(frozen=True, eq=False)
class Reading:
    """Every board of one photograph, the largest first; ``size`` is its (width, height) in px."""

    photo: str
    size: tuple[int, int]
    boards: tuple[BoardReading, ...]
    timing_ms: Mapping[str, float]

    def to_data(self, colours: bool = False) -> dict[str, Any]:
        """The reading as JSON data; the `colours` of spaces are only for the companion itself."""
        return {
            "format": 1,
            "photo": self.photo,
            "size": list(self.size),
            "boards": [board.to_data(colours) for board in self.boards],
            "timing_ms": {step: round(ms, 1) for step, ms in self.timing_ms.items()},
        }
