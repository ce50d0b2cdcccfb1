"""Tokens on a printed sheet: the token on each spot, and the progress along each track.

The sheet is found by its print's features, as boards are; a token is where the sheet looks most
like its face at any angle. A token missing from a track may be beneath another one: then the track
is uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np

from vision.rectify import homography, transform, warp
from vision.search import BoardSearch, Picture

PX_PER_MM = 2.0
_MARGIN_MM = 34.0
"""Margin of the sheet in which tokens that have not moved are searched."""
_TURNS, _SEARCHED_TURNS = 36, 12
"""Number of angles at which faces are compared, and first searched."""
_MAY_FIT, _MOST_SPOTS = 0.45, 14
"""Correlation from which a spot may be a token, and the number of those compared."""
_SEEN, _OFF = 0.9, 1
"""Share of a face's radius that is compared, and the error in px of a token's position."""
_OTHER = 90.0
"""Colour difference, of 255 in each channel, from which pixels count as different."""
_PLAIN, _MARKED = 3.0, 20.0
"""Standard deviations, of 255, below which a colour is plain and from which it has print."""
_CLEARLY_BARE = 0.2
"""Margin by which a spot must look bare; a pale token on white paper nearly does."""
_FITS, _CLEARLY = 0.6, 0.05
"""Similarity of a spot to its token, and the margin over any other."""
_OFF_SPOT_MM = 3.0
"""Largest distance of a token from its spot."""
_APART = 0.75
"""Diameters between two tokens next to each other."""
SEARCHED_PX = 2000
"""Longer side of the photograph in which sheets are searched."""
_BLURS = (31, 15, 5)
"""Blur widths in px, for registering a sheet with its print."""
_LIES_EXACTLY, _ABOUT = 0.4, 0.7
"""Least alignment of its lines with those of the print, and diameters around tokens that are
left out."""
_DARK = 0.2
"""Weight of the prior that black is seen as black: a white sheet has none to show it."""


@dataclass(frozen=True, eq=False)
class PrintedSpots:
    """Places in (2,) mm on a sheet by id, and the round faces of tokens admitted there."""

    at: Mapping[str, np.ndarray]
    faces: Mapping[str, np.ndarray]

    @cached_property
    def turned(self) -> Mapping[str, np.ndarray]:
        """(T, D, D, 3) each face at all angles."""
        return {token: _turned(face) for token, face in self.faces.items()}

    @property
    def across(self) -> int:
        """The width of a face in px."""
        return int(next(iter(self.faces.values())).shape[1])


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """One version of the print: (H, W, 3) uint8 BGR, `PX_PER_MM` px per mm.

    Along each of the `tracks` there is one token of each face; its first place is the start. Each
    of the `spots` may be empty.
    """

    sheet: np.ndarray
    tracks: Mapping[str, PrintedSpots] = field(default_factory=dict)
    spots: Sequence[PrintedSpots] = ()

    @cached_property
    def bare(self) -> np.ndarray:
        """(H, W) uint8, 255 where there is normally no token."""
        found = np.full(self.sheet.shape[:2], 255, np.uint8)
        starts = [(own, [next(iter(own.at.values()))]) for own in self.tracks.values()]
        filled = [(own, own.at.values()) for own in self.spots if len(own.faces) > 1]
        for own, places in (*starts, *filled):
            for at in places:
                x, y = (int(one) for one in np.rint(at * PX_PER_MM))
                cv2.circle(found, (x, y), round(own.across * _ABOUT), 0, -1)
        return found


@dataclass(frozen=True)
class TrackReading:
    """The visible tokens of a track, each with the id of its place.

    `order` lists those that have moved, the leading one first. It is `certain` if every token of
    the track was seen and no two that have moved share a square.
    """

    places: Mapping[str, str]
    order: Sequence[str]
    certain: bool


@dataclass(frozen=True)
class SheetReading:
    """A sheet's tracks, the tokens on its spots, None for an empty one; (4, 2) corners in px.

    Uncertain spots are left out.
    """

    tracks: Mapping[str, TrackReading]
    spots: Mapping[str, str | None]
    corners: np.ndarray


class TokenSheetReader:
    """Reads a sheet that is printed in one of several versions."""

    def __init__(self, prints: Sequence[PrintedSheet]) -> None:
        """``prints`` are the versions, such as with much ink and with little."""
        self._prints = prints

    @cached_property
    def _searches(self) -> Sequence[BoardSearch]:
        sheets = [own.sheet for own in self._prints]
        return [BoardSearch(one, 1.0, (one.shape[1], one.shape[0])) for one in sheets]

    def find(self, image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> SheetReading | None:
        """The sheet in an (H, W, 3) uint8 picture, outside the areas `taken`, (4, 2) px each."""
        if taken:
            image = image.copy()
            for corners in taken:
                cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (128, 128, 128))
        picture = Picture.of(image, SEARCHED_PX)
        laid = [
            (*_exactly(image, transform(to_image, _ends(printed.sheet)), printed), printed)
            for printed, search in zip(self._prints, self._searches, strict=True)
            for to_image in search.find(picture)
        ]
        exact = [one for one in laid if one[0] > _LIES_EXACTLY]
        if not exact:
            return None
        _fit, corners, printed = max(exact, key=lambda one: one[0])
        return _read(image, corners, printed)


def _ends(sheet: np.ndarray) -> np.ndarray:
    """(4, 2) px of a picture's corners."""
    height, width = sheet.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def _read(image: np.ndarray, corners: np.ndarray, printed: PrintedSheet) -> SheetReading:
    """Read a sheet registered exactly at (4, 2) corners."""
    margin = round(_MARGIN_MM * PX_PER_MM)
    flat = _in_its_light(_flat(image, corners, printed.sheet, margin), printed.sheet, margin)
    tracks = {
        name: _read_track(flat, margin, printed.sheet, own) for name, own in printed.tracks.items()
    }
    spots = [
        (id, _read_spot(flat, margin, printed.sheet, own, at))
        for own in printed.spots
        for id, at in own.at.items()
    ]
    sure = {id: token or None for id, token in spots if token is not None}
    return SheetReading(tracks, sure, corners)


