"""Find a known board's links between its spaces, and lines that it does not have."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Ints
from calibration.proposal.circles import PLAIN, Circles
from calibration.proposal.ink import LEAST_PX, Ink
from calibration.proposal.lines import Lines, arcs, straight
from calibration.proposal.standard import StandardBoard
from scorer.topology import Link

FARTHEST = 12.0  # radii that a line between two circles may be long
HALF_SURE = 0.5
SURE = 0.8  # of a line or an arc from which the ink is estimated
INKED, NO_INK = 0.5, 0.4  # similarity to the links' ink; largest certainty of a line in another ink
LEAST_UNKNOWN = 15.0  # px; ornaments of two rims may meet in a shorter way
UNBROKEN = 0.95  # how surely and how wholly a line that is not known must be seen
LIKE_INK = 0.8  # least similarity to the links' ink
LEAST_GAP = 3.0  # px between two rims; nearer ones meet, which is no line
LEAST_INKED = 5.0  # px that suffice to recognise the links' ink
TOUCHING = 0.35  # radii between two rims where a link has no room to be seen
OFF = 0.4  # radii of a space that a ring's own radius may differ from its spaces' mean
STEP_PX = 3.0  # between the radii that are tried; a line may run a little beside its way


@dataclass(frozen=True, eq=False)
class FoundLinks:
    """How surely each link of the known board is drawn.

    `touching` are those for which there is no room to be seen, `unknown` pairs of spaces that a
    line joins which the known board has not.
    """

    sure: Mapping[Link, float]
    touching: tuple[Link, ...]
    unknown: tuple[tuple[str, str], ...]

    @property
    def taken(self) -> tuple[Link, ...]:
        """The links that are not visible and could not be: taken from the known board."""
        return tuple(link for link in self.touching if self.sure[link] < HALF_SURE)


def find_links(
    standard: StandardBoard, lines: Lines, circles: Circles, at: Floats, rims: Floats
) -> FoundLinks:
    """Look for lines between the spaces, (S, 2) px, of about the circles' size.

    `rims` (S,) px is how far from its middle the outermost rim of each is.
    """
    common = circles.common
    number = {name: i for i, name in enumerate(standard.spaces)}
    ends = {
        kind: tuple(
            np.array([number[end] for end in side])
            for side in zip(*((link.a, link.b) for link in links), strict=True)
        )
        for kind, links in standard.links.items()
    }
    ways = {kind: straight(at[a], at[b], common) for kind, (a, b) in ends.items()}
    # A short way between thick rims is mostly rim, a shorter one between the rims of halos nothing.
    outer = {kind: straight(at[a], at[b], rims[a], rims[b]) for kind, (a, b) in ends.items()}
    plain = [
        ways[kind][lines.along(ways[kind]).solid > SURE]
        for kind in standard.links
        if kind not in standard.rings | standard.dashed
    ]
    ink = Ink.of(lines, np.concatenate(plain), common) if plain else None
    sure: dict[Link, float] = {}
    for kind, links in standard.links.items():
        a, b = ends[kind]
        if kind in standard.rings:
            seen = find_rings(lines, at[a], at[b], links, common)
        else:
            look = _dashed if kind in standard.dashed else _solid
            seen = look(lines, ways[kind], ink)
            # Of a way that is all but nothing little is known but that it is lit evenly.
            room = np.linalg.norm(np.diff(outer[kind], axis=1), axis=2).sum(axis=1) > LEAST_PX
            seen = np.where(room, np.maximum(seen, look(lines, outer[kind], ink)), seen)
        sure |= dict(zip(links, seen.tolist(), strict=True))
    return FoundLinks(
        sure,
        _touching(standard, at, rims, common),
        _unknown(standard, lines, circles, at, rims, ink),
    )


def open_ways(circles: Circles, i: Ints, j: Ints) -> npt.NDArray[np.bool_]:
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


def _solid(lines: Lines, ways: Floats, ink: Ink | None) -> Floats:
    """(N,) how surely ways are lined without gaps, in the ink of the others."""
    lined = lines.along(ways).solid
    if ink is None:
        return lined
    inking = ink.along(ways)
    another = inking.likeness < INKED
    solid = np.maximum(inking.solid, np.where(another, np.minimum(lined, NO_INK), lined))
    solid = np.where(inking.wavy > SURE, np.minimum(solid, NO_INK), solid)
    return np.where(inking.judged, solid, lined)


def _dashed(lines: Lines, ways: Floats, ink: Ink | None) -> Floats:
    """(N,) how surely ways are lined with dashes, which may have an ink of their own."""
    lining = lines.along(ways)
    dashed = lining.dashed
    if (dashed >= HALF_SURE).mean() >= 0.5:
        dashed = lining.dashed_like_others
    if ink is None:
        return dashed
    inking = ink.along(ways)
    return np.where(inking.judged, np.maximum(inking.dashed, dashed), dashed)


def _touching(standard: StandardBoard, at: Floats, rims: Floats, common: float) -> tuple[Link, ...]:
    """The links between spaces whose rims are so near each other that no line would show."""
    number = {name: i for i, name in enumerate(standard.spaces)}
    found = []
    for links in standard.links.values():
        for link in links:
            a, b = number[link.a], number[link.b]
            gap = np.linalg.norm(at[a] - at[b]) - rims[a] - rims[b]
            if gap < TOUCHING * common:
                found.append(link)
    return tuple(found)


def _unknown(
    standard: StandardBoard,
    lines: Lines,
    circles: Circles,
    at: Floats,
    rims: Floats,
    ink: Ink | None,
) -> tuple[tuple[str, str], ...]:
    """The pairs of spaces, not linked on the known board, that a line joins as plain as links."""
    linked = standard.graph.linked
    i, j = np.triu_indices(len(at), 1)
    spaces = replace(circles, at=at, covered=np.ones(len(at)))
    near = open_ways(spaces, i, j) & (linked[i, j] >= 0)
    near &= np.linalg.norm(at[i] - at[j], axis=1) > rims[i] + rims[j] + LEAST_GAP
    i, j = i[near], j[near]
    ways = straight(at[i], at[j], circles.common)
    lining = lines.along(ways)
    usual = lining.contrast[(linked[i, j] == 1) & (lining.solid >= HALF_SURE)]
    if not len(usual):
        return ()
    plain = (lining.solid_share > UNBROKEN) & (lining.contrast > 0.5 * np.median(usual))
    plain &= (lining.solid > UNBROKEN) & (lining.length > LEAST_UNKNOWN)
    if ink is not None:
        inking = ink.along(ways)
        inked = (inking.likeness > LIKE_INK) & (inking.share > UNBROKEN)
        short = (lining.length <= LEAST_UNKNOWN) & (lining.length > LEAST_INKED)
        plain = inked & (plain | (short & (lining.solid > HALF_SURE)))
    plain &= linked[i, j] == 0
    return tuple(
        (standard.spaces[a], standard.spaces[b]) for a, b in zip(i[plain], j[plain], strict=True)
    )


def find_rings(
    lines: Lines, a: Floats, b: Floats, links: tuple[Link, ...], common: float
) -> Floats:
    """(N,) how surely spaces (N, 2) and (N, 2) px of about one radius are joined by rings."""
    rings = _rings(links)
    hub = _hub(a, b, rings)
    mean = np.zeros(len(links))
    for ring in rings:
        ends = np.concatenate([a[ring], b[ring]])
        mean[ring] = np.linalg.norm(ends - hub, axis=1).mean()
    drawn = [straight(a, b, common), arcs(a, b, hub, common)]
    reach = OFF * common
    for off in np.arange(-reach, reach + STEP_PX, STEP_PX):
        drawn.append(arcs(a, b, hub, common, mean + off))
    ways = np.stack(drawn)  # (manners, N, SAMPLES, 2)
    seen = np.stack([_seen(lines, one) for one in drawn])
    # A ring is drawn in one manner: the one in which most of it is seen.
    manner = np.zeros(len(links), int)
    for ring in rings:
        manner[ring] = seen[:, ring].sum(axis=1).argmax()
    each = np.arange(len(links))
    way, sure = ways[manner, each], seen[manner, each]
    ink = Ink.of(lines, way[sure > SURE], common)
    if ink is not None:
        inking = ink.along(way)
        inked = np.maximum(inking.solid, inking.dashed)
        sure = np.where(inking.judged, np.maximum(sure, inked), sure)
    return _closed(sure, links)


def _seen(lines: Lines, ways: Floats) -> Floats:
    """(N,) how surely ways are lined; less will do for dashes where most are dashed."""
    lining = lines.along(ways)
    dashed = lining.dashed
    if (dashed >= HALF_SURE).mean() >= 0.5:
        dashed = lining.dashed_like_others
    return np.maximum(lining.solid, dashed)


def _closed(sure: Floats, links: tuple[Link, ...]) -> Floats:
    """A ring is closed: spaces that other links of it are seen to reach are linked by it, too."""
    on_ring: set[str] = set()
    for link, seen in zip(links, sure, strict=True):
        on_ring |= link.ends if seen >= HALF_SURE else set()
    follows = np.array([link.ends <= on_ring for link in links])
    return np.where(follows, np.maximum(sure, HALF_SURE), sure)


def _rings(links: tuple[Link, ...]) -> list[npt.NDArray[np.int_]]:
    """The numbers of the links of each ring."""
    rings: list[set[str]] = []
    for link in links:
        touched = [ring for ring in rings if ring & link.ends]
        rings = [ring for ring in rings if not ring & link.ends]
        rings.append(set(link.ends).union(*touched))
    return [np.array([i for i, link in enumerate(links) if link.a in ring]) for ring in rings]


def _hub(a: Floats, b: Floats, rings: list[npt.NDArray[np.int_]]) -> Floats:
    """(2,) the middle that the links' ends lie round, each ring with a radius of its own."""
    of = np.zeros(len(a), int)
    for number, ring in enumerate(rings):
        of[ring] = number
    # |p|^2 = 2 p.h + (r^2 - |h|^2), a constant of each ring.
    rows = np.concatenate([np.column_stack([2 * p, np.eye(len(rings))[of]]) for p in (a, b)])
    square = np.concatenate([(p**2).sum(axis=1) for p in (a, b)])
    hub: Floats = np.linalg.lstsq(rows, square, rcond=None)[0][:2]
    return hub
