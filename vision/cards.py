"""Cards in a photograph: where pictures with straight edges lie, and which of a deck each is.

A card is known by its picture: the part inside of its frame, or its whole face. Outlines of four
sides, and places on which features of a picture agree, are rectified, compared with all pictures
of the deck however they are turned, laid exactly over the likeliest (enhanced correlation,
Evangelidis and Psarakis, 2008) and compared pixel by pixel. A picture that none of the deck's
explains is none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from vision.card_features import DeckFeatures
from vision.rectify import shrunk, transform, warp

SEARCHED_PX = 2000
"""The longer side of the picture in which outlines are looked for."""
_LEAST_SIDE, _MOST_SIDE = 20.0, 0.5
"""The shorter side of an outline there at least in px, the longer one at most as a share of it."""
_MOST_OUTLINES = 400
_COARSE_PX, _FINE_PX, _SHARP_PX = 32, 64, 192
"""Sides of the square in which pictures are compared first, then those that may be it, and last
those that differ in little more than a number."""
_NEAR_TWIN = 0.05
"""How likely another card is, to the likeliest, from which the two are compared sharply."""
_ALIKE = 0.35
"""The correlation of a picture with the likeliest card from which it is looked at closer."""
_CLOSER = 4
"""So many of the likeliest cards are compared closely."""
_LIKE_SIZE, _LIKE_SHAPE = 2.0, 1.8
"""By so many times a side may differ from those of the other cards; a shape from the picture's."""
_OUTLIER = 1.2
"""Residual, in standard deviations of the picture, beyond which something lies on the card."""
_MIDDLE, _WIDTH = 0.7, 0.04
"""The correlation at which a picture is as likely the deck's as not, and how quickly that turns."""
_SHARPNESS = 11.0
"""How much likelier a card is than another, as a power of e, where it looks wholly like itself."""
_MORE = 0.006
"""How much more of what is seen a card explains than another that is a third as likely."""
UNCERTAIN_BELOW = 0.95
"""The confidence below which a card is to be asked about."""


