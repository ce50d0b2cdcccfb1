"""Scoring a game file, for commands, pages and the API."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.datafile import DataFileError
from scorer.flags import Flag
from scorer.game import Game, WantedPhoto
from scorer.registry import find_game, names
from scorer.scoresheet import Score
from scorer.temporal_fusion import first_inconsistency, fitting_order
from scorer.topology import Topology
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_fusion import agreed

if TYPE_CHECKING:  # most games are scored without vision
    from vision import BoardReading

ReadBoards = Callable[[Path], "Sequence[BoardReading]"]
"""Reads the boards in a photograph. Raises UnusablePhotographError."""


@dataclass(frozen=True)
class ScoredGame:
    """A scored game with all its photographs read.

    `photos` are the photographs that were read, as named in the game file.
    """

    game: Game[Any, Any, Any]
    played: Any
    score: Score
    photos: tuple[str, ...] = ()

    @property
    def card_names(self) -> dict[str, str]:
        seats = range(len(self.score.players))
        return {
            card.id: str(card.name)
            for seat in seats
            for card in self.game.objectives(self.played, seat)
        }

    @property
    def order_warning(self) -> str:
        """A warning if another order of the snapshots fits better, else ""."""
        lay = self.game.at_moments(self.played)
        names, positions = list(lay), list(lay.values())
        found = first_inconsistency(self.game, positions)
        if found is None:
            return ""
        moment, inconsistency = found
        warning = f"{names[moment]}: {inconsistency.reason}"
        order = fitting_order(self.game, positions)
        if order == tuple(range(len(positions))):
            return f"{warning}: check its photograph; it was scored as written"
        better = ", ".join(names[number] for number in order)
        return f"{warning}; the order {better} fits better; it was scored as written"


def score_game(
    data: object,
    game: Game[Any, Any, Any],
    board: Topology,
    folder: Path | None = None,
    read: ReadBoards | None = None,
    boards_of: Mapping[str, Topology] | None = None,
) -> ScoredGame:
    """Score a game file's data, played on `board`s.

    Photographs that it names are looked up in `folder` and read with `read`. `boards_of` has the
    boards by kind, if the table has several. Raises DataFileError for mistakes in the data,
    UnusablePhotographError, which names the player, and ValueError if a photograph is named without
    `read`.
    """
    played = _played(data, game, board, folder)
    if read is None or folder is None:
        return ScoredGame(game, played, game.score(played))
    photos = game.wanted_photos(played)
    boards = [_only_board(wanted, folder, read, game) for wanted in photos]
    kinds = {**(boards_of or {}), game.table.boards[0].id: board}
    seen = [(game.position(kinds[one.kind], one.pieces), tuple(one.flags)) for one in boards]
    if game.table.pieces_stay:
        seen = _classified_jointly(game, played, board, photos, boards) or seen
    for wanted, (position, flags) in zip(photos, seen, strict=True):
        try:
            played = game.with_position(played, wanted, position, flags)
        except ValueError as error:
            raise UnusablePhotographError("not_of_the_game", str(error)) from error
    return ScoredGame(game, played, game.score(played), tuple(one.photo for one in photos))


def _played(data: object, game: Game[Any, Any, Any], board: Topology, folder: Path | None) -> Any:
    """Return the game of a file's data; suggest the right game if the file names none."""
    try:
        return game.game_from_data(data, board, folder)
    except DataFileError:
        others = names() if isinstance(data, Mapping) and "game" not in data else ()
        meant = [other for other in others if _reads(find_game(other), data, folder)]
        if not meant:
            raise
    choices = " or ".join(f"`game: {other}`" for other in meant)
    raise DataFileError([("game", f"missing: write {choices}, which the file is of")])


def _reads(game: Game[Any, Any, Any], data: object, folder: Path | None) -> bool:
    try:
        game.game_from_data(data, game.standard_board, folder)
    except DataFileError:
        return False
    return True


def _classified_jointly(
    game: Game[Any, Any, Any],
    played: Any,
    board: Topology,
    photos: Sequence[WantedPhoto],
    boards: Sequence["BoardReading"],
) -> list[tuple[Any, tuple[Flag, ...]]]:
    """Return the snapshots' positions and flags, classified jointly.

    Empty if another order of the photographs would fit better; each is then used on its own.
    """
    of_moment = {wanted.snapshot: one for wanted, one in zip(photos, boards, strict=True)}
    known = game.at_moments(played)
    alone = [
        game.position(board, of_moment[moment].pieces) if moment in of_moment else position
        for moment, position in known.items()
    ]
    if fitting_order(game, alone) != tuple(range(len(alone))):
        return []
    places = {place for one in boards for place in one.places}
    reads = [of_moment.get(moment) for moment in known]
    user_answers = [
        {} if position is None else {at: game.pieces_of(position).get(at) for at in places}
        for position in known.values()
    ]
    together = dict(zip(known, agreed(reads, user_answers, places, game), strict=True))
    found = []
    for wanted in photos:
        read = together.get(wanted.snapshot) or of_moment[wanted.snapshot]
        found.append((game.position(board, read.pieces), tuple(read.flags)))
    return found


def _only_board(
    wanted: WantedPhoto, folder: Path, read: ReadBoards, game: Game[Any, Any, Any]
) -> "BoardReading":
    try:
        boards = read(folder / wanted.photo)
    except UnusablePhotographError as error:
        named = "" if Path(wanted.photo).name in str(error) else f"{wanted.photo}: "
        whose = f"{wanted.player}'s photograph: " if wanted.player else ""
        raise UnusablePhotographError(error.problem, f"{whose}{named}{error}") from error
    kind = game.table.kind(wanted.board).id
    boards = [one for one in boards if one.kind == kind] or boards
    if boards[0].kind != kind:
        reason = f"{wanted.photo} shows no board of the kind {kind}"
        raise UnusablePhotographError("not_of_the_game", reason)
    if len(boards) > 1:
        raise UnusablePhotographError(
            "several_boards",
            f"{wanted.photo} shows {len(boards)} boards: crop it to "
            + (f"{wanted.player}'s own" if wanted.player else "one"),
        )
    return boards[0]
