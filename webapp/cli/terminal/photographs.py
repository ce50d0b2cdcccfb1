"""Read photographs named on the command line with the profile that fits, and draw overlays."""

from collections.abc import Sequence
from pathlib import Path

import cv2

from calibration import Profile, calibrated_profiles, load_profile
from scorer.table import UNKNOWN_TABLE, RolesByGame
from vision import Photo, Reading, draw_overlay, load_photo, profile_of
from webapp.app.reading.board_reader import BoardReader
from webapp.app.reading.executors import named_cluster, read_boards
from webapp.app.reading.readings import rule_breaks
from webapp.cli.terminal.outcome import InputError


def calibrated_profile(name: str) -> Profile:
    """Load a profile to read with.

    Raise calibration.ProfileError; InputError if it is a layout without a picture.
    """
    return calibrated(name, load_profile(name))


def calibrated(name: str, profile: Profile) -> Profile:
    """The profile of that name, if it is not a layout without a picture: then raise InputError."""
    if not profile.is_calibrated:
        raise InputError(
            f"profile {name} is only a layout: photograph the empty board and run "
            "stargazer calibrate PHOTO --layout LAYOUT --name NAME"
        )
    return profile


def chosen_profiles(names: Sequence[str]) -> list[Profile]:
    """The profiles of these names; without names, all known ones.

    Raise calibration.ProfileError or InputError.
    """
    named = [calibrated_profile(name) for name in dict.fromkeys(names)]
    return named or calibrated_profiles()


def full_name(profile: Profile) -> str:
    """The unambiguous name of a profile, GAME/NAME."""
    return f"{profile.layout.game}/{profile.name}"


class OverlayReader:
    """Reads photographs with some profiles, and draws overlays into a folder, if one is given.

    No two photographs share an overlay.
    """

    def __init__(self, profiles: Sequence[Profile], overlay_dir: Path | None = None) -> None:
        self._cluster = named_cluster()
        self._reader = None if self._cluster else BoardReader(*profiles)
        self.profiles = tuple(profiles)
        self._overlay_dir = overlay_dir
        self._drawn: dict[Path, Path] = {}

    def read(
        self, path: Path, piece_roles: RolesByGame = UNKNOWN_TABLE, expected: int = 1
    ) -> Reading:
        """Read a photograph's boards; `expected` is 1 if their number is unknown.

        Raise UnusablePhotographError; InputError if the overlay cannot be written.
        """
        if self._reader is not None:
            photo, reading = self._reader.read(path, expected, piece_roles)
        else:
            assert self._cluster is not None
            photo = None
            names = list(map(full_name, self.profiles))
            task = (read_boards, path, path.name, names, expected, piece_roles)
            reading = self._cluster.submit(*task).result()
        if self._overlay_dir is not None:
            target = self._overlay_of(path, self._overlay_dir)
            self._write_overlay(target, photo or load_photo(path), reading)
        return reading

    def _overlay_of(self, path: Path, folder: Path) -> Path:
        if path not in self._drawn:
            taken = set(self._drawn.values())
            target = folder / f"{path.stem}.overlay.jpg"
            count = 2
            while target in taken:
                target = folder / f"{path.stem}-{count}.overlay.jpg"
                count += 1
            self._drawn[path] = target
        return self._drawn[path]

    def _write_overlay(self, target: Path, photo: Photo, reading: Reading) -> None:
        broken = [
            {
                space
                for rule in rule_breaks(board, profile_of(board, self.profiles))
                for space in rule.spaces
            }
            for board in reading.boards
        ]
        drawn = draw_overlay(photo, reading, self.profiles, broken)
        _, jpeg = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(jpeg.tobytes())
        except OSError as error:
            raise InputError(
                f"{target} cannot be written ({error.strerror}): name another folder"
            ) from error
