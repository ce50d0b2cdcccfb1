"""Tokens on a printed sheet: the token on each spot, and the progress along each track.

The sheet is found by its print's features, as boards are; a token is where the sheet looks most
like its face at any angle. A token missing from a track may be beneath another one: then the track
is uncertain.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import cv2
import numpy as np

from vision.card_corners import TableMetric, from_above
from vision.card_features import Seen
from vision.features import Features, extract, with_detail
from vision.parallel import parallel_map
from vision.rectify import homography, shrunk, transform, warp
from vision.search import MOST_SEEN, BoardSearch
from vision.token_faces import best_match, print_similarity, similarity
from vision.token_tracks import (
    CLEARLY,
    FITS,
    PX_PER_MM,
    PrintedSpots,
    TrackReading,
    read_track,
)

_LEAST_SHOWN = 0.4
"""Share of a sheet's area that detail in one piece has to cover, for the sheet to be searched."""
_MARGIN_MM = 50.0
"""Margin of the sheet in which its tokens are searched."""
_CLEARLY_BARE = 0.2
"""Margin by which a spot must look bare; a pale token on white paper nearly does."""
_OFF_SPOT_MM = 3.0
"""Largest distance of a token from its spot."""
SEARCHED_PX, _FROM_ABOVE_PX = (1200, 2000), (1400, 2000)
"""Longer sides of the photograph in which sheets are searched, and of the views from above of a
table on which lengths are known, in place of the second: most are found in the first, for a third
of the last one's cost, and nearly all others in the next."""
_BLURS = (31, 15, 5)
"""Blur widths in px, for registering a sheet with its print."""
_LIES_EXACTLY, _ABOUT = 0.4, 0.7
"""Least alignment of its lines with those of the print, and diameters around tokens that are
left out."""
_DARK = 0.2
"""Weight of the prior that black is seen as black, by ink: a white sheet has none to show it."""
_PLAIN_PX, _ONE_INK, _INK = 5, 24, 32
"""Side in px of what shows an ink, its range of each channel, of 255, and the width of a class of
inks in each."""
_RARE, _FEW = -0.25, 20
"""Exponent of the number of px of an ink in the weight of each, and the least number."""


@dataclass(frozen=True, eq=False)
class PrintedPoints:
    """Places for 0 points, 1 and so on, with markers by their players' colours.

    The `backs`, none if their looks are unknown, count a whole round more.
    """

    fronts: PrintedSpots
    backs: PrintedSpots | None


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """One version of the print: (H, W, 3) uint8 BGR, `PX_PER_MM` px per mm.

    Along each of the `tracks` there is one token of each face; its first place is the start. Each
    of the `spots` may be empty; few places of `points` are not.
    """

    sheet: np.ndarray
    tracks: Mapping[str, PrintedSpots] = field(default_factory=dict)
    spots: Sequence[PrintedSpots] = ()
    points: Mapping[str, PrintedPoints] = field(default_factory=dict)

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

    @cached_property
    def plain(self) -> tuple[np.ndarray, np.ndarray]:
        """(N, 2) px x, y in the middle of a few bare px of one ink, and (N,) the inks' numbers."""
        around = np.ones((_PLAIN_PX, _PLAIN_PX))
        spread = cv2.subtract(cv2.dilate(self.sheet, around), cv2.erode(self.sheet, around))
        ys, xs = np.nonzero((spread < _ONE_INK).all(axis=2) & (self.bare > 0))
        return np.stack([xs, ys], axis=1), self.sheet[ys, xs].astype(int) // _INK @ (256, 16, 1)


