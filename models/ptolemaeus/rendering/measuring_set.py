"""Labelled photographs of printed zodiacs at the end of a game, to measure a reader on.

python -m models.ptolemaeus.rendering.measuring_set --out DIR --count 20
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2

from calibration import Profile, load_profile
from calibration.artwork import describe_board
from calibration.drawing import Drawing, rasterise
from calibration.ptolemaeus.artwork import draw_token
from calibration.ptolemaeus.solids import HEIGHT_MM, SIDE_MM, top
from models.rendering.home_printer import Printer
from models.rendering.random_scenes import photograph, random_shot
from models.rendering.scene import Sheet, TokenSet
from scorer.places import Place
from scorer.ptolemaeus.game import BODIES, PTOLEMAEUS
from scorer.ptolemaeus.turns import TURNS

FINE = 5
"""The print's px per mm, as it lies on the table."""
LARGER = 1.5
"""The photographs', than those of smaller boards."""
KITS = ("paper", "solids", "wood")
"""Discs of paper; bodies folded to boxes; those with wooden discs for the players' pieces."""
TWELVE_OF_TWENTY = (0, 1, 2, 1, 2)
"""The kits in turn: three of five photographs have solids and more."""
PRINTERS = (
    Printer(),
    Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045, bands=0.05, pitch=4),
    Printer("#fbf8f0", inks=(0.8, 0.95, 0.9), deepest=0.06, bands=0.04, pitch=14),
)


def lay_out(kit: str, printer: Printer, seed: int, folder: Path) -> TokenSet:
    """The tokens of a kit, printed into a folder."""
    made: dict[str, TokenSet] = {}
    for number, piece in enumerate(PTOLEMAEUS.pieces):
        stands = kit != "paper" and piece.id in BODIES
        wide = SIDE_MM if stands else piece.diameter_mm or 8.0
        marks = top(piece.id, (wide / 2, wide / 2)) if stands else None
        drawing = Drawing((wide, wide), tuple(marks or draw_token(piece.id, (wide / 2, wide / 2))))
        path = folder / f"{kit}-{piece.id}.png"
        cv2.imwrite(str(path), printer.put(rasterise(drawing, 16), 16, seed=seed + number))
        own = TokenSet(points=0, radius=wide / 2, height=0.4, faces={piece.id: path})
        if stands:
            own = replace(own, bar=(wide, wide), height=HEIGHT_MM)
        elif kit == "wood" and piece.owner:
            own = replace(own, height=4.0, faces={}, paints={piece.id: piece.colour})
        made[piece.id] = own
    return TokenSet(others=made)


def end_state(rng: random.Random, players: int) -> Mapping[Place, str]:
    """What lies on the board at the end of a random game."""
    state = TURNS.dealt(TURNS.start({"players": players}), rng)
    while actions := TURNS.actions(state):
        state = TURNS.dealt(TURNS.after(state, rng.choice(actions)), rng)
    return dict(TURNS.positions(state)[0].pieces)


def photograph_ends(out: Path, profile: Profile, count: int, samples: int, seed: int) -> None:
    """Write the photographs that are not there yet."""
    labelled = out / "labelled"
    labelled.mkdir(parents=True, exist_ok=True)
    drawn = rasterise(describe_board(profile.layout), FINE)
    with tempfile.TemporaryDirectory() as work:
        for number in range(count):
            if (labelled / f"{number:04}.json").exists():
                continue
            rng = random.Random(f"ptolemaeus {seed} {number}")
            kit = KITS[TWELVE_OF_TWENTY[number % len(TWELVE_OF_TWENTY)]]
            printer, picture = PRINTERS[number % len(PRINTERS)], Path(work) / "board.png"
            cv2.imwrite(str(picture), printer.put(drawn, FINE, seed=number))
            tokens = lay_out(kit, printer, number, Path(work))
            pieces = end_state(rng, rng.choice((2, 3, 4)))
            sheet = Sheet(picture, profile.size_mm)
            shot = random_shot(rng, profile, sheet, pieces, tokens, LARGER)
            photograph(shot, labelled, number, profile, samples)
            labels = labelled / f"{number:04}.json"
            told = json.loads(labels.read_text(encoding="utf-8"))
            labels.write_text(json.dumps({**told, "kit": kit}), encoding="utf-8")


def main() -> None:
    """Photograph ends of games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    profile = load_profile("ptolemaeus/standard")
    photograph_ends(asked.out, profile, asked.count, asked.samples, asked.seed)


if __name__ == "__main__":
    main()
