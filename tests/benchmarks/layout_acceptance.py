"""Layouts proposed from photographs of invented editions: how many are whole, refused or wrong.

`python -m tests.benchmarks.layout_acceptance [--count 20] [--seed 1] [--out DIR]`

Each edition has a geometry, a size and artwork of its own and is photographed at an angle, empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration import Layout, Profile, ProfileError, load_profile
from calibration.layout import layout_from_data
from models.nebula.random_edition import random_edition
from models.synthesis.camera import Camera, expose, glare, light_field, random_camera
from models.synthesis.light import random_light
from models.synthesis.photograph import draw_board, draw_table_top
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.texture import Rng
from scorer.places import Circle

LONGER_SIDE_PX = 1800


@dataclass(frozen=True)
class EmptyBoard:
    """A photograph of an invented edition, empty, (H, W, 3) uint8 BGR, and its (4, 2) corners."""

    edition: Profile
    picture: np.ndarray
    corners: np.ndarray


def empty_boards(count: int, seed: int) -> Iterator[EmptyBoard]:
    """Invent editions and photograph each."""
    standard = load_profile("standard")
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        pattern = replace(standard, layout=other_geometry(rng, standard.layout))
        edition = random_edition(rng, pattern, f"{number:02d}")
        yield photograph_empty(rng, edition)


def other_geometry(rng: Rng, layout: Layout) -> Layout:
    """The same spaces elsewhere, on a board of another size and shape."""
    while True:
        width, height = layout.size_mm
        across = width * rng.uniform(0.9, 1.25)
        size = (across, max(height * rng.uniform(0.92, 1.2), across))
        core = np.array(layout.spaces[layout.board.core].at)
        reach = min(across / 2, size[1] - core[1]) / 100 * rng.uniform(0.95, 1.0)
        radius = layout.spaces[layout.board.core].radius * rng.uniform(0.8, 1.15)
        stretch = {orbit: rng.normal(0, 2.0) for orbit in layout.board.orbits}
        middle = np.array([across / 2, size[1] - 100 * reach])
        places = {}
        for place, shape in layout.places.items():
            if place.kind == "track":
                x = across / 2 + (shape.at[0] - width / 2) * min(1.0, across / width)
                places[place] = Circle((x, shape.at[1]), min(radius, 8.0))
                continue
            offset = np.array(shape.at) - core
            orbit = layout.board.orbit_of(place.id)
            away = math.hypot(*offset) + (stretch[orbit] if orbit else 0.0)
            angle = math.atan2(offset[1], offset[0]) + rng.normal(0, math.radians(4))
            x, y = middle + reach * away * np.array([math.cos(angle), math.sin(angle)])
            places[place] = Circle((float(x), float(y)), radius)
        varied = replace(layout, size_mm=(across, size[1]), places=places)
        try:
            return layout_from_data(varied.to_data())
        except ProfileError:
            continue


def photograph_empty(rng: Rng, edition: Profile, longer_side: int = LONGER_SIDE_PX) -> EmptyBoard:
    """Lay the edition on a table and take a picture of the whole of it, as somebody would."""
    board = PlacedBoard(
        edition,
        np.zeros(2),
        float(rng.uniform(0, 2 * np.pi)),
        rng.normal(0, 0.5, (3, 2)),
        {},
        (),
    )
    size = (longer_side * 3 // 4, longer_side)
    camera = _whole(rng, board, size)
    light = random_light(rng)
    picture = draw_table_top(rng, camera)
    draw_board(rng, picture, board, camera, light)
    picture *= light_field(rng, size[1], size[0])
    sheen = glare(rng, size[1], size[0])
    if sheen is not None:
        picture += sheen[..., None] * (250 - picture)
    shown = expose(rng, camera.bend_picture(picture))
    return EmptyBoard(edition, shown, camera.project(board.to_table(board.corners())))


def _whole(rng: Rng, board: PlacedBoard, size: tuple[int, int]) -> Camera:
    corners = board.to_table(board.corners())
    spread, fill = float(np.ptp(corners, axis=0).max()), rng.uniform(0.75, 1.0)
    while True:
        camera = random_camera(rng, size, corners.mean(axis=0), spread, fill)
        shown = camera.project(corners)
        if ((shown > 8) & (shown < np.array(size) - 8)).all():
            return camera
        fill *= 0.96
