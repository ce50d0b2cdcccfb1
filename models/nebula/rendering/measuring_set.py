"""Labelled photographs of Nebula's boards to measure a reader on.

python -m models.nebula.rendering.measuring_set standard --out DIR --count 24

With `--positions FILE` the boards hold the positions in a JSON file, one for each player, such as
`webapp/demo/truth.json`, the game that `stargazer demo` scores.
"""

import argparse
import colorsys
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
from calibration.nebula.artwork import DIAMETER_MM, TOKEN_STYLES
from models.nebula.random_edition import draw_edition
from models.rendering.kits import PrintAndPlaySet, load_sets
from models.rendering.phone import Phone
from models.rendering.random_scenes import Shot, photograph, photograph_empty, random_shot
from models.rendering.scene import Sheet, TokenSet
from models.rendering.tables import random_table
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import COLOURS
from scorer.places import Place

PAINTS = {
    "red": "#c21f2a",
    "purple": "#6a389e",
    "yellow": "#f4c414",
    "white": "#f1ede3",
    "blue": "#1b5cc0",
    "orange": "#f07a18",
    "black": "#131316",
}
"""The colours of painted stars, #rrggbb, before each maker's variation."""

EDITIONS = {"carina": 11}
"""The seeds of random editions that are never used for training."""


def _galaxy(rng: random.Random, profile: Profile) -> Galaxy:
    """A galaxy of legal placements; one in five has a random colour on one space."""
    galaxy = Galaxy({}, board=profile.board)
    for _ in range(rng.choice((0, 5, 10, 14, 18, 20, 22, 23, 25))):
        free = [(s, c) for s, c in galaxy.legal_placements() if s not in galaxy.stars]
        if not free:
            break
        galaxy = galaxy.place(*rng.choice(free))
    stars = dict(galaxy.stars)
    if stars and rng.random() < 0.2:
        stars[rng.choice(sorted(stars))] = rng.choice(COLOURS)
    black = rng.choice((0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 10))
    return Galaxy(stars, black, profile.board)


def random_tokens(rng: random.Random) -> TokenSet:
    points = rng.choice((0, 4, 5, 5, 6, 7, 8))
    return TokenSet(
        points=points,
        waist=rng.uniform(0.5, 0.72) if points else 1.0,
        radius=rng.uniform(6.0, 7.8),
        height=rng.uniform(2.0, 7.0),
        material=rng.choice(("wood", "plastic", "acrylic")),
        paints={name: _another_shade(rng, paint) for name, paint in PAINTS.items()},
    )


def _another_shade(rng: random.Random, paint: str) -> str:
    """A slightly different shade, as by another maker."""
    hue, light, saturation = colorsys.rgb_to_hls(
        *(level / 255 for level in bytes.fromhex(paint[1:]))
    )
    hue += rng.uniform(-0.012, 0.012)
    light = min(0.96, light * rng.uniform(0.85, 1.15))
    saturation *= rng.uniform(0.8, 1.0)
    return "#" + "".join(
        f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(hue % 1, light, saturation)
    )


def _missing(folder: Path, count: int) -> list[int]:
    """The numbers of missing photographs, so that an interrupted run resumes."""
    folder.mkdir(parents=True, exist_ok=True)
    return [number for number in range(count) if not (folder / f"{number:04}.json").exists()]


def photograph_edition(asked: argparse.Namespace, profile: Profile, place: Path) -> None:
    """Photograph an edition in random light with random tokens."""
    drawing = describe_board(profile.layout)
    if asked.edition in EDITIONS:
        numbers = np.random.default_rng(EDITIONS[asked.edition])
        layout, drawing = draw_edition(numbers, profile, asked.edition)
        profile = Profile(asked.edition, layout)
    picture = place / "board.png"
    cv2.imwrite(str(picture), rasterise(drawing, 2 * PX_PER_MM))
    labelled = asked.out / "labelled"
    given = json.loads(asked.positions.read_text(encoding="utf-8")) if asked.positions else {}
    galaxies = [NEBULA.position_from_data(profile.board, own) for own in given.values()]
    missing = _missing(labelled, len(galaxies) or asked.count)
    if not (asked.out / "layout.yaml").exists():
        photograph_empty(profile, picture, asked.out, asked.samples)
    for number in missing:
        rng = random.Random(f"{asked.edition} {asked.seed} {number}")
        galaxy = galaxies[number] if galaxies else _galaxy(rng, profile)
        pieces = NEBULA.pieces_of(galaxy)
        shot = random_shot(
            rng, profile, Sheet(picture, profile.size_mm), pieces, random_tokens(rng)
        )
        photograph(shot, labelled, number, profile, asked.samples)


