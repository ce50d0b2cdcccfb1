"""The overlay: what was read, drawn on the photograph."""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.photo import Photo
from vision.reading import BoardReading, Reading
from vision.rectify import transform

OVERLAY_SIDE = 1600
"""Longer side in px that the overlay is brought to."""
_INK = {
    "red": (48, 48, 230),
    "purple": (200, 70, 150),
    "yellow": (40, 220, 250),
    "white": (255, 255, 255),
    "blue": (235, 120, 40),
    "orange": (30, 140, 255),
    "black": (40, 40, 40),
}
_DOUBT = (255, 0, 255)
_FRAME = (120, 255, 120)


def draw_overlay(photo: Photo, reading: Reading, profile: Profile) -> np.ndarray:
    """The photograph with every board's frame, and on each space what was read there.

    A ring in the star's colour with its initial marks a star, a dot an empty space, a pink square a
    doubtful one. Returns (H, W, 3) uint8 BGR, ``OVERLAY_SIDE`` px on its longer side.
    """
    scale = OVERLAY_SIDE / max(photo.image.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=way)
    to_picture = np.diag([scale * photo.scale, scale * photo.scale, 1.0])
    for board in reading.boards:
        _draw_board(picture, board, to_picture @ board.to_photo, profile)
    return picture


def _draw_board(
    picture: np.ndarray, board: BoardReading, to_picture: np.ndarray, profile: Profile
) -> None:
    frame = transform(to_picture, board_corners(profile.size_mm))
    cv2.polylines(picture, [frame.round().astype(np.int32)], True, _FRAME, 2, cv2.LINE_AA)
    cv2.circle(picture, frame[0].round().astype(int).tolist(), 7, _FRAME, -1, cv2.LINE_AA)
    doubtful = {
        space
        for flag in board.flags
        if flag.kind in ("uncertain", "hidden")
        for space in flag.spaces
    }
    broken = {
        space
        for flag in board.flags
        if flag.kind not in ("uncertain", "hidden")
        for space in flag.spaces
    }
    for name, space in profile.spaces.items():
        centre, radius = _circle(to_picture, space.at, space.radius)
        star = board.spaces[name].star
        if star is None:
            cv2.circle(picture, centre, 3, (210, 210, 210), -1, cv2.LINE_AA)
        else:
            _draw_star(picture, centre, radius, star)
        if name in broken:
            cv2.circle(picture, centre, radius + 5, (0, 0, 255), 2, cv2.LINE_AA)
        if name in doubtful:
            corner = np.array([radius + 5, radius + 5])
            cv2.rectangle(
                picture,
                (centre - corner).tolist(),
                (centre + corner).tolist(),
                _DOUBT,
                2,
                cv2.LINE_AA,
            )
    for slot, at in enumerate(profile.track.at):
        centre, radius = _circle(to_picture, at, profile.track.radius)
        if slot < board.black:
            _draw_star(picture, centre, radius, "black")
    for loose in board.loose:
        at = np.array(
            transform(to_picture @ np.linalg.inv(board.to_photo), np.array([loose.at]))[0]
        )
        cv2.drawMarker(
            picture,
            at.round().astype(int).tolist(),
            _INK[loose.star],
            cv2.MARKER_TILTED_CROSS,
            22,
            3,
            cv2.LINE_AA,
        )


def _circle(
    to_picture: np.ndarray, at: tuple[float, float], radius: float
) -> tuple[np.ndarray, int]:
    x, y = at
    centre, beside = transform(to_picture, np.array([[x, y], [x + radius, y]]))
    return centre.round().astype(int), max(4, round(float(np.hypot(*(beside - centre)))))


def _draw_star(picture: np.ndarray, centre: np.ndarray, radius: int, star: str) -> None:
    ink = _INK[star]
    outline = (255, 255, 255) if star == "black" else (0, 0, 0)
    cv2.circle(picture, centre, radius + 2, outline, 5, cv2.LINE_AA)
    cv2.circle(picture, centre, radius + 2, ink, 3, cv2.LINE_AA)
    letter = "K" if star == "black" else star[0].upper()
    size = max(0.35, radius / 28)
    at = (int(centre[0] + radius * 0.7), int(centre[1] - radius * 0.6))
    cv2.putText(picture, letter, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(
        picture, letter, at, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 1, cv2.LINE_AA
    )
