"""A reading: which piece lies on each place of the boards of a photograph, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration import Profile
from scorer import registry
from scorer.flags import Flag
from scorer.places import Place, in_region


@dataclass(frozen=True)
class PlaceReading:
    """One place: its piece (None when empty) and the probability that this is right.

    ``colour`` is what shows there under the reference's light, #rrggbb, where that was measured.
    """

    piece: str | None
    confidence: float
    colour: str | None = None


@dataclass(frozen=True)
class TrackReading:
    """A track: how many pieces it holds, how surely, and what lies on each slot."""

    count: int
    confidence: float
    pieces: tuple[str | None, ...]


@dataclass(frozen=True)
class RegionReading:
    """A region: how many pieces of each kind it holds, and how sure all of that is."""

    pieces: Mapping[str, int]
    confidence: float


@dataclass(frozen=True)
class LoosePiece:
    """A piece that lies on the board but on no place; ``at`` in px of the photograph."""

    piece: str
    at: tuple[float, float]


@dataclass(frozen=True, eq=False)
class BoardReading:
    """One board, as it lies. ``to_photo`` (3, 3) takes mm on the board to px of the photograph.

    ``corners`` are (4, 2) px, clockwise from the printed top-left. ``places`` are those that hold
    one piece; ``tracks`` and ``regions`` are read as a whole. ``flags`` say where to look: what the
    pieces mean is the game's to say. ``kind`` is the table's kind of board (`Layout.kind`).
    """

    profile: str
    game: str
    to_photo: np.ndarray
    corners: np.ndarray
    places: Mapping[Place, PlaceReading]
    tracks: Mapping[str, TrackReading]
    loose: tuple[LoosePiece, ...]
    flags: tuple[Flag, ...]
    regions: Mapping[str, RegionReading] = field(default_factory=dict)
    kind: str = ""

    @property
    def pieces(self) -> dict[Place, str]:
        """The pieces by the places on which they lie."""
        lying = {place: read.piece for place, read in self.places.items()}
        for track, read in self.tracks.items():
            lying |= {Place(track, "track", slot): piece for slot, piece in enumerate(read.pieces)}
        for name, region in self.regions.items():
            lying |= in_region(name, region.pieces)
        return {place: piece for place, piece in lying.items() if piece is not None}

    @property
    def spaces(self) -> dict[str, PlaceReading]:
        """The readings of the spots, by their ids."""
        return {place.id: read for place, read in self.places.items() if place.kind == "spot"}

    def to_data(self) -> dict[str, Any]:
        """The board as JSON data."""
        kinds = [p.id for p in registry.find_game(self.game).pieces if "edge" in p.lies_on]
        links = {
            place.id: {
                "link": read.piece is not None,
                **({"star": read.piece} if len(kinds) > 1 else {}),
                "confidence": round(read.confidence, 4),
            }
            for place, read in self.places.items()
            if place.kind == "edge"
        }
        regions = {
            name: {"pieces": {**read.pieces}, "confidence": round(read.confidence, 4)}
            for name, read in self.regions.items()
        }
        return {
            "profile": self.profile,
            "game": self.game,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "spaces": {
                name: {"star": read.piece, "confidence": round(read.confidence, 4)}
                for name, read in self.spaces.items()
            },
            **({"links": links} if links else {}),
            **({"regions": regions} if regions else {}),
            **self._dials(),
            **{
                track: {"count": read.count, "confidence": round(read.confidence, 4)}
                for track, read in self.tracks.items()
            },
            "loose": [
                {"star": loose.piece, "at": [round(loose.at[0], 1), round(loose.at[1], 1)]}
                for loose in self.loose
            ],
            "flags": [flag.to_data() for flag in self.flags],
        }

    def _dials(self) -> dict[str, Any]:
        """Which region each dial's piece faces: {"new_moon": {"sector": 2, "confidence": 0.97}}."""
        words = {p.id: p.dial for p in registry.find_game(self.game).pieces if p.dial}
        return {
            read.piece: {
                words[read.piece]: int(place.id) if place.id.isdigit() else place.id,
                "confidence": round(read.confidence, 4),
            }
            for place, read in self.places.items()
            if place.kind == "dial" and read.piece in words
        }


def profile_of(board: BoardReading, profiles: Iterable[Profile]) -> Profile:
    """The one of the profiles that a board was read with. ValueError where it is none of them."""
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

    def to_data(self) -> dict[str, Any]:
        """The reading as JSON data."""
        return {
            "format": 1,
            "photo": self.photo,
            "size": list(self.size),
            "boards": [board.to_data() for board in self.boards],
            "timing_ms": {step: round(ms, 1) for step, ms in self.timing_ms.items()},
        }
