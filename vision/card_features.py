"""Candidate places of a deck's pictures by features: at any angle, faded or half covered.

A feature that matches one of a picture predicts where that picture would be, at which size and
angle (Lowe, 2004). Places where several of one picture agree are examined.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np

from vision.card_corners import TableMetric, flat_on, is_outside
from vision.card_geometry import side_of
from vision.features import Features, detect, with_detail
from vision.parallel import parallel_map
from vision.rectify import shrunk, transform

SEARCHED_PX = 2800
"""Longer side of the photograph in which features are searched."""
_IN_PICTURE, _IN_PHOTOGRAPH = 120, 8000
"""Largest numbers of features of a picture of the deck, and of a photograph."""
_PATCH_PX = 700
"""Longer side of the picture in which patches with detail are measured."""
_CONTRAST, _EDGE = 0.02, 20
_ALIKE, _MOST_ALIKE = 0.9, 320
"""Cosine from which two features match, and number of the deck's features above which those like
one, such as the ends of lines of text, say nothing."""
_AT_ONCE = 100
"""Number of a photograph's features that a thread compares with the deck's; bounds memory."""
_NEAR, _AS_LARGE, _TURNED = 0.2, 0.35, 0.35
"""Tolerances of matches that agree: position, as a share of the picture's side; log size;
radians."""
_BIN_PX, _BIN_SIZE, _BINS_OF_TURN = 30.0, 0.4, 12
_FITS_PX, _FITS = 3.0, 200
"""Largest error of a feature's position where a picture is seen from above; the most fits that are
tried to some features."""
_LEAST_VOTES, _MANY = 3, 8
"""Numbers of features that have to agree, and from which they show how a picture is foreshortened.
"""
_MOST_PLACES, _TRIES = 500, 3
"""Numbers of places examined, and of those that are nearly the same, with rare features first: a
feature found all over the deck says little."""
_LIKE_KNOWN = 0.5
"""Largest difference in log size from known pictures, which fill cards more or less."""
_MARGIN = 0.1
"""Width of paper around a picture, as a share of its side: its rim is a feature too."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The features of a photograph; `to_image` is (3, 3), from their px to those of it.

    They were `searched` in an (H, W) uint8 mask of these px.
    """

    features: Features
    to_image: np.ndarray
    searched: np.ndarray

    def largest(self, table: TableMetric) -> float:
        """The largest area on a `table` that was searched in one piece, by its known width."""
        small, to_searched = shrunk(self.searched, _PATCH_PX)
        many, _, sizes, middles = cv2.connectedComponentsWithStats(small)
        if many == 1:  # what was not searched
            return 0.0
        to_image = self.to_image @ to_searched
        sides = table.side(transform(to_image, middles[1:])) / to_image[0, 0]
        return float((sizes[1:, cv2.CC_STAT_AREA] / sides**2).max())


def features_of(image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> Seen:
    """The features of an (H, W, 3) image outside the areas `taken`, (4, 2) px each."""
    grey, to_image = _shrunk_grey(image)
    to_grey = np.linalg.inv(to_image)
    searched = with_detail(grey, [transform(to_grey, corners) for corners in taken])
    return Seen(_features(grey, _IN_PHOTOGRAPH, searched), to_image, searched)


@dataclass(frozen=True, eq=False)
class Votes:
    """Where features of a photograph predict pictures of a deck: N matches.

    Each is of a `feature`, by its number, that is `seen` at (N, 2) px and like one `of_deck`. That
    predicts a `picture` with its (N, 2) px `middle`, `scale`, and `turn` in radians. `to_image` is
    (3, 3), from these px to those of the photograph.
    """

    to_image: np.ndarray
    feature: np.ndarray
    of_deck: np.ndarray
    picture: np.ndarray
    seen: np.ndarray
    middle: np.ndarray
    scale: np.ndarray
    turn: np.ndarray

    def __getitem__(self, chosen: np.ndarray) -> "Votes":
        """The matches selected by (N,) bool or by indices."""
        each = {one.name: getattr(self, one.name)[chosen] for one in fields(self)[1:]}
        return replace(self, **each)


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

    def votes(self, of_image: Seen) -> Votes:
        """What the features of a photograph predict."""
        seen, to_image = of_image.features, of_image.to_image
        feature, own = np.zeros((2, 0), int)
        if len(seen) and len(self._at):
            feature, own = self._alike(seen.descriptors)
        picture, at = self._picture[own], seen.at[feature]
        scale = seen.sizes[feature] / self._scale[own]
        turn = np.deg2rad(seen.angles[feature]) - self._angle[own]
        middle = at + _turned(self._sizes[picture] / 2 - self._at[own], turn) * scale[:, None]
        return Votes(to_image, feature, own, picture, at, middle, scale, turn)

    def places(self, votes: Votes) -> list[np.ndarray]:
        """Candidate places of pictures, the likeliest first: (4, 2) px each.

        Clockwise from the picture's own top left.
        """
        found = self._distinct(self._fit_corners(*own) for own in self._clusters(votes))
        return [transform(votes.to_image, one) for one in found]

    def places_by_scale(self, votes: Votes, known: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same for features too few to fit a similarity, given `known` pictures, (4, 2) px.

        The others lie in the same plane and are about as large.
        """
        pictures = [transform(np.linalg.inv(votes.to_image), one) for one in known]
        votes = votes[is_outside(votes.seen, pictures)]
        table = TableMetric(np.array(pictures), float(np.divide(*self._sizes[0][::-1])))
        side = votes.scale * self._sizes.mean(axis=1)[votes.picture]
        votes = votes[np.abs(np.log(side / table.side(votes.middle))) < _LIKE_KNOWN]

        def flat(picture: int, own: Votes) -> np.ndarray:
            way = np.angle(np.exp(1j * own.turn).mean(keepdims=True))
            around = _turned(self._corners(picture), way) * np.median(own.scale)
            return flat_on(table, around - around.mean(axis=0) + np.median(own.middle, axis=0))

        found = self._distinct(flat(*own) for own in self._clusters(votes))
        return [transform(votes.to_image, one) for one in found]

    def _distinct(self, places: Iterable[np.ndarray | None]) -> list[np.ndarray]:
        """Those of (4, 2) places that no earlier one is like."""
        found, count = np.empty((_MOST_PLACES, 4, 2)), 0
        for laid in places:
            if laid is None:
                continue
            reach = 0.1 * side_of(laid)
            if (np.abs(laid - found[:count]).max(axis=(1, 2)) > reach).all():
                found[count] = laid
                count += 1
        return [*found[:count]]

    def _alike(self, descriptors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Index pairs of (N, 128) descriptors and matching ones of the deck."""

        def of_some(start: int) -> tuple[np.ndarray, np.ndarray]:
            alike = descriptors[start : start + _AT_ONCE] @ self._descriptors.T > _ALIKE
            alike[np.count_nonzero(alike, axis=1) > _MOST_ALIKE] = False
            rows, columns = np.nonzero(alike)
            return start + rows, columns

        each = parallel_map(of_some, range(0, len(descriptors), _AT_ONCE))
        return np.concatenate([one for one, _ in each]), np.concatenate([one for _, one in each])

    def _fit_corners(self, picture: int, votes: Votes) -> np.ndarray | None:
        """(4, 2) px corners of a picture that votes agree on; None if nothing fits them.

        Many show how it is foreshortened; few fit no picture that is seen from low down.
        """
        known, seen, size = self._at[votes.of_deck], votes.seen, float(np.median(votes.scale))
        is_many = len(known) >= _MANY
        for estimate in (cv2.estimateAffine2D, cv2.estimateAffinePartial2D)[not is_many :]:
            way, _ = estimate(known, seen, ransacReprojThreshold=_FITS_PX, maxIters=_FITS)
            if way is None or np.linalg.det(way[:, :2]) <= 0:
                continue
            sizes = np.linalg.svd(way[:, :2], compute_uv=False) / size
            if np.abs(np.log(np.maximum(sizes, 1e-6))).max() < _AS_LARGE:
                return np.asarray(self._corners(picture) @ way[:, :2].T + way[:, 2])
        return None

    def _clusters(self, votes: Votes) -> Iterator[tuple[int, Votes]]:
        """The picture, and a vote of each feature, at each place where several agree."""
        sides, by_feature = self._sizes.mean(axis=1), votes.feature
        if not len(by_feature):
            return
        bins = np.column_stack(
            [
                votes.picture,
                np.round(votes.middle / _BIN_PX),
                np.round(np.log(votes.scale) / _BIN_SIZE),
                np.round(votes.turn / (2 * np.pi) * _BINS_OF_TURN) % _BINS_OF_TURN,
            ]
        ).astype(np.int64)
        order = np.lexsort((by_feature, *bins.T[::-1]))
        by_row = by_feature[order]
        begins = np.r_[True, (np.diff(bins[order], axis=0) != 0).any(axis=1)]
        is_new = begins | np.r_[True, np.diff(by_row) != 0]
        starts = np.flatnonzero(begins)
        rarity = 1 / np.sqrt(np.maximum(np.bincount(by_feature), 1))
        weight = np.add.reduceat(is_new * rarity[by_row], starts)
        many = np.diff(np.r_[starts, len(order)])
        of_bins = votes.picture[order[starts]]
        middles = np.add.reduceat(votes.middle[order], starts) / many[:, None]
        sizes = np.exp(np.add.reduceat(np.log(votes.scale[order]), starts) / many)
        ways = np.add.reduceat(np.exp(1j * votes.turn[order]), starts) / many
        log_size, angle = np.log(sizes) / _BIN_SIZE, np.angle(ways) / _TURNED
        laid = np.column_stack([middles / _BIN_PX, log_size, angle])
        of_picture: dict[int, Votes] = {}
        tried, count = np.empty((_MOST_PLACES, 4)), 0
        for one in np.argsort(-weight):
            off = np.abs(tried[:count] - laid[one])
            off[:, 3] = np.minimum(off[:, 3], 2 * np.pi / _TURNED - off[:, 3])
            if np.count_nonzero((off < (2, 2, 1, 1)).all(axis=1)) >= _TRIES:
                continue
            number, middle, size, way = int(of_bins[one]), middles[one], sizes[one], ways[one]
            if number not in of_picture:
                of_picture[number] = votes[votes.picture == number]
            every = of_picture[number]
            away = np.hypot(*(every.middle - middle).T)
            near = np.flatnonzero(away < _NEAR * size * sides[number])
            agrees = near[
                (np.abs(np.log(every.scale[near] / size)) < _AS_LARGE)
                & (np.abs(np.angle(np.exp(1j * every.turn[near]) / way)) < _TURNED)
            ]
            nearest = agrees[np.argsort(away[agrees])]
            _, first = np.unique(every.feature[nearest], return_index=True)
            if len(first) >= _LEAST_VOTES:
                yield number, every[nearest[first]]
                tried[count] = laid[one]
                count += 1
                if count == _MOST_PLACES:
                    return

    def _corners(self, picture: int) -> np.ndarray:
        """(4, 2) px, of a picture of the deck."""
        width, height = self._sizes[picture]
        return np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5


def _shrunk_grey(image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The brightness of an (H, W, 3) image at `SEARCHED_PX`, and (3, 3) from its px to those."""
    return shrunk(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), SEARCHED_PX)


def _of_picture(picture: np.ndarray) -> Features:
    """The features of a picture surrounded by paper; `at` in its own px."""
    margin = round(_MARGIN * max(picture.shape[:2]))
    paper = tuple(int(channel) for channel in np.median(picture[[0, -1]], axis=(0, 1)))
    framed = cv2.copyMakeBorder(picture, *(margin,) * 4, cv2.BORDER_CONSTANT, value=paper)
    found = _features(cv2.cvtColor(framed, cv2.COLOR_BGR2GRAY), _IN_PICTURE)
    return Features(found.at - margin, found.sizes, found.angles, found.descriptors)


def _features(grey: np.ndarray, most: int, where: np.ndarray | None = None) -> Features:
    return detect(grey, most, _CONTRAST, _EDGE, where)


def _turned(vectors: np.ndarray, turn: np.ndarray) -> np.ndarray:
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = vectors.T
    return np.column_stack([x * cos - y * sin, x * sin + y * cos])
