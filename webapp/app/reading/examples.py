"""Confirmed boards that players agreed to keep, as training data for their own stars."""

import json
import logging
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration import Profile, ProfileError, load_profile, profile_names, versions
from scorer.places import Place
from webapp.app import atomic
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.reading.photographs import NoSuchPhotographError
from webapp.app.services import Services
from webapp.app.session.board_slots import owners
from webapp.app.session.game_document import pieces_of
from webapp.app.session.saved_games import SavedGame

if TYPE_CHECKING:
    from models.kept_example import KeptExample

log = logging.getLogger(__name__)

FORMAT = 1


def keep(services: Services, game: SavedGame, player: int) -> None:
    """Save the picture of a player's board with its pieces, if it was photographed.

    It is the rectified board without the rest of the photograph. Each game's examples are in their
    own folder, which is deleted with the game.
    """
    source = owners(game.document)[player]["board"]
    if source is None or source["photograph"] is None:
        return
    board = services.boards.of(game.document).board
    pieces = DrawnPieces.of(pieces_of(game.document, player, board))
    label = {
        "format": FORMAT,
        "game": game.document["game"],
        "profile": services.boards.name_of(game.document),
        "stars": dict(pieces.stars),
        "links": dict(pieces.links),
        "counts": dict(pieces.counts),
    }
    file = services.settings.examples / game.id / f"board-{player}.json"
    try:
        photograph = services.photographs.get(game.id, source["photograph"])
        picture = services.photographs.board_path(photograph, source["index"])
        with picture.open("rb") as board, atomic.replacing(file.with_suffix(".jpg")) as copy:
            shutil.copyfileobj(board, copy)
        atomic.write(file, json.dumps(label).encode())
    except (NoSuchPhotographError, OSError) as error:  # the game goes on without
        log.warning("a confirmed board was not kept as an example: %s", error)


def kept(folder: Path, game: str) -> "Iterator[KeptExample]":
    """Yield the valid examples of a game in a folder, the newest last.

    Examples of boards that are gone or have other places now are left out.
    """
    for file in sorted(folder.glob("*/board-*.json"), key=lambda path: path.stat().st_mtime):
        try:
            label = json.loads(file.read_bytes())
            if label.get("game") == game:
                yield _example(file, label)
        except (ValueError, KeyError, TypeError, AttributeError, OSError, ProfileError) as error:
            log.info("%s is left out: %s", file, error)


def _example(file: Path, label: Mapping[str, Any]) -> "KeptExample":
    """Return an example. Raises ValueError, KeyError, TypeError and ProfileError if invalid."""
    from models.kept_example import KeptExample

    profile = _profile(str(label["profile"]))
    pieces = {Place(space): piece for space, piece in label["stars"].items()}
    pieces |= {Place(link, "edge"): piece for link, piece in label.get("links", {}).items()}
    for track, count in label["counts"].items():
        (kind,) = profile.game.admits(Place(track, "track"))
        pieces |= {Place(track, "track", slot): kind for slot in range(count)}
    kinds = {piece.id for piece in profile.game.pieces}
    if not (pieces.keys() <= profile.places.keys() and kinds.issuperset(pieces.values())):
        raise ValueError("its board has other places now")
    if not file.with_suffix(".jpg").is_file():
        raise ValueError("its picture is gone")
    return KeptExample(file.with_suffix(".jpg"), profile, pieces)


def _profile(name: str) -> Profile:
    """Return a profile by name; names from files must not be paths."""
    known = {*profile_names(), *versions.version_names()}
    if name not in known or not re.fullmatch(r"[\w./-]+", name):
        raise ValueError(f"profile {name} is not known")
    return load_profile(name)
