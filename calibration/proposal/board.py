"""One outline looked into: the circles, names, lines and track of the board that it may hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout
from calibration.profile import PX_PER_MM, Profile
from calibration.proposal.circles import (
    COVERED,
    FAINT_PX,
    PLAIN,
    Circles,
    Edges,
    find_circles,
    fit_circles,
)
from calibration.proposal.lines import Lines, arcs, straight
from calibration.proposal.naming import Graph, Naming, name_circles
from calibration.proposal.tracks import Track, find_track
from scorer.topology import Link

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int_]

SIDE_PX = 960  # the board's longer side, as it is looked at
OUT_OF_ROUND = 0.006  # circles less round than that say that the aspect was mistaken
FARTHEST = 12.0  # radii that a line between two circles may be long
HALF_SURE = 0.5
PLAINER, DOUBT, DOUBTED = 0.1, 3.0, 0.3  # so much more, within so many radii; how sure then
LEAST_UNKNOWN = 15.0  # px; ornaments of two rims may meet in a shorter way
UNBROKEN = 0.95  # how surely and how wholly a line that is not known must be seen
TOUCHING = 0.35  # radii between two rims where a link has no room to be seen
FAINT = 0.35  # of its way round that must be seen of a circle where one is expected
CLEARLY = 5.0  # by which margin a naming needs no other to be tried
DIFFERENT = 3  # spaces that two namings must name otherwise to be two
CONVINCING = 0.85  # of the spaces found, and the naming clear


@dataclass(frozen=True, eq=False)
class StandardBoard:
    """The board of a game that is known: its layout, as a graph and as the course of its tracks."""

    layout: Layout
    spaces: tuple[str, ...]
    graph: Graph
    dashed: frozenset[str]
    rings: frozenset[str]
    """Kinds of links that are drawn with gaps; kinds that close to rings round the board."""

    @classmethod
    def of(cls, profile: Profile) -> StandardBoard:
        """The known board of a profile, whose picture tells which links are drawn with gaps."""
        layout = profile.layout
        spaces = tuple(layout.spaces)
        number = {name: i for i, name in enumerate(spaces)}
        kinds = {link.kind for link in layout.board.links}
        rings = frozenset(kind for kind in kinds if _closes(layout.board.links_of(kind)))
        at = np.array([shape.at for shape in layout.spaces.values()], float)
        radius = float(np.median([shape.radius for shape in layout.spaces.values()]))
        lines = Lines(profile.require_reference())
        dashed = frozenset(
            kind
            for kind in kinds - rings
            if _has_gaps(lines, layout.board.links_of(kind), number, at * PX_PER_MM, radius)
        )
        linked = np.zeros((len(spaces), len(spaces)), int)
        for link in layout.board.links:
            how = -1 if link.kind in rings else 2 if link.kind in dashed else 1
            a, b = number[link.a], number[link.b]
            linked[a, b] = linked[b, a] = how
        return cls(layout, spaces, Graph(at, radius, linked), dashed, rings)

    @property
    def courses(self) -> dict[str, Floats]:
        """Each track's slots, (S, 2) mm, by its id."""
        return {
            name: np.array([slot.at for slot in slots], float)
            for name, slots in self.layout.tracks.items()
        }


def _closes(links: tuple[Link, ...]) -> bool:
    """Whether every space of the links has two of them."""
    return set(Counter(end for link in links for end in (link.a, link.b)).values()) == {2}


def _has_gaps(
    lines: Lines, links: tuple[Link, ...], number: Mapping[str, int], at: Floats, radius: float
) -> bool:
    """Whether most of the links are rather dashes than lines; places (S, 2) in px."""
    a, b = (
        [number[end] for end in ends] for ends in zip(*((x.a, x.b) for x in links), strict=True)
    )
    lining = lines.along(straight(at[a], at[b], radius * PX_PER_MM))
    return bool(np.median(lining.dashed - lining.solid) > 0)


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """What an outline holds, in px of a picture of it `size` (width, height) px large.

    `to_photo` (3, 3) leads from there to the photograph. `at` (S, 2) and `seen` (S,) are the
    spaces, `touching` the links for which there is no room to be seen, `unknown` pairs of
    spaces that a line joins which the known board has not, `margin` is by how much the
    naming is better than any other.
    """

    size: tuple[int, int]
    to_photo: Floats
    at: Floats
    seen: Floats
    radius: float
    tracks: Mapping[str, Track | None]
    links: Mapping[Link, float]
    touching: tuple[Link, ...]
    unknown: tuple[tuple[str, str], ...]
    score: float
    margin: float
    mirrored: bool
    picture: Image

    @property
    def convincing(self) -> bool:
        """Whether there is hardly another board to be found elsewhere."""
        return bool((self.seen > 0).mean() >= CONVINCING and self.margin > 2)


