"""Random editions with a profile's own artwork in other inks and on other paper."""

from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile, draw_board
from calibration.profile import Image
from models.synthesis.texture import Rng, smooth_noise


def pictured(profile: Profile) -> Profile:
    """The profile with a picture: as calibrated, or as its game draws it."""
    if profile.reference is not None:
        return profile
    return replace(profile, reference=draw_board(profile))


def random_edition(rng: Rng, pattern: Profile, name: str = "invented") -> Profile:
    """The board of `pattern` in other inks, on other paper; its places are unchanged."""
    layout = replace(pattern.layout, title=f"Invented edition {name}")
    return Profile(name, layout, _worn(rng, _inked(rng, pictured(pattern).require_reference())))


def _inked(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """The picture with random inks; both are (H, W, 3) uint8 BGR."""
    hue, saturation, value = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))
    turn = rng.uniform(0, 180) if rng.random() < 0.3 else rng.normal(0, 5)
    hue = ((hue.astype(np.float32) + turn) % 180).astype(np.uint8)
    saturation = np.clip(saturation * rng.uniform(0.6, 1.3), 0, 255).astype(np.uint8)
    return cv2.cvtColor(cv2.merge([hue, saturation, value]), cv2.COLOR_HSV2BGR)


def _worn(rng: Rng, picture: np.ndarray) -> Image:
    """The picture with random contrast, blotches and grain; both are (H, W, 3) uint8 BGR."""
    height, width = picture.shape[:2]
    toned = 255 * (picture.astype(np.float32) / 255) ** rng.uniform(0.75, 1.35)
    toned = (toned - 110) * rng.uniform(0.75, 1.15) + 110 + rng.normal(0, 12)
    for cells, most in ((int(rng.integers(2, 9)), 30), (300, 10)):
        toned += (smooth_noise(rng, height, width, cells)[..., None] - 0.5) * rng.uniform(0, most)
    return np.asarray(np.clip(toned, 0, 255), np.uint8)