@dataclass(frozen=True)
class SheetReading:
    """A sheet's tracks, the tokens on its spots, None for an empty one; (4, 2) corners in px.

    Uncertain spots are left out, and so are markers on `points`, by colour, that are uncertain.
    """

    tracks: Mapping[str, TrackReading]
    spots: Mapping[str, str | None]
    corners: np.ndarray
    points: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class TokenSheetReader:
    """Reads a sheet that is printed in one of several versions."""

    def __init__(self, prints: Sequence[PrintedSheet]) -> None:
        """``prints`` are the versions, such as with much ink and with little."""
        self._prints = prints

    @cached_property
    def _searches(self) -> Sequence[BoardSearch]:
        sheets = [own.sheet for own in self._prints]
        return [BoardSearch(one, 1.0, (one.shape[1], one.shape[0])) for one in sheets]

    def prepare(self) -> None:
        """Extract the prints' features, for which a first photograph would wait."""
        _ = self._searches

    def find(
        self,
        image: np.ndarray,
        taken: Sequence[np.ndarray] = (),
        table: TableMetric | None = None,
        seen: Seen | None = None,
        players: Collection[str] = (),
        most_mm2: float = np.inf,
    ) -> SheetReading | None:
        """The sheet in an (H, W, 3) uint8 picture, outside the areas `taken`, (4, 2) px each.

        If lengths on the `table` are known, a sheet seen from low down is found, too. Features that
        are `seen` outside these areas already are searched first. Points are read of markers of the
        `players`, given by their colours. Nothing in detail is larger than `most_mm2`.
        """
        shown = [one.sheet.shape[0] * one.sheet.shape[1] for one in self._prints]
        if most_mm2 * PX_PER_MM**2 < _LEAST_SHOWN * min(shown, default=0):
            return None
        known = [(seen.features, seen.to_image)] if seen else []
        views = (
            (_features_of(view, to_image, taken), to_image)
            for view, to_image in _views(image, table)
        )
        looks = (self._laid(image, *each) for each in chain(known, views))
        laid = next(filter(None, looks), None)
        if laid is None:
            return None
        _fit, corners, printed = max(laid, key=lambda one: one[0])
        return _read(image, corners, printed, players)

    def _laid(
        self,
        image: np.ndarray,
        seen: Features,
        to_image: np.ndarray,
    ) -> list[tuple[float, np.ndarray, PrintedSheet]]:
        """The alignment and exact places of sheets by features that are `seen`, by its print.

        `to_image` is (3, 3), from the px of the features to those of the image.
        """
        laid = [
            (*_exactly(image, transform(to_image @ found, _ends(printed.sheet)), printed), printed)
            for printed, search in zip(self._prints, self._searches, strict=True)
            for found in search.find(seen)
        ]
        return [one for one in laid if one[0] > _LIES_EXACTLY]


