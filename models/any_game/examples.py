"""Examples to train on, drawn once and kept in files: `python -m models.any_game.examples`."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import click
import cv2
import numpy as np

from calibration import Profile, load_profile
from models.any_game.random_board import random_board
from models.any_game.random_kinds import Kind
from models.any_game.random_scene import Example, photographed_example, random_example
from models.synthesis.placed_board import set_board
from models.synthesis.plugin import synthesis
from models.synthesis.texture import Rng, bgr

OF_A_BOARD = 2
"""So many photographs are taken of each board, with other pieces and in another light."""


def game_example(rng: Rng, profile: Profile) -> Example:
    """The same of a board of a known game, as that game is synthesized."""
    brought = synthesis(profile.layout.game)
    tokens = brought.token_set(rng, profile)
    placed = set_board(rng, brought, profile, np.zeros(2), float(rng.uniform(0, 2 * np.pi)), tokens)
    pieces = [piece for piece in profile.game.pieces if piece.id in tokens]
    kinds = [Kind(bgr(piece.colour), tokens[piece.id], "edge" in piece.lies_on) for piece in pieces]
    number = {piece.id: n for n, piece in enumerate(pieces)}
    labels = {place: number[lies] for place, lies in placed.pieces.items() if lies in number}
    return photographed_example(rng, placed, profile, kinds, labels)


def write_examples(folder: Path, first: int, count: int, pattern: Profile | None = None) -> None:
    """Write the examples of boards number ``first`` and on; those that are there stay.

    They are boards of no game, or invented editions of the ``pattern``'s.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for number in range(first, first + count):
        rng = np.random.default_rng(number)
        board = random_board(rng) if pattern is None else _edition(rng, pattern)
        for photograph in range(OF_A_BOARD):
            file = folder / f"{number:05d}-{photograph}.npz"
            draw = random_example if pattern is None else game_example
            example = draw(rng, board)
            if not file.exists():
                written = {field.name: getattr(example, field.name) for field in fields(Example)}
                part = file.with_suffix(".part")
                with part.open("wb") as out:
                    np.savez(out, **written)
                part.replace(file)


def _edition(rng: Rng, pattern: Profile) -> Profile:
    """The pattern itself, or a board of its game that nobody has printed."""
    if rng.random() < 0.4:
        return pattern
    return synthesis(pattern.layout.game).edition(rng, pattern, "invented")


class ExampleFiles(Sequence[Example]):
    """The examples of a folder and of those in it, in their order, read when they are wanted."""

    def __init__(self, folder: Path) -> None:
        """List what is there now."""
        self._files = sorted(folder.rglob("*.npz"))

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, number: int) -> Example:  # type: ignore[override]
        with np.load(self._files[number]) as kept:
            return Example(**{name: kept[name] for name in kept.files})


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--first", default=0)
@click.option("--count", default=500)
@click.option("--profile", help="Draw boards like this one, of its game, instead of any.")
def main(folder: Path, first: int, count: int, profile: str | None) -> None:
    """Draw examples of boards of no game, or of one's, into FOLDER."""
    write_examples(folder, first, count, None if profile is None else load_profile(profile))


if __name__ == "__main__":
    main()
