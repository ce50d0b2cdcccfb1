"""Where on a canvas the regions of a board are, and where their pieces may be visible."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile
from scorer.places import Place
from vision.rectify import CameraPosition, Canvas
from vision.region_discs import PixelPoint, disc_kernel

_OVER = 0.8
"""Radii by which a piece may reach over the rim of its region."""
_THICK = 8.0
"""Height of pieces, in mm, by which their tops may reach further."""
_MIDDLE, _REACHES = 0.4, 0.15
"""Share of the radius about a piece's centre that determines its region, and the share of that in
regions which admit it from which it is surely in one of them."""


class RegionAreas:
    """The regions of one profile's boards, on a canvas; they are numbered from 1."""

    def __init__(self, profile: Profile, canvas: Canvas) -> None:
        self.canvas, self._profile = canvas, profile
        self.regions = tuple(place for place in profile.places if place.kind == "region")
        self._shapes = [profile.places[region] for region in self.regions]
        self.admitted = [set(profile.game.admits(region)) for region in self.regions]
        """The ids of the pieces that each region admits."""
        self.kinds = [
            piece for piece in profile.game.pieces if any(piece.id in own for own in self.admitted)
        ]
        self._sizes = [
            {piece.diameter_mm for piece in self.kinds if piece.id in own} for own in self.admitted
        ]

    @cached_property
    def numbers(self) -> np.ndarray:
        """(S, S) int16, the number of the region at each pixel; 0 outside."""
        numbers = np.zeros((self.canvas.side_px, self.canvas.side_px), np.int16)
        for number, shape in enumerate(self._shapes, start=1):
            corners = self.canvas.to_px(np.array(shape.outline))
            cv2.fillPoly(numbers, [np.round(corners * 8).astype(np.int32)], number, cv2.LINE_8, 3)
        return numbers

    def radius_px(self, diameter: float) -> float:
        """The radius in px of a diameter in mm."""
        return diameter / 2 * self.canvas.px_per_mm

    def admitting(self, diameter: float) -> np.ndarray:
        """(R + 1,) bool by number: the regions that admit pieces of a diameter in mm."""
        return np.array([False, *(diameter in own for own in self._sizes)])

    def has_smaller(self, diameter: float) -> bool:
        """Whether a region that admits pieces of a diameter admits smaller ones, too."""
        return any(diameter in own and min(own) < diameter for own in self._sizes)

    @cached_property
    def mixed_elsewhere(self) -> set[float | None]:
        """The diameters that share regions with others on further kinds of board of the game."""
        game = self._profile.game
        boards = (one.standard for one in game.table.boards if one.id != self._profile.layout.kind)
        plots = (Place(at, "region") for own in boards for at in getattr(own, "plots", ()))
        sizes = {piece.id: piece.diameter_mm for piece in game.pieces}
        shared = ({sizes[piece] for piece in game.admits(plot)} for plot in plots)
        return {size for own in shared if len(own) > 1 for size in own}

    def within(
        self, admitting: np.ndarray, radius: float, crop: tuple[slice, slice] = np.s_[:, :]
    ) -> np.ndarray:
        """(H, W) float32 of the canvas or a crop of it, 1 where a piece may be visible.

        It has that radius in px, and may reach over rims. ``admitting`` (R + 1,) bool marks the
        regions, by number, in which its centre may be.
        """
        within = admitting[self.numbers[crop]].astype(np.uint8)
        if radius:
            within = cv2.dilate(within, (disc_kernel(_OVER * radius) > 0).astype(np.uint8))
        return np.asarray(within, np.float32)

    def tops(self, within: np.ndarray, camera: CameraPosition) -> np.ndarray:
        """(S, S) float32, 1 where the tops of thick pieces that stand ``within`` are visible."""
        scale = camera.up / max(camera.up - _THICK, _THICK)
        offset = (1 - scale) * self.canvas.to_px(camera.below[None])[0]
        moved = np.array([[scale, 0, offset[0]], [0, scale, offset[1]]])
        size = within.shape[::-1]
        return np.asarray(cv2.warpAffine(within, moved, size, flags=cv2.INTER_NEAREST))

    def around(self, indices: Sequence[int], radius: float) -> np.ndarray:
        """(S, S) bool: the regions of these indices, and where pieces reach over their rims.

        True everywhere if these are all regions.
        """
        if len(indices) == len(self.regions):
            return np.ones(self.numbers.shape, bool)
        chosen = np.isin(np.arange(-1, len(self.regions)), indices)
        return self.within(chosen, radius) > 0

    def box(self, number: int, around: float) -> tuple[slice, slice]:
        """The rows and columns of the canvas of a region and that many px around it."""
        x, y, width, height = cv2.boundingRect((self.numbers == number).astype(np.uint8))
        more = math.ceil(around) + 2
        left, top = max(0, x - more), max(0, y - more)
        return slice(top, y + height + more), slice(left, x + width + more)

    def shares_at(self, at: PixelPoint, diameter: float) -> dict[int, float]:
        """The indices of the regions about a piece's centre, and each one's share."""
        x, y = np.clip(at, 0, self.canvas.side_px - 1).tolist()
        reach = max(1, round(_MIDDLE * self.radius_px(diameter)))
        around = self.numbers[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        inside = around[around > 0]
        return {
            int(number) - 1: float((inside == number).sum() / len(inside))
            for number in np.unique(inside)
        }

    def shares_of(self, piece: str, shares: Mapping[int, float]) -> Iterator[tuple[int, float]]:
        """The indices of the regions of `shares_at` that admit a piece, and each one's share.

        A piece that is in one of them is in none of the others.
        """
        own = {index: share for index, share in shares.items() if piece in self.admitted[index]}
        within = max(sum(own.values()), _REACHES)
        for index, share in own.items():
            yield index, share / within
