"""Candidate places of a deck's pictures by features: at any angle, faded or half covered.

A feature that matches one of a picture predicts where that picture would be, at which size and
angle (Lowe, 2004). Places where several of one picture agree are examined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.features import Features, root_sift
from vision.rectify import shrunk, transform

SEARCHED_PX = 2800
"""Longer side of the photograph in which features are searched."""
_IN_PICTURE, _IN_PHOTOGRAPH = 120, 8000
"""Largest numbers of features of a picture of the deck, and of a photograph."""
_CONTRAST, _EDGE = 0.02, 20
_ALIKE = 0.9
"""Cosine from which two features match."""
_AT_ONCE = 500
"""Number of a photograph's features compared with the deck's at once, which bounds memory."""
_NEAR, _AS_LARGE, _TURNED = 0.2, 0.35, 0.35
"""Tolerances of matches that agree: position, as a share of the picture's side; log size;
radians."""
_BIN_PX, _BIN_SIZE, _BINS_OF_TURN = 30.0, 0.4, 12
_LEAST_VOTES, _MOST_PLACES = 4, 500
"""Number of features that have to agree; number of places examined, those with rare features
first: a feature found all over the deck says little."""
_MARGIN = 0.1
"""Width of paper around a picture, as a share of its side: its rim is a feature too."""


class DeckFeatures:
    """The features of a deck's pictures."""

    def __init__(self, pictures: Sequence[np.ndarray]) -> None:
        """``pictures`` are (H, W, 3) uint8."""
        each = [_of_picture(one) for one in pictures]
        self._sizes = np.array([one.shape[1::-1] for one in pictures], float)
        self._at = np.concatenate([one.at for one in each])
        self._scale = np.concatenate([one.sizes for one in each])
        self._angle = np.deg2rad(np.concatenate([one.angles for one in each]))
        self._descriptors = np.concatenate([one.descriptors for one in each])
        self._picture = np.repeat(np.arange(len(each)), [len(one) for one in each])

    def places(self, image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """Candidate places of pictures in an (H, W, 3) image, the likeliest first: (4, 2) px each.

        Clockwise from the picture's own top left; the areas `taken` are not searched.
        """
        small, to_image = shrunk(image, SEARCHED_PX)
        searched = np.full(small.shape[:2], 255, np.uint8)
        for corners in taken:
            outline = transform(np.linalg.inv(to_image), corners)
            cv2.fillConvexPoly(searched, np.round(outline).astype(np.int32), 0)
        seen = _features(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), _IN_PHOTOGRAPH, searched)
        if not len(seen) or not len(self._at):
            return []
        rows, columns = self._alike(seen.descriptors)
        if not len(rows):
            return []
        picture = self._picture[columns]
        scale = seen.sizes[rows] / self._scale[columns]
        turn = np.deg2rad(seen.angles[rows]) - self._angle[columns]
        inward = _turned(self._sizes[picture] / 2 - self._at[columns], turn) * scale[:, None]
        middle = seen.at[rows] + inward
        found = np.empty((_MOST_PLACES, 4, 2))
        count = 0
        for number, near in _clusters(rows, picture, middle, scale, turn, self._sizes.mean(axis=1)):
            size = float(np.median(scale[near]))
            own = self._fit_corners(number, self._at[columns[near]], seen.at[rows[near]], size)
            if own is None:
                continue
            laid = transform(to_image, own)
            reach = 0.1 * float(np.sqrt(cv2.contourArea(laid.astype(np.float32))))
            if (np.abs(laid - found[:count]).max(axis=(1, 2)) > reach).all():
                found[count] = laid
                count += 1
        return [*found[:count]]

    def _alike(self, descriptors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Index pairs of (N, 128) descriptors and matching ones of the deck."""
        each = [
            (start + rows, columns)
            for start in range(0, len(descriptors), _AT_ONCE)
            for rows, columns in [
                np.nonzero(descriptors[start : start + _AT_ONCE] @ self._descriptors.T > _ALIKE)
            ]
        ]
        return np.concatenate([one for one, _ in each]), np.concatenate([one for _, one in each])

    def _fit_corners(
        self, picture: int, known: np.ndarray, seen: np.ndarray, size: float
    ) -> np.ndarray | None:
        """(4, 2) px corners of a picture, from (N, 2) points and their matches at `size` times."""
        way, _ = cv2.estimateAffinePartial2D(known, seen, ransacReprojThreshold=3.0)
        if way is None or abs(np.log(max(float(np.hypot(*way[:, 0])), 1e-6) / size)) > _AS_LARGE:
            return None
        width, height = self._sizes[picture]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
        return np.asarray(corners @ way[:, :2].T + way[:, 2])


def _clusters(
    rows: np.ndarray,
    picture: np.ndarray,
    middle: np.ndarray,
    scale: np.ndarray,
    turn: np.ndarray,
    sides: np.ndarray,
) -> Iterator[tuple[int, np.ndarray]]:
    """The picture and the matches at each place where several features (`rows`) agree.

    For each match: the feature, the picture, and the predicted (N, 2) px centre, scale and angle.
    `sides` are the pictures' own.
    """
    bins = np.column_stack(
        [
            picture,
            np.round(middle / _BIN_PX),
            np.round(np.log(scale) / _BIN_SIZE),
            np.round(turn / (2 * np.pi) * _BINS_OF_TURN) % _BINS_OF_TURN,
        ]
    ).astype(np.int64)
    order = np.lexsort((rows, *bins.T[::-1]))
    by_row = rows[order]
    begins = np.r_[True, (np.diff(bins[order], axis=0) != 0).any(axis=1)]
    is_new = begins | np.r_[True, np.diff(by_row) != 0]
    starts = np.flatnonzero(begins)
    rarity = 1 / np.sqrt(np.maximum(np.bincount(rows), 1))
    weight = np.add.reduceat(is_new * rarity[by_row], starts)
    members = np.split(order, starts[1:])
    of_picture = [np.flatnonzero(picture == number) for number in range(len(sides))]
    for one in np.argsort(-weight)[:_MOST_PLACES]:
        own = members[one]
        number = int(picture[own[0]])
        every = of_picture[number]
        size = float(np.exp(np.log(scale[own]).mean()))
        way = np.exp(1j * turn[own]).mean()
        away = np.linalg.norm(middle[every] - middle[own].mean(axis=0), axis=1)
        agrees = (
            (away < _NEAR * size * sides[number])
            & (np.abs(np.log(scale[every] / size)) < _AS_LARGE)
            & (np.abs(np.angle(np.exp(1j * turn[every]) / way)) < _TURNED)
        )
        if len(np.unique(rows[every[agrees]])) >= _LEAST_VOTES:
            yield number, every[agrees]


def _of_picture(picture: np.ndarray) -> Features:
    """The features of a picture surrounded by paper; `at` in its own px."""
    margin = round(_MARGIN * max(picture.shape[:2]))
    paper = tuple(int(channel) for channel in np.median(picture[[0, -1]], axis=(0, 1)))
    framed = cv2.copyMakeBorder(picture, *(margin,) * 4, cv2.BORDER_CONSTANT, value=paper)
    found = _features(cv2.cvtColor(framed, cv2.COLOR_BGR2GRAY), _IN_PICTURE)
    return Features(found.at - margin, found.sizes, found.angles, found.descriptors)


def _features(grey: np.ndarray, most: int, where: np.ndarray | None = None) -> Features:
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=_CONTRAST, edgeThreshold=_EDGE)
    return root_sift(*sift.detectAndCompute(grey, where))


def _turned(vectors: np.ndarray, turn: np.ndarray) -> np.ndarray:
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = vectors.T
    return np.column_stack([x * cos - y * sin, x * sin + y * cos])
