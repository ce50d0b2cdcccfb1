"""A known board: recognise one profile's board and register it exactly in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.dial import Dial
from vision.illumination import Illumination, ReferenceLight
from vision.rectify import CameraPosition, Canvas, homography, rectify, runs_clockwise, transform
from vision.refine import PLENTY, Alignment, ReferenceMatcher
from vision.search import BoardSearch, Picture

CERTAIN_LIKENESS = 0.5
CLEAR_LIKENESS = 0.15
"""What a clearly visible board must have in addition. Then invented editions with circles at the
same places reach 0.55; blurred and full of stars, the right one reaches 0.6."""
FAINT_LIKENESS = 0.35
_FEW, _MANY = 80, 240
"""With fewer inliers than the first the likeness decides; the second leaves no doubt. Editions
drawn on one layout share up to 200: in between, the art has to agree, the more the fewer there
are."""
_AGREED = (0.65, 0.5)
"""Required agreement of the art for the fewest and for the most of them."""
PLAINLY_AGREED = 0.7
"""Agreement of the art that rules out a board registered with its dial turned."""
_REGIONS = 5
"""Number of regions along each side in which the art is compared, besides as a whole."""
_TELLING = 6
"""Least number of regions that have art."""
_SCARCE = 0.2
"""Share of art on a board below which pieces hide too much of it to rule out other boards."""
_ANYHOW = 0.8
"""Largest share of its inliers that a board keeps if it is registered at another turn."""
_SIMILAR, _SAME, _OTHER = 0.5, 0.005, 0.12
"""Likeness of a print to itself after a turn from which the two have to be told apart; and the
share of px that differ, by `_DIFFERS` levels, below which nothing printed does, and above which all
of the art does."""
_TURNED_SURELY = 0.15
"""Difference in likeness, where the print differs from itself turned, that decides for one."""
_LEAST_TELLING = 60
"""Least number of px that tell a print from itself turned."""
_THUMBNAIL = (24, 24)
_COVERED, _INSIDE, _AROUND = 45, 0.7, 2.0
"""Levels by which most px of a place, within a share of its radius, differ from its print if
something lies there; and the radius, relative to the place's, within which that may hide art."""
_BARE_ART = 0.4
"""Least share of the art that is to be seen beside all pieces, to decide by it alone."""
_EDGE = 0.2
"""Least agreement of the art along each edge then: a print that repeats may be off by one place."""
_BESIDE = 1.3
"""Radius, relative to a place, within which pieces and a dial's blurred ring may hide art."""
_SAME_ART, _DIFFERS = 0.9, 40
"""Agreement of the art of two variants of a board, and levels by which their prints differ."""
_NOISE_PX = 2.0
_FINE_PX, _ART_PX = 12.0, 24.0
"""Canvas px above which differences may be due to light: next to pieces, and within art."""
_MOST = 40.0
"""Levels at which differences are clipped."""
_HARDLY = 1e-3
"""Share of the valid px below which a blurred pixel is not used."""
_DRAWN = 1.0
"""Least standard deviation, in levels, of informative art within a region."""


@dataclass(frozen=True, eq=False)
class RectifiedBoard:
    """A board on the canvas, (S, S, 3) uint8: as photographed, and in the reference's light.

    `camera` is where it was photographed from, and `light` the light there, if known.
    """

    raw: np.ndarray
    normalized: np.ndarray
    camera: CameraPosition | None = field(default=None, kw_only=True)
    light: Illumination | None = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class Registration:
    """A known board at ``to_image`` (3, 3), mm to px, with a ``confidence`` of 0 to 1.

    ``board`` is the rectified board, if it was computed.
    """

    to_image: np.ndarray
    confidence: float
    board: RectifiedBoard | None = None


