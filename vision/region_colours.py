"""Region colours: the nearest piece colour of each pixel, even where it is dark.

A camera's curve is steep between the print's own levels, so that anything darker than all of them
is black in the print's light. There the curve is estimated from the print as a power law, so that a
black piece is not a shadow, and the side of a coloured one has its hue.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np

from calibration.colour_profile import BRIGHTNESS, Swatch, as_colour, log_opponents
from vision.board_print import RectifiedBoard

_DARK = 24.0
"""Levels added before hues are computed: dark pixels are noisy."""
_LIGHT = 2.0
"""Factor by which brightness counts less than hue: black, white and grey have no hue."""
_STEPS = 120
"""Number of pixels across the board used to estimate the curve."""
_FAINT = 4.0
"""Levels added to the print's for that."""
_DIM, _MORE = 30.0, 60.0
"""Level in the print's light up to which the curve alone gives a colour, and the range of levels
over which it fades out."""
_BLACKEST, _FAINTEST = 0.005, 0.02
"""Shares of px that are darker than a board's darkest level, and than its print's."""
_PURE, _BRIGHT, _RIM = 0.1, 120, 5
"""Share of the largest channel below which the least one may be cut off, so that red and orange
coincide; the level from which pixels determine by how much, and the width in px of rims that do
not."""
_LUMINANCE, _LIGHTEST = np.array([0.114, 0.587, 0.299]), 170
"""Weights of BGR levels in luminance, and the luminance from which a colour is nearly as light
as white."""
_HUED, _PALE = 48, 0.33
"""Least range of levels of a colour with a hue, and the share of white in a pale print of it or in
a glossy top: neither is white, nor another light colour."""
_NEIGHBOURS = 1.1
"""Largest angle between two hues that light and shade may make alike."""
_SAMPLED = 3
"""Step in px, both ways, for estimating the level of the darkest colour."""
_DARKER = 0.1
"""By how much `perceived` brightness a shadow is darker than the board at least."""
_SHADE = math.log(1.4) / _LIGHT
"""How much darker than the board a soft shadow is, in `perceived` brightness."""
_DEEP = 64
"""Level up to which a colour is that of deep shadows."""
_THICK = 0.9
"""Least width of the area of a top, in radii of the smallest piece."""
_MIRRORS, _AROUND = (0.55, 1.4), 0.55
"""How much of the largest piece's top mirrors a lamp, at least and at most, and the least share of
one colour around it."""
_GLARE = 0.03, 0.75
"""How much of a piece's top, at least and at most, is glare."""
_INNER = 0.9
"""Largest area, in discs, of glare and its rim: a piece beside others is larger."""
_MOSTLY = 0.4
"""Least radius of an area of a colour that shows it, in radii of a piece."""
_ROUNDS, _SPREAD, _STRAY, _MISJUDGED = 6, 0.2, 1e-4, 0.02
"""Rounds in which the colours of a board's pieces are estimated, their spread in `coordinates`, and
the least likelihoods of any colour and of any kind."""
_GROUP, _GAP = 3, 0.15
"""Fewest pieces of each of two colours that a board shows alike, and the least distance between
those that differ least, in `coordinates`."""
_UNLIT, _LIT, _DARKEST = 14.0, 0.8, 0.5
"""A pixel is unlit, a shadow or a side, if it is below this level and below a share of a
quantile of the darkest colour's levels. The order is level, quantile, share."""


@dataclass(frozen=True, eq=False)
class PieceViews:
    """N pieces of a board in C `colours`, #rrggbb, one of which each is nearest to.

    ``at`` (N, 2) int are px of the canvas, ``shown`` (N, 3) BGR levels in the print's light,
    ``nearest`` (N,) int indices of `colours`, and ``chances`` (N, C) those by other evidence.
    """

    colours: Sequence[str]
    at: np.ndarray
    shown: np.ndarray
    nearest: np.ndarray
    chances: np.ndarray

    def joined(self, other: "PieceViews", where: np.ndarray) -> "PieceViews":
        """These and those of ``other``, of the same colours, that are ``where``, (M,) bool."""
        return PieceViews(
            self.colours,
            np.concatenate([self.at, other.at[where]]),
            np.concatenate([self.shown, other.shown[where]]),
            np.concatenate([self.nearest, other.nearest[where]]),
            np.concatenate([self.chances, other.chances[where]]),
        )


