"""A known board: one profile's board, as it is told from others and laid exactly in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.dial import Dial
from vision.illumination import ReferenceLight
from vision.rectify import CameraPosition, Canvas, homography, rectify, runs_clockwise, transform
from vision.refine import PLENTY, Alignment, ReferenceMatcher
from vision.search import BoardSearch, Picture

CERTAIN_LIKENESS = 0.5
CLEAR_LIKENESS = 0.15
"""What is asked more of a board that is seen clearly. Of invented editions another one with its
circles at the same places reaches 0.55 then; blurred and full of stars, the right one has 0.6."""
FAINT_LIKENESS = 0.35
_FEW, _MANY = 80, 240
"""Fewer inliers leave it to the likeness; so many leave no doubt. Editions drawn on one layout
share up to 200: between the two the art has to agree, the more of it the fewer there are."""
_AGREED = (0.65, 0.5)
"""How much of it for the fewest and for the most of them."""
PLAINLY_AGREED = 0.7
"""So much of the art agrees only with a board that is not laid on turned about its dial."""
_REGIONS = 5
"""The art is compared in so many regions along each side, besides as a whole."""
_TELLING = 6
"""So many of them have to show some."""
_SCARCE = 0.2
"""Where less of a board's face is art, pieces hide so much of it that it tells no other board."""
_ANYHOW = 0.8
"""The share of its inliers that a board has at most when it is laid on another way round."""
_BESIDE = 1.3
"""So far about a place, in its radii, pieces may lie, and a dial's ring may be smeared."""
_NOISE_PX = 2.0
_FINE_PX, _ART_PX = 12.0, 24.0
"""Of the canvas, from which on what differs may be the light's: next to pieces, and of the art."""
_MOST = 40.0
"""Levels by which anything counts as differing at most."""
_HARDLY = 1e-3
"""The share of what a blurred pixel is made of, below which nothing is told from it."""
_DRAWN = 1.0
"""Levels by which art differs within a region at least, or that tells nothing."""


@dataclass(frozen=True, eq=False)
class RectifiedBoard:
    """A board on the canvas, (S, S, 3) uint8: as photographed, and in the reference's light.

    `camera` is where it was photographed from, if that is known.
    """

    raw: np.ndarray
    normalized: np.ndarray
    camera: CameraPosition | None = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class Registration:
    """Where a known board lies: ``to_image`` (3, 3) takes mm to px; ``confidence`` is 0 to 1.

    ``board`` is the board there, if it was looked at as a whole.
    """

    to_image: np.ndarray
    confidence: float
    board: RectifiedBoard | None = None