def _views(image: np.ndarray, table: TableMetric | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pictures in which a sheet is searched, each with (3, 3) from its px to those of the image."""
    first, *others = SEARCHED_PX
    yield shrunk(image, first)
    if table is None:
        yield from (shrunk(image, side) for side in others)
        return
    for side in _FROM_ABOVE_PX:
        to_view, size = from_above(table, _ends(image), side)
        yield warp(image, to_view, size), np.linalg.inv(to_view)


def _features_of(view: np.ndarray, to_image: np.ndarray, taken: Sequence[np.ndarray]) -> Features:
    """The features of a view, outside the areas `taken` in the image."""
    to_view = np.linalg.inv(to_image)
    outside = with_detail(view, [transform(to_view, corners) for corners in taken])
    return extract(view, MOST_SEEN, outside)


def _ends(sheet: np.ndarray) -> np.ndarray:
    """(4, 2) px of a picture's corners."""
    height, width = sheet.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def _read(
    image: np.ndarray, corners: np.ndarray, printed: PrintedSheet, players: Collection[str]
) -> SheetReading:
    """Read a sheet registered exactly at (4, 2) corners."""
    margin = round(_MARGIN_MM * PX_PER_MM)
    flat = _in_its_light(_flat(image, corners, printed.sheet, margin), printed, margin)
    read = parallel_map(
        lambda own: read_track(flat, margin, printed.sheet, own), printed.tracks.values()
    )
    tracks = dict(zip(printed.tracks, read, strict=True))
    spots = [
        (id, _read_spot(flat, margin, printed.sheet, own, at))
        for own in printed.spots
        for id, at in own.at.items()
    ]
    sure = {id: token or None for id, token in spots if token is not None}
    points = {
        name: _read_points(flat, margin, printed.sheet, own, players)
        for name, own in printed.points.items()
    }
    return SheetReading(tracks, sure, corners, points)


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


def _read_spot(
    flat: np.ndarray, margin: int, sheet: np.ndarray, spots: PrintedSpots, at: np.ndarray
) -> str | None:
    """The token at a point in mm of a rectified sheet, "" for none; None if unsure."""
    half, off = (spots.across - 1) / 2, round(_OFF_SPOT_MM * PX_PER_MM)
    x, y = (int(one) for one in np.rint(at * PX_PER_MM + margin - half - off))
    side = spots.across + 2 * off
    window, corner = flat[y : y + side, x : x + side], (margin - x, margin - y)
    looks = {
        token: similarity(window, best_match(window, turned), turned)
        for token, turned in spots.turned.items()
    }
    bare = print_similarity(sheet, window, (off, off), corner, spots.across)
    first, *others = sorted((*looks.values(), bare), reverse=True)
    least = _CLEARLY_BARE if bare == first else CLEARLY
    if first < FITS or (others and first - others[0] < least):
        return None
    return "" if bare == first else max(looks, key=lambda one: looks[one])


def _read_points(
    flat: np.ndarray,
    margin: int,
    sheet: np.ndarray,
    points: PrintedPoints,
    players: Collection[str],
) -> Mapping[str, int]:
    """The points of those players whose marker is certainly seen, once."""
    sides = [points.fronts, *([points.backs] if points.backs else [])]
    worth = {
        f"{colour} {side}": (colour, side * len(own.at), own.faces[colour])
        for side, own in enumerate(sides)
        for colour in players
    }
    marked = replace(points.fronts, faces={id: face for id, (_, _, face) in worth.items()})
    found: dict[str, list[int]] = {}
    for place, at in enumerate(marked.at.values()):
        if token := _read_spot(flat, margin, sheet, marked, at):
            colour, round_, _face = worth[token]
            found.setdefault(colour, []).append(place + round_)
    return {colour: only for colour, (only, *more) in found.items() if not more}


def _in_its_light(flat: np.ndarray, printed: PrintedSheet, margin: int) -> np.ndarray:
    """A rectified sheet, `margin` px within the picture, in the brightness of its print.

    The light may vary across it. Rare inks of the print weigh more than their area, so that the
    little that is bright on a dark sheet counts; outliers, such as tokens, are ignored.
    """
    height, width = printed.sheet.shape[:2]
    at, inks = printed.plain
    seen = flat[margin + at[:, 1], margin + at[:, 0]].astype(float)
    known = printed.sheet[at[:, 1], at[:, 0]].astype(float)
    x, y = at[:, 0] / width - 0.5, at[:, 1] / height - 0.5
    all_y, all_x = np.mgrid[: flat.shape[0], : flat.shape[1]]
    all_x, all_y = (all_x - margin) / width - 0.5, (all_y - margin) / height - 0.5
    even = np.empty(flat.shape, np.float32)
    of_ink = [inks == ink for ink in np.unique(inks)]
    weights = np.zeros(len(at))
    for ink in of_ink:
        weights[ink] = max(ink.sum(), _FEW) ** _RARE
    for channel in range(3):
        own, shown = known[:, channel], seen[:, channel]
        terms = np.stack([own, own * x, own * y, np.ones_like(own)], axis=1)
        dark = np.array([[0, 0, 0, _DARK * np.sqrt(len(of_ink))]])
        kept = np.ones(len(own), bool)
        for _ in range(4):
            weight = weights[kept, None]
            rows = np.vstack([terms[kept] * weight, dark])
            gain = np.linalg.lstsq(rows, np.append(shown[kept] * weight[:, 0], 0), rcond=None)[0]
            off = np.abs(terms @ gain - shown)
            for ink in of_ink:
                kept[ink] = off[ink] <= max(2.5 * float(np.median(off[ink])), 4.0)
        slope = np.maximum(gain[0] + gain[1] * all_x + gain[2] * all_y, 0.1)
        even[..., channel] = (flat[..., channel] - gain[3]) / slope
    return np.clip(even, 0, 255).astype(np.uint8)
