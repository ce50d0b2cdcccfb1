"""Game files named on the command line, and the photographs beside them, become scores."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from calibration import load_profile
from calibration.profile import built_in_profiles
from scorer import registry
from scorer.datafile import DataFileError, read_data_file
from webapp.score_game import ScoredGame, score_game
from webapp.terminal.options import STANDARD

if TYPE_CHECKING:
    from vision import BoardReading
    from webapp.terminal.photographs import OverlayReader


class GameFileScorer:
    """Scores games played on one profile's boards; loads the models for the first photograph."""

    def __init__(self, profile: str, overlay_dir: Path | None = None) -> None:
        """Load the profile. Raises calibration.ProfileError."""
        self._name, self._profile = profile, load_profile(profile)
        self._overlay_dir = overlay_dir

    @cached_property
    def _reader(self) -> "OverlayReader":
        from webapp.terminal.photographs import OverlayReader

        return OverlayReader([self._name], self._overlay_dir)

    def score(self, path: Path) -> ScoredGame:
        """Score a game file.

        Raises scorer.datafile.DataFileError, UnusablePhotographError and InputError.
        """
        game = self._profile.game
        data = read_data_file(path)
        named = data.get("game", game.id) if isinstance(data, dict) else game.id
        if named != game.id:
            return self._score_without_profile(data, str(named), path.parent)
        return score_game(data, game, self._profile.board, path.parent, self._read)

    def _score_without_profile(self, data: object, named: str, folder: Path) -> ScoredGame:
        """Score a game of which no profile was named, on its standard board if it has no other."""
        try:
            game = registry.find_game(named)
        except registry.UnknownGameError:
            known = ", ".join(registry.names())
            raise DataFileError([("game", f"{named} is not known; there is {known}")]) from None
        own = [
            path.name
            for name, path in built_in_profiles().items()
            if name == f"{named}/{path.name}"
        ]
        if own or self._name != STANDARD:
            reason = f"{named} is not played on profile {self._name}: choose one with --profile"
            raise DataFileError([("game", reason + (f" ({', '.join(own)})" if own else ""))])

        def unreadable(photo: Path) -> "tuple[BoardReading, ...]":
            reason = f"{photo.name} needs a profile of the board on it: choose one with --profile"
            raise DataFileError([("players", reason)])

        return score_game(data, game, game.standard_board, folder, unreadable)

    def _read(self, path: Path) -> "tuple[BoardReading, ...]":
        return self._reader.read(path).boards
