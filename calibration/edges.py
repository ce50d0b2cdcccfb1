"""Corners set by hand, moved to where the board's edges really are.

A finger on a screen misses a corner by a few pixels; the board's four edges, each seen
along its whole length, tell where it is to a fraction of one.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# How far from the given side an edge is looked for, as a share of its length: far, then near.
REACHES = (0.025, 0.012)
BY_HAND = (
    0.006,
    0.003,
)  # corners that were set by hand: a frame printed beside the edge is farther
LEAST_REACH_PX, MOST_REACH_PX = 5.0, 40.0
SAMPLES = 160  # along a side
STEP_PX = 0.25  # across it
WIDTH_PX = 1.0  # of the smoothing across
CLEAR = 4.0  # grey levels a pixel: what counts as an edge
AS_CLEAR = 0.15  # and how clear it is at least beside the clearest
AGREEING = 0.6  # share of the samples that must lie on one line
OFF_LINE_PX = 0.7
TRIES = 1500
MOST_LINES, LINES_APART = 5, 2.5  # beside a side, and px between them
BESIDE, INSIDE = (1.5, 4.0), (6.0, 10.0)  # px from a line at which its sides are compared
SHADED = 0.95  # of its light that a table keeps in a shadow, at most
WIDEST = 22.0  # px that a shadow reaches beyond the board
DARK = 48.0  # a colour of the table that is darker tells nothing
GREY = 0.25  # how differently a shadow dims the three colours, in logarithms
UNLIKE = 0.12  # and how unlike what lies within the next line must be


def snap_corners(
    photo: npt.NDArray[np.uint8], corners: Floats, reaches: tuple[float, ...] = REACHES
) -> Floats:
    """Move corners onto the board's visible edges; (4, 2) px in, (4, 2) px out.

    `photo` is (H, W, 3) uint8 BGR, the corners clockwise. A side without a clear edge near
    the given one stays as given, and so does a corner whose sides lead too far away.
    """
    for share in reaches:
        corners = _snap(photo, corners, share)
    return corners


def _snap(photo: npt.NDArray[np.uint8], corners: Floats, share: float) -> Floats:
    longest = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())
    reach = float(np.clip(share * longest, LEAST_REACH_PX, MOST_REACH_PX))
    sides = [_snap_side(photo, corners[i], corners[(i + 1) % 4], reach) for i in range(4)]
    snapped = corners.copy()
    for i in range(4):
        meeting = _crossing(sides[i - 1], sides[i])
        if meeting is not None and np.linalg.norm(meeting - corners[i]) <= 1.6 * reach:
            snapped[i] = meeting
    return snapped


def _snap_side(
    photo: npt.NDArray[np.uint8], start: Floats, end: Floats, reach: float
) -> tuple[Floats, Floats]:
    """A side's line as (point, direction): on its edge, or as given."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    outward = np.array([along[1], -along[0]])  # clockwise with y down: outside is to the left
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
    seen = np.array(
        [
            (row, parts[row], offset)
            for row in range(SAMPLES)
            for offset in _edges_across(steepness[row], offsets)
        ]
    )
    lines: list[tuple[float, float]] = []  # from outside in
    while len(lines) < MOST_LINES and (line := _outer_line(seen)) is not None:
        lines.append(line)
        seen = seen[seen[:, 2] < line[1] + line[0] * seen[:, 1] - LINES_APART]

    def colours(line: tuple[float, float], beside: tuple[float, float]) -> Floats:
        """(SAMPLES, 3), the picture so many px outwards of a line."""
        reach = np.linspace(*beside, 6) + (line[1] + line[0] * parts)[:, None]
        spots = start + parts[:, None, None] * along + reach[..., None] * outward
        x, y = (np.ascontiguousarray(spots[..., i], np.float32) for i in (0, 1))
        taken = cv2.remap(photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken.mean(axis=1) + 1, float)

    if not lines:
        return start, along
    near = (inner for inner in lines[1:] if lines[0][1] - inner[1] < WIDEST)
    lit = (inner for inner in near if _is_shadow(colours, lines[0], inner))
    slope, height = next(lit, lines[0])
    return start + height * outward, along + slope * outward


def _is_shadow(
    colours: Callable[[tuple[float, float], tuple[float, float]], Floats],
    line: tuple[float, float],
    inner: tuple[float, float],
) -> bool:
    """Whether a line is where the board's shadow ends on the table, and the next is its edge.

    In a shadow the table is darker, and of the same colour; a board on the same side of its own
    edge as a printed frame is alike on both sides of that frame.
    """
    table, strip, board = (
        colours(line, BESIDE),
        colours(line, (-BESIDE[0], -BESIDE[1])),
        colours(inner, (-INSIDE[0], -INSIDE[1])),
    )
    lit = np.median(table, axis=0) > DARK
    darker = np.median(strip / table, axis=0)[lit if lit.sum() > 1 else slice(None)]
    print_ = np.abs(np.log(np.median(board / strip, axis=0))).max()
    return bool(
        darker.max() < SHADED and np.log(darker.max() / darker.min()) < GREY and print_ > UNLIKE
    )


def _edges_across(steepness: npt.NDArray[np.floating], offsets: Floats) -> list[float]:
    """Where the clear edges are on one line across a side."""
    inner = steepness[1:-1]
    peaks = 1 + np.flatnonzero((inner >= steepness[:-2]) & (inner > steepness[2:]))
    if not len(peaks):
        return []
    found = []
    for peak in peaks[steepness[peaks] >= max(CLEAR, AS_CLEAR * steepness[peaks].max())]:
        left, middle, right = (float(steepness[peak + i]) for i in (-1, 0, 1))
        bend = left - 2 * middle + right
        shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
        found.append(float(offsets[peak]) + shift * STEP_PX)
    return found


def _outer_line(seen: Floats) -> tuple[float, float] | None:
    """Slope and height of the outermost line that edges on most rows agree on.

    `seen` is (N, 3): row, place along the side, offset outwards. The board's own edge is
    the outermost: what lies inside it is a printed frame, often the clearer of the two.
    """
    if not len(seen):
        return None
    random = np.random.default_rng(0)
    rows, along, across = seen.T
    middle = float(np.median(along))
    best: tuple[float, npt.NDArray[np.bool_]] | None = None
    for one, other in random.integers(len(seen), size=(TRIES, 2)):
        if abs(along[other] - along[one]) < MOST_REACH_PX:
            continue
        slope = (across[other] - across[one]) / (along[other] - along[one])
        height = float(across[one] + slope * (middle - along[one]))
        if best is not None and height <= best[0]:
            continue
        near = np.abs(across - height - slope * (along - middle)) < OFF_LINE_PX
        if len(np.unique(rows[near])) >= AGREEING * SAMPLES:
            best = height, near
    if best is None:
        return None
    slope, height = np.polyfit(along[best[1]], across[best[1]], 1)
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
