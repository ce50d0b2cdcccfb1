"""Candidate pieces in regions, measured: pixels that differ from the print, covered with discs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.colour_profile import Swatch
from vision.board_print import RectifiedBoard
from vision.region_areas import RegionAreas
from vision.region_colours import (
    fill_glare,
    fill_tops,
    is_like_shadow,
    parts_of,
    perceived,
    shadows,
)
from vision.region_discs import (
    SEED,
    WHOLE,
    PixelPoint,
    WeightedPoint,
    candidate_discs,
    covering_discs,
    disc_kernel,
    heaps,
    share_of_disc,
    weigh_alone,
    weigh_beside_sides,
    weigh_whole,
)
from vision.region_looks import Look, weigh_alike
from vision.region_solids import Solid, solids

_DIFFERENT, _BRIGHTER = 0.25, 2.0
"""Least distance from the print, as logarithms, of a pixel that is covered, and the factor on
brightness where it is brighter, which no shadow is: a white piece on pale print."""
LIKELY = 0.5
"""Probability, or expected number, from which a piece is likely."""
_BENEATH = 0.12
"""Probability of one more piece beneath pieces that overlap."""
_SPREAD, _MOST_BENEATH, _BRUSH = 0.17, 0.4, 0.5
"""Discs of excess coverage from which pieces are a heap, largest probability of one more
beneath, and width in radii below which a difference is no piece's."""
_BESIDE = 0.25
"""Covered share of half a piece's disc from which another piece may be there."""
_SEEN, _ABOUT, _TOUCHES, _GAP = 0.67, 1.5, 0.3, 0.12
"""Visible share of a dark piece below which it may be a shadow, the radii about it and the share of
these in another piece's colour from which that is beside it, and the largest probability then."""
_FULL, _MIDDLE, _UNLIT = 0.85, 0.8, 0.1
"""Least share of a disc that a dark top fills though it has the looks of a shadow; the radii of its
middle; and the largest share of the disc without these looks, where all of it has them."""
_WIDER, _MIRRORED = 1.15, 0.55
"""Radii within which a rim encloses a piece, and the largest probability of that piece."""


@dataclass(frozen=True, eq=False)
class RegionPixels:
    """What is measured of a board, by pixel of the canvas."""

    board: RectifiedBoard
    print_: np.ndarray
    """(S, S, 3) uint8, the empty board in the same light."""
    different: np.ndarray
    """(S, S) bool: differs from the print."""
    opened: np.ndarray
    """(S, S, 3) uint8, the board by `open_shadows`."""
    nearest: np.ndarray
    """(S, S) int: the number of the nearest colour of a piece; of none, the number of colours."""
    shaded: np.ndarray
    """(S, S) bool: shadows of the empty board."""
    loose: np.ndarray
    """(S, S) float32: 1 where pieces may be that are not found yet."""

    @property
    def covered(self) -> np.ndarray:
        """(S, S) bool: neither the print nor a shadow on it."""
        return np.asarray(self.different & ~self.shaded)

    def lay_beneath(
        self, tops: Sequence[PixelPoint], radius: float, colours: Sequence[str]
    ) -> None:
        """Make pieces of one kind the print on which others may lie.

        They are at ``tops`` and have a radius, in px. What has their colour there is loose no more;
        ``colours`` are #rrggbb, those of `nearest`.
        """
        within = np.zeros(self.different.shape, np.uint8)
        for top in tops:
            cv2.circle(within, top, round(radius), (1,), -1)
        there = within > 0
        if not there.any():
            return
        lit, opened = self.board.normalized[there][None], self.opened[there][None]
        own, own_opened = (
            np.broadcast_to(np.median(one, axis=1, keepdims=True), one.shape)
            for one in (lit, opened)
        )
        on_it = differs(lit, own)
        lying = on_it & ~shadows(self.nearest[there][None], opened, own_opened, colours)
        self.loose[there] *= lying[0]
        self.different[there] &= on_it[0]

    @cached_property
    def grey(self) -> np.ndarray:
        return cv2.cvtColor(self.board.normalized, cv2.COLOR_BGR2GRAY)


