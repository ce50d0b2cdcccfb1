"""Colours of pieces on corrected boards, used to read photographs of the same evening.

All pieces of a corrected board are sampled, not only the misread one: distinguishing a set's red
from its orange takes samples of both. Nothing but colours is kept of a photograph.
"""

import os
import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from calibration import Profile, ProfileError
from calibration.colour_profile import (
    ColourProfile,
    Swatch,
    colour_profile_from_data,
    load_colour_profile,
    write_colour_profile,
)
from calibration.versions import profile_of_version
from scorer import registry

EVENING = 12 * 3600.0
"""Seconds after the last correction for which light and pieces are assumed to be the same."""
EACH = 6
"""The most swatches kept of each kind, the newest ones."""
LOCKED_FOR = 5.0
"""Seconds to wait for another process that writes."""


NAME = re.compile(r"[\w-]{1,140}(\.\d{1,4})?")


class ColourSamples:
    """One colour profile for each board profile in a folder, in the format of "my stars"."""

    def __init__(self, folder: Path) -> None:
        """Store files in `folder`, which is created with the first."""
        self._folder = folder

    def colour_profile(self, profile: Profile) -> ColourProfile:
        """Return a profile's colours sampled this evening, possibly none."""
        file = self._file(profile)
        try:
            if time.time() - file.stat().st_mtime > EVENING:
                return ColourProfile()
            return load_colour_profile(file, profile.layout.game)
        except (OSError, ProfileError):  # none yet, or an invalid file
            return ColourProfile()

    def learn(self, profile: Profile, read: Mapping[str, Any], pieces: Mapping[str, str]) -> None:
        """Sample the pieces of a board that was misread.

        `read` is the board in a reading's JSON data, `pieces` its confirmed pieces by space. Raises
        OSError if they cannot be saved.
        """
        spaces = read["spaces"]
        if all(seen["star"] == pieces.get(space) for space, seen in spaces.items()):
            return
        swatches = tuple(
            Swatch(pieces[space], seen["colour"])
            for space, seen in spaces.items()
            if space in pieces and "colour" in seen
        )
        self.keep(profile, swatches)

    def keep(self, profile: Profile, swatches: Iterable[Swatch]) -> None:
        """Save swatches of a profile's pieces. Raises OSError if they cannot be written."""
        with self._locked():
            profile_now = (self.colour_profile(profile) + ColourProfile(tuple(swatches))).latest(
                EACH
            )
            write_colour_profile(self._file(profile), profile_now, profile.layout.game)

    def version(self, profile: Profile) -> float:
        """Return a number that changes with a profile's samples; 0 if there are none."""
        try:
            return self._file(profile).stat().st_mtime
        except OSError:
            return 0.0

    def forget(self, profile: Profile) -> None:
        """Delete a profile's samples, as other pieces are used now."""
        with self._locked():
            self._file(profile).unlink(missing_ok=True)

    def kept(self) -> dict[str, Any]:
        """Return all samples as JSON data: time and colours for each profile."""
        found = {}
        for file in sorted(self._folder.glob("[!.]*.yaml")):
            try:
                seen_at = int(file.stat().st_mtime)
                stored = load_colour_profile(file, _game_of(file.stem))
            except (OSError, ProfileError, ValueError):  # gone meanwhile, or an invalid file
                continue
            swatches = [[one.piece, one.colour] for one in stored.swatches]
            found[file.stem] = {"at": seen_at, "swatches": swatches}
        return found

    @staticmethod
    def checked(name: object, kept: object) -> tuple[int, ColourProfile]:
        """Parse the time and colours of such data. Raises ProfileError and ValueError."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or not isinstance(kept, Mapping):
            raise ValueError("no stars of a board")
        at, swatches = kept.get("at"), kept.get("swatches")
        if not isinstance(at, int) or not 0 <= at < 2**40 or not isinstance(swatches, list):
            raise ValueError("no stars of a moment")
        pairs = [one if isinstance(one, list) and len(one) == 2 else ["", ""] for one in swatches]
        seen = [{"piece": piece, "colour": colour} for piece, colour in pairs]
        return at, colour_profile_from_data({"swatches": seen}, _game_of(name), name)

    def bring_back(self, kept: Mapping[str, Any], boards: Mapping[str, str]) -> None:
        """Restore samples unless there are newer ones; `boards` maps old to new board names.

        Their age is preserved. Raises the errors of `checked`, and OSError.
        """
        with self._locked():
            for name, one in kept.items():
                at, colours = self.checked(name, one)
                game = _game_of(name)
                board = name.removeprefix(f"{game}-")
                file = self._folder / f"{game}-{boards.get(board, board)}.yaml"
                if file.exists() and file.stat().st_mtime >= at:
                    continue
                write_colour_profile(file, colours, game)
                os.utime(file, (at, min(at, int(time.time()))))

    def _locked(self) -> FileLock:
        """Return the lock shared with the cameras' processes, which write the same files."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self._folder / ".lock", timeout=LOCKED_FOR)

    def _file(self, profile: Profile) -> Path:
        board = profile_of_version(profile.name) or profile.name  # same pieces
        return self._folder / f"{profile.layout.game}-{board}.yaml"


def _game_of(name: str) -> str:
    """Return the game that a file belongs to. Raises ValueError."""
    for game in registry.names():
        if name.startswith(f"{game}-"):
            return game
    raise ValueError(f"{name} is of no game")
