"""Boards laid on a table, with stars at random on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import Profile, board_corners
from models.synthesis.texture import Rng
from models.synthesis.token import Token, random_set
from scorer.nebula import BLACK, COLOURS


@dataclass(frozen=True)
class PlacedBoard:
    """A board on the table and what lies on it. ``tokens`` are in mm on this board."""

    profile: Profile
    shift: np.ndarray
    turn: float
    warp: np.ndarray
    stars: dict[str, str]
    black: int
    tokens: tuple[Token, ...]

    def to_table(self, points: np.ndarray) -> np.ndarray:
        """(N, 2) mm on the flat board to (N, 2) mm on the table, the cardboard's warp included."""
        points = np.asarray(points, float).reshape(-1, 2)
        size = np.array(self.profile.size_mm)
        u = points / size - 0.5
        bent = points + np.column_stack([u[:, 0] ** 2, u[:, 0] * u[:, 1], u[:, 1] ** 2]) @ self.warp
        c, s = np.cos(self.turn), np.sin(self.turn)
        return (bent - size / 2) @ np.array([[c, s], [-s, c]]) + self.shift

    def corners(self) -> np.ndarray:
        """(4, 2) mm on the board, clockwise from the printed top-left."""
        return board_corners(self.profile.size_mm)


def lay_boards(rng: Rng, editions: Sequence[Profile]) -> list[PlacedBoard]:
    """None to four boards of one edition, apart from each other, the first at the origin."""
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.04, 0.8, 0.1, 0.03, 0.03]))
    same = editions[rng.integers(len(editions))]
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
    stars = random_set(rng)
    boards = []
    for column, row in cells[:count]:
        pitch = np.array([rng.uniform(255, 330), rng.uniform(265, 340)])
        turn = (
            rng.uniform(0, 2 * np.pi)
            if count == 1
            else rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.1)
        )
        shift = np.array([column, row]) * pitch + rng.normal(0, 5, 2)
        boards.append(_set_board(rng, same, shift, float(turn), stars))
    return boards


def _set_board(
    rng: Rng, profile: Profile, shift: np.ndarray, turn: float, kit: dict[str, Token]
) -> PlacedBoard:
    """Stars at random: any colour on any space, mostly as players leave them, sometimes not."""
    sloppy = abs(rng.normal(0.7, 0.7)) if rng.random() < 0.7 else rng.uniform(1, 3)
    names = list(profile.spaces)
    fewest = 0 if rng.random() < 0.5 else len(names) * 3 // 5
    filled = rng.permutation(names)[: int(rng.integers(fewest, len(names) + 1))]
    favour = rng.dirichlet(np.full(6, rng.uniform(0.6, 5)))
    stars, tokens = {}, []

    def put(star: str, at: tuple[float, float], spread: float) -> None:
        place = np.array(at) + np.clip(rng.normal(0, spread, 2), -4.5, 4.5)
        proto = kit[star]
        paint = tuple(
            np.clip(np.array(proto.paint) * rng.uniform(0.93, 1.07) + rng.normal(0, 3, 3), 2, 255)
        )
        token = replace(
            proto,
            at=(float(place[0]), float(place[1])),
            turn=rng.uniform(0, 2 * np.pi),
            paint=paint,
        )
        tokens.append(token)

    for name in filled:
        stars[name] = BLACK if rng.random() < 0.015 else str(rng.choice(COLOURS, p=favour))
        put(stars[name], profile.spaces[name].at, sloppy)
    slots = list(range(len(profile.track.at)))
    black = int(rng.integers(0, len(slots) + 1))
    used = rng.permutation(slots)[:black] if rng.random() < 0.08 else slots[:black]
    for slot in used:
        put(BLACK, profile.track.at[slot], sloppy * 1.2)
    width, height = profile.size_mm
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        at = rng.uniform((8, 8), (width - 8, height - 8))
        if (
            min(
                np.hypot(*(at - np.array(t.at)))
                for t in tokens or [replace(kit[BLACK], at=(-99, -99))]
            )
            > 15
        ):
            put(str(rng.choice([*COLOURS, BLACK])), (float(at[0]), float(at[1])), 0.1)
    warp = rng.normal(0, 1.0, (3, 2)) if rng.random() < 0.6 else np.zeros((3, 2))
    return PlacedBoard(profile, shift, turn, warp, stars, black, tuple(tokens))


def covers(board: PlacedBoard, at: np.ndarray, margin: float) -> bool:
    """Whether the (2,) table point lies on the board or within ``margin`` mm of it."""
    outline = board.to_table(board.corners()).astype(np.float32)
    return cv2.pointPolygonTest(outline, (float(at[0]), float(at[1])), True) > -margin