def _flat(image: np.ndarray, corners: np.ndarray, sheet: np.ndarray, margin: int = 0) -> np.ndarray:
    """The picture at (4, 2) corners, with `margin` px around it, at the size of a sheet's print."""
    height, width = sheet.shape[:2]
    moved = np.array([[1, 0, margin], [0, 1, margin], [0, 0, 1.0]])
    to_flat = moved @ np.linalg.inv(homography(corners, (width, height)))
    return warp(image, to_flat, (width + 2 * margin, height + 2 * margin))


def _exactly(
    image: np.ndarray, corners: np.ndarray, printed: PrintedSheet
) -> tuple[float, np.ndarray]:
    """The alignment of rough (4, 2) corners after registration, and the exact corners."""
    height, width = printed.sheet.shape[:2]
    to_image = homography(corners, (width, height))
    print_, bare = cv2.cvtColor(printed.sheet, cv2.COLOR_BGR2GRAY), printed.bare

    def seen(at: np.ndarray) -> np.ndarray:
        return cv2.cvtColor(_flat(image, at, printed.sheet), cv2.COLOR_BGR2GRAY)

    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-5)
    begin = seen(corners)
    moved: np.ndarray = np.eye(3, dtype=np.float32)
    found = [(_alignment(begin, print_, bare), corners)]
    for blur in _BLURS:
        with suppress(cv2.error):  # it does not converge
            _, moved = cv2.findTransformECC(
                print_, begin, moved.copy(), cv2.MOTION_HOMOGRAPHY, steps, bare, blur
            )
            laid = transform(to_image @ moved, _ends(printed.sheet))
            found.append((_alignment(seen(laid), print_, bare), laid))
    return max(found, key=lambda one: one[0])


def _alignment(seen: np.ndarray, print_: np.ndarray, bare: np.ndarray) -> float:
    """The alignment of edges of two (H, W) uint8 pictures where they are `bare`, 1 for exact.

    That of the vertical edges in the worst third of the width, or of the horizontal ones of the
    height.
    """
    smooth = [cv2.GaussianBlur(one, (0, 0), 1.5).astype(np.float32) for one in (seen, print_)]
    worst = 1.0
    for axis in (0, 1):
        edges = [np.where(bare, cv2.Sobel(one, -1, 1 - axis, axis), 0) for one in smooth]
        one, other = (np.clip(own, *np.percentile(own, (2, 98))) for own in edges)
        parts = zip(*(np.array_split(own, 3, axis=1 - axis) for own in (one, other)), strict=True)
        for part, known in parts:
            norm = float(np.linalg.norm(part) * np.linalg.norm(known))
            worst = min(worst, float((part * known).sum()) / (norm + 1e-6))
    return worst


