"""Labelled photographs of a printed game's board at moments of its games, in several kits."""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from calibration import Profile, load_profile
from calibration.artwork import artwork, describe_board
from calibration.drawing import Fill, Mark, Point, rasterise
from models.rendering.home_printer import Printer
from models.rendering.kits import print_faces
from models.rendering.random_scenes import photograph, random_shot
from models.rendering.scene import PlacedPiece, Sheet, TokenSet
from scorer.game import Piece
from scorer.places import Place

FINE = 5
"""The print's px per mm, as it lies on the table."""
PAPER_MM = 0.4
TIPPED, LEANS = 0.4, (6.0, 25.0)
"""The share of bumped boxes that lie on a side; by how many degrees the others lean."""
STACKED = 1.9
"""Radii between pieces one of which lies on the other."""
PRINTERS = (
    Printer(),
    Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045, bands=0.05, pitch=4),
    Printer("#fbf8f0", inks=(0.8, 0.95, 0.9), deepest=0.06, bands=0.04, pitch=14),
)


@dataclass(frozen=True)
class Make:
    """How a kit has a piece, which is printed unless it is `painted`.

    `net` are the marks of a box of `box_mm` as it is cut out, about its top; without it a printed
    piece is the paper disc that is cut out. `material` is what a painted one is made of. `corners`
    are those of other outlines.
    """

    height_mm: float = PAPER_MM
    box_mm: float | None = None
    net: Callable[[str, Point], Iterator[Mark]] | None = None
    painted: bool = False
    material: str = "wood"
    corners: int = 0


@dataclass(frozen=True)
class PrintedGame:
    """What a game brings: its `profile`, `kits`, and each kit's piece.

    `moment` is what lies at some moment of a random game; `lay` where hands lay the pieces of
    regions, in mm (`random_shot`'s own way without). Photographs are `larger` than those of smaller
    boards.
    """

    profile: str
    kits: Sequence[str]
    make: Callable[[str, Piece], Make]
    moment: Callable[[random.Random], Mapping[Place, str]]
    lay: Callable[[random.Random, Profile, Mapping[Place, str]], Mapping[Place, Point]] | None = (
        None
    )
    larger: float = 1.5


def print_tokens(
    game: PrintedGame, kit: str, printer: Printer, seed: int, folder: Path
) -> TokenSet:
    """The tokens of a kit, printed into a folder."""
    profile = load_profile(game.profile)
    draw = artwork(profile.layout.game).draw_token
    pieces = {piece.id: piece for piece in profile.game.pieces}
    makes = {id: game.make(kit, piece) for id, piece in pieces.items()}
    widths = {id: piece.diameter_mm or 8.0 for id, piece in pieces.items()}
    sides = {
        id: (own.box_mm or widths[id]) + (2 * own.height_mm if own.net else 0)
        for id, own in makes.items()
    }

    def face(id: str, at: Point) -> Sequence[Mark]:
        side = sides[id]
        if net := makes[id].net:
            return [*net(id, at)]
        ground = Fill((((0, 0), (side, 0), (side, side), (0, side)),), pieces[id].colour)
        return [ground, *draw(id, at)]

    sizes = {id: (side, side) for id, side in sides.items()}
    faces = print_faces(face, sizes, printer, folder, seed)
    made: dict[str, TokenSet] = {}
    for id, own in makes.items():
        seen = {"paints": {id: pieces[id].colour}} if own.painted else {"faces": {id: faces[id]}}
        made[id] = TokenSet(
            points=own.corners // 2,
            waist=1.0,
            radius=widths[id] / 2,
            height=own.height_mm,
            bar=(own.box_mm, own.box_mm) if own.box_mm else None,
            folded=own.net is not None,
            material=own.material,
            **seen,
        )
    return TokenSet(others=made)


def bumped(
    rng: random.Random, pieces: Sequence[PlacedPiece], tokens: TokenSet, share: float
) -> Iterator[PlacedPiece]:
    """Pieces as a hand left them that bumped into a share of the folded ones.

    Two in five of those lie on a side, the others lean. What reaches over another lies on it.
    """
    done: list[tuple[PlacedPiece, TokenSet]] = []
    for piece in pieces:
        own = tokens.of(piece.piece)
        below = (
            under.up + kind.height
            for under, kind in done
            if math.dist(under.at, piece.at) < min(kind.radius, own.radius) * STACKED
        )
        piece = replace(piece, up=max(below, default=0.0))
        if own.folded and rng.random() < share:
            piece = replace(piece, lean=90.0 if rng.random() < TIPPED else rng.uniform(*LEANS))
        done.append((piece, own))
        yield piece


def photograph_moments(
    game: PrintedGame,
    out: Path,
    count: int,
    samples: int,
    seed: int,
    bump: float,
    kits: Sequence[str],
) -> None:
    """Write the photographs that are not there yet, the `kits` in turn.

    A hand bumped into a share of the boxes, `bump`.
    """
    profile = load_profile(game.profile)
    labelled = out / "labelled"
    labelled.mkdir(parents=True, exist_ok=True)
    drawn = rasterise(describe_board(profile.layout), FINE)
    with tempfile.TemporaryDirectory() as work:
        for number in range(count):
            labels = labelled / f"{number:04}.json"
            if labels.exists():
                continue
            rng = random.Random(f"{profile.layout.game} {seed} {number}")
            kit = kits[number % len(kits)]
            printer, picture = PRINTERS[number % len(PRINTERS)], Path(work) / "board.png"
            cv2.imwrite(str(picture), printer.put(drawn, FINE, seed=number))
            tokens = print_tokens(game, kit, printer, number, Path(work))
            pieces = game.moment(rng)
            spots = game.lay(rng, profile, pieces) if game.lay else None
            sheet = Sheet(picture, profile.size_mm)
            shot = random_shot(rng, profile, sheet, pieces, tokens, game.larger, spots)
            placed = tuple(bumped(rng, shot.scene.pieces, tokens, bump))
            shot = replace(shot, scene=replace(shot.scene, pieces=placed))
            photograph(shot, labelled, number, profile, samples)
            written = json.loads(labels.read_text(encoding="utf-8"))
            labels.write_text(json.dumps({**written, "kit": kit}), encoding="utf-8")


def command(game: PrintedGame, doc: str | None) -> None:
    """Photograph moments of games as a command's options say."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bumped", type=float, default=0.0, help="The share of boxes that lean.")
    kits = [*dict.fromkeys(game.kits)]
    parser.add_argument("--kits", nargs="+", choices=kits, default=game.kits, metavar="KIT")
    asked = parser.parse_args()
    photograph_moments(
        game, asked.out, asked.count, asked.samples, asked.seed, asked.bumped, asked.kits
    )
