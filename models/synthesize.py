"""Synthesize labelled photographs: the data that both models are trained on."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration import Profile, load_profile, profile_names
from calibration.layout import dump_layout
from calibration.profile import LAYOUT_FILE, REFERENCE_FILE
from models.synthesis.edition import random_edition
from models.synthesis.scene import BoardTruth, Photograph, photograph
from models.workers import spawned

EDITIONS_A_PHOTOGRAPH = 0.12
"""New artwork for about every eighth photograph: drawing it costs, and repeats do no harm."""
SHARE_OF_PROFILES = 0.12
"""How many photographs show one of the built-in boards rather than an invented edition."""


@dataclass(frozen=True)
class _Job:
    folder: Path
    seed: int
    editions: int

    def write(self, index: int) -> None:
        """Write photograph ``index``; the same seed gives the same one, whoever writes it.

        Its edition is written before it, so that what an interrupted run leaves can be used.
        """
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, 1, index])
        if rng.random() < SHARE_OF_PROFILES:
            name = str(rng.choice(sorted(_printed())))
            edition = _printed()[name]
        else:
            number = int(rng.integers(self.editions))
            name, edition = f"{number:04d}", invented(self.seed, number)
        _write_edition(self.folder / "editions" / name, edition)
        shot = photograph(rng, [edition])
        stem = f"{index + 1:06d}"
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
        cv2.imwrite(str(self.folder / f"{stem}.jpg"), shot.picture, quality)
        (self.folder / f"{stem}.json").write_text(json.dumps(labels(shot, name)))


@cache
def _printed() -> dict[str, Profile]:
    """The built-in boards, by their profiles' names."""
    profiles = (load_profile(name) for name in profile_names())
    return {p.name: p for p in profiles if p.built_in and p.reference is not None}


@lru_cache(32)
def invented(seed: int, number: int) -> Profile:
    """Edition ``number`` of those that belong to ``seed``."""
    rng = np.random.default_rng([seed, 0, number])
    return random_edition(rng, load_profile("standard"), f"{number:04d}")


def labels(shot: Photograph, edition: str) -> dict[str, object]:
    """What is true in the photograph, as a labelled photograph's JSON.

    The first board stands at the top level as everywhere; ``boards`` has them all and ``tokens``
    each visible star's footprint in px.
    """
    height, width = shot.picture.shape[:2]
    boards = [_board_labels(board) for board in shot.boards]
    return {
        **(boards[0] if boards else {}),
        "size": [width, height],
        "edition": edition,
        "boards": boards,
        "tokens": [
            {"star": star, "footprint": foot.round(1).tolist()} for star, foot in shot.tokens
        ],
    }


def _board_labels(board: BoardTruth) -> dict[str, object]:
    return {
        "stars": board.stars,
        "black": board.black,
        "corners": board.corners.round(2).tolist(),
        "spaces": {name: [round(x, 2), round(y, 2)] for name, (x, y) in board.spaces.items()},
        "cropped": board.cropped,
    }


def synthesize(
    out: Path,
    count: int,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
    workers: int | None = None,
) -> None:
    """Write ``count`` labelled photographs to ``out``, and their editions to ``out/editions``.

    ``progress`` is told how many of how many are done. The same ``seed`` gives the same pictures.
    """
    (out / "editions").mkdir(parents=True, exist_ok=True)
    job = _Job(out, seed, max(4, round(count * EDITIONS_A_PHOTOGRAPH)))
    with spawned(workers) as pool:
        for done, _ in enumerate(pool.map(job.write, range(count), chunksize=8), 1):
            progress(done, count)


def _write_edition(folder: Path, edition: Profile) -> None:
    """Write the edition as a profile, so that the photographs that show it can be read, too.

    Other workers may be at the same one: it appears whole or not at all.
    """
    if folder.is_dir():
        return
    with TemporaryDirectory(dir=folder.parent, prefix=".") as work:
        made = Path(work) / folder.name
        made.mkdir()
        (made / LAYOUT_FILE).write_text(dump_layout(edition.layout))
        cv2.imwrite(str(made / REFERENCE_FILE), edition.reference)
        with suppress(OSError):  # another worker was quicker
            made.replace(folder)
