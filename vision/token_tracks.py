"""Tokens on the tracks of a printed sheet: how far each has come, and in which order.

The sheet is found by its print, as cards are; each token is where the sheet looks most like its
face, turned all ways. A token that is nowhere may lie beneath another one: then nothing is certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np

from vision.cards import CardPicture, Deck
from vision.rectify import homography, warp

PX_PER_MM = 2.0
_MARGIN_MM = 34.0
"""So far beside the sheet tokens are looked for that have not moved."""
_TURNS, _SEARCHED_TURNS = 36, 12
"""In so many ways faces are turned to be compared, and to be found at all."""
_MAY_FIT, _MOST_SPOTS = 0.45, 14
"""The correlation from which something may be a token, and so many of those are compared."""
_SEEN, _OFF = 0.9, 1
"""The share of a face's radius that is compared, and by how many px a token may be elsewhere."""
_OTHER = 90.0
"""The difference in colour, of 255 in each channel, from which pixels are simply different."""
_FITS, _CLEARLY = 0.6, 0.05
"""How much a spot looks like a token that lies there, and more than it does like another."""
_APART = 0.75
"""Diameters between two tokens that lie beside each other."""
_LIKE_SHEET = 0.5


@dataclass(frozen=True, eq=False)
class PrintedTracks:
    """What is printed, in one way: (H, W, 3) uint8 BGR pictures, `PX_PER_MM` px a mm.

    By the track, `squares` are (N, 2) mm on the sheet, the start first, and `tokens` their faces,
    `diameter_mm` wide.
    """

    sheet: np.ndarray
    squares: Mapping[str, np.ndarray]
    tokens: Mapping[str, Mapping[str, np.ndarray]]
    diameter_mm: float


@dataclass(frozen=True)
class TrackReading:
    """The tokens of a track that have moved, the leading one first.

    `certain`: each token of the track was seen, and no two that count on one square.
    """

    order: Sequence[str]
    certain: bool


class TrackReader:
    """Reads a sheet that is printed in one of several ways."""

    def __init__(self, prints: Sequence[PrintedTracks]) -> None:
        """With much ink, with little."""
        self._prints = prints

    @cached_property
    def _sheets(self) -> Deck:
        return Deck([CardPicture(str(n), own.sheet) for n, own in enumerate(self._prints)])

    def find(
        self, image: np.ndarray, taken: Sequence[np.ndarray] = ()
    ) -> tuple[dict[str, TrackReading], np.ndarray | None]:
        """The tracks of the sheet in an (H, W, 3) uint8 picture, and its (4, 2) corners in px.

        None where it is not found. It is looked for beside what lies within `taken`.
        """
        sheets = self._sheets.find(image, taken, by_outline=True)
        found = [one for one in sheets if one.confidence > _LIKE_SHEET]
        if not found:
            return {}, None
        printed = self._prints[int(found[0].card)]
        height, width = printed.sheet.shape[:2]
        margin = round(_MARGIN_MM * PX_PER_MM)
        to_image = homography(found[0].corners, (width, height))
        moved = np.array([[1, 0, margin], [0, 1, margin], [0, 0, 1.0]])
        size = (width + 2 * margin, height + 2 * margin)
        flat = warp(image, moved @ np.linalg.inv(to_image), size)
        flat = _in_its_light(flat, printed.sheet, margin)
        return {
            track: _read_track(flat, margin, printed, track) for track in printed.squares
        }, found[0].corners


def _read_track(flat: np.ndarray, margin: int, printed: PrintedTracks, track: str) -> TrackReading:
    """Read one track of a sheet that lies flat in its print's light, `margin` px within."""
    diameter = printed.diameter_mm * PX_PER_MM
    middles = printed.squares[track] * PX_PER_MM + margin
    half = 0.5 * max(np.linalg.norm(end - start) for start, end in pairwise(middles))
    top = max(0, round(middles[:, 1].min() - 1.3 * diameter))
    strip = flat[top : round(middles[:, 1].max() + 1.3 * diameter)]
    faces = {token: _turned(face) for token, face in printed.tokens[track].items()}
    spots = _spots(strip, [*faces.values()], diameter)
    looks = np.array([[_alike(strip, spot, own) for own in faces.values()] for spot in spots])
    bare = [_bare(printed.sheet, strip, spot, (margin, margin - top), diameter) for spot in spots]
    tokens, squares = [*faces], dict[str, int]()
    looks = looks.reshape(len(spots), len(tokens))
    while looks.size and looks.max() >= _FITS:
        spot, token = (int(one) for one in np.unravel_index(int(looks.argmax()), looks.shape))
        best, others = looks[spot, token], np.delete(looks[spot], token)
        looks[spot] = -np.inf
        if best - max(others.max(initial=-np.inf), bare[spot]) < _CLEARLY:
            continue
        looks[:, token] = -np.inf
        away = np.abs(middles[:, 0] - spots[spot][0] - (diameter - 1) / 2)
        squares[tokens[token]] = int(away.argmin()) if away.min() < half else 0
    ahead = sorted((token for token in squares if squares[token]), key=lambda one: -squares[one])
    levels = [squares[token] for token in ahead]
    certain = len(squares) == len(tokens) and len(set(levels)) == len(levels)
    return TrackReading(ahead, certain)


