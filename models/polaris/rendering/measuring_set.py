"""Labelled photographs of printed skies to measure a reader on.

python -m models.polaris.rendering.measuring_set standard --out DIR --count 18 --games 3

Besides our own print there are random editions that are never used for training.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile, load_profile
from calibration.artwork import describe_board
from calibration.drawing import rasterise
from calibration.polaris.artwork import DIAMETER_MM, LINK_MM, TOKEN_STYLES
from calibration.profile import REFERENCE_FILE, encode_reference
from models.polaris.moon_frame import turned_picture
from models.polaris.random_edition import draw_edition
from models.polaris.random_layout import random_layout
from models.polaris.skies import random_sky
from models.rendering.kits import load_sets
from models.rendering.printed_games import PRINTERS
from models.rendering.random_scenes import photograph, photograph_empty, random_shot
from models.rendering.scene import Sheet, TokenSet
from scorer.places import Place
from scorer.polaris.contract import LINK, NEW_MOON
from scorer.polaris.game import PHASES

FINE = 6
"""Resolution of the print on the table, in px per mm."""
LARGER = 1.25
"""How much larger the photographs are than those of smaller boards."""
EDITIONS = {
    **{"borealis": 5, "vesper": 2, "lyra": 1607},
    **{"altair": 7411, "rigel": 9052, "atria": 6203, "sabik": 3377, "tarazed": 5819},
}
"""The seeds of the random editions."""
SIZES = {**dict.fromkeys(TOKEN_STYLES, (DIAMETER_MM, DIAMETER_MM)), LINK: LINK_MM}
"""The sizes of printed tokens, in mm."""
BEFORE_THE_FIRST = 0.3
"""The share of a game's pieces that are on the board in the first phase."""
Sky = dict[Place, str]
Skies = Callable[[random.Random, Sky], Iterable[Sky]]


def printed_edition(name: str) -> tuple[Profile, np.ndarray]:
    """An edition's profile and its print, (H, W, 3) uint8 BGR at `FINE` px per mm."""
    if name == "standard":
        profile = load_profile("polaris/standard")
        return profile, rasterise(describe_board(profile.layout), FINE)
    rng = np.random.default_rng(EDITIONS[name])
    layout = random_layout(rng, f"Invented sky {name}")
    drawing = draw_edition(rng, layout)
    return Profile(name, layout, rasterise(drawing, PX_PER_MM)), rasterise(drawing, FINE)


def photograph_edition(name: str, out: Path, asked: argparse.Namespace) -> None:
    """Write an edition's calibration files, its missing photographs, and its games.

    A game has five photographs: pieces stay, and the moon advances by one sector.
    """
    profile, drawn = printed_edition(name)
    labelled = out / "labelled"
    labelled.mkdir(parents=True, exist_ok=True)
    if not (out / "layout.yaml").exists():
        with tempfile.TemporaryDirectory() as work:
            picture = Path(work) / "board.png"
            cv2.imwrite(str(picture), drawn)
            (out / REFERENCE_FILE).write_bytes(encode_reference(profile.require_reference()))
            photograph_empty(profile, picture, out, asked.samples)
    for number in range(asked.count):
        evening = _Evening(name, profile, drawn, f"{name} {asked.seed} {number}", number)
        evening.photograph(labelled, number, _one_sky, asked.samples)
    for game in range(asked.games):
        evening = _Evening(name, profile, drawn, f"game {name} {asked.seed} {game}", game)
        evening.photograph(out / "games" / f"{game:02}", 0, _game, asked.samples)


@dataclass(frozen=True)
class _Evening:
    """An edition's print and a set of tokens; `number` selects the kit and the printer."""

    edition: str
    profile: Profile
    drawn: np.ndarray
    seed: str
    number: int

    def photograph(self, folder: Path, first: int, skies: Skies, samples: int) -> None:
        """Write labelled photographs of some skies, numbered from `first`."""
        folder.mkdir(parents=True, exist_ok=True)
        rng, profile = random.Random(self.seed), self.profile
        numbers = np.random.default_rng(rng.randrange(2**32))
        kits = load_sets(__package__)
        kit = list(kits)[self.number % len(kits)]
        printer = PRINTERS[self.number % len(PRINTERS)]
        with tempfile.TemporaryDirectory() as work:
            picture = Path(work) / "board.png"
            seed = 0 if kits[kit].tokens.paints else rng.randrange(1000)
            tokens = kits[kit].tokens_for(profile, SIZES, Path(work), seed)
            last = _sky_of(tokens, numbers, profile)
            for number, pieces in enumerate(skies(rng, last), start=first):
                labels = folder / f"{number:04}.json"
                if labels.exists():
                    continue
                moon = next(int(place.id) for place, piece in pieces.items() if piece == NEW_MOON)
                turned = turned_picture(numbers, profile, moon, self.drawn, FINE)
                cv2.imwrite(str(picture), printer.put(turned, FINE, seed=self.number))
                sheet = Sheet(picture, profile.size_mm)
                shot = random_shot(rng, profile, sheet, pieces, tokens, LARGER)
                sheet = replace(shot.scene.sheet, thickness=rng.uniform(0.2, 2.0))
                shot = replace(shot, scene=replace(shot.scene, sheet=sheet))
                photograph(shot, folder, number, profile, samples)
                written = json.loads(labels.read_text(encoding="utf-8"))
                more = {"edition": self.edition, "kit": kit}
                labels.write_text(json.dumps({**written, **more}), encoding="utf-8")


def _one_sky(rng: random.Random, last: Sky) -> Iterator[Sky]:
    yield last


def _game(rng: random.Random, last: Sky) -> Iterator[Sky]:
    """The skies of a game's phases, of which `last` is the final one."""
    first = rng.randrange(PHASES)
    laid = [(place, piece) for place, piece in last.items() if piece != NEW_MOON]
    rng.shuffle(laid)
    for phase in range(PHASES):
        share = BEFORE_THE_FIRST + (1 - BEFORE_THE_FIRST) * phase / (PHASES - 1)
        moon = Place(str((first + phase) % PHASES + 1), "dial")
        yield {**dict(laid[: round(share * len(laid))]), moon: NEW_MOON}


def _sky_of(tokens: TokenSet, rng: np.random.Generator, profile: Profile) -> Sky:
    """A random sky in the colours of a set of tokens: a paper set has no orange stars."""
    while True:
        pieces = random_sky(rng, profile.board)
        if all(tokens.has(piece) for piece in pieces.values() if piece != NEW_MOON):
            return pieces


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=("standard", *EDITIONS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=18)
    parser.add_argument("--games", type=int, default=0, help="whole games of five photographs")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    photograph_edition(asked.edition, asked.out / asked.edition, asked)


if __name__ == "__main__":
    main()
