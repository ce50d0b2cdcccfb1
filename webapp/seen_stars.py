"""The stars of boards that people corrected: for an evening, photographs are read in their light.

Of a corrected board all pieces are kept, not the mistaken one alone: what tells a set's red from
its orange is to have seen both. Nothing is kept of a photograph but colours.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from calibration import Profile, ProfileError
from calibration.token_kit import Swatch, TokenKit, load_kit, write_kit

EVENING = 12 * 3600.0
"""Seconds since the last correction for which the light and the pieces may be the same."""
EACH = 6
"""The swatches kept of each kind: the newest."""


class SeenStars:
    """One kit for each profile in a folder, in the format of "my stars"."""

    def __init__(self, folder: Path) -> None:
        """Keep the files in `folder`, which is made with the first of them."""
        self._folder = folder
        self._lock = Lock()

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
        with self._lock:
            kit = (self.kit(profile) + TokenKit(swatches)).latest(EACH)
            write_kit(self._file(profile), kit, profile.layout.game)

    def forget(self, profile: Profile) -> None:
        """Begin anew with a profile's pieces: others are played with now."""
        with self._lock:
            self._file(profile).unlink(missing_ok=True)

    def _file(self, profile: Profile) -> Path:
        return self._folder / f"{profile.layout.game}-{profile.name}.yaml"
