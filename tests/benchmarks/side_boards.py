"""Side boards of other artwork, learned from a photograph of the empty one: places and pieces.

`python -m tests.benchmarks.side_boards [GAME/KIND] [--tables] [--count 12] [--seed 1] [--out DIR]`

Each edition is a drawing with its own geometry, size and inks, with circles beside those that are
read. It is photographed empty, its layout is proposed, and what is off by more than a millimetre is
dragged into place. Then it is photographed twice in other light, full and half full, with pieces
of other makes. With `--tables`, a plainer print of the same places lies instead among the game's
printed boards and sheets in 12 megapixels, in one of four lights; boards with tracks, such as
`nebula/values_board`, are measured only so, with tokens of another make.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration import Profile, ProfileError, load_profile
from calibration.artwork import TokenSpots, artwork, token_sheets
from calibration.calibrate import make_reference
from calibration.drawing import Drawing, Mark, Picture, rasterise
from calibration.layout import Layout, layout_from_data
from calibration.lens import straighten_sides
from calibration.profile import PX_PER_MM, built_in_profiles
from calibration.proposal import propose_layout
from calibration.proposal.propose import REACHES
from calibration.side_boards import pattern, sheet_of
from models.any_game.random_board import draw_places
from models.synthesis.camera import taken
from models.synthesis.light import random_light
from models.synthesis.photograph import draw_board, draw_table_top, draw_tokens
from models.synthesis.placed_board import PlacedBoard
from models.synthesis.texture import Rng
from models.synthesis.token_set import random_token_set
from scorer.board_state import SURE
from scorer.places import Circle, Place, Shape
from tests.benchmarks.card_tables import LOOKS, SIZE_PX, Look
from tests.benchmarks.layout_acceptance import photograph_empty, whole_board_camera
from tests.benchmarks.setup_sheets import seen_on_table
from tests.side_boards import corners_of, foreign_tokens, own_print
from tests.side_boards import photographed as own_photograph
from vision import NoBoardError, Photo, Reader
from vision.token_sheets import TokenSheetReader
from webapp.app.reading.card_jobs import photographed_sheet

OFF_MM = 1.0
"""How far off a proposed place has to be before its owner drags it."""
PHOTOGRAPH_PX = 2000
MOVED = 0.6
"""Chance that a token of a track has moved."""
AT_PX = ((2000, 1750), (650, 1700), (3350, 1500), (2000, 600))
"""Middles of a side board and of others around it on a table."""


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
    return taken(rng, picture, camera)


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


def _tokens_on(rng: Rng, box: Profile, pieces: Mapping[Place, str]) -> list[Mark]:
    """The game's own tokens on some places."""
    marks: list[Mark] = []
    for at, piece in pieces.items():
        x, y = np.array(box.places[at].at) + rng.normal(0, 0.8, 2)
        turn = float(rng.uniform(0, 360))
        marks += artwork(box.layout.game).draw_token(piece, (float(x), float(y)), turn)
    return marks


def on_table(
    rng: Rng, box: Profile, tokens: Sequence[Mark], others: Sequence[np.ndarray], look: Look
) -> np.ndarray:
    """(H, W, 3) uint8 BGR: a side board in the middle of a table, `others` around it."""
    drawn = (Picture(box.require_reference()), *tokens)
    board = rasterise(Drawing(box.size_mm, drawn), PX_PER_MM)
    width, height = SIZE_PX
    image = np.full((height, width, 3), look.table, np.uint8)
    grain = cv2.resize(rng.normal(0, 9, (height // 8, width // 2)), SIZE_PX)
    image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    for face, to in zip((board, *others), AT_PX, strict=False):
        middle = (face.shape[1] / 2, face.shape[0] / 2)
        turned = rng.normal(0, 8) + (180 if face is board and rng.random() < 0.3 else 0)
        way = cv2.getRotationMatrix2D(middle, turned, 1.0)
        way[:, 2] += np.array(to) - middle
        cv2.warpAffine(face, way, SIZE_PX, image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return seen_on_table(image, look, rng)


def measure_tables(kind: str, count_: int, seed: int, out: Path | None = None) -> Counter[str]:
    """Read a side board on some tables."""
    counted: Counter[str] = Counter()
    known = pattern(kind)
    printed = load_profile(next(iter(built_in_profiles(known.layout.game))))
    sheets = [
        rasterise(one.sheet, PX_PER_MM)
        for one in token_sheets(printed.layout)
        if one.sheet.name != known.layout.kind
    ]
    others = [printed.require_reference(), printed.require_reference(), *sheets]
    for number in range(count_):
        rng = np.random.default_rng([seed, number])
        box = own_print(known, number)
        reference = make_reference(own_photograph(box, {}), np.array(corners_of(box)), box.layout)
        pieces: Mapping[Place, str]
        if tracks := sheet_of(box).tracks:
            at = _advanced(rng, tracks)
            marks = foreign_tokens(rng, box, at)
        else:
            pieces = {place: str(rng.choice(box.game.admits(place))) for place in box.places}
            marks = _tokens_on(rng, box, pieces)
        picture = on_table(rng, box, marks, others, LOOKS[number % len(LOOKS)])
        if out:
            out.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(out / f"table-{number:02}.jpg"), picture)
        mine = Profile("mine", box.layout, reference)
        if tracks:
            count_tracks(mine, picture, at, counted)
        else:
            count(mine, picture, pieces, counted)
        print(number, dict(counted), flush=True)
    return counted


def _advanced(rng: Rng, tracks: Mapping[str, TokenSpots]) -> dict[str, dict[str, int]]:
    """The number of each token's square, by the track: none shares one but the start."""
    return {
        track: {
            token: int(square) if rng.random() < MOVED else 0
            for token, square in zip(
                own.tokens, 1 + rng.permutation(len(own.at) - 1)[: len(own.tokens)], strict=True
            )
        }
        for track, own in tracks.items()
    }


def count_tracks(
    mine: Profile, picture: np.ndarray, at: Mapping[str, Mapping[str, int]], counted: Counter[str]
) -> None:
    """Read a board's tracks, and count them."""
    counted["photographs"] += 1
    read = TokenSheetReader([photographed_sheet(mine)]).find(picture)
    if read is None:
        counted["photographs not read"] += 1
        return
    for track, own in read.tracks.items():
        moved = sorted(
            (one for one, square in at[track].items() if square), key=at[track].__getitem__
        )
        is_right = [*own.order] == moved[::-1]
        counted["tracks"] += 1
        counted["right" if own.certain and is_right else "wrong" if own.certain else "asked"] += 1
        if own.certain and not is_right:
            print("   wrong:", track, at[track], own)


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
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    run = measure_tables if asked.tables else measure
    print(dict(run(asked.kind, asked.count, asked.seed, asked.out)))


if __name__ == "__main__":
    main()
