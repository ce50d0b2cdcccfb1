"""Unbend: align a rectified board with its reference where one homography cannot.

Cardboard bends and paper curls by a few mm, which at an angle shifts the print by the width of a
small place. Windows of the board are matched with the reference near their expected positions; a
smooth field is fitted to the offsets. Windows with pieces or hands are outliers to the fit.
"""

from itertools import product

import cv2
import numpy as np

from vision.illumination import Illumination, ReferenceLight, agree_on_colours, restore_print

_WINDOWS = 12
"""Number of windows along the board's longer side."""
_REACH = 0.008
"""Largest offset of a window, as a share of the canvas."""
_DEGREE = 3
"""Degree of the field's polynomials in x and y."""
_LIKE = 0.15
"""Correlation below which a window is ignored."""
_BARE = 0.5
"""Standard deviation, in levels, below which a window is ignored."""
_ROUNDS = 8
_STIFFNESS = 0.05
_GRID = 33


class Unbender:
    """Aligns boards exactly with one reference, (S, S, 3) uint8 on the canvas."""

    def __init__(self, reference: np.ndarray, mask: np.ndarray) -> None:
        """``mask`` (S, S) bool is true on the printed board."""
        self._reference, self._mask = reference, mask
        self._known = _fine(reference)
        self.light = ReferenceLight(reference, mask, glare_bends=True)

    def straighten(
        self, raw: np.ndarray, lit: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, Illumination]:
        """A rectified board, (S, S, 3) uint8, as photographed and in the reference's light.

        The light is estimated within ``lit`` (S, S) bool, by default the whole board. Also returns
        the `field` and the light.
        """
        mask = self._mask if lit is None else lit
        reference_light = self.light
        if mask is not self._mask:
            reference_light = ReferenceLight(self._reference, mask, glare_bends=True)
        light = reference_light.estimate(raw)
        normalized = light.normalize(raw)
        field = self.field(normalized)
        x, y = np.ascontiguousarray(np.moveaxis(field, -1, 0))
        shown, evened = (
            np.asarray(cv2.remap(one, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
            for one in (raw, normalized)
        )
        if light.overexposed:
            evened = restore_print(evened, shown, self._reference)
        return shown, agree_on_colours(evened, self._reference, mask), field, light

    def field(self, board: np.ndarray) -> np.ndarray:
        """(S, S, 2) float32 px: where on a board each pixel of the reference is.

        The board is (S, S, 3) uint8, in the reference's light.
        """
        side = len(board)
        at, away, likeness = self._match(_fine(board))
        field = _fit(_terms(at, side), away, np.clip(likeness - _LIKE, 0, 1))
        steps = (np.arange(_GRID) + 0.5) / _GRID * side - 0.5
        x, y = np.meshgrid(steps, steps)
        coarse = _terms(np.stack([x.ravel(), y.ravel()], axis=1), side) @ field
        moved = cv2.resize(coarse.reshape(_GRID, _GRID, 2).astype(np.float32), (side, side))
        rows, columns = np.mgrid[:side, :side].astype(np.float32)
        return np.stack([columns + moved[..., 0], rows + moved[..., 1]], axis=-1)

    def _match(self, board: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each window's centre (W, 2) px, offset (W, 2) px, and correlation (W,)."""
        reach = max(2, round(_REACH * len(board)))
        rows, columns = (np.flatnonzero(self._mask.any(axis=axis)) for axis in (1, 0))
        width = max(len(rows), len(columns)) // _WINDOWS
        found = []
        for y, x in product(_starts(rows, width, reach), _starts(columns, width, reach)):
            window = self._known[y : y + width, x : x + width]
            around = board[y - reach : y + width + reach, x - reach : x + width + reach]
            like = cv2.matchTemplate(around, window, cv2.TM_CCOEFF_NORMED)
            _, best, _, (right, down) = cv2.minMaxLoc(like)
            dx = right + _between(like[down], right) - reach
            dy = down + _between(like[:, right], down) - reach
            printed = min(window.std(), around.std()) > _BARE
            middle = x + (width - 1) / 2, y + (width - 1) / 2
            found.append((*middle, dx, dy, best if printed and np.isfinite(best) else 0))
        points = np.array(found)
        return points[:, :2], points[:, 2:4], points[:, 4]


def _starts(there: np.ndarray, width: int, reach: int) -> np.ndarray:
    """Starts of windows of that width along one side of the board."""
    first, last = there[0] + reach, there[-1] + 1 - reach - width
    return np.linspace(first, max(first, last), max(1, len(there) // width)).astype(int)


def _between(like: np.ndarray, best: int) -> float:
    """Subpixel offset of the peak from the best of some equally spaced values, in steps."""
    if not 0 < best < len(like) - 1:
        return 0.0
    before, top, after = (float(value) for value in like[best - 1 : best + 2])
    bend = before - 2 * top + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def _fit(terms: np.ndarray, away: np.ndarray, trusted: np.ndarray) -> np.ndarray:
    """(T, 2) coefficients by iteratively reweighted least squares, Tukey's biweight."""
    weights = trusted
    stiff = _STIFFNESS * np.eye(terms.shape[1])
    for _ in range(_ROUNDS):
        weighted = terms * weights[:, None]
        field = np.linalg.solve(terms.T @ weighted + stiff, weighted.T @ away)
        error = np.hypot(*(terms @ field - away).T)
        known = error[trusted > 0]
        cut = 4 * max(1.5 * float(np.median(known)), 0.5) if len(known) else 1.0
        weights = trusted * np.where(error < cut, (1 - (error / cut) ** 2) ** 2, 0.0)
    return np.asarray(field)


def _terms(at: np.ndarray, side: int) -> np.ndarray:
    """(N, T) polynomial terms at (N, 2) px."""
    x, y = (np.asarray(at, float) / side * 2 - 1).T
    powers = [(i, j) for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i)]
    return np.stack([x**i * y**j for i, j in powers], axis=1)


def _fine(picture: np.ndarray) -> np.ndarray:
    """(S, S) float32: the fine structure, independent of the light."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = cv2.GaussianBlur(grey, (0, 0), 1.5) - cv2.GaussianBlur(grey, (0, 0), 8)
    return np.asarray(np.clip(fine, -40, 40))
