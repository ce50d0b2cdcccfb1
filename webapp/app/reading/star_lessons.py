"""Star lessons: photographs of a profile's pieces, one of each, for colour calibration.

There is at most one lesson per profile, a folder with its photograph and results. Lessons survive a
restart; `star_jobs` processes their photographs.
"""

import json
import logging
import secrets
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any

from calibration import ProfileError
from calibration.colour_profile import ColourProfile, Swatch
from webapp.app import atomic
from webapp.app.reading import star_jobs
from webapp.app.reading.read_photograph import ReaderClosedError, UnusablePhotographError
from webapp.app.reading.reading_process import RunJob

log = logging.getLogger(__name__)

FILE = "lesson.json"
AROUND = 4.5
"""The margin around the outermost pieces in their picture, in radii."""


class NoSuchLessonError(LookupError):
    """There is no lesson of this profile, or it is not ready."""


@dataclass(frozen=True)
class StarLesson:
    """The pieces found in a lesson's photograph.

    `state` is "waiting" until it is read, then "found", or "failed" with a `problem` in one word.
    `size` is the picture's width and height; `pieces` have a position `at` and a `radius` in its
    pixels, a `colour`, and the `piece`'s kind, None if unknown. `unsure` are pairs of kinds that
    may be swapped. `wanted` is the expected number of pieces. Each photograph has a unique `key`.
    """

    profile: str
    key: str
    state: str = "waiting"
    problem: str | None = None
    size: Sequence[int] = (1, 1)
    pieces: Sequence[Mapping[str, Any]] = ()
    unsure: Sequence[Sequence[str]] = ()
    wanted: int = 0

    @property
    def around(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the part of the picture with all pieces, px."""
        reach = [(*piece["at"], AROUND * piece["radius"]) for piece in self.pieces]
        width, height = self.size
        if not reach:
            return 0, 0, width, height
        left, top = max(0, min(x - r for x, _, r in reach)), max(0, min(y - r for _, y, r in reach))
        right, bottom = max(x + r for x, _, r in reach), max(y + r for _, y, r in reach)
        return left, top, min(width, right) - left, min(height, bottom) - top

    @property
    def colour_profile(self) -> ColourProfile:
        pairs = ((piece["piece"], piece["colour"]) for piece in self.pieces)
        return ColourProfile(tuple(Swatch(kind, colour) for kind, colour in pairs if kind))


class StarLessons:
    def __init__(self, folder: Path, run_job: RunJob) -> None:
        """Store lessons in `folder`; `run_job` runs jobs that decode photographs."""
        self._folder, self._run_job = folder, run_job
        self._pool = ThreadPoolExecutor(1, "stars")
        self._lock = RLock()

    def begin(self, profile: str, photograph: bytes) -> None:
        """Begin a lesson from a photograph, replacing an earlier one of the profile."""
        with self._lock:
            lesson = StarLesson(profile, secrets.token_hex(4))
            atomic.write(self.folder(profile) / "photo", photograph)
            self._write(lesson)
        self._pool.submit(self._learn, lesson)

    def resume(self) -> None:
        """Continue the lessons that were waiting when the server stopped."""
        for file in sorted(self._folder.glob(f"*/{FILE}")):
            lesson = _load(file)
            if lesson is not None and lesson.state == "waiting":
                self._pool.submit(self._learn, lesson)

    def find(self, profile: str) -> StarLesson | None:
        """Return the lesson of a profile, None if there is none."""
        return _load(self.folder(profile) / FILE)

    def name(self, profile: str, number: int, piece: str) -> StarLesson:
        """Set the kind of a piece by number, and swap it with the one that had that kind.

        Raises NoSuchLessonError.
        """
        with self._lock:
            lesson = self._found(profile)
            if not 0 <= number < len(lesson.pieces):
                raise NoSuchLessonError(profile)
            was = lesson.pieces[number]["piece"]
            swapped = {p["piece"]: p["piece"] for p in lesson.pieces} | {piece: was, was: piece}
            pieces = [{**one, "piece": swapped.get(one["piece"])} for one in lesson.pieces]
            unsure = [pair for pair in lesson.unsure if not {piece, was} & {*pair}]
            return self._write(replace(lesson, pieces=pieces, unsure=unsure))

    def remove(self, profile: str) -> None:
        """Delete a lesson and its photograph."""
        with self._lock:
            shutil.rmtree(self.folder(profile), ignore_errors=True)

    def folder(self, profile: str) -> Path:
        """Return the folder of a lesson's files."""
        return self._folder / profile.replace("/", ".")  # names have no dots

    def close(self) -> None:
        """Stop; waiting lessons resume at the next start."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _found(self, profile: str) -> StarLesson:
        lesson = self.find(profile)
        if lesson is None or lesson.state != "found":
            raise NoSuchLessonError(profile)
        return lesson

    def _learn(self, lesson: StarLesson) -> None:
        try:
            job = (star_jobs.learn, self.folder(lesson.profile), lesson.profile)
            result = self._run_job(*job)
        except ReaderClosedError:
            return  # the next server resumes it
        except UnusablePhotographError as error:
            result = {"state": "failed", "problem": error.problem}
        except ProfileError:
            self.remove(lesson.profile)
            return
        except Exception:
            log.exception("the pieces for %s could not be learnt", lesson.profile)
            result = {"state": "failed", "problem": "failed"}
        with self._lock:
            now = self.find(lesson.profile)
            if now is not None and now.key == lesson.key:  # not replaced meanwhile
                self._write(replace(lesson, **result))

    def _write(self, lesson: StarLesson) -> StarLesson:
        atomic.write(self.folder(lesson.profile) / FILE, json.dumps(asdict(lesson)).encode())
        return lesson


def _load(file: Path) -> StarLesson | None:
    with suppress(OSError, ValueError, TypeError):
        return StarLesson(**json.loads(file.read_bytes()))
    return None
