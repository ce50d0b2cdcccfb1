"""Why a photograph, or a board found in it, cannot be read: each reason in a sentence."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import Profile
from vision.known_board import KnownBoard
from vision.photo import Photo
from vision.recognise import MOST_OUTSIDE, cut_features, is_shown
from vision.rectify import CANVAS_PX, Canvas, side_scales, transform

MIN_SCALE = 0.375
"""Least scale of a board relative to the canvas: 120 px across for the standard board. Below
that stars are mere specks."""
CLEAR = 0.3
"""Share of a reference's features from which an unrecognised board counts as another one."""
MOST_NAMED = 3
"""Most profiles that a message names."""
_THUMBNAIL = (64, 64)
_COLOURLESS = 1.5
"""Largest mean difference in levels between the channels of a black-and-white picture."""
_DARK = 14
"""Largest median lightness, of 255, of a dark board."""
_PART = "only a part of the board is in the photograph; take it again with the whole board in it"
_SMALL = "the board is too small in the photograph; go closer, or send the picture at full size"


class NoBoardError(Exception):
    """No board was found in the photograph."""


class UnreadableBoardError(Exception):
    """A board was found, but too little of it is visible to read it."""


class NoColoursError(UnreadableBoardError):
    """A black-and-white photograph of pieces that are distinguished by colour."""


class UnknownBoardError(UnreadableBoardError):
    """A board was found and is clearly visible, but is none of the known ones."""


def check_colours(photo: Photo) -> None:
    """Raise NoColoursError for shades of grey; white is never as neutral in a colour photograph."""
    step = max(1, min(photo.image.shape[:2]) // (4 * max(_THUMBNAIL)))
    size = [len(range(0, side, step)) for side in photo.image.shape[1::-1]]
    some = cv2.resize(photo.image, size, interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(some, _THUMBNAIL, interpolation=cv2.INTER_AREA).astype(int)
    if np.ptp(small, axis=2).mean() < _COLOURLESS:
        raise NoColoursError(
            f"{photo.name}: the photograph has no colours, by which the pieces are told apart;"
            " take it again in colour"
        )


def is_dark(board: np.ndarray) -> bool:
    """Whether an (H, W, 3) BGR picture of a board is too dark to distinguish colours reliably."""
    small = cv2.resize(board, (200, 200), interpolation=cv2.INTER_AREA)
    lightness = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[..., 0]
    return bool(np.median(lightness) < _DARK)


def check_visible(
    photo: Photo, canvas: Canvas, to_image: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """(N,) bool, whether each of (N, 2) ``points`` of a board, in mm, is in the photograph.

    Raises UnreadableBoardError if too few are, or the board is too small to read.
    """
    height, width = photo.image.shape[:2]
    at = transform(to_image, points)
    inside = np.asarray(((at >= 0) & (at < (width, height))).all(axis=1))
    if (~inside).mean() > MOST_OUTSIDE:
        raise UnreadableBoardError(f"{photo.name}: {_PART}")
    if side_scales(to_image, canvas.size_mm).min() < MIN_SCALE * canvas.px_per_mm:
        raise UnreadableBoardError(f"{photo.name}: {_SMALL}")
    return inside


def why_unknown(
    photo: Photo, corners: np.ndarray, known: Sequence[KnownBoard]
) -> UnreadableBoardError:
    """The reason why a board surely found at (4, 2) ``corners`` is none of the known ones."""
    if not is_shown(photo.image, corners):
        return UnreadableBoardError(f"{photo.name}: {_PART}")
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.max() < MIN_SCALE * CANVAS_PX:
        return UnreadableBoardError(f"{photo.name}: {_SMALL}")
    if len(cut_features(photo.image, corners)) < CLEAR * min(map(_plainly, known)):
        return UnreadableBoardError(
            f"{photo.name}: the board found is not clear; take a sharper photograph"
        )
    names = " or ".join(_called(board.profile, known) for board in known)
    others = f"the board of profile {names}" if len(known) <= MOST_NAMED else "every known board"
    return UnknownBoardError(
        f"{photo.name}: this board looks different from {others}; add it"
        " with `stargazer calibrate`, or enter it by hand"
    )


def _called(profile: Profile, known: Sequence[KnownBoard]) -> str:
    """A profile's name, with its game's if another known profile has the same name."""
    alike = sum(board.profile.name == profile.name for board in known)
    return f"{profile.layout.game}/{profile.name}" if alike > 1 else profile.name


def _plainly(board: KnownBoard) -> int:
    """The number of features of a known board in its reference, the clearest view of it."""
    height, width = board.reference.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    return len(cut_features(board.reference, frame))
