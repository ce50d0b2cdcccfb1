"""Region counts: how many pieces of each kind lie in a region, by their colours and their size.

Pixels that look like a kind of piece, and unlike the print, are covered greedily with discs of that
piece's diameter. How much of a disc they fill says how likely a piece lies there: one that is half
under another fills half of its own, and so leaves open whether it is there at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile
from calibration.token_kit import BRIGHTNESS, TokenKit, log_opponents
from scorer.places import Place
from vision.decode import LEAST, count_distribution
from vision.known_board import RectifiedBoard
from vision.rectify import Canvas

_CLEARER = 0.05
"""How much nearer to a piece's colour than to the print's a pixel of it is, as logarithms."""
_STRANGE = 0.7
"""How far a pixel is at least, as logarithms, that is neither print nor piece."""
_HIDING = 0.2
"""The share of a region that looks strange from which something hides it."""
_SEED = 0.25
"""The share of a disc that must be filled for a piece to be considered at all."""
_EVEN, _SLOPE = 0.5, 0.07
"""The share of a disc that is filled where a piece is as likely there as not, and its spread."""
_SIDES = 1.2
"""A piece's sides show around it, up to so many times its radius."""
_MIDDLE = 0.4
"""The share of the radius about a piece's middle that says in which region it lies."""


@dataclass(frozen=True)
class RegionCount:
    """How many pieces lie in a region: by kind, the probabilities of none, one, two and so on.

    ``hidden``: something that is neither print nor piece lies over it.
    """

    chances: Mapping[str, np.ndarray]
    hidden: bool = False

    @property
    def pieces(self) -> dict[str, int]:
        """The likeliest count of each kind, without those of which there is none."""
        likeliest = {piece: int(chance.argmax()) for piece, chance in self.chances.items()}
        return {piece: count for piece, count in likeliest.items() if count}

    @property
    def confidence(self) -> float:
        """The probability that all counts are right."""
        return self.probability(self.pieces)

    def probability(self, pieces: Mapping[str, int]) -> float:
        """How likely a region holds just these, by kind."""
        if pieces.keys() - self.chances.keys():
            return 0.0
        each = (
            chance[pieces.get(piece, 0)] if pieces.get(piece, 0) < len(chance) else 0.0
            for piece, chance in self.chances.items()
        )
        return float(np.prod([*each]))

    def alternatives(self) -> dict[str, dict[str, float]]:
        """Of each kind whose count is open, the counts that are probable at all."""
        told = {
            piece: {
                str(count): round(float(chance[count]), 3)
                for count in np.argsort(-chance, kind="stable")
                if chance[count] >= LEAST
            }
            for piece, chance in self.chances.items()
        }
        return {piece: counts for piece, counts in told.items() if len(counts) > 1}


class RegionCounter:
    """Counts the pieces in the regions of one profile's boards, on a canvas."""

    def __init__(self, profile: Profile, canvas: Canvas, reference: np.ndarray) -> None:
        """``reference`` (S, S, 3) uint8 is the empty board on the canvas."""
        self._canvas, self._reference, self._game = canvas, reference, profile.game
        self.regions = tuple(place for place in profile.places if place.kind == "region")
        self._shapes = [profile.places[region] for region in self.regions]
        self._admitted = [set(profile.game.admits(region)) for region in self.regions]
        self._kinds = [
            piece for piece in profile.game.pieces if any(piece.id in own for own in self._admitted)
        ]

    @cached_property
    def _numbers(self) -> np.ndarray:
        """(S, S) int16, the number of the region at each pixel from 1 on; 0 beside them."""
        numbers = np.zeros(self._reference.shape[:2], np.int16)
        for number, shape in enumerate(self._shapes, start=1):
            corners = self._canvas.to_px(np.array(shape.outline))
            cv2.fillPoly(numbers, [np.round(corners * 8).astype(np.int32)], number, cv2.LINE_8, 3)
        return numbers

    @cached_property
    def _print(self) -> np.ndarray:
        return _perceived(self._reference)

    def count(self, board: RectifiedBoard, kit: TokenKit) -> dict[Place, RegionCount]:
        """What lies in each region of a board, its pieces as a kit or else the game has them."""
        if not self.regions:
            return {}
        looks = _perceived(board.normalized)
        to_print = np.linalg.norm(looks - self._print, axis=2)
        swatches = np.array([kit.bgr(piece.id, piece.colour) for piece in self._kinds])
        colours = _perceived(swatches[None])[0]
        to_kinds = np.stack([np.linalg.norm(looks - own, axis=2) for own in colours])
        nearest = to_kinds.min(axis=0)
        taken = nearest + _CLEARER < to_print
        which = np.where(taken & (nearest < _STRANGE), to_kinds.argmin(axis=0), -1)
        strange = np.minimum(nearest, to_print) > _STRANGE
        found: list[dict[str, list[float]]] = [{} for _ in self.regions]
        for kind, piece in enumerate(self._kinds):
            radius = piece.diameter_mm / 2 * self._canvas.px_per_mm
            for at, chance in _discs((which == kind).astype(np.float32), radius):
                for number, share in self._regions_at(at, radius):
                    if piece.id in self._admitted[number]:
                        found[number].setdefault(piece.id, []).append(chance * share)
        counts = {}
        for number, region in enumerate(self.regions):
            here = self._numbers == number + 1
            chances = {
                piece.id: count_distribution(np.array(found[number].get(piece.id, [])))
                for piece in self._kinds
                if piece.id in self._admitted[number]
            }
            counts[region] = RegionCount(chances, bool(strange[here].mean() > _HIDING))
        return counts

    def _regions_at(self, at: tuple[int, int], radius: float) -> Iterator[tuple[int, float]]:
        """The regions about a piece's middle by their numbers from 0 on, and each one's share."""
        (x, y), reach = at, max(1, round(_MIDDLE * radius))
        around = self._numbers[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        for number in np.unique(around[around > 0]):
            yield int(number) - 1, float((around == number).sum() / (around > 0).sum())


def _perceived(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) of an (H, W, 3) BGR picture: logarithms, brightness weighing less than hues."""
    flat = log_opponents(picture.reshape(-1, 3)) * np.array([1, 1, 1 / BRIGHTNESS])
    return np.asarray(flat.reshape(picture.shape), np.float32)


def _discs(mask: np.ndarray, radius: float) -> Iterator[tuple[tuple[int, int], float]]:
    """Where discs of that radius in px cover an (H, W) float32 mask, and how likely each is one.

    The fullest first; what one covers counts for no other. The mask is used up.
    """
    kernel, reach = _disc(radius), round(2 * radius) + 2
    filled = cv2.filter2D(mask, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    while True:
        _, full, _, (x, y) = cv2.minMaxLoc(filled)
        if full < _SEED:
            return
        yield (x, y), float(1 / (1 + np.exp((_EVEN - full) / _SLOPE)))
        cv2.circle(mask, (x, y), round(_SIDES * radius), (0.0,), -1)
        x0, y0 = max(0, x - reach), max(0, y - reach)
        x1, y1 = max(0, x0 - reach), max(0, y0 - reach)
        wider = mask[y1 : y + 2 * reach, x1 : x + 2 * reach]
        anew = cv2.filter2D(wider, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        part = anew[y0 - y1 :, x0 - x1 :][: y + reach - y0, : x + reach - x0]
        filled[y0 : y + reach, x0 : x + reach] = part


def _disc(radius: float) -> np.ndarray:
    """(D, D) float32, even on a disc and 0 around it; their sum is 1."""
    reach = int(np.ceil(radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(xs, ys) <= radius).astype(np.float32)
    return np.asarray(disc / disc.sum())
