"""The stars of boards that people corrected: for an evening, photographs are read in their light.

Of a corrected board all pieces are kept, not the mistaken one alone: what tells a set's red from
its orange is to have seen both. Nothing is kept of a photograph but colours.
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
"""Seconds since the last correction for which the light and the pieces may be the same."""
EACH = 6
"""The swatches kept of each kind: the newest."""
LOCKED_FOR = 5.0
"""Seconds to wait for another process that writes."""


NAME = re.compile(r"[\w-]{1,140}(\.\d{1,4})?")


class ColourSamples:
    """One colour profile for each board profile in a folder, in the format of "my stars"."""

    def __init__(self, folder: Path) -> None:
        """Keep the files in `folder`, which is made with the first of them."""
        self._folder = folder

    def colour_profile(self, profile: Profile) -> ColourProfile:
        """Return what was seen of a profile's pieces this evening, if anything."""
        file = self._file(profile)
        try:
            if time.time() - file.stat().st_mtime > EVENING:
                return ColourProfile()
            return load_colour_profile(file, profile.layout.game)
        except (OSError, ProfileError):  # none yet, or not a file of ours any more
            return ColourProfile()

    def learn(self, profile: Profile, read: Mapping[str, Any], pieces: Mapping[str, str]) -> None:
        """Keep the pieces of a board that was read otherwise than they lie.

        `read` is the board in a reading's JSON data, `pieces` its pieces by space, as somebody who
        looked at the board has confirmed them. OSError where they cannot be kept.
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
        """Keep what pieces of a profile's look like. OSError where that cannot be written."""
        with self._locked():
            profile_now = (self.colour_profile(profile) + ColourProfile(tuple(swatches))).latest(
                EACH
            )
            write_colour_profile(self._file(profile), profile_now, profile.layout.game)

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

    def kept(self) -> dict[str, Any]:
        """All that was seen as JSON data: of each profile when, and the pieces' colours."""
        found = {}
        for file in sorted(self._folder.glob("[!.]*.yaml")):
            try:
                seen_at = int(file.stat().st_mtime)
                stored = load_colour_profile(file, _game_of(file.stem))
            except (OSError, ProfileError, ValueError):  # gone meanwhile, or none of ours
                continue
            swatches = [[one.piece, one.colour] for one in stored.swatches]
            found[file.stem] = {"at": seen_at, "swatches": swatches}
        return found

    @staticmethod
    def checked(name: object, kept: object) -> tuple[int, ColourProfile]:
        """When and what was seen, of such data. Raises ProfileError and ValueError."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or not isinstance(kept, Mapping):
            raise ValueError("no stars of a board")
        at, swatches = kept.get("at"), kept.get("swatches")
        if not isinstance(at, int) or not 0 <= at < 2**40 or not isinstance(swatches, list):
            raise ValueError("no stars of a moment")
        pairs = [one if isinstance(one, list) and len(one) == 2 else ["", ""] for one in swatches]
        seen = [{"piece": piece, "colour": colour} for piece, colour in pairs]
        return at, colour_profile_from_data({"swatches": seen}, _game_of(name), name)

    def bring_back(self, kept: Mapping[str, Any], boards: Mapping[str, str]) -> None:
        """Keep what was seen elsewhere, where nothing was seen later; `boards` are new names.

        An evening that is over stays over. Raises as `checked` does, and OSError.
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
        """Cameras' processes keep what they see in the same files as the server."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self._folder / ".lock", timeout=LOCKED_FOR)

    def _file(self, profile: Profile) -> Path:
        board = profile_of_version(profile.name) or profile.name  # the pieces are the same
        return self._folder / f"{profile.layout.game}-{board}.yaml"


def _game_of(name: str) -> str:
    """Return the game that a file is of. Raises ValueError."""
    for game in registry.names():
        if name.startswith(f"{game}-"):
            return game
    raise ValueError(f"{name} is of no game")
