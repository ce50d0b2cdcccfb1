"""Recognise: which known board each board in a picture is, and exactly where it lies.

The finder proposes quickly, the reference's features decide: a proposal counts once a known board
was laid over it. Only where that leaves a board in doubt, or finds none, are the features searched
for in the whole picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

import cv2
import numpy as np

from calibration import Profile
from vision.features import Features, extract
from vision.known_board import KnownBoard, RectifiedBoard, Registration
from vision.locate import MIN_SCORE, SAME_BOARD, FoundBoard, overlap
from vision.models import Finder
from vision.rectify import homography, shrunk, warp
from vision.search import Picture

PARTS = ((0.0, 0.0), (0.4, 0.0), (0.0, 0.4), (0.4, 0.4), (0.2, 0.2))
"""Left and top of the parts of a picture that are looked at closer, as shares of it."""
_PART_SHARE = 0.6
_ROOM = 0.2
"""The share of a picture below which its largest board leaves room for others of its size."""
_MOST_BESIDE = 0.45
"""The share from which there is no room for another one even where more are expected."""
MOST_BOARDS = 12
_MOST_DOUBTS = 4
"""After so many proposals in vain at a look, the finder is asked no more."""
_WINDOW = 1.5
"""So many times as large as a board that was found is a window in which others are looked for."""
_SHORTLIST = 3
"""So many of the known boards are tried where a find is: the likeliest by a vote of features."""
_ONE_BY_ONE = 8
"""So many known boards are tried before a vote, which costs as much as trying about four."""
_VOTERS = 400
_VOICES = 300
"""So many features of each known board can be voted for."""
_CUT_PX = 300
_GLANCE_PX = 600
"""The longer side of the picture in which boards are searched for that no finder proposes."""
_SEARCHED_PX = 2000
"""The longer side of the picture that boards are laid over there: no board is compared finer."""
_ALIKE = 0.8


@dataclass(frozen=True, eq=False)
class Find:
    """One board in a picture. ``profile`` is None for one that looks like none of the known ones.

    ``corners`` are (4, 2) px, clockwise from the printed top-left, and only rough without a
    profile; ``to_image`` (3, 3) takes mm to px. ``confidence`` is 0 to 1: that it is this profile's
    board or, without a profile, that there is a board. ``board`` is what is there, if it was looked
    at as a whole.
    """

    profile: Profile | None
    corners: np.ndarray
    confidence: float
    to_image: np.ndarray | None = None
    board: RectifiedBoard | None = None


class Recogniser:
    """Tells known boards from one another; ``finders`` propose where boards may lie.

    >>> from pathlib import Path
    >>> from calibration import load_profile
    >>> from vision import load_photo
    >>> recogniser = Recogniser.of([load_profile("standard")])
    >>> [find.profile.name for find in recogniser.recognise(
    ...     load_photo(Path("webapp/demo/ana.jpg")).image)]
    ['standard']
    """

    def __init__(self, boards: Sequence[KnownBoard], finders: Iterable[Finder | None]) -> None:
        """Of known boards, those to be preferred first where two are alike."""
        self._boards = tuple(boards)
        self._finders = tuple({id(one): one for one in finders if one is not None}.values())

    @classmethod
    def of(cls, profiles: Sequence[Profile]) -> Recogniser:
        """Of calibrated profiles, with the finders of their games' models."""
        from vision.models import finders_of  # its games' packages import this room

        finders = finders_of(profile.layout.game for profile in profiles)
        return cls([KnownBoard(profile) for profile in profiles], finders)

    def recognise(
        self,
        image: np.ndarray,
        known: Sequence[np.ndarray] = (),
        expected: int = 1,
        parts: Sequence[tuple[float, float]] | None = None,
    ) -> list[Find]:
        """Every board in an (H, W, 3) uint8 picture that does not lie at ``known`` corners.

        Where fewer than ``expected`` are found at a glance it is searched, unless it is 0.
        ``parts`` of the picture are looked at closer in any case, all `PARTS` where the first look
        leaves doubt. What is surely a board, but none of the known ones, comes last.
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
        """The same, where every board is plainly seen; none where more has to be looked at."""
        scene = _Scene(self, image, ())
        for proposal in self._proposals(image):
            find = self._plainly(image, proposal.corners)
            if find is None:
                return []
            scene.add([find])
        lacking = scene.leaves_room or (expected and scene.may_lack(expected))
        return [] if lacking else scene.found

    def _plainly(self, image: np.ndarray, corners: np.ndarray) -> Find | None:
        """The known board that plainly lies at rough corners, of a few; of many none."""
        if len(self._boards) <= _ONE_BY_ONE:
            for board in self._boards:
                seen = board.plainly_there(image, homography(corners, board.profile.size_mm))
                if seen is not None:
                    return _find(board, seen)
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
        """What may be boards about as large as those found: a far one is easily overlooked."""
        side = max((_WINDOW * np.ptp(find.corners, axis=0).max() for find in found), default=np.inf)
        height, width = image.shape[:2]
        if side < min(height, width):
            for top, left in product(_spread(height, side), _spread(width, side)):
                window = image[top : top + round(side), left : left + round(side)]
                yield from self._seen_in(window, left, top)

    def _seen_in(self, part: np.ndarray, left: int, top: int) -> Iterable[FoundBoard]:
        """What is plainly proposed in a part of a picture, in px of the whole."""
        for found in self._proposals(part):
            if found.score >= MIN_SCORE:
                yield FoundBoard(found.corners + np.array([left, top]), found.score)

    def register(
        self, image: np.ndarray, corners: np.ndarray, beside: Sequence[Find] = ()
    ) -> Find | None:
        """The known board that lies at those rough (4, 2) corners, None where there is none.

        It is one of those that lie ``beside``, if any do.
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
                best = _find(board, registered)
            if best and best.confidence >= 1:
                break
        return best

    def _by_features(self, image: np.ndarray, scene: _Scene) -> Iterable[Find]:
        small, to_image = shrunk(image, _SEARCHED_PX)
        if not self._finders:  # then it is no last resort: one board, seen large, needs no more
            glance = list(self._searched(Picture.of(small, _GLANCE_PX), to_image))
            if any(scene.is_new(find.corners) for find in glance):
                yield from glance
                return
        yield from self._searched(Picture.of(small), to_image)

    def _searched(self, picture: Picture, to_image: np.ndarray) -> Iterable[Find]:
        """What is found in a picture, of which ``to_image`` (3, 3) takes px to the image's."""
        for board in self._likeliest(lambda: picture.features[: 4 * _VOTERS]):
            for seen in islice(board.search(picture), MOST_BOARDS):
                yield _find(board, replace(seen, to_image=to_image @ seen.to_image))

    def _likeliest(self, voters: Callable[[], Features]) -> Sequence[KnownBoard]:
        """The known boards that most of the features speak for, the likeliest first."""
        if len(self._boards) <= 1:
            return self._boards
        descriptors, owners = self._index
        alike = voters().descriptors @ descriptors.T
        # Of each feature the board that has its like, however many features a board has.
        best = np.maximum.reduceat(alike, owners, axis=1)
        ahead = best - np.median(best, axis=1, keepdims=True)
        votes = np.where(best > _ALIKE, ahead, 0).sum(axis=0)
        order = np.argsort(-votes, kind="stable")[:_SHORTLIST]
        return [self._boards[i] for i in order]

    @cached_property
    def _index(self) -> tuple[np.ndarray, np.ndarray]:
        """(N, 128) descriptors of all known boards, and the row at which each one's begin."""
        silent = np.zeros((1, 128), np.float32)  # a blank board has none
        voices = [
            np.vstack([silent, board.matcher.known.descriptors[:_VOICES]]) for board in self._boards
        ]
        return np.concatenate(voices), np.cumsum([0, *map(len, voices[:-1])])


