"""Side boards of other artwork, learned from a photograph of the empty one: places and pieces.

`python -m tests.benchmarks.side_boards [GAME/KIND] [--count 12] [--seed 1] [--out DIR]`

Each edition is a drawing with its own geometry, size and inks, with circles beside those that are
read. It is photographed empty, its layout is proposed, and what is off by more than a millimetre is
dragged into place. Then it is photographed twice in other light, full and half full, with pieces
of other makes.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration import Profile, ProfileError
from calibration.calibrate import make_reference
from calibration.layout import Layout, layout_from_data
from calibration.lens import straighten_sides
from calibration.proposal import propose_layout
from calibration.proposal.propose import REACHES
from calibration.side_boards import pattern
from models.any_game.random_board import draw_places
from models.synthesis.camera import expose, glare, light_field
from models.synthesis.light import random_light
from models.synthesis.photograph import draw_board, draw_table_top, draw_tokens
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.texture import Rng
from models.synthesis.token_set import random_token_set
from scorer.board_state import SURE
from scorer.places import Circle, Place, Shape
from tests.benchmarks.layout_acceptance import photograph_empty, whole_board_camera
from vision import NoBoardError, Photo, Reader

OFF_MM = 1.0
"""How far off a proposed place has to be before its owner drags it."""
PHOTOGRAPH_PX = 2000


def another_edition(rng: Rng, known: Profile) -> Profile:
    """A print of the same places elsewhere, in other inks, with circles that are no places."""
    while True:
        layout = known.layout
        width, height = (float(side * rng.uniform(0.95, 1.25)) for side in layout.size_mm)
        size = width, height
        grown = np.array(size) / layout.size_mm
        radius = next(iter(layout.spaces.values())).radius * rng.uniform(0.9, 1.15)
        swirl = rng.normal(0, math.radians(3))
        middle = np.array(size) / 2
        turn = np.array([[np.cos(swirl), -np.sin(swirl)], [np.sin(swirl), np.cos(swirl)]])
        places: dict[Place, Shape] = {}
        for place, shape in layout.places.items():
            x, y = turn @ (shape.at * grown - middle) + middle + rng.normal(0, 0.8, 2)
            places[place] = Circle((float(x), float(y)), radius)
        moved = replace(layout, size_mm=size, places=places, title="x")
        try:
            moved = layout_from_data(moved.to_data())
        except ProfileError:
            continue
        return Profile("other", moved, draw_places(rng, {**_ornaments(rng, moved), **places}, size))


def _ornaments(rng: Rng, layout: Layout) -> Mapping[Place, Shape]:
    """Smaller circles between the places."""
    found: dict[Place, Shape] = {}
    spaces = [*layout.spaces.values()]
    for _ in range(400):
        radius = float(rng.uniform(3, 6))
        x, y = (float(rng.uniform(radius, side - radius)) for side in layout.size_mm)
        others = [*spaces, *found.values()]
        if all(math.dist((x, y), one.at) > one.radius + radius + 1 for one in others):
            found[Place(f"ornament {len(found)}")] = Circle((x, y), radius)
        if len(found) == 15:
            break
    return found


def learned(rng: Rng, edition: Profile, kind: str, counted: Counter[str]) -> Profile:
    """The edition as its owner's photograph and corrections make it known."""
    empty = photograph_empty(rng, edition, edition.board)
    proposal = propose_layout(empty.picture, kind)
    off = np.linalg.norm(proposal.corners - empty.corners, axis=1).max()
    counted["boards"] += 1
    counted["outlines found"] += bool(off < 0.02 * max(empty.picture.shape))
    size = np.array(edition.size_mm) / proposal.size_mm
    for place, shape in edition.places.items():
        seen = proposal.draft.places[place]
        near = math.dist(np.array(seen.at) * size, shape.at) < OFF_MM
        counted["places proposed right"] += near
        counted["places proposed"] += 1
    sides = straighten_sides(empty.picture, empty.corners, REACHES)
    dragged = {
        place: Circle(tuple(np.array(shape.at) + rng.normal(0, 0.4, 2)), shape.radius)
        for place, shape in edition.places.items()
    }
    layout = replace(edition.layout, places=dragged)
    return Profile("mine", layout, make_reference(sides.photo, empty.corners, layout))


def photographed(
    rng: Rng, edition: Profile, pieces: Mapping[Place, str], longer_side: int = PHOTOGRAPH_PX
) -> np.ndarray:
    """(H, W, 3) uint8 BGR, the board with pieces of some make on it, in some light."""
    made = random_token_set(rng, edition)
    tokens = [
        replace(
            made[piece],
            at=tuple(np.array(edition.places[at].at) + rng.normal(0, 0.8, 2)),
            turn=float(rng.uniform(0, 6.28)),
        )
        for at, piece in pieces.items()
    ]
    board = PlacedBoard(
        edition, np.zeros(2), float(rng.uniform(0, 6.28)), rng.normal(0, 0.5, (3, 2)), pieces, ()
    )
    size = (longer_side * 3 // 4, longer_side)
    camera, light = whole_board_camera(rng, board, size), random_light(rng)
    picture = draw_table_top(rng, camera)
    draw_board(rng, picture, board, camera, light)
    draw_tokens(rng, picture, [board.on_table(own) for own in tokens], camera, light)
    picture *= light_field(rng, size[1], size[0])
    sheen = glare(rng, size[1], size[0])
    if sheen is not None:
        picture += sheen[..., None] * (250 - picture)
    return expose(rng, camera.bend_picture(picture))


def count(
    profile: Profile, picture: np.ndarray, pieces: Mapping[Place, str], counted: Counter[str]
) -> None:
    """Read a photograph, and count its places right, asked about and wrong."""
    counted["photographs"] += 1
    try:
        read = Reader.of(profile).read(Photo(picture, picture.shape[1::-1], "table")).boards[0]
    except NoBoardError:
        counted["photographs not read"] += 1
        return
    for place, seen in read.places.items():
        right = seen.piece == pieces.get(place)
        is_sure = seen.confidence >= SURE and place.id not in read.doubts
        if is_sure and not right:
            print(f"   wrong: {place}, {pieces.get(place)}, read as {seen}")
        counted["places"] += 1
        counted["right" if is_sure and right else "asked" if not is_sure else "wrong"] += 1
        counted["asked, and would be right"] += right and not is_sure


def measure(kind: str, count_: int, seed: int, out: Path | None = None) -> Counter[str]:
    """Learn and read some editions."""
    counted: Counter[str] = Counter()
    known = pattern(kind)
    for number in range(count_):
        rng = np.random.default_rng([seed, number])
        edition = another_edition(rng, known)
        mine = learned(rng, edition, kind, counted)
        for share in (1.0, 0.5):
            pieces = {
                place: str(rng.choice(mine.game.admits(place)))
                for place in edition.places
                if rng.random() < share
            }
            picture = photographed(rng, edition, pieces)
            if out:
                out.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(out / f"{number:02}-{share}.jpg"), picture)
            count(mine, picture, pieces, counted)
        print(number, dict(counted), flush=True)
    return counted


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", default="nebula/cluster_board")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    print(dict(measure(asked.kind, asked.count, asked.seed, asked.out)))


if __name__ == "__main__":
    main()
