"""Labelled photographs of printed skies to measure a reader on.

python -m models.polaris.rendering.measuring_set standard --out DIR --count 18 --games 3

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
from scorer.polaris.game import PHASES

FINE = 6
"""The print's px per mm, as it lies on the table."""
LARGER = 1.25
"""The photographs', than those of smaller boards."""
EDITIONS = {"borealis": 5, "vesper": 2, "lyra": 1607}
"""The invented ones, by the seed that draws them."""
BEFORE_THE_FIRST = 0.3
"""The share of a game's pieces that lie there at the first phase."""
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
        if not (out / "layout.yaml").exists():
            picture = Path(work) / "board.png"
            cv2.imwrite(str(picture), drawn)
            (out / REFERENCE_FILE).write_bytes(encode_reference(profile.require_reference()))
            photograph_empty(profile, picture, out, samples)
        for number in range(count):
            if (labelled / f"{number:04}.json").exists():
                continue
            rng = random.Random(f"{name} {seed} {number}")
            evening = _Evening(name, profile, drawn, rng, number, Path(work))
            evening.photograph(_sky_of(evening.tokens, evening.numbers, profile), labelled, samples)


def photograph_games(name: str, out: Path, count: int, samples: int, seed: int) -> None:
    """Write whole games, five photographs each: what lies stays, and the moon goes on a sector."""
    profile, drawn = printed_edition(name)
    with tempfile.TemporaryDirectory() as work:
        for game in range(count):
            folder = out / "games" / f"{game:02}"
            folder.mkdir(parents=True, exist_ok=True)
            rng = random.Random(f"game {name} {seed} {game}")
            evening = _Evening(name, profile, drawn, rng, game, Path(work))
            last = _sky_of(evening.tokens, evening.numbers, profile)
            first = rng.randrange(PHASES)
            laid = [(place, piece) for place, piece in last.items() if piece != NEW_MOON]
            rng.shuffle(laid)
            for phase in range(PHASES):
                share = BEFORE_THE_FIRST + (1 - BEFORE_THE_FIRST) * phase / (PHASES - 1)
                moon = Place(str((first + phase) % PHASES + 1), "dial")
                pieces = {**dict(laid[: round(share * len(laid))]), moon: NEW_MOON}
                if not (folder / f"{phase:04}.json").exists():
                    evening.photograph(pieces, folder, samples, phase)


class _Evening:
    """A print of an edition, and a set of tokens on it, that are photographed once or more."""

    def __init__(
        self,
        edition: str,
        profile: Profile,
        drawn: np.ndarray,
        rng: random.Random,
        number: int,
        work: Path,
    ) -> None:
        """The `number` says which kit and which printer; pictures are made in the folder `work`."""
        self.edition, self.profile, self._drawn, self._rng = edition, profile, drawn, rng
        self.numbers = np.random.default_rng(rng.randrange(2**32))
        self._kit = list(KITS)[number % len(KITS)]
        self.tokens = lay_out(rng, self._kit, profile, work)
        self._number, self._work = number, work

    def photograph(
        self, pieces: dict[Place, str], folder: Path, samples: int, number: int | None = None
    ) -> None:
        """Write a labelled photograph of these pieces, by the evening's number if by no other."""
        number = self._number if number is None else number
        moon = next(int(place.id) for place, piece in pieces.items() if piece == NEW_MOON)
        turned = turned_picture(self.numbers, self.profile, moon, self._drawn, FINE)
        picture = self._work / "board.png"
        printer = PRINTERS[self._number % len(PRINTERS)]
        cv2.imwrite(str(picture), printer.put(turned, FINE, seed=self._number))
        sheet = Sheet(picture, self.profile.size_mm)
        shot = random_shot(self._rng, self.profile, sheet, pieces, self.tokens, LARGER)
        sheet = replace(shot.scene.sheet, thickness=self._rng.uniform(0.2, 2.0))
        shot = replace(shot, scene=replace(shot.scene, sheet=sheet))
        photograph(shot, folder, number, self.profile, samples)
        _tell(folder / f"{number:04}.json", edition=self.edition, kit=self._kit)


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
    parser.add_argument("--games", type=int, default=0, help="whole games of five photographs")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    out = asked.out / asked.edition
    photograph_edition(asked.edition, out, asked.count, asked.samples, asked.seed)
    photograph_games(asked.edition, out, asked.games, asked.samples, asked.seed)


if __name__ == "__main__":
    main()