Window = tuple[float, float, float, float]
"""Left, top, right and bottom of a picture, as shares of its card's width and height."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """What a card looks like: (H, W, 3) uint8 BGR, edge to edge. One card may have several."""

    id: str
    picture: np.ndarray


@dataclass(frozen=True, eq=False)
class CardReading:
    """A card in a photograph. `corners` are (4, 2) px of its picture, clockwise from its top left.

    `confidence` is the probability that it is `card`; `alternatives` has that of others.
    """

    card: str
    confidence: float
    corners: np.ndarray
    alternatives: Mapping[str, float] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """The card as JSON data."""
        return {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            **(
                {"alternatives": {card: round(p, 4) for card, p in self.alternatives.items()}}
                if self.alternatives
                else {}
            ),
        }


class Deck:
    """The cards that may lie in a photograph, by their pictures.

    They are asked for with the first photograph in which something might be a card.
    """

    def __init__(self, pictures: Iterable[CardPicture], windows: Sequence[Window] = ()) -> None:
        """Of one picture a card or more; `windows` say where it may lie on a whole card."""
        self._source, self._windows = pictures, tuple(windows)

    @cached_property
    def _pictures(self) -> Sequence[CardPicture]:
        return tuple(self._source)

    @cached_property
    def _fine(self) -> Sequence[np.ndarray]:
        return [_square(one.picture, _FINE_PX) for one in self._pictures]

    @cached_property
    def _fine_flat(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the pictures standardised."""
        return np.array([_standardised(one).ravel() for one in self._fine], np.float32)

    @cached_property
    def _features(self) -> DeckFeatures:
        return DeckFeatures([one.picture for one in self._pictures])

    @cached_property
    def _coarse(self) -> np.ndarray:
        """(4 N, 32 · 32 · 3) float32, each as it is and turned to the left once, twice, thrice."""
        small = [_square(one.picture, _COARSE_PX) for one in self._pictures]
        turned = [np.rot90(one, turn) for one in small for turn in range(4)]
        return np.array([_standardised(one).ravel() for one in turned], np.float32)

    def find(
        self, image: np.ndarray, taken: Sequence[np.ndarray] = (), *, by_outline: bool = False
    ) -> list[CardReading]:
        """The cards in an (H, W, 3) uint8 picture, the surest first; corners in its px.

        Nothing is looked for within `taken`, (4, 2) px each: what lies there is known. With
        `by_outline` only what has one is found; its corners are exact even where much is covered.
        """
        small, to_image = shrunk(image, SEARCHED_PX)
        if not self._pictures:
            return []
        to_small = np.linalg.inv(to_image)
        outlines = find_outlines(small, [transform(to_small, at) for at in taken])
        outlines += [
            transform(_to_quadrilateral(corners, turn), _corners_of(window))
            for corners in outlines
            for window in self._windows
            for turn in range(4)
            if _is_upright(np.roll(corners, turn, axis=0))
        ]
        if not by_outline:
            outlines += [transform(to_small, at) for at in self._features.places(image, taken)]
        if not outlines:
            return []
        seen = [
            warp(small, _onto_square(corners, _COARSE_PX), (_COARSE_PX, _COARSE_PX))
            for corners in outlines
        ]
        flat = np.array([_standardised(one).ravel() for one in seen], np.float32)
        likeness = flat @ self._coarse.T / flat.shape[1]
        found: list[CardReading] = []
        for number in np.argsort(-likeness.max(axis=1)):
            if likeness[number].max() < _ALIKE:
                break
            corners = transform(to_image, outlines[number])
            if not any(_covers(card.corners, corners) for card in found):
                card = self._closer(image, corners, likeness[number])
                if card is not None and not any(
                    _covers(other.corners, card.corners) for other in found
                ):
                    found.append(card)
        return sorted(_of_one_size(found), key=lambda card: -card.confidence)

    def _closer(
        self, image: np.ndarray, corners: np.ndarray, likeness: np.ndarray
    ) -> CardReading | None:
        """The card whose picture lies at rough (4, 2) corners; None where it is none of them."""
        order = [divmod(int(one), 4) for one in np.argsort(-likeness)[: 2 * _CLOSER]]
        tried: dict[int, tuple[float, np.ndarray, int]] = {}
        for one, turn in order:
            if turn not in tried and len(tried) < 2:
                tried[turn] = (*self._laid(image, np.roll(corners, turn, axis=0), one), one)
        _, laid, best = max(tried.values(), key=lambda one: one[0])
        height, width = self._pictures[best].picture.shape[:2]
        if not 1 / _LIKE_SHAPE < _slenderness(laid) / (height / width) < _LIKE_SHAPE:
            return None
        # Others of the deck lie alike: which it is shows where they differ.
        seen = _cut(image, laid)
        shares = _standardised(seen).ravel() @ self._fine_flat.T
        rivals = {best, *(int(one) for one in np.argsort(-shares)[:_CLOSER])}
        explained = {one: _explained(seen, self._fine[one]) for one in rivals}
        most = max(explained.values())
        if most < _MIDDLE - 2 * _WIDTH:
            return None
        winner = max(explained, key=lambda one: explained[one])
        odds: dict[str, float] = {self._pictures[winner].id: 1.0}
        for one in rivals - {winner}:
            if self._pictures[one].id != self._pictures[winner].id:
                own = _odds(seen, self._fine[winner], self._fine[one])
                if own > _NEAR_TWIN:
                    own = self._sharp_odds(image, laid, winner, one)
                # Where light takes one colour for another, either explains as much.
                own = max(own, float(np.exp((explained[one] - most) / _MORE)))
                odds[self._pictures[one].id] = max(odds.get(self._pictures[one].id, 0.0), own)
        in_deck = 1 / (1 + np.exp(-(most - _MIDDLE) / _WIDTH))
        total = sum(odds.values())
        chances = {card: in_deck * own / total for card, own in odds.items()}
        card = max(chances, key=lambda one: chances[one])
        others = {one: p for one, p in chances.items() if one != card and p > 0.02}
        return CardReading(card, float(chances[card]), laid, others)

    def _sharp_odds(self, image: np.ndarray, corners: np.ndarray, card: int, other: int) -> float:
        """The odds of a card's near twin to itself, at (4, 2) exact corners."""
        known, its = (_square(self._pictures[one].picture, _SHARP_PX) for one in (card, other))
        return _odds(_cut(image, _laid_over(image, corners, known), _SHARP_PX), known, its)

    def _laid(self, image: np.ndarray, corners: np.ndarray, card: int) -> tuple[float, np.ndarray]:
        """How much of what lies at rough corners a card explains, and its exact corners."""
        known = self._fine[card]
        ways = (corners, _laid_over(image, corners, known))
        return max(
            ((_explained(_cut(image, way), known), way) for way in ways), key=lambda one: one[0]
        )


