"""Recognition of the board in a photograph among many: accuracy, and the cost of choosing.

`python -m tests.benchmarks.recognition_acceptance [--count 20] [--seed 1]`

Invented editions, each photographed at an angle. Half of them have the standard board's geometry,
so that only the artwork distinguishes them. Each photograph is given to a recogniser that knows
only its board, to one that knows all, and to one that knows all others.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from calibration import Profile, load_profile
from models.nebula.random_edition import random_edition
from tests.benchmarks.layout_acceptance import EmptyBoard, empty_boards, photograph_empty
from vision import Find, Recogniser

FAR_OFF = 0.02
"""The tolerance of a corner, as a fraction of the board's side."""


def photographs(count: int, seed: int) -> list[EmptyBoard]:
    """Return photographs, half with the standard geometry, half with different ones."""
    standard = load_profile("standard")
    found = list(empty_boards(count // 2, seed))
    for number in range(len(found), count):
        rng = np.random.default_rng([seed, number])
        edition = random_edition(rng, standard, f"{number:02d}")
        found.append(photograph_empty(rng, edition, standard.board))
    return found


def is_right(finds: list[Find], true: EmptyBoard) -> bool:
    """Whether only that board is found, in the right place."""
    if [find.profile for find in finds] != [true.edition]:
        return False
    side = np.linalg.norm(true.corners[1] - true.corners[0])
    off = np.linalg.norm(finds[0].corners - true.corners, axis=1).max()
    return bool(off < FAR_OFF * side)


def timed(recogniser: Recogniser, picture: np.ndarray) -> tuple[list[Find], float]:
    """Return what is found, and the time in ms, the shorter of two runs."""
    spent = []
    for _ in range(2):
        begun = perf_counter()
        finds = recogniser.recognise(picture)
        spent.append(1000 * (perf_counter() - begun))
    return finds, min(spent)


def names(finds: list[Find]) -> list[str]:
    """Return the names of the boards found."""
    return [find.profile.name if find.profile else "unknown" for find in finds]


def main() -> None:
    """Print a line for each photograph, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shown = photographs(given.count, given.seed)
    editions: list[Profile] = [one.edition for one in shown]
    everybody = Recogniser.of(editions)
    everybody.recognise(shown[0].picture)  # one-time work is not timed
    alone_right = right = unknown = nothing = wrong = 0
    alone_ms, all_ms = [], []
    for one in shown:
        alone = Recogniser.of([one.edition])
        alone.recognise(one.picture)
        knowing, spent = timed(alone, one.picture)
        choosing, longer = timed(everybody, one.picture)
        others = Recogniser.of([edition for edition in editions if edition is not one.edition])
        without = others.recognise(one.picture)
        alone_ms.append(spent)
        all_ms.append(longer)
        alone_right += is_right(knowing, one)
        right += is_right(choosing, one)
        nothing += not without
        unknown += bool(without) and all(find.profile is None for find in without)
        wrong += any(find.profile is not None for find in without)
        reported = f"alone {names(knowing)} {spent:.0f} ms, all {names(choosing)} {longer:.0f} ms"
        print(f"{one.edition.name}: {reported}, others {names(without)}", flush=True)
    extra = np.array(all_ms) - alone_ms
    print(f"right: {right} of {len(shown)} among all, {alone_right} alone")
    print(f"without its profile: {unknown} unknown, {nothing} nothing, {wrong} taken for another")
    print(f"knowing: median {np.median(alone_ms):.0f} ms; choosing among {len(shown)}: median")
    print(f"{np.median(extra):.0f} ms more, 95 % under {np.percentile(extra, 95):.0f} ms more")


if __name__ == "__main__":
    main()
