"""Find rings around a board's centre between its spaces, each a circle of its own.

The spaces of a ring are near it, not on it; so its radius is estimated from the whole ring, and the
ink of clear arcs helps to find those that glare or a similar ground makes faint.
"""

import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.proposal.ink import Ink
from calibration.proposal.lines import Lines, arcs, straight
from scorer.topology import Link

HALF_SURE = 0.5
SURE = 0.8  # of an arc from which the ink is estimated
OFF = 0.4  # radii of a space that a ring's own radius may differ from its spaces' mean
STEP_PX = 3.0  # between the radii that are tried; a line may run a little beside its way


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
