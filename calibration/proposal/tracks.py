"""A track found on a rectified board: a row of like shapes, round or square.

The course of a known board's row is laid through pairs of shapes that no space has taken, with
fewer slots and with more than it has. The course on which most shapes lie, and least is missing, is
the track; where it ends, nothing is seen any more.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.proposal.circles import Edges, coverage

ON = 0.35  # radii from where a slot is expected to the shape that it may be
OWN = 0.2  # radii from where the row leads to the shape that a slot is put on
FAINT = 0.25  # of a slot's outline that is seen where there is none
ENDING = 0.6  # of what is seen of most slots must be seen of the first and of the last
LEAST_SEEN = 3  # shapes make a row
ROWS = 30  # are looked at
OFF_SPACES = 1.5  # radii from a space's middle to a slot's
LIKE = (0.7, 1.25)  # times the spaces' radius that a slot's may be
PEAKS = 150
SQUARE = 0.5  # of each of a square's sides
LENGTHS = (1.5, 4.5)  # radii between two slots' middles
COUNTS = (LEAST_SEEN, 20)  # slots that a track may have


@dataclass(frozen=True, eq=False)
class Track:
    """Slots (N, 2) px in the course's order, their radius in px, and how surely each is seen."""

    at: Floats
    radius: float
    seen: Floats


def find_track(
    edges: Edges, course: Floats, circles: Floats, spaces: Floats, common: float, beside: bool
) -> Track | None:
    """The row of shapes that follows a course (S, 2), in whichever of its two directions.

    It has as many slots as are seen, a gap between two that are seen included. `circles` (N, 2) px
    are those that are no space, `spaces` (M, 2) px where those are; a track that runs `beside` them
    has no slot between them.
    """
    radii = np.arange(LIKE[0] * common, LIKE[1] * common, 1.0)
    squared = _square_map(edges, radii)
    squares = _squares(squared[::2], common)
    apart = np.linalg.norm(squares[:, None] - circles[None], axis=2)
    shapes = np.concatenate([circles, squares[(apart > common).all(axis=1)]])
    if len(shapes):
        off = np.linalg.norm(shapes[:, None] - spaces[None], axis=2).min(axis=1)
        shapes = shapes[off > OFF_SPACES * common]
    if len(shapes) < LEAST_SEEN:
        return None
    seen = shapes[:, 0] + 1j * shapes[:, 1]
    best: tuple[float, Floats] | None = None
    for known, put in _rows(edges, course, seen, spaces, common):
        if beside and _between(put, spaces):
            continue
        places = _settled(known, put, seen, common)
        shown = _shown(edges, places, radii, squared)  # (N, R)
        total = float((shown - FAINT).sum(axis=0).max())
        if best is None or total > best[0]:
            best = total, places
    if best is None:
        return None
    return _ended(best[1], _shown(edges, best[1], radii, squared), radii, common)


def _ended(places: Floats, shown: Floats, radii: Floats, common: float) -> Track | None:
    """The slots (N, 2) px of which (N, R) is seen, from the first that is there to the last."""
    radius = float(radii[int((shown - FAINT).sum(axis=0).argmax())])
    near = np.abs(radii - radius) < 0.15 * common
    seen = shown[:, near].max(axis=1)
    there = np.flatnonzero(seen >= max(ENDING * float(np.median(seen)), FAINT))
    if len(there) < LEAST_SEEN:
        return None
    kept = slice(there[0], there[-1] + 1)
    return Track(places[kept], radius, seen[kept])


def _with_slots(course: Floats, count: int) -> npt.NDArray[np.complex128]:
    """The course (S, 2) with another count of slots, evenly along it."""
    if count == len(course):
        return np.asarray(course[:, 0] + 1j * course[:, 1])
    along = np.append(0, np.cumsum(np.linalg.norm(np.diff(course, axis=0), axis=1)))
    at = np.linspace(0, along[-1], count)
    return np.interp(at, along, course[:, 0]) + 1j * np.interp(at, along, course[:, 1])