@dataclass(frozen=True, eq=False)
class _Turn:
    """A turn by ``quarters``, a ``matrix`` (3, 3), mm to mm, after which a print resembles itself.

    ``fine`` (S, S) is its structure then, and ``where`` (S, S) bool it differs; None if nowhere.
    """

    quarters: int
    matrix: np.ndarray
    fine: np.ndarray
    where: np.ndarray | None


class KnownBoard:
    """One calibrated profile's board, to be found in pictures."""

    def __init__(self, profile: Profile) -> None:
        """Raises ValueError for a profile that is not calibrated."""
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
        """(S, S) bool, true on the board."""
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
        """The board rectified, and in the reference's light as estimated in ``mask``, (S, S)."""
        raw = rectify(image, to_image, self.canvas)
        reference = self._light if mask is None else ReferenceLight(self.reference, mask)
        camera = CameraPosition.over(to_image, (image.shape[1], image.shape[0]))
        light = reference.estimate(raw)
        return RectifiedBoard(raw, light.normalize(raw), camera=camera, light=light)

    @cached_property
    def _light(self) -> ReferenceLight:
        return ReferenceLight(self.reference, self.mask)

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
            return self._judged(image, rough, 0, among_its_like)
        quarters = self._quarter_turned(alignment.to_image)
        alignment = self._best_turned(image, alignment, quarters)
        return self._judged(image, alignment.to_image, alignment.inliers, among_its_like)

    def plainly_there(self, image: np.ndarray, rough: np.ndarray) -> Registration | None:
        """The board near a ``rough`` (3, 3) homography, mm to px, if that is beyond doubt.

        All of it is in the picture, and its art agrees as with no other board.
        """
        to_image = self.matcher.track(image, rough)
        if to_image is None or not self._is_inside(image, to_image):
            return None
        to_image = self._turned_right(image, to_image)
        if to_image is None:
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

    def search(self, picture: Picture, repeats: bool = False) -> Iterator[Registration]:
        """All registrations of the board in a picture, found by features.

        If something covers so much that too few are left to refine one, the print decides. One
        that ``repeats`` counts only as a whole: a part of it may be taken for another.
        """
        for rough in self._search.find(picture.features, repeats):
            if repeats and not self._is_inside(picture.image, rough):
                continue
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
            elif self._dial is None and self._is_inside(picture.image, rough):
                sure = self._judged(picture.image, rough, 0)
            else:
                sure = None
            if sure is not None:
                yield sure

    def within(self, image: np.ndarray, outline: np.ndarray) -> Registration | None:
        """The board, or the board in a frame, with that (4, 2) px outline; None if it is another.

        A board with a dial is not sought in this way: each turn of it would have to be tried.
        """
        if self._dial is not None:
            return None
        rough = homography(outline, self.profile.size_mm)
        ways = (rough, *self._quarter_turned(rough))
        laid = (self.matcher.refine(image, way, faint=False) for way in ways)
        judged = (
            self._judged(image, one.to_image, one.inliers, outlined=True)
            for one in laid
            if one is not None and self._is_inside(image, one.to_image)
        )
        found = [one for one in judged if one is not None]
        return max(found, key=lambda one: one.confidence, default=None)

    def variation(self, other: KnownBoard) -> np.ndarray | None:
        """(S, S) bool, where another board's places look different.

        None if it is no variant of this one, with the same art between its places.
        """
        if other is self or other.profile.size_mm != self.profile.size_mm:
            return None
        agreed = self._agreement(self.mask, other.reference)
        if agreed is None or agreed < _SAME_ART:
            return None
        apart = cv2.absdiff(self.reference, other.reference).max(axis=2) > _DIFFERS
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
        return to_image if self._likeness(image, to_image) > FAINT_LIKENESS else None

    def _judged(
        self,
        image: np.ndarray,
        to_image: np.ndarray,
        inliers: int,
        among_its_like: bool = False,
        outlined: bool = False,
    ) -> Registration | None:
        """Accept or reject a registration; with few inliers, by the art and the likeness.

        Other editions may match in circles and links, and grids in part of an ``outlined`` one: its
        art has to agree.
        """
        turned = self._turned_right(image, to_image)
        if turned is None:
            return None
        to_image = turned
        plenty = inliers >= PLENTY
        if inliers >= _MANY or (plenty and among_its_like):
            return Registration(to_image, 1.0)
        seen, board = self._seen(image, to_image)
        agreed = self._agreement(seen, board)
        asked = PLAINLY_AGREED
        if inliers >= _FEW:
            asked = float(np.interp(inliers, (_FEW, _MANY), _AGREED))
        if agreed is not None and agreed <= asked:
            agreed = max(agreed, self._agreement_beside_pieces(seen, board))
        if plenty:
            sure = agreed is None or agreed > asked or self._lies_only_so(image, to_image, inliers)
            return Registration(to_image, 1.0) if sure else None
        if agreed is not None and agreed > asked:
            return Registration(to_image, agreed)
        if outlined and not self._is_all_places:
            return None
        likeness = _correlation(_fine(board), self._known, seen)
        if likeness <= CERTAIN_LIKENESS:
            return None
        if not among_its_like:
            clarity = min(1.0, self.matcher.clarity(image, to_image))
            if likeness <= CERTAIN_LIKENESS + CLEAR_LIKENESS * clarity:
                return None
        return Registration(to_image, likeness)

    def _lies_only_so(self, image: np.ndarray, to_image: np.ndarray, inliers: int) -> bool:
        """Whether a board of nothing but places, without art, matches at no other quarter turn.

        No other edition shares so many features, but it may look alike when turned.
        """
        if not self._is_all_places:
            return False
        alike = [turn.quarters for turn in self._turns if turn.where is None]
        turned = enumerate(self._quarter_turned(to_image), 1)
        others = (self.matcher.refine(image, rough) for by, rough in turned if by not in alike)
        return all(other is None or other.inliers < _ANYHOW * inliers for other in others)

    def _turned_right(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """``to_image`` (3, 3), mm to px, or the turn of it that looks more like the reference.

        Of those that look alike the most upright. None if it is not clear which it is.
        """
        for turn in self._turns:
            if turn.where is not None:
                seen, board = self._seen(image, to_image)
                fine, where = _fine(board), turn.where & seen
                ahead = _correlation(fine, turn.fine, where) - _correlation(
                    fine, self._known, where
                )
                if abs(ahead) < _TURNED_SURELY:
                    return None
                if ahead > 0:
                    to_image = to_image @ turn.matrix
                    refined = self.matcher.refine(image, to_image)
                    to_image = to_image if refined is None else refined.to_image
        alike = (to_image @ turn.matrix for turn in self._turns if turn.where is None)
        upright: np.ndarray = max(
            (to_image, *alike), key=lambda way: float(np.subtract(*self.corners(way)[[1, 0], 0]))
        )
        return upright

    @cached_property
    def _turns(self) -> tuple[_Turn, ...]:
        """The quarter turns after which the print resembles itself."""
        if self._dial is not None:
            return ()
        picture, scale = self.profile.require_reference(), self.profile.px_per_mm
        upright = np.diag([scale, scale, 1.0])
        thumbnail = cv2.resize(picture, _THUMBNAIL, interpolation=cv2.INTER_AREA)
        turns = []
        for by, rough in enumerate(self._quarter_turned(upright), 1):
            turned = np.rot90(thumbnail, by)
            if np.corrcoef(thumbnail.ravel(), turned.ravel())[0, 1] < _SIMILAR:
                continue
            refined = self.matcher.refine(picture, rough)
            to_picture = rough if refined is None else refined.to_image
            seen, board = self._seen(picture, to_picture)
            fine = _fine(board)
            if _correlation(fine, self._known, seen) < _SIMILAR:
                continue
            where = (_levels_apart(board, self.reference, 1.5) > _DIFFERS) & seen
            differs = where.sum() / max(seen.sum(), 1)
            if differs > _OTHER:
                continue
            where &= (np.abs(fine - self._known) > _DIFFERS / 2) & (self._art >= 0)
            likest = _correlation(fine, self._known, where)
            tells = where.sum() >= _LEAST_TELLING and likest <= 1 - 2 * _TURNED_SURELY
            if differs > _SAME and not tells:  # such as words on its places, which pieces hide
                continue
            matrix = np.linalg.inv(upright) @ to_picture
            turns.append(_Turn(by, matrix, fine, where if differs > _SAME else None))
        return tuple(turns)

    @property
    def _is_all_places(self) -> bool:
        return bool((self._art >= 0).sum() < _SCARCE * self.mask.sum())

    def _quarter_turned(self, to_image: np.ndarray) -> Iterator[np.ndarray]:
        """(3, 3) mm to px each: the same outline, starting at each of the other corners."""
        corners = self.corners(to_image)
        for by in (1, 2, 3):
            yield homography(np.roll(corners, by, axis=0), self.profile.size_mm)

    def _best_turned(
        self, image: np.ndarray, alignment: Alignment, others: Iterable[np.ndarray]
    ) -> Alignment:
        """The alignment, or a refinement of one of ``others`` if that agrees better.

        Art and features decide. On a board with a dial most circles and lines coincide with others
        after a turn by one of the dial's regions or by a quarter.
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
        """Correlation of the visible part with the reference's fine structure; -1 to 1."""
        seen, board = self._seen(image, to_image)
        return _correlation(_fine(board), self._known, seen)

    def _agreement(self, seen: np.ndarray, board: np.ndarray) -> float | None:
        """Correlation of the art alone, which nothing covers or turns; None if there is too little.

        ``seen`` and ``board`` are as from `_seen`. Mean of the correlation of all art and of the
        median over its regions: hands, glare or bends spoil some regions, and a border that two
        boards share does not make up for the others.
        """
        likes, telling, whole = self._regional_agreement(seen, board)
        if telling.sum() < _TELLING:
            return None
        return (whole + float(np.median(likes[telling]))) / 2

    def _agreement_beside_pieces(self, seen: np.ndarray, board: np.ndarray) -> float:
        """The agreement of the art that no piece on its place may hide; -1 if that is too little.

        Pieces may lie, or lean, beside their places. The art has to agree along every edge.
        """
        apart = _levels_apart(board, self.reference, 2.0)
        covered, scale = np.zeros(seen.shape, np.uint8), self.canvas.px_per_mm
        for place, shape in self.profile.places.items():
            x, y = self.canvas.to_px(np.array([shape.at]))[0].round().astype(int).tolist()
            inner = max(1, int(_INSIDE * shape.radius * scale / np.sqrt(2)))
            within = apart[max(y - inner, 0) : y + inner + 1, max(x - inner, 0) : x + inner + 1]
            if place.kind != "dial" and within.size and np.median(within) > _COVERED:
                cv2.circle(covered, (x, y), round(_AROUND * shape.radius * scale), 1, -1)
        bare = seen & (covered == 0)
        art = self._art >= 0
        if (bare & art).sum() < _BARE_ART * art.sum():
            return -1.0
        likes, telling, whole = self._regional_agreement(bare, board)
        if telling.sum() < _TELLING:
            return -1.0
        square, told = likes.reshape(_REGIONS, _REGIONS), telling.reshape(_REGIONS, _REGIONS)
        for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
            if not told[edge].any() or np.median(square[edge][told[edge]]) < _EDGE:
                return -1.0
        return (whole + float(np.median(likes[telling]))) / 2

    def _regional_agreement(
        self, seen: np.ndarray, board: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """(R,) correlations of the art by region, (R,) bool, which have any, and that of all."""
        regions = self._art[::2, ::2]
        art = seen[::2, ::2] & (regions >= 0)
        whole = art.sum() == (regions >= 0).sum()
        known = self._known_art if whole else _structure(self.reference, art)
        at = np.flatnonzero(art)
        pair = (
            each.reshape(-1, 3).take(at, axis=0).astype(float)
            for each in (_structure(board, art), known)
        )
        region = regions[art]
        sums = np.array([np.bincount(region, each, _REGIONS**2) for each in _products(*pair)])
        likes, spread = _correlations(sums)
        together, _ = _correlations(sums.sum(axis=1, keepdims=True))
        return likes, spread > _DRAWN, float(together[0])

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
        """(S, S) bool, the part in the picture; (S, S, 3) the board in the reference's light."""
        height, width = image.shape[:2]
        rows, columns = np.nonzero(self.mask)
        at = transform(to_image, self.canvas.to_mm(np.stack([columns, rows], axis=1)))
        inside = ((at >= 0) & (at < (width, height))).all(axis=1)
        seen = np.zeros_like(self.mask)
        seen[rows[inside], columns[inside]] = True
        if not inside.any():
            return seen, np.zeros_like(self.reference)
        return seen, self.rectify(image, to_image, seen).normalized


def _levels_apart(one: np.ndarray, other: np.ndarray, blur: float) -> np.ndarray:
    """(S, S), how far (S, S, 3) blurred pictures are apart in the channel that differs most."""
    blurred = (cv2.GaussianBlur(picture, (0, 0), blur) for picture in (one, other))
    return np.asarray(cv2.absdiff(*blurred).max(axis=2))


def _fine(picture: np.ndarray) -> np.ndarray:
    """(S, S) float32: the fine structure, independent of the light."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = _smooth(grey, _NOISE_PX) - _coarse(grey, _FINE_PX)
    return np.asarray(np.clip(fine, -_MOST, _MOST))


def _structure(picture: np.ndarray, within: np.ndarray) -> np.ndarray:
    """(S / 2, S / 2, 3) float32: the structure of a picture in each channel, at half its size.

    Only what is ``within`` (S / 2, S / 2) bool counts; the rest, such as a white ring or a piece,
    leaves no halo.
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
    """A Gaussian blur of a large radius, computed at a quarter of the size."""
    small = cv2.resize(picture, None, fx=1 / 4, fy=1 / 4, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(_smooth(small, reach / 4), picture.shape[1::-1]))


def _products(one: np.ndarray, other: np.ndarray) -> Iterator[np.ndarray]:
    """What `_correlations` needs of two (N, 3) pictures, (N,) sums over the channels each."""
    yield np.full(len(one), one.shape[1])
    for picture in (one, other):
        yield np.einsum("nc->n", picture)
    for pair in ((one, one), (other, other), (one, other)):
        yield np.einsum("nc,nc->n", *pair)


def _correlations(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R,) correlations of two pictures in each of R regions, and the second one's (R,) spread.

    ``sums`` (6, R) are over the pixels: their number, both pictures, their squares, and their
    product. The correlation is -1 where there is nothing to compare.
    """
    count = np.maximum(sums[0], 1)
    one, other = sums[1:3] / count
    spreads = np.sqrt(np.maximum(sums[3:5] / count - np.array([one, other]) ** 2, 0))
    shared = sums[5] / count - one * other
    varied = spreads.min(axis=0) >= 1e-6
    likeness = np.where(varied, shared / np.where(varied, spreads.prod(axis=0), 1), -1.0)
    return likeness, spreads[1]


def _correlation(one: np.ndarray, other: np.ndarray, within: np.ndarray) -> float:
    """Correlation of two (S, S) pictures within an (S, S) bool mask; -1 if undefined."""
    pair = one[within], other[within]
    if not within.any() or min(part.std() for part in pair) < 1e-6:
        return -1.0
    return float(np.corrcoef(*pair)[0, 1])
