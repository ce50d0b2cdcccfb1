"""Whether circles are the spaces that they are taken for; links that run up to them decide it.

A plainer circle beside a space may be the one that is meant, and a space that glare hides lies
where its links meet.
"""

import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.proposal.circles import Circles
from calibration.proposal.lines import Lines, straight
from calibration.proposal.links import HALF_SURE, FoundLinks
from calibration.proposal.standard import StandardBoard

Bools = npt.NDArray[np.bool_]

PLAINER, BESIDE = 0.1, 3.0  # so much more is seen of a rival, within so many radii
DOUBTED = 0.3  # how sure a space is at most that has a rival
CROSSING = np.sin(np.radians(20))  # of the angle between two links that meet in a point


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
