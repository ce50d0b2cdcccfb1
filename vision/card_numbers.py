"""The numbers printed on cards beside their pictures: which of a few cards a place is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import cv2
import numpy as np

from vision.card_geometry import Window, card_corners, picture_corners
from vision.card_likeness import odds_of_other
from vision.rectify import warp

_MARGIN = 0.4
"""How far from its place a number is searched, as a share of its height."""
_BLURS = (0.02, 0.045, 0.075)
"""Blurs of a photograph that are tried, as shares of a number's height."""
_LEAST_PX = 9.0
"""Least height in px of a number in a photograph: digits of smaller ones are noise."""
_READ, _PLAINLY = 0.7, 0.01
"""Correlation from which a number is read, and how much less alike all others are then."""


@dataclass(frozen=True, eq=False)
class NumberReading:
    """A number beside a picture: the `odds` of some cards, by it, against their likeliest.

    `card` has the number that is plainly read, if any; its picture has these (4, 2) `corners`.
    """

    odds: Mapping[str, float]
    card: str | None = None
    corners: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class _Fit:
    """A number found: its correlation, what is seen there and about it, (H, W) uint8 each."""

    alike: float
    seen: np.ndarray
    around: np.ndarray
    blur: int
    corners: np.ndarray


class PrintedNumbers:
    """The numbers on the cards of a deck."""

    def __init__(self, pictures: Mapping[str, np.ndarray], window: Window) -> None:
        """By card, (H, W) uint8 each; the `window` is where they are on whole cards."""
        self._pictures, self._window = pictures, window

    def read(
        self,
        image: np.ndarray,
        places: Sequence[np.ndarray],
        windows: Sequence[Window],
        cards: Iterable[str],
    ) -> NumberReading:
        """Which of these cards has its picture at one of (4, 2) `places` of an (H, W, 3) image.

        Any corner of it may be the first. It has one of the `windows` on its card. Numbers that
        are too small to be read, or covered, say nothing.
        """
        cards, best = [*cards], dict[str, _Fit]()
        for turn, corners, window in product(range(4), places, windows):
            if window == windows[0] and max((f.alike for f in best.values()), default=0) > _READ:
                break
            shown = np.roll(corners, turn, axis=0)
            around = self._around(image, shown, window)
            if around is None:
                continue
            for card, blur in product(cards, range(len(_BLURS))):
                alike, seen = self._fit(around, card, blur)
                if card not in best or alike > best[card].alike:
                    best[card] = _Fit(alike, seen, around, blur, shown)
        likeliest = max(best, key=lambda card: best[card].alike, default=None)
        if likeliest is None or best[likeliest].alike < _READ:
            return NumberReading(dict.fromkeys(cards, 1.0))
        fit = best[likeliest]
        odds = {card: self._odds(fit, likeliest, card) for card in cards}
        if not self._is_plain(fit, likeliest):
            return NumberReading(odds)
        return NumberReading(odds, likeliest, fit.corners)

    def _is_plain(self, fit: _Fit, likeliest: str) -> bool:
        """Whether no other number of the deck is nearly as much alike."""
        read = self._pictures[likeliest]
        others = [one for one, own in self._pictures.items() if not np.array_equal(own, read)]
        alike = [self._fit(fit.around, one, fit.blur)[0] for one in others]
        return fit.alike > max(alike, default=0.0) + _PLAINLY

    def _odds(self, fit: _Fit, likeliest: str, other: str) -> float:
        seen, known, own = (
            cv2.merge([one] * 3)
            for one in (fit.seen, *(self._blurred[fit.blur][card] for card in (likeliest, other)))
        )
        return odds_of_other(seen, known, own)

    def _around(self, image: np.ndarray, corners: np.ndarray, window: Window) -> np.ndarray | None:
        """What is seen where a number is, if a picture has these (4, 2) corners, and about it.

        None if it is too small.
        """
        left, top, right, bottom = self._window
        height, width = next(iter(self._pictures.values())).shape
        margin = round(_MARGIN * height)
        more_x, more_y = margin * (right - left) / width, margin * (bottom - top) / height
        searched = (left - more_x, top - more_y, right + more_x, bottom + more_y)
        at = picture_corners(card_corners(corners, window), searched).astype(np.float32)
        size = width + 2 * margin, height + 2 * margin
        down = np.linalg.norm(at[[3, 2]] - at[[0, 1]], axis=1).min() * height / size[1]
        if down < _LEAST_PX:
            return None
        square = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
        seen = warp(image, cv2.getPerspectiveTransform(at, square), size)
        return cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)

    def _fit(self, around: np.ndarray, card: str, blur: int) -> tuple[float, np.ndarray]:
        """The correlation with a number where it is likest, and what is seen there."""
        known = self._blurred[blur][card]
        fits = cv2.matchTemplate(around, known, cv2.TM_CCOEFF_NORMED)
        y, x = np.unravel_index(int(fits.argmax()), fits.shape)
        return float(fits[y, x]), around[y : y + known.shape[0], x : x + known.shape[1]]

    @cached_property
    def _blurred(self) -> Sequence[Mapping[str, np.ndarray]]:
        """The numbers in each of `_BLURS`."""
        return [
            {
                card: cv2.GaussianBlur(number, (0, 0), blur * number.shape[0])
                for card, number in self._pictures.items()
            }
            for blur in _BLURS
        ]
