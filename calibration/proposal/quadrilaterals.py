"""Quadrilaterals in a photograph that may be a board's outline: four straight edges that meet.

A board's edge is straight whatever is printed on it and whatever it lies on. Lines that edges
agree on are found first; of all ways to choose four of them those are kept that are edges along
most of their sides. Which is the board is left to whoever looks at what is inside.
"""

from itertools import combinations

import cv2
import numpy as np

from calibration.arrays import Floats, Image

SIDE_PX = 640  # the photograph's longer side, as it is looked at
LINES = 36  # the clearest ones are tried
ALIKE_DEGREES, ALIKE_PX = 3.0, 5.0  # lines nearer to each other than that are one
LEAST_AREA = 0.04  # of the photograph that a board must fill
OUTSIDE = 0.04  # of the photograph's side that a corner may lie outside of it
STEEP = 90  # the percentile of steepness that counts as an edge
KEPT_APART = 0.03  # of the photograph's side between the corners of two quadrilaterals


def find_quadrilaterals(photo: Image, most: int = 8) -> list[Floats]:
    """(4, 2) px each, clockwise, the clearest first. `photo` is (H, W, 3) uint8 BGR."""
    scale = SIDE_PX / max(photo.shape[:2])
    size = round(photo.shape[1] * scale), round(photo.shape[0] * scale)
    small = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
    slope, weight = _slopes(small)
    lines = _lines(small, slope, weight)
    found = _quadrilaterals(lines, slope, weight)
    kept: list[Floats] = []
    for _, corners in sorted(found, key=lambda scored: -scored[0]):
        apart = (_corner_distance(corners, other) for other in kept)
        if all(distance > KEPT_APART * SIDE_PX for distance in apart):
            kept.append(corners)
        if len(kept) == most:
            break
    return [(corners + 0.5) / scale - 0.5 for corners in kept]


def _corner_distance(one: Floats, other: Floats) -> float:
    turned = (np.roll(other, turn, axis=0) for turn in range(4))
    return min(float(np.linalg.norm(one - corners, axis=1).max()) for corners in turned)


def _slopes(picture: Image) -> tuple[Floats, Floats]:
    """(2, H, W) the unit vector across each edge, (H, W) how steep it is, 1 for a steep one."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    smooth = lab.astype(np.float32)
    slopes = np.stack([cv2.Sobel(smooth, cv2.CV_32F, x, 1 - x) for x in (1, 0)])
    channel = np.hypot(*slopes).argmax(axis=2)
    slope = np.take_along_axis(slopes, channel[None, ..., None], axis=3)[..., 0]
    steep = np.hypot(*slope) + 1e-6
    level = max(float(np.percentile(steep, STEEP)), 8.0)
    return np.asarray(slope / steep, float), np.asarray(np.minimum(steep / level, 1), float)


def _lines(picture: Image, slope: Floats, weight: Floats) -> Floats:
    """(N, 3) normal (x, y) and distance of the clearest lines, the clearest first."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    detector = cv2.createLineSegmentDetector()
    segments = [
        lines.reshape(-1, 2, 2)
        for lines in (detector.detect(part)[0] for part in cv2.split(lab))
        if lines is not None
    ]
    if not segments:
        return np.empty((0, 3))
    ends = np.concatenate(segments).astype(float)
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    order = np.argsort(-length)[:400]
    order = order[length[order] > 10]
    ends, along, length = ends[order], along[order], length[order]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    distance = (normal * ends[:, 0]).sum(axis=1)
    # A segment lends its length to every line that it lies on.
    off = np.abs(ends @ normal.T - distance).max(axis=1)  # (segment, line)
    lent = (length[:, None] * (off < 3.0)).sum(axis=0)
    kept: list[int] = []
    for i in np.argsort(-lent):
        cosine = np.abs(normal[kept] @ normal[i])
        middle = ends[i].mean(axis=0)
        apart = np.abs(normal[kept] @ middle - distance[kept])
        same = (cosine > np.cos(np.radians(ALIKE_DEGREES))) & (apart < ALIKE_PX)
        if not same.any():
            kept.append(int(i))
        if len(kept) == LINES:
            break
    found = []
    for i in kept:
        near = np.flatnonzero(off[:, i] < 3.0)
        found.append(_through(ends[near].reshape(-1, 2), np.repeat(length[near], 2)))
    return np.array(found)


