"""A known board: recognise one profile's board and register it exactly in a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile
from vision.board_print import DIFFERS, PLAINLY_AGREED, BoardPrint, RectifiedBoard
from vision.orientation import Orientation
from vision.rectify import homography
from vision.refine import PLENTY, ReferenceMatcher
from vision.search import BoardSearch, Picture

CERTAIN_LIKENESS = 0.5
CLEAR_LIKENESS = 0.15
"""What a clearly visible board must have in addition. Then invented editions with circles at the
same places reach 0.55; blurred and full of stars, the right one reaches 0.6."""
FAINT_LIKENESS = 0.35
_FEW, _MANY = 80, 240
"""With fewer inliers than the first the likeness decides, from the second the colours of the art.
In between, its lines have to agree as well, the more the fewer there are: editions drawn on one
layout share 200 and more."""
_AGREED = (0.65, 0.5)
"""Required agreement of the art for the fewest and for the most of them."""
_OTHER_COLOURS, _SHARED = (10.0, 18.0), (310, 400)
"""Levels by which the colours of another edition's art differ where they agree best, 12 to 20 in
traced photographs, for the first number of inliers and less and the second and more. Those of the
same differ by up to 8, but in other light by up to 13 in real ones, with 390 inliers and more."""
_SURELY_AGREED = 0.8
"""Agreement of the art, of 0.67 at most for other editions, that is proof whatever the light."""
_SAME_ART = 0.9
"""Agreement of the art of two variants of a board."""


@dataclass(frozen=True, eq=False)
class Registration:
    """A known board at ``to_image`` (3, 3), mm to px, with a ``confidence`` of 0 to 1.

    ``board`` is the rectified board, if it was computed. It is ``foreign`` if it is another
    edition's, whose places lie alike.
    """

    to_image: np.ndarray
    confidence: float
    board: RectifiedBoard | None = None
    foreign: bool = False


class KnownBoard(BoardPrint):
    """One calibrated profile's board, to be found in pictures."""

    def __init__(self, profile: Profile) -> None:
        """Raises ValueError for a profile that is not calibrated."""
        super().__init__(profile)
        self.matcher = ReferenceMatcher(profile)
        self.orientation = Orientation(self, self.matcher)

    @cached_property
    def _search(self) -> BoardSearch:
        own = self.profile
        return BoardSearch(own.require_reference(), own.px_per_mm, own.size_mm)

    def register(
        self, image: np.ndarray, corners: np.ndarray, among_its_like: bool = False
    ) -> Registration | None:
        """Register the board at rough corners; None if it is another one.

        If blur leaves too few features, the rough corners are used, provided that what they enclose
        clearly resembles the reference. With ``among_its_like`` other boards of this edition are
        beside it, so that other editions need not be ruled out.
        """
        rough = homography(corners, self.profile.size_mm)
        plain = self.plainly_there(image, rough)
        if plain is not None:
            return plain
        alignment = self.matcher.align(image, corners)
        if alignment is None:
            judged = self._judged(image, rough, 0, among_its_like)
        else:
            quarters = self.orientation.quarter_turned(alignment.to_image)
            alignment = self.orientation.best(image, alignment, quarters)
            judged = self._judged(image, alignment.to_image, alignment.inliers, among_its_like)
        return None if judged is None or judged.foreign else judged

    def plainly_there(self, image: np.ndarray, rough: np.ndarray) -> Registration | None:
        """The board near a ``rough`` (3, 3) homography, mm to px, if that is beyond doubt.

        All of it is in the picture, and its art agrees as with no other board.
        """
        to_image = self.matcher.track(image, rough)
        if to_image is None or not self.is_inside(image, to_image):
            return None
        to_image = self.orientation.upright(image, to_image)
        if to_image is None:
            return None
        board = self.rectify(image, to_image)
        agreed = self.agreement(self.mask, board.normalized)
        if agreed is None or agreed <= PLAINLY_AGREED:
            return None
        foreign = self._is_foreign(self.mask, board.normalized, agreed)
        return None if foreign else Registration(to_image, 1.0, board)

    def search(self, picture: Picture, repeats: bool = False) -> Iterator[Registration]:
        """All registrations of the board in a picture, found by features; also `foreign` ones.

        If something covers so much that too few are left to refine one, the print decides. One
        that ``repeats`` counts only as a whole: a part of it may be taken for another.
        """
        for rough in self._search.find(picture.features, repeats):
            if repeats and not self.is_inside(picture.image, rough):
                continue
            plain = self.plainly_there(picture.image, rough)
            if plain is not None:
                yield plain
                continue
            alignment = self.matcher.refine(picture.image, rough)
            if alignment is not None:
                dials = self.orientation.dial_turned(alignment.to_image)
                alignment = self.orientation.best(picture.image, alignment, dials)
                sure = self._judged(picture.image, alignment.to_image, alignment.inliers)
            elif self.dial is None and self.is_inside(picture.image, rough):
                sure = self._judged(picture.image, rough, 0)
            else:
                sure = None
            if sure is not None:
                yield sure

    def within(self, image: np.ndarray, outline: np.ndarray) -> Registration | None:
        """The board, or the board in a frame, with that (4, 2) px outline; None if it is another.

        A board with a dial is not sought in this way: each turn of it would have to be tried.
        """
        if self.dial is not None:
            return None
        rough = homography(outline, self.profile.size_mm)
        ways = (rough, *self.orientation.quarter_turned(rough))
        laid = (self.matcher.refine(image, way, faint=False) for way in ways)
        judged = (
            self._judged(image, one.to_image, one.inliers, outlined=True)
            for one in laid
            if one is not None and self.is_inside(image, one.to_image)
        )
        found = [one for one in judged if one is not None and not one.foreign]
        return max(found, key=lambda one: one.confidence, default=None)

    def variation(self, other: KnownBoard) -> np.ndarray | None:
        """(S, S) bool, where another board's places look different.

        None if it is no variant of this one, with the same art between its places.
        """
        if other is self or other.profile.size_mm != self.profile.size_mm:
            return None
        agreed = self.agreement(self.mask, other.reference)
        if agreed is None or agreed < _SAME_ART:
            return None
        apart = cv2.absdiff(self.reference, other.reference).max(axis=2) > DIFFERS
        return apart if apart.any() else None

    def resembles_more(
        self, other: KnownBoard, where: np.ndarray, image: np.ndarray, registered: Registration
    ) -> bool:
        """Whether this board as registered looks like its variant in most px of an (S, S) mask."""
        board = registered.board or self.rectify(image, registered.to_image)
        seen = board.normalized[where].astype(int)
        off, off_other = (np.abs(seen - one.reference[where]).sum(axis=1) for one in (self, other))
        return bool((off_other < off).mean() > 0.5)

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """(3, 3) from mm to px of a board that was at ``to_image`` and may have moved.

        It is known to be this board, so an arm may cover most of it.
        """
        alignment = self.matcher.follow(image, to_image)
        if alignment is None:
            alignment = self.matcher.align(image, self.corners(to_image))
        if alignment is not None:
            return alignment.to_image
        return to_image if self.likeness(*self.seen(image, to_image)) > FAINT_LIKENESS else None

    def _judged(
        self,
        image: np.ndarray,
        to_image: np.ndarray,
        inliers: int,
        among_its_like: bool = False,
        outlined: bool = False,
    ) -> Registration | None:
        """Accept or reject a registration by the art, and with few inliers by the likeness.

        Other editions may match in circles and links, and grids in part of an ``outlined`` one: its
        art has to agree.
        """
        turned = self.orientation.upright(image, to_image)
        if turned is None:
            return None
        to_image = turned
        plenty = inliers >= PLENTY
        if plenty and among_its_like:
            return Registration(to_image, 1.0)
        seen, board = self.seen(image, to_image)
        agreed = self.agreement(seen, board)
        if self._is_foreign(seen, board, agreed, inliers):
            return Registration(to_image, 1.0, foreign=True) if plenty else None
        if inliers >= _MANY:
            return Registration(to_image, 1.0)
        asked = PLAINLY_AGREED
        if inliers >= _FEW:
            asked = float(np.interp(inliers, (_FEW, _MANY), _AGREED))
        if agreed is not None and agreed <= asked:
            agreed = max(agreed, self.agreement_outside_pieces(seen, board))
        if plenty:
            sure = (
                agreed is None
                or agreed > asked
                or self.orientation.lies_only_so(image, to_image, inliers)
            )
            return Registration(to_image, 1.0) if sure else None
        if agreed is not None and agreed > asked:
            return Registration(to_image, agreed)
        if outlined and not self.is_all_places:
            return None
        likeness = self.likeness(seen, board)
        if likeness <= CERTAIN_LIKENESS:
            return None
        if not among_its_like:
            clarity = min(1.0, self.matcher.clarity(image, to_image))
            if likeness <= CERTAIN_LIKENESS + CLEAR_LIKENESS * clarity:
                return None
        return Registration(to_image, likeness)

    def _is_foreign(
        self, seen: np.ndarray, board: np.ndarray, agreed: float | None, inliers: int = 0
    ) -> bool:
        if agreed is not None and agreed > _SURELY_AGREED:
            return False
        most = float(np.interp(inliers, _SHARED, _OTHER_COLOURS))
        return self.colours_apart(seen, board) > most