def furnish(home: PrintAndPlaySet, profile: Profile, folder: Path) -> tuple[Sheet, TokenSet]:
    """Print a kit's board and tokens into a folder."""
    fine = 2 * PX_PER_MM
    picture = rasterise(describe_board(profile.layout), fine)
    beside, above = (round(more * fine) for more in home.margin)
    sheet = cv2.copyMakeBorder(
        picture, above, above, beside, beside, cv2.BORDER_CONSTANT, value=(255, 255, 255)
    )
    path = folder / "board.png"
    cv2.imwrite(str(path), home.printer.put(np.asarray(sheet, np.uint8), fine))
    sizes = dict.fromkeys(TOKEN_STYLES, (DIAMETER_MM, DIAMETER_MM))
    tokens = home.tokens_for(profile, sizes, folder)
    return Sheet(path, profile.size_mm, home.margin), tokens


def on_paper(shot: Shot, home: PrintAndPlaySet) -> Shot:
    """The shot with the kit's paper instead of cardboard."""

    def as_printed(sheet: Sheet) -> Sheet:
        return replace(sheet, thickness=home.thickness, roughness=home.roughness)

    scene = shot.scene
    neighbours = tuple(replace(n, sheet=as_printed(n.sheet)) for n in scene.neighbours)
    scene = replace(scene, sheet=as_printed(scene.sheet), neighbours=neighbours)
    return replace(shot, scene=scene)


def photograph_homes(asked: argparse.Namespace, profile: Profile, place: Path) -> None:
    """Photograph each kit's print: one of each piece, then `--count` photographs of boards.

    For the edition `tables`, each photograph shows two to four boards.
    """
    for name, home in load_sets(__package__).items():
        printed, tokens = furnish(home, profile, place)
        folder = asked.out / name
        for number in _missing(folder / "stars", 1):
            rng = random.Random(f"{name} {asked.seed} stars")
            spaces = rng.sample(sorted(profile.spaces), len(profile.game.pieces))
            each = (piece.id for piece in profile.game.pieces)
            shot = random_shot(
                rng, profile, printed, dict(zip(map(Place, spaces), each, strict=True)), tokens
            )
            alone = replace(shot.scene, pieces=shot.scene.pieces[: len(spaces)])
            shot = replace(shot, scene=alone, brightness=110, phone=Phone())
            photograph(on_paper(shot, home), folder / "stars", number, profile, asked.samples)
        for number in _missing(folder / "labelled", asked.count):
            rng = random.Random(f"{asked.edition} {name} {asked.seed} {number}")
            boards = rng.choice((2, 3, 4, 4)) if asked.edition == "tables" else 1
            positions = [NEBULA.pieces_of(_galaxy(rng, profile)) for _ in range(boards)]
            if boards == 1:
                shot = random_shot(rng, profile, printed, positions[0], tokens)
            else:
                shot = random_table(rng, profile, printed, positions, tokens)
            shot = replace(shot, brightness=rng.uniform(55, 150))
            photograph(on_paper(shot, home), folder / "labelled", number, profile, asked.samples)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=("standard", *EDITIONS, "homes", "tables"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--positions", type=Path, help="of an edition: instead of --count")
    parser.add_argument("--count", type=int, default=24, help="of a home: of each")
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    take = photograph_homes if asked.edition in ("homes", "tables") else photograph_edition
    with tempfile.TemporaryDirectory() as place:
        take(asked, load_profile("standard"), Path(place))


if __name__ == "__main__":
    main()
