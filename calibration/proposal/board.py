"""One outline looked into: the circles, names, lines and track of the board that it may hold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image
from calibration.edges import aspect_of
from calibration.proposal.circles import (
    COVERED,
    FAINT_PX,
    PLAIN,
    Circles,
    Edges,
    coverage,
    find_circles,
    fit_circles,
)
from calibration.proposal.lines import Lines, straight
from calibration.proposal.links import HALF_SURE, FoundLinks, find_links, open_ways
from calibration.proposal.marks import SpaceLooks
from calibration.proposal.naming import Graph, Naming, name_circles
from calibration.proposal.standard import StandardBoard
from calibration.proposal.tracks import Track, find_track

SIDE_PX = 960  # the board's longer side, as it is looked at
OUT_OF_ROUND = 0.006  # circles less round than that say that the aspect was mistaken
LIKE_KNOWN = 0.04  # the same of an aspect that was told
FAINT = 0.35  # of its way round that must be seen of a circle where one is expected
CLEARLY = 5.0  # by which margin a naming needs no other to be tried
DIFFERENT = 3  # spaces that two namings must name otherwise to be two
WIDEST_RIM = 1.6  # radii from a space's middle to the outside of its rim, or of a halo
DISPLACED = 60.0  # the score that a displacement by a whole board costs
CONVINCING = 0.85  # of the spaces found, and the naming clear
Bools = npt.NDArray[np.bool_]
PLAINER, BESIDE = 0.1, 3.0  # so much more is seen of a rival, within so many radii
DOUBTED = 0.3  # how sure a space is at most that has a rival
CROSSING = np.sin(np.radians(20))  # of the angle between two links that meet in a point


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """What an outline holds, in px of a picture of it `size` (width, height) px large.

    `to_photo` (3, 3) leads from there to the photograph. `at` (S, 2) and `seen` (S,) are the
    spaces, `margin` is by how much the naming is better than any other. `marks_seen` and
    `groups_seen` say whether just those spaces stand out, and are alike, that do on the known
    board.
    """

    size: tuple[int, int]
    to_photo: Floats
    at: Floats
    seen: Floats
    radius: float
    tracks: Mapping[str, Track | None]
    links: FoundLinks
    score: float
    margin: float
    mirrored: bool
    picture: Image
    marks_seen: bool
    groups_seen: bool

    @property
    def is_unambiguous(self) -> bool:
        """Whether there is hardly another board to be found elsewhere."""
        return bool((self.seen > 0).mean() >= CONVINCING and self.margin > 2)


def read_board(
    photo: Image, corners: Floats, standard: StandardBoard, aspects: tuple[float, ...] = ()
) -> FoundBoard:
    """Look for the known board's spaces, links and tracks inside of an outline, (4, 2) px.

    Of `aspects` (width to height) the likeliest is the outline's; where there is none, or its
    circles are anything but round, they tell it.
    """
    aspect = aspect_of(corners, photo.shape)
    if aspects:
        aspect = min(aspects, key=lambda known: abs(np.log(known / aspect)))
    size, to_photo, picture = _rectified(photo, corners, aspect)
    edges = Edges(picture)
    sizes = find_circles(edges)
    likeliest = next(sizes)
    for _ in range(2):
        if abs(likeliest.stretch) < (LIKE_KNOWN if aspects else OUT_OF_ROUND):
            break
        rounder = aspect / (1 + float(np.clip(likeliest.stretch, -0.3, 0.3)))
        tried = _rectified(photo, corners, rounder)
        now = Edges(tried[2])
        others = find_circles(now)
        first = next(others)
        if abs(first.stretch) >= abs(likeliest.stretch):
            break
        aspect, edges, (size, to_photo, picture) = rounder, now, tried
        sizes, likeliest = others, first
    lines = Lines(picture)
    circles, naming, margin = _best_named(standard, chain([likeliest], sizes), lines, size)
    at, seen = _completed(edges, circles, naming)
    tracks = {
        name: _track(picture, edges, circles, course, at, name in standard.beside)
        for name, course in standard.courses.items()
    }
    looks = SpaceLooks(picture, at, _space_radius(circles, naming))
    links = find_links(standard, lines, circles, at, outermost_rims(edges, at, circles.common))
    return FoundBoard(
        size=size,
        to_photo=to_photo,
        at=at,
        seen=confirmed(standard, lines, circles, naming.circles, at, seen, links),
        radius=_space_radius(circles, naming),
        tracks=tracks,
        links=links,
        score=naming.score,
        margin=margin,
        mirrored=naming.mirrored,
        picture=picture,
        marks_seen=looks.stand_out(standard.marked),
        groups_seen=looks.alike_in(standard.groups),
    )


def _track(
    picture: Image, edges: Edges, circles: Circles, course: Floats, spaces: Floats, beside: bool
) -> Track | None:
    """A track, looked for among faint shapes too: its end may be fainter than its beginning."""
    common = circles.common
    track = find_track(edges, course, circles.at, spaces, common, beside)
    faint = Edges(picture, FAINT_PX)
    shapes = np.concatenate([circles.at, *(more.at for more in find_circles(faint))])
    other = find_track(faint, course, shapes, spaces, common, beside)
    if track is None or (other is not None and _seen_of(other) > _seen_of(track)):
        return other
    return track


def _seen_of(track: Track) -> float:
    """How much is seen of a track, beyond what chance makes of any row."""
    return float((track.seen - FAINT).sum())


def _rectified(
    photo: Image, corners: Floats, aspect: float
) -> tuple[tuple[int, int], Floats, Image]:
    """The board as from straight above: its size in px, the way back, the picture."""
    scale = SIDE_PX / max(aspect, 1.0)
    size = (round(scale * aspect), round(scale))
    low, right, bottom = -0.5, size[0] - 0.5, size[1] - 0.5
    edges = np.array([[low, low], [right, low], [right, bottom], [low, bottom]], np.float32)
    to_photo = cv2.getPerspectiveTransform(edges, np.asarray(corners, np.float32))
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    picture = cv2.warpPerspective(photo, to_photo, size, flags=flags)
    return size, np.asarray(to_photo, float), np.asarray(picture, np.uint8)


def _best_named(
    standard: StandardBoard, sizes: Iterable[Circles], lines: Lines, size: tuple[int, int]
) -> tuple[Circles, Naming, float]:
    """Of circles of one size and another those that are named best, their naming and margin."""
    best: tuple[Circles, Naming, float] | None = None
    for circles in sizes:
        naming, margin = _named(standard, circles, lines, size)
        if best is None or naming.score > best[1].score:
            best = circles, naming, margin
        if margin > CLEARLY and (naming.circles >= 0).all():
            break
    assert best is not None  # some radius is the likeliest
    return best


def _named(
    standard: StandardBoard, circles: Circles, lines: Lines, size: tuple[int, int]
) -> tuple[Naming, float]:
    """The best naming, and by how much it is better than the next."""
    count, graph = len(circles.at), standard.graph
    nothing = Naming(np.full(len(graph.at), -1), _scattered(graph, circles), -np.inf, False)
    if count < 8:
        return nothing, 0.0
    i, j = np.triu_indices(count, 1)
    open_ = open_ways(circles, i, j)
    i, j = i[open_], j[open_]
    lining = lines.along(straight(circles.at[i], circles.at[j], circles.common))
    solid, dashed = np.zeros((2, count, count))
    solid[i, j] = solid[j, i] = lining.solid
    dashed[i, j] = dashed[j, i] = lining.dashed
    sure = np.clip((circles.covered - COVERED) / (0.8 - COVERED), 0, 1)
    fits = name_circles(graph, circles.at, sure, circles.common, solid, dashed)
    if not fits:
        return nothing, 0.0
    if not graph.is_linked:  # rows look alike from both ends, but for where they lie
        fits = [
            replace(fit, score=fit.score - DISPLACED * _displacement(standard, fit, size))
            for fit in fits
        ]
        fits.sort(key=lambda fit: -fit.score)
    best = fits[0]
    others = (fit.score for fit in fits[1:] if (fit.circles != best.circles).sum() >= DIFFERENT)
    return best, best.score - max(others, default=best.score - 10)


def _displacement(standard: StandardBoard, fit: Naming, size: tuple[int, int]) -> float:
    """How far a naming puts the spaces from where the known board has them, in shares of it."""
    known = standard.graph.at / standard.layout.size_mm
    seen, on = fit.expected, np.array(size, float)
    off = []
    for _ in range(4):
        off.append(float(np.linalg.norm(seen / on - known, axis=1).mean()))
        seen, on = np.stack([seen[:, 1], on[0] - seen[:, 0]], axis=1), on[::-1]
    return min(off)


def _scattered(graph: Graph, circles: Circles) -> Floats:
    """Where spaces are put where nothing was found: as the known board has them."""
    scale = circles.common / graph.radius
    put: Floats = graph.at * scale
    return put


def _completed(edges: Edges, circles: Circles, naming: Naming) -> tuple[Floats, Floats]:
    """(S, 2) px, and (S,) how much of each is seen: faint ones are looked for again."""
    at, seen = naming.expected.copy(), np.zeros(len(naming.expected))
    for space, circle in enumerate(naming.circles):
        if circle >= 0:
            at[space] = circles.at[circle]
            seen[space] = circles.covered[circle]
    step = circles.common * 0.3
    shifts = np.array([[x, y] for x in range(-3, 4) for y in range(-3, 4)]) * step
    for space in np.flatnonzero(naming.circles < 0).tolist():
        found = fit_circles(edges, naming.expected[space] + shifts, circles.common)
        apart = np.linalg.norm(found.at[:, None] - np.delete(at, space, axis=0), axis=2)
        free = (apart > 1.6 * circles.common).all(axis=1)
        near = np.linalg.norm(found.at - naming.expected[space], axis=1) < 1.5 * circles.common
        covered = np.where(free & near, found.covered, 0)
        best = int(covered.argmax())
        if covered[best] > FAINT:
            at[space], seen[space] = found.at[best], covered[best]
    return at, seen


def outermost_rims(edges: Edges, at: Floats, common: float) -> Floats:
    """(S,) px from each space's middle (S, 2) to its outermost rim; a thick one has two."""
    radii = np.arange(common, WIDEST_RIM * common, 1.0)
    plain = coverage(edges, at, radii) > PLAIN
    plain[:, 0] = True
    return np.asarray(radii[len(radii) - 1 - plain[:, ::-1].argmax(axis=1)], float)


