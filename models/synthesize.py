"""Synthesize labelled photographs: the data that the models are trained on."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration import Profile, ProfileError, load_profile
from calibration.layout import dump_layout
from calibration.profile import LAYOUT_FILE, REFERENCE_FILE, built_in_profiles
from models.labels import labels
from models.synthesis.photograph import photograph
from models.synthesis.plugin import synthesis
from models.synthesis.position import pick
from models.synthesis.reprint import pictured
from models.workers import process_pool
from scorer import registry

EDITIONS_A_PHOTOGRAPH = 0.12
"""New artwork for about every eighth photograph: drawing it costs, and repeats do no harm."""
SHARE_OF_PROFILES = 0.12
"""How many photographs show one of the built-in boards rather than an invented edition."""


@dataclass(frozen=True)
class _Job:
    game: str
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
            edition = pick(rng, printed(self.game))
        else:
            number = int(rng.integers(self.editions))
            edition = invented(self.game, self.seed, number)
        _write_edition(self.folder / "editions" / edition.name, edition)
        shot = photograph(rng, edition)
        stem = f"{index + 1:06d}"
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
        cv2.imwrite(str(self.folder / f"{stem}.jpg"), shot.picture, quality)
        (self.folder / f"{stem}.json").write_text(json.dumps(labels(shot, edition.name)))


@cache
def printed(game: str) -> tuple[Profile, ...]:
    """A game's built-in boards, by their profiles' names. ProfileError where it has none."""
    folders = (folder for path, folder in built_in_profiles().items() if path.split("/")[0] == game)
    found = tuple(pictured(load_profile(folder)) for folder in sorted(folders))
    if not found:
        raise ProfileError(game, [("", "brings no board that could be photographed")])
    return found


@lru_cache(32)
def invented(game: str, seed: int, number: int) -> Profile:
    """Edition ``number`` of those that belong to ``seed``, of each kind of board in turn."""
    rng = np.random.default_rng([seed, 0, number])
    firsts = {board.layout.kind: board for board in reversed(printed(game))}
    pattern = firsts[sorted(firsts)[number % len(firsts)]]
    return synthesis(game).edition(rng, pattern, f"{number:04d}")


def synthesize(
    game: str,
    out: Path,
    count: int,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
    workers: int | None = None,
) -> None:
    """Write ``count`` labelled photographs of a game's boards, and their editions.

    Photographs go to ``out``, editions to ``out/editions``. ``progress`` is called with how
    many are done, and of how many. The same ``seed`` gives the same pictures.

    Raises:
        scorer.registry.UnknownGameError: there is no such game.
        ProfileError: it brings no board that could be photographed.
    """
    registry.find_game(game)
    printed(game)
    (out / "editions").mkdir(parents=True, exist_ok=True)
    job = _Job(game, out, seed, max(4, round(count * EDITIONS_A_PHOTOGRAPH)))
    with process_pool(workers) as pool:
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
        cv2.imwrite(str(made / REFERENCE_FILE), edition.require_reference())
        with suppress(OSError):  # another worker was quicker
            made.replace(folder)
