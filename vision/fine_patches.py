"""Fine patches: places at the photograph's resolution, all those of one kind cut alike.

The network's patches are so small that ridges, edges and print are smoothed away. These are cut
from the photograph itself, each of the same size in mm.
"""

import math
from collections.abc import Sequence
from copy import copy

import cv2
import numpy as np

from scorer.places import Bar, Shape
from vision.place_patches import INNER

FINE_PX = 64
COLOUR_PX = FINE_PX // 2
"""Side of the patches used for colours, which are noisier."""
_CONTROL = 5
"""Number of points along each side that are mapped to a photograph; it is linear in between."""
_OFFSET = 64.0
_ALIKE = 0.05
"""Weight of the light of all places as a prior for the light on one."""


class FinePlaces:
    """Places of one kind, all treated as having the median size."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        """``shapes`` are one or more, all of them bars or none."""
        self.at = np.array([shape.at for shape in shapes], float)
        bars = [shape for shape in shapes if isinstance(shape, Bar)]
        self.oblong = len(bars) == len(shapes)
        turns = [bar.turn for bar in bars] if self.oblong else [0.0] * len(shapes)
        self.turn = np.radians(turns)
        reach = float(np.median([shape.radius for shape in shapes]))
        self.half = np.full(2, reach)
        """Half the length and width of a place, in mm."""
        if self.oblong:
            self.half = np.median([bar.size for bar in bars], axis=0) / 2
        across = math.sqrt(min(self.half) / max(self.half)) if self.oblong else 1.0
        self.reach = np.array([reach, reach * across]) / INNER
        """Half the length and width of a patch, along the place and across it, in mm."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        self.onto_board = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], axis=1)
        """(N, 2, 2) from (along, across) a place to the board's (x, y)."""

    def some(self, chosen: np.ndarray) -> "FinePlaces":
        """The ``chosen`` places, (N,) bool, at the same size."""
        part = copy(self)
        part.at, part.turn = self.at[chosen], self.turn[chosen]
        part.onto_board = self.onto_board[chosen]
        return part

    def own_mm(self, side: int) -> np.ndarray:
        """(S, S, 2) mm along and across the place, from its centre, of each px of a patch."""
        steps = (np.arange(side) + 0.5) / side * 2 - 1
        return np.stack(np.meshgrid(*(steps * reach for reach in self.reach)), axis=-1)

    def control_mm(self) -> np.ndarray:
        """(N * C * C, 2) mm on the board, the control points of all patches."""
        edge = 1 - 1 / FINE_PX
        steps = np.linspace(-edge, edge, _CONTROL)
        own = np.stack(np.meshgrid(*(steps * reach for reach in self.reach)), axis=-1)
        turned = np.einsum("nij,yxj->nyxi", self.onto_board, own)
        return np.asarray((turned + self.at[:, None, None]).reshape(-1, 2))

    def on(self, side: int, grown: float = 1.0) -> np.ndarray:
        """(S, S) bool, true on the place itself."""
        along, across = np.moveaxis(np.abs(self.own_mm(side)) / (grown * self.half), -1, 0)
        inside = np.maximum(along, across) if self.oblong else np.hypot(along, across)
        return np.asarray(inside <= 1)

    def cut(self, picture: np.ndarray, control_px: np.ndarray) -> np.ndarray:
        """(N, F, F, 3) uint8 patches of an (H, W, 3) picture, by the px of `control_mm`."""
        control = control_px.reshape(-1, _CONTROL, _CONTROL, 2)
        at = np.linspace(0, _CONTROL - 1, FINE_PX)[:, None] - np.arange(_CONTROL)
        between = np.maximum(0, 1 - np.abs(at))
        grid = np.einsum("yi,nijk,xj->nyxk", between, control, between, optimize=True)
        step = np.median(np.linalg.norm(np.diff(grid, axis=2), axis=-1))
        if step >= 2:
            shrunk = picture.shape[1] // int(step), picture.shape[0] // int(step)
            scale = np.array(shrunk) / picture.shape[1::-1]
            picture = cv2.resize(picture, shrunk, interpolation=cv2.INTER_AREA)
            grid = (grid + 0.5) * scale - 0.5
        x, y = grid.reshape(-1, FINE_PX, 2).astype(np.float32).transpose(2, 0, 1)
        flat = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat.reshape(-1, FINE_PX, FINE_PX, 3))


def halved(patches: np.ndarray) -> np.ndarray:
    """(N, C, C, 3) uint8 of (N, F, F, 3), each px the mean of four."""
    rows = patches[:, ::2].astype(np.uint16) + patches[:, 1::2]
    return np.asarray((rows[:, :, ::2] + rows[:, :, 1::2]) // 4).astype(np.uint8)


def in_light(patches: np.ndarray, raw: np.ndarray, lit: np.ndarray) -> np.ndarray:
    """(N, C, C, 3) patches of a photograph, in the light that turns ``raw`` into ``lit``.

    ``raw`` and ``lit`` (N, P, P, 3) uint8 are coarser patches of the same places.
    """
    seen, known = (one.reshape(len(one), -1, 3).astype(float) for one in (raw, lit))
    terms = np.concatenate([seen, np.full((*seen.shape[:2], 1), _OFFSET)], axis=2)
    normal = terms.transpose(0, 2, 1) @ terms
    pulled = terms.transpose(0, 2, 1) @ known
    usual = np.linalg.solve(normal.sum(axis=0) + 1e-3 * np.eye(4), pulled.sum(axis=0))
    prior = _ALIKE * np.trace(normal.mean(axis=0)) / 4 * np.eye(4)
    light = np.linalg.solve(normal + prior, pulled + prior @ usual)
    fine = patches.reshape(len(patches), -1, 3).astype(float)
    shown = fine @ light[:, :3] + _OFFSET * light[:, 3:]
    return np.asarray(np.clip(shown, 0, 255).astype(np.uint8).reshape(patches.shape))