def read_board(photo: Image, corners: Floats, aspect: float, standard: StandardBoard) -> FoundBoard:
    """Look for the known board's spaces, links and tracks inside of an outline, (4, 2) px."""
    for _ in range(3):
        size, to_photo, picture = _rectified(photo, corners, aspect)
        edges = Edges(picture)
        likeliest = next(find_circles(edges))
        if abs(likeliest.stretch) < OUT_OF_ROUND:
            break
        aspect /= 1 + float(np.clip(likeliest.stretch, -0.3, 0.3))
    lines = Lines(picture)
    circles, naming, margin = _best_named(standard.graph, find_circles(edges), lines)
    at, seen = _completed(edges, circles, naming)
    tracks = {
        name: _track(picture, edges, circles, course, at)
        for name, course in standard.courses.items()
    }
    return FoundBoard(
        size=size,
        to_photo=to_photo,
        at=at,
        seen=seen,
        radius=_space_radius(circles, naming),
        tracks=tracks,
        links=_links(standard, lines, at, circles.common),
        touching=_touching(standard, at, circles.common),
        unknown=_unknown(standard, lines, circles, at),
        score=naming.score,
        margin=margin,
        mirrored=naming.mirrored,
        picture=picture,
    )


def _track(
    picture: Image, edges: Edges, circles: Circles, course: Floats, spaces: Floats
) -> Track | None:
    """A track, looked for among faint shapes too where it is not plain."""
    common = circles.common
    track = find_track(edges, course, circles.at, spaces, common)
    if track is not None and track.seen.min() > FAINT:
        return track
    faint = Edges(picture, FAINT_PX)
    shapes = np.concatenate([circles.at, *(more.at for more in find_circles(faint))])
    other = find_track(faint, course, shapes, spaces, common)
    if track is None or (other is not None and other.seen.sum() > track.seen.sum()):
        return other
    return track


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
    graph: Graph, sizes: Iterable[Circles], lines: Lines
) -> tuple[Circles, Naming, float]:
    """Of circles of one size and another those that are named best, their naming and margin."""
    best: tuple[Circles, Naming, float] | None = None
    for circles in sizes:
        naming, margin = _named(graph, circles, lines)
        if best is None or naming.score > best[1].score:
            best = circles, naming, margin
        if margin > CLEARLY and (naming.circles >= 0).all():
            break
    assert best is not None  # some radius is the likeliest
    return best


def _named(graph: Graph, circles: Circles, lines: Lines) -> tuple[Naming, float]:
    """The best naming, and by how much it is better than the next."""
    count = len(circles.at)
    nothing = Naming(np.full(len(graph.at), -1), _scattered(graph, circles), -np.inf, False)
    if count < 8:
        return nothing, 0.0
    i, j = np.triu_indices(count, 1)
    open_ = _open(circles, i, j)
    i, j = i[open_], j[open_]
    lining = lines.along(straight(circles.at[i], circles.at[j], circles.common))
    solid, dashed = np.zeros((2, count, count))
    solid[i, j] = solid[j, i] = lining.solid
    dashed[i, j] = dashed[j, i] = lining.dashed
    sure = np.clip((circles.covered - COVERED) / (0.8 - COVERED), 0, 1)
    fits = name_circles(graph, circles.at, sure, circles.common, solid, dashed)
    if not fits:
        return nothing, 0.0
    best = fits[0]
    others = (fit.score for fit in fits[1:] if (fit.circles != best.circles).sum() >= DIFFERENT)
    return best, best.score - max(others, default=best.score - 10)


def _open(circles: Circles, i: Ints, j: Ints) -> npt.NDArray[np.bool_]:
    """Whether the ways between the circles i and j are short, and lead through no other circle."""
    start, along = circles.at[i], circles.at[j] - circles.at[i]
    length = np.linalg.norm(along, axis=1)
    near: npt.NDArray[np.bool_] = length < FARTHEST * circles.common
    for other in np.flatnonzero(circles.covered > PLAIN):
        off = circles.at[other] - start
        part = np.clip((off * along).sum(axis=1) / np.maximum(length**2, 1e-9), 0, 1)
        apart = np.linalg.norm(off - part[:, None] * along, axis=1)
        near &= (apart > circles.common) | (i == other) | (j == other)
    return near


def _scattered(graph: Graph, circles: Circles) -> Floats:
    """Where spaces are put where nothing was found: as the known board has them."""
    scale = circles.common / graph.radius
    put: Floats = graph.at * scale
    return put


