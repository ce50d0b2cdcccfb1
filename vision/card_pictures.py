"""A deck's pictures, and how places in a photograph are compared and registered with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np

from vision.card_features import DeckFeatures
from vision.card_geometry import corner_distance, is_convex, side_of, slenderness
from vision.card_likeness import alike_in_detail, explained, standardised
from vision.rectify import transform, warp

_COARSE_PX, _FINE_PX = 32, 64
"""Sides of the square in which pictures are compared: all, then the candidates."""
_BLURS = (0.0, 1.0)
"""Blurs, in px at `_COARSE_PX`, whose correlations are averaged: thin lines need an exact place."""
_CLOSER = 4
"""Number of the likeliest cards that are compared closely."""
_MOTIONS = (cv2.MOTION_HOMOGRAPHY, cv2.MOTION_AFFINE)
NEAR_RIVAL = 0.05
"""Difference in the explained share within which a rival card is registered as well."""
_LIKE_SHAPE = 1.8
"""Largest ratio of an aspect ratio to the picture's."""
_ALIKE_AT_FIRST, _EXPLAINED = 0.3, 0.62
"""Similarity of detail needed before the photograph's sharpness is known, or else the share that
a card has to explain."""
_SOFTNESS = (0.6, 1.0, 1.4, 2.0, 2.8)
"""Blurs of a photograph relative to the deck's pictures, in px at `_FINE_PX`."""
_AS_LARGE = 1.5
"""Largest ratio of the sides of two registrations of one card."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A card's picture: (H, W, 3) uint8 BGR, edge to edge. One card may have several."""

    id: str
    picture: np.ndarray


@dataclass(frozen=True, eq=False)
class Registration:
    """A place registered with pictures of the deck: exact (4, 2) corners, and the square there.

    ``shares`` are the shares of it that the likeliest pictures explain, by their numbers.
    """

    corners: np.ndarray
    seen: np.ndarray
    shares: Mapping[int, float]
    turned: Registration | None = None
    """The alternative at another turn."""
    softness: float = 0.0
    """Its blur relative to pictures of the deck, in px of its square."""
    alike: Mapping[int, float] = field(default_factory=dict)
    """Its similarity of detail to each, once its sharpness is known."""

    @property
    def share(self) -> float:
        return max(self.shares.values())

    def is_better(self, other: Registration) -> bool:
        ratio = side_of(self.corners) / side_of(other.corners)
        return self.share > other.share and max(ratio, 1 / ratio) < _AS_LARGE

    @property
    def likeliest(self) -> int:
        return max(self.shares, key=lambda one: self.shares[one])


