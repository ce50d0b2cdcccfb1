"""Photographs from files: read with one profile, and drawn on where that is wanted."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from webapp.terminal.outcome import InputError

if TYPE_CHECKING:
    from calibration import Profile
    from vision import Photo, Reading


def calibrated_profile(name: str) -> "Profile":
    """Load a profile to read with.

    Raises calibration.ProfileError; InputError where it is a layout without a picture.
    """
    from calibration import load_profile

    profile = load_profile(name)
    if profile.reference is None:
        raise InputError(
            f"profile {name} is only a layout: photograph the empty board and run "
            "stargazer calibrate PHOTO --layout LAYOUT --name NAME"
        )
    return profile


class BoardReader:
    """Reads photographs with one profile; keeps its models loaded from one to the next."""

    def __init__(self, profile: str, overlay_dir: Path | None = None) -> None:
        """Load the profile. Raises calibration.ProfileError and InputError."""
        from vision import Reader

        self.profile = calibrated_profile(profile)
        self._reader = Reader.of(self.profile)
        self._overlay_dir = overlay_dir
        self._drawn: dict[Path, Path] = {}

    def read(self, path: Path) -> "Reading":
        """Read a photograph's boards; with an overlay folder, draw them too.

        Raises vision.PhotoError, NoBoardError and UnreadableBoardError; InputError where
        the overlay cannot be written.
        """
        from vision import load_photo

        begin = perf_counter()
        photo = load_photo(path)
        reading = self._reader.read(photo, load_ms=1000 * (perf_counter() - begin))
        if self._overlay_dir is not None:
            self._write_overlay(path, photo, reading)
        return reading

    def overlay_of(self, path: Path) -> Path:
        """Where a photograph's overlay is (to be) written; no two photographs share one."""
        assert self._overlay_dir is not None
        if path not in self._drawn:
            taken = set(self._drawn.values())
            target = self._overlay_dir / f"{path.stem}.overlay.jpg"
            count = 2
            while target in taken:
                target = self._overlay_dir / f"{path.stem}-{count}.overlay.jpg"
                count += 1
            self._drawn[path] = target
        return self._drawn[path]

    def _write_overlay(self, path: Path, photo: "Photo", reading: "Reading") -> None:
        import cv2

        from vision import draw_overlay
        from webapp.readings import rule_breaks

        broken = [
            {space for rule in rule_breaks(board, self.profile) for space in rule.spaces}
            for board in reading.boards
        ]
        drawn = draw_overlay(photo, reading, self.profile, broken)
        _, jpeg = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])
        target = self.overlay_of(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(jpeg.tobytes())
        except OSError as error:
            raise InputError(
                f"{target} cannot be written ({error.strerror}): name another folder"
            ) from error
