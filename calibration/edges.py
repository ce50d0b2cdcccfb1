"""Corners set by hand, moved to where the board's edges really are.

A finger on a screen misses a corner by a few pixels; the board's four edges, each seen
along its whole length, tell where it is to a fraction of one.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

REACH = 0.012  # how far from the given side an edge is looked for, as a share of its length
LEAST_REACH_PX, MOST_REACH_PX = 5.0, 24.0
SAMPLES = 160  # along a side
STEP_PX = 0.25  # across it
WIDTH_PX = 1.0  # of the smoothing across
CLEAR = 6.0  # grey levels a pixel: what counts as an edge
AS_CLEAR = 0.45  # an outer edge this strong, beside the strongest, is the board's own
AGREEING = 0.5  # share of the samples that must lie on one line
OFF_LINE_PX = 0.8


def snap_corners(photo: npt.NDArray[np.uint8], corners: Floats) -> Floats:
    """Move corners onto the board's visible edges; (4, 2) px in, (4, 2) px out.

    `photo` is (H, W, 3) uint8 BGR, the corners clockwise. A side without a clear edge near
    the given one stays as given, and so does a corner whose sides lead too far away.
    """
    sides = [_snap_side(photo, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    snapped = corners.copy()
    for i in range(4):
        meeting = _crossing(sides[i - 1], sides[i])
        reach = max(_reach(corners[i - 1], corners[i]), _reach(corners[i], corners[(i + 1) % 4]))
        if meeting is not None and np.linalg.norm(meeting - corners[i]) <= 1.6 * reach:
            snapped[i] = meeting
    return snapped


def _reach(start: Floats, end: Floats) -> float:
    length = float(np.linalg.norm(end - start))
    return float(np.clip(REACH * length, LEAST_REACH_PX, MOST_REACH_PX))


def _snap_side(photo: npt.NDArray[np.uint8], start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """A side's line as (point, direction): on its edge, or as given."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    outward = np.array([along[1], -along[0]])  # clockwise with y down: outside is to the left
    reach = _reach(start, end)
    parts = np.linspace(0.04, 0.96, SAMPLES) * length
    offsets = np.arange(-reach, reach + STEP_PX / 2, STEP_PX)
    spots = start + parts[:, None, None] * along + offsets[None, :, None] * outward
    strip = cv2.remap(
        photo,
        np.ascontiguousarray(spots[..., 0], np.float32),
        np.ascontiguousarray(spots[..., 1], np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    smooth = cv2.GaussianBlur(strip, (0, 0), WIDTH_PX / STEP_PX, sigmaY=1.0)
    steepness = np.abs(np.gradient(smooth, STEP_PX, axis=1)).max(axis=2)
    found = [(part, _outer_edge(row, offsets)) for part, row in zip(parts, steepness, strict=True)]
    points = np.array([(part, offset) for part, offset in found if offset is not None])
    line = _line_through(points) if len(points) >= AGREEING * SAMPLES else None
    if line is None:
        return start, along
    slope, height = line
    return start + height * outward, along + slope * outward


def _outer_edge(steepness: npt.NDArray[np.floating], offsets: Floats) -> float | None:
    """The outermost clear edge on one line across a side: a frame printed inside is another."""
    inner = steepness[1:-1]
    peaks = 1 + np.flatnonzero((inner >= steepness[:-2]) & (inner > steepness[2:]))
    if not len(peaks):
        return None
    strongest = float(steepness[peaks].max())
    if strongest < CLEAR:
        return None
    peak = int(peaks[steepness[peaks] >= max(CLEAR, AS_CLEAR * strongest)].max())
    left, middle, right = (float(steepness[peak + i]) for i in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(offsets[peak]) + shift * STEP_PX


def _line_through(points: Floats) -> tuple[float, float] | None:
    """Slope and height of the line on which most of the (along, across) points lie."""
    random = np.random.default_rng(0)
    best: npt.NDArray[np.bool_] | None = None
    for _ in range(80):
        one, other = points[random.choice(len(points), 2, replace=False)]
        slope = (other[1] - one[1]) / (other[0] - one[0])
        near = np.abs(points[:, 1] - one[1] - slope * (points[:, 0] - one[0])) < OFF_LINE_PX
        if best is None or near.sum() > best.sum():
            best = near
    if best is None or best.sum() < AGREEING * SAMPLES:
        return None
    slope, height = np.polyfit(points[best, 0], points[best, 1], 1)
    return float(slope), float(height)


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines, each (point, direction), meet; None for parallel ones."""
    (p, d), (q, e) = one, other
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-6:
        return None
    gap = q - p
    meeting: Floats = p + d * ((gap[0] * e[1] - gap[1] * e[0]) / across)
    return meeting