class DeckPictures:
    """The distinct pictures of a deck, loaded when they are first needed."""

    def __init__(self, pictures: Iterable[CardPicture]) -> None:
        """One or more pictures per card."""
        self._source = pictures

    @cached_property
    def groups(self) -> Sequence[Sequence[CardPicture]]:
        """Cards grouped by identical pictures, which cannot be distinguished."""
        alike: dict[tuple[int, bytes], list[CardPicture]] = {}
        for one in self._source:
            alike.setdefault((one.picture.shape[0], one.picture.tobytes()), []).append(one)
        return tuple(alike.values())

    @cached_property
    def pictures(self) -> Sequence[CardPicture]:
        return [alike[0] for alike in self.groups]

    @cached_property
    def features(self) -> DeckFeatures:
        return DeckFeatures([one.picture for one in self.pictures])

    @cached_property
    def _fine(self) -> Sequence[np.ndarray]:
        return [_square(one.picture, _FINE_PX) for one in self.pictures]

    @cached_property
    def _fine_flat(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the standardised pictures."""
        return np.array([standardised(one).ravel() for one in self._fine], np.float32)

    @cached_property
    def _coarse(self) -> Sequence[np.ndarray]:
        """(4 N, 32 · 32 · 3) float32 for each of `_BLURS`.

        Each picture as it is and after one, two and three left turns.
        """
        small = [_square(one.picture, _COARSE_PX) for one in self.pictures]
        turned = [np.rot90(one, turn) for one in small for turn in range(4)]
        return [np.array([_flat(one, blur) for one in turned], np.float32) for blur in _BLURS]

    def likeness(self, image: np.ndarray, places: Sequence[np.ndarray]) -> np.ndarray:
        """(B, P, 4 N) correlations of (4, 2) places in an image with the pictures.

        By blur, the first none, by place, and by picture in each of four turns.
        """
        seen = [cut(image, corners, _COARSE_PX) for corners in places]
        likeness = np.zeros((len(_BLURS), len(places), 4 * len(self.pictures)), np.float32)
        for one, (blur, known) in enumerate(zip(_BLURS, self._coarse, strict=True)):
            if seen:
                flat = np.array([_flat(picture, blur) for picture in seen], np.float32)
                likeness[one] = flat @ known.T / flat.shape[1]
        return likeness

    def register(
        self, image: np.ndarray, corners: np.ndarray, likeness: np.ndarray
    ) -> Registration | None:
        """The best registration of rough (4, 2) corners; None if there is none of the deck's.

        ``likeness`` (4 N,) are the place's correlations.
        """
        order = [divmod(int(one), 4) for one in np.argsort(-likeness)[: 2 * _CLOSER]]
        tried: dict[int, tuple[float, np.ndarray, int]] = {}
        for one, turn in order:
            if turn not in tried and len(tried) < 2:
                tried[turn] = (*self._align(image, np.roll(corners, turn, axis=0), one), one)
        chosen = max(tried, key=lambda turn: tried[turn][0])
        _, exact, best = tried[chosen]
        # The right card shows where it and similar ones of the deck differ.
        _, shares = self._shares(image, exact, best)
        near = [one for one, share in shares.items() if share > max(shares.values()) - NEAR_RIVAL]
        tries = [(exact, one) for one in near] + [(np.roll(corners, chosen, axis=0), best)]
        _, exact, best = max(
            ((*self._align(image, at, one, _MOTIONS), one) for at, one in tries),
            key=lambda one: one[0],
        )
        seen, shares = self._shares(image, exact, best)
        best = max(shares, key=lambda one: shares[one])
        if shares[best] < _EXPLAINED and alike_in_detail(seen, self._fine[best]) < _ALIKE_AT_FIRST:
            return None
        height, width = self.pictures[best].picture.shape[:2]
        slenderer = slenderness(exact) / (height / width)
        if not (is_convex(exact) and 1 / _LIKE_SHAPE < slenderer < _LIKE_SHAPE):
            return None
        turned = None
        for turn, (_, rough, one) in tried.items():
            if turn != chosen and self.pictures[one].id != self.pictures[best].id:
                _, others = self._align(image, rough, one, _MOTIONS)
                turned = Registration(others, *self._shares(image, others, one))
        return Registration(exact, seen, shares, turned)

    def compare_in_detail(self, registered: Sequence[Registration]) -> list[Registration]:
        """The registrations, compared with pictures as much out of focus as the photograph."""

        def softer(one: Registration, softness: float) -> Registration:
            turned = one.turned and softer(one.turned, softness)
            soft = replace(one, turned=turned, softness=softness)
            return replace(
                soft,
                shares={card: explained(one.seen, self.blurred(card, soft)) for card in one.shares},
            )

        def compared(one: Registration) -> Registration:
            alike = {
                card: alike_in_detail(one.seen, self.blurred(card, one)) for card in one.shares
            }
            return replace(one, alike=alike, turned=one.turned and compared(one.turned))

        tried = [
            list(registered),
            *([softer(one, softness) for one in registered] for softness in _SOFTNESS),
        ]
        return [*map(compared, max(tried, key=lambda cards: sum(one.share for one in cards)))]

    def blurred(self, card: int, like: Registration, side: int = _FINE_PX) -> np.ndarray:
        """A card's picture, in a square of `side` px, blurred like a registered place."""
        known = self._fine[card] if side == _FINE_PX else _square(self.pictures[card].picture, side)
        softness = like.softness * side / _FINE_PX
        return cv2.GaussianBlur(known, (0, 0), softness) if softness else known

    def _shares(
        self, image: np.ndarray, corners: np.ndarray, card: int
    ) -> tuple[np.ndarray, dict[int, float]]:
        """The picture at (4, 2) corners, and the shares that a card and similar ones explain."""
        seen = cut(image, corners, _FINE_PX)
        alike = np.argsort(-(standardised(seen).ravel() @ self._fine_flat.T))[:_CLOSER]
        rivals = {card, *(int(one) for one in alike)}
        return seen, {one: explained(seen, self._fine[one]) for one in rivals}

    def _align(
        self,
        image: np.ndarray,
        corners: np.ndarray,
        card: int,
        motions: Sequence[int] = (cv2.MOTION_HOMOGRAPHY,),
    ) -> tuple[float, np.ndarray]:
        """The share that a card explains at rough corners, and its exact corners."""
        known = self._fine[card]
        seen = cut(image, corners, _FINE_PX)
        tried = [(explained(seen, known), corners)]
        for motion in motions:
            moved = aligned(seen, corners, known, motion)
            if moved is not corners:
                tried.append((explained(cut(image, moved, _FINE_PX), known), moved))
        return max(tried, key=lambda one: one[0])


def cut(image: np.ndarray, corners: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) the picture at (4, 2) corners of an image."""
    return warp(image, _onto_square(corners, side), (side, side))


def aligned(
    seen: np.ndarray, corners: np.ndarray, known: np.ndarray, motion: int = cv2.MOTION_HOMOGRAPHY
) -> np.ndarray:
    """(4, 2) corners moved so that the picture there, `seen`, is aligned with a known one.

    The same corners if that fails: enhanced correlation (Evangelidis and Psarakis, 2008).
    """
    side = known.shape[0]
    template, moving = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (known, seen))
    moved, everywhere = np.eye(3, dtype=np.float32), np.ones((side, side), np.uint8)
    begin = moved if motion == cv2.MOTION_HOMOGRAPHY else moved[:2]
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, found = cv2.findTransformECC(template, moving, begin, motion, steps, everywhere, 5)
    except cv2.error:  # it did not converge
        return corners
    moved[: len(found)] = found
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], float) - 0.5
    exact = transform(np.linalg.inv(_onto_square(corners, side)) @ moved, square)
    is_near = corner_distance(exact, corners) < 0.25 * np.ptp(corners, axis=0).max()
    return exact if is_near else corners


def _flat(picture: np.ndarray, blur: float) -> np.ndarray:
    """A (H, W, 3) picture, blurred, as standardised values in one row."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    return standardised(soft).ravel()


def _square(picture: np.ndarray, side: int) -> np.ndarray:
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    return cut(picture, corners, side)


def _onto_square(corners: np.ndarray, side: int) -> np.ndarray:
    """(3, 3) from px of a picture with (4, 2) `corners` to a square of `side` px."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
