"""Cards in a photograph: where they are, and which of a deck each is.

A card is identified by its picture: the part inside its frame, or its whole face. Outlines with
four sides, and places where features of a picture agree, are rectified, compared with all pictures
of the deck in all four turns, registered with the likeliest (enhanced correlation, Evangelidis and
Psarakis, 2008) and compared pixel by pixel, blurred like the photograph. A picture whose details
match none of the deck's is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle
from typing import Any

import cv2
import numpy as np

from vision.card_features import DeckFeatures
from vision.card_likeness import (
    alike_in_detail,
    common_light,
    explained,
    odds_of_other,
    standardised,
)
from vision.card_outlines import (
    contains,
    corner_distance,
    corner_outlines,
    find_outlines,
    outside,
)
from vision.rectify import shrunk, transform, warp

SEARCHED_PX = 2000
"""Longer side of the picture in which outlines are searched."""
_COARSE_PX, _FINE_PX, _SHARP_PX = 32, 64, 192
"""Sides of the square in which pictures are compared: all, then the candidates, and last those
that differ in little more than a number."""
_NEAR_TWIN = 0.05
"""Odds of another card, against the likeliest, from which the two are compared sharply."""
_BLURS = (0.0, 1.0)
"""Blurs, in px at `_COARSE_PX`, whose correlations are averaged: thin lines need an exact place."""
_ALIKE = 0.42
"""Correlation of a picture with the likeliest card from which it is examined."""
_CLOSER = 4
"""Number of the likeliest cards that are compared closely."""
_OFF, _MOST_OFF = 0.02, 0.2
"""Distance of a card from an outline, as a share of its picture's side, per factor e of
probability; and its limit."""
_MOTIONS = (cv2.MOTION_HOMOGRAPHY, cv2.MOTION_AFFINE)
_NEAR = 0.05
"""Difference in the explained share within which a rival card is registered as well."""
_LIKE_SIZE, _LIKE_SHAPE = 2.0, 1.8
"""Largest ratios of a side to those of the other cards, and of an aspect ratio to the picture's."""
_MIDDLE, _WIDTH, _NONE = 0.68, 0.04, 0.45
"""Similarity of detail at which a picture is as likely the deck's as not, the width of that
transition, and the similarity below which it is rejected."""
_UNLIKELY = 0.003
"""Confidence below which a candidate is dropped without asking."""
_ALIKE_AT_FIRST, _EXPLAINED = 0.3, 0.62
"""Similarity of detail needed before the photograph's sharpness is known, or else the share that
a card has to explain."""
_SOFTNESS = (0.6, 1.0, 1.4, 2.0, 2.8)
"""Blurs of a photograph relative to the deck's pictures, in px at `_FINE_PX`."""
_TRIES, _LAID_EXACTLY, _AS_LARGE, _SAME = 4, 0.93, 1.5, 0.02
"""Number of overlapping places examined unless this share is explained; largest ratio of their
sides; and the distance, as a share of the side, at which two lead to the same place and the
search ends."""
_SURE, _ON_EDGE = 0.75, 0.14
"""Share explained from which a card shows how large others are, and the largest distance of its
edge from an outline, as a share of the picture's side."""
_ALIKE_AGAIN, _TRIES_AGAIN, _MOST_FAILED = 0.48, 2, 10
"""As `_ALIKE` and `_TRIES` where cards of known size may be, and number of those that are none."""
_CORNERS_AT_ONCE = 100
"""Number of outlines from corners, the best supported first, of which one has to lead to a card."""
_LAID_WELL = 0.85
"""Similarity of detail of an exact registration: below it, a rival is registered as well."""
_MORE_TURNED = 0.01
"""Gain in the explained share per factor e of probability over a card at another turn."""
UNCERTAIN_BELOW = 0.95
"""Confidence below which a card is asked about."""


_UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
Window = tuple[float, float, float, float]
"""Left, top, right and bottom of a picture, as shares of its card's width and height."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A card's picture: (H, W, 3) uint8 BGR, edge to edge. One card may have several."""

    id: str
    picture: np.ndarray