def _space_radius(circles: Circles, naming: Naming) -> float:
    known = naming.circles[naming.circles >= 0]
    return float(np.median(circles.radius[known])) if len(known) else circles.common


def confirmed(
    standard: StandardBoard,
    lines: Lines,
    circles: Circles,
    named: npt.NDArray[np.int_],
    at: Floats,
    seen: Floats,
    links: FoundLinks,
) -> Floats:
    """(S,) how sure the spaces at (S, 2) px are, of whose way round (S,) the share is seen.

    `named` (S,) are the numbers of the circles that they are, -1 for none.
    """
    sure = np.asarray(np.clip((seen - 0.15) / 0.55, 0, 1), float)
    apart = np.linalg.norm(at[:, None] - circles.at, axis=2)
    free = ~np.isin(np.arange(len(circles.at)), named)
    for space, name in enumerate(standard.spaces):
        ends, gaps = _reached_from(standard, links, name, at)
        away = ends - at[space]
        away /= np.linalg.norm(away, axis=1, keepdims=True) + 1e-9
        rivals = free & (apart[space] < BESIDE * circles.common)
        rivals &= circles.covered > seen[space] + PLAINER
        if rivals.any() and not (
            _crossing(away) and not _reached_as_well(lines, circles, rivals, ends, gaps)
        ):
            sure[space] = min(sure[space], DOUBTED)
        elif _all_round(away):
            sure[space] = max(sure[space], HALF_SURE)
    return sure