class LastViews:
    """The latest view of each of a table's pieces, kept while a hand covers it.

    It counts among the board's colours until its place is visible again.
    """

    def __init__(self) -> None:
        self._views: PieceViews | None = None

    def with_covered(self, views: PieceViews, visible: np.ndarray) -> PieceViews:
        """New views, and the latest of pieces that are not ``visible``, (S, S) bool."""
        last = self._views
        if last is not None and last.colours == views.colours:
            x, y = last.at.T
            views = views.joined(last, ~visible[y, x])
        self._views = views
        return views


def perceived(picture: np.ndarray, brightness: float = BRIGHTNESS) -> np.ndarray:
    """(H, W, 3) log opponents of an (H, W, 3) BGR picture, brightness weighing less than hues."""
    flat = log_opponents(picture.reshape(-1, 3)) * np.array([1, 1, 1 / brightness])
    return np.asarray(flat.reshape(picture.shape), np.float32)


def coordinates(colours: np.ndarray) -> np.ndarray:
    """(N, 3) `perceived` colours of (N, 3) BGR levels, with less noise and less brightness."""
    return np.asarray(perceived(colours[None].astype(np.float32) + _DARK, _LIGHT)[0])


def nearest_colours(
    picture: np.ndarray,
    colours: Sequence[str],
    looked_for: Collection[str],
    where: np.ndarray | None = None,
) -> np.ndarray:
    """(H, W) int: the index into `colours` (#rrggbb) of the nearest one to each pixel.

    ``picture`` is BGR, from `open_shadows`. Only colours in `looked_for` are candidates. Unlit
    pixels, and those outside ``where`` (H, W) bool if it is given, have ``len(colours)``.
    """
    own = np.array([[Swatch("", colour).bgr for colour in colours]], np.float32)
    candidates = [number for number, colour in enumerate(colours) if colour in looked_for]
    sample = picture[::_SAMPLED, ::_SAMPLED].reshape(-1, 3)
    darkest = sample[
        _nearest(sample, own, candidates) == min(candidates, key=lambda one: own[0, one].sum())
    ]
    lit = float(np.quantile(darkest.max(axis=1), _LIT)) if len(darkest) else np.inf
    where = np.ones(picture.shape[:2], bool) if where is None else where
    numbers, seen = np.full(where.shape, len(colours)), picture[where]
    unlit = seen.max(axis=1) < min(_UNLIT, _DARKEST * lit)
    numbers[where] = np.where(unlit, len(colours), _nearest(seen, own, candidates))
    return numbers


def shadows(
    numbers: np.ndarray, picture: np.ndarray, print_: np.ndarray, colours: Sequence[str]
) -> np.ndarray:
    """(H, W) bool: where a shadow lies on the board that `nearest_colours` takes for a colour.

    That is what is darker than the empty board, ``print_`` (H, W, 3) BGR, and nearer to its hue
    than to the colour's. Of colours without a hue, such as black, it is also nearer to a soft
    shadow's brightness.
    """
    own = np.array([Swatch("", colour).bgr for colour in colours], np.float32)
    found = numbers < len(colours)
    seen, printed, known = (
        coordinates(one) for one in (picture[found], print_[found], own[numbers[found]])
    )
    to_print, to_own = (np.linalg.norm((seen - one)[:, :2], axis=1) for one in (printed, known))
    even = np.where(
        np.ptp(own, axis=1)[numbers[found]] > _HUED,
        -np.inf,
        (known[:, 2] + printed[:, 2] - _SHADE) / 2,
    )
    darker = (seen[:, 2] > even) & (seen[:, 2] < printed[:, 2] - _DARKER)
    found[found] = darker & (to_print < to_own)
    return np.asarray(found)


def fill_glare(mask: np.ndarray, grey: np.ndarray, radius: float) -> np.ndarray:
    """An (H, W) uint8 mask of a colour with the holes in it that are lighter than their rims.

    A glossy top has no hue where a lamp is mirrored in it. Holes as large as a piece, of that
    radius in px, are another piece; ``grey`` (H, W) is the board.
    """
    disc, brush = math.pi * radius**2, np.ones((3, 3), np.uint8)
    filled = mask.copy()
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, brush)
    number, labels, boxes, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    for label in range(1, number):
        x, y, width, height, area = boxes[label].tolist()
        if not _GLARE[0] * disc < area < _GLARE[1] * disc:
            continue
        box = np.s_[max(0, y - 2) : y + height + 2, max(0, x - 2) : x + width + 2]
        hole = (labels[box] == label).astype(np.uint8)
        rim = (cv2.dilate(hole, brush, iterations=2) > 0) & (mask[box] > 0)
        if rim.any() and grey[box][hole > 0].mean() > grey[box][rim].mean():
            filled[box] |= hole
    return filled


