"""Move corners set by hand to the board's true edges.

A finger on a screen misses a corner by a few pixels; the board's four edges, each visible along its
whole length, locate it to a fraction of one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats

# Search range for an edge, as a share of the side's length: far, then near.
REACHES = (0.025, 0.012)
BY_HAND = (
    0.006,
    0.003,
)  # for corners set by hand: a frame printed beside the edge is farther
LEAST_REACH_PX, MOST_REACH_PX = 5.0, 40.0
SAMPLES = 160  # along a side
PARTS = (0.04, 0.96)  # range of the side that is sampled
FARTHEST, LEAST_FARTHER = 0.12, 0.025  # shares of a side by which it may continue beyond a line
GOING_ON = 0.8  # share of the continuation that must look like the same edge,
STEP_LEVELS = 6.0  # whose step has at least this contrast
STEP_PX = 0.25  # sampling step across the side
WIDTH_PX = 1.0  # smoothing across the side
CLEAR = 4.0  # least gradient of an edge, in grey levels per pixel
AS_CLEAR = 0.15  # and relative to the strongest
AGREEING = 0.6  # share of the samples that must be on one line
OFF_LINE_PX = 0.7
TRIES = 1500
MOST_LINES, LINES_APART = 5, 2.5  # lines per side, and px between them
BESIDE, INSIDE = (1.5, 4.0), (6.0, 10.0)  # px from a line at which its two sides are compared
SHADED = 0.95  # largest share of its light that a table keeps in a shadow
WIDEST = 22.0  # px by which a shadow extends beyond the board
DARK = 48.0  # darker channels of the table are ignored
GREY = 0.25  # how much a shadow's dimming varies between channels, in logarithms
AS_FAR = 0.25  # largest log ratio of two distances that count as the same
UNLIKE = 0.12  # least log difference of the board within the next line


def snap_corners(
    photo: npt.NDArray[np.uint8], corners: Floats, reaches: tuple[float, ...] = REACHES
) -> Floats:
    """Move corners onto the board's visible edges; (4, 2) px in, (4, 2) px out.

    `photo` is (H, W, 3) uint8 BGR, the corners clockwise. A side without a clear edge nearby is
    kept, and so is a corner whose sides would move it too far.
    """
    for share in reaches:
        corners = _snap(photo, corners, share)
    return corners


def extend_sides(photo: npt.NDArray[np.uint8], corners: Floats) -> Floats:
    """Move corners (4, 2) px to where the board's sides end; the same array if they already do.

    A line printed across the board may be mistaken for one of its edges: then both sides that it
    meets continue beyond it.
    """
    found = corners
    for i in range(4):
        one, other = corners[i], corners[(i + 1) % 4]
        before, after = one - corners[i - 1], other - corners[(i + 2) % 4]
        farther = min(_goes_on(photo, one, before, 1.0), _goes_on(photo, other, after, -1.0))
        if farther > LEAST_FARTHER:
            found = found.copy() if found is corners else found
            found[i], found[(i + 1) % 4] = one + farther * before, other + farther * after
            return found
    return found


def _goes_on(photo: npt.NDArray[np.uint8], corner: Floats, side: Floats, clockwise: float) -> float:
    """The share of a side (2,) px by which the same edge continues beyond a corner (2,) px."""
    length = float(np.linalg.norm(side))
    along = side / length
    across = clockwise * _outward(along)
    parts = np.concatenate([np.linspace(-0.2, -0.02, 40), np.linspace(0.005, FARTHEST, 40)])
    reach = np.array([[2.5, 3.5, 4.5], [-2.5, -3.5, -4.5]])
    spots = corner + parts[:, None, None, None] * side + reach[..., None] * across
    flat = spots.reshape(len(parts), 6, 2).astype(np.float32)
    seen = cv2.remap(photo, flat[..., 0].copy(), flat[..., 1].copy(), cv2.INTER_LINEAR)
    step = np.diff(seen.reshape(len(parts), 2, 3, -1).astype(float).mean(axis=2), axis=1)[:, 0]
    usual = np.median(step[:40], axis=0)
    alike = step[40:] @ usual / max(float(usual @ usual), STEP_LEVELS**2)
    share = np.cumsum((alike > 0.5) & (alike < 2.0)) / np.arange(1, 41)
    on = np.flatnonzero(share >= GOING_ON)
    return float(parts[40 + on[-1]]) if len(on) else 0.0


def _snap(photo: npt.NDArray[np.uint8], corners: Floats, share: float) -> Floats:
    longest = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())
    reach = float(np.clip(share * longest, LEAST_REACH_PX, MOST_REACH_PX))
    beside = [_lines_beside(photo, corners[i], corners[(i + 1) % 4], reach) for i in range(4)]
    sides = _edges_of_board(beside, corners, aspect_of(corners, photo.shape))
    snapped = corners.copy()
    for i in range(4):
        meeting = _crossing(sides[i - 1], sides[i])
        if meeting is not None and np.linalg.norm(meeting - corners[i]) <= 1.6 * reach:
            snapped[i] = meeting
    return snapped


@dataclass(frozen=True, eq=False)
class _Side:
    """A given side and the lines beside it, (slope, height) each, from the outside in.

    `shaded` is the index of the edge if the outermost line is the end of a shadow.
    """

    start: Floats
    along: Floats
    length: float
    lines: tuple[tuple[float, float], ...]
    shaded: int

    def line(self, number: int) -> tuple[Floats, Floats]:
        """A line as (point, direction); the side itself if it has no lines."""
        if not self.lines:
            return self.start, self.along
        slope, height = self.lines[number]
        outward = _outward(self.along)
        return self.start + height * outward, self.along + slope * outward

    @property
    def candidates(self) -> tuple[int, ...]:
        """Indices of the lines that may be the edge, the likelier first."""
        return (self.shaded, 0) if self.shaded else (0,)


def _edges_of_board(
    sides: Sequence[_Side], corners: Floats, aspect: float
) -> list[tuple[Floats, Floats]]:
    """Each side's line as (point, direction): on its edge, or as given.

    A printed frame has the same distance from the edge on all sides, so the choice of edges that
    gives the most equal distances is taken; without any, the likelier lines are.
    """
    size = np.array([aspect, 1.0], np.float32)
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size
    to_flat = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), flat)
    depths = []
    for number, side in enumerate(sides):
        lines = [side.line(i) for i in range(len(side.lines))]
        middles = np.array([point + side.length / 2 * along for point, along in lines])
        there = cv2.perspectiveTransform(middles.reshape(1, -1, 2), to_flat)[0] if lines else []
        depths.append(np.array([point[1 - number % 2] for point in there]))

    def framed(choice: tuple[int, ...]) -> int:
        """The number of line pairs on two sides at equal distances inside their edges."""
        insets = [np.abs(at[i + 1 :] - at[i : i + 1]) for at, i in zip(depths, choice, strict=True)]
        return sum(
            int((np.abs(np.log(one[:, None] / other)) < AS_FAR).any(axis=1).sum())
            for one, other in combinations(insets, 2)
        )

    chosen = max(product(*(side.candidates for side in sides)), key=framed)
    return [side.line(number) for side, number in zip(sides, chosen, strict=True)]


def _lines_beside(photo: npt.NDArray[np.uint8], start: Floats, end: Floats, reach: float) -> _Side:
    """A side with the lines within `reach` px of it."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    outward = _outward(along)
    parts = np.linspace(*PARTS, SAMPLES) * length
    seen = edges_beside(photo, start, end, reach)
    lines: list[tuple[float, float]] = []  # from the outside in
    while len(lines) < MOST_LINES and (line := _outer_line(seen)) is not None:
        lines.append(line)
        seen = seen[seen[:, 2] < line[1] + line[0] * seen[:, 1] - LINES_APART]

    def colours(line: tuple[float, float], beside: tuple[float, float]) -> Floats:
        """(SAMPLES, 3), the mean colours in a strip beside a line."""
        reach = np.linspace(*beside, 6) + (line[1] + line[0] * parts)[:, None]
        spots = start + parts[:, None, None] * along + reach[..., None] * outward
        x, y = (np.ascontiguousarray(spots[..., i], np.float32) for i in (0, 1))
        taken = cv2.remap(photo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken.mean(axis=1) + 1, float)

    shaded = (
        number
        for number, inner in enumerate(lines)
        if number and lines[0][1] - inner[1] < WIDEST and _is_shadow(colours, lines[0], inner)
    )
    return _Side(start, along, length, tuple(lines), next(shaded, 0))


