"""A game file and the photographs beside it become a score."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from calibration import load_profile
from scorer.nebula import Galaxy, Game, Player, Score, load_game, score_game
from webapp.terminal.outcome import InputError, input_errors
from webapp.terminal.photographs import BoardReader


@dataclass(frozen=True)
class ScoredGame:
    """A game with every photograph read, and its score."""

    game: Game
    score: Score

    def to_data(self) -> dict[str, Any]:
        """Return the score object."""
        return self.score.to_data()

    @property
    def card_names(self) -> dict[str, str]:
        """What each card of the game's edition asks for, by its number."""
        return {number: str(card.name) for number, card in self.game.edition.cards.items()}


class GameTable:
    """Scores games played on one profile's boards; loads the models for the first photograph."""

    def __init__(self, profile: str, overlay_dir: Path | None = None) -> None:
        """Load the profile. Raises calibration.ProfileError."""
        self._profile = profile
        self._board = load_profile(profile).board
        self._overlay_dir = overlay_dir

    @cached_property
    def _reader(self) -> BoardReader:
        return BoardReader(self._profile, self._overlay_dir)

    def score(self, path: Path) -> ScoredGame:
        """Score a game file.

        Raises scorer.nebula.GameFileError; InputError, with the exit code that `read` would
        end in, where a photograph cannot be used.
        """
        game = load_game(path, self._board)
        for player in game.players:
            if player.galaxy is None:
                game = self._with_photograph_read(game, player, path.parent)
        return ScoredGame(game, score_game(game))

    def _with_photograph_read(self, game: Game, player: Player, folder: Path) -> Game:
        assert player.photo is not None, "a game file gives stars or a photograph"
        try:
            with input_errors():
                reading = self._reader.read(folder / player.photo)
        except InputError as error:
            named = "" if Path(player.photo).name in error.message else f"{player.photo}: "
            raise InputError(
                f"{player.name}'s photograph: {named}{error.message}", error.code
            ) from error
        if len(reading.boards) > 1:
            raise InputError(
                f"{player.photo} shows {len(reading.boards)} boards: crop it to {player.name}'s own"
            )
        (board,) = reading.boards
        if board.black > game.edition.track_spaces:
            raise InputError(
                f"{player.photo} shows {board.black} black stars, but the track of edition "
                f"{game.edition.id} has {game.edition.track_spaces} spaces: name another edition"
            )
        galaxy = Galaxy(board.stars, board.black, self._board)
        return game.with_player(player.with_galaxy(galaxy, board.flags))
