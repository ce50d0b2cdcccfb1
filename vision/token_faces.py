"""Faces of tokens in a picture: spots that may bear one, and how similar a spot is to a face."""

from collections.abc import Sequence
from functools import reduce
from itertools import permutations

import cv2
import numpy as np

_TURNS, _SEARCHED_TURNS = 36, 12
"""Number of angles at which faces are compared, and first searched."""
_MAY_FIT, _MOST_SPOTS = 0.45, 14
"""Correlation from which a spot may be a token, and the number of those compared."""
_ROUND, _CLEAR_EDGE, _HOW_ROUND = (0.85, 1.15), 60, 0.6
"""Radius of a round outline, as shares of a token's, and how clear and round it has to be
(`cv2.HOUGH_GRADIENT_ALT`)."""
_SEEN, _OFF = 0.9, 1
"""Share of a face's radius that is compared, and the error in px of a token's position."""
_OTHER = 90.0
"""Colour difference, of 255 in each channel, from which pixels count as different."""
_PLAIN, _MARKED = 3.0, 20.0
"""Standard deviations, of 255, below which a colour is plain and from which it has print."""
_UNLIKE, _COVERED = 40.0, 0.6
"""Difference in a channel, of 255, from which a pixel shows no print, and the share of a token's
pixels that do so."""
_APART = 0.75
"""Diameters between two tokens next to each other."""
_MOST_COLOURS, _COLOUR_ERROR, _WORST_FIT = 6, 10.0, 20.0
"""The most faces that are told apart by colour, the error of each channel, of 255, and its root
mean square from which they are others."""
_TELL_LIGHT, _ONE_OF_THEM = 5, 25.0
"""The number of colours that tell the light of each, and the most that its level is off, of 255."""


def best_match(window: np.ndarray, turned: np.ndarray) -> tuple[int, int]:
    """The top left corner (x, y) where a window looks most like a face at any angle."""
    fits = _fits(window, [turned])
    y, x = np.unravel_index(int(fits.argmax()), fits.shape)
    return int(x), int(y)