def edges_beside(photo: npt.NDArray[np.uint8], start: Floats, end: Floats, reach: float) -> Floats:
    """(N, 3), the clear edges within `reach` px of a side: row, px along it, px outwards.

    On `SAMPLES` rows across the side; clockwise with y down, the outside is to the left.
    """
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    parts = np.linspace(*PARTS, SAMPLES) * length
    offsets = np.arange(-reach, reach + STEP_PX / 2, STEP_PX)
    spots = start + parts[:, None, None] * along + offsets[None, :, None] * _outward(along)
    strip = cv2.remap(
        photo,
        np.ascontiguousarray(spots[..., 0], np.float32),
        np.ascontiguousarray(spots[..., 1], np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    smooth = cv2.GaussianBlur(strip, (0, 0), WIDTH_PX / STEP_PX, sigmaY=1.0)
    steepness = np.abs(np.gradient(smooth, STEP_PX, axis=1)).max(axis=2)
    seen = [
        (row, parts[row], offset)
        for row in range(SAMPLES)
        for offset in _edges_across(steepness[row], offsets)
    ]
    return np.array(seen, float).reshape(-1, 3)


def _outward(along: Floats) -> Floats:
    return np.array([along[1], -along[0]])


def _is_shadow(
    colours: Callable[[tuple[float, float], tuple[float, float]], Floats],
    line: tuple[float, float],
    inner: tuple[float, float],
) -> bool:
    """Whether a line is the end of the board's shadow on the table, and the next is its edge.

    In a shadow the table is darker, but of the same colour. Unlike the board at its edge, the print
    looks the same on both sides of a printed frame.
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
    """Offsets of the clear edges on one line across a side."""
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

    `seen` is (N, 3): row, position along the side, offset outwards. The board's own edge is the
    outermost: further in there is a printed frame, often the clearer of the two.
    """
    if not len(seen):
        return None
    pairs = seen[np.random.default_rng(0).integers(len(seen), size=(TRIES, 2))]
    rows, along, across = seen.T
    middle = float(np.median(along))
    _, run, rise = (pairs[:, 1] - pairs[:, 0]).T
    far = np.abs(run) >= MOST_REACH_PX
    slopes = rise[far] / run[far]
    heights = pairs[far, 0, 2] + slopes * (middle - pairs[far, 0, 1])
    for number in np.argsort(-heights, kind="stable"):
        near = np.abs(across - heights[number] - slopes[number] * (along - middle)) < OFF_LINE_PX
        if np.count_nonzero(near) < AGREEING * SAMPLES:
            continue
        if len(np.unique(rows[near])) >= AGREEING * SAMPLES:
            slope, height = np.polyfit(along[near], across[near], 1)
            return float(slope), float(height)
    return None


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats | None:
    """The intersection of two lines, each (point, direction); None for parallel ones."""
    (p, d), (q, e) = one, other
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-6:
        return None
    gap = q - p
    meeting: Floats = p + d * ((gap[0] * e[1] - gap[1] * e[0]) / across)
    return meeting


FOCAL = (0.6, 3.0)  # focal length of a lens, in the picture's longer sides
USUAL_FOCAL = 1.0
LIKELY = (0.35, 2.9)  # width to height of a printed board


def aspect_of(corners: Floats, shape: tuple[int, ...]) -> float:
    """Width to height of the rectangle with these corners, (4, 2) px clockwise.

    Assumes that the camera's axis goes through the centre of the picture of `shape` (height, width)
    and that pixels are square (Zhang and He, 2007). A usual focal length is assumed if the picture
    hardly constrains it.
    """
    height, width = shape[:2]
    centred = np.asarray(corners, float) - (width / 2, height / 2)
    m1, m2, m4, m3 = (np.array([*point, 1.0]) for point in centred)
    k2 = np.cross(m1, m4) @ m3 / (np.cross(m2, m4) @ m3)
    k3 = np.cross(m1, m4) @ m2 / (np.cross(m3, m4) @ m2)
    n2, n3 = k2 * m2 - m1, k3 * m3 - m1
    longer = max(height, width)
    bent = n2[2] * n3[2]
    square = -(n2[0] * n3[0] + n2[1] * n3[1]) / bent if abs(bent) > 1e-9 else -1.0
    focal = np.sqrt(square) if square > 0 else 0.0
    if not FOCAL[0] * longer < focal < FOCAL[1] * longer:
        focal = USUAL_FOCAL * longer
    lens = np.array([1 / focal, 1 / focal, 1.0])
    return float(np.clip(np.linalg.norm(n2 * lens) / np.linalg.norm(n3 * lens), *LIKELY))
