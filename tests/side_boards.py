"""A side board of other artwork, and photographs of it in any light."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile
from calibration.artwork import TokenSheet, artwork
from calibration.drawing import (
    Drawing,
    Fill,
    Mark,
    Picture,
    disc,
    rasterise,
    ring,
    rounded_box,
    star,
)
from calibration.profile import PX_PER_MM
from calibration.side_boards import sheet_of
from scorer.places import Circle, Place, Point, Shape
from vision.rectify import homography, warp

PAPER, SPACE, INK, BRIGHT = "#d9cda8", "#b9a677", "#5a3d1e", "#b5432a"
TOKEN_MM = 14.0
"""Width of a token on a track."""
GROWN = (1.12, 1.06)
"""By how much the other print is wider and higher."""
RADIUS_MM = 8.2
SIZE_PX = (1200, 1500)
CORNERS = [(190.0, 230.0), (1050.0, 170.0), (1130.0, 1290.0), (90.0, 1240.0)]
WIDE_CORNERS = [(60.0, 330.0), (1130.0, 250.0), (1170.0, 930.0), (30.0, 960.0)]
DAY, LAMP = (1.0, 1.0, 1.0), (0.55, 0.75, 0.95)
"""The share of blue, green and red light."""


def own_print(known: Profile, seed: int = 4) -> Profile:
    """A print on pale paper of the places of a side board, each up to 2 mm from its place."""
    rng = np.random.default_rng(seed)
    width, height = (side * more for side, more in zip(known.size_mm, GROWN, strict=True))
    marks: list[Mark] = [Fill((rounded_box(0, 0, width, height, 2),), PAPER)]
    places: dict[Place, Shape] = {}
    for place, shape in known.places.items():
        x, y = np.array(shape.at) * GROWN + rng.uniform(-1.4, 1.4, 2)
        places[place] = Circle((float(x), float(y)), RADIUS_MM)
    for number in range(90):
        at = (float(rng.uniform(4, width - 4)), float(rng.uniform(4, height - 4)))
        if all(math.dist(at, shape.at) > 13 for shape in places.values()):
            ink, wide = (INK, BRIGHT)[number % 2], float(rng.uniform(1.5, 4))
            marks.append(Fill((star(at, 3 + number % 4, wide, 1.0),), ink))
    for shape in places.values():
        marks += [disc(shape.at, RADIUS_MM, SPACE), ring(shape.at, RADIUS_MM, INK, 0.7)]
        marks.append(Fill((star(shape.at, 4, 4.0, 1.2),), "#8f7c4e"))
    layout = replace(known.layout, size_mm=(width, height), places=places, title="The box")
    return Profile("box", layout, rasterise(Drawing((width, height), tuple(marks)), PX_PER_MM))


def corners_of(profile: Profile) -> list[Point]:
    """Where a board's corners are in its photograph."""
    width, height = profile.size_mm
    return WIDE_CORNERS if width > height else CORNERS


def photographed(
    profile: Profile,
    pieces: Mapping[Place, str],
    light: tuple[float, float, float] = DAY,
    off: Mapping[Place, Point] | None = None,
    further: Sequence[Mark] = (),
) -> np.ndarray:
    """(H, W, 3) uint8 BGR: a board on a table with tokens on it, `off` their places by so many mm.

    The light falls off to one side. `further` marks are drawn above the board, too.
    """
    marks: list[Mark] = [Picture(profile.require_reference()), *further]
    for number, (place, piece) in enumerate(pieces.items()):
        x, y = np.array(profile.places[place].at) + (off or {}).get(place, (0.0, 0.0))
        marks += artwork(profile.layout.game).draw_token(piece, (float(x), float(y)), 40.0 * number)
    board = rasterise(Drawing(profile.size_mm, tuple(marks)), PX_PER_MM)
    rng = np.random.default_rng(len(pieces))
    picture = cv2.resize(rng.integers(50, 90, (40, 30, 3), np.uint8), SIZE_PX)
    corners = np.array(corners_of(profile))
    to_photo = homography(corners, profile.size_mm)
    to_photo = to_photo @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (0, 0, 0))
    picture = np.maximum(picture, warp(board, to_photo, SIZE_PX, border=(0, 0, 0)))
    falling = np.linspace(1.0, 0.75, SIZE_PX[0])[None, :, None]
    shown = picture * falling * light + rng.normal(0, 2, picture.shape)
    return np.clip(shown, 0, 255).astype(np.uint8)


def foreign_tokens(
    rng: np.random.Generator, box: Profile, at: Mapping[str, Mapping[str, int]]
) -> list[Mark]:
    """Round tokens of another make on the numbers of their squares, by the track.

    Those that have not moved are spread out at the start.
    """
    marks: list[Mark] = []
    colours = {piece.id: piece.colour for piece in box.game.pieces}
    for track, own in sheet_of(box).tracks.items():
        squares, radius, beside = [*own.at.values()], TOKEN_MM / 2 * rng.uniform(0.93, 1.07), 0
        for number, (token, square) in enumerate(at[track].items()):
            x, y = np.array(squares[square]) + rng.normal(0, 0.8, 2)
            if square == 0:
                x, y = x + (6.5, -8.5)[beside % 2], y + (-15.0, 0.0, 15.0)[beside // 2]
                beside += 1
            middle = float(x), float(y)
            marks += [disc(middle, radius, colours[token]), ring(middle, radius - 1, INK, 0.5)]
            sign = star(middle, 3 + number, 3.0, 1.4, float(rng.uniform(0, 90)))
            marks.append(Fill((sign,), (INK, PAPER)[number % 2]))
    return marks


def with_markers(
    rng: np.random.Generator, sheet: TokenSheet, points: Mapping[str, int]
) -> np.ndarray:
    """(H, W, 3) uint8 BGR: a printed sheet with the players' markers on their points."""
    face = rasterise(sheet.sheet, PX_PER_MM)
    (track,) = sheet.points.values()
    places = [*track.spots.at.values()]
    for colour, value in points.items():
        rounds, at = divmod(value, len(places))
        marker = rasterise((track.backs if rounds else track.spots.tokens)[colour], PX_PER_MM)
        side = marker.shape[0]
        way = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, float(rng.normal(0, 15)), 1.0)
        way[:, 2] += (np.array(places[at]) + rng.normal(0, 0.8, 2)) * PX_PER_MM - side / 2
        size = face.shape[1::-1]
        cv2.warpAffine(marker, way, size, face, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return face


def seen_in(picture: np.ndarray, board: np.ndarray, corners: Sequence[Point]) -> np.ndarray:
    """A picture of a table with a board at (4, 2) corners in px."""
    height, width = board.shape[:2]
    to_photo = homography(np.array(corners), (width, height))
    size = picture.shape[1::-1]
    there = warp(np.full_like(board, 255), to_photo, size, border=(0, 0, 0)) > 127
    return np.where(there, warp(board, to_photo, size, border=(0, 0, 0)), picture)
