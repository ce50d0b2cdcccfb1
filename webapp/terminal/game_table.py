"""A game file and the photographs beside it become a score."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from calibration import load_profile
from scorer.datafile import DataFileError, read_data_file
from scorer.game import Game, Score, WantedPhoto
from webapp.terminal.outcome import InputError, input_errors
from webapp.terminal.photographs import BoardReader


@dataclass(frozen=True)
class ScoredGame:
    """A game with every photograph read, and its score."""

    game: Game[Any, Any, Any]
    played: Any
    score: Score
    photos: tuple[str, ...] = ()
    """The photographs that were read, as the game file names them."""

    def to_data(self) -> dict[str, Any]:
        """Return the score object."""
        return self.score.to_data()

    @property
    def card_names(self) -> dict[str, str]:
        """What each card of the game asks for, by its number."""
        seats = range(len(self.score.players))
        return {
            card.id: str(card.name)
            for seat in seats
            for card in self.game.objectives(self.played, seat)
        }


class GameTable:
    """Scores games played on one profile's boards; loads the models for the first photograph."""

    def __init__(self, profile: str, overlay_dir: Path | None = None) -> None:
        """Load the profile. Raises calibration.ProfileError."""
        self._name, self._profile = profile, load_profile(profile)
        self._overlay_dir = overlay_dir

    @cached_property
    def _reader(self) -> BoardReader:
        return BoardReader(self._name, self._overlay_dir)

    def score(self, path: Path) -> ScoredGame:
        """Score a game file.

        Raises scorer.datafile.DataFileError; InputError, with the exit code that `read` would
        end in, where a photograph cannot be used.
        """
        game = self._profile.game
        data = read_data_file(path)
        named = data.get("game", game.id) if isinstance(data, dict) else game.id
        if named != game.id:
            reason = f"{named} is not played on profile {self._name}: choose one with --profile"
            raise DataFileError([("game", reason)])
        played = game.game_from_data(data, self._profile.board, path.parent)
        photos = game.wanted_photos(played)
        for wanted in photos:
            played = self._with_photograph_read(played, wanted, path.parent)
        return ScoredGame(game, played, game.score(played), tuple(one.photo for one in photos))

    def _with_photograph_read(self, played: Any, wanted: WantedPhoto, folder: Path) -> Any:
        whose = f"{wanted.player}'s photograph"
        try:
            with input_errors():
                reading = self._reader.read(folder / wanted.photo)
        except InputError as error:
            named = "" if Path(wanted.photo).name in error.message else f"{wanted.photo}: "
            raise InputError(f"{whose}: {named}{error.message}", error.code) from error
        if len(reading.boards) > 1:
            raise InputError(
                f"{wanted.photo} shows {len(reading.boards)} boards: crop it to "
                f"{wanted.player}'s own"
            )
        (board,) = reading.boards
        game = self._profile.game
        position = game.position(self._profile.board, board.pieces)
        try:
            return game.with_position(played, wanted, position, board.flags)
        except ValueError as error:
            raise InputError(str(error)) from error
