"""Whole tables: two to four boards in one photograph, each turned towards its player."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from calibration import Profile
from models.rendering.random_scenes import RENDERED, Shot, laid, random_shot
from models.rendering.scene import Neighbour, Point, Scene, Sheet, TokenSet, Viewpoint
from scorer.places import Place

LONG_SIDE, SHORT_SIDE = 2400, 1800
ROUND, ROWS = (0, 180, 90, 270), (0, 0, 180, 180)
"""Each board's rotation: one at each side of the table, or two at each of two sides."""


def random_table(
    rng: random.Random,
    profile: Profile,
    sheet: Sheet,
    positions: Sequence[Mapping[Place, str]],
    tokens: TokenSet,
) -> Shot:
    """A photograph from one player's seat, with a board for each position."""
    alone = random_shot(rng, profile, sheet, positions[0], tokens)
    width, height = profile.size_mm
    across, down = (
        side + 2 * more for side, more in zip(profile.size_mm, sheet.margin, strict=True)
    )
    gap = rng.uniform(15, 90)
    spots = _round(across, down, gap) if rng.random() < 0.5 else _rows(across, down, gap)
    own_at, own_turn = spots[0]
    neighbours = []
    for (at, turn), pieces in zip(spots[1 : len(positions)], positions[1:], strict=True):
        place = at[0] - own_at[0] + width / 2, at[1] - own_at[1] + height / 2
        neighbours.append(
            Neighbour(
                replace(sheet, bend=(rng.uniform(0, 4), rng.uniform(0, 4))),
                tuple(
                    laid(rng, piece, profile.places[spot], loose=0.9)
                    for spot, piece in pieces.items()
                ),
                (place[0] + rng.gauss(0, 6), place[1] + rng.gauss(0, 6)),
                turn - own_turn + rng.gauss(0, 4),
            )
        )
    scene = replace(
        alone.scene,
        neighbours=tuple(neighbours),
        props=(),
        size=(round(LONG_SIDE * RENDERED), round(SHORT_SIDE * RENDERED)),
    )
    scene = replace(scene, camera=from_a_seat(rng, scene))
    return replace(alone, scene=scene, positions=tuple(positions))


def _round(width: float, height: float, gap: float) -> list[tuple[Point, float]]:
    """Each board's centre relative to the table's, and its rotation."""
    away = (width + height) / 2 + gap
    return [
        ((away * math.sin(math.radians(turn)), away * math.cos(math.radians(turn))), turn)
        for turn in ROUND
    ]


def _rows(width: float, height: float, gap: float) -> list[tuple[Point, float]]:
    across, down = (width + gap) / 2, (height + gap) / 2
    places = ((-across, down), (across, down), (across, -down), (-across, -down))
    return list(zip(places, ROWS, strict=True))


def from_a_seat(
    rng: random.Random, scene: Scene, elevation: tuple[float, float] = (36, 66)
) -> Viewpoint:
    """A camera in front of the first board, just far enough away to see all boards.

    It looks down at an angle within `elevation`, in degrees.
    """
    corners = [corner for board in outlines(scene) for corner in board]
    xs, ys = zip(*corners, strict=True)
    camera = replace(
        scene.camera,
        at=((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2),
        azimuth=rng.gauss(0, 20),
        elevation=rng.uniform(*elevation),
        roll=rng.uniform(-5, 5),
        distance=400.0,
    )
    width, height = scene.size
    room = rng.uniform(0.9, 0.97)
    while True:
        seen = [camera.sees(corner) for corner in corners]
        if all(
            depth > 0 and abs(x) < room and abs(y) < room * height / width for x, y, depth in seen
        ):
            return camera
        camera = replace(camera, distance=camera.distance * 1.02)


def outlines(scene: Scene) -> list[list[Point]]:
    """The corners of each sheet's paper, in coordinates of the table."""
    width, height = scene.sheet.size
    spots = [(scene.sheet, (width / 2, height / 2), 0.0)]
    spots += [(board.sheet, board.at, board.turn) for board in scene.neighbours]
    found = []
    for sheet, at, turn in spots:
        beside, above = sheet.margin
        found.append(rectangle(at, turn, (sheet.size[0] + 2 * beside, sheet.size[1] + 2 * above)))
    return found


def rectangle(at: Point, turn: float, size: Point) -> list[Point]:
    """The corners of a rotated rectangle about `at`, clockwise from its own top left."""
    x, y = size[0] / 2, size[1] / 2
    corners = (rotated(corner, turn) for corner in ((-x, -y), (x, -y), (x, y), (-x, y)))
    return [(at[0] + u, at[1] + v) for u, v in corners]


def rotated(vector: Point, turn: float) -> Point:
    """A vector on the table, rotated by `turn` degrees."""
    (u, v), cos, sin = vector, math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return u * cos + v * sin, -u * sin + v * cos