@dataclass(frozen=True, eq=False)
class CardReading:
    """A card in a photograph; `corners` are (4, 2) px of its picture, clockwise from its top left.

    `confidence` is the probability that it is `card`; `alternatives` has those of others.
    """

    card: str
    confidence: float
    corners: np.ndarray
    alternatives: Mapping[str, float] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
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


@dataclass(frozen=True, eq=False)
class _Laid:
    """A registered card: exact (4, 2) corners, and the square picture there.

    ``shares`` are the shares of it that the likeliest pictures of the deck explain.
    """

    corners: np.ndarray
    seen: np.ndarray
    shares: Mapping[int, float]
    turned: _Laid | None = None
    """The alternative registration at another turn."""
    softness: float = 0.0
    """Its blur relative to pictures of the deck, in px of its square."""
    alike: Mapping[int, float] = field(default_factory=dict)
    """Its similarity of detail to each, once its sharpness is known."""

    @property
    def share(self) -> float:
        return max(self.shares.values())

    def is_better(self, other: _Laid) -> bool:
        ratio = _size(self.corners) / _size(other.corners)
        return self.share > other.share and max(ratio, 1 / ratio) < _AS_LARGE

    @property
    def likeliest(self) -> int:
        return max(self.shares, key=lambda one: self.shares[one])