def _of_one_size(found: Sequence[CardReading]) -> list[CardReading]:
    """Those about as large as most: cards of a deck are, and details of their pictures are not."""
    if not found:
        return []
    sizes = [np.sqrt(cv2.contourArea(card.corners.astype(np.float32))) for card in found]
    usual = float(np.median(sizes))
    near = [max(size / usual, usual / size) < _LIKE_SIZE for size in sizes]
    return [card for card, is_near in zip(found, near, strict=True) if is_near]


def _slenderness(corners: np.ndarray) -> float:
    """The height by the width of what has (4, 2) corners."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float((sides[1] + sides[3]) / max(float(sides[0] + sides[2]), 1e-9))


def find_outlines(image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: what in an (H, W, 3) uint8 picture has four straight sides.

    Each stands once, the largest first; what has its middle within one of `taken` is left out.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: list[np.ndarray] = []
    for flat in _flattened(grey):
        contours, _ = cv2.findContours(flat, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = _four_sides(contour, max(image.shape))
            if corners is not None and not any(_holds(own, corners.mean(axis=0)) for own in taken):
                found.append(corners)
    found.sort(key=lambda corners: -cv2.contourArea(corners.astype(np.float32)))
    kept: list[np.ndarray] = []
    for corners in found:
        reach = 0.04 * np.sqrt(cv2.contourArea(corners.astype(np.float32)))
        if all(_apart(corners, other) > reach for other in kept):
            kept.append(corners)
            if len(kept) == _MOST_OUTLINES:
                break
    return kept


def _flattened(grey: np.ndarray) -> Iterable[np.ndarray]:
    """Pictures of two levels, in which what is darker or lighter than about it is a whole."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    for window, offset in ((25, 4), (101, 8)):
        level = cv2.blur(smooth, (window, window)).astype(np.int16)
        yield (smooth < level - offset).astype(np.uint8)
    edges = cv2.Canny(smooth, 30, 80)
    yield cv2.dilate(edges, np.ones((3, 3), np.uint8))


def _four_sides(contour: np.ndarray, longest: int) -> np.ndarray | None:
    """(4, 2) px clockwise, where straight sides of a contour meet; None where it has no four."""
    if len(contour) < 3 * _LEAST_SIDE:
        return None
    (_, (width, height), _) = box = cv2.minAreaRect(contour)
    if min(width, height) < _LEAST_SIDE or max(width, height) > _MOST_SIDE * longest:
        return None
    if cv2.contourArea(contour) < 0.75 * width * height:
        return None
    points = contour.reshape(-1, 2).astype(float)
    around = cv2.boxPoints(box).astype(float)
    lines = []
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        along /= length
        across = np.array([-along[1], along[0]])
        at = (points - start) @ along
        off = (points - start) @ across
        near = (at > 0.2 * length) & (at < 0.8 * length) & (np.abs(off) < 0.2 * min(width, height))
        if near.sum() < 0.4 * length:
            return None
        fitted = np.polyfit(at[near], off[near], 1)
        rest = np.abs(np.polyval(fitted, at[near]) - off[near])
        if np.median(rest) > 1.5:
            return None
        ends = np.array([0.0, length])
        lines.append(start + np.outer(ends, along) + np.outer(np.polyval(fitted, ends), across))
    corners = np.array([_meeting(lines[side - 1], lines[side]) for side in range(4)])
    if not np.isfinite(corners).all():
        return None
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else corners[::-1]


