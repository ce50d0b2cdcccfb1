"""Boards in a photograph, and the sheets that hold tokens: Stargazer's, and the owner's own."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import request, url_for

from calibration.artwork import TokenSheet, token_sheets
from calibration.profile import Profile
from calibration.side_boards import sheet_of
from scorer.board_state import SURE, BoardState
from webapp.app.reading.card_jobs import read_sheets
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_queue import QueueFullError
from webapp.web.context import services
from webapp.web.pages.sent_photograph import passing_photograph


@dataclass(frozen=True)
class SeenSheet:
    """A sheet in a photograph, as read by `card_jobs.read_sheets`.

    `picture` is the URL of a picture of it.
    """

    sheet: TokenSheet
    picture: str
    reading: Mapping[str, Any]

    @property
    def tokens(self) -> Mapping[str, str]:
        """The tokens seen on spots, where several are possible."""
        several = [id for own in self.sheet.spots if len(own.tokens) > 1 for id in own.at]
        spots = self.reading["spots"]
        return {id: spots[id] for id in several if spots.get(id)}


def known_boards(game: str) -> Mapping[str, Profile]:
    """Return all boards of a game that photographs can be read with."""
    boards = services().boards
    found = {name: boards.known(name) for name in boards.names()}
    return {name: own for name, own in found.items() if own and own.layout.game == game}


def boards_in(path: Path, names: Sequence[str], may_lack: bool) -> Sequence[Mapping[str, Any]]:
    """Return the boards of these profiles in a photograph.

    Raises UnusablePhotographError, if there is none only unless it `may_lack` them.
    """
    try:
        read = services().reading_queue.read_file(path, "photo", names, request.remote_addr or "")
    except UnusablePhotographError as error:
        if error.problem == "too_slow" or not may_lack:
            raise
        return ()
    boards: Sequence[Mapping[str, Any]] = read.reading["boards"]
    return boards


def side_boards_in(path: Path, known: Mapping[str, Profile]) -> Sequence[Mapping[str, Any]]:
    """Return the owner's side boards in a photograph, of the `known` boards."""
    names = [
        name for name, own in known.items() if own.layout.is_side_board and not sheet_of(own).tracks
    ]
    with suppress(UnusablePhotographError, QueueFullError):  # the rest is told without
        return boards_in(path, names, True) if names else ()
    return ()


def sheets_in(
    path: Path,
    standard: Profile,
    known: Mapping[str, Profile],
    side_boards: Sequence[Mapping[str, Any]],
    taken: Sequence[Any],
) -> Sequence[SeenSheet]:
    """Return the sheets in a photograph: the printed ones, and the `side_boards` found before.

    The areas `taken`, corners in px, are not searched. Raises UnusablePhotographError.
    """
    printed = {one.sheet.name: one for one in token_sheets(standard.layout)}
    learned = [_of_side_board(known[one["profile"]], one) for one in side_boards]
    names = {one.sheet.sheet.name for one in learned}
    found = services().run_job(read_sheets, path, standard.name, taken) if printed else {}
    return [
        *(
            SeenSheet(printed[name], picture_of(standard.layout.game, name), reading)
            for name, reading in found.items()
            if name not in names
        ),
        *learned,
    ]


def sent_tokens(standard: Profile) -> Mapping[str, str]:
    """Return the tokens by place on the sheets in the request's photograph.

    Raises UnreadPhotographError.
    """
    known, found = known_boards(standard.layout.game), dict[str, str]()
    with passing_photograph() as path:
        beside = side_boards_in(path, known)
        taken = [one["corners"] for one in beside]
        for seen in sheets_in(path, standard, known, beside, taken):
            found |= seen.tokens
    return found


def picture_of(game: str, sheet: str) -> str:
    """Return the URL of a printed sheet's picture."""
    return url_for("table_setup.picture", game_name=game, name=sheet)


def _of_side_board(profile: Profile, board: Mapping[str, Any]) -> SeenSheet:
    """Return a side board of a reading as a sheet with what is surely there."""
    state = BoardState.from_data(board, profile.game)
    sure = {
        at.id: seen.piece
        for at, seen in state.places.items()
        if seen.confidence >= SURE and at.id not in state.doubts
    }
    picture = url_for("profiles.picture", name=profile.name)
    return SeenSheet(sheet_of(profile), picture, {"tracks": {}, "spots": sure})
