"""Editions: boards that are printed as a profile's own, and look as another printing would."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile, draw_board
from models.synthesis.texture import Rng, smooth_noise


def pictured(profile: Profile) -> Profile:
    """The profile with a picture: as calibrated, or as its game draws it."""
    return (
        profile
        if profile.reference is not None
        else replace(profile, reference=draw_board(profile))
    )


def random_edition(rng: Rng, pattern: Profile, name: str = "invented") -> Profile:
    """The board of ``pattern`` in other inks, on other paper; its places are where they were."""
    board = pictured(pattern)
    assert board.reference is not None
    hue, saturation, value = cv2.split(cv2.cvtColor(board.reference, cv2.COLOR_BGR2HSV))
    turn = rng.uniform(0, 180) if rng.random() < 0.3 else rng.normal(0, 5)
    hue = ((hue.astype(np.float32) + turn) % 180).astype(np.uint8)
    saturation = np.clip(saturation * rng.uniform(0.6, 1.3), 0, 255).astype(np.uint8)
    inked = cv2.cvtColor(cv2.merge([hue, saturation, value]), cv2.COLOR_HSV2BGR)
    picture = 255 * (inked.astype(np.float32) / 255) ** rng.uniform(0.75, 1.35)
    picture = (picture - 110) * rng.uniform(0.75, 1.15) + 110 + rng.normal(0, 12)
    height, width = inked.shape[:2]
    worn = smooth_noise(rng, height, width, int(rng.integers(2, 9)))[..., None] - 0.5
    picture += worn * rng.uniform(0, 30)
    picture += (smooth_noise(rng, height, width, 300)[..., None] - 0.5) * rng.uniform(0, 10)
    reference = np.clip(picture, 0, 255).astype(np.uint8)
    layout = replace(board.layout, title=f"Invented edition {name}")
    return Profile(name, layout, reference)
