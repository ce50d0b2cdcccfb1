"""The moon frame turned: its ring of the reference picture, as hands leave it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from models.synthesis.texture import Rng
from scorer.places import Place
from scorer.polaris.printed import frame_radii, sector_direction
from scorer.polaris.words import POLARIS

_ASKEW = 1.2
"""Degrees, the standard deviation of how far hands turn the frame amiss."""
_OFF = 0.4
"""mm, the same of where its middle comes to lie."""
_MARGIN = 0.6
"""mm of the bed on both sides that are turned with the ring."""


def turn_frame(rng: Rng, profile: Profile, new_moon: int) -> Profile:
    """The profile with its frame turned so that the New Moon faces a sector.

    In the reference picture it faces the board's first one. A board without a frame stays as it is.
    """
    radii = frame_radii(profile.places)
    if radii is None:
        return profile
    first = next(iter(profile.board.sectors))
    facing, faced = (sector_direction(profile.board, s, profile.places) for s in (new_moon, first))
    turn = facing - faced + rng.normal(0, _ASKEW)
    reference = profile.require_reference()
    middle = np.array(profile.places[Place(POLARIS)].at) * PX_PER_MM
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -turn, 1.0)
    off = np.clip(rng.normal(0, _OFF, 2), -_MARGIN, _MARGIN) * PX_PER_MM
    matrix[:, 2] += off
    size = (reference.shape[1], reference.shape[0])
    turned = cv2.warpAffine(
        reference, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros(reference.shape[:2], np.uint8)
    x, y = np.round((middle + off) * 16).astype(int).tolist()
    for radius, inside in ((radii[1] + _MARGIN, 255), (radii[0] - _MARGIN, 0)):
        cv2.circle(mask, (x, y), round(radius * PX_PER_MM * 16), inside, -1, cv2.LINE_AA, 4)
    share = (mask / 255.0)[..., None]
    mixed = np.rint(turned * share + reference * (1 - share)).astype(np.uint8)
    return replace(profile, reference=mixed)