def _turned(face: np.ndarray) -> np.ndarray:
    """(T, D, D, 3) a face, turned all ways."""
    middle = ((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2)
    ways = (cv2.getRotationMatrix2D(middle, 360 * turn / _TURNS, 1.0) for turn in range(_TURNS))
    return np.array(
        [
            cv2.warpAffine(face, way, face.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            for way in ways
        ]
    )


def _spots(
    strip: np.ndarray, faces: Sequence[np.ndarray], diameter: float
) -> list[tuple[int, int]]:
    """The top left corners (x, y) of what may be tokens, none near another one."""
    fits = np.max(
        [
            cv2.matchTemplate(strip, one, cv2.TM_CCOEFF_NORMED)
            for face in faces
            for one in face[:: _TURNS // _SEARCHED_TURNS]
        ],
        axis=0,
    )
    found: list[tuple[int, int]] = []
    ys, xs = np.ogrid[: fits.shape[0], : fits.shape[1]]
    while len(found) < _MOST_SPOTS and fits.max() > _MAY_FIT:
        y, x = (int(one) for one in np.unravel_index(int(fits.argmax()), fits.shape))
        found.append((x, y))
        fits[np.hypot(ys - y, xs - x) < _APART * diameter] = -1
    return found


def _alike(strip: np.ndarray, spot: tuple[int, int], face: np.ndarray) -> float:
    """How much a spot looks like a face, 1 wholly, however it is turned and some px off.

    Both its colours and its marks count: some tokens differ in the one, some in the other.
    """
    side = face.shape[1]
    ys, xs = np.mgrid[:side, :side] - (side - 1) / 2
    on = np.hypot(xs, ys) < _SEEN * side / 2
    known = face[:, on].astype(np.float32)
    marks = _marks(known)
    best = -np.inf
    for off_y in range(-_OFF, _OFF + 1):
        for off_x in range(-_OFF, _OFF + 1):
            y, x = spot[1] + off_y, spot[0] + off_x
            if y < 0 or x < 0:
                continue
            cut = strip[y : y + side, x : x + side]
            if cut.shape[:2] != (side, side):
                continue
            shown = cut[on].astype(np.float32)
            away = ((known - shown) ** 2).sum(axis=2)
            colours = 1 - np.minimum(away / _OTHER**2, 1).mean(axis=1)
            fits = marks @ _marks(shown[None])[0]
            best = max(best, float((colours + fits).max()) / 2)
    return best


def _marks(shown: np.ndarray) -> np.ndarray:
    """(T, 3 P) how (T, P, 3) discs differ from their mean colour, of length 1."""
    even = (shown - shown.mean(axis=1, keepdims=True)).reshape(len(shown), -1)
    return np.asarray(even / (np.linalg.norm(even, axis=1, keepdims=True) + 1e-6))


def _bare(
    sheet: np.ndarray,
    strip: np.ndarray,
    spot: tuple[int, int],
    corner: tuple[int, int],
    diameter: float,
) -> float:
    """How much a spot looks as the sheet is printed there, whose corner (x, y) is in the strip."""
    side = round(diameter)
    x, y = spot[0] - corner[0], spot[1] - corner[1]
    print_there = sheet[max(y, 0) : y + side, max(x, 0) : x + side]
    if x < 0 or y < 0 or print_there.shape[:2] != (side, side):
        return -np.inf
    return _alike(strip, spot, print_there[None])


def _in_its_light(flat: np.ndarray, printed: np.ndarray, margin: int) -> np.ndarray:
    """A flat sheet, `margin` px within the picture, as bright in each channel as it is printed.

    The light may be brighter at one end; what does not fit, such as tokens, does not count.
    """
    height, width = printed.shape[:2]
    ys, xs = np.mgrid[0:height:8, 0:width:8]
    seen = flat[margin + ys, margin + xs].reshape(-1, 3).astype(float)
    known = printed[ys, xs].reshape(-1, 3).astype(float)
    x, y = xs.ravel() / width - 0.5, ys.ravel() / height - 0.5
    all_y, all_x = np.mgrid[: flat.shape[0], : flat.shape[1]]
    all_x, all_y = (all_x - margin) / width - 0.5, (all_y - margin) / height - 0.5
    even = np.empty(flat.shape, np.float32)
    for channel in range(3):
        own, shown = known[:, channel], seen[:, channel]
        terms = np.stack([own, own * x, own * y, np.ones_like(own)], axis=1)
        kept = np.ones(len(own), bool)
        for _ in range(4):
            gain = np.linalg.lstsq(terms[kept], shown[kept], rcond=None)[0]
            off = np.abs(terms @ gain - shown)
            kept = off <= max(2.5 * float(np.median(off)), 4.0)
        slope = np.maximum(gain[0] + gain[1] * all_x + gain[2] * all_y, 0.1)
        even[..., channel] = (flat[..., channel] - gain[3]) / slope
    return np.clip(even, 0, 255).astype(np.uint8)