class KnownBoard:
    """Knows one calibrated profile's reference and finds it again in pictures."""

    def __init__(self, profile: Profile) -> None:
        """Prepare the reference. ValueError for a profile that is not calibrated."""
        self.profile = profile
        self.canvas = Canvas(profile.size_mm)
        self.matcher = ReferenceMatcher(profile)
        self._dial = Dial.of(profile)

    @cached_property
    def reference(self) -> np.ndarray:
        """(S, S, 3) uint8, the empty board on the canvas."""
        return self.canvas.place_reference(self.profile.require_reference())

    @cached_property
    def mask(self) -> np.ndarray:
        """(S, S) bool, where the board lies on the canvas."""
        return self.canvas.board_mask()

    @cached_property
    def _search(self) -> BoardSearch:
        own = self.profile
        return BoardSearch(own.require_reference(), own.px_per_mm, own.size_mm)

    def corners(self, to_image: np.ndarray) -> np.ndarray:
        """(4, 2) px, clockwise from the printed top-left."""
        return transform(to_image, board_corners(self.profile.size_mm))

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, mask: np.ndarray | None = None
    ) -> RectifiedBoard:
        """The board rectified and in the reference's light, told from the (S, S) bool ``mask``."""
        raw = rectify(image, to_image, self.canvas)
        light = self._light if mask is None else ReferenceLight(self.reference, mask)
        camera = CameraPosition.over(to_image, (image.shape[1], image.shape[0]))
        return RectifiedBoard(raw, light.tell(raw).normalize(raw), camera=camera)

    @cached_property
    def _light(self) -> ReferenceLight:
        return ReferenceLight(self.reference, self.mask)

    def register(
        self, image: np.ndarray, corners: np.ndarray, among_its_like: bool = False
    ) -> Registration | None:
        """Where the board lies of which those are the rough corners; None if it is another.

        Where too few features are left by blur, the rough corners serve if what they frame is
        surely like the reference. ``among_its_like`` another edition need not be feared: boards of
        this one lie beside it.
        """
        rough = homography(corners, self.profile.size_mm)
        plain = self.plainly_there(image, rough)
        if plain is not None:
            return plain
        alignment = self.matcher.align(image, corners)
        if alignment is None:
            return self._judged(image, rough, 0, among_its_like)
        quarters = self._quarter_turned(alignment.to_image)
        alignment = self._best_turned(image, alignment, quarters)
        return self._judged(image, alignment.to_image, alignment.inliers, among_its_like)

    def plainly_there(self, image: np.ndarray, rough: np.ndarray) -> Registration | None:
        """The board near a ``rough`` (3, 3) homography, mm to px, where no more needs to be asked.

        All of it is in the picture, and what is drawn on it agrees as it does with no other board.
        """
        to_image = self.matcher.track(image, rough)
        if to_image is None or not self._is_inside(image, to_image):
            return None
        board = self.rectify(image, to_image)
        agreed = self._agreement(self.mask, board.normalized)
        if agreed is None or agreed <= PLAINLY_AGREED:
            return None
        return Registration(to_image, 1.0, board)

    def _is_inside(self, image: np.ndarray, to_image: np.ndarray) -> bool:
        """Whether a picture shows the whole board."""
        corners = self.corners(to_image)
        return runs_clockwise(corners) and bool(
            ((corners >= 0) & (corners < image.shape[1::-1])).all()
        )

    def search(self, picture: Picture) -> Iterator[Registration]:
        """Where the board lies in a picture, however often, by nothing but its features."""
        for rough in self._search.find(picture):
            plain = self.plainly_there(picture.image, rough)
            if plain is not None:
                yield plain
                continue
            alignment = self.matcher.refine(picture.image, rough)
            if alignment is not None:
                turns = () if self._dial is None else self._dial.turns
                others = (alignment.to_image @ np.linalg.inv(turn) for turn in turns)
                alignment = self._best_turned(picture.image, alignment, others)
                sure = self._judged(picture.image, alignment.to_image, alignment.inliers)
                if sure is not None:
                    yield sure

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """(3, 3) from mm to px of a board that lay at ``to_image`` and may have moved.

        It is known to be this board: an arm may lie over most of it.
        """
        alignment = self.matcher.follow(image, to_image)
        if alignment is None:
            alignment = self.matcher.align(image, self.corners(to_image))
        if alignment is not None:
            return alignment.to_image
        return to_image if self._likeness(image, to_image) > FAINT_LIKENESS else None

    def _judged(
        self, image: np.ndarray, to_image: np.ndarray, inliers: int, among_its_like: bool = False
    ) -> Registration | None:
        """Other editions agree in circles and links: few inliers need a look at what is beside."""
        plenty = inliers >= PLENTY
        if inliers >= _MANY or (plenty and among_its_like):
            return Registration(to_image, 1.0)
        seen, board = self._seen(image, to_image)
        agreed = self._agreement(seen, board)
        asked = PLAINLY_AGREED
        if inliers >= _FEW:
            asked = float(np.interp(inliers, (_FEW, _MANY), _AGREED))
        if plenty:
            sure = agreed is None or agreed > asked or self._lies_only_so(image, to_image, inliers)
            return Registration(to_image, 1.0) if sure else None
        if agreed is not None and agreed > asked:
            return Registration(to_image, agreed)
        likeness = _correlation(_fine(board), self._known, seen)
        if likeness <= CERTAIN_LIKENESS:
            return None
        if not among_its_like:
            clarity = min(1.0, self.matcher.clarity(image, to_image))
            if likeness <= CERTAIN_LIKENESS + CLEAR_LIKENESS * clarity:
                return None
        return Registration(to_image, likeness)

    def _lies_only_so(self, image: np.ndarray, to_image: np.ndarray, inliers: int) -> bool:
        """Whether a board that is all places, so that it shows no art, lies in no other way round.

        No other edition of it has so many features in common; but it may look alike when turned.
        """
        if (self._art >= 0).sum() >= _SCARCE * self.mask.sum():
            return False
        turned = self._quarter_turned(to_image)
        others = (self.matcher.refine(image, rough) for rough in turned)
        return all(other is None or other.inliers < _ANYHOW * inliers for other in others)

    def _quarter_turned(self, to_image: np.ndarray) -> Iterator[np.ndarray]:
        """(3, 3) mm to px each: the same outline, begun at each of its other corners."""
        corners = self.corners(to_image)
        for by in (1, 2, 3):
            yield homography(np.roll(corners, by, axis=0), self.profile.size_mm)

    def _best_turned(
        self, image: np.ndarray, alignment: Alignment, others: Iterable[np.ndarray]
    ) -> Alignment:
        """The board as it lies, or as it is laid near one of the ``others`` if that fits better.

        Art and features say so. Of a board with a dial most circles and lines lie where others do
        once it is turned, by one of the dial's regions or by a quarter.
        """
        if self._dial is None:
            return alignment
        agreed = self._agreement(*self._seen(image, alignment.to_image))
        if agreed is None or agreed > PLAINLY_AGREED:
            return alignment
        best, most = alignment, agreed * alignment.inliers
        for rough in others:
            other = self.matcher.refine(image, rough)
            if other is not None:
                likes = self._agreement(*self._seen(image, other.to_image))
                if likes is not None and likes * other.inliers > most:
                    best, most = other, likes * other.inliers
        return best

    def _likeness(self, image: np.ndarray, to_image: np.ndarray) -> float:
        """Correlation with the reference's fine structure, of what is in the picture; -1 to 1."""
        seen, board = self._seen(image, to_image)
        return _correlation(_fine(board), self._known, seen)

    def _agreement(self, seen: np.ndarray, board: np.ndarray) -> float | None:
        """The same of the art alone, which nothing covers and nothing turns; None for too little.

        ``seen`` and ``board`` as of `_seen`. The mean of that of all art and of the median over its
        regions: a hand, glare or a bend spoils some of these, a border that both boards have makes
        up for none.
        """
        regions = self._art[::2, ::2]
        art = seen[::2, ::2] & (regions >= 0)
        whole = art.sum() == (regions >= 0).sum()
        known = self._known_art if whole else _structure(self.reference, art)
        one, other = (each[art].T.ravel().astype(float) for each in (_structure(board, art), known))
        weights = (None, one, other, one * one, other * other, one * other)
        region = np.tile(regions[art], 3)
        sums = np.array([np.bincount(region, each, _REGIONS**2) for each in weights])
        likes, spread = _correlations(sums)
        telling = spread > _DRAWN
        if telling.sum() < _TELLING:
            return None
        whole, _ = _correlations(sums.sum(axis=1, keepdims=True))
        return float(whole[0] + np.median(likes[telling])) / 2

    @cached_property
    def _known(self) -> np.ndarray:
        return _fine(self.reference)

    @cached_property
    def _known_art(self) -> np.ndarray:
        return _structure(self.reference, self._art[::2, ::2] >= 0)

    @cached_property
    def _art(self) -> np.ndarray:
        """(S, S) int, the region of each pixel of the board; -1 beside it and about its places."""
        scale = self.canvas.px_per_mm
        covered = np.where(self.mask, 0, 1).astype(np.uint8)

        def cover(at: tuple[float, float], radius: float, width: float) -> None:
            x, y = self.canvas.to_px(np.array([at]))[0].round().astype(int).tolist()
            thick = -1 if width == 0 else max(1, round(width * scale))
            cv2.circle(covered, (x, y), round(radius * scale), 1, thick)

        for place, shape in self.profile.places.items():
            if place.kind != "dial":
                cover(shape.at, _BESIDE * shape.radius, 0)
        if self._dial is not None:
            inner, outer = self._dial.inner, self._dial.outer
            cover(self._dial.middle, (inner + outer) / 2, _BESIDE * (outer - inner))
        side = len(self.mask)
        rows, columns = np.mgrid[:side, :side] * _REGIONS // side
        return np.where(covered > 0, -1, rows * _REGIONS + columns)

    def _seen(self, image: np.ndarray, to_image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(S, S) bool, what is in the picture, and (S, S, 3) the board in the reference's light."""
        height, width = image.shape[:2]
        rows, columns = np.nonzero(self.mask)
        at = transform(to_image, self.canvas.to_mm(np.stack([columns, rows], axis=1)))
        inside = ((at >= 0) & (at < (width, height))).all(axis=1)
        seen = np.zeros_like(self.mask)
        seen[rows[inside], columns[inside]] = True
        if not inside.any():
            return seen, np.zeros_like(self.reference)
        return seen, self.rectify(image, to_image, seen).normalized


def _fine(picture: np.ndarray) -> np.ndarray:
    """(S, S) float32: the fine structure, whatever the light."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = _smooth(grey, _NOISE_PX) - _coarse(grey, _FINE_PX)
    return np.asarray(np.clip(fine, -_MOST, _MOST))


def _structure(picture: np.ndarray, within: np.ndarray) -> np.ndarray:
    """(S / 2, S / 2, 3) float32: the structure of a picture in each channel, at half its size.

    ``within`` (S / 2, S / 2) bool is what counts: what does not, a white ring or a piece, casts no
    halo on what does.
    """
    weight = within.astype(np.float32)
    half = cv2.resize(picture, within.shape[::-1], interpolation=cv2.INTER_AREA)
    shown = half.astype(np.float32) * weight[..., None]
    fine, coarse = (
        blur(shown, reach / 2) / np.maximum(blur(weight, reach / 2), _HARDLY)[..., None]
        for blur, reach in ((_smooth, _NOISE_PX), (_coarse, _ART_PX))
    )
    return np.asarray(np.clip(fine - coarse, -_MOST, _MOST))


def _smooth(picture: np.ndarray, reach: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), reach))


def _coarse(picture: np.ndarray, reach: float) -> np.ndarray:
    """The same for a long reach, at a quarter of the size."""
    small = cv2.resize(picture, None, fx=1 / 4, fy=1 / 4, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(_smooth(small, reach / 4), picture.shape[1::-1]))


def _correlations(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R,) correlations of two pictures in each of R regions, and the second one's (R,) spread.

    ``sums`` (6, R) are of the px: how many, either picture, either's squares and the product. Where
    there is nothing to compare it is -1.
    """
    count = np.maximum(sums[0], 1)
    one, other = sums[1:3] / count
    spreads = np.sqrt(np.maximum(sums[3:5] / count - np.array([one, other]) ** 2, 0))
    shared = sums[5] / count - one * other
    varied = spreads.min(axis=0) >= 1e-6
    likeness = np.where(varied, shared / np.where(varied, spreads.prod(axis=0), 1), -1.0)
    return likeness, spreads[1]


def _correlation(one: np.ndarray, other: np.ndarray, within: np.ndarray) -> float:
    """Of two (S, S) pictures where a (S, S) bool is true; -1 where there is nothing to compare."""
    pair = one[within], other[within]
    if not within.any() or min(part.std() for part in pair) < 1e-6:
        return -1.0
    return float(np.corrcoef(*pair)[0, 1])
