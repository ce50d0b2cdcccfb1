"""Labelled photographs of printed skies to measure a reader on.

python -m models.polaris.rendering.measuring_set standard --out DIR --count 18

Beside our own print there are three editions that nobody sells and no training has seen.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile, load_profile
from calibration.artwork import describe_board
from calibration.drawing import rasterise
from calibration.profile import REFERENCE_FILE, encode_reference
from models.polaris.moon_frame import turned_picture
from models.polaris.random_edition import draw_edition
from models.polaris.random_layout import random_layout
from models.polaris.rendering.kits import KITS, lay_out
from models.polaris.skies import random_sky
from models.rendering.home_printer import Printer
from models.rendering.random_scenes import photograph, photograph_empty, random_shot
from models.rendering.scene import Sheet, TokenSet
from scorer.places import Place
from scorer.polaris.contract import NEW_MOON

FINE = 6
"""The print's px per mm, as it lies on the table."""
LARGER = 1.25
"""The photographs', than those of smaller boards."""
EDITIONS = {"borealis": 5, "vesper": 2, "lyra": 1607}
"""The invented ones, by the seed that draws them."""
PRINTERS = (
    Printer(),
    Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045, bands=0.05, pitch=4),
    Printer("#fbf8f0", inks=(0.8, 0.95, 0.9), deepest=0.06, bands=0.04, pitch=14),
)


def printed_edition(name: str) -> tuple[Profile, np.ndarray]:
    """An edition's profile, and what is printed, (H, W, 3) uint8 BGR at `FINE` px a mm."""
    if name == "standard":
        profile = load_profile("polaris/standard")
        return profile, rasterise(describe_board(profile.layout), FINE)
    rng = np.random.default_rng(EDITIONS[name])
    layout = random_layout(rng, f"Invented sky {name}")
    drawing = draw_edition(rng, layout)
    return Profile(name, layout, rasterise(drawing, PX_PER_MM)), rasterise(drawing, FINE)


def photograph_edition(name: str, out: Path, count: int, samples: int, seed: int) -> None:
    """Write what an edition is calibrated from, and its photographs that are not there yet."""
    profile, drawn = printed_edition(name)
    labelled = out / "labelled"
    labelled.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        picture = Path(work) / "board.png"
        if not (out / "layout.yaml").exists():
            cv2.imwrite(str(picture), drawn)
            (out / REFERENCE_FILE).write_bytes(encode_reference(profile.require_reference()))
            photograph_empty(profile, picture, out, samples)
        for number in range(count):
            if (labelled / f"{number:04}.json").exists():
                continue
            rng = random.Random(f"{name} {seed} {number}")
            numbers = np.random.default_rng(rng.randrange(2**32))
            kit = list(KITS)[number % len(KITS)]
            tokens = lay_out(rng, kit, profile, Path(work))
            pieces = _sky_of(tokens, numbers, profile)
            moon = next(int(place.id) for place, piece in pieces.items() if piece == NEW_MOON)
            turned = turned_picture(numbers, profile, moon, drawn, FINE)
            printer = PRINTERS[number % len(PRINTERS)]
            cv2.imwrite(str(picture), printer.put(turned, FINE, seed=number))
            sheet = Sheet(picture, profile.size_mm)
            shot = random_shot(rng, profile, sheet, pieces, tokens, LARGER)
            sheet = replace(shot.scene.sheet, thickness=rng.uniform(0.2, 2.0))
            shot = replace(shot, scene=replace(shot.scene, sheet=sheet))
            photograph(shot, labelled, number, profile, samples)
            _tell(labelled / f"{number:04}.json", edition=name, kit=kit)


def _sky_of(tokens: TokenSet, rng: np.random.Generator, profile: Profile) -> dict[Place, str]:
    """A random sky of colours that a set of tokens has: a paper one has no orange stars."""
    while True:
        pieces = random_sky(rng, profile.board)
        if all(tokens.has(piece) for piece in pieces.values() if piece != NEW_MOON):
            return pieces


def _tell(labels: Path, **more: str) -> None:
    """Say more about a photograph in its labels."""
    told = json.loads(labels.read_text(encoding="utf-8"))
    labels.write_text(json.dumps({**told, **more}), encoding="utf-8")


def main() -> None:
    """Photograph editions, each into a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=("standard", *EDITIONS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=18)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    photograph_edition(
        asked.edition, asked.out / asked.edition, asked.count, asked.samples, asked.seed
    )


if __name__ == "__main__":
    main()