class _Scene:
    """What has been found so far in one picture, and what looks like a board and was not."""

    def __init__(
        self, recogniser: Recogniser, image: np.ndarray, known: Sequence[np.ndarray]
    ) -> None:
        self.found: list[Find] = []
        self._recogniser, self._image, self._known = recogniser, image, known
        self._doubts: list[FoundBoard] = []

    def take(
        self,
        proposals: Iterable[FoundBoard],
        nearer: bool = False,
        beside: Sequence[Find] = (),
    ) -> None:
        """Register what is proposed, as one of the boards ``beside``; what cannot be is in doubt.

        What looks like a board from nearer often is a part of one: it is no doubt beside others.
        """
        doubts: list[FoundBoard] = []
        for proposal in proposals:
            if len(doubts) >= _MOST_DOUBTS:
                break
            if self.is_new(proposal.corners):
                find = self._recogniser.register(self._image, proposal.corners, beside)
                if find is None:
                    doubts.append(proposal)
                else:
                    self.add([find])
        if not nearer or not (self.found or self._doubts):
            self._doubts += doubts

    def add(self, finds: Iterable[Find]) -> None:
        """Take what is registered already, but no board twice."""
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
        """What is surely a board, but none that is known."""
        return [
            Find(None, doubt.corners, doubt.score)
            for doubt in self._doubts
            if doubt.score >= MIN_SCORE and self.is_new(doubt.corners)
        ]

    def may_lack(self, expected: int) -> bool:
        """Whether there may be more boards, where so many are expected: 1 is said of any number."""
        several = len(self.found) > 1 and self.leaves_room
        fewer = len(self.found) < expected and self._largest_share < _MOST_BESIDE
        return bool(self.unknown) or fewer or (expected == 1 and several)

    @property
    def leaves_room(self) -> bool:
        """Whether another board of the largest one's size may well lie beside it."""
        return bool(self.found) and self._largest_share < _ROOM

    @property
    def _largest_share(self) -> float:
        """The share of the picture that its largest board takes; 0 where none was found."""
        height, width = self._image.shape[:2]
        largest = max((_area(find.corners) for find in self.found), default=0.0)
        return largest / float(width * height)


def _spread(length: int, side: float) -> list[int]:
    """Where windows of a side begin that cover a length, each half over the next."""
    count = int(np.ceil(2 * (length - side) / side)) + 1
    return [round(at) for at in np.linspace(0, length - side, count)]


def _area(corners: np.ndarray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def cut_features(image: np.ndarray, corners: np.ndarray) -> Features:
    """The clearest features of what lies within rough corners."""
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