class Deck:
    """The cards that may be in a photograph, by their pictures.

    The pictures are loaded with the first photograph that may contain a card.
    """

    def __init__(self, pictures: Iterable[CardPicture], windows: Sequence[Window] = ()) -> None:
        """One or more pictures per card; `windows` are where a picture may be on a whole card."""
        self._source, self._windows = pictures, tuple(windows)

    @cached_property
    def _by_picture(self) -> Sequence[Sequence[CardPicture]]:
        """Cards grouped by identical pictures, which cannot be distinguished."""
        alike: dict[tuple[int, bytes], list[CardPicture]] = {}
        for one in self._source:
            alike.setdefault((one.picture.shape[0], one.picture.tobytes()), []).append(one)
        return tuple(alike.values())

    @cached_property
    def _pictures(self) -> Sequence[CardPicture]:
        return [alike[0] for alike in self._by_picture]

    @cached_property
    def _fine(self) -> Sequence[np.ndarray]:
        return [_square(one.picture, _FINE_PX) for one in self._pictures]

    @cached_property
    def _fine_flat(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the standardised pictures."""
        return np.array([standardised(one).ravel() for one in self._fine], np.float32)

    @cached_property
    def _features(self) -> DeckFeatures:
        return DeckFeatures([one.picture for one in self._pictures])

    @cached_property
    def _coarse(self) -> Sequence[np.ndarray]:
        """(4 N, 32 · 32 · 3) float32 for each of `_BLURS`.

        Each picture as it is and after one, two and three left turns.
        """
        small = [_square(one.picture, _COARSE_PX) for one in self._pictures]
        turned = [np.rot90(one, turn) for one in small for turn in range(4)]
        return [np.array([_flat(one, blur) for one in turned], np.float32) for blur in _BLURS]

    def find(
        self, image: np.ndarray, taken: Sequence[np.ndarray] = (), *, by_outline: bool = False
    ) -> list[CardReading]:
        """The cards in an (H, W, 3) uint8 picture, the most certain first; corners in its px.

        Nothing is searched within `taken`, (4, 2) px each. With `by_outline` only cards with a
        visible outline are found; their corners are exact even if much is covered.
        """
        small, to_image = shrunk(image, SEARCHED_PX)
        if not self._pictures:
            return []
        to_small = np.linalg.inv(to_image)
        outlines = find_outlines(small, [transform(to_small, at) for at in taken])
        places = list(outlines)
        if self._windows:
            places += self._windowed(outlines)
        if not by_outline:
            places += [transform(to_small, at) for at in self._features.places(image, taken)]
        laid: list[_Laid] = []
        self._examine(image, small, to_image, places, laid)
        of_cards = [transform(to_image, corners) for corners in outlines]
        if not by_outline:
            self._examine_corners(image, small, to_image, of_cards, taken, laid)
        laid = self._as_soft(laid)
        in_deck = [one for one in laid if one.alike[one.likeliest] > _MIDDLE]
        light = common_light((one.seen, self._soft(one.likeliest, one)) for one in in_deck)
        found = [
            self._read(image, one, light, of_cards)
            for one in laid
            if max(one.alike.values()) > _NONE
            or (one.turned and max(one.turned.alike.values()) > _NONE)
        ]
        likely = [card for card in found if card.confidence > _UNLIKELY]
        return self._each_once(sorted(_of_one_size(likely), key=lambda card: -card.confidence))

    @property
    def _aspect(self) -> float:
        """The height of a card by its width."""
        if not self._windows:
            height, width = self._pictures[0].picture.shape[:2]
            return float(height / width)
        left, top, right, bottom = self._windows[0]
        return (right - left) / (bottom - top)

    def _examine_corners(
        self,
        image: np.ndarray,
        small: np.ndarray,
        to_image: np.ndarray,
        outlines: Sequence[np.ndarray],
        taken: Sequence[np.ndarray],
        laid: list[_Laid],
    ) -> None:
        """Add the cards of which only corners are seen, while there are any, outside of known ones.

        `outlines` and `taken` are (4, 2) px of the image.
        """
        to_small = np.linalg.inv(to_image)
        whole = self._whole(laid, outlines)
        known = [transform(to_small, one) for one in [*taken, *whole]]
        corners = corner_outlines(
            small, [transform(to_small, one) for one in whole], self._aspect, known
        )
        sure = [one.corners for one in laid if one.share > _SURE]
        for start in range(0, len(corners), _CORNERS_AT_ONCE):
            known += [transform(to_small, one) for one in sure]
            windowed = self._windowed(corners[start : start + _CORNERS_AT_ONCE])
            places = [*outside(np.reshape(windowed, (-1, 4, 2)), known)]
            self._examine(image, small, to_image, places, laid, again=True)
            before, sure = len(sure), [one.corners for one in laid if one.share > _SURE]
            if len(sure) == before:
                break

    def _windowed(self, outlines: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Where the picture may be on cards with these (4, 2) outlines, whichever side is up."""
        upright = [
            np.roll(corners, turn, axis=0)
            for corners in outlines
            for turn in range(4)
            if not _is_wider_than_high(np.roll(corners, turn, axis=0))
        ]
        windows = [_corners_of(window) for window in self._windows or [(0.0, 0.0, 1.0, 1.0)]]
        return [
            transform(_between(_UNIT, corners), window) for corners in upright for window in windows
        ]

    def _whole(self, laid: Sequence[_Laid], outlines: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The (4, 2) corners of the cards whose pictures are surely laid, from the top left."""
        sure = [one.corners for one in laid if one.share > _SURE]
        if not self._windows:
            return sure
        found = []
        for corners in sure:
            cards = [transform(_between(_corners_of(w), corners), _UNIT) for w in self._windows]
            near = [
                (float(np.abs(card - turned).max()) / _size(corners), turned)
                for card in cards
                for outline in outlines
                if contains(outline, corners.mean(axis=0))
                for turned in (np.roll(outline, turn, axis=0) for turn in range(4))
            ]
            off, outline = min(near, key=lambda one: one[0], default=(np.inf, corners))
            if off < _ON_EDGE:
                found.append(outline)
        return found

    def _examine(
        self,
        image: np.ndarray,
        small: np.ndarray,
        to_image: np.ndarray,
        places: Sequence[np.ndarray],
        laid: list[_Laid],
        again: bool = False,
    ) -> None:
        """Add the cards whose pictures are at rough (4, 2) `places` in a shrunk image.

        Less is examined `again`, where cards surely laid are not looked at any more.
        """
        least, most, enough = _ALIKE, _TRIES, _LAID_EXACTLY
        if again:
            least, most, enough = _ALIKE_AGAIN, _TRIES_AGAIN, _SURE
        by_blur = self._likeness(small, places)
        likeness = by_blur.mean(axis=0)
        tries, failed = [0] * len(laid), list[np.ndarray]()
        for number in np.argsort(-likeness.max(axis=1, initial=-1.0)):
            if likeness[number].max() < least or len(failed) == _MOST_FAILED:
                break
            corners = transform(to_image, places[number])
            at = {one for one, card in enumerate(laid) if _covers(card.corners, corners)}
            done = any(laid[one].share > enough or tries[one] >= most for one in at)
            if done or sum(_covers(other, corners) for other in failed) >= most:
                continue
            for one in at:
                tries[one] += 1
            card = self._closer(image, corners, by_blur[0, number])  # blurred, cards are more alike
            if card is None:
                failed += [corners] if again else []
                continue
            at |= {one for one, other in enumerate(laid) if _covers(other.corners, card.corners)}
            if not at:
                laid.append(card)
                tries.append(1)
            elif len(at) == 1:
                one = min(at)
                if corner_distance(card.corners, laid[one].corners) < _SAME * _size(card.corners):
                    tries[one] = _TRIES
                if card.is_better(laid[one]):
                    laid[one] = card

    def _likeness(self, small: np.ndarray, places: Sequence[np.ndarray]) -> np.ndarray:
        """(B, P, 4 N) correlations of (4, 2) places with the deck's pictures.

        By blur, the first none, by place, and by picture in each of four turns.
        """
        seen = [
            warp(small, _onto_square(corners, _COARSE_PX), (_COARSE_PX, _COARSE_PX))
            for corners in places
        ]
        likeness = np.zeros((len(_BLURS), len(places), 4 * len(self._pictures)), np.float32)
        for one, (blur, known) in enumerate(zip(_BLURS, self._coarse, strict=True)):
            if seen:
                flat = np.array([_flat(picture, blur) for picture in seen], np.float32)
                likeness[one] = flat @ known.T / flat.shape[1]
        return likeness

    def _each_once(self, found: Iterable[CardReading]) -> list[CardReading]:
        """The readings, with identical cards named in turn."""
        ids = {alike[0].id: cycle(one.id for one in alike) for alike in self._by_picture}
        return [replace(one, card=next(ids[one.card])) for one in found]

    def _as_soft(self, laid: Sequence[_Laid]) -> list[_Laid]:
        """The candidates, compared with pictures as much out of focus as the photograph."""

        def softer(one: _Laid, softness: float) -> _Laid:
            turned = one.turned and softer(one.turned, softness)
            laid = replace(one, turned=turned, softness=softness)
            return replace(
                laid,
                shares={card: explained(one.seen, self._soft(card, laid)) for card in one.shares},
            )

        def compared(one: _Laid) -> _Laid:
            alike = {card: alike_in_detail(one.seen, self._soft(card, one)) for card in one.shares}
            return replace(one, alike=alike, turned=one.turned and compared(one.turned))

        tried = [list(laid), *([softer(one, softness) for one in laid] for softness in _SOFTNESS)]
        return [*map(compared, max(tried, key=lambda cards: sum(one.share for one in cards)))]

    def _soft(self, card: int, laid: _Laid, side: int = _FINE_PX) -> np.ndarray:
        """A card's picture, blurred like a candidate."""
        known = (
            self._fine[card] if side == _FINE_PX else _square(self._pictures[card].picture, side)
        )
        softness = laid.softness * side / _FINE_PX
        return cv2.GaussianBlur(known, (0, 0), softness) if softness else known

    def _closer(self, image: np.ndarray, corners: np.ndarray, likeness: np.ndarray) -> _Laid | None:
        """The best candidate at rough (4, 2) corners; None if it is none of the deck's."""
        order = [divmod(int(one), 4) for one in np.argsort(-likeness)[: 2 * _CLOSER]]
        tried: dict[int, tuple[float, np.ndarray, int]] = {}
        for one, turn in order:
            if turn not in tried and len(tried) < 2:
                tried[turn] = (*self._laid(image, np.roll(corners, turn, axis=0), one), one)
        chosen = max(tried, key=lambda turn: tried[turn][0])
        _, laid, best = tried[chosen]
        # The right card shows where it and similar ones of the deck differ.
        _, shares = self._shares(image, laid, best)
        near = [one for one, share in shares.items() if share > max(shares.values()) - _NEAR]
        tries = [(laid, one) for one in near] + [(np.roll(corners, chosen, axis=0), best)]
        _, laid, best = max(
            ((*self._laid(image, at, one, _MOTIONS), one) for at, one in tries),
            key=lambda one: one[0],
        )
        seen, shares = self._shares(image, laid, best)
        best = max(shares, key=lambda one: shares[one])
        if shares[best] < _EXPLAINED and alike_in_detail(seen, self._fine[best]) < _ALIKE_AT_FIRST:
            return None
        height, width = self._pictures[best].picture.shape[:2]
        slenderer = _slenderness(laid) / (height / width)
        if not (_is_convex(laid) and 1 / _LIKE_SHAPE < slenderer < _LIKE_SHAPE):
            return None
        turned = None
        for turn, (_, rough, one) in tried.items():
            if turn != chosen and self._pictures[one].id != self._pictures[best].id:
                _, others = self._laid(image, rough, one, _MOTIONS)
                turned = _Laid(others, *self._shares(image, others, one))
        return _Laid(laid, seen, shares, turned)

    def _shares(
        self, image: np.ndarray, corners: np.ndarray, card: int
    ) -> tuple[np.ndarray, dict[int, float]]:
        """The picture at (4, 2) corners, and the shares that a card and similar ones explain."""
        seen = _cut(image, corners)
        alike = np.argsort(-(standardised(seen).ravel() @ self._fine_flat.T))[:_CLOSER]
        rivals = {card, *(int(one) for one in alike)}
        return seen, {one: explained(seen, self._fine[one]) for one in rivals}

    def _read(
        self,
        image: np.ndarray,
        laid: _Laid,
        light: np.ndarray | None,
        outlines: Sequence[np.ndarray],
    ) -> CardReading:
        """Identify a card, in a light of (3,) channels or in any.

        Outlines show on which side of its picture the card continues.
        """
        odds = {card: (*own, laid.corners) for card, own in self._odds(image, laid, light).items()}
        if laid.turned is not None:
            others = laid.turned
            off = self._off_card(outlines, laid.corners) - self._off_card(outlines, others.corners)
            as_likely = float(np.exp((others.share - laid.share) / _MORE_TURNED + off / _OFF))
            for card, (own, alike) in self._odds(image, others, light).items():
                if card not in odds or as_likely * own > odds[card][0]:
                    odds[card] = as_likely * own, alike, others.corners
        total = sum(own for own, *_ in odds.values())
        chances = {
            card: float(own / total / (1 + np.exp(-(alike - _MIDDLE) / _WIDTH)))
            for card, (own, alike, _) in odds.items()
        }
        card = max(chances, key=lambda one: chances[one])
        alternatives = {one: p for one, p in chances.items() if one != card and p > 0.02}
        return CardReading(card, chances[card], odds[card][2], alternatives)

    def _odds(
        self, image: np.ndarray, laid: _Laid, light: np.ndarray | None
    ) -> dict[str, tuple[float, float]]:
        """Each candidate's odds against the likeliest card, and its similarity of detail."""
        winner = laid.likeliest
        odds: dict[str, tuple[float, float]] = {}
        rough = _cut(image, laid.corners, _SHARP_PX)
        sharp: tuple[np.ndarray, np.ndarray] | None = None
        is_card = max(laid.alike.values()) > _MIDDLE
        well = laid.alike[winner] >= _LAID_WELL

        def over(known: np.ndarray) -> np.ndarray:
            return _cut(image, _laid_over(rough, laid.corners, known), _SHARP_PX)

        for one, share in laid.shares.items():
            card, own = self._pictures[one].id, 1.0
            if card != self._pictures[winner].id:
                pair = [self._soft(each, laid) for each in (winner, one)]
                own = odds_of_other(laid.seen, pair[0], pair[1], light)
                is_near = not well and share > laid.share - _NEAR
                if is_card and (is_near or own > _NEAR_TWIN):
                    theirs = self._soft(one, laid, _SHARP_PX)
                    if sharp is None:
                        known = self._soft(winner, laid, _SHARP_PX)
                        sharp = known, over(known)
                    views = [sharp[1], over(theirs)] if is_near else [sharp[1]]
                    each = [odds_of_other(view, sharp[0], theirs, light) for view in views]
                    own = float(np.exp(np.log(each).mean()))
            odds[card] = max(odds.get(card, (0.0, 0.0)), (own, laid.alike[one]))
        return odds

    def _off_card(self, outlines: Sequence[np.ndarray], corners: np.ndarray) -> float:
        """Distance of a card's predicted edge from an outline, for its picture at (4, 2) corners.

        As a share of the picture's side; `_MOST_OFF` if there is none near.
        """
        side = _size(corners)
        off = [
            corner_distance(transform(_between(_corners_of(window), corners), _UNIT), outline)
            / side
            for window in self._windows
            for outline in outlines
            if contains(outline, corners.mean(axis=0))
        ]
        return min([_MOST_OFF, *off])

    def _laid(
        self,
        image: np.ndarray,
        corners: np.ndarray,
        card: int,
        motions: Sequence[int] = (cv2.MOTION_HOMOGRAPHY,),
    ) -> tuple[float, np.ndarray]:
        """The share that a card explains at rough corners, and its exact corners."""
        known = self._fine[card]
        seen = _cut(image, corners)
        laid = [(explained(seen, known), corners)]
        for motion in motions:
            way = _laid_over(seen, corners, known, motion)
            if way is not corners:
                laid.append((explained(_cut(image, way), known), way))
        return max(laid, key=lambda one: one[0])


def _flat(picture: np.ndarray, blur: float) -> np.ndarray:
    """A (H, W, 3) picture, blurred, as standardised values in one row."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    return standardised(soft).ravel()


def _of_one_size(found: Sequence[CardReading]) -> list[CardReading]:
    """The finds of about the median size: details of cards' pictures differ from it."""
    if not found:
        return []
    sizes = [_size(card.corners) for card in found]
    usual = float(np.median(sizes))
    near = [max(size / usual, usual / size) < _LIKE_SIZE for size in sizes]
    return [card for card, is_near in zip(found, near, strict=True) if is_near]


def _size(corners: np.ndarray) -> float:
    """The side in px of a square with the area of (4, 2) corners."""
    return max(float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))), 1e-9)


