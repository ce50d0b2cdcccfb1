"""The overlay: the reading, drawn on the photograph."""

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from calibration import Profile, board_corners
from scorer.places import Bar, counted
from scorer.table import Piece
from vision.photo import Photo
from vision.reading import BoardReading, Reading, profile_of
from vision.rectify import transform

OVERLAY_SIDE = 1600
"""Longer side of the overlay in px."""
_DOUBT = (255, 0, 255)
_FRAME = (120, 255, 120)
_DARK = 150
"""Sum of levels below which an ink is outlined in white."""


def draw_overlay(
    photo: Photo,
    reading: Reading,
    profiles: Sequence[Profile],
    broken: Sequence[Collection[str]] = (),
) -> np.ndarray:
    """The photograph with every board's frame, and on each place what was read there.

    A ring in the piece's colour with its letter marks a piece, a dot an empty space, a pink square
    a doubtful one; a red ring those in ``broken``, space ids board by board. Each board was read
    with one of the ``profiles``. Returns (H, W, 3) uint8 BGR, ``OVERLAY_SIDE`` px on its longer
    side.
    """
    scale = OVERLAY_SIDE / max(photo.image.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=way)
    to_picture = np.diag([scale * photo.scale, scale * photo.scale, 1.0])
    for number, board in enumerate(reading.boards):
        marked = broken[number] if broken else ()
        profile = profile_of(board, profiles)
        _draw_board(picture, board, to_picture @ board.to_photo, profile, marked)
    return picture


def _draw_board(
    picture: np.ndarray,
    board: BoardReading,
    to_picture: np.ndarray,
    profile: Profile,
    broken: Collection[str],
) -> None:
    letters = _letters(profile.game.pieces)
    inks = {piece.id: _bgr(piece.colour) for piece in profile.game.pieces}
    frame = transform(to_picture, board_corners(profile.size_mm))
    cv2.polylines(picture, [frame.round().astype(np.int32)], True, _FRAME, 2, cv2.LINE_AA)
    cv2.circle(picture, frame[0].round().astype(int).tolist(), 7, _FRAME, -1, cv2.LINE_AA)
    doubtful = {
        space
        for flag in board.flags
        if flag.kind in ("uncertain", "hidden")
        for space in flag.spaces
    }
    pieces = board.pieces
    for place, shape in profile.places.items():
        centre, radius = _circle(to_picture, shape.at, shape.radius)
        if place.kind == "region":
            held = counted(pieces, place.id)
            label = " ".join(f"{held[piece]}{letters[piece]}" for piece in sorted(held))
            _write(picture, (centre[0] - 9 * len(label), centre[1]), label, 0.8)
        elif place in pieces and isinstance(shape, Bar):
            _draw_bar(picture, transform(to_picture, np.array(shape.outline)), inks[pieces[place]])
        elif place in pieces:
            _draw_ring(picture, centre, radius, inks[pieces[place]])
        elif place.kind != "track":
            cv2.circle(picture, centre, 3, (210, 210, 210), -1, cv2.LINE_AA)
        if place.id in broken:
            cv2.circle(picture, centre, radius + 5, (0, 0, 255), 2, cv2.LINE_AA)
        if place.id in doubtful:
            (x, y), reach = centre, radius + 5 if place.kind != "region" else 30
            low, high = (x - reach, y - reach), (x + reach, y + reach)
            cv2.rectangle(picture, low, high, _DOUBT, 2, cv2.LINE_AA)
    for place, shape in profile.places.items():  # letters lie over the neighbours' rings
        if place in pieces and place.kind != "region" and not isinstance(shape, Bar):
            _draw_letter(
                picture, *_circle(to_picture, shape.at, shape.radius), letters[pieces[place]]
            )
    for loose in board.loose:
        at = np.array(
            transform(to_picture @ np.linalg.inv(board.to_photo), np.array([loose.at]))[0]
        )
        cv2.drawMarker(
            picture,
            at.round().astype(int).tolist(),
            inks[loose.piece],
            cv2.MARKER_TILTED_CROSS,
            22,
            3,
            cv2.LINE_AA,
        )


def _circle(
    to_picture: np.ndarray, at: tuple[float, float], radius: float
) -> tuple[tuple[int, int], int]:
    x, y = at
    centre, beside = transform(to_picture, np.array([[x, y], [x + radius, y]]))
    return (round(centre[0]), round(centre[1])), max(4, round(float(np.hypot(*(beside - centre)))))


def _letters(pieces: Sequence[Piece]) -> dict[str, str]:
    """A letter for each piece: its first, or its last if another has that already."""
    letters: dict[str, str] = {}
    for piece in pieces:
        first = piece.id[0].upper()
        letters[piece.id] = first if first not in letters.values() else piece.id[-1].upper()
    return letters


def _bgr(colour: str) -> tuple[int, int, int]:
    """#rrggbb as a BGR tuple for OpenCV."""
    red, green, blue = bytes.fromhex(colour[1:])
    return blue, green, red


def _draw_bar(picture: np.ndarray, corners: np.ndarray, ink: tuple[int, int, int]) -> None:
    outline = (255, 255, 255) if sum(ink) < _DARK else (0, 0, 0)
    box = corners.round().astype(np.int32)
    cv2.polylines(picture, [box], True, outline, 5, cv2.LINE_AA)
    cv2.polylines(picture, [box], True, ink, 3, cv2.LINE_AA)


def _draw_ring(
    picture: np.ndarray, centre: tuple[int, int], radius: int, ink: tuple[int, int, int]
) -> None:
    outline = (255, 255, 255) if sum(ink) < _DARK else (0, 0, 0)
    cv2.circle(picture, centre, radius + 2, outline, 5, cv2.LINE_AA)
    cv2.circle(picture, centre, radius + 2, ink, 3, cv2.LINE_AA)


def _draw_letter(picture: np.ndarray, centre: tuple[int, int], radius: int, letter: str) -> None:
    size = max(0.35, radius / 28)
    at = (int(centre[0] + radius * 0.7), int(centre[1] - radius * 0.6))
    _write(picture, at, letter, size)


def _write(picture: np.ndarray, at: tuple[int, int], text: str, size: float) -> None:
    for ink, wide in (((0, 0, 0), 4), ((255, 255, 255), 1)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, wide, cv2.LINE_AA)