def _completed(edges: Edges, circles: Circles, naming: Naming) -> tuple[Floats, Floats]:
    """(S, 2) px and (S,) how surely each space is seen: faint ones are looked for again."""
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
    sure = np.clip((seen - 0.15) / 0.55, 0, 1)
    # A plainer circle beside a space, that is no space itself, may be the one that is meant.
    free = np.setdiff1d(np.arange(len(circles.at)), naming.circles)
    apart = np.linalg.norm(at[:, None] - circles.at[free], axis=2)
    plainer = circles.covered[free] > seen[:, None] + PLAINER
    doubted = ((apart < DOUBT * circles.common) & plainer).any(axis=1)
    return at, np.where(doubted, np.minimum(sure, DOUBTED), sure)


def _space_radius(circles: Circles, naming: Naming) -> float:
    known = naming.circles[naming.circles >= 0]
    return float(np.median(circles.radius[known])) if len(known) else circles.common


def _links(standard: StandardBoard, lines: Lines, at: Floats, common: float) -> dict[Link, float]:
    """How surely each link of the known board is drawn."""
    number = {name: i for i, name in enumerate(standard.spaces)}
    found: dict[Link, float] = {}
    for kind in sorted({link.kind for link in standard.layout.board.links}):
        links = standard.layout.board.links_of(kind)
        a = at[[number[link.a] for link in links]]
        b = at[[number[link.b] for link in links]]
        ways = [straight(a, b, common)]
        if kind in standard.rings:
            ways.append(arcs(a, b, _hub(a, b, links), common))
        linings = [lines.along(way) for way in ways]
        solid = np.max([lining.solid for lining in linings], axis=0)
        dashed = np.max([lining.dashed for lining in linings], axis=0)
        if (dashed >= HALF_SURE).mean() >= 0.5:
            dashed = np.max([lining.dashed_like_others for lining in linings], axis=0)
        if kind in standard.rings:  # editions draw them either way
            sure = _closed(np.maximum(solid, dashed), links)
        else:
            sure = dashed if kind in standard.dashed else solid
        found |= dict(zip(links, sure.tolist(), strict=True))
    return found


def _closed(sure: Floats, links: tuple[Link, ...]) -> Floats:
    """A ring is closed: spaces that other links of it are seen to reach are linked by it, too."""
    on_ring: set[str] = set()
    for link, seen in zip(links, sure, strict=True):
        on_ring |= link.ends if seen >= HALF_SURE else set()
    follows = np.array([link.ends <= on_ring for link in links])
    return np.where(follows, np.maximum(sure, HALF_SURE), sure)


def _touching(standard: StandardBoard, at: Floats, common: float) -> tuple[Link, ...]:
    """The links between spaces so near each other that no line would show."""
    where = dict(zip(standard.spaces, at, strict=True))
    return tuple(
        link
        for link in standard.layout.board.links
        if np.linalg.norm(where[link.a] - where[link.b]) < (2 + TOUCHING) * common
    )


def _unknown(
    standard: StandardBoard, lines: Lines, circles: Circles, at: Floats
) -> tuple[tuple[str, str], ...]:
    """The pairs of spaces, not linked on the known board, that a line joins as plain as links."""
    linked = standard.graph.linked
    i, j = np.triu_indices(len(at), 1)
    spaces = replace(circles, at=at, covered=np.ones(len(at)))
    lining = lines.along(straight(at[i], at[j], circles.common))
    usual = lining.contrast[(linked[i, j] == 1) & (lining.solid >= HALF_SURE)]
    if not len(usual):
        return ()
    plain = (lining.solid_share > UNBROKEN) & (lining.contrast > 0.5 * np.median(usual))
    plain &= (lining.solid > UNBROKEN) & (lining.length > LEAST_UNKNOWN)
    plain &= (linked[i, j] == 0) & _open(spaces, i, j)
    return tuple(
        (standard.spaces[a], standard.spaces[b]) for a, b in zip(i[plain], j[plain], strict=True)
    )


def _hub(a: Floats, b: Floats, links: tuple[Link, ...]) -> Floats:
    """(2,) the middle that the links' ends lie round, each ring with a radius of its own."""
    rings: list[set[str]] = []
    for link in links:
        touched = [ring for ring in rings if ring & link.ends]
        rings = [ring for ring in rings if not ring & link.ends]
        rings.append(set(link.ends).union(*touched))
    of = [next(i for i, ring in enumerate(rings) if link.a in ring) for link in links]
    # |p|^2 = 2 p.h + (r^2 - |h|^2), a constant of each ring.
    rows = np.concatenate([np.column_stack([2 * p, np.eye(len(rings))[of]]) for p in (a, b)])
    square = np.concatenate([(p**2).sum(axis=1) for p in (a, b)])
    hub: Floats = np.linalg.lstsq(rows, square, rcond=None)[0][:2]
    return hub
