"""Score game files named on the command line, with the photographs beside them."""

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.profile import built_in_profiles, table_profiles
from scorer import registry
from scorer.datafile import DataFileError, read_data_file
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.session.score_game import ScoredGame, score_game
from webapp.cli.terminal.options import STANDARD

if TYPE_CHECKING:
    from vision import BoardReading
    from webapp.cli.terminal.photographs import OverlayReader


class GameFileScorer:
    """Scores games; loads the models with the first photograph.

    Games are played on the boards of one profile; without one, on the known board that the first
    photograph of a game shows.
    """

    def __init__(
        self, profile: str | None, overlay_dir: Path | None = None, otherwise: str = STANDARD
    ) -> None:
        """Load the profile, `otherwise` if none is named. Raise calibration.ProfileError."""
        self._chosen = [] if profile is None else [profile]
        self._name = profile or otherwise
        self._of_others: dict[str, GameFileScorer] = {}
        self._table = table_profiles(self._name)
        self._profile = self._table[self._name]
        self._overlay_dir = overlay_dir
        self._data: Any = None
        self._readings: dict[Path, tuple[BoardReading, ...]] = {}

    @cached_property
    def _reader(self) -> "OverlayReader":
        from calibration import calibrated_profiles
        from webapp.cli.terminal.photographs import OverlayReader, calibrated

        chosen = [calibrated(name, one) for name, one in self._table.items() if self._chosen]
        profiles = chosen or [
            own
            for own in calibrated_profiles(self._profile.layout.game)
            if not own.layout.is_side_board
        ]
        return OverlayReader(profiles, self._overlay_dir)

    def score(self, path: Path) -> ScoredGame:
        """Score a game file.

        Raise scorer.datafile.DataFileError, UnusablePhotographError or InputError.
        """
        self._readings.clear()
        game = self._profile.game
        data = read_data_file(path)
        self._data = data
        named = data.get("game", game.id) if isinstance(data, dict) else game.id
        if named != game.id and not self._chosen and (own := _own_profiles(str(named))):
            if named not in self._of_others:
                self._of_others[named] = GameFileScorer(None, self._overlay_dir, own[0])
            return self._of_others[named].score(path)
        if named != game.id:
            return self._score_without_profile(data, str(named), path.parent)
        board = self._profile.board if self._chosen else self._board_shown(data, path.parent)

        def read(photo: Path) -> "tuple[BoardReading, ...]":
            from vision import profile_of

            boards = self._read(photo)
            for one in boards:
                shown = profile_of(one, self._reader.profiles)
                if shown.layout.kind == self._profile.layout.kind and shown.board != board:
                    reason = f"{photo.name} shows the board of profile {one.profile}, and not the"
                    raise UnusablePhotographError("not_of_the_game", f"{reason} one played on")
            return boards

        boards_of = {one.layout.kind: one.board for one in self._table.values()}
        return score_game(data, game, board, path.parent, read, boards_of)

    def _board_shown(self, data: object, folder: Path) -> Any:
        """The board in the first photograph of a game; the standard one if none is read."""
        from vision import profile_of  # slow to import, and only needed for photographs

        game = self._profile.game
        with suppress(DataFileError, UnusablePhotographError):  # scoring reports them
            played = game.game_from_data(data, self._profile.board, folder)
            for wanted in game.wanted_photos(played)[:1]:
                for board in self._read(folder / wanted.photo)[:1]:
                    return profile_of(board, self._reader.profiles).board
        return self._profile.board

    def _score_without_profile(self, data: object, named: str, folder: Path) -> ScoredGame:
        """Score a game that has no profiles, on its standard board."""
        try:
            game = registry.find_game(named)
        except registry.UnknownGameError:
            known = ", ".join(registry.names())
            raise DataFileError([("game", f"{named} is not known; there is {known}")]) from None
        own = [name.partition("/")[2] for name in _own_profiles(named)]
        if own or self._name != STANDARD:
            reason = f"{named} is not played on profile {self._name}: choose one with --profile"
            raise DataFileError([("game", reason + (f" ({', '.join(own)})" if own else ""))])

        def unreadable(photo: Path) -> "tuple[BoardReading, ...]":
            reason = f"{photo.name} needs a profile of the board on it: choose one with --profile"
            raise DataFileError([("players", reason)])

        return score_game(data, game, game.standard_board, folder, unreadable)

    def _read(self, path: Path) -> "tuple[BoardReading, ...]":
        """The boards in a photograph of the present game file, which has been validated."""
        if path not in self._readings:
            game = self._profile.game
            piece_roles = {game.id: game.piece_roles(self._data)}
            self._readings[path] = self._reader.read(path, piece_roles).boards
        return self._readings[path]


def _own_profiles(game: str) -> list[str]:
    """The profiles shipped with a game, as GAME/NAME."""
    return [name for name in built_in_profiles() if name.partition("/")[0] == game]
