"""A reading: what lies on each board of a photograph, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer.flags import Flag


@dataclass(frozen=True)
class SpaceReading:
    """One space: its star (None when empty) and the probability that this is right."""

    star: str | None
    confidence: float


@dataclass(frozen=True)
class LooseStar:
    """A star that lies on the board but on no space; ``at`` in px of the photograph."""

    star: str
    at: tuple[float, float]


@dataclass(frozen=True, eq=False)
class BoardReading:
    """One board. ``to_photo`` (3, 3) takes mm on the board to px of the photograph.

    ``corners`` are (4, 2) px, clockwise from the printed top-left.
    """

    profile: str
    to_photo: np.ndarray
    corners: np.ndarray
    spaces: Mapping[str, SpaceReading]
    black: int
    black_confidence: float
    loose: tuple[LooseStar, ...]
    flags: tuple[Flag, ...]

    @property
    def stars(self) -> dict[str, str]:
        """The occupied spaces and their stars, as a game file has them."""
        return {name: s.star for name, s in self.spaces.items() if s.star is not None}

    def to_data(self) -> dict[str, Any]:
        """The board as JSON data."""
        return {
            "profile": self.profile,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "spaces": {
                name: {"star": s.star, "confidence": round(s.confidence, 4)}
                for name, s in self.spaces.items()
            },
            "black": {"count": self.black, "confidence": round(self.black_confidence, 4)},
            "loose": [
                {"star": s.star, "at": [round(s.at[0], 1), round(s.at[1], 1)]} for s in self.loose
            ],
            "flags": [flag.to_data() for flag in self.flags],
        }


@dataclass(frozen=True, eq=False)
class Reading:
    """Every board of one photograph, the largest first; ``size`` is its (width, height) in px."""

    photo: str
    size: tuple[int, int]
    boards: tuple[BoardReading, ...]
    timing_ms: Mapping[str, float]

    def to_data(self) -> dict[str, Any]:
        """The reading as JSON data."""
        return {
            "format": 1,
            "photo": self.photo,
            "size": list(self.size),
            "boards": [board.to_data() for board in self.boards],
            "timing_ms": {step: round(ms, 1) for step, ms in self.timing_ms.items()},
        }