def fill_tops(masks: Sequence[np.ndarray], grey: np.ndarray, radius: float) -> list[np.ndarray]:
    """(H, W) uint8 masks of each colour, by `fill_glare`; rims of glare have the colour of the top.

    Between a lamp's reflection and the colour of a top, such as orange, is a rim of a lighter one,
    such as yellow. What is mostly glare, and smaller than a piece, has the colour around it.
    """
    filled = [fill_glare(one, grey, radius) for one in masks]
    for number, (mask, own) in enumerate(zip(masks, filled, strict=True)):
        glare = own & ~mask
        if not glare.any():
            continue
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(own)
        lit = np.bincount(labels[glare > 0], minlength=count)
        for label in range(1, count):
            x, y, width, height, area = boxes[label].tolist()
            if 2 * lit[label] < area or area > _INNER * math.pi * radius**2:
                continue
            box = np.s_[max(0, y - 1) : y + height + 1, max(0, x - 1) : x + width + 1]
            top = (labels[box] == label).astype(np.uint8)
            rim = cv2.dilate(top, np.ones((3, 3), np.uint8)) & ~top
            around = [int((one[box] & rim).sum()) for one in masks]
            best = int(np.argmax(around))
            if best != number and around[best] > _AROUND * rim.sum():
                filled[best][box] |= top
                own[box] &= ~top
    return filled


def area_middles(mask: np.ndarray, radius: float) -> np.ndarray:
    """(N, 2) int px, the middles of areas of an (H, W) bool mask as wide as most of a piece."""
    deep = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    around = np.ones((2 * round(radius) + 1,) * 2, np.uint8)
    peaks = (deep > _MOSTLY * radius) & (deep >= cv2.dilate(deep, around))
    _, _, _, found = cv2.connectedComponentsWithStats(peaks.astype(np.uint8))
    return np.round(found[1:]).astype(int)


def colours_as_seen(views: PieceViews) -> list[str]:
    """The colours of ``views``, #rrggbb, as a board shows them if its light makes two alike.

    In warm light red looks orange, so that pieces of two colours are nearest to one of them, in two
    groups. The chances by other evidence decide which group has which colour; they do not change
    that of a single group.
    """
    colours, shown, nearest, chances = views.colours, views.shown, views.nearest, views.chances
    bgr = np.array([Swatch("", colour).bgr for colour in colours], float)
    seen, known, weights = coordinates(shown), coordinates(bgr), chances
    for _ in range(_ROUNDS):
        means = (weights.T @ seen + known) / (weights.sum(axis=0)[:, None] + 1)
        away = np.linalg.norm(seen[:, None] - means, axis=2)
        likely = (np.exp(-((away / _SPREAD) ** 2) / 2) + _STRAY) * (chances + _MISJUDGED)
        weights = likely / likely.sum(axis=1, keepdims=True)
    as_seen, kind = [*colours], away.argmin(axis=1)
    for one, other in permutations(np.flatnonzero(np.ptp(bgr, axis=1) > _HUED).tolist(), 2):
        near = nearest == one
        votes = np.log(chances[:, other] + _MISJUDGED) - np.log(chances[:, one] + _MISJUDGED)
        same, apart = (near & (kind == each) for each in (one, other))
        if min(same.sum(), apart.sum()) < _GROUP:
            continue
        ways = seen @ (means[other] - means[one]) / np.linalg.norm(means[other] - means[one])
        gap = ways[apart].min() - ways[same].max()
        if gap > _GAP and votes[same].mean() < 0 < votes[apart].mean():
            for each in (one, other):
                as_seen[each] = as_colour(np.median(shown[kind == each], axis=0))
    return as_seen


def _angles(colours: np.ndarray) -> np.ndarray:
    """(N,) hues of (N, 3) BGR colours, as angles."""
    red, green = coordinates(colours)[:, :2].T
    return np.asarray(np.arctan2(green, red))


