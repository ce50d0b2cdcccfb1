"""A board's print: what is drawn on it beside its pieces, and how far a picture agrees with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.dial import Dial
from vision.illumination import Illumination, ReferenceLight
from vision.rectify import CameraPosition, Canvas, rectify, runs_clockwise, transform

PLAINLY_AGREED = 0.7
"""Agreement of the art that rules out a board registered with its dial turned."""
DIFFERS = 40
"""Levels by which the prints of two boards differ."""
_REGIONS = 5
"""Number of regions along each side in which the art is compared, besides as a whole."""
_TELLING = 6
"""Least number of regions that have art."""
_SCARCE = 0.2
"""Share of art on a board below which pieces hide too much of it to rule out other boards."""
_COVERED, _INSIDE, _AROUND = 45, 0.7, 2.0
"""Levels by which most px of a place, within a share of its radius, differ from its print if
something lies there; and the radius, relative to the place's, within which that may hide art."""
_BARE_ART = 0.4
"""Least share of the art that is to be seen beside all pieces, to decide by it alone."""
_EDGE = 0.2
"""Least agreement of the art along each edge then: a print that repeats may be off by one place."""
_BESIDE = 1.3
"""Radius, relative to a place, within which pieces and a dial's blurred ring may hide art."""
_PATCH_PX, _MOSTLY, _BEST = 8, 0.4, 0.25
"""Side of the patches in which the art's colours are compared; share of a patch that must be seen;
and the quantile of the patches that decides: hands and glare may hide most of them."""
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


class BoardPrint:
    """The print of one calibrated profile's board."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.canvas = Canvas(profile.size_mm)
        self.dial = Dial.of(profile)

    @cached_property
    def reference(self) -> np.ndarray:
        """(S, S, 3) uint8, the empty board on the canvas."""
        return self.canvas.place_reference(self.profile.require_reference())

    @cached_property
    def mask(self) -> np.ndarray:
        """(S, S) bool, true on the board."""
        return self.canvas.board_mask()

    def corners(self, to_image: np.ndarray) -> np.ndarray:
        """(4, 2) px, clockwise from the printed top-left."""
        return transform(to_image, board_corners(self.profile.size_mm))

    def is_inside(self, image: np.ndarray, to_image: np.ndarray) -> bool:
        """Whether a picture shows the whole board."""
        corners = self.corners(to_image)
        return runs_clockwise(corners) and bool(
            ((corners >= 0) & (corners < image.shape[1::-1])).all()
        )

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

    def seen(self, image: np.ndarray, to_image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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

    def likeness(self, seen: np.ndarray, board: np.ndarray) -> float:
        """Correlation of what is `seen` with the reference's fine structure; -1 to 1."""
        return correlation(fine_structure(board), self.fine, seen)

    def agreement(self, seen: np.ndarray, board: np.ndarray) -> float | None:
        """Correlation of the art alone, which nothing covers or turns; None if there is too little.

        ``seen`` and ``board`` are as from `_seen`. Mean of the correlation of all art and of the
        median over its regions: hands, glare or bends spoil some regions, and a border that two
        boards share does not make up for the others.
        """
        likes, telling, whole = self._regional_agreement(seen, board)
        if telling.sum() < _TELLING:
            return None
        return (whole + float(np.median(likes[telling]))) / 2

    def colours_apart(self, seen: np.ndarray, board: np.ndarray) -> float:
        """Levels by which the colours of the art differ where they agree best; 0 if none is seen.

        ``seen`` and ``board`` are as from `seen`. Other editions on the same layout share all lines
        between their places, but not their colours.
        """
        art = (seen & (self.art >= 0)).astype(np.float32)
        side = len(art) // _PATCH_PX
        weight, one, other = (
            cv2.resize(each, (side, side), interpolation=cv2.INTER_AREA)
            for each in (art, *(art[..., None] * picture for picture in (board, self.reference)))
        )
        told = weight > _MOSTLY
        if not told.any():
            return 0.0
        apart = np.abs(one - other).max(axis=2)[told] / weight[told]
        return float(np.quantile(apart, _BEST))

    def agreement_outside_pieces(self, seen: np.ndarray, board: np.ndarray) -> float:
        """The agreement of the art that no piece on its place may hide; -1 if that is too little.

        Pieces may lie, or lean, beside their places. The art has to agree along every edge.
        """
        apart = levels_apart(board, self.reference, 2.0)
        covered, scale = np.zeros(seen.shape, np.uint8), self.canvas.px_per_mm
        for place, shape in self.profile.places.items():
            x, y = self.canvas.to_px(np.array([shape.at]))[0].round().astype(int).tolist()
            inner = max(1, int(_INSIDE * shape.radius * scale / np.sqrt(2)))
            within = apart[max(y - inner, 0) : y + inner + 1, max(x - inner, 0) : x + inner + 1]
            if place.kind != "dial" and within.size and np.median(within) > _COVERED:
                cv2.circle(covered, (x, y), round(_AROUND * shape.radius * scale), 1, -1)
        bare = seen & (covered == 0)
        art = self.art >= 0
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
        regions = self.art[::2, ::2]
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
    def fine(self) -> np.ndarray:
        return fine_structure(self.reference)

    @cached_property
    def _known_art(self) -> np.ndarray:
        return _structure(self.reference, self.art[::2, ::2] >= 0)

    @cached_property
    def art(self) -> np.ndarray:
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
        if self.dial is not None:
            inner, outer = self.dial.inner, self.dial.outer
            cover(self.dial.middle, (inner + outer) / 2, _BESIDE * (outer - inner))
        side = len(self.mask)
        rows, columns = np.mgrid[:side, :side] * _REGIONS // side
        return np.where(covered > 0, -1, rows * _REGIONS + columns)

    @property
    def is_all_places(self) -> bool:
        return bool((self.art >= 0).sum() < _SCARCE * self.mask.sum())


def levels_apart(one: np.ndarray, other: np.ndarray, blur: float) -> np.ndarray:
    """(S, S), how far (S, S, 3) blurred pictures are apart in the channel that differs most."""
    blurred = (cv2.GaussianBlur(picture, (0, 0), blur) for picture in (one, other))
    return np.asarray(cv2.absdiff(*blurred).max(axis=2))


def fine_structure(picture: np.ndarray) -> np.ndarray:
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


def correlation(one: np.ndarray, other: np.ndarray, within: np.ndarray) -> float:
    """Correlation of two (S, S) pictures within an (S, S) bool mask; -1 if undefined."""
    pair = one[within], other[within]
    if not within.any() or min(part.std() for part in pair) < 1e-6:
        return -1.0
    return float(np.corrcoef(*pair)[0, 1])
