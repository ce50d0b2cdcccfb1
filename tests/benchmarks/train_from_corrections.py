"""The effect of training from corrections for sets of stars unlike any in the models' training.

    python -m tests.benchmarks.train_from_corrections [--sets 3] [--seed 41] [--boards 12]

Each set is photographed in play under its own lamp, as a careful person does, and every board is
confirmed. Prints the training's own report, its duration, and how further boards of the same set,
which nobody corrected, are read with the old and the new weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import cv2
import numpy as np

from calibration import load_profile
from models.fine_tuning import (
    SHIPPED,
    NoTimeError,
    TooFewExamplesError,
    example_sample,
    figures,
    fine_tune,
)
from models.kept_example import KeptExample
from models.set_transformer import Sample
from models.synthesis.plugin import synthesis
from models.trained_network import load_ensemble
from tests.benchmarks.star_kits import photograph, random_lamp, strange_set
from vision.rectify import straighten

MORE = 8
"""Further boards of a set, to be read."""


def confirmed(folder: Path, seed: int, number: int, boards: int) -> list[KeptExample]:
    """Return confirmed boards of a set, as the companion keeps them."""
    rng = np.random.default_rng([seed, number])
    profile = load_profile("standard")
    _, tokens = strange_set(rng)
    lamp = random_lamp(rng)
    examples = []
    for board in range(boards):
        pieces = dict(synthesis("nebula").position(rng, profile))
        shot = photograph(rng, profile, tokens, pieces, lamp)
        picture = straighten(shot.picture, shot.corners, profile.size_mm)
        path = folder / f"{number}-{board}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
        examples.append(KeptExample(path, profile, pieces))
    return examples


def measure(sets: int, seed: int, boards: int) -> None:
    """Train for each set; print the results."""
    shipped = SHIPPED / "nebula"
    start = shipped / "set-classifier.onnx"
    for number in range(sets):
        with TemporaryDirectory() as work:
            folder = Path(work)
            examples = confirmed(folder, seed, number, boards + MORE)
            kept, more = examples[:boards], examples[boards:]
            begun = monotonic()
            try:
                outcome = fine_tune("nebula", kept, shipped, start, folder / "own", 900)
            except (TooFewExamplesError, NoTimeError) as refusal:
                print(f"{seed}/{number}: {refusal!r}")
                continue
            took = monotonic() - begun
            samples: Sequence[Sample] = [example_sample(one, shipped) for one in more]
            old = figures(load_ensemble(start), samples)
            new = figures(load_ensemble(outcome.weights), samples) if outcome.weights else old
            print(
                f"{seed}/{number}: {took:.0f} s, {outcome.corrected} of {outcome.boards} corrected;"
                f" held out {outcome.held_out[0].wrong} -> {outcome.held_out[1].wrong} of"
                f" {outcome.held_out[0].places}; check {outcome.check[0].wrong} ->"
                f" {outcome.check[1].wrong} of {outcome.check[0].places}; further boards"
                f" {old.wrong} ({old.silent} silent) -> {new.wrong} ({new.silent}) of {old.places};"
                f" {'taken' if outcome.weights else 'not taken'}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--boards", type=int, default=12)
    asked = parser.parse_args()
    measure(asked.sets, asked.seed, asked.boards)
