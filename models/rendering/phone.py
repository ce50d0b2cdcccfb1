"""The effects of a phone's camera, applied to a clean rendering."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Image as Image


@dataclass(frozen=True)
class Phone:
    """The faults of one shot; the defaults are a steady hand in good light.

    `warmth` is the error of the white balance (above 0 too warm), `tint` that between green (below
    0) and magenta. `vignette` is the share of light lost in the corners, `soft` the lens blur in
    px, `shake` a movement in px along `shake_angle` (degrees), `noise` the standard deviation in
    grey levels, `jpeg` the quality.
    """

    warmth: float = 0.0
    tint: float = 0.0
    gain: float = 1.0
    vignette: float = 0.12
    soft: float = 0.0
    shake: float = 0.0
    shake_angle: float = 0.0
    noise: float = 1.2
    jpeg: int = 90

    def develop(self, rendering: Image, seed: int) -> bytes:
        """The shot as a JPEG file. `rendering` is (H, W, 3) uint8 BGR; `seed` is for the noise."""
        image: npt.NDArray[Any] = rendering.astype(np.float32)
        height, width = image.shape[:2]
        if self.soft > 0:
            image = cv2.GaussianBlur(image, (0, 0), self.soft)
        if self.shake >= 1:
            image = cv2.filter2D(image, -1, _shake_kernel(self.shake, self.shake_angle))
        y, x = np.mgrid[:height, :width].astype(np.float32)
        far = ((2 * x / width - 1) ** 2 + (2 * y / height - 1) ** 2) / 2
        balance = np.array([1 - self.warmth, 1 - self.tint, 1 + self.warmth], np.float32)
        image *= (self.gain * (1 - self.vignette * far))[..., None] * balance
        rng = np.random.default_rng(seed)
        grain = rng.normal(0, 1, (height, width, 3)).astype(np.float32)
        # A sensor's noise grows with the light, and its colour noise is coarser than its grain.
        coarse = cv2.GaussianBlur(
            rng.normal(0, 1, (height, width, 3)).astype(np.float32), (0, 0), 1.5
        )
        shot = np.sqrt(np.clip(image, 0, 255) / 128 + 0.25)
        image += self.noise * shot * (0.8 * grain + 1.6 * coarse)
        pixels = np.clip(np.rint(image), 0, 255).astype(np.uint8)
        done, file = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])
        assert done
        return file.tobytes()


def _shake_kernel(length: float, angle: float) -> npt.NDArray[np.float32]:
    side = 2 * int(np.ceil(length / 2)) + 1
    line = np.zeros((side, side), np.float32)
    line[side // 2, :] = 1
    turn = cv2.getRotationMatrix2D((side // 2, side // 2), angle, 1)
    kernel = cv2.warpAffine(line, turn, (side, side))
    return np.asarray(kernel / kernel.sum(), np.float32)
