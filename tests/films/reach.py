"""The path of a hand in a film: from its seat to each place in turn, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.films.script import ACROSS, APPROACH, HandStep, Visit

_CRUISE_MM = 32.0
"""Height of the fingertips between places; `_TOUCH_MM` is that where they let go."""
_TOUCH_MM = 5.0
_AWAY_MM = 620.0


def eased(share: float) -> float:
    """The share of the path covered after a share of the time, both 0 to 1 (smoothstep)."""
    return share * share * (3 - 2 * share)


def turned(share: float) -> float:
    """The share of a dial's rotation after a share of the step's time, with a pause halfway."""
    half = 0.0 if share < 0.5 else 0.5
    return half + eased(2 * (share - half)) / 2


def round_middle(start: np.ndarray, middle: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The path (3, 2) of a hand between two (2,) points of a ring, along the shorter arc.

    >>> round_middle(np.array([1.0, 0.0]), np.zeros(2), np.array([0.0, 1.0])).round(2).tolist()
    [[1.0, 0.0], [0.71, 0.71], [0.0, 1.0]]
    """
    half = (start + end) / 2 - middle
    half *= np.linalg.norm(end - middle) / np.linalg.norm(half)
    return np.array([start, middle + half, end])


def reach(
    visit: Visit, ways: Sequence[np.ndarray], t: float
) -> tuple[np.ndarray, float, HandStep | None]:
    """The fingertips' position at time `t`, (2,) mm on the table, their height, and what they hold.

    `ways` has for each of the visit's steps the (3, 2) points on the table where the hand arrives,
    is halfway through, and leaves. The step returned is the one whose piece is held, None for an
    empty hand.
    """
    away = _AWAY_MM * np.array([np.cos(visit.seat), np.sin(visit.seat)])
    keys = [(visit.start, ways[0][0] + away, _CRUISE_MM)]
    held: HandStep | None = None
    for step, way, arrival in zip(visit.steps, ways, visit.arrivals(), strict=True):
        lowest = _CRUISE_MM * 0.6 if step.act == "hover" else _TOUCH_MM
        low = _TOUCH_MM if step.act == "turn" else _CRUISE_MM * 0.4
        for share, height, point in zip((0.0, 0.5, 1.0), (low, lowest, low), way, strict=True):
            keys.append((arrival + share * step.dwell, point, height))
        acts = arrival + step.dwell / 2
        carries = step.act == "hover" or t < acts or (step.act == "drop" and t > acts + 0.2)
        if held is None and t < arrival + step.dwell + ACROSS and carries:
            held = step
    keys.append((visit.end, ways[-1][-1] + away, _CRUISE_MM))
    assert visit.end - keys[-2][0] >= APPROACH - 1e-6
    i = next(i for i in range(1, len(keys)) if t <= keys[i][0] + 1e-9)
    (t0, a, z0), (t1, b, z1) = keys[i - 1], keys[i]
    ease = eased(float(np.clip((t - t0) / max(t1 - t0, 1e-6), 0, 1)))
    return a + ease * (b - a), z0 + ease * (z1 - z0), held