def _slenderness(corners: np.ndarray) -> float:
    """The height over the width of (4, 2) corners."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float((sides[1] + sides[3]) / max(float(sides[0] + sides[2]), 1e-9))


def _corners_of(window: Window) -> np.ndarray:
    left, top, right, bottom = window
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(3, 3) from px of one picture to another's, by (4, 2) corners in each."""
    found = cv2.getPerspectiveTransform(one.astype(np.float32), other.astype(np.float32))
    return np.asarray(found)


def _is_wider_than_high(corners: np.ndarray) -> bool:
    """Whether (4, 2) corners, the top-left one first, are wider than high by over 15 %."""
    return 1.15 * _slenderness(corners) < 1


def _is_convex(corners: np.ndarray) -> bool:
    return bool(cv2.isContourConvex(corners.astype(np.float32)))


def _covers(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two (4, 2) outlines share more than a third of the smaller one."""
    if not (_is_convex(one) and _is_convex(other)):
        return False
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


def _laid_over(
    seen: np.ndarray, corners: np.ndarray, known: np.ndarray, motion: int = cv2.MOTION_HOMOGRAPHY
) -> np.ndarray:
    """(4, 2) corners moved so that the picture there is aligned with a known one."""
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
    laid = transform(np.linalg.inv(_onto_square(corners, side)) @ moved, square)
    return (
        laid if corner_distance(laid, corners) < 0.25 * np.ptp(corners, axis=0).max() else corners
    )
