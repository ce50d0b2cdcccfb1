"""A deck's pictures, and how places in a photograph resemble them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.card_features import DeckFeatures
from vision.card_geometry import sides_of
from vision.card_likeness import detail_of, matt, standardised
from vision.card_squares import FINE_PX, bare_of, correlations, cut, onto_square, squared
from vision.parallel import parallel_map
from vision.rectify import transform

_COARSE_PX = 32
"""Side of the square in which all pictures are compared with a place."""
_BLURS = (0.0, 1.0)
"""Blurs, in px at `_COARSE_PX`, whose correlations are averaged: thin lines need an exact place."""
_MOVED_PX = 5
"""How far a place is moved at most before it is registered, in px at `_COARSE_PX`."""
CLOSER = 4
"""Number of the likeliest cards that are compared closely."""
_SAME_TURNED = 0.995
"""Similarity of detail from which a turned picture looks the same: of the printed decks, all that
are drawn so have at least 0.999, and others at most 0.989."""
_LEAST_SPREAD = 0.01
"""Variance of the blur of a sharp picture, in square px at `FINE_PX`."""
_USUAL_SOFTNESS = 1.0
"""Blur of a photograph that is assumed, in px at `FINE_PX`."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A card's picture: (H, W, 3) uint8 BGR, edge to edge. One card may have several."""

    id: str
    picture: np.ndarray


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

    @property
    def aspect(self) -> float:
        """The height of a picture by its width."""
        height, width = self.pictures[0].picture.shape[:2]
        return float(height / width)

    @cached_property
    def features(self) -> DeckFeatures:
        return DeckFeatures([one.picture for one in self.pictures])

    @cached_property
    def fine(self) -> Sequence[np.ndarray]:
        return [squared(one.picture, FINE_PX) for one in self.pictures]

    @cached_property
    def soft(self) -> Sequence[np.ndarray]:
        return [cv2.GaussianBlur(one, (0, 0), _USUAL_SOFTNESS) for one in self.fine]

    @cached_property
    def details(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the pictures' locally normalized details, of length 1."""
        each = np.array([detail_of(one).ravel() for one in self.soft], np.float32)
        return np.asarray(each / np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1e-9))

    @cached_property
    def symmetries(self) -> Sequence[Sequence[int]]:
        """The left turns after which each picture still looks the same, the first none."""
        square = self.details.reshape(-1, FINE_PX, FINE_PX, 3)
        alike = [(np.rot90(square, turn, axes=(1, 2)) * square).sum((1, 2, 3)) for turn in range(4)]
        return [[0, *(np.flatnonzero(own[1:] > _SAME_TURNED) + 1)] for own in np.array(alike).T]

    @cached_property
    def twins(self) -> np.ndarray:
        """(N,) each picture's similarity of detail to the most similar one of another card."""
        alike = self.details @ self.details.T
        ids = np.array([one.id for one in self.pictures])
        alike[ids[:, None] == ids] = 0.0
        return np.asarray(alike.max(axis=1, initial=0.0))

    @cached_property
    def _fine_flat(self) -> np.ndarray:
        """(N, 64 · 64 · 3) float32, the standardised pictures."""
        return np.array([standardised(one).ravel() for one in self.fine], np.float32)

    @cached_property
    def _coarse(self) -> Sequence[np.ndarray]:
        """(N, 32 · 32 · 3) float32 for each of `_BLURS`."""
        small = [squared(one.picture, _COARSE_PX) for one in self.pictures]
        return [np.array([_flat(one, blur) for one in small], np.float32) for blur in _BLURS]

    def prepare(self) -> None:
        """Load all that is compared."""
        if self.pictures:
            _ = self.features, self.soft, self.details, self._fine_flat, self._coarse

    def likeness(
        self, image: np.ndarray, places: Sequence[np.ndarray], above: Sequence[np.ndarray] = ()
    ) -> np.ndarray:
        """(B, P, 4 N) correlations of (4, 2) places in an image with the pictures.

        By blur, the first none, by place, and by picture as it is and after one, two and three left
        turns. Only what outlines of cards `above` leave bare is compared.
        """
        seen = [matt(cut(image, corners, _COARSE_PX)) for corners in places]
        bare = [bare_of(corners, above, _COARSE_PX) for corners in places]
        covered = [number for number, own in enumerate(bare) if own is not None]
        likeness = np.zeros((len(_BLURS), len(places), 4 * len(self.pictures)), np.float32)
        for one, (blur, known) in enumerate(zip(_BLURS, self._coarse, strict=True)):
            if seen:
                flat = np.array([_flat(picture, blur) for picture in seen], np.float32)
                square = flat.reshape(-1, _COARSE_PX, _COARSE_PX, 3)
                for turn in range(4):
                    turned = np.rot90(square, -turn, axes=(1, 2)).reshape(flat.shape)
                    likeness[one, :, turn::4] = turned @ known.T / flat.shape[1]
            if covered:
                soft = [
                    cv2.GaussianBlur(seen[n], (0, 0), blur) if blur else seen[n] for n in covered
                ]
                for turn in range(4):
                    shown, within = (
                        np.rot90(np.array(each), -turn, axes=(1, 2))
                        for each in (soft, [bare[n] for n in covered])
                    )
                    likeness[one, covered, turn::4] = correlations(shown, known, within)
        return likeness

    def settled(
        self,
        image: np.ndarray,
        places: Sequence[np.ndarray],
        least: float,
        above: Sequence[np.ndarray] = (),
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """(4, 2) places, moved to where they are most like their picture, and their `likeness`.

        Only those with a correlation above `least` are moved.
        """
        likeness, moved = self.likeness(image, places, above), [*places]
        likest = likeness.mean(axis=0)
        able = np.flatnonzero(likest.max(axis=1, initial=-1.0) > least).tolist()
        tried = parallel_map(
            lambda one: self._settled(image, places[one], int(likest[one].argmax()), above), able
        )
        alike = self.likeness(image, tried, above).swapaxes(0, 1)
        for number, place, own in zip(able, tried, alike, strict=True):
            if own.mean(axis=0).max() > likest[number].max():  # moved by whole px of one blur only
                moved[number], likeness[:, number] = place, own
        return moved, likeness

    def _settled(
        self, image: np.ndarray, corners: np.ndarray, own: int, above: Sequence[np.ndarray]
    ) -> np.ndarray:
        """A (4, 2) place moved to where it is most like one of the turned pictures."""
        side = _COARSE_PX + 2 * _MOVED_PX
        middle = corners.mean(axis=0)
        around = matt(cut(image, middle + (corners - middle) * side / _COARSE_PX, side))
        around = cv2.GaussianBlur(around, (0, 0), _BLURS[-1]).astype(np.float32)
        picture, turn = divmod(own, 4)
        known = np.rot90(self._coarse[-1][picture].reshape(_COARSE_PX, _COARSE_PX, 3), turn)
        known, method = np.ascontiguousarray(known), cv2.TM_CCOEFF_NORMED
        bare = bare_of(corners, above, _COARSE_PX)
        within = None if bare is None else np.dstack([bare.astype(np.float32)] * 3)
        fits = cv2.matchTemplate(around, known, method, mask=within)
        fits[~np.isfinite(fits)] = -1.0  # what is bare there is plain
        y, x = np.unravel_index(int(fits.argmax()), fits.shape)
        onto = onto_square(corners, _COARSE_PX)
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * _COARSE_PX - 0.5
        return transform(np.linalg.inv(onto), square + np.array([x, y]) - _MOVED_PX)

    def blurred(self, card: int, softness: tuple[float, float], side: int = FINE_PX) -> np.ndarray:
        """A card's picture in a square of `side` px, blurred by px at `FINE_PX` across and down."""
        known = self.fine[card] if side == FINE_PX else squared(self.pictures[card].picture, side)
        across, down = (one * side / FINE_PX for one in softness)
        return cv2.GaussianBlur(known, (0, 0), across, sigmaY=down) if across else known

    def blurred_in(
        self, corners: np.ndarray, card: int, softness: tuple[float, float]
    ) -> np.ndarray:
        """The same, blurred evenly in a photograph where its picture has (4, 2) corners."""
        onto = onto_square(corners, FINE_PX)
        step = transform(onto, corners.mean(axis=0) + np.array([[0, 0], [1, 0], [0, 1]]))
        to_square = (step[1:] - step[0]).T
        blur = float(np.mean(softness * sides_of(corners))) / FINE_PX
        spread = blur**2 * to_square @ to_square.T + _LEAST_SPREAD * np.eye(2)
        reach = min(int(np.ceil(3 * np.sqrt(spread.diagonal().max()))), FINE_PX)
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        at = np.dstack([x, y])
        kernel = np.exp(-np.einsum("yxi,ij,yxj->yx", at, np.linalg.inv(spread), at) / 2)
        return cv2.filter2D(self.fine[card], -1, kernel / kernel.sum())

    def likest(self, seen: np.ndarray, bare: np.ndarray | None) -> list[int]:
        """The pictures that correlate best with what is `bare` of a square."""
        if bare is None:
            alike = standardised(matt(seen)).ravel() @ self._fine_flat.T
        else:
            (alike,) = correlations(seen[None], self._fine_flat, bare[None])
        return [int(one) for one in np.argsort(-alike)[:CLOSER]]


def _flat(picture: np.ndarray, blur: float) -> np.ndarray:
    """A (H, W, 3) picture, blurred, as standardised values in one row."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    return standardised(soft).ravel()
