"""The stars of boards that people corrected: for an evening, photographs are read in their light.

Of a corrected board all pieces are kept, not the mistaken one alone: what tells a set's red from
its orange is to have seen both. Nothing is kept of a photograph but colours.
"""

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from calibration import Profile, ProfileError
from calibration.token_kit import Swatch, TokenKit, load_kit, write_kit

EVENING = 12 * 3600.0
"""Seconds since the last correction for which the light and the pieces may be the same."""
EACH = 6
"""The swatches kept of each kind: the newest."""
LOCKED_FOR = 5.0
"""Seconds to wait for another process that writes."""


class SeenStars:
    """One kit for each profile in a folder, in the format of "my stars"."""

    def __init__(self, folder: Path) -> None:
        """Keep the files in `folder`, which is made with the first of them."""
        self._folder = folder

    def kit(self, profile: Profile) -> TokenKit:
        """Return what was seen of a profile's pieces this evening, if anything."""
        file = self._file(profile)
        try:
            if time.time() - file.stat().st_mtime > EVENING:
                return TokenKit()
            return load_kit(file, profile.layout.game)
        except (OSError, ProfileError):  # none yet, or not a file of ours any more
            return TokenKit()

    def learn(self, profile: Profile, read: Mapping[str, Any], lying: Mapping[str, str]) -> None:
        """Keep the pieces of a board that was read otherwise than they lie.

        `read` is the board in a reading's JSON data, `lying` its pieces by space, as somebody who
        looked at the board has confirmed them. OSError where they cannot be kept.
        """
        spaces = read["spaces"]
        if all(seen["star"] == lying.get(space) for space, seen in spaces.items()):
            return
        swatches = tuple(
            Swatch(lying[space], seen["colour"])
            for space, seen in spaces.items()
            if space in lying and "colour" in seen
        )
        self.keep(profile, swatches)

    def keep(self, profile: Profile, swatches: Iterable[Swatch]) -> None:
        """Keep what pieces of a profile's look like. OSError where that cannot be written."""
        with self._locked():
            kit = (self.kit(profile) + TokenKit(tuple(swatches))).latest(EACH)
            write_kit(self._file(profile), kit, profile.layout.game)

    def version(self, profile: Profile) -> float:
        """What changes when more is seen of a profile's pieces; 0 where nothing was."""
        try:
            return self._file(profile).stat().st_mtime
        except OSError:
            return 0.0

    def forget(self, profile: Profile) -> None:
        """Begin anew with a profile's pieces: others are played with now."""
        with self._locked():
            self._file(profile).unlink(missing_ok=True)

    def _locked(self) -> FileLock:
        """Cameras' processes keep what they see in the same files as the server."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self._folder / ".lock", timeout=LOCKED_FOR)

    def _file(self, profile: Profile) -> Path:
        return self._folder / f"{profile.layout.game}-{profile.name}.yaml"