@dataclass(frozen=True)
class PieceSize:
    """The pieces of one diameter, in mm, that may be found.

    ``own`` are the numbers of the looks' colours if pieces are found by these, else empty. With
    `among_smaller`, smaller pieces may be in the same region.
    """

    diameter: float
    looks: Sequence[Look]
    own: Sequence[int]
    among_smaller: bool

    @cached_property
    def parts(self) -> np.ndarray:
        """(L, L) bool: which looks' colours may be those of parts of others."""
        return parts_of([look.pieces[0].colour for look in self.looks])

    @property
    def least(self) -> float:
        """The least filled share of a disc that may be a piece."""
        return WHOLE if self.among_smaller else SEED


@dataclass(frozen=True)
class Candidates:
    """Candidate pieces of one size.

    ``likely`` are the tops in px and the probabilities that there is a piece, ``feet`` where the
    first of them stand, ``lower`` where they do if they are on top of others, and ``of_colour`` the
    numbers of the looks of the first of them: those that are found by colour. The last ``hidden``
    ones may be beneath others, where they show nothing of their kind.
    """

    likely: Sequence[WeightedPoint]
    feet: Sequence[PixelPoint]
    lower: Sequence[PixelPoint]
    of_colour: Sequence[int]
    hidden: int = 0

    @property
    def tops(self) -> list[PixelPoint]:
        return [at for at, _ in self.likely]

    @property
    def stand(self) -> np.ndarray:
        """(M, 2) px, where each stands: its foot, or else its top."""
        return self._or_tops(self.feet)

    @property
    def stand_on_others(self) -> np.ndarray:
        """(M, 2) px, the same where each may be on top of others."""
        return self._or_tops(self.lower)

    def _or_tops(self, feet: Sequence[PixelPoint]) -> np.ndarray:
        return np.array([*feet, *self.tops[len(feet) :]]).reshape(-1, 2)


