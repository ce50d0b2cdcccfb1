"""Which circle is which space: a known board's geometry and links fitted to the circles found.

A fit begins with two circles taken for two spaces, mirrored or not (a Hough search over
similarities), and is bent towards the circles from there on. The lines between the circles decide
between fits: a board turned by a quarter puts circles in much the same places, but other links.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Ints

MENDED = 6  # of the fits are mended space by space
KEPT = 48  # fits that are bent and compared by their links
SCALES = (0.6, 1.7)  # of the geometry, beside that of the circles' radius
NEAR = 1.5  # radii from where a space is expected to the circle that it may be
FAR = 4.0  # radii, as far off it is looked for by its links
SIGMA = 1.1  # radii, how far a space is put from its place by editions
TOUCHING = 2.35  # radii between two spaces' middles
ASKEW = np.radians(12)
"""How far a board without links may be turned beside its picture's sides; nothing else tells it
from one that is turned or mirrored."""
FAR_APART = 0.35  # of the geometry's extent between the two spaces of a beginning


@dataclass(frozen=True, eq=False)
class Naming:
    """Which circle each space is, (S,) numbers of circles, -1 for none.

    `expected` (S, 2) px is where the fit expects the spaces, `score` how well lines and places
    agree, `mirrored` whether the board is the known one's mirror picture.
    """

    circles: Ints
    expected: Floats
    score: float
    mirrored: bool


@dataclass(frozen=True, eq=False)
class Graph:
    """A board to be found: spaces (S, 2) mm, their radius in mm, and what is drawn between them.

    `linked` (S, S) holds 1 where a line is drawn without gaps, 2 where with them, 0 for none
    and -1 where it makes no difference.
    """

    at: Floats
    radius: float
    linked: Ints

    @property
    def is_linked(self) -> bool:
        """Whether any line is drawn, which tells how the board is turned."""
        return bool((self.linked > 0).any())


def name_circles(
    graph: Graph, circles: Floats, sure: Floats, common: float, solid: Floats, dashed: Floats
) -> list[Naming]:
    """Fits of a graph to circles (N, 2) px, best first, no two alike.

    `sure` (N,) says how surely each is a circle, `common` is their radius in px; `solid` and
    `dashed`, (N, N), how surely lines join them.
    """
    fits = [
        _bent(graph, circles, common, to_px, solid, dashed, sure)
        for to_px in _beginnings(graph, circles, sure, common)
    ]
    fits.sort(key=lambda fit: -fit.score)
    fits = [_mended(graph, fit, circles, common, solid, dashed, sure) for fit in fits[:MENDED]]
    best: dict[tuple[int, ...], Naming] = {}
    for fit in fits:
        key = tuple(fit.circles.tolist())
        if key not in best or fit.score > best[key].score:
            best[key] = fit
    return sorted(best.values(), key=lambda fit: -fit.score)


def _beginnings(graph: Graph, circles: Floats, sure: Floats, common: float) -> list[Floats]:
    """(2, 3) maps from mm to px that put many spaces on circles."""
    extent = np.linalg.norm(graph.at[:, None] - graph.at[None], axis=2)
    middle = int(extent.max(axis=1).argmin())
    far = [i for i in range(len(graph.at)) if extent[middle, i] > FAR_APART * extent.max() / 2]
    pairs = [(middle, i) for i in far]
    pairs += [(i, j) for i in far for j in far if i < j and extent[i, j] > 0.8 * extent.max()]
    proximity, origin = _proximity(circles, common)
    points = graph.at[:, 0] + 1j * graph.at[:, 1]
    seen = circles[:, 0] + 1j * circles[:, 1]
    one, other = (m.ravel() for m in np.meshgrid(np.arange(len(seen)), np.arange(len(seen))))
    scale = common / graph.radius
    maps = []
    for mirrored in (False, True) if graph.is_linked else (False,):
        known = -points.conj() if mirrored else points
        for a, b in pairs:
            turn = (seen[other] - seen[one]) / (known[b] - known[a])
            fits = (np.abs(turn) > SCALES[0] * scale) & (np.abs(turn) < SCALES[1] * scale)
            if not graph.is_linked:
                fits &= _off_square(turn) < ASKEW
            turn, shift = turn[fits], seen[one[fits]] - turn[fits] * known[a]
            put = turn[:, None] * known + shift[:, None]  # (H, S)
            x = np.clip(np.rint(put.real - origin[0]), 0, proximity.shape[1] - 1).astype(int)
            y = np.clip(np.rint(put.imag - origin[1]), 0, proximity.shape[0] - 1).astype(int)
            score = proximity[y, x].sum(axis=1)
            for i in np.argsort(-score)[:6]:
                maps.append((float(score[i]), turn[i], shift[i], mirrored))
    maps.sort(key=lambda found: -found[0])
    kept: list[tuple[complex, complex, bool]] = []
    reach = extent.max() / 2
    for _, turn, shift, mirrored in maps:
        there = turn * (-points[middle].conj() if mirrored else points[middle]) + shift
        alike = (
            mirrored == other[2]
            and abs(turn - other[0]) * reach < common
            and abs(there - other[1]) < common
            for other in kept
        )
        if not any(alike):
            kept.append((turn, there, mirrored))
        if len(kept) == KEPT:
            break
    found = []
    for turn, there, mirrored in kept:
        flip = -1.0 if mirrored else 1.0
        linear = np.array([[turn.real * flip, -turn.imag], [turn.imag * flip, turn.real]])
        shift = np.array([there.real, there.imag]) - linear @ graph.at[middle]
        found.append(np.column_stack([linear, shift]))
    return found


def _off_square(turn: npt.NDArray[np.complex128]) -> Floats:
    """How far turns are from the nearest quarter, in radians."""
    return np.abs((np.angle(turn) + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def _proximity(circles: Floats, common: float) -> tuple[npt.NDArray[np.float32], Floats]:
    """A map, 1 on circles and falling beside them, and the px that its corner lies at."""
    margin = 4 * common
    origin = np.floor(circles.min(axis=0) - margin)
    width, height = np.ceil(circles.max(axis=0) + margin - origin).astype(int)
    free = np.full((height, width), 255, np.uint8)
    for x, y in np.rint(circles - origin).astype(int):
        free[y, x] = 0
    distance = cv2.distanceTransform(free, cv2.DIST_L2, 5)
    return np.exp(-((distance / common) ** 2) / 2).astype(np.float32), origin


def _bent(
    graph: Graph,
    circles: Floats,
    common: float,
    to_px: Floats,
    solid: Floats,
    dashed: Floats,
    sure: Floats,
) -> Naming:
    expected = graph.at @ to_px[:, :2].T + to_px[:, 2]
    chosen = assign(expected, circles, NEAR * common)
    for _ in range(4):
        expected = bend(graph.at, circles, chosen, expected, common)
        chosen = assign(expected, circles, NEAR * common)
    score = _score(graph, expected, circles, chosen, common, solid, dashed, sure)
    mirrored = bool(np.linalg.det(to_px[:, :2]) < 0)
    return Naming(chosen, expected, score, mirrored)


def bend(at: Floats, circles: Floats, chosen: Ints, expected: Floats, common: float) -> Floats:
    """Where an affine map, then a smooth bend, puts the spaces once some are known."""
    known = chosen >= 0
    if known.sum() < 6:
        return expected
    ground = np.column_stack([at, np.ones(len(at))])
    fit = np.linalg.lstsq(ground[known], circles[chosen[known]], rcond=None)[0]
    put: Floats = ground @ fit
    left = circles[chosen[known]] - put[known]
    apart = np.linalg.norm(put[:, None] - put[known][None], axis=2)
    weight = np.exp(-((apart / (4 * common)) ** 2) / 2)
    weight *= apart > 1e-9  # a space says nothing of itself
    smooth = (weight @ left) / (weight.sum(axis=1, keepdims=True) + 0.7)
    bent: Floats = put + smooth
    return bent


def assign(expected: Floats, circles: Floats, reach: float) -> Ints:
    """(S,) the nearest circle of each place, each circle once; -1 where none is in reach."""
    apart = np.linalg.norm(expected[:, None] - circles[None], axis=2)
    chosen = np.full(len(expected), -1)
    taken: set[int] = set()
    for flat in np.argsort(apart, axis=None):
        space, circle = divmod(int(flat), len(circles))
        if apart[space, circle] > reach:
            break
        if chosen[space] < 0 and circle not in taken:
            chosen[space] = circle
            taken.add(circle)
    return chosen


def _score(
    graph: Graph,
    expected: Floats,
    circles: Floats,
    chosen: Ints,
    common: float,
    solid: Floats,
    dashed: Floats,
    sure: Floats,
) -> float:
    """How well places and lines agree: more is better."""
    known = np.flatnonzero(chosen >= 0)
    near = np.linalg.norm(expected[known] - circles[chosen[known]], axis=1) / (SIGMA * common)
    # An edition may move a space far; it does not move many.
    places = float((3 * sure[chosen[known]] - np.log1p(near**2)).sum())
    pair = np.ix_(chosen[known], chosen[known])
    wanted = graph.linked[np.ix_(known, known)]
    there = circles[chosen[known]]
    apart = np.linalg.norm(there[:, None] - there[None], axis=2)
    wanted = np.where(apart < TOUCHING * common, -1, wanted)  # no room for a line to be seen
    line, dash = solid[pair], dashed[pair]
    agree = np.select(
        [wanted == 1, wanted == 2, wanted == 0],
        [2 * line - 0.8, 2 * np.maximum(dash, 0.5 * line) - 0.8, -1.2 * np.maximum(line, dash)],
        0.0,
    )
    return places + float(np.triu(agree, 1).sum())


def _mended(
    graph: Graph,
    fit: Naming,
    circles: Floats,
    common: float,
    solid: Floats,
    dashed: Floats,
    sure: Floats,
) -> Naming:
    """The fit with spaces moved or swapped as long as that agrees better."""
    expected, chosen, best = fit.expected, fit.circles, fit.score

    def score(tried: Ints) -> float:
        return _score(graph, expected, circles, tried, common, solid, dashed, sure)

    apart = np.linalg.norm(expected[:, None] - circles[None], axis=2)
    for _ in range(3):
        before = best
        for space in range(len(chosen)):
            for circle in np.flatnonzero(apart[space] < FAR * common):
                if circle == chosen[space]:
                    continue
                tried = chosen.copy()
                tried[tried == circle] = chosen[space]
                tried[space] = circle
                now = score(tried)
                if now > best + 1e-9:
                    best, chosen = now, tried
        if best == before:
            break
    return replace(fit, circles=chosen, score=best)
