"""Printed circles of about one radius, found on a rectified board.

Every edge votes for the middles that it may belong to (a Hough vote along the gradient); the best
places are then looked at all round. Nothing is known of the artwork: a circle is whatever has
edges across its radius nearly all the way round, at the radius that most of them share.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image

Grey = npt.NDArray[np.float32]

RADII = (0.018, 0.05)  # of the board's longer side that a circle may have for its radius
ANGLES = 64
PEAKS = 220
MOST = 80  # circles of one size are enough for any board
WIDTHS = (0.12, 0.08, 0.06, 0.06)  # radii about a circle in which its edge is, step by step
LIKE = (0.8, 1.25)  # times the common radius that a circle's may be
FAINT_PX = 10.0  # over so few, faint edges stand out beside strong ones
LIKELY = 0.5  # as well seen as the best common radius, another is tried
MOST_RADII, UNLIKE = 3, 0.16  # tried; and how far apart, in logarithms
COVERED = 0.45  # of a circle's way round that must have an edge
APART, FAINT_APART = 1.4, 1.85  # radii from a circle's middle to a plain one's, to a faint one's
PLAIN = 0.65  # so much of its way round is seen of a circle that surely is one
EDGE = 0.35  # how steep an edge must be to vote, of the steep ones
EVEN_PX = 30.0  # contrast is levelled over so many px
STEEP = 93  # the percentile that counts as steep


@dataclass(frozen=True, eq=False)
class Circles:
    """Circles in a picture, best first.

    `at` is (N, 2) px, `radius` (N,) px, `covered` (N,) the share of the way round that is seen.
    `wider` (N,) by which share it is wider than high; `common` is the radius that most share.
    """

    at: Floats
    radius: Floats
    covered: Floats
    wider: Floats
    common: float

    @property
    def stretch(self) -> float:
        """By which share most circles are wider than high."""
        plain = self.wider[self.covered > PLAIN]
        return float(np.median(plain)) if len(plain) else 0.0


class Edges:
    """The edges of a picture of a board: how steep each pixel's is, and which way it runs."""

    def __init__(self, picture: Image, even_px: float = EVEN_PX) -> None:
        """`picture` is (H, W, 3) uint8 BGR; contrast is levelled over `even_px`."""
        lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
        smooth = cv2.GaussianBlur(lab, (0, 0), 1.2).astype(np.float32)
        small = cv2.resize(smooth, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        mean, square = (cv2.GaussianBlur(x, (0, 0), even_px / 4) for x in (small, small * small))
        spread = np.sqrt(np.maximum(square - mean * mean, 0).sum(axis=2))
        size = (smooth.shape[1], smooth.shape[0])
        deviation = cv2.resize(spread, size, interpolation=cv2.INTER_LINEAR)[..., None]
        slopes = np.stack([cv2.Sobel(smooth, cv2.CV_32F, x, 1 - x) for x in (1, 0)])
        slopes = slopes / (deviation + 3.0)
        channel = np.hypot(*slopes).argmax(axis=2)
        slope = np.take_along_axis(slopes, channel[None, ..., None], axis=3)[..., 0]
        steep = np.hypot(*slope) + 1e-6
        self.direction = np.asarray(slope / steep, np.float32)
        """(2, H, W), x and y of a unit vector across the edge."""
        self.weight = np.asarray(np.minimum(steep / np.percentile(steep, STEEP), 1), np.float32)
        """(H, W), 1 for a steep edge."""

    @property
    def longer_side(self) -> int:
        """In px."""
        return int(max(self.weight.shape))


def find_circles(edges: Edges) -> Iterator[Circles]:
    """The circles that share a common radius, for each radius that may be it, the likeliest first.

    A thick rim has an inner and an outer radius, and a board may have circles of two sizes.
    """
    low, high = (share * edges.longer_side for share in RADII)
    radii = np.arange(low, high, 1.0)
    peaks = _peaks(edges, radii)
    for common in _common_radii(radii, coverage(edges, peaks, radii)):
        yield _distinct(fit_circles(edges, peaks, common))


def coverage(edges: Edges, at: Floats, radii: Floats) -> Floats:
    """(N, R), the share of each circle's way round that has an edge across the radius."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    ray = np.stack([np.cos(angles), np.sin(angles)])  # (2, A)
    spots = at[:, None, None, :] + radii[None, :, None, None] * ray.T  # (N, R, A, 2)
    across = across_radius(edges, spots, ray)
    near = cv2.dilate(
        across.reshape(-1, len(radii), ANGLES).transpose(1, 0, 2).reshape(len(radii), -1),
        np.ones((3, 1)),
    )
    return np.asarray(near.reshape(len(radii), -1, ANGLES).mean(axis=2).T, float)


def across_radius(edges: Edges, spots: Floats, ray: Floats) -> Grey:
    """How steep the edges at spots (N, R, A, 2) are across the rays (2, A), (N, R, A)."""
    x, y = (np.ascontiguousarray(spots[..., i].reshape(len(spots), -1), np.float32) for i in (0, 1))
    shape = spots.shape[:-1]
    weight = cv2.remap(edges.weight, x, y, cv2.INTER_LINEAR, borderValue=0).reshape(shape)
    dx, dy = (
        cv2.remap(part, x, y, cv2.INTER_NEAREST, borderValue=0).reshape(shape)
        for part in edges.direction
    )
    along = np.abs(dx * ray[0] + dy * ray[1])
    return np.asarray(np.where(along > 0.87, np.minimum(weight / 0.6, 1), 0), np.float32)


def _peaks(edges: Edges, radii: Floats) -> Floats:
    """(N, 2) px, where edges agree on a middle, whatever the radius."""
    height, width = edges.weight.shape
    rows, columns = np.nonzero(edges.weight > EDGE)
    x, y = edges.direction[:, rows, columns]
    weight = edges.weight[rows, columns].astype(float)
    best, before = np.zeros((2, height, width), np.float32)
    beyond = int(np.ceil(radii.max())) + 1  # votes may fall beside the picture
    wide, high = width + 2 * beyond, height + 2 * beyond
    own = (rows + beyond) * wide + columns + beyond
    for radius in radii:
        away = (np.rint(radius * y) * wide + np.rint(radius * x)).astype(np.int64)
        votes = np.bincount(own + away, weight, wide * high)
        votes += np.bincount(own - away, weight, wide * high)
        within = votes.reshape(high, wide)[beyond:-beyond, beyond:-beyond] / radius
        now = cv2.GaussianBlur(within.astype(np.float32), (0, 0), 2.0)
        best = np.maximum(best, before + now)
        before = now
    top = cv2.dilate(best, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13)))
    rows, columns = np.nonzero((best == top) & (best > 0))
    order = np.argsort(-best[rows, columns])[:PEAKS]
    return np.stack([columns[order], rows[order]], axis=1).astype(float)


def _common_radii(radii: Floats, covered: Floats) -> list[float]:
    """The radii at which the most of the circles (N, R) are seen the best, no two near another."""
    strong = np.sort(np.maximum(covered - COVERED, 0), axis=0)[::-1][:40]
    total = cv2.GaussianBlur(strong.sum(axis=0)[None], (0, 0), 1.0)[0]
    kept: list[float] = []
    for i in np.argsort(-total):
        if total[i] < LIKELY * total.max() or len(kept) == MOST_RADII:
            break
        if all(abs(np.log(radii[i] / other)) > UNLIKE for other in kept):
            kept.append(float(radii[i]))
    return kept


def fit_circles(edges: Edges, at: Floats, common: float) -> Circles:
    """The circle of about the common radius that fits best about each of the (N, 2) places.

    The radius that is seen all round is taken first; then a middle, a radius and how much it is
    wider than high are fitted to where the edge near it is in each direction.
    """
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    ray = np.stack([np.cos(angles), np.sin(angles)])
    reach = np.arange(LIKE[0] * common, LIKE[1] * common + 0.5, 0.5)
    rounds = np.stack([np.ones(ANGLES), *ray, np.cos(2 * angles)], axis=1)
    now, fitted = np.array(at, float), np.zeros((len(at), 4))
    for step, width in enumerate(WIDTHS):
        spots = now[:, None, None, :] + reach[None, :, None, None] * ray.T
        seen = across_radius(edges, spots, ray)  # (N, R, A)
        if step == 0:
            ring = cv2.GaussianBlur(np.ascontiguousarray(seen.mean(axis=2)), (3, 1), 1.0)
            fitted[:, 0] = reach[ring.argmax(axis=1)]
        off = reach[None, :, None] - (fitted @ rounds.T)[:, None]
        weighted = seen * np.exp(-((off / (width * common)) ** 2) / 2) + 1e-6
        weight = weighted.sum(axis=1)  # (N, A)
        edge = (weighted * reach[None, :, None]).sum(axis=1) / weight
        fitted = _fitted(rounds, edge, weight)
        moved = np.clip(fitted[:, 1:3], -0.3 * common, 0.3 * common)
        now += moved
        fitted[:, 1:3] = 0.0
    covered = np.concatenate(
        [coverage(edges, now[[i]], fitted[i, :1])[0] for i in range(len(now))] or [np.empty(0)]
    )
    return Circles(now, fitted[:, 0], covered, 2 * fitted[:, 3] / fitted[:, 0], common)


def _fitted(rounds: Floats, edge: Floats, weight: Floats) -> Floats:
    """(N, 4) so that rounds (A, 4) times them are the edges (N, A), whatever a few of them say."""
    trust = weight
    fitted = np.zeros((len(edge), 4))
    for _ in range(3):
        normal = np.einsum("ai,na,aj->nij", rounds, trust, rounds)
        normal += 1e-9 * np.eye(4)
        fitted = np.linalg.solve(normal, np.einsum("ai,na,na->ni", rounds, trust, edge)[..., None])
        fitted = fitted[..., 0]
        trust = weight / (1 + ((edge - fitted @ rounds.T) / 1.5) ** 2)
    return fitted


def _distinct(found: Circles) -> Circles:
    order = [
        i
        for i in np.argsort(-found.covered)
        if found.covered[i] > COVERED
        and LIKE[0] * found.common < found.radius[i] < LIKE[1] * found.common
    ]
    kept: list[int] = []
    for i in order:
        apart = APART if found.covered[i] > PLAIN else FAINT_APART
        if all(np.hypot(*(found.at[i] - found.at[k])) > apart * found.common for k in kept):
            kept.append(int(i))
        if len(kept) == MOST:
            break
    return Circles(
        found.at[kept], found.radius[kept], found.covered[kept], found.wider[kept], found.common
    )