def _reached_from(
    standard: StandardBoard, links: FoundLinks, name: str, at: Floats
) -> tuple[Floats, Bools]:
    """(N, 2) px, the other ends of a space's links, and (N,) which of those are drawn with gaps.

    None where one of the links is not seen.
    """
    number = {space: i for i, space in enumerate(standard.spaces)}
    own = [
        link
        for kind, drawn in standard.links.items()
        for link in drawn
        if kind not in standard.rings and name in link.ends and link not in links.touching
    ]
    if any(links.sure[link] < HALF_SURE for link in own):
        own = []
    ends = at[[number[link.a if link.b == name else link.b] for link in own]].reshape(-1, 2)
    return ends, np.array([link.kind in standard.dashed for link in own], bool)


def _crossing(away: Floats) -> bool:
    """Whether two of the directions (N, 2) meet in a point."""
    cross = away[:, None, 0] * away[None, :, 1] - away[:, None, 1] * away[None, :, 0]
    return bool((np.abs(cross) > CROSSING).any())


def _all_round(away: Floats) -> bool:
    """Whether the directions (N, 2) lead to all sides."""
    angles = np.sort(np.arctan2(away[:, 1], away[:, 0]))
    gaps = np.diff(angles, append=angles[:1] + 2 * np.pi)
    return len(angles) > 2 and bool(gaps.max() < np.pi)


def _reached_as_well(
    lines: Lines, circles: Circles, rivals: Bools, ends: Floats, gaps: Bools
) -> bool:
    """Whether lines, with `gaps` (N,) or without, lead from all the (N, 2) ends to a rival, too."""
    for rival in circles.at[rivals]:
        lining = lines.along(straight(np.broadcast_to(rival, ends.shape), ends, circles.common))
        if (np.where(gaps, lining.dashed, lining.solid) >= HALF_SURE).all():
            return True
    return False
