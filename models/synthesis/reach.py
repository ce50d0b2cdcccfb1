"""The way of a hand in a film: in from its seat, down to a place, on to the next, and out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.synthesis.script import ACROSS, APPROACH, HandStep, Visit

_CRUISE_MM = 32.0
"""How high the fingertips are on their way, and how high where they let go."""
_TOUCH_MM = 5.0
_AWAY_MM = 620.0


def reach(
    visit: Visit, targets: Sequence[np.ndarray], t: float
) -> tuple[np.ndarray, float, HandStep | None]:
    """Where the fingertips are at ``t``, (2,) mm on the table and mm above it, and what they hold.

    ``targets`` are the (2,) places on the table of the visit's steps. The step is the one whose
    piece is held, None for an empty hand.
    """
    away = _AWAY_MM * np.array([np.cos(visit.seat), np.sin(visit.seat)])
    keys = [(visit.start, targets[0] + away, _CRUISE_MM)]
    held: HandStep | None = None
    for step, target, arrival in zip(visit.steps, targets, visit.arrivals(), strict=True):
        lowest = _CRUISE_MM * 0.6 if step.act == "hover" else _TOUCH_MM
        for share, height in ((0.0, _CRUISE_MM * 0.4), (0.5, lowest), (1.0, _CRUISE_MM * 0.4)):
            keys.append((arrival + share * step.dwell, target, height))
        acts = arrival + step.dwell / 2
        carries = step.act == "hover" or t < acts or (step.act == "drop" and t > acts + 0.2)
        if held is None and t < arrival + step.dwell + ACROSS and carries:
            held = step
    keys.append((visit.end, targets[-1] + away, _CRUISE_MM))
    assert visit.end - keys[-2][0] >= APPROACH - 1e-6
    i = next(i for i in range(1, len(keys)) if t <= keys[i][0] + 1e-9)
    (t0, a, z0), (t1, b, z1) = keys[i - 1], keys[i]
    x = float(np.clip((t - t0) / max(t1 - t0, 1e-6), 0, 1))
    ease = x * x * (3 - 2 * x)
    return a + ease * (b - a), z0 + ease * (z1 - z0), held