class CandidateFinder:
    """Finds the candidate pieces on boards with one reference."""

    def __init__(self, areas: RegionAreas, reference: np.ndarray, colours: Sequence[str]) -> None:
        """``colours`` are #rrggbb, those of all kinds, ``reference`` (S, S, 3) uint8."""
        self._areas, self._reference, self._colours = areas, reference, colours

    def find(self, pixels: RegionPixels, size: PieceSize) -> Candidates:
        """The candidates of one size among what is loose."""
        board, radius = pixels.board, self._areas.radius_px(size.diameter)
        admitting = self._areas.admitting(size.diameter)
        within = self._areas.within(admitting, radius if size.own else 0)
        if size.own and board.camera:
            within = np.maximum(within, self._areas.tops(within, board.camera))
        part = pixels.loose * within
        feet, lower = list[PixelPoint](), list[PixelPoint]()
        with_shaded = part.copy()
        if size.own:
            part[pixels.shaded] = 0
        if size.own and not size.among_smaller:
            found = self._solids(pixels, part > 0, size)
            likely = [(one.top, one.chance) for one in found]
            feet, of_colour = [one.foot for one in found], [one.colour for one in found]
            covered = pixels.covered
            lower = [lower_foot(one, covered, radius) for one in found]
        else:
            likely, of_colour = self._discs(pixels, part, size)
            for at, share, look in [*self._glossy_tops(pixels, with_shaded, size, likely)]:
                likely.append((at, share))
                of_colour.append(look)
            likely += self._more_beneath(pixels.loose, likely, radius)
        hidden = [(at, _BENEATH) for at in heaps(likely, radius)]
        return Candidates([*likely, *hidden], feet, lower, of_colour, len(hidden))

    def _discs(
        self, pixels: RegionPixels, part: np.ndarray, size: PieceSize
    ) -> tuple[list[WeightedPoint], list[int]]:
        """Candidates that fill discs of `part` (S, S), and the looks of those found by colour."""
        radius, own = self._areas.radius_px(size.diameter), size.own
        alike = {colour: self._printed_alike[colour] & ~pixels.different for colour in own}
        discs, of_colour = candidate_discs(part, pixels.nearest, alike, radius, size.least)
        if not size.among_smaller:
            there = weigh_beside_sides(discs, radius)
        else:
            there = weigh_whole(discs, bool(own))
            if own and discs:
                masks = [((pixels.nearest == one) & (part > 0)).astype(np.uint8) for one in own]
                doubted = enclosed(masks, pixels.grey, discs, of_colour, radius)
                there[doubted] = np.minimum(there[doubted], _MIRRORED)
            elif not own:
                there *= weigh_alone(pixels.loose, self._areas.numbers, discs, radius)
        likely = [*zip((at for at, _ in discs), there.tolist(), strict=True)]
        if len(size.looks) == 1:
            likely = weigh_alike(likely, pixels.board.normalized, radius)
        return likely, of_colour

    def _glossy_tops(
        self,
        pixels: RegionPixels,
        part: np.ndarray,
        size: PieceSize,
        found: Sequence[WeightedPoint],
    ) -> Iterator[tuple[PixelPoint, float, int]]:
        """Discs full of a dark colour that may be a shadow, in `part` (S, S) with its shadows.

        A lamp or a window mirrored in a dark top gives all or some of it such a shadow's brightness
        and hue, but a shadow around a smaller piece is at the rim of the disc. Each has its filled
        share and the number of its look; those ``found`` by discs are not found again.
        """
        radius = self._areas.radius_px(size.diameter)
        for look, own in enumerate(size.own):
            if not is_like_shadow(self._colours[own]):
                continue
            dark = (part * (pixels.nearest == own)).astype(np.float32)
            lit = dark * ~pixels.shaded
            for at, share in covering_discs(dark, radius, _FULL):
                whole, middle = (share_of_disc(lit, at, one * radius) for one in (1, _MIDDLE))
                rim = (whole - _MIDDLE**2 * middle) / (1 - _MIDDLE**2)
                is_new = all(math.dist(at, other) > radius for other, is_ in found if is_ > LIKELY)
                if is_new and (rim > whole or whole < _UNLIT):
                    yield at, share, look

    def _solids(self, pixels: RegionPixels, part: np.ndarray, size: PieceSize) -> list[Solid]:
        """The smallest pieces by colour, numbered as looks, in `part` (S, S) bool.

        Players' pieces share one height, all others another.
        """
        radius, canvas = self._areas.radius_px(size.diameter), self._areas.canvas
        camera = pixels.board.camera

        def parallax_shift(at: np.ndarray, height: float) -> np.ndarray:
            if camera is None:
                return np.zeros(2)
            return camera.parallax_shift(canvas.to_mm(at[None])[0], height) * canvas.px_per_mm

        masks = [((pixels.nearest == one) & part).astype(np.uint8) for one in size.own]
        masks = fill_tops(masks, pixels.grey, radius)
        heights = [int(bool(look.pieces[0].owner)) for look in size.looks]
        bare = (~pixels.different).astype(np.uint8)
        dark = {n for n, own in enumerate(size.own) if is_like_shadow(self._colours[own])}
        return [
            replace(one, chance=min(one.chance, _GAP))
            if one.colour in dark and is_gap(masks, one, radius)
            else one
            for one in solids(masks, heights, bare, radius, parallax_shift, size.parts)
        ]

    @cached_property
    def _printed_alike(self) -> Sequence[np.ndarray]:
        """(S, S) bool per colour, where the print has nearly the same."""
        own = np.array([[Swatch("", colour).bgr for colour in self._colours]], np.float32)
        printed = perceived(self._reference)
        return [np.linalg.norm(printed - one, axis=2) < _DIFFERENT for one in perceived(own)[0]]

    def _more_beneath(
        self, loose: np.ndarray, likely: Sequence[WeightedPoint], radius: float
    ) -> Iterator[WeightedPoint]:
        """Positions and probabilities of one more piece beneath others in a region of one kind.

        A heap covers more of the difference from the print, ``loose`` (S, S), than its discs do,
        also beyond the rim where no region is. Misaligned lines of the print are narrower than a
        piece.
        """
        areas, brush = self._areas, disc_kernel(_BRUSH * radius) > 0
        for number, admitted in enumerate(areas.admitted, start=1):
            there = [
                at for at, chance in likely if chance > LIKELY and areas.numbers[at[::-1]] == number
            ]
            if there and len(admitted) == 1:
                crop = areas.box(number, 2 * radius)
                only = np.arange(len(areas.admitted) + 1) == number
                about = areas.within(only, 2 * radius, crop) > 0
                about &= np.isin(areas.numbers[crop], (0, number))
                own = (about & (loose[crop] > 0)).astype(np.uint8)
                wide = cv2.morphologyEx(own, cv2.MORPH_OPEN, brush.astype(np.uint8))
                _, parts = cv2.connectedComponents(wide)
                rows, columns = crop
                of_pieces = {int(parts[y - rows.start, x - columns.start]) for x, y in there} - {0}
                covered = np.isin(parts, [*of_pieces]).sum() / (math.pi * radius**2)
                more = float(covered) - len(there)
                if more > _SPREAD:
                    yield there[0], min(more, _MOST_BENEATH)