def _through(points: Floats, weight: Floats) -> Floats:
    """(3,) normal and distance of the line through weighted points (N, 2)."""
    middle = np.average(points, axis=0, weights=weight)
    off = points - middle
    normal = np.linalg.eigh((off * weight[:, None]).T @ off)[1][:, 0]
    return np.array([*normal, normal @ middle])


def _quadrilaterals(lines: Floats, slope: Floats, weight: Floats) -> list[tuple[float, Floats]]:
    height, width = weight.shape
    size = np.array([width, height])
    support = [_support(line, slope, weight) for line in lines]
    cosine = np.abs(lines[:, :2] @ lines[:, :2].T) if len(lines) else np.empty((0, 0))
    pairs = [
        (i, j)
        for i, j in combinations(range(len(lines)), 2)
        if cosine[i, j] > np.cos(np.radians(35))
    ]
    meeting = {
        (i, j): _meeting(lines[i], lines[j])
        for i, j in combinations(range(len(lines)), 2)
        if cosine[i, j] < np.cos(np.radians(35))
    }
    low, high = -OUTSIDE * size, (1 + OUTSIDE) * size
    inside = {key: at for key, at in meeting.items() if (at > low).all() and (at < high).all()}

    def corner(i: int, j: int) -> Floats | None:
        return inside.get((min(i, j), max(i, j)))

    def covered(i: int, one: list[float], other: list[float]) -> float:
        total, first, along = support[i]
        ax, ay = along
        ends = (one[0] * ax + one[1] * ay - first, other[0] * ax + other[1] * ay - first)
        a, b = (min(max(round(end), 0), len(total) - 1) for end in sorted(ends))
        return (total[b] - total[a]) / max(b - a, 1)

    found = []
    for (a, c), (b, d) in combinations(pairs, 2):
        if len({a, b, c, d}) < 4:
            continue
        corners = [corner(a, b), corner(b, c), corner(c, d), corner(d, a)]
        if any(at is None for at in corners):
            continue
        quad = np.array(corners)
        area = cv2.contourArea(quad.astype(np.float32), True)
        if abs(area) < LEAST_AREA * width * height or not cv2.isContourConvex(
            quad.astype(np.float32)
        ):
            continue
        around = quad.tolist()
        sides = [covered(line, around[i - 1], around[i]) for i, line in enumerate((a, b, c, d))]
        score = 0.5 * min(sides) + 0.5 * sum(sides) / 4
        if min(sides) < 0.3:
            continue
        found.append((score, quad if area > 0 else quad[::-1].copy()))
    return found


def _support(
    line: Floats, slope: Floats, weight: Floats
) -> tuple[list[float], float, tuple[float, float]]:
    """A line's edges added up px by px, where along it that begins, and which way it runs."""
    height, width = weight.shape
    normal, distance = line[:2], line[2]
    along = np.array([normal[1], -normal[0]])
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ along
    places = np.arange(np.floor(ends.min()), np.ceil(ends.max()) + 1)
    best = np.zeros(len(places))
    for off in (-2.0, -1.0, 0.0, 1.0, 2.0):
        x, y = np.rint((distance + off) * normal + places[:, None] * along).astype(int).T
        there = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
        across = np.abs(slope[0, y, x] * normal[0] + slope[1, y, x] * normal[1])
        best = np.maximum(best, np.where(there & (across > 0.9), weight[y, x], 0))
    x, y = along.tolist()
    return [0.0, *np.cumsum(best).tolist()], float(places[0]), (x, y)


def _meeting(one: Floats, other: Floats) -> Floats:
    at: Floats = np.linalg.solve(np.array([one[:2], other[:2]]), np.array([one[2], other[2]]))
    return at
