"""Colour calibrations that are not confirmed yet: photographs of a profile's pieces, one of each.

There is at most one per profile, a folder with its photograph and results, which survives a
restart.
"""

import json
import logging
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any

from calibration import ProfileError, load_profile
from calibration.colour_profile import ColourProfile, Swatch
from vision import load_photo
from vision.colour_calibration import ColourCalibrationError, FoundPiece
from webapp.app import atomic
from webapp.app.reading.board_reader import calibrate_pieces, vision_errors
from webapp.app.reading.photograph_reader import jpeg, shrunk
from webapp.app.reading.read_photograph import ReaderClosedError, UnusablePhotographError
from webapp.app.reading.reading_process import RunJob

log = logging.getLogger(__name__)

FILE = "lesson.json"
AROUND = 4.5
"""The margin around the outermost pieces in their picture, in radii."""


class NoSuchCalibrationError(LookupError):
    """There is no calibration of this profile, or it is not ready."""


@dataclass(frozen=True)
class StoredCalibration:
    """The pieces found in a calibration's photograph.

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


class ColourCalibrations:
    def __init__(self, folder: Path, run_job: RunJob) -> None:
        """Store calibrations in `folder`; `run_job` runs jobs that decode photographs."""
        self._folder, self._run_job = folder, run_job
        self._pool = ThreadPoolExecutor(1, "stars")
        self._lock = RLock()

    def begin(self, profile: str, photograph: bytes) -> None:
        """Begin a calibration from a photograph, replacing an earlier one of the profile."""
        with self._lock:
            calibration = StoredCalibration(profile, secrets.token_hex(4))
            atomic.write(self.folder(profile) / "photo", photograph)
            self._write(calibration)
        self._pool.submit(self._calibrate, calibration)

    def resume(self) -> None:
        """Continue the calibrations that were waiting when the server stopped."""
        for file in sorted(self._folder.glob(f"*/{FILE}")):
            calibration = _load(file)
            if calibration is not None and calibration.state == "waiting":
                self._pool.submit(self._calibrate, calibration)

    def find(self, profile: str) -> StoredCalibration | None:
        """Return the calibration of a profile, None if there is none."""
        return _load(self.folder(profile) / FILE)

    def name(self, profile: str, number: int, piece: str) -> StoredCalibration:
        """Set the kind of a piece by number, and swap it with the one that had that kind.

        Raises NoSuchCalibrationError.
        """
        with self._lock:
            calibration = self._found(profile)
            if not 0 <= number < len(calibration.pieces):
                raise NoSuchCalibrationError(profile)
            was = calibration.pieces[number]["piece"]
            swapped = {piece: was, was: piece}
            pieces = [
                {**one, "piece": swapped.get(one["piece"], one["piece"])}
                for one in calibration.pieces
            ]
            unsure = [pair for pair in calibration.unsure if not {piece, was} & {*pair}]
            return self._write(replace(calibration, pieces=pieces, unsure=unsure))

    def remove(self, profile: str) -> None:
        """Delete a calibration and its photograph."""
        with self._lock:
            shutil.rmtree(self.folder(profile), ignore_errors=True)

    def folder(self, profile: str) -> Path:
        """Return the folder of a calibration's files."""
        return self._folder / profile.replace("/", ".")  # names have no dots

    def close(self) -> None:
        """Stop; waiting calibrations resume at the next start."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _found(self, profile: str) -> StoredCalibration:
        calibration = self.find(profile)
        if calibration is None or calibration.state != "found":
            raise NoSuchCalibrationError(profile)
        return calibration

    def _calibrate(self, calibration: StoredCalibration) -> None:
        try:
            job = (calibrate, self.folder(calibration.profile), calibration.profile)
            result = self._run_job(*job)
        except ReaderClosedError:
            return  # the next server resumes it
        except UnusablePhotographError as error:
            result = {"state": "failed", "problem": error.problem}
        except ProfileError:
            self.remove(calibration.profile)
            return
        except Exception:
            log.exception("the pieces for %s could not be calibrated", calibration.profile)
            result = {"state": "failed", "problem": "failed"}
        with self._lock:
            now = self.find(calibration.profile)
            if now is not None and now.key == calibration.key:  # not replaced meanwhile
                self._write(replace(calibration, **result))

    def _write(self, calibration: StoredCalibration) -> StoredCalibration:
        atomic.write(
            self.folder(calibration.profile) / FILE, json.dumps(asdict(calibration)).encode()
        )
        return calibration


def _load(file: Path) -> StoredCalibration | None:
    with suppress(OSError, ValueError, TypeError):
        return StoredCalibration(**json.loads(file.read_bytes()))
    return None


def calibrate(folder: Path, profile: str) -> dict[str, Any]:
    """Calibrate a profile's pieces from the `photo` in a folder; return the result's fields.

    It runs in the process that decodes photographs, and writes `preview.jpg`, a smaller copy.
    Raises UnusablePhotographError, and ProfileError if the profile is gone.
    """
    known = load_profile(profile)
    with vision_errors():
        photo = load_photo(folder / "photo")
    height, width = photo.image.shape[:2]
    (folder / "preview.jpg").write_bytes(jpeg(shrunk(photo.image)))
    with vision_errors():
        try:
            calibration = calibrate_pieces(known, photo)
        except ColourCalibrationError as error:
            failed = {"state": "failed", "problem": error.problem, "wanted": error.wanted}
            return {**failed, "size": [width, height], "pieces": _data(error.pieces)}
    return {
        "state": "found",
        "size": [width, height],
        "pieces": _data(calibration.pieces),
        "unsure": [list(pair) for pair in calibration.unsure],
        "wanted": len(calibration.pieces),
    }


def _data(pieces: Iterable[FoundPiece]) -> list[dict[str, Any]]:
    return [
        {
            "at": [round(value, 1) for value in piece.at],
            "radius": round(piece.radius, 1),
            "colour": piece.colour,
            "piece": piece.piece,
        }
        for piece in pieces
    ]
