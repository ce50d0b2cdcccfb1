"""Recognise which known board each board in a picture is, and register it exactly.

The finder proposes and the reference's features decide: a proposal counts once a known board is
registered to it. The whole picture is searched for features only if that finds no board or leaves
one in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

import cv2
import numpy as np

from calibration import Profile
from vision.board_print import RectifiedBoard
from vision.features import Features, extract
from vision.known_board import KnownBoard, Registration
from vision.locate import MIN_SCORE, SAME_BOARD, Finder, FoundBoard, overlap
from vision.outlines import large_outlines
from vision.parallel import speculate
from vision.rectify import homography, shrunk, warp
from vision.search import Picture

PARTS = ((0.0, 0.0), (0.4, 0.0), (0.0, 0.4), (0.4, 0.4), (0.2, 0.2))
"""Left and top of the parts of a picture that are examined more closely, as shares of its size."""
_PART_SHARE = 0.6
_ROOM = 0.2
"""The picture share of the largest board below which another of its size may fit."""
_MOST_BESIDE = 0.45
"""The same share above which no other fits, even if more boards are expected."""
MOST_BOARDS = 12
MOST_OUTSIDE = 0.12
"""Share of a board, or of its spaces, that may be outside the photograph."""
_MOST_DOUBTS = 3
"""Number of failed proposals after which the rest are ignored, of all looks until one succeeds."""
_WINDOW = 1.5
"""Side of a search window, relative to the largest board found."""
_SHORTLIST = 3
"""Number of known boards tried per find, ranked by a vote of features."""
_ONE_BY_ONE = 8
"""Number of known boards tried before voting, which costs as much as trying about four."""
_VOTERS = 400
_VOICES = 300
"""Number of features of each known board that take part in the vote."""
_CUT_PX = 300
_GLANCE_PX = 600
"""Longer side of the picture searched if no finder makes proposals."""
_SEARCHED_PX = 2000
"""Longer side of the picture used to register boards in that search; nothing finer is compared."""
_ALIKE = 0.8
_MOST_OUTLINES = 6
"""Number of large outlines, the largest first, in which a board that features miss is sought."""


@dataclass(frozen=True, eq=False)
class Find:
    """One board in a picture; ``profile`` is None if it matches none of the known boards.

    ``corners`` are (4, 2) px, clockwise from the printed top-left, and only rough without a
    profile. ``to_image`` (3, 3) maps mm to px. ``confidence``, 0 to 1, is that of the profile or,
    without one, that there is a board at all. ``board`` is the rectified board, if it was computed.
    """

    profile: Profile | None
    corners: np.ndarray
    confidence: float
    to_image: np.ndarray | None = None
    board: RectifiedBoard | None = None


class Recogniser:
    """Identifies known boards; ``finders`` propose where boards may be.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> recogniser = Recogniser.of([load_profile("standard")])
    >>> [find.profile.name for find in recogniser.recognise(
    ...     load_photo(Path("webapp/demo/ana.jpg")).image)]
    ['standard']
    """

    def __init__(self, boards: Sequence[KnownBoard], finders: Iterable[Finder | None]) -> None:
        """``boards`` are in order of preference, for boards that look alike."""
        self._boards = tuple(boards)
        self._finders = tuple({id(one): one for one in finders if one is not None}.values())
        self._variants: dict[KnownBoard, list[tuple[KnownBoard, np.ndarray]]] = {}

    @classmethod
    def of(cls, profiles: Sequence[Profile]) -> Recogniser:
        """A recogniser of calibrated profiles, with the finders of their games' models."""
        from vision.models import finders_of  # the games' packages import vision

        finders = finders_of(profile.layout.game for profile in profiles)
        return cls([KnownBoard(profile) for profile in profiles], finders)

    def recognise(
        self,
        image: np.ndarray,
        known: Sequence[np.ndarray] = (),
        expected: int = 1,
        parts: Sequence[tuple[float, float]] | None = None,
    ) -> list[Find]:
        """Every board in an (H, W, 3) uint8 picture, except those at ``known`` corners.

        If fewer than ``expected`` are found at first, the picture is searched further, unless that
        is 0. ``parts`` of the picture are always examined more closely; without them, all `PARTS`
        are if the first look leaves doubt. Unknown boards come last.
        """
        scene = _Scene(self, image, known)
        scene.take(self._proposals(image))
        if parts is not None or scene.unknown or not scene.found or scene.leaves_room:
            scene.take(self._closer(image, PARTS if parts is None else parts), nearer=True)
        if expected and scene.may_lack(expected):
            scene.take(self._windows(image, scene.found), nearer=True, beside=tuple(scene.found))
            if scene.may_lack(expected):
                scene.add(self._by_features(image, scene))
        return scene.found + scene.unknown

    def at_a_glance(self, image: np.ndarray, expected: int = 1) -> list[Find]:
        """The boards, if all are plainly visible; an empty list if a closer look is needed."""
        scene = _Scene(self, image, ())
        for proposal in self._proposals(image):
            find = self._plainly(image, proposal.corners)
            if find is None:
                return []
            scene.add([find])
        lacking = scene.leaves_room or (expected and scene.may_lack(expected))
        return [] if lacking else scene.found

    def _plainly(self, image: np.ndarray, corners: np.ndarray) -> Find | None:
        """The known board plainly visible at rough corners; None if many are known."""
        if len(self._boards) <= _ONE_BY_ONE:
            for board in self._boards:
                seen = board.plainly_there(image, homography(corners, board.profile.size_mm))
                if seen is not None:
                    return _find(*self._variant_seen(image, board, seen))
        return None

    def _proposals(self, image: np.ndarray) -> list[FoundBoard]:
        return [found for finder in self._finders for found in finder.find(image)]

    def _closer(
        self, image: np.ndarray, parts: Sequence[tuple[float, float]]
    ) -> Iterable[FoundBoard]:
        height, width = image.shape[:2]
        for x, y in parts:
            left, top = round(x * width), round(y * height)
            part = image[
                top : top + round(_PART_SHARE * height), left : left + round(_PART_SHARE * width)
            ]
            yield from self._seen_in(part, left, top)

    def _windows(self, image: np.ndarray, found: Sequence[Find]) -> Iterable[FoundBoard]:
        """Proposals for boards about as large as those found: distant ones are easily missed."""
        side = max((_WINDOW * np.ptp(find.corners, axis=0).max() for find in found), default=np.inf)
        height, width = image.shape[:2]
        if side < min(height, width):
            for top, left in product(_spread(height, side), _spread(width, side)):
                window = image[top : top + round(side), left : left + round(side)]
                yield from self._seen_in(window, left, top)

    def _seen_in(self, part: np.ndarray, left: int, top: int) -> Iterable[FoundBoard]:
        """Confident proposals in a part of a picture, in px of the whole."""
        for found in self._proposals(part):
            if found.score >= MIN_SCORE:
                yield FoundBoard(found.corners + np.array([left, top]), found.score)

    def register(
        self, image: np.ndarray, corners: np.ndarray, beside: Sequence[Find] = ()
    ) -> Find | None:
        """The known board at rough (4, 2) corners; None if there is none.

        If boards lie ``beside`` it, only their profiles are considered.
        """
        plain = None if beside else self._plainly(image, corners)
        if plain is not None:
            return plain
        best: Find | None = None
        like = {find.profile for find in beside}
        for board in self._likeliest(lambda: cut_features(image, corners)):
            if like and board.profile not in like:
                continue
            registered = board.register(image, corners, among_its_like=bool(like))
            if registered and (best is None or registered.confidence > best.confidence):
                best = _find(*self._variant_seen(image, board, registered))
            if best and best.confidence >= 1:
                break
        return best

    def _by_features(self, image: np.ndarray, scene: _Scene) -> Iterable[Find]:
        small, to_image = shrunk(image, _SEARCHED_PX)
        if not self._finders:  # not a last resort here: one large board is enough
            searched = self._searched(Picture.of(small, _GLANCE_PX), to_image)
            glance = [find for find in searched if find.profile is not None]
            if any(scene.is_new(find.corners) and is_shown(image, find.corners) for find in glance):
                yield from glance
                return
        picture = Picture.of(small)
        finds = sorted(self._searched(picture, to_image), key=lambda find: find.profile is None)
        if not any(is_shown(image, find.corners) for find in [*scene.found, *finds]):
            last = list(self._searched(picture, to_image, repeats=True))
            yield from last or self._outlined(picture, to_image)
        yield from finds

    def _searched(
        self, picture: Picture, to_image: np.ndarray, repeats: bool = False
    ) -> Iterable[Find]:
        """Boards found by features in a picture; ``to_image`` (3, 3) maps its px to the image's.

        Also other editions of known boards, as unknown ones. Of boards with a print that
        ``repeats`` only the likeliest is searched for.
        """
        likeliest = self._likeliest(lambda: picture.features[: 4 * _VOTERS])
        for board in likeliest[: 1 if repeats else None]:
            for seen in islice(board.search(picture, repeats), MOST_BOARDS):
                if seen.foreign:
                    yield Find(None, board.corners(to_image @ seen.to_image), seen.confidence)
                    continue
                shown, at = self._variant_seen(picture.image, board, seen)
                yield _find(shown, replace(at, to_image=to_image @ at.to_image))

    def _outlined(self, picture: Picture, to_image: np.ndarray) -> Iterable[Find]:
        """The first board found by its outline in a picture whose features tell of none."""
        boards = self._likeliest(lambda: picture.features[: 4 * _VOTERS])
        for outline, board in product(large_outlines(picture.image)[:_MOST_OUTLINES], boards):
            seen = board.within(picture.image, outline)
            if seen is not None:
                shown, at = self._variant_seen(picture.image, board, seen)
                yield _find(shown, replace(at, to_image=to_image @ at.to_image))
                return

    def _variant_seen(
        self, image: np.ndarray, board: KnownBoard, registered: Registration
    ) -> tuple[KnownBoard, Registration]:
        """The variant of a registered board that is there; variants share all art but places'."""
        if board not in self._variants:
            compared = ((other, board.variation(other)) for other in self._boards)
            self._variants[board] = [(other, at) for other, at in compared if at is not None]
        for other, where in self._variants[board]:
            if board.resembles_more(other, where, image, registered):
                return other, replace(registered, board=None)
        return board, registered

    def _likeliest(self, voters: Callable[[], Features]) -> Sequence[KnownBoard]:
        """The known boards with the most votes of features, in that order."""
        if len(self._boards) <= 1:
            return self._boards
        descriptors, owners = self._index
        alike = voters().descriptors @ descriptors.T
        # Each feature votes for the board with the best match, however many features that board
        # has.
        best = np.maximum.reduceat(alike, owners, axis=1)
        ahead = best - np.median(best, axis=1, keepdims=True)
        votes = np.where(best > _ALIKE, ahead, 0).sum(axis=0)
        order = np.argsort(-votes, kind="stable")[:_SHORTLIST]
        return [self._boards[i] for i in order]

    @cached_property
    def _index(self) -> tuple[np.ndarray, np.ndarray]:
        """(N, 128) descriptors of all known boards, and the first row of each board."""
        silent = np.zeros((1, 128), np.float32)  # a blank board has none
        voices = [
            np.vstack([silent, board.matcher.known.descriptors[:_VOICES]]) for board in self._boards
        ]
        return np.concatenate(voices), np.cumsum([0, *map(len, voices[:-1])])


