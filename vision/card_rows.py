"""Cards laid out in rows without overlap: their positions and pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.outlines import find_outlines, four_sides
from vision.rectify import shrunk, transform, warp

SEARCHED_PX = 2000
"""Longer side of the picture in which outlines are searched."""
_AS_LARGE, _AS_SLENDER = 1.3, 1.2
"""Largest ratios of sides, and of aspect ratios, between cards of one deck in a photograph."""
_LARGEST = 0.6
"""Longer side of a card at most, as a share of the picture's."""
_PLAIN = 0.6
"""Edge strength of a card, relative to the strongest of overlapping outlines."""
_COLOUR = 1.5
"""Weight of a step of colour against one of brightness."""
_STEPS, _FOLLOWED = (30, 50, 80, 130, 210), 0.4
"""Edge thresholds, for plain and grained tables, and the lower threshold's share (Canny)."""
_USUAL_STEP = 1.25
"""Largest usual step from card to card, a finger's width apart, in sides of a card."""
_FAR, _ASKEW = 1.5, 0.6
"""Steps between two cards from which another may be missing, and from which a row starts late."""
_SLENDEREST, _TAPERED = 2.6, 1.25
"""Largest aspect ratio of a card, and largest ratio of its opposite sides."""
_MOST = 150
"""Number of outlines compared, the largest ones: the cost grows with its square."""
_BINS = 4
"""Bins of shapes per tolerance; one shape of each bin is tried."""


@dataclass(frozen=True)
class LaidCard:
    """A card in a row: its (4, 2) corners in px, clockwise from the top left.

    `follows` is set if no undetected card fits between it and the one before.
    """

    corners: np.ndarray
    follows: bool


def find_rows(image: np.ndarray) -> list[LaidCard]:
    """The cards in an (H, W, 3) uint8 picture, row by row, each from left to right.

    They are upright and apart from one another. To ignore drawings on cards, the set of similar
    outlines that covers most of the picture is taken.
    """
    small, to_image = shrunk(image, SEARCHED_PX)
    outlines = [_upright(corners) for corners in (*find_outlines(small), *_wrapped(small))]
    shapes = np.array([_shape(corners) for corners in outlines]).reshape(-1, 2)
    most = _LARGEST * max(small.shape[:2])
    fit = (shapes[:, 0] < most) & (shapes[:, 1] < _SLENDEREST) & (shapes[:, 1] > 1 / _SLENDEREST)
    fit &= np.array([_tapered(corners) for corners in outlines]) < _TAPERED
    fit &= shapes[:, 0] >= np.sort(shapes[fit, 0])[-_MOST:].min(initial=np.inf)
    bins = np.log(shapes[fit]) / np.log((_AS_LARGE, _AS_SLENDER)) * _BINS
    _, tried = np.unique(np.floor(bins), axis=0, return_index=True)
    strength = _EdgeStrength(small)
    groups = []
    for size, slender in shapes[fit][tried]:
        alike = (np.abs(np.log(shapes[:, 0] / size)) < np.log(_AS_LARGE)) & (
            np.abs(np.log(shapes[:, 1] / slender)) < np.log(_AS_SLENDER)
        )
        groups.append(_apart([outlines[one] for one in np.flatnonzero(alike & fit)], strength))
    if not groups:
        return []
    found = max(groups, key=lambda group: sum(_area(corners) for corners in group))
    return _in_order([transform(to_image, corners) for corners in found])