def _rows(
    edges: Edges, course: Floats, seen: npt.NDArray[np.complex128], spaces: Floats, common: float
) -> list[tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]]:
    """The course with (N,) slots, and where it leads through two shapes: where most shapes lie.

    All are clear of the spaces.
    """
    height, width = edges.weight.shape
    to_space = _distance_map(spaces, edges)
    to_shape = _distance_map(np.stack([seen.real, seen.imag], axis=1), edges)
    one, other = (m.ravel() for m in np.meshgrid(np.arange(len(seen)), np.arange(len(seen))))
    step = seen[other] - seen[one]
    far = np.abs(step) / common
    found = []
    for count in range(COUNTS[0], COUNTS[1] + 1):
        known, last = _with_slots(course, count), count - 1
        pitch = np.abs(np.diff(known)).mean()
        pairs = {(0, last), (0, last - 1), (1, last), (0, last // 2), (last // 2, last)}
        for i, j in sorted(pair for pair in pairs if pair[0] < pair[1]):
            length = far * (pitch / np.abs(known[j] - known[i]))
            fits = np.flatnonzero((length > LENGTHS[0]) & (length < LENGTHS[1]))
            turn = step[fits] / (known[j] - known[i])
            shift = seen[one[fits]] - turn * known[i]
            for slots in (known[[0, last]], known):  # the ends of most lie beside the picture
                put = turn[:, None] * slots + shift[:, None]
                inside = (put.real > 0) & (put.real < width) & (put.imag > 0) & (put.imag < height)
                inside = inside.all(axis=1)
                turn, shift, put = turn[inside], shift[inside], put[inside]
            x, y = put.real.astype(int), put.imag.astype(int)
            clear = to_space[y, x].min(axis=1) > OFF_SPACES * common
            put, near = put[clear], to_shape[y[clear], x[clear]] / common
            lit = np.exp(-((near / ON) ** 2) / 2)
            score = (lit - FAINT).sum(axis=1)
            for k in np.argsort(-score)[:ROWS]:
                if lit[k].sum() >= LEAST_SEEN:
                    found.append((float(score[k]), known, put[k]))
    found.sort(key=lambda scored: -scored[0])
    return [(known, put) for _, known, put in found[:ROWS]]


def _distance_map(points: Floats, edges: Edges) -> npt.NDArray[np.float32]:
    """(H, W), how far from the nearest of some points (N, 2) px each pixel is."""
    height, width = edges.weight.shape
    x, y = np.rint(points).astype(int).T
    free = np.full((height, width), 255, np.uint8)
    free[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] = 0
    return np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5), np.float32)


def _between(put: npt.NDArray[np.complex128], spaces: Floats) -> bool:
    """Whether a slot lies within the outline of the spaces."""
    hull = cv2.convexHull(spaces.astype(np.float32))
    slots = np.stack([put.real, put.imag], axis=1).tolist()
    return any(cv2.pointPolygonTest(hull, tuple(slot), False) > 0 for slot in slots)


def _settled(
    known: npt.NDArray[np.complex128],
    put: npt.NDArray[np.complex128],
    seen: npt.NDArray[np.complex128],
    common: float,
) -> Floats:
    """(S, 2) px, the row fitted to the shapes on it; each slot where its own shape is, if any."""
    ground = np.column_stack([known, np.ones(len(known))])
    for _ in range(2):
        nearest = np.abs(put[:, None] - seen).argmin(axis=1)
        on = np.abs(put - seen[nearest]) < 2 * ON * common
        if on.sum() >= 2:
            put = ground @ np.linalg.lstsq(ground[on], seen[nearest[on]], rcond=None)[0]
    nearest = np.abs(put[:, None] - seen).argmin(axis=1)
    on = np.abs(put - seen[nearest]) < OWN * common
    at = np.where(on, seen[nearest], put)
    return np.stack([at.real, at.imag], axis=1)


def _shown(
    edges: Edges, places: Floats, radii: Floats, squared: list[npt.NDArray[np.float32]]
) -> Floats:
    """(S, R), how much is seen of a circle or a square of each radius at places (S, 2) px."""
    height, width = edges.weight.shape
    x, y = np.rint(places).astype(int).T
    x, y = np.clip(x, 2, width - 3), np.clip(y, 2, height - 3)
    square = np.zeros((len(places), len(radii)))
    for across in (-2, 0, 2):
        for down in (-2, 0, 2):
            there = np.stack([seen[y + down, x + across] for seen in squared], axis=1)
            square = np.maximum(square, there)
    return np.maximum(coverage(edges, places, radii), square)


def _square_map(edges: Edges, radii: Floats) -> list[npt.NDArray[np.float32]]:
    """(H, W) for each radius: how much of the worst side of a square about a pixel is edge."""
    flat = np.where(np.abs(edges.direction[1]) > 0.9, np.minimum(edges.weight / 0.6, 1), 0)
    steep = np.where(np.abs(edges.direction[0]) > 0.9, np.minimum(edges.weight / 0.6, 1), 0)
    flat = np.asarray(cv2.dilate(flat.astype(np.float32), np.ones((3, 1))))
    steep = np.asarray(cv2.dilate(steep.astype(np.float32), np.ones((1, 3))))
    maps = []
    for radius in radii:
        reach, span = round(float(radius)), max(3, round(1.6 * float(radius)) | 1)
        across = np.asarray(cv2.blur(flat, (span, 1)), np.float32)
        down = np.asarray(cv2.blur(steep, (1, span)), np.float32)
        worst, within = np.zeros_like(flat), slice(reach, -reach)
        worst[within, within] = np.minimum.reduce(
            [
                across[: -2 * reach, within],
                across[2 * reach :, within],
                down[within, : -2 * reach],
                down[within, 2 * reach :],
            ]
        )
        maps.append(worst)
    return maps


def _squares(squared: list[npt.NDArray[np.float32]], common: float) -> Floats:
    """(N, 2) px, the middles of upright squares about as wide as circles are."""
    best = np.maximum.reduce(squared)
    smooth = cv2.GaussianBlur(best, (0, 0), 1.0)
    side = round(1.2 * common) | 1
    top = cv2.dilate(smooth, np.ones((side, side)))
    rows, columns = np.nonzero((smooth == top) & (best > SQUARE))
    order = np.argsort(-smooth[rows, columns])[:PEAKS]
    return np.stack([columns[order], rows[order]], axis=1).astype(float)
