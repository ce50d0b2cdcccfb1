"""Rotate the moon frame in a picture of the board, with the inaccuracy of hands."""

from dataclasses import replace

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from calibration.profile import Image
from models.synthesis.texture import Rng
from scorer.places import Place
from scorer.polaris.printed import frame_radii, sector_direction
from scorer.polaris.words import POLARIS

_ASKEW = 1.2
"""Standard deviation of the frame's angle, in degrees."""
_OFF = 0.4
"""Standard deviation of the frame's centre, in mm."""
_MARGIN = 0.6
"""Width of the bed on both sides that is rotated with the ring, in mm."""


def turn_frame(rng: Rng, profile: Profile, new_moon: int, short: float = 0.0) -> Profile:
    """The profile with its frame rotated until the New Moon faces a sector.

    It stops `short` degrees before that, clockwise.
    """
    picture = profile.require_reference()
    turned = turned_picture(rng, profile, new_moon, picture, PX_PER_MM, short)
    return replace(profile, reference=turned)


def turned_picture(
    rng: Rng, profile: Profile, new_moon: int, picture: Image, px_per_mm: float, short: float = 0.0
) -> Image:
    """A picture of a profile's board, (H, W, 3) uint8 BGR, with the frame rotated.

    In `picture` the New Moon faces the board's first sector, in the result the sector `new_moon`,
    `short` degrees less. A picture without a frame is returned unchanged.
    """
    radii = frame_radii(profile.places)
    if radii is None:
        return picture
    first = next(iter(profile.board.sectors))
    facing, faced = (sector_direction(profile.board, s, profile.places) for s in (new_moon, first))
    turn = facing - faced - short + rng.normal(0, _ASKEW)
    middle = np.array(profile.places[Place(POLARIS)].at) * px_per_mm
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -turn, 1.0)
    off = np.clip(rng.normal(0, _OFF, 2), -_MARGIN, _MARGIN) * px_per_mm
    shifted = np.asarray(matrix, float) + np.column_stack([np.zeros((2, 2)), off])
    size = (picture.shape[1], picture.shape[0])
    turned = cv2.warpAffine(
        picture, shifted, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros(picture.shape[:2], np.uint8)
    x, y = np.round((middle + off) * 16).astype(int).tolist()
    for radius, inside in ((radii[1] + _MARGIN, 255), (radii[0] - _MARGIN, 0)):
        cv2.circle(mask, (x, y), round(radius * px_per_mm * 16), inside, -1, cv2.LINE_AA, 4)
    share = (mask / np.float32(255))[..., None]
    return np.asarray(np.rint(turned * share + picture * (1 - share)), np.uint8)
