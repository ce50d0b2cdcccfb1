"""The arrays that calibration works on."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int_]
Image = npt.NDArray[np.uint8]
"""A picture, (H, W, 3) BGR unless said otherwise."""