def _meeting(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(2,) px, where two lines of (2, 2) points meet."""
    a, b = np.cross(_flat(one[0]), _flat(one[1])), np.cross(_flat(other[0]), _flat(other[1]))
    x, y, w = np.cross(a, b)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else np.full(2, np.nan)


def _flat(point: np.ndarray) -> np.ndarray:
    return np.array([point[0], point[1], 1.0])


def _corners_of(window: Window) -> np.ndarray:
    left, top, right, bottom = window
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _to_quadrilateral(corners: np.ndarray, turn: int) -> np.ndarray:
    """(3, 3) from shares of a card's width and height to px, its top left at the corner `turn`."""
    unit = _corners_of((0.0, 0.0, 1.0, 1.0)).astype(np.float32)
    found = cv2.getPerspectiveTransform(unit, np.roll(corners, turn, axis=0).astype(np.float32))
    return np.asarray(found)


def _is_upright(corners: np.ndarray) -> bool:
    """Whether what has (4, 2) corners is plainly higher than wide."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(sides[1] + sides[3] > 1.15 * (sides[0] + sides[2]))


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return min(
        float(np.linalg.norm(one - np.roll(other, turn, axis=0), axis=1).max()) for turn in range(4)
    )


def _holds(corners: np.ndarray, point: np.ndarray) -> bool:
    return cv2.pointPolygonTest(corners.astype(np.float32), tuple(map(float, point)), False) >= 0


def _covers(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two (4, 2) outlines share more than a third of the smaller one."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(first, second)
    return shared > min(cv2.contourArea(first), cv2.contourArea(second)) / 3


def _onto_square(corners: np.ndarray, side: int) -> np.ndarray:
    """(3, 3) from px of a picture with (4, 2) `corners` to a square of `side` px."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)


def _cut(image: np.ndarray, corners: np.ndarray, side: int = _FINE_PX) -> np.ndarray:
    return warp(image, _onto_square(corners, side), (side, side))


def _square(picture: np.ndarray, side: int) -> np.ndarray:
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    return warp(picture, _onto_square(corners, side), (side, side))


def _standardised(picture: np.ndarray) -> np.ndarray:
    """A picture with a mean of 0 in each channel, and a standard deviation of 1 in all."""
    even = picture.astype(np.float32)
    even -= even.mean(axis=(0, 1))
    return even / max(float(even.std()), 4.0)


def _laid_over(image: np.ndarray, corners: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(4, 2) corners moved so that what lies there is laid exactly over a known picture."""
    side = known.shape[0]
    seen = warp(image, _onto_square(corners, side), (side, side))
    template, moving = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (known, seen))
    begin, everywhere = np.eye(3, dtype=np.float32), np.ones((side, side), np.uint8)
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, moved = cv2.findTransformECC(
            template, moving, begin, cv2.MOTION_HOMOGRAPHY, steps, everywhere, 5
        )
    except cv2.error:  # it did not converge
        return corners
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], float) - 0.5
    laid = transform(np.linalg.inv(_onto_square(corners, side)) @ moved, square)
    return laid if _apart(laid, corners) < 0.25 * np.ptp(corners, axis=0).max() else corners


def _explained(seen: np.ndarray, known: np.ndarray) -> float:
    """The share of a picture that a known one explains, each channel as bright as it may be.

    What does not fit at all, such as a marker on the card, does no more harm than its area.
    """
    _, kept, apart = _fitted(seen, known)
    if kept.mean() < 0.3:
        return 0.0
    return float(1 - (np.minimum(apart, _OUTLIER) ** 2).mean())


def _odds(seen: np.ndarray, known: np.ndarray, other: np.ndarray) -> float:
    """How likely a picture shows another card, to the known one: by where the two differ."""
    leaning = (_leaning(seen, known, other) - _leaning(seen, other, known)) / 2
    return float(np.exp(_SHARPNESS * leaning))


def _leaning(seen: np.ndarray, known: np.ndarray, other: np.ndarray) -> float:
    """How much a picture looks like another one where the two differ: -1 not at all, 1 wholly."""
    fitted, kept, _ = _fitted(seen, known)
    differs = _fitted(seen, other)[0] - fitted
    energy = float((differs[kept] ** 2).sum())
    if energy < 1e-6:
        return 0.0
    towards = float(((seen.reshape(-1, 3) - fitted)[kept] * differs[kept]).sum()) / energy
    shown = energy / float((differs**2).sum())  # the rest lies under something
    return float(np.clip(2 * towards - 1, -1, 1)) * min(1.0, 2 * shown)


def _fitted(seen: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(N, 3) a known picture in a seen one's light, (N,) bool what fits, (N,) the misfit."""
    basis, shown = (one.reshape(-1, 3).astype(float) for one in (known, seen))
    kept = np.ones(len(shown), bool)
    for _ in range(3):
        lines = np.array([_line(basis[kept, c], shown[kept, c]) for c in range(3)])
        fitted = basis * lines[:, 0] + lines[:, 1]
        spread = max(float(shown[kept].std()), 4.0)
        apart = np.sqrt(((fitted - shown) ** 2).mean(axis=1)) / spread
        kept = apart < _OUTLIER
        if kept.mean() < 0.3:
            break
    return fitted, kept, apart


def _line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope, not below 0, and offset of the line through (N,) points."""
    away = x - x.mean()
    spread = float(away @ away)
    slope = max(float(away @ (y - y.mean())) / spread, 0.0) if spread > 1e-6 else 0.0
    return slope, float(y.mean() - slope * x.mean())
