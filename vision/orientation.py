"""Which way round a board lies whose print resembles itself turned, such as a grid's."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.board_print import (
    DIFFERS,
    PLAINLY_AGREED,
    BoardPrint,
    correlation,
    fine_structure,
    levels_apart,
)
from vision.rectify import homography
from vision.refine import Alignment, ReferenceMatcher

_ANYHOW = 0.8
"""Largest share of its inliers that a board keeps if it is registered at another turn."""
_SIMILAR, _SAME, _OTHER = 0.5, 0.005, 0.12
"""Likeness of a print to itself after a turn from which the two have to be told apart; and the
share of px that differ, by `DIFFERS` levels, below which nothing printed does, and above which all
of the art does."""
_TURNED_SURELY = 0.15
"""Difference in likeness, where the print differs from itself turned, that decides for one."""
_LEAST_TELLING = 60
"""Least number of px that tell a print from itself turned."""
_THUMBNAIL = (24, 24)


@dataclass(frozen=True, eq=False)
class _Turn:
    """A turn by ``quarters``, a ``matrix`` (3, 3), mm to mm, after which a print resembles itself.

    ``fine`` (S, S) is its structure then, and ``where`` (S, S) bool it differs; None if nowhere.
    """

    quarters: int
    matrix: np.ndarray
    fine: np.ndarray
    where: np.ndarray | None


class Orientation:
    """Tells the turns of one board apart."""

    def __init__(self, board: BoardPrint, matcher: ReferenceMatcher) -> None:
        self._board, self._matcher = board, matcher

    def upright(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """``to_image`` (3, 3), mm to px, or the turn of it that looks more like the reference.

        Of those that look alike the most upright. None if it is not clear which it is.
        """
        for turn in self._turns:
            if turn.where is not None:
                seen, board = self._board.seen(image, to_image)
                fine, where = fine_structure(board), turn.where & seen
                turned, printed = (
                    correlation(fine, one, where) for one in (turn.fine, self._board.fine)
                )
                ahead = turned - printed
                if abs(ahead) < _TURNED_SURELY:
                    return None
                if ahead > 0:
                    to_image = to_image @ turn.matrix
                    refined = self._matcher.refine(image, to_image)
                    to_image = to_image if refined is None else refined.to_image
        alike = (to_image @ turn.matrix for turn in self._turns if turn.where is None)
        upright: np.ndarray = max([to_image, *alike], key=self._uprightness)
        return upright

    def _uprightness(self, to_image: np.ndarray) -> float:
        top_left, top_right, *_bottom = self._board.corners(to_image)
        return float(top_right[0] - top_left[0])

    @cached_property
    def _turns(self) -> tuple[_Turn, ...]:
        """The quarter turns after which the print resembles itself."""
        if self._board.dial is not None:
            return ()
        picture, scale = self._board.profile.require_reference(), self._board.profile.px_per_mm
        upright = np.diag([scale, scale, 1.0])
        thumbnail = cv2.resize(picture, _THUMBNAIL, interpolation=cv2.INTER_AREA)
        turns = []
        for by, rough in enumerate(self.quarter_turned(upright), 1):
            turned = np.rot90(thumbnail, by)
            if np.corrcoef(thumbnail.ravel(), turned.ravel())[0, 1] < _SIMILAR:
                continue
            refined = self._matcher.refine(picture, rough)
            to_picture = rough if refined is None else refined.to_image
            seen, board = self._board.seen(picture, to_picture)
            fine = fine_structure(board)
            if correlation(fine, self._board.fine, seen) < _SIMILAR:
                continue
            where = (levels_apart(board, self._board.reference, 1.5) > DIFFERS) & seen
            differs = where.sum() / max(seen.sum(), 1)
            if differs > _OTHER:
                continue
            where &= (np.abs(fine - self._board.fine) > DIFFERS / 2) & (self._board.art >= 0)
            likest = correlation(fine, self._board.fine, where)
            tells = where.sum() >= _LEAST_TELLING and likest <= 1 - 2 * _TURNED_SURELY
            if differs > _SAME and not tells:  # such as words on its places, which pieces hide
                continue
            matrix = np.linalg.inv(upright) @ to_picture
            turns.append(_Turn(by, matrix, fine, where if differs > _SAME else None))
        return tuple(turns)

    def lies_only_so(self, image: np.ndarray, to_image: np.ndarray, inliers: int) -> bool:
        """Whether a board of nothing but places, without art, matches at no other quarter turn.

        No other edition shares so many features, but it may look alike when turned.
        """
        if not self._board.is_all_places:
            return False
        alike = [turn.quarters for turn in self._turns if turn.where is None]
        turned = enumerate(self.quarter_turned(to_image), 1)
        others = (self._matcher.refine(image, rough) for by, rough in turned if by not in alike)
        return all(other is None or other.inliers < _ANYHOW * inliers for other in others)

    def best(
        self, image: np.ndarray, alignment: Alignment, others: Iterable[np.ndarray]
    ) -> Alignment:
        """The alignment, or a refinement of one of ``others`` if that agrees better.

        Art and features decide. On a board with a dial most circles and lines coincide with others
        after a turn by one of the dial's regions or by a quarter.
        """
        if self._board.dial is None:
            return alignment
        agreed = self._board.agreement(*self._board.seen(image, alignment.to_image))
        if agreed is None or agreed > PLAINLY_AGREED:
            return alignment
        best, most = alignment, agreed * alignment.inliers
        for rough in others:
            other = self._matcher.refine(image, rough)
            if other is not None:
                likes = self._board.agreement(*self._board.seen(image, other.to_image))
                if likes is not None and likes * other.inliers > most:
                    best, most = other, likes * other.inliers
        return best

    def dial_turned(self, to_image: np.ndarray) -> Iterator[np.ndarray]:
        """(3, 3) mm to px each: the board turned by the regions of its dial, if it has one."""
        for turn in () if self._board.dial is None else self._board.dial.turns:
            yield to_image @ np.linalg.inv(turn)

    def quarter_turned(self, to_image: np.ndarray) -> Iterator[np.ndarray]:
        """(3, 3) mm to px each: the same outline, starting at each of the other corners."""
        corners = self._board.corners(to_image)
        for by in (1, 2, 3):
            yield homography(np.roll(corners, by, axis=0), self._board.profile.size_mm)