def _in_order(cards: Sequence[np.ndarray]) -> list[LaidCard]:
    """Put (4, 2) corners in reading order; the rows may be oblique."""
    corners = np.array(cards)
    along = np.median(corners[:, 1] - corners[:, 0], axis=0)
    along /= np.linalg.norm(along)
    level = corners @ np.column_stack([along, (-along[1], along[0])])
    middles, (width, height) = level.mean(axis=1), np.median(np.ptp(level, axis=1), axis=0)
    rows: list[list[int]] = []
    for card in np.argsort(middles[:, 1]).tolist():
        if rows and middles[card, 1] - middles[rows[-1], 1].mean() < height / 2:
            rows[-1].append(card)
        else:
            rows.append([card])
    rows = [sorted(row, key=lambda card: middles[card, 0]) for row in rows]
    steps = [np.diff(middles[row, 0]) for row in rows]
    step = min([_USUAL_STEP * width, *np.concatenate(steps)])
    down = np.diff([middles[row, 1].mean() for row in rows])
    far = _FAR * min([_USUAL_STEP * height, *down])
    most, left = max(map(len, rows)), min(middles[row[0], 0] for row in rows)
    laid = []
    for number, row in enumerate(rows):
        whole = not number or (len(rows[number - 1]) == most and down[number - 1] < far)
        begins = whole and middles[row[0], 0] - left < _ASKEW * step
        follows = [begins, *(steps[number] < _FAR * step)]
        laid += [LaidCard(cards[card], bool(own)) for card, own in zip(row, follows, strict=True)]
    return laid


def cut_card(image: np.ndarray, corners: np.ndarray, longest_px: int) -> np.ndarray:
    """The picture at (4, 2) corners, upright, (H, W, 3) uint8, its longer side `longest_px`."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = sides[[0, 2]].mean(), sides[[1, 3]].mean()
    share = longest_px / max(across, down)
    width, height = max(round(across * share), 1), max(round(down * share), 1)
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    onto = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    return warp(image, onto, (width, height))


def _upright(corners: np.ndarray) -> np.ndarray:
    """Clockwise (4, 2) corners, starting with the upper side."""
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    return np.roll(corners, -int(middles[:, 1].argmin()), axis=0)


def _shape(corners: np.ndarray) -> tuple[float, float]:
    """The side in px of a square of the same area, and the height over the width."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    return max(_area(corners) ** 0.5, 1e-9), max(down, 1e-9) / max(across, 1e-9)


def _tapered(corners: np.ndarray) -> float:
    """The largest ratio of opposite sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(np.exp(np.abs(np.log(sides[:2] / sides[2:])).max()))


def _area(corners: np.ndarray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _wrapped(image: np.ndarray) -> Iterator[np.ndarray]:
    """Outlines around clusters of edges of any colour, even if the card's own edge is broken.

    That happens if a card is printed up to its edge in the colour or brightness of the table.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 1:] *= _COLOUR
    across, down = (cv2.Sobel(lab, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    most = (np.abs(across) + np.abs(down)).argmax(axis=2)[..., None]
    across, down = (
        np.take_along_axis(one, most, 2)[..., 0].astype(np.int16) for one in (across, down)
    )
    for step in _STEPS:
        edges = cv2.Canny(across, down, _FOLLOWED * step, step)
        edges = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        white = np.zeros(edges.shape, np.uint8)
        cv2.drawContours(white, [cv2.convexHull(own) for own in contours], -1, 255, -1)
        contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        found = [four_sides(contour, max(image.shape)) for contour in contours]
        yield from (corners for corners in found if corners is not None)


class _EdgeStrength:
    """Measures the edge strength along an outline of a picture."""

    def __init__(self, image: np.ndarray) -> None:
        smooth = cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.float32)
        steps = [cv2.Sobel(smooth, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))]
        self._steps: np.ndarray = np.sqrt(sum(step**2 for step in steps)).max(axis=2)

    def __call__(self, corners: np.ndarray) -> float:
        share = np.linspace(0.1, 0.9, 33)[:, None, None]
        at = (corners + share * (np.roll(corners, -1, axis=0) - corners)).astype(np.float32)
        sides = cv2.remap(self._steps, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
        return float(np.median(sides, axis=0).mean())


def _apart(outlines: Sequence[np.ndarray], strength: _EdgeStrength) -> list[np.ndarray]:
    """One of each group of overlapping outlines: the largest on a strong edge, not beside it."""
    kept: list[np.ndarray] = []
    left = sorted(outlines, key=_area, reverse=True)
    while left:
        over = [own for own in left if _shared(own, left[0]) > 0.1 * _area(own)]
        plain = [strength(own) for own in over]
        kept.append(
            next(own for own, its in zip(over, plain, strict=True) if its >= _PLAIN * max(plain))
        )
        left = [own for own in left if not any(own is other for other in over)]
    return kept


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])
