"""A track found on a rectified board: a row of like shapes, round or square.

The row's known course is laid through pairs of shapes that no space has taken, and the course that
most shapes lie on is the track.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.proposal.circles import Edges, coverage

Floats = npt.NDArray[np.float64]

ON = 0.35  # radii from where a slot is expected to the shape that it may be
SEEN = 0.4  # of a slot's outline that must be seen where the row leads to expect one
PEAKS = 150
SQUARE = 0.5  # of each of a square's sides
LENGTHS = (2.0, 4.5)  # radii between two slots' middles


@dataclass(frozen=True, eq=False)
class Track:
    """Slots (S, 2) px in the course's order, their radius in px, and how surely each is seen."""

    at: Floats
    radius: float
    seen: Floats


def find_track(edges: Edges, course: Floats, circles: Floats, common: float) -> Track | None:
    """The row of shapes that follows a course (S, 2), in whichever of its two directions.

    `circles` (N, 2) px are those that are no space.
    """
    squares = _squares(edges, common)
    apart = np.linalg.norm(squares[:, None] - circles[None], axis=2)
    shapes = np.concatenate([circles, squares[(apart > common).all(axis=1)]])
    if len(shapes) < 3:
        return None
    known = course[:, 0] + 1j * course[:, 1]
    seen = shapes[:, 0] + 1j * shapes[:, 1]
    pitch = np.abs(np.diff(known)).mean()
    best: tuple[float, npt.NDArray[np.complex128]] | None = None
    last = len(known) - 1
    for i, j in [(0, last), (0, last - 1), (1, last), (0, last // 2), (last // 2, last)]:
        if i == j:
            continue
        one, other = (m.ravel() for m in np.meshgrid(np.arange(len(seen)), np.arange(len(seen))))
        turn = (seen[other] - seen[one]) / (known[j] - known[i])
        length = np.abs(turn) * pitch / common
        fits = (length > LENGTHS[0]) & (length < LENGTHS[1])
        turn, shift = turn[fits], seen[one[fits]] - turn[fits] * known[i]
        if not len(turn):
            continue
        put = turn[:, None] * known + shift[:, None]
        near = np.abs(put[:, :, None] - seen).min(axis=2) / common
        score = np.exp(-((near / ON) ** 2) / 2).sum(axis=1)
        k = int(score.argmax())
        if best is None or score[k] > best[0]:
            best = float(score[k]), put[k]
    if best is None or best[0] < max(3.0, 0.3 * len(known)):
        return None
    return _refined(edges, known, best[1], seen, common)


def _refined(
    edges: Edges,
    known: npt.NDArray[np.complex128],
    put: npt.NDArray[np.complex128],
    seen: npt.NDArray[np.complex128],
    common: float,
) -> Track:
    """The row through the shapes on it; each slot where its own shape is, if that is seen."""
    for _ in range(2):
        nearest = np.abs(put[:, None] - seen).argmin(axis=1)
        on = np.abs(put - seen[nearest]) < 2 * ON * common
        ground = np.column_stack([known, np.ones(len(known))])
        if on.sum() >= 2:
            put = ground @ np.linalg.lstsq(ground[on], seen[nearest[on]], rcond=None)[0]
    nearest = np.abs(put[:, None] - seen).argmin(axis=1)
    on = np.abs(put - seen[nearest]) < 2 * ON * common
    at = np.where(on, seen[nearest], put)
    places = np.stack([at.real, at.imag], axis=1)
    radii = np.arange(0.75 * common, 1.2 * common, 1.0)
    round_ = coverage(edges, places, radii)
    square = _square_map(edges, radii)
    x, y = np.rint(places).astype(int).T
    height, width = edges.weight.shape
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    near = np.stack([cv2.dilate(m, np.ones((5, 5)))[y, x] for m in square], axis=1)
    shape = np.maximum(round_, near)
    radius = float(radii[int(np.median(shape, axis=0).argmax())])
    confidence = np.where(on, np.maximum(shape.max(axis=1), SEEN), shape.max(axis=1))
    return Track(places, radius, confidence)


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
        worst = np.minimum.reduce(
            [
                _moved(across, 0, reach),
                _moved(across, 0, -reach),
                _moved(down, reach, 0),
                _moved(down, -reach, 0),
            ]
        )
        maps.append(worst)
    return maps


def _moved(picture: npt.NDArray[np.float32], x: int, y: int) -> npt.NDArray[np.float32]:
    moved = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, moved, size, flags=cv2.INTER_NEAREST), np.float32)


def _squares(edges: Edges, common: float) -> Floats:
    """(N, 2) px, the middles of upright squares about as wide as circles are."""
    best = np.maximum.reduce(_square_map(edges, np.arange(0.75 * common, 1.2 * common, 2.0)))
    smooth = cv2.GaussianBlur(best, (0, 0), 1.0)
    side = round(1.2 * common) | 1
    top = cv2.dilate(smooth, np.ones((side, side)))
    rows, columns = np.nonzero((smooth == top) & (best > SQUARE))
    order = np.argsort(-smooth[rows, columns])[:PEAKS]
    return np.stack([columns[order], rows[order]], axis=1).astype(float)