def _read_track(
    flat: np.ndarray, margin: int, sheet: np.ndarray, track: PrintedSpots
) -> TrackReading:
    """Read one track of a rectified sheet in its print's light, `margin` px within ``flat``."""
    diameter, ids = track.across, [*track.at]
    middles = np.array([*track.at.values()]) * PX_PER_MM + margin
    half = 0.5 * max(np.linalg.norm(end - start) for start, end in pairwise(middles))
    top = max(0, round(middles[:, 1].min() - 1.3 * diameter))
    strip = flat[top : round(middles[:, 1].max() + 1.3 * diameter)]
    faces = [*track.turned.values()]
    spots = _spots(strip, faces, diameter)
    looks = np.array([[_alike(strip, spot, own) for own in faces] for spot in spots])
    bare = [_bare(sheet, strip, spot, (margin, margin - top), diameter) for spot in spots]
    tokens, squares = [*track.faces], dict[str, int]()
    looks = looks.reshape(len(spots), len(tokens))
    while looks.size and looks.max() >= _FITS:
        spot, token = (int(one) for one in np.unravel_index(int(looks.argmax()), looks.shape))
        best, others = looks[spot, token], np.delete(looks[spot], token)
        looks[spot] = -np.inf
        if best - max(others.max(initial=-np.inf), bare[spot]) < _CLEARLY:
            continue
        looks[:, token] = -np.inf
        away = np.abs(middles[:, 0] - spots[spot][0] - (diameter - 1) / 2)
        nearest = int(away.argmin())
        if away[nearest] < half or nearest == 0:  # those that have not moved are around the start
            squares[tokens[token]] = nearest
    ahead = sorted((token for token in squares if squares[token]), key=lambda one: -squares[one])
    levels = [squares[token] for token in ahead]
    certain = len(squares) == len(tokens) and len(set(levels)) == len(levels)
    return TrackReading({token: ids[square] for token, square in squares.items()}, ahead, certain)


def _read_spot(
    flat: np.ndarray, margin: int, sheet: np.ndarray, spots: PrintedSpots, at: np.ndarray
) -> str | None:
    """The token at a point in mm of a rectified sheet, "" for none; None if unsure."""
    half, off = (spots.across - 1) / 2, round(_OFF_SPOT_MM * PX_PER_MM)
    x, y = (int(one) for one in np.rint(at * PX_PER_MM + margin - half - off))
    side = spots.across + 2 * off
    window, corner = flat[y : y + side, x : x + side], (margin - x, margin - y)
    looks = {
        token: _alike(window, _best_match(window, turned), turned)
        for token, turned in spots.turned.items()
    }
    bare = _bare(sheet, window, (off, off), corner, spots.across)
    first, *others = sorted((*looks.values(), bare), reverse=True)
    least = _CLEARLY_BARE if bare == first else _CLEARLY
    if first < _FITS or (others and first - others[0] < least):
        return None
    return "" if bare == first else max(looks, key=lambda one: looks[one])


def _best_match(window: np.ndarray, turned: np.ndarray) -> tuple[int, int]:
    """The top left corner (x, y) where a window looks most like a face at any angle."""
    fits = np.max(
        [
            cv2.matchTemplate(window, one, cv2.TM_CCOEFF_NORMED)
            for one in turned[:: _TURNS // _SEARCHED_TURNS]
        ],
        axis=0,
    )
    y, x = np.unravel_index(int(fits.argmax()), fits.shape)
    return int(x), int(y)


def _turned(face: np.ndarray) -> np.ndarray:
    """(T, D, D, 3) a face at all angles."""
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
    """The top left corners (x, y) of candidate tokens, at a minimum distance."""
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
    """Similarity of a spot to a face, at most 1, over all angles and small offsets.

    Both colours and marks count: some tokens differ in one, some in the other. A plain face has no
    marks.
    """
    side = face.shape[1]
    ys, xs = np.mgrid[:side, :side] - (side - 1) / 2
    on = np.hypot(xs, ys) < _SEEN * side / 2
    known = face[:, on].astype(np.float32)
    marks, is_plain = _marks(known), known.std(axis=1).max() < _PLAIN
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
            fits = (
                np.maximum(0, 1 - shown.std(axis=0).max() / _MARKED)
                if is_plain
                else marks @ _marks(shown[None])[0]
            )
            best = max(best, float((colours + fits).max()) / 2)
    return best


def _marks(shown: np.ndarray) -> np.ndarray:
    """(T, 3 P) differences of (T, P, 3) discs from their mean colour, with norm 1."""
    even = (shown - shown.mean(axis=1, keepdims=True)).reshape(len(shown), -1)
    return np.asarray(even / (np.linalg.norm(even, axis=1, keepdims=True) + 1e-6))


def _bare(
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
    return _alike(strip, spot, print_there[None])


def _in_its_light(flat: np.ndarray, printed: np.ndarray, margin: int) -> np.ndarray:
    """A rectified sheet, `margin` px within the picture, in the brightness of its print.

    The light may vary across it; outliers, such as tokens, are ignored.
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
        dark = np.array([[0, 0, 0, _DARK * np.sqrt(len(own))]])
        kept = np.ones(len(own), bool)
        for _ in range(4):
            rows, values = np.vstack([terms[kept], dark]), np.append(shown[kept], 0)
            gain = np.linalg.lstsq(rows, values, rcond=None)[0]
            off = np.abs(terms @ gain - shown)
            kept = off <= max(2.5 * float(np.median(off)), 4.0)
        slope = np.maximum(gain[0] + gain[1] * all_x + gain[2] * all_y, 0.1)
        even[..., channel] = (flat[..., channel] - gain[3]) / slope
    return np.clip(even, 0, 255).astype(np.uint8)