def at_all_angles(face: np.ndarray) -> np.ndarray:
    """(T, D, D, 3) a face at all angles."""
    middle = ((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2)
    ways = (cv2.getRotationMatrix2D(middle, 360 * turn / _TURNS, 1.0) for turn in range(_TURNS))
    return np.array(
        [
            cv2.warpAffine(face, way, face.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            for way in ways
        ]
    )


def candidate_spots(
    strip: np.ndarray, faces: Sequence[np.ndarray], diameter: float
) -> list[tuple[int, int]]:
    """The top left corners (x, y) of candidate tokens, at a minimum distance.

    Those with a round rim come first, then those that look like a face.
    """
    half = (diameter - 1) / 2
    found = list[tuple[int, int]]()
    for middle in _discs(strip, diameter):
        spot = (round(middle[0] - half), round(middle[1] - half))
        if all(np.hypot(spot[0] - x, spot[1] - y) >= _APART * diameter for x, y in found):
            found.append(spot)
    fits = _fits(strip, faces)
    ys, xs = np.ogrid[: fits.shape[0], : fits.shape[1]]
    for x, y in found:
        fits[np.hypot(ys - y, xs - x) < _APART * diameter] = -1
    while len(found) < _MOST_SPOTS and fits.max() > _MAY_FIT:
        y, x = (int(one) for one in np.unravel_index(int(fits.argmax()), fits.shape))
        found.append((x, y))
        fits[np.hypot(ys - y, xs - x) < _APART * diameter] = -1
    return found


def covered_spots(
    strip: np.ndarray, sheet: np.ndarray, corner: tuple[int, int], diameter: float
) -> list[tuple[int, int]]:
    """The top left corners (x, y) of discs that differ from the print, whatever is on them.

    ``corner`` (x, y) is the sheet's in the strip.
    """
    (x, y), (high, wide) = corner, sheet.shape[:2]
    top, bottom = max(y, 0), min(y + high, len(strip))
    there = np.zeros(strip.shape[:2], np.float32)
    shown = strip[top:bottom, x : x + wide]
    off = cv2.absdiff(shown, sheet[top - y : bottom - y]).max(axis=2)
    there[top:bottom, x : x + wide] = np.minimum(off / _UNLIKE, 1)
    side = round(diameter)
    on = compared_disc(side).astype(np.float32)
    covered = cv2.matchTemplate(there, on, cv2.TM_CCORR) / on.sum()
    found = list[tuple[int, int]]()
    ys, xs = np.ogrid[: covered.shape[0], : covered.shape[1]]
    while covered.max() >= _COVERED:
        y, x = (int(one) for one in np.unravel_index(int(covered.argmax()), covered.shape))
        found.append((x, y))
        covered[np.hypot(ys - y, xs - x) < _APART * diameter] = 0
    return found


def _fits(strip: np.ndarray, faces: Sequence[np.ndarray]) -> np.ndarray:
    """(Y, X) the largest correlation with any of the faces at any angle, by their top left."""
    every = (one for face in faces for one in face[:: _TURNS // _SEARCHED_TURNS])
    fits = (cv2.matchTemplate(strip, one, cv2.TM_CCOEFF_NORMED) for one in every)
    return reduce(lambda most, own: np.maximum(most, own, out=most), fits)


def _discs(strip: np.ndarray, diameter: float) -> np.ndarray:
    """(N, 2) middles of the round outlines of about a diameter, the clearest of each first."""
    smooth = cv2.GaussianBlur(strip, (0, 0), 1.0)
    radii = (round(_ROUND[0] * diameter / 2), round(_ROUND[1] * diameter / 2))
    discs = [
        cv2.HoughCircles(
            np.ascontiguousarray(smooth[..., channel]),
            cv2.HOUGH_GRADIENT_ALT,
            1.0,
            _APART * diameter,
            param1=_CLEAR_EDGE,
            param2=_HOW_ROUND,
            minRadius=radii[0],
            maxRadius=radii[1],
        )
        for channel in range(3)
    ]
    return np.concatenate([one[0, :, :2] for one in discs if one is not None] or [np.empty((0, 2))])


def compared_disc(side: int) -> np.ndarray:
    """(side, side) bool, the part of a face that is compared."""
    ys, xs = np.mgrid[:side, :side] - (side - 1) / 2
    return np.asarray(np.hypot(xs, ys) < _SEEN * side / 2)


def pixels_of(strip: np.ndarray, spot: tuple[int, int], on: np.ndarray) -> np.ndarray:
    """(P, 3) the pixels of a spot, given by its top left corner (x, y) within the strip."""
    side, (x, y) = len(on), np.maximum(spot, 0)
    x, y = min(x, strip.shape[1] - side), min(y, strip.shape[0] - side)
    return np.asarray(strip[y : y + side, x : x + side][on])


def similarity(strip: np.ndarray, spot: tuple[int, int], face: np.ndarray) -> float:
    """Similarity of a spot to a face, at most 1, over all angles and small offsets.

    Both colours and marks count: some tokens differ in one, some in the other. A plain face has no
    marks.
    """
    on = compared_disc(face.shape[1])
    known = face[:, on].astype(np.float32)
    offsets = range(-_OFF, _OFF + 1)
    inside = np.array(strip.shape[1::-1]) - face.shape[1]
    moved = [(spot[0] + x, spot[1] + y) for y in offsets for x in offsets]
    moved = [at for at in moved if min(at) >= 0 and (at <= inside).all()]
    if not moved:
        return -np.inf
    shown = np.array([pixels_of(strip, at, on) for at in moved], np.float32)
    if known.std(axis=1).max() < _PLAIN:
        turns = np.zeros(len(shown), int)
        fits = np.maximum(0, 1 - shown.std(axis=1).max(axis=1) / _MARKED)
    else:
        every = _marks(known) @ _marks(shown).T
        turns, fits = every.argmax(axis=0), every.max(axis=0)
    away = ((known[turns] - shown) ** 2).sum(axis=2)
    colours = 1 - np.minimum(away / _OTHER**2, 1).mean(axis=1)
    return float((colours + fits).max()) / 2


def _marks(shown: np.ndarray) -> np.ndarray:
    """(T, 3 P) differences of (T, P, 3) discs from their mean colour, with norm 1."""
    even = (shown - shown.mean(axis=1, keepdims=True)).reshape(len(shown), -1)
    return np.asarray(even / (np.linalg.norm(even, axis=1, keepdims=True) + 1e-6))


def print_similarity(
    sheet: np.ndarray,
    strip: np.ndarray,
    spot: tuple[int, int],
    corner: tuple[int, int],
    diameter: float,
) -> float:
    """Similarity of a spot to the print there; ``corner`` (x, y) is the sheet's in the strip."""
    side = round(diameter)
    x, y = spot[0] - corner[0], spot[1] - corner[1]
    print_there = sheet[max(y, 0) : y + side, max(x, 0) : x + side]
    if x < 0 or y < 0 or print_there.shape[:2] != (side, side):
        return -np.inf
    return similarity(strip, spot, print_there[None])


def assign_by_colour(seen: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, float]:
    """The numbers (T,) of the ones seen, (S, 3), that the (T, 3) `known` are, and the probability.

    Each known colour is seen once. In any light and exposure, what is brighter in a channel looks
    brighter there. The probability is 0 if no assignment fits, or if more are seen and one of the
    known colours is not as the light of the others makes it: it may be missing.
    """
    if not 0 < len(known) <= min(len(seen), _MOST_COLOURS):
        return np.arange(0), 0.0
    ways = np.array([*permutations(range(len(seen)), len(known))])  # the one seen of each known one
    error = np.zeros(len(ways))
    for channel in range(3):
        rising = seen[ways[:, np.argsort(known[:, channel])], channel]
        error += ((rising - _in_order(rising)) ** 2).sum(axis=1)
    best = int(error.argmin())
    if error[best] > known.size * _WORST_FIT**2:
        return np.arange(0), 0.0
    has_others = len(seen) > len(known) >= _TELL_LIGHT
    if has_others and _farthest_off(seen[ways[best]], known) > _ONE_OF_THEM:
        return np.arange(0), 0.0
    odds = np.exp((error[best] - error) / (2 * _COLOUR_ERROR**2))
    return ways[best], float(1 / odds.sum())


def _farthest_off(seen: np.ndarray, known: np.ndarray) -> float:
    """The most that a level of (T, 3) `seen` is off its known one in the light of the others."""
    off = 0.0
    for left_out in range(len(known)):
        others = np.arange(len(known)) != left_out
        for channel in range(3):
            light = np.polyfit(seen[others, channel], known[others, channel], 1)
            level = np.polyval(light, seen[left_out, channel])
            off = max(off, abs(float(level - known[left_out, channel])))
    return off


def _in_order(levels: np.ndarray) -> np.ndarray:
    """The nearest rows to (N, T) `levels`, by least squares, that never fall."""
    number = levels.shape[1]
    sums = np.cumsum(np.pad(levels, ((0, 0), (1, 0))), axis=1)
    means = np.full((number, number, len(levels)), np.inf)
    for first in range(number):
        for last in range(first, number):
            means[first, last] = (sums[:, last + 1] - sums[:, first]) / (last + 1 - first)
    least = [[means[first, at:].min(axis=0) for at in range(number)] for first in range(number)]
    return np.stack(
        [np.max([least[first][at] for first in range(at + 1)], axis=0) for at in range(number)],
        axis=1,
    )
