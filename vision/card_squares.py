"""Squares cut at places of cards: aligned with a picture, and compared where they are bare."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.card_geometry import corner_distance
from vision.card_likeness import mirrored
from vision.rectify import transform, warp

FINE_PX = 64
"""Side of the square in which a place is compared with the likeliest pictures."""
_FAINT = 4.0
"""Least standard deviation, in grey levels, of what is compared."""
_HARDLY_COVERED, _RIM_PX = 0.97, 5
"""Share of a picture that is bare from which the covered rest counts, too; width about a cover that
is ignored."""


def cut(image: np.ndarray, corners: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) the picture at (4, 2) corners of an image."""
    return warp(image, onto_square(corners, side), (side, side))


def aligned(
    seen: np.ndarray,
    corners: np.ndarray,
    known: np.ndarray,
    motion: int = cv2.MOTION_HOMOGRAPHY,
    bare: np.ndarray | None = None,
) -> np.ndarray:
    """(4, 2) corners moved so that the picture there, `seen`, is aligned with a known one.

    Only what is `bare`, (S, S) bool, is compared. The same corners if that fails: enhanced
    correlation (Evangelidis and Psarakis, 2008).
    """
    side = known.shape[0]
    template, moving = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (known, seen))
    moved = np.eye(3, dtype=np.float32)
    where = np.ones((side, side), np.uint8) if bare is None else bare.astype(np.uint8)
    glossy = mirrored(seen)
    if glossy is not None:
        where[glossy] = 0
    begin = moved if motion == cv2.MOTION_HOMOGRAPHY else moved[:2]
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, found = cv2.findTransformECC(template, moving, begin, motion, steps, where, 5)
    except cv2.error:  # it did not converge
        return corners
    moved[: len(found)] = found
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], float) - 0.5
    exact = transform(np.linalg.inv(onto_square(corners, side)) @ moved, square)
    is_near = corner_distance(exact, corners) < 0.25 * np.ptp(corners, axis=0).max()
    return exact if is_near else corners


def outside(corners: np.ndarray, above: Sequence[np.ndarray], side: int = FINE_PX) -> np.ndarray:
    """(S, S) bool, what (4, 2) outlines leave bare of the picture at (4, 2) corners."""
    onto = onto_square(corners, side)
    bare = np.ones((side, side), np.uint8)
    for outline in above:
        within = np.clip(transform(onto, outline), -8 * side, 9 * side)
        cv2.fillConvexPoly(bare, np.rint(within).astype(np.int32), 0)
    rim = round(_RIM_PX * side / FINE_PX)
    return np.asarray(cv2.erode(bare, np.ones((rim, rim))) > 0)


def bare_of(corners: np.ndarray, above: Sequence[np.ndarray], side: int) -> np.ndarray | None:
    """The same of the outlines that overlap the picture; None if hardly any of it is covered."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    near = [
        one for one in above if (one.max(axis=0) > low).all() and (one.min(axis=0) < high).all()
    ]
    if not near:
        return None
    bare = outside(corners, near, side)
    return bare if bare.mean() < _HARDLY_COVERED else None


def correlations(seen: np.ndarray, known: np.ndarray, bare: np.ndarray) -> np.ndarray:
    """(P, N) the correlations of (P, S, S, 3) pictures with known ones, (N, S · S · 3).

    Only what is `bare`, (P, S, S) bool, is compared; known pictures are standardised.
    """
    within = bare.reshape(len(bare), -1, 1).astype(np.float32)
    many = np.maximum(within.sum(axis=1), 1)
    shown = within * seen.reshape(*within.shape[:2], 3)
    shown -= within * (shown.sum(axis=1) / many)[:, None]
    mean = [within[..., 0] @ known[:, channel::3].T / many for channel in range(3)]
    spread = np.repeat(within, 3, axis=2).reshape(len(bare), -1) @ (known**2).T / many
    spread = np.maximum(spread - sum(one**2 for one in mean), 1e-9)
    strength = np.maximum((shown**2).sum(axis=(1, 2))[:, None] / many, 3 * _FAINT**2)
    common = shown.reshape(len(bare), -1) @ known.T / many
    return np.asarray(common / np.sqrt(spread * strength))


def squared(picture: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) a whole picture."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    return cut(picture, corners, side)


def onto_square(corners: np.ndarray, side: int) -> np.ndarray:
    """(3, 3) from px of a picture with (4, 2) `corners` to a square of `side` px."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
