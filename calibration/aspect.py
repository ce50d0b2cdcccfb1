"""The shape of a rectangle that a photograph shows at an angle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

FOCAL = (0.6, 3.0)  # times the picture's longer side that a lens's focal length may be
USUAL_FOCAL = 1.0
LIKELY = (0.35, 2.9)  # width to height of a printed board


def aspect_of(corners: Floats, shape: tuple[int, ...]) -> float:
    """Width to height of the rectangle with those corners, (4, 2) px clockwise.

    The camera's axis is taken to go through the middle of the picture of `shape` (height, width),
    and its pixels to be square (Zhang and He, 2007). Where the picture says little of the focal
    length, a usual one is taken.
    """
    height, width = shape[:2]
    centred = np.asarray(corners, float) - (width / 2, height / 2)
    m1, m2, m4, m3 = (np.array([*point, 1.0]) for point in centred)
    k2 = np.cross(m1, m4) @ m3 / (np.cross(m2, m4) @ m3)
    k3 = np.cross(m1, m4) @ m2 / (np.cross(m3, m4) @ m2)
    n2, n3 = k2 * m2 - m1, k3 * m3 - m1
    longer = max(height, width)
    bent = n2[2] * n3[2]
    square = -(n2[0] * n3[0] + n2[1] * n3[1]) / bent if abs(bent) > 1e-9 else -1.0
    focal = np.sqrt(square) if square > 0 else 0.0
    if not FOCAL[0] * longer < focal < FOCAL[1] * longer:
        focal = USUAL_FOCAL * longer
    lens = np.array([1 / focal, 1 / focal, 1.0])
    return float(np.clip(np.linalg.norm(n2 * lens) / np.linalg.norm(n3 * lens), *LIKELY))
