"""Labelled photographs of a printed game's board at moments of its games, in several kits."""

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
from scorer.places import Place
from scorer.table import Piece

FINE = 5
"""Resolution of the print on the table, in px per mm."""
PAPER_MM = 0.4
TIPPED, LEANS = 0.4, (6.0, 25.0)
"""The share of bumped boxes that lie on a side, and the angles of the others in degrees."""
STACKED = 1.9
"""Pieces closer than this many radii are on top of each other."""
PRINTERS = (
    Printer(),
    Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045, bands=0.05, pitch=4),
    Printer("#fbf8f0", inks=(0.8, 0.95, 0.9), deepest=0.06, bands=0.04, pitch=14),
)


@dataclass(frozen=True)
class Make:
    """How a kit makes a piece, which is printed unless it is `painted`.

    `net` draws the net of a box of `box_mm`, around its top; without it a printed piece is a paper
    disc. `material` is that of painted pieces. Outlines other than discs have `corners`.
    """

    height_mm: float = PAPER_MM
    box_mm: float | None = None
    net: Callable[[str, Point], Iterator[Mark]] | None = None
    painted: bool = False
    material: str = "wood"
    corners: int = 0


@dataclass(frozen=True)
class PrintedGame:
    """A game's `profile`, its `kits`, and how each kit makes a piece.

    `moment` returns the pieces at a random moment of a random game; `lay` the positions of pieces
    in regions, in mm (by default `random_shot` chooses). Photographs are `larger` than those of
    smaller boards by this factor.
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
    """The tokens of a kit, with their faces printed into a folder."""
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
    """The pieces after a hand bumped into a `share` of the folded ones.

    Two in five of these lie on a side, the others lean. A piece that overlaps another is on top.
    """
    done: list[tuple[PlacedPiece, TokenSet]] = []
    for piece in pieces:
        own = tokens.of(piece.piece)
        below = (
            (under.up + kind.height, index)
            for index, (under, kind) in enumerate(done)
            if math.dist(under.at, piece.at) < min(kind.radius, own.radius) * STACKED
        )
        up, on = max(below, default=(0.0, None))
        piece = replace(piece, up=up, on=on)
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
    """Write the missing photographs, with the `kits` in turn.

    `bump` is the share of boxes that a hand bumped into.
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
    """Run the command line of a measuring set."""
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
