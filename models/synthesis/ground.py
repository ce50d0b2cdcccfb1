"""Random backgrounds of boards."""

import cv2
import numpy as np

from models.synthesis.texture import Rng, hsv_colour, smooth_noise


def random_ground(rng: Rng, height: int, width: int) -> np.ndarray:
    """A background, (height, width, 3) uint8 BGR: usually a night sky, sometimes pale or loud."""
    style = rng.choice(["gas", "flat", "pale", "loud"], p=[0.53, 0.16, 0.21, 0.10])
    if style == "pale":
        base, second = (
            hsv_colour(rng, s=(0, 90), v=(150, 250)),
            hsv_colour(rng, s=(0, 90), v=(150, 250)),
        )
    elif style == "loud":
        base, second = (
            hsv_colour(rng, s=(80, 255), v=(60, 230)),
            hsv_colour(rng, s=(80, 255), v=(60, 230)),
        )
    else:
        base, second = (
            hsv_colour(rng, s=(60, 230), v=(15, 90)),
            hsv_colour(rng, s=(80, 255), v=(40, 190)),
        )
    if rng.random() < 0.6:  # most skies are printed in blue to violet
        shift = int(rng.integers(105, 155))
        base = hsv_colour(rng, h=(shift, shift + 15), s=(100, 230), v=(30, 110))
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = base
    if style != "flat":
        for _ in range(rng.integers(1, 4)):
            mask = smooth_noise(rng, height, width, int(rng.integers(2, 9)))
            mask = np.clip((mask - rng.uniform(0.3, 0.6)) * rng.uniform(1.0, 3.0), 0, 1)[..., None]
            canvas += mask * (np.array(second, np.float32) - canvas) * rng.uniform(0.3, 1.0)
            second = hsv_colour(rng, s=(40, 255), v=(30, 200))
    grain = rng.uniform(0, 9)
    canvas += smooth_noise(rng, height, width, 200)[..., None] * grain - grain / 2
    canvas = np.clip(canvas, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 500)):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        tone = int(rng.integers(120, 256))
        cv2.circle(
            canvas, (x, y), int(rng.choice([0, 1, 1, 2])), (tone, tone, tone), -1, cv2.LINE_AA
        )
    return canvas
