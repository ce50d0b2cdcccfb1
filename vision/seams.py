"""Seams: where the sheets of a printed board meet, the white edge of one and its shadow.

A sky is printed in tiles that are glued together. Their edges run along spokes, and look like links
to whoever sees one place at a time; but they go on between the places, straight across the board.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

_DARKEST = 12.0
"""Levels added before logarithms are taken: dark px are noisy."""
_EVERY = 5
"""Of the px along a line, the share that is examined, as its inverse."""
_WIDEST_MM, _ABOUT_MM = 4.0, 12.0
"""Width of the widest seam with its shadow, and of what is compared with it."""
_FEWEST = 20
"""Number of px between the places that a line must have, of those examined."""
_PLAIN, _OUTSTANDING, _FADING = 0.25, 6.0, 0.25
"""Least median log ratio of a seam to its print; that ratio, in median deviations of all lines
across the board; and its share up to which px beside it belong to the seam."""
_PARTS, _IN_PART, _THROUGHOUT = 8, 0.3, 0.75
"""Number of parts of a seam, its share of the usual contrast that one must have between the places,
and the share of parts that must."""
_LONG_MM = 3.0
"""Length over which a seam is judged to be uncovered."""
_RIM = 0.06
"""Share of a board's sides along which no seam is sought: its edge is as straight."""


@dataclass(frozen=True, eq=False)
class Seam:
    """A seam between px ``first`` and ``last``, exclusive, with its log ratios in between."""

    first: int
    last: int
    profile: np.ndarray


class Seams:
    """Finds and mends the seams of boards with one reference, on the canvas."""

    def __init__(self, between: np.ndarray, px_per_mm: float) -> None:
        """``between`` (S, S) bool is the printed board without its places."""
        rows, columns = (np.flatnonzero(between.any(axis=axis)) for axis in (1, 0))
        if not len(rows):  # places cover the whole board
            rows = columns = np.zeros(1, int)
        rim = [round(_RIM * np.ptp(along)) for along in (rows, columns)]
        self._between, self._scale = np.zeros_like(between), px_per_mm
        inner = np.s_[
            rows[0] + rim[0] : rows[-1] - rim[0], columns[0] + rim[1] : columns[-1] - rim[1]
        ]
        self._between[inner] = between[inner]

    def mend(
        self, raw: np.ndarray, lit: np.ndarray, print_: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A board, as photographed and in the reference's light, with its print across the seams.

        All are (S, S, 3) uint8; ``print_`` is the reference, as blurred as the board. What differs
        from the print on both sides of a seam, in the light, say, does so on it as well. Also
        (S, S) uint8, 255 where it was mended.
        """
        mended = np.zeros(lit.shape[:2], np.uint8)
        shown, known = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (lit, print_))
        boards = [raw.copy(), lit.copy()]
        for lying in (False, True):
            pictures = shown, known, self._between, mended, print_, *boards
            turned = [one.swapaxes(0, 1) if lying else one for one in pictures]
            seen, printed, between, there, below, *both = turned
            off = _logarithm(seen[::_EVERY]) - _logarithm(printed[::_EVERY])
            for seam in self._found(np.where(between[::_EVERY], off, np.nan)):
                bare = self._uncovered(seen, printed, seam)
                there[bare, seam.first : seam.last] = 255
                for board in both:
                    _bridge(board, below, seam, bare)
        return boards[0], boards[1], mended

    def _found(self, rows: np.ndarray) -> Iterator[Seam]:
        """The seams along the columns of some rows, (R, S) log ratios of a board to its print.

        These are NaN but between the places.
        """
        enough = np.flatnonzero((~np.isnan(rows)).sum(axis=0) >= _FEWEST)
        if not len(enough):
            return
        usual, along = np.zeros((2, rows.shape[1]))
        along[enough] = np.nanmedian(rows[:, enough], axis=0)
        usual[enough] = _running_median(along[enough], int(_ABOUT_MM * self._scale))
        peaks = along - usual
        height, widest = np.abs(peaks), int(_WIDEST_MM * self._scale)
        least = max(_PLAIN, _OUTSTANDING * float(np.median(height[enough])))
        left = height.copy()
        while left.max() >= least:
            at = int(left.argmax())
            ends = np.flatnonzero(height <= _FADING * height[at])
            first = int(ends[ends < at].max(initial=0)) + 1
            last = int(ends[ends > at].min(initial=len(left) - 1))
            left[first - 1 : last + 1] = 0
            column = rows[:, at] - usual[at]
            parts = np.array_split(column[~np.isnan(column)] / peaks[at], _PARTS)
            shown = np.mean([np.median(part) > _IN_PART for part in parts])
            if shown >= _THROUGHOUT and last - first <= widest:
                first, last = max(first - 1, 1), min(last + 1, len(left) - 1)
                yield Seam(first, last, _levelled(along[None], first, last)[0])

    def _uncovered(self, seen: np.ndarray, printed: np.ndarray, seam: Seam) -> np.ndarray:
        """(S,) bool, the rows in which a seam is to be seen, and not a piece on it.

        ``seen`` and ``printed`` are (S, S) uint8; a piece is even.
        """
        part = np.s_[:, seam.first - 1 : seam.last + 1]
        shown, known = (_levelled(_logarithm(one[part]), 1, -1) for one in (seen, printed))
        off = [((shown - one) ** 2).sum(axis=1) for one in (known + seam.profile, 0)]
        size = (1, max(1, round(_LONG_MM * self._scale)))
        as_seam, as_piece = cv2.blur(np.stack(off, axis=1)[:, None].astype(np.float32), size)[
            :, 0
        ].T
        return np.asarray(as_seam < as_piece)


def _running_median(values: np.ndarray, about: int) -> np.ndarray:
    reach = about // 2
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(values, reach, mode="reflect"), 2 * reach + 1
    )
    return np.asarray(np.median(windows, axis=1))


def _levelled(off: np.ndarray, first: int, last: int) -> np.ndarray:
    """(R, L) log ratios of (R, S) between two px, relative to those beside them."""
    inner = off[:, first:last]
    return np.asarray(inner - _between(off[:, first - 1], off[:, last], inner.shape[1]))


def _between(before: np.ndarray, after: np.ndarray, count: int) -> np.ndarray:
    """(R, L, ...) interpolations between (R, ...) values."""
    share = (np.arange(count) + 1).reshape(1, -1, *[1] * (before.ndim - 1)) / (count + 1)
    return np.asarray(before[:, None] * (1 - share) + after[:, None] * share)


def _bridge(board: np.ndarray, print_: np.ndarray, seam: Seam, rows: np.ndarray) -> None:
    """Put the print across a seam in these rows of a board, in place."""
    first, last = seam.first, seam.last
    known = _logarithm(print_[rows, first - 1 : last + 1])
    before, after = (
        _logarithm(board[rows, at]) - known[:, own] for at, own in ((first - 1, 0), (last, -1))
    )
    shown = np.exp(known[:, 1:-1] + _between(before, after, last - first)) - _DARKEST
    board[rows, first:last] = np.clip(shown.round(), 0, 255).astype(np.uint8)


def _logarithm(picture: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(picture.astype(np.float32) + _DARKEST))
