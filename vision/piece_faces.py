"""Piece faces: distinguish printed pieces of one colour and size.

They are compared with their drawings at all angles. Only the relative brightness of the marks
counts, so neither the light nor the paper matters.
"""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from calibration.artwork import artwork
from calibration.drawing import Drawing, Fill, rasterise
from scorer.table import Piece

_TURNS = 60
_RIM = 0.92
"""Share of the radius within which a face is compared."""
_OFF = 2
"""Largest error in px of a piece's position."""
_FINER = 4
"""Resolution of drawn faces relative to that of the comparison."""
_PER_LIKENESS = 30.0
"""Log odds of one face against another per difference in correlation."""
_PER_FIT, _FITS, _MOST = 20.0, 0.62, 6.0
"""Log odds of a face against none per correlation, the correlation of even odds, and the bound."""


class PieceFaces:
    """The faces of pieces of one diameter in mm, as they appear on a canvas."""

    def __init__(self, game: str, pieces: Sequence[Piece], px_per_mm: float) -> None:
        size = pieces[0].diameter_mm or 0.0
        self.side = 2 * round(size / 2 * px_per_mm) + 1
        reach = self.side // 2
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        self._on = np.hypot(xs, ys) <= _RIM * size / 2 * px_per_mm
        drawn = [_face(game, piece, self.side * _FINER) for piece in pieces]
        self.alike = [
            next(number for number, other in enumerate(drawn) if (other == own).all())
            for own in drawn
        ]
        """For each piece, the index of the first one with the same face."""
        self._faces = np.array([self._turned(own) for own in drawn])

    def _turned(self, face: np.ndarray) -> np.ndarray:
        """(T, P) the pixels of a face at each angle, with mean 0 and norm 1."""
        middle = ((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2)
        every = []
        for turn in range(_TURNS):
            way = cv2.getRotationMatrix2D(middle, 360 * turn / _TURNS, 1.0)
            whole = cv2.warpAffine(face, way, face.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            every.append(cv2.resize(whole, (self.side, self.side), interpolation=cv2.INTER_AREA))
        return _normed(np.array(every, np.float32)[:, self._on])

    def recognise(
        self, board: np.ndarray, at: Sequence[tuple[int, int]]
    ) -> tuple[np.ndarray, np.ndarray]:
        """(M,) log odds that any of these faces is at M points of an (S, S, 3) uint8 canvas.

        Also (M, K) probabilities of the pieces, rows summing to 1: those with the same face are
        equally likely.
        """
        grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
        reach = self.side // 2 + _OFF
        wide = np.pad(grey, reach, "edge").astype(np.float32)
        likeness = np.zeros((len(at), len(self._faces)))
        steps = [(i, j) for i in range(2 * _OFF + 1) for j in range(2 * _OFF + 1)]
        for number, (x, y) in enumerate(at):
            cuts = [wide[y + i :, x + j :][: self.side, : self.side][self._on] for i, j in steps]
            fits = self._faces @ _normed(np.array(cuts)).T
            likeness[number] = fits.max(axis=(1, 2))
        best = likeness.max(axis=1, initial=0)
        shares = np.exp(_PER_LIKENESS * (likeness - best[:, None]))
        any_face = np.clip(_PER_FIT * (best - _FITS), -_MOST, _MOST)
        return any_face, np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _normed(rows: np.ndarray) -> np.ndarray:
    even = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(even / (np.linalg.norm(even, axis=1, keepdims=True) + 1e-6))


def draw_face(game: str, piece: Piece, px_per_mm: float) -> np.ndarray:
    """(D, D, 3) uint8 BGR, a piece as its game prints it, on a ground of its own colour."""
    size = piece.diameter_mm or 0.0
    ground = Fill((((0, 0), (size, 0), (size, size), (0, size)),), piece.colour)
    marks = artwork(game).draw_token(piece.id, (size / 2, size / 2))
    return rasterise(Drawing((size, size), (ground, *marks)), px_per_mm)


@lru_cache(maxsize=256)
def _face(game: str, piece: Piece, side_px: int) -> np.ndarray:
    """(S, S) uint8, the brightness of a drawn face."""
    drawn = draw_face(game, piece, side_px / (piece.diameter_mm or 0.0))
    return np.asarray(cv2.cvtColor(cv2.resize(drawn, (side_px, side_px)), cv2.COLOR_BGR2GRAY))
