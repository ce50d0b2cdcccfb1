"""Boards laid on a table, with pieces at random on them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import Profile, board_corners
from models.synthesis.plugin import Synthesis, synthesis
from models.synthesis.position import pick, region_spots, regions
from models.synthesis.texture import Rng
from models.synthesis.token import Token
from scorer.places import Bar, Place, Point, Shape, inside

_SPREAD = 4.5
"""mm, the farthest that a piece lies off the middle of its place."""
_ASKEW = 0.15
"""Radians by which a bar may lie askew."""
_CLEAR = 15.0
"""mm, how far from other pieces one that lies on no place must be."""


@dataclass(frozen=True)
class PlacedBoard:
    """A board on the table: its middle at ``shift`` (2,) mm, turned by ``turn`` radians.

    ``warp`` (3, 2) mm is how the cardboard bends. ``pieces`` lie on its places, ``tokens`` are what
    is seen of them, in mm on this board.
    """

    profile: Profile
    shift: np.ndarray
    turn: float
    warp: np.ndarray
    pieces: Mapping[Place, str]
    tokens: tuple[Token, ...]

    def to_table(self, points: np.ndarray) -> np.ndarray:
        """(N, 2) mm on the flat board to (N, 2) mm on the table, the cardboard's warp included."""
        points = np.asarray(points, float).reshape(-1, 2)
        size = np.array(self.profile.size_mm)
        u = points / size - 0.5
        bent = points + np.column_stack([u[:, 0] ** 2, u[:, 0] * u[:, 1], u[:, 1] ** 2]) @ self.warp
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray((bent - size / 2) @ np.array([[c, s], [-s, c]]) + self.shift)

    def on_table(self, token: Token) -> Token:
        """The token, which is in mm on this board, in mm on the table."""
        x, y = self.to_table(np.array([token.at]))[0]
        turn = (token.turn + self.turn) % (2 * np.pi)
        return replace(token, at=(float(x), float(y)), turn=float(turn))

    def corners(self) -> np.ndarray:
        """(4, 2) mm on the board, clockwise from the printed top-left."""
        return board_corners(self.profile.size_mm)


def lay_boards(rng: Rng, profile: Profile) -> list[PlacedBoard]:
    """None to four boards of one edition, apart from each other, the first at the origin."""
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.04, 0.8, 0.1, 0.03, 0.03]))
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
    game, longer = synthesis(profile.layout.game), max(profile.size_mm)
    token_set = game.token_set(rng, profile)
    boards = []
    for column, row in cells[:count]:
        pitch = np.array(
            [rng.uniform(longer + 15, longer + 90), rng.uniform(longer + 25, longer + 100)]
        )
        turn = (
            rng.uniform(0, 2 * np.pi)
            if count == 1
            else rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.1)
        )
        shift = np.array([column, row]) * pitch + rng.normal(0, 5, 2)
        boards.append(set_board(rng, game, profile, shift, float(turn), token_set))
    return boards


def set_board(
    rng: Rng,
    game: Synthesis,
    profile: Profile,
    shift: np.ndarray,
    turn: float,
    token_set: Mapping[str, Token],
) -> PlacedBoard:
    """Pieces at random, mostly in the middle of their places, sometimes not."""
    sloppy = abs(rng.normal(0.7, 0.7)) if rng.random() < 0.7 else rng.uniform(1, 3)
    pieces: dict[Place, str] = {}
    tokens: list[Token] = []

    def put(piece: str, at: Point, spread: float, on: Shape | None = None) -> None:
        x, y = np.array(at) + np.clip(rng.normal(0, spread, 2), -_SPREAD, _SPREAD)
        proto = token_set[piece]
        b, g, r = np.clip(
            np.array(proto.paint) * rng.uniform(0.93, 1.07) + rng.normal(0, 3, 3), 2, 255
        )
        turned = laid_turn(proto, rng.uniform(0, 2 * np.pi), on)
        tokens.append(replace(proto, at=(float(x), float(y)), turn=turned, paint=(b, g, r)))

    spots = {region: region_spots(rng, profile, region) for region in regions(profile)}
    for place, piece in game.position(rng, profile):
        shape = profile.places[place.whole]
        if place.kind == "region":
            if place.slot == len(spots[place.whole]):  # it is full
                continue
            put(piece, spots[place.whole][place.slot], 0.0)
        elif piece in token_set:
            put(piece, shape.at, sloppy * 1.2 if place.kind == "track" else sloppy, shape)
        pieces[place] = piece
    loose = [piece.id for piece in profile.game.pieces if piece.id in token_set]
    width, height = profile.size_mm
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        at = rng.uniform((8, 8), (width - 8, height - 8))
        away = [np.hypot(*(at - np.array(token.at))) for token in tokens]
        middle = (float(at[0]), float(at[1]))
        lies_in = any(inside(profile.places[region], middle) for region in spots)
        if min(away, default=np.inf) > _CLEAR and not lies_in:
            put(pick(rng, loose), middle, 0.1)
    warp = rng.normal(0, 1.0, (3, 2)) if rng.random() < 0.6 else np.zeros((3, 2))
    shown = game.board(rng, profile, pieces)
    return PlacedBoard(shown, shift, turn, warp, pieces, tuple(tokens))


def laid_turn(token: Token, turn: float, on: Shape | None) -> float:
    """How a token that is turned anyhow, 0 to 2 pi, comes to lie: a bar along its oblong place."""
    if token.bar is None or not isinstance(on, Bar):
        return turn
    return float(np.radians(on.turn)) + _ASKEW * (turn / np.pi - 1)


def covers(board: PlacedBoard, at: np.ndarray, margin: float) -> bool:
    """Whether the (2,) table point lies on the board or within ``margin`` mm of it."""
    outline = board.to_table(board.corners()).astype(np.float32)
    return cv2.pointPolygonTest(outline, (float(at[0]), float(at[1])), True) > -margin
