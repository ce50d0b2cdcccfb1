"""Printed faces: find unique pieces by their print.

Such pieces differ in their middle and in the rim around it. The log difference between middle and
rim is the same in any light; a rim's own colour depends on the light, which all of them share. So
each piece is where the board looks most like its face, and no two are in one spot.

At an angle, a thick piece's face is offset from its foot, with the side in between: the offset
determines which area of its colour belongs to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.colour_profile import log_opponents

MIDDLE, RIM = (0.0, 0.36), (0.54, 0.72)
"""Radial ranges of a face's middle and rim, in radii: within a square on the disc."""
_TURNED = 0.22
"""Standard deviation, in radians, of the angle between seen and known colours."""
_LEAST, _MOST, _SCALED = 0.6, 2.2, 0.12
"""Range of vividness that cameras or printers cause, and the standard deviation beyond it."""
_EVEN, _UNEVEN = 0.25, 0.15
"""Unevenness of a rim, relative to its contrast with the middle, that is tolerated, and the
scale beyond."""
_BARE = 7.0
"""Log odds below a perfect fit at which a face is as likely as not."""
_LIGHT = 4.0
"""Number of pieces that weigh as much as the board in the estimate of the light."""
_FAINT, _ROUGH = 0.3, 4.0
"""Contrast below which, and unevenness above which, a pixel is no face's."""
_SPOTS = 40
"""Number of spots considered."""
_APART = 0.7
"""Radii between two of them."""
_BODY = 1.7
"""Radii from a face's centre within which its piece is."""
_FEWEST = 3
"""Number of faces needed for an estimate of the pieces' height."""
_STRAYS = 0.2
"""Residual of a foot, in radii, at which its weight is halved."""
_ROUNDS = 3
_NOWHERE = 0.02
"""Odds of a piece being nowhere, relative to a spot of even odds."""


