"""A board as read from a photograph: the pieces place by place, with confidences.

`BoardState` goes from the reader to the page. Its JSON form is a board of a reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.flags import Flag
from scorer.game import Game
from scorer.places import Place, in_region
from scorer.registry import find_game

DOUBTS = ("uncertain", "hidden")
"""The kinds of flags that ask for a look at a place."""
SURE = 0.9
"""The confidence below which a place, or the count of a track, asks for a look."""
OF_A_FLAG = ("kind", "spaces")
LEFT_OUT = "left_out"


@dataclass(frozen=True)
class PlaceReading:
    """One place: its piece (None if empty), and the probability that this is right.

    `colour` is the measured colour under reference light, #rrggbb; None if not measured.
    """

    piece: str | None
    confidence: float
    colour: str | None = None


@dataclass(frozen=True)
class TrackReading:
    """A track: the number of pieces on it, the confidence in it, and the piece on each slot."""

    count: int
    confidence: float
    pieces: tuple[str | None, ...]


@dataclass(frozen=True)
class RegionReading:
    """A region: the number of pieces of each kind in it, and the confidence in all of them."""

    pieces: Mapping[str, int]
    confidence: float


@dataclass(frozen=True)
class LoosePiece:
    """A piece on the board but on none of its places; `at` in px of the photograph."""

    piece: str
    at: tuple[float, float]


@dataclass(frozen=True, eq=False)
class BoardState:
    """One board, as read from a photograph.

    `corners` are four points in px, clockwise from the printed top-left. `places` hold one piece
    each; `tracks` and `regions` are each read as a whole. `flags` say where to look; what the
    pieces mean is up to the game. `kind` is the kind of board at the table (`Layout.kind`).
    `samples_left_out`: the pieces look too unlike their owner's samples for those to be used.
    """

    profile: str
    game: str
    corners: Any
    places: Mapping[Place, PlaceReading]
    tracks: Mapping[str, TrackReading]
    loose: Sequence[LoosePiece]
    flags: Sequence[Flag]
    regions: Mapping[str, RegionReading] = field(default_factory=dict)
    kind: str = ""
    samples_left_out: bool = False

    @property
    def pieces(self) -> dict[Place, str]:
        pieces = {place: read.piece for place, read in self.places.items()}
        for track, read in self.tracks.items():
            pieces |= {Place(track, "track", slot): piece for slot, piece in enumerate(read.pieces)}
        for name, region in self.regions.items():
            pieces |= in_region(name, region.pieces)
        return {place: piece for place, piece in pieces.items() if piece is not None}

    @property
    def spaces(self) -> dict[str, PlaceReading]:
        """The readings of the spots by id."""
        return {place.id: read for place, read in self.places.items() if place.kind == "spot"}

    @property
    def doubts(self) -> Mapping[str, Flag]:
        """The flags that ask for a look, by place id."""
        return {id: flag for flag in self.flags if flag.kind in DOUBTS for id in flag.spaces}

    # JSON data

    @classmethod
    def from_data(cls, data: Mapping[str, Any], game: Game[Any, Any, Any]) -> "BoardState":
        """The board in JSON data of a game. Raise KeyError, TypeError or ValueError if malformed.

        Tracks are filled from their beginning: the data only has their count.
        """
        places = {Place(id): _place(seen, seen["star"]) for id, seen in data["spaces"].items()}
        for id, seen in data.get("links", {}).items():
            at = Place(id, "edge")
            piece = (
                (seen["star"] if "star" in seen else game.admits(at)[0]) if seen["link"] else None
            )
            places[at] = _place(seen, piece)
        for piece in game.pieces:
            if piece.dial and piece.id in data:
                faces = Place(str(data[piece.id][piece.dial]), "dial")
                places[faces] = _place(data[piece.id], piece.id)
        tracks = {}
        for id, seen in data.items():
            if isinstance(seen, Mapping) and "count" in seen:
                (kind,) = game.admits(Place(id, "track", 0))
                count = seen["count"]
                tracks[id] = TrackReading(count, seen["confidence"], (kind,) * count)
        return cls(
            data["profile"],
            game.id,
            data.get("corners", ()),
            places,
            tracks,
            [LoosePiece(one["star"], one["at"]) for one in data.get("loose", ())],
            [_flag(one) for one in data.get("flags", ())],
            {
                id: RegionReading(seen["pieces"], seen["confidence"])
                for id, seen in data.get("regions", {}).items()
            },
            samples_left_out=data.get("samples") == LEFT_OUT,
        )

    def to_data(self, colours: bool = False) -> dict[str, Any]:
        """The board as JSON data; with `colours`, places also keep their measured colour."""
        kinds = [p.id for p in find_game(self.game).pieces if "edge" in p.lies_on]
        links = {
            place.id: {
                "link": read.piece is not None,
                **({"star": read.piece} if len(kinds) > 1 else {}),
                "confidence": round(read.confidence, 4),
                **({"colour": read.colour} if colours and read.colour else {}),
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
                name: {
                    "star": read.piece,
                    "confidence": round(read.confidence, 4),
                    **({"colour": read.colour} if colours and read.colour else {}),
                }
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
            **({"samples": LEFT_OUT} if self.samples_left_out else {}),
            "flags": [flag.to_data() for flag in self.flags],
        }

    def _dials(self) -> dict[str, Any]:
        """The region that each dial points at: {"new_moon": {"sector": 2, "confidence": 0.97}}."""
        words = {p.id: p.dial for p in find_game(self.game).pieces if p.dial}
        return {
            read.piece: {
                words[read.piece]: int(place.id) if place.id.isdigit() else place.id,
                "confidence": round(read.confidence, 4),
            }
            for place, read in self.places.items()
            if place.kind == "dial" and read.piece in words
        }


def _place(seen: Mapping[str, Any], piece: str | None) -> PlaceReading:
    return PlaceReading(piece, seen["confidence"], seen.get("colour"))


def _flag(data: Mapping[str, Any]) -> Flag:
    more = {key: value for key, value in data.items() if key not in OF_A_FLAG}
    return Flag(data["kind"], tuple(data.get("spaces", ())), more)
