"""Why a photograph, or a board that was found in it, is not read: each reason in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import Profile
from vision.known_board import KnownBoard
from vision.photo import Photo
from vision.recognise import cut_features
from vision.rectify import CANVAS_PX, Canvas, side_scales, transform

MIN_SCALE = 0.375
"""A board of fewer px on the canvas's shows its stars as specks: 120 px are the standard board's
width."""
CLEAR = 0.3
"""The share of a reference's features from which a board that is not recognised is another one."""
MOST_OUTSIDE = 0.12
"""The share of a board's spaces that may lie outside of the photograph."""
_THUMBNAIL = (64, 64)
_COLOURLESS = 1.5
"""Mean difference in levels between the channels of a picture in black and white, at most."""
_DARK = 14
"""Levels of lightness, of 255, that half of a dark board's picture has at most."""
_PART = "only a part of the board is in the photograph; take it again with the whole board in it"
_SMALL = "the board is too small in the photograph; go closer, or send the picture at full size"


class NoBoardError(Exception):
    """No board was found in the photograph."""


class UnreadableBoardError(Exception):
    """A board was found, but too little of it can be seen to read it."""


class NoColoursError(UnreadableBoardError):
    """A photograph in black and white, of pieces that are told apart by their colours."""


class UnknownBoardError(UnreadableBoardError):
    """A board was found and is plainly seen, but it is none of those that are known."""


def check_colours(photo: Photo) -> None:
    """Raise NoColoursError for shades of grey; a camera's white is never as pure."""
    step = max(1, min(photo.image.shape[:2]) // (4 * max(_THUMBNAIL)))
    some = np.ascontiguousarray(photo.image[::step, ::step])
    small = cv2.resize(some, _THUMBNAIL, interpolation=cv2.INTER_AREA).astype(int)
    if np.ptp(small, axis=2).mean() < _COLOURLESS:
        raise NoColoursError(
            f"{photo.name}: the photograph has no colours, by which the pieces are told apart;"
            " take it again in colour"
        )


def is_dark(board: np.ndarray) -> bool:
    """Whether an (H, W, 3) BGR picture of a board is so dark that colours are hard to tell."""
    small = cv2.resize(board, (200, 200), interpolation=cv2.INTER_AREA)
    lightness = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[..., 0]
    return bool(np.median(lightness) < _DARK)


def check_visible(
    photo: Photo, canvas: Canvas, to_image: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """(N,) bool, whether each of (N, 2) ``points`` of a board, in mm, is in the photograph.

    Raises UnreadableBoardError where too few are, or the board is too small to read.
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
    """Why what is surely a board, at (4, 2) ``corners``, is none of those that are known."""
    quad = corners.astype(np.float32)
    height, width = photo.image.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shown = cv2.intersectConvexConvex(quad, frame)[0] / cv2.contourArea(quad)
    if shown < 1 - MOST_OUTSIDE:
        return UnreadableBoardError(f"{photo.name}: {_PART}")
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.max() < MIN_SCALE * CANVAS_PX:
        return UnreadableBoardError(f"{photo.name}: {_SMALL}")
    if len(cut_features(photo.image, corners)) < CLEAR * min(map(_plainly, known)):
        return UnreadableBoardError(
            f"{photo.name}: the board found is not clear; take a sharper photograph"
        )
    names = " or ".join(_called(board.profile, known) for board in known)
    return UnknownBoardError(
        f"{photo.name}: this board looks different from the board of profile {names}; add it"
        " with `stargazer calibrate`, or enter it by hand"
    )


def _called(profile: Profile, known: Sequence[KnownBoard]) -> str:
    """A profile's name, with its game's where another's has the same."""
    alike = sum(board.profile.name == profile.name for board in known)
    return f"{profile.layout.game}/{profile.name}" if alike > 1 else profile.name


def _plainly(board: KnownBoard) -> int:
    """How many features a known board has, seen as clearly as can be."""
    height, width = board.reference.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    return len(cut_features(board.reference, frame))
