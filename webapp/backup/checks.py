"""Whether a game of a backup is one that pages can show: tried out before anything is kept."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from calibration import Profile
from webapp import flow, game_document, scoring, seats
from webapp.backup.archive import BackupError
from webapp.backup.rows import ID, GameData
from webapp.board_owners import owners
from webapp.game_document import PROFILE
from webapp.games import pages_of
from webapp.live.entry import Entry
from webapp.live.reducer import reduce
from webapp.readings import pieces_read

BoardOf = Callable[[Mapping[str, Any]], Profile | None]
"""The board that a document's game is played on; None where it is not known here."""


def check_game(game: GameData, board_of: BoardOf) -> None:
    """Raise BackupError for a game with something in it that is not what it should be."""
    try:
        for revision in game.parts["revisions"]:
            _check_document(revision["document"])
        for photograph in game.parts["photographs"]:
            if photograph["reading"] is not None:
                _check_reading(photograph["reading"])
        profile = board_of(game.document)
        if profile is not None:
            _try_out(game, profile)
    except BackupError:
        raise
    except Exception as error:  # whatever a page would stumble over
        reason = f"{type(error).__name__}: {error}"[:160]
        raise BackupError(f"games/{game.id}.json: is not a game ({reason})") from error


def _check_document(document: Mapping[str, Any]) -> None:
    players = document["players"]
    pages = pages_of(document["game"])
    texts = [document.get(key, "") for key in (PROFILE, game_document.NOTE, "mode")]
    _ensure(all(isinstance(text, str) for text in texts), "a text that is none")
    _ensure(isinstance(players, list) and 1 <= len(players) <= len(pages.markers), "players")
    _ensure(all(isinstance(step, str) for step in document["confirmed"]), "steps")
    for player in players:
        _ensure(isinstance(player["name"], str) and 0 < len(player["name"]) <= 100, "a name")
        _ensure(player["marker"] in pages.markers, "a colour")
    for owner in owners(document):
        board, checked = owner["board"], owner["checked"]
        _ensure(all(isinstance(space, str) for space in checked), "spaces")
        if board is not None:
            photograph, index = board["photograph"], board["index"]
            _ensure(photograph is None or bool(ID.fullmatch(photograph)), "a photograph")
            _ensure(isinstance(index, int) and 0 <= index < 1000, "a board")
    shown = seats.view(document, {}, None)
    flow.steps(shown)
    pages.game_data(shown)


def _check_reading(reading: Mapping[str, Any]) -> None:
    for board in reading["boards"]:
        _ensure(isinstance(board["profile"], str), "a reading's profile")
        for seen in board["spaces"].values():
            _ensure(0 <= seen["confidence"] <= 1, "a confidence")
            _ensure(
                re.fullmatch("#[0-9a-f]{6}", seen.get("colour", "#000000")) is not None, "colour"
            )
        for flag in board["flags"]:
            _ensure(isinstance(flag["kind"], str), "a flag")


def _try_out(game: GameData, profile: Profile) -> None:
    """Do with a game what its pages do."""
    document, pages = game.document, pages_of(game.document["game"])
    shown = seats.view(document, {}, None)
    for seat in range(len(owners(document))):
        scoring.lying(shown, seat, profile.board)
    for photograph in game.parts["photographs"]:
        for board in (photograph["reading"] or {"boards": ()})["boards"]:
            pieces_read(board, pages.game)
    if game.parts["live"]:
        rules = pages.live.rules(shown, profile)
        reduce(
            rules, [Entry(r["number"], r["kind"], r["data"], r["at"]) for r in game.parts["live"]]
        )


def _ensure(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} that cannot be")
