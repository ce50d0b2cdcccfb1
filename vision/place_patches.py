"""Place patches: each place of a board cut out upright and at one size.

Patches have the same scale on all boards: a place reaches `INNER` of the way from the centre of its
patch to the side. An oblong one is along the patch's rows, which are closer together the more
oblong it is, so that a narrow place is resolved as finely as a round one.
"""

import math
from collections.abc import Collection
from functools import cache, partial

import cv2
import numpy as np

from scorer.places import Bar, Shape
from vision.board_colours import coordinates

PATCH_PX = 28
INNER = 1 / 1.6
_BLURS = (0.0, 0.8, 1.2, 1.7, 2.4, 3.4)
"""Standard deviations, in px, of the blurs that a board may have."""
_SAMPLED = 7
_TELLING = 0.4
"""Share of a place used to determine the colour of its piece."""
_FINER = 1.2
"""Resolution of the source picture relative to its patches."""


def patch_grid(shapes: Collection[Shape]) -> np.ndarray:
    """(N, P, P, 2) mm on the board, the pixels of each place's patch."""
    steps = (np.arange(PATCH_PX) + 0.5) / PATCH_PX * 2 - 1
    x, y = np.meshgrid(steps, steps)
    grids = []
    for shape in shapes:
        turn = math.radians(shape.turn) if isinstance(shape, Bar) else 0.0
        c, s = math.cos(turn), math.sin(turn)
        reach, y_ = shape.radius / INNER, y * _across(shape)
        grids.append(np.stack([c * x - s * y_, s * x + c * y_], axis=-1) * reach + shape.at)
    return np.array(grids).reshape(-1, PATCH_PX, PATCH_PX, 2)


def patch_masks(shapes: Collection[Shape]) -> np.ndarray:
    """(N, P, P) uint8, 255 on the place itself."""
    steps = ((np.arange(PATCH_PX) + 0.5) / PATCH_PX * 2 - 1) / INNER
    x, y = np.meshgrid(steps, steps)
    masks = []
    for shape in shapes:
        if isinstance(shape, Bar):
            length, width = (side / 2 / shape.radius for side in shape.size)
            masks.append((np.abs(x) <= length) & (np.abs(y) * _across(shape) <= width))
        else:
            masks.append(np.hypot(x, y) <= 1)
    return np.array(masks, np.uint8).reshape(-1, PATCH_PX, PATCH_PX) * 255


def _across(shape: Shape) -> float:
    """Extent of a place's patch across it, relative to along it."""
    return math.sqrt(min(shape.size) / max(shape.size)) if isinstance(shape, Bar) else 1.0


def cut(picture: np.ndarray, grid_px: np.ndarray) -> np.ndarray:
    """(N, P, Q, ...) samples of an (H, W, ...) uint8 picture at (N, P, Q, 2) px."""
    if not len(grid_px):
        return np.zeros((*grid_px.shape[:3], *picture.shape[2:]), picture.dtype)
    x, y = grid_px.reshape(-1, grid_px.shape[2], 2).astype(np.float32).transpose(2, 0, 1)
    flat = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat.reshape(*grid_px.shape[:3], *picture.shape[2:]))


def piece_colours(photo: np.ndarray, print_: np.ndarray, on: np.ndarray) -> np.ndarray:
    """(N, 3) colours on each place where it differs most from the print, which may show as well.

    ``photo`` and ``print_`` are (N, P, P, 3) uint8 patches, ``on`` (N, P, P) the masks of the
    places. So a piece half beside its place has its own colour, not that of the bare part. Hue
    counts for more than brightness in the difference: a shadow beside a piece is not a piece.
    """
    shown, known, there = (
        one[:, ::2, ::2].reshape(len(one), -1, *one.shape[3:]) for one in (photo, print_, on > 0)
    )
    apart = coordinates(shown.reshape(-1, 3)) - coordinates(known.reshape(-1, 3))
    away = np.linalg.norm(apart, axis=1).reshape(there.shape)
    away[~there] = -1
    count = np.maximum(1, (_TELLING * there.sum(axis=1)).astype(int))
    order = np.argsort(-away, axis=1)
    rank = np.argsort(order, axis=1)
    patches = np.where((rank < count[:, None])[..., None], shown.astype(np.int16), 256)
    middle = np.sort(patches, axis=1)[np.arange(len(patches)), count // 2]
    return np.asarray(middle, float)


class BlurredReference:
    """A reference, (H, W, 3) uint8, blurred to match pictures of its board.

    A fine outline smeared by a camera fills its place as a piece would. The blur is chosen so that
    most of the board, where ``mask`` (H, W) bool is true, agrees best.
    """

    def __init__(self, reference: np.ndarray, mask: np.ndarray) -> None:
        self._picture = cache(partial(_blur, reference))
        self._chosen = np.flatnonzero(mask)[::_SAMPLED]
        known = cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY)
        self._sampled = [_blur(known, sigma).ravel()[self._chosen] for sigma in _BLURS]

    def like(self, board: np.ndarray, more: int = 0) -> np.ndarray:
        """The reference as blurred as ``board``, which is in its light, or by ``more`` steps."""
        seen = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY).ravel()[self._chosen]
        apart = [cv2.absdiff(seen, known).mean() for known in self._sampled]
        step = int(np.argmin(apart)) + more
        return self._picture(_BLURS[min(max(step, 0), len(_BLURS) - 1)])


def _blur(picture: np.ndarray, sigma: float) -> np.ndarray:
    return picture if sigma == 0 else cv2.GaussianBlur(picture, (0, 0), sigma)


def canvas_side(size_mm: tuple[float, float], shapes: Collection[Shape]) -> int:
    """Side in px of a canvas on which the smallest place is as fine as its patch."""
    smallest = min(shape.radius for shape in shapes)
    fine = PATCH_PX / 2 * INNER / smallest * _FINER
    return int(np.clip(round(fine * max(size_mm)), 384, 1024))