def differs(picture: np.ndarray, print_: np.ndarray) -> np.ndarray:
    """(H, W) bool: where a picture differs from the print, both (H, W, 3) BGR, by a piece."""
    change = perceived(picture) - perceived(print_)
    change[..., 2] *= np.where(change[..., 2] > 0, _BRIGHTER, 1)
    return np.asarray(np.linalg.norm(change, axis=2) > _DIFFERENT)


def lower_foot(solid: Solid, covered: np.ndarray, radius: float) -> PixelPoint:
    """Where a piece stands if it is on top of another of its height, which is beneath its foot.

    That is its foot if nothing is visible there; ``covered`` (S, S) bool is where something is.
    """
    (x, y), (u, v) = solid.foot, solid.top
    lower = 2 * x - u, 2 * y - v
    return lower if share_of_disc(covered, lower, radius / 2) > _BESIDE else solid.foot


def is_gap(masks: Sequence[np.ndarray], solid: Solid, radius: float) -> bool:
    """Whether a dark piece may be a shadow between others: too little of it is seen beside them.

    ``masks`` (H, W) uint8 are of each colour.
    """
    ends = (solid.top, solid.foot)
    seen = max(share_of_disc(masks[solid.colour], at, radius) for at in ends)
    others = (mask for number, mask in enumerate(masks) if number != solid.colour)
    beside = max(share_of_disc(mask, solid.top, _ABOUT * radius) for mask in others)
    return seen < _SEEN and beside > _TOUCHES


def enclosed(
    masks: Sequence[np.ndarray],
    grey: np.ndarray,
    discs: Sequence[WeightedPoint],
    of_colour: Sequence[int],
    radius: float,
) -> np.ndarray:
    """(M,) bool: which discs are inside a rim of another colour, whose top may mirror a lamp.

    ``masks`` (H, W) uint8 are of each colour, ``of_colour`` the discs', ``grey`` (H, W) the board.
    """
    reach, doubted = round(2 * radius), []
    for ((x, y), _), its in zip(discs, of_colour, strict=True):
        left, top = max(0, x - reach), max(0, y - reach)
        box, middle = np.s_[top : y + reach + 1, left : x + reach + 1], (x - left, y - top)
        others = (mask[box] for number, mask in enumerate(masks) if number != its)
        glares = (fill_glare(one, grey[box], _WIDER * radius) & (1 - one) for one in others)
        doubted.append(any(share_of_disc(one, middle, radius) > LIKELY for one in glares))
    return np.array(doubted, bool)
