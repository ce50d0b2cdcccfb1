"""The aspect ratio of a rectangle that is photographed at an angle."""

import numpy as np

from calibration.arrays import Floats

FOCAL = (0.6, 3.0)  # focal length of a lens, in the picture's longer sides
USUAL_FOCAL = 1.0
LIKELY = (0.35, 2.9)  # width to height of a printed board


def aspect_of(corners: Floats, shape: tuple[int, ...]) -> float:
    """Width to height of the rectangle with these corners, (4, 2) px clockwise.

    Assumes that the camera's axis goes through the centre of the picture of `shape` (height, width)
    and that pixels are square (Zhang and He, 2007). A usual focal length is assumed if the picture
    hardly constrains it.
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