def parts_of(colours: Sequence[str]) -> np.ndarray:
    """(C, C) bool: whether each colour (row), #rrggbb, may be that of a part of another's piece.

    The sides of a piece have a neighbouring hue, and those of a white one any. Black and white may
    be parts of any piece: its shadows and its glare.
    """
    own = np.array([Swatch("", colour).bgr for colour in colours], np.float32)
    hued, light, hues = np.ptp(own, axis=1) > _HUED, own @ _LUMINANCE, _angles(own)
    apart = (hues[:, None] - hues + np.pi) % (2 * np.pi) - np.pi
    alike = (np.abs(apart) < _NEIGHBOURS) | ~hued[:, None]
    return np.asarray(np.where(hued, alike, ~hued[:, None] | (light[:, None] < light)))


def is_like_shadow(colour: str) -> bool:
    """Whether deep shadows look like a colour, #rrggbb."""
    return bool(np.max(Swatch("", colour).bgr) < _DEEP)


def light_tops(
    numbers: np.ndarray, darkest: int, unlit: np.ndarray, shaded: np.ndarray, radius: float
) -> None:
    """Set unlit areas of ``numbers`` to the ``darkest`` unless a lit top of it touches them.

    In a dim or blurred picture tops of black pieces are darker than their shadows. ``numbers``,
    (H, W) int by `nearest_colours`, are changed in place. ``unlit`` and ``shaded``, the shadows on
    the board, are (H, W) bool; ``radius`` is that of the smallest pieces, in px.
    """
    brush = np.ones((round(_THICK * radius),) * 2, np.uint8)
    dark, lit = unlit.astype(np.uint8), ((numbers == darkest) & ~shaded).astype(np.uint8)
    _, parts = cv2.connectedComponents(dark | lit)
    thick, tops = (cv2.morphologyEx(one, cv2.MORPH_OPEN, brush) > 0 for one in (dark, lit))
    without = np.setdiff1d(parts[thick], parts[tops])
    numbers[unlit & np.isin(parts, without)] = darkest


def fill_mirrors(
    numbers: np.ndarray,
    colours: Sequence[str],
    looked_for: Collection[str],
    shaded: np.ndarray,
    radius: float,
) -> None:
    """Set light areas of ``numbers`` to the colour around them, if that is ``looked_for``.

    A glossy top that mirrors a lamp or a window is white within its edges; a white piece may be
    among ``shaded``, (H, W) bool, the shadows on the board. ``numbers``, (H, W) int by
    `nearest_colours`, are changed in place; ``radius`` is that of the pieces, in px.
    """
    own = [number for number, colour in enumerate(colours) if colour in looked_for]
    disc, brush = math.pi * radius**2, np.ones((3, 3), np.uint8)
    for number in own:
        bgr = Swatch("", colours[number]).bgr
        if bgr @ _LUMINANCE < _LIGHTEST or np.ptp(bgr) > _HUED:
            continue
        white = (numbers == number).astype(np.uint8)
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(white, connectivity=4)
        for label in range(1, count):
            x, y, width, height, area = boxes[label].tolist()
            if not _MIRRORS[0] * disc < area < _MIRRORS[1] * disc:
                continue
            box = np.s_[max(0, y - 2) : y + height + 2, max(0, x - 2) : x + width + 2]
            top = labels[box] == label
            rim = (cv2.dilate(top.astype(np.uint8), brush, iterations=2) > 0) & ~top
            edges = rim & ~shaded[box]
            around = np.bincount(numbers[box][edges], minlength=len(colours) + 1)
            best = max(own, key=lambda one: around[one])
            if best != number and around[best] > _AROUND * rim.sum():
                numbers[box][top] = best


def _nearest(pixels: np.ndarray, own: np.ndarray, candidates: Sequence[int]) -> np.ndarray:
    """(N,) int: the candidate in ``own`` (1, C, 3) BGR that is nearest to each pixel (N, 3)."""
    seen, known = coordinates(pixels), coordinates(own[0])
    away = np.full((own.shape[1], len(seen)), np.inf, np.float32)
    for number in candidates:
        away[number] = np.linalg.norm(seen - known[number], axis=1)
    hued = [number for number in candidates if np.ptp(own[0, number]) > _HUED]
    light = [number for number in candidates if own[0, number] @ _LUMINANCE > _LIGHTEST]
    nearest = np.argmin(away, axis=0)
    is_light, like_light = pixels @ _LUMINANCE > _LIGHTEST, np.isin(nearest, light)
    is_light |= np.isin(nearest, np.setdiff1d(light, hued))
    for number in hued:
        pale = coordinates(own[0, [number]] + _PALE * (255 - own[0, [number]]))
        may_be = is_light if number in light else like_light
        to_pale = np.linalg.norm(seen[may_be] - pale, axis=1)
        away[number, may_be] = np.minimum(away[number, may_be], to_pale)
    return np.asarray(np.argmin(away, axis=0))