@dataclass(frozen=True, eq=False)
class Faces:
    """Candidate faces: (M, 2) px, and (M, K) probabilities of each kind.

    ``feet`` (M, 2) px are where the pieces stand.
    """

    at: np.ndarray
    chances: np.ndarray
    feet: np.ndarray

    @property
    def probable(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The spots of the probable faces, and where their pieces stand."""
        for n in np.flatnonzero(self.chances.sum(axis=1) > 0.5):
            (x, y), (u, v) = self.at[n].tolist(), np.round(self.feet[n]).astype(int).tolist()
            yield (x, y), (u, v)


class FaceFinder:
    """Finds the pieces of one size, each unique, by their faces."""

    def __init__(self, faces: Sequence[np.ndarray], radius: float) -> None:
        """``faces`` are (D, D, 3) uint8 BGR, each filled by a disc of ``radius`` px."""
        self._radius = radius
        self._kernels = [_annulus(radius, *reach) for reach in (MIDDLE, RIM)]
        known = []
        for face in faces:
            shown, at = _logarithms(face), np.array(face.shape[:2]) // 2
            known.append([one[at[0], at[1]] for one in self._means(shown)[:2]])
        self._known = _looks(*np.array(known).transpose(1, 0, 2))

    def find(self, board: np.ndarray, where: np.ndarray, different: np.ndarray) -> Faces:
        """Find faces on an (S, S, 3) uint8 BGR board, in its reference's light, within ``where``.

        ``where`` (S, S) bool is searched; ``different`` (S, S) bool is true where the board is
        covered.
        """
        shown = _logarithms(board)
        middle, rim, uneven = self._means(shown)
        everywhere = _looks(middle, rim)
        contrast = np.linalg.norm(everywhere[..., :3], axis=2)
        rough = np.maximum(uneven / np.maximum(contrast, _FAINT) - _EVEN, 0) / _UNEVEN
        ys, xs = np.nonzero(where & (contrast > _FAINT) & (rough < _ROUGH))
        looks, doubt = everywhere[ys, xs], rough[ys, xs] ** 2
        light = np.zeros(looks.shape[1])
        for _ in range(_ROUNDS):
            fits = self._fits(looks - light, doubt)
            spots = _peaks(fits.max(axis=1, initial=-np.inf), xs, ys, self._radius)
            chances = _each_once(fits[spots] + _BARE)
            sure = chances * (chances > 0.5)
            seen = looks[spots][:, None]
            off = seen - _scale(seen - light, self._known)[..., None] * self._known
            light[3:] = (sure[..., None] * off).sum(axis=(0, 1))[3:] / (sure.sum() + _LIGHT)
        at = np.stack([xs[spots], ys[spots]], axis=1)
        return Faces(at, chances, self._feet(at, chances.sum(axis=1), different))

    def _fits(self, looks: np.ndarray, doubt: np.ndarray) -> np.ndarray:
        """(P, K) log odds of each face's fit, 0 at most, to (P, 5) looks."""
        seen = looks[:, None]
        scale, size = _scale(seen, self._known), np.linalg.norm(seen, axis=2)
        along = scale * np.linalg.norm(self._known, axis=1)
        turned = np.arccos(np.clip(along / np.maximum(size, 1e-3), -1, 1))
        beyond = np.maximum(_LEAST - scale, 0) + np.maximum(scale - _MOST, 0)
        square = (turned / _TURNED) ** 2 + (beyond / _SCALED) ** 2 + doubt[:, None]
        return np.asarray(-square / 2)

    def _means(self, shown: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The (H, W, 3) means of a middle and of a rim about each px, and the rim's spread."""
        middle, rim = (cv2.filter2D(shown, -1, k) for k in self._kernels)
        square = cv2.filter2D(shown**2, -1, self._kernels[1])
        spread = np.sqrt(np.maximum(square - rim**2, 0).sum(axis=2))
        return middle, rim, spread

    def _feet(self, at: np.ndarray, likely: np.ndarray, different: np.ndarray) -> np.ndarray:
        """(M, 2) px of the feet of the pieces with faces at these spots.

        All have one height under one camera, so a foot is its face scaled towards a common point.
        The visible side connects face and foot: its centre is halfway.
        """
        sure = np.flatnonzero(likely > 0.5)
        if len(sure) < _FEWEST:
            return at.astype(float)
        halfway = np.array([self._halfway(at[n], different) for n in sure])
        terms = np.zeros((2 * len(sure), 3))
        terms[::2, 0], terms[1::2, 0] = at[sure].T
        terms[::2, 1] = terms[1::2, 2] = 1
        wanted, weights = 2 * halfway.ravel(), np.ones(len(terms))
        for _ in range(_ROUNDS):
            weighted = terms * weights[:, None]
            shift = np.linalg.lstsq(weighted.T @ terms, weighted.T @ wanted, rcond=None)[0]
            off = np.linalg.norm((terms @ shift - wanted).reshape(-1, 2), axis=1)
            weights = np.repeat(1 / (1 + (off / (_STRAYS * self._radius)) ** 2), 2)
        return np.asarray(at * (1 + shift[0]) + shift[1:])

    def _halfway(self, face: np.ndarray, different: np.ndarray) -> np.ndarray:
        """(2,) px from a face to the centre of the area that it and its side cover."""
        (x, y), reach = face, round(_BODY * self._radius)
        y0, x0 = max(0, y - reach), max(0, x - reach)
        part = different[y0 : y + reach + 1, x0 : x + reach + 1].astype(np.uint8)
        round_ = np.zeros_like(part)
        cv2.circle(round_, (x - x0, y - y0), reach, 1, -1)
        part &= round_
        cv2.circle(part, (x - x0, y - y0), round(RIM[1] * self._radius), 1, -1)
        _, parts = cv2.connectedComponents(part, connectivity=4)
        ys, xs = np.nonzero(parts == parts[y - y0, x - x0])
        return np.array([xs.mean() + x0 - x, ys.mean() + y0 - y])


def _looks(middle: np.ndarray, rim: np.ndarray) -> np.ndarray:
    """(..., 5) the difference of middle and rim, and the rim's hue; (..., 3) `log_opponents`."""
    return np.concatenate([middle - rim, rim[..., :2]], axis=-1)


def _scale(looks: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(...) how much more vivid the seen colours are than the known, (..., 5) each."""
    return np.asarray((looks * known).sum(axis=-1) / (known**2).sum(axis=-1))


def _logarithms(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32 `log_opponents` of an (H, W, 3) BGR picture."""
    return log_opponents(picture.reshape(-1, 3)).reshape(picture.shape).astype(np.float32)


def _annulus(radius: float, inner: float, outer: float) -> np.ndarray:
    """(D, D) float32, constant between two radii and 0 elsewhere; it sums to 1."""
    reach = int(np.ceil(radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(xs, ys) / radius
    part = ((away >= inner) & (away <= outer)).astype(np.float32)
    return np.asarray(part / part.sum())


def _peaks(fits: np.ndarray, xs: np.ndarray, ys: np.ndarray, radius: float) -> list[int]:
    """Indices of the best of P px, at a minimum distance."""
    left, found = fits.copy(), list[int]()
    while len(found) < _SPOTS and left.size and np.isfinite(left.max()):
        best = int(left.argmax())
        found.append(best)
        left[np.hypot(xs - xs[best], ys - ys[best]) < _APART * radius] = -np.inf
    return found


def _each_once(odds: np.ndarray) -> np.ndarray:
    """(M, K) probabilities that each of M spots is the face of each of K kinds, from log odds.

    At most one kind per spot and one spot per kind: Sinkhorn scaling, with room for none.
    """
    ratios = np.exp(np.clip(odds, -30, 30))
    row, column = np.ones(len(odds)), np.ones(odds.shape[1])
    for _ in range(50):
        row = 1 / (1 + ratios @ column)
        column = 1 / (_NOWHERE + row @ ratios)
    return np.asarray(ratios * row[:, None] * column)