class _Scene:
    """Boards found so far in one picture, and proposals that could not be registered."""

    def __init__(
        self, recogniser: Recogniser, image: np.ndarray, known: Sequence[np.ndarray]
    ) -> None:
        self.found: list[Find] = []
        self._recogniser, self._image, self._known = recogniser, image, known
        self._doubts: list[FoundBoard] = []

    def take(
        self, proposals: Iterable[FoundBoard], nearer: bool = False, beside: Sequence[Find] = ()
    ) -> None:
        """Register proposals, as boards of the profiles ``beside``; keep the failures as doubts.

        A closer look often mistakes part of a board for a board: such failures do not count once
        there are other boards or doubts.
        """
        doubts: list[FoundBoard] = []
        before = [] if self.found else self._doubts
        if len(before) >= _MOST_DOUBTS:
            return
        tried = speculate(
            lambda proposal: self._recogniser.register(self._image, proposal.corners, beside),
            proposals,
            lambda proposal: not self.is_new(proposal.corners),
            lambda one, other: overlap(one.corners, other.corners) >= SAME_BOARD,
        )
        for proposal, find in tried:
            if find is None:
                doubts.append(proposal)
            else:
                self.add([find])
            if len(before) + len(doubts) >= _MOST_DOUBTS:
                break
        if not nearer or not (self.found or self._doubts):
            self._doubts += doubts

    def add(self, finds: Iterable[Find]) -> None:
        """Add registered finds, skipping boards that are known already."""
        for find in finds:
            if self.is_new(find.corners):
                self.found.append(find)

    def is_new(self, corners: np.ndarray) -> bool:
        others = [*self._known, *(find.corners for find in self.found)]
        return len(others) < MOST_BOARDS and all(
            overlap(corners, other) < SAME_BOARD for other in others
        )

    @property
    def unknown(self) -> list[Find]:
        """Confident proposals that match no known board."""
        return [
            Find(None, doubt.corners, doubt.score)
            for doubt in self._doubts
            if doubt.score >= MIN_SCORE and self.is_new(doubt.corners)
        ]

    def may_lack(self, expected: int) -> bool:
        """Whether boards may be missing; ``expected`` of 1 allows for any number."""
        several = len(self.found) > 1 and self.leaves_room
        fewer = len(self.found) < expected and self._largest_share < _MOST_BESIDE
        return bool(self.unknown) or fewer or (expected == 1 and several)

    @property
    def leaves_room(self) -> bool:
        """Whether another board of the largest one's size may fit in the picture."""
        return bool(self.found) and self._largest_share < _ROOM

    @property
    def _largest_share(self) -> float:
        """The share of the picture that its largest board takes; 0 if there is none."""
        height, width = self._image.shape[:2]
        largest = max((_area(find.corners) for find in self.found), default=0.0)
        return largest / float(width * height)


def _spread(length: int, side: float) -> list[int]:
    """Starts of windows that cover a length, each overlapping the next by half."""
    count = int(np.ceil(2 * (length - side) / side)) + 1
    return [round(at) for at in np.linspace(0, length - side, count)]


def _area(corners: np.ndarray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def is_shown(image: np.ndarray, corners: np.ndarray) -> bool:
    """Whether nearly all of a board with (4, 2) px ``corners`` is in the picture."""
    height, width = image.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shown, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
    return bool(shown >= (1 - MOST_OUTSIDE) * _area(corners))


def cut_features(image: np.ndarray, corners: np.ndarray) -> Features:
    """The clearest features inside rough corners."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _CUT_PX
    onto = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    return extract(warp(image, onto, (_CUT_PX, _CUT_PX)), _VOTERS)


def _find(board: KnownBoard, registered: Registration) -> Find:
    return Find(
        board.profile,
        board.corners(registered.to_image),
        registered.confidence,
        registered.to_image,
        registered.board,
    )