def open_shadows(
    board: RectifiedBoard, print_: np.ndarray, bare: np.ndarray, covered: np.ndarray
) -> np.ndarray:
    """(S, S, 3) uint8, a board in the print's light, its dark parts by the camera's curve.

    ``print_`` (S, S, 3) uint8 is the empty board, ``bare`` (S, S) bool where it is visible and
    ``covered`` where it is not.
    """
    side = len(bare)
    step = max(1, side // _STEPS)
    ys, xs = np.nonzero(bare[::step, ::step])
    field = _smooth(xs * step / side, ys * step / side)
    if len(field) < 2 * field.shape[1]:
        return board.normalized
    everywhere = np.mgrid[:side:step, :side:step].reshape(2, -1) / side
    seen, known = (
        cv2.GaussianBlur(one, (0, 0), 2)[::step, ::step][ys, xs].astype(float)
        for one in (board.raw, print_)
    )
    channels = []
    for c in range(3):
        curve = np.log(seen[:, [c]] + 1)
        terms = np.hstack([curve, field])
        power, *light = np.linalg.lstsq(terms, np.log(known[:, c] + _FAINT), rcond=None)[0]
        lit = _smooth(*everywhere[::-1]) @ light
        lit = lit.reshape(len(range(0, side, step)), -1).astype(np.float32)
        gain = cv2.resize(np.exp(lit), (side, side))
        levels = (np.arange(256, dtype=np.float32) + 1) ** np.float32(power)
        channels.append(levels[board.raw[..., c]] * gain - _FAINT)
    opened = np.clip(np.stack(channels, axis=2), 0, 255)
    most = board.normalized.max(axis=2, keepdims=True).astype(np.float32)
    share = np.clip((most - _DIM) / _MORE, 0, 1)
    lit = _with_all_channels(board, covered, most)
    if board.light is not None and board.light.is_burnt_out(board.raw[bare | covered]):
        return _towards_black(board, print_, bare, covered, lit).astype(np.uint8)
    return np.asarray((share * lit + (1 - share) * opened).astype(np.uint8))


def _with_all_channels(board: RectifiedBoard, covered: np.ndarray, most: np.ndarray) -> np.ndarray:
    """(S, S, 3) uint8, a board in the print's light, less of its veil removed from pure colours.

    ``most`` (S, S, 1) is the largest channel of each pixel.
    """
    if board.light is None:
        return board.normalized
    bright = (covered & (most[..., 0] > _BRIGHT)).astype(np.uint8)
    inner = cv2.erode(bright, np.ones((_RIM, _RIM), np.uint8)) > 0
    removed = board.light.removable(cv2.GaussianBlur(board.raw, (0, 0), 1), inner)
    pure = board.normalized.min(axis=2, keepdims=True) < _PURE * most
    return np.where(pure, board.light.normalize(board.raw, removed=removed), board.normalized)


def _towards_black(
    board: RectifiedBoard,
    print_: np.ndarray,
    bare: np.ndarray,
    covered: np.ndarray,
    lit: np.ndarray,
) -> np.ndarray:
    """(S, S, 3) ``lit`` with levels darker than the print interpolated towards the darkest.

    A print that is almost burnt out has no contrast: its light says nothing of darker pieces.
    """
    assert board.light is not None
    darkest = np.quantile(board.raw[bare | covered], _BLACKEST, axis=0)
    least = np.quantile(print_[bare], _FAINTEST, axis=0)
    channels = []
    for c, (gain, veil) in enumerate(board.light.fields(lit.shape[:2])):
        raw, dark = board.raw[..., c], np.minimum(veil, darkest[c])
        seen = gain * least[c] + veil
        level = least[c] * np.clip((raw - dark) / np.maximum(seen - dark, 1), 0, 1)
        channels.append(np.where(raw < seen, level, lit[..., c]))
    return np.stack(channels, axis=2)


def _smooth(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(N, 6) terms of a smooth field at N points, from 0 to 1."""
    x, y = x - 0.5, y - 0.5
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
