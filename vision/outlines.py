"""Outlines with four straight sides in a picture, such as those of cards and boards."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.card_geometry import contains, corner_distance
from vision.rectify import shrunk, transform

_LEAST_SIDE, _MOST_SIDE = 20.0, 0.5
"""Least shorter side of an outline in px, and largest longer side as a share of the picture's."""
_MOST_OUTLINES = 400
_LARGE_PX, _LARGE, _LEVELS, _MOST_LEVELS = 400, 0.06, 10, (2, 98)
"""Longer side of the picture in which large outlines are found, their least share of it, and the
number of levels at which each channel is cut, between two percentiles."""
_BESIDE_PX = 3
"""Distance from the picture's edge within which its own corner may pass for an outline's."""
_ACROSS, _SAMPLES, _PLAIN = 0.012, 40, 20.0
"""How far from a side its contrast is measured, as a share of the sides; the number of points
along it; and the difference in grey levels from which it is plain."""


def find_outlines(image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: the quadrilaterals in an (H, W, 3) uint8 picture.

    Without duplicates, the largest first; those with their centre within one of `taken` are left
    out.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: list[np.ndarray] = []
    for flat in _flattened(grey):
        contours, _ = cv2.findContours(flat, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = four_sides(contour, max(image.shape))
            if corners is not None and not any(
                contains(own, corners.mean(axis=0)) for own in taken
            ):
                found.append(corners)
    return _distinct(found)


def large_outlines(image: np.ndarray) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: the quadrilaterals in much of an (H, W, 3) uint8 picture.

    Without duplicates, the largest first, and without what the picture's own corners make.
    """
    small, to_image = shrunk(image, _LARGE_PX)
    light, *tints = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
    found = []
    for channel in (light, *tints, cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[..., 1]):
        smooth = cv2.medianBlur(channel, 5)
        low, high = np.percentile(smooth, _MOST_LEVELS)
        for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
            for part in (smooth > level, smooth <= level):
                whole = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7)))
                outer = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
                for contour in outer:
                    if cv2.contourArea(contour) > _LARGE * whole.size:
                        corners = four_sides(contour, max(small.shape), most=1.0)
                        found += [] if corners is None else [corners]
    far = np.array(small.shape[1::-1]) - 1 - _BESIDE_PX
    inside = [((one > _BESIDE_PX) & (one < far)).all(axis=1).sum() >= 2 for one in found]
    found = [one for one, enough in zip(found, inside, strict=True) if enough]
    return [transform(to_image, corners) for corners in _distinct(found)]


def _distinct(found: list[np.ndarray]) -> list[np.ndarray]:
    """(4, 2) px each, without duplicates, the largest first."""
    found.sort(key=lambda corners: -cv2.contourArea(corners.astype(np.float32)))
    kept: list[np.ndarray] = []
    for corners in found:
        reach = 0.04 * np.sqrt(cv2.contourArea(corners.astype(np.float32)))
        if all(corner_distance(corners, other) > reach for other in kept):
            kept.append(corners)
            if len(kept) == _MOST_OUTLINES:
                break
    return kept


def edge_contrast(grey: np.ndarray, outlines: Sequence[np.ndarray]) -> np.ndarray:
    """(N,) how much (H, W) uint8 grey levels differ across the sides of (4, 2) px outlines.

    Each side counts by its median, and not above `_PLAIN`: one that crosses print has both signs.
    """
    corners = np.asarray(outlines, float)
    ahead = np.roll(corners, -1, axis=1) - corners
    length = np.maximum(np.linalg.norm(ahead, axis=2, keepdims=True), 1e-9)
    normal = np.stack([-ahead[..., 1], ahead[..., 0]], axis=-1) / length
    normal *= np.maximum(_ACROSS * length.mean(axis=1, keepdims=True), 1.0)
    along = np.linspace(0.05, 0.95, _SAMPLES)[:, None]
    at = (corners[:, :, None] + along * ahead[:, :, None]).reshape(-1, _SAMPLES, 2)
    off = normal.reshape(-1, 1, 2)
    inner, outer = (_sampled(grey, at + off), _sampled(grey, at - off))
    contrast = np.abs(np.median(inner - outer, axis=1)).reshape(-1, 4)
    return np.asarray(np.minimum(contrast, _PLAIN).sum(axis=1))


def _sampled(grey: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The grey levels at (N, M, 2) px."""
    x, y = np.moveaxis(points.astype(np.float32), -1, 0)
    return cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(float)


def _flattened(grey: np.ndarray) -> Iterable[np.ndarray]:
    """Binary pictures in which areas darker or lighter than their surroundings are connected."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    for window, offset in ((25, 4), (101, 8)):
        level = cv2.blur(smooth, (window, window)).astype(np.int16)
        yield (smooth < level - offset).astype(np.uint8)
    edges = cv2.Canny(smooth, 30, 80)
    yield cv2.dilate(edges, np.ones((3, 3), np.uint8))


def four_sides(contour: np.ndarray, longest: int, most: float = _MOST_SIDE) -> np.ndarray | None:
    """(4, 2) px clockwise, where straight sides of a contour meet; None if it has no four.

    None is longer than ``most`` of the picture's ``longest`` side, px.
    """
    if len(contour) < 3 * _LEAST_SIDE:
        return None
    (_, (width, height), _) = box = cv2.minAreaRect(contour)
    if min(width, height) < _LEAST_SIDE or max(width, height) > most * longest:
        return None
    points = contour.reshape(-1, 2).astype(float)
    hull = cv2.convexHull(contour)
    oblique = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True).reshape(-1, 2)
    for around in (cv2.boxPoints(box).astype(float), oblique.astype(float)):
        corners = _fit_sides(points, around, cv2.contourArea(contour))
        if corners is not None:
            return corners
    return None


def _fit_sides(points: np.ndarray, around: np.ndarray, area: float) -> np.ndarray | None:
    """(4, 2) px clockwise, where straight sides meet; None if they are not near `around`.

    `points` are the (N, 2) px of a contour that encloses `area` px².
    """
    lengths = np.linalg.norm(np.roll(around, -1, axis=0) - around, axis=1)
    if len(around) != 4 or lengths.min() < _LEAST_SIDE:
        return None
    if area < 0.75 * cv2.contourArea(around.astype(np.float32)):
        return None
    lines = []
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        along /= length
        across = np.array([-along[1], along[0]])
        at = (points - start) @ along
        off = (points - start) @ across
        near = (at > 0.2 * length) & (at < 0.8 * length) & (np.abs(off) < 0.2 * lengths.min())
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
    """(2,) px, the intersection of two lines through (2, 2) points."""
    a, b = np.cross(_flat(one[0]), _flat(one[1])), np.cross(_flat(other[0]), _flat(other[1]))
    x, y, w = np.cross(a, b)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else np.full(2, np.nan)


def _flat(point: np.ndarray) -> np.ndarray:
    return np.array([point[0], point[1], 1.0])
