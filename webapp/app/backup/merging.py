"""Merging games and persons of a backup with those that exist already."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from webapp.app.backup.rows import CAMERAS, PARTS, GameData
from webapp.app.database import GameRow, PersonNameRow, PersonRow, PhotographRow, ResultRow, now
from webapp.app.live.log import LiveSourceRow
from webapp.app.session.board_slots import owners, with_owners
from webapp.app.session.game_document import NOTE, PROFILE, with_note


class GameMerge(Enum):
    """What happens to a game of a backup."""

    NEW = "new"
    """Missing here: added."""
    SAME = "same"
    """Identical here: unchanged."""
    OLDER = "older"
    """The game here is further on: unchanged."""
    NEWER = "newer"
    """The backup is further on: replaces the game here."""
    BOTH = "both"
    """Both continued differently: added as a second game."""


def merge_of(here: GameData | None, game: GameData) -> GameMerge:
    """Decide how to merge a backup's game with the one `here`, None if missing."""
    if here is None:
        return GameMerge.NEW
    goes_on, went_on = _contains(game, here), _contains(here, game)
    if goes_on and went_on:
        return GameMerge.SAME
    if went_on:
        return GameMerge.OLDER
    return GameMerge.NEWER if goes_on else GameMerge.BOTH


def _contains(longer: GameData, other: GameData) -> bool:
    """Whether `longer` contains every state and log entry of `other`.

    States older than the oldest that `longer` has kept are ignored.
    """
    steps = {one["number"]: _played(one["document"]) for one in longer.parts["revisions"]}
    missed = [
        one
        for one in other.parts["revisions"]
        if one["number"] >= min(steps) and steps.get(one["number"]) != _played(one["document"])
    ]
    entries, log = other.parts["live"], longer.parts["live"]
    return (
        not missed
        and other.own["revision"] in steps
        and len(entries) <= len(log)
        and all(_content(one) == _content(two) for one, two in zip(entries, log, strict=False))
    )


def _played(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document without the keys that are changed in all revisions at once."""
    return {key: own for key, own in document.items() if key not in (NOTE, PROFILE)}


def _content(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry["kind"], entry["data"], entry["at"]


@dataclass(frozen=True)
class NewIds:
    """The ids of a restored game and its photographs on this server."""

    game: str
    photographs: Mapping[str, str]

    @classmethod
    def of(cls, session: Session, game: GameData, merge: GameMerge) -> "NewIds | None":
        """Return them for a game to be written; None if the game here is unchanged."""
        if merge in (GameMerge.SAME, GameMerge.OLDER):
            return None
        deleted = merge is GameMerge.NEW and session.get(GameRow, game.id) is not None
        as_copy = merge is GameMerge.BOTH or deleted
        game_id = secrets.token_hex(8) if as_copy else game.id
        wanted = [one["id"] for one in game.parts["photographs"]]
        query = select(PhotographRow.id).where(
            PhotographRow.id.in_(wanted), PhotographRow.game_id != game_id
        )
        taken = set(session.scalars(query))
        return cls(game_id, {id: secrets.token_hex(8) if id in taken else id for id in wanted})


def write_game(
    session: Session,
    here: GameData | None,
    game: GameData,
    ids: NewIds | None,
    boards: Mapping[str, str],
) -> str | None:
    """Write a game's rows, or only its note if the game here stays; return its id if written."""
    if ids is None:
        assert here is not None, "it stays"
        _add_note(session, here, game)
        return None
    if here is not None and ids.game == game.id:
        for kind in (ResultRow, *PARTS.values()):
            others = delete(kind).where(kind.game_id == game.id)
            if kind is PhotographRow:  # keep those that the backup does not know
                others = others.where(PhotographRow.id.in_(ids.photographs))
            session.execute(others)
        own = {key: value for key, value in game.own.items() if key != "id"}
        row = session.get_one(GameRow, game.id)
        for key, value in own.items():
            setattr(row, key, value)
        session.flush()
    else:
        session.execute(insert(GameRow).values({**game.own, "id": ids.game}))
    for part, kind in PARTS.items():
        rows = [_renamed(part, row, ids, boards) for row in game.parts[part]]
        if rows:
            session.execute(insert(kind), rows)
    _bring_cameras(session, game, ids.game)
    return ids.game


def _bring_cameras(session: Session, game: GameData, game_id: str) -> None:
    """Restore the memory of a game's cameras, unless running: a running camera knows more."""
    for camera in game.parts[CAMERAS]:
        row = session.get(LiveSourceRow, (game_id, camera["name"]))
        if row is None:
            row = LiveSourceRow(game_id=game_id, name=camera["name"], address="", running=False)
            session.add(row)
        if not row.running:
            row.memory = camera["memory"]


def _renamed(
    part: str, row: Mapping[str, Any], ids: NewIds, boards: Mapping[str, str]
) -> dict[str, Any]:
    """Return a row with the ids of game, photographs and boards on this server."""
    changed = {**row, "game_id": ids.game}
    if part == "photographs":
        changed["id"] = ids.photographs[row["id"]]
    if part == "revisions":
        changed["document"] = _with_ids(row["document"], ids, boards)
    return changed


def _with_ids(document: dict[str, Any], ids: NewIds, boards: Mapping[str, str]) -> dict[str, Any]:
    changed = []
    for owner in owners(document):
        board = owner["board"]
        if board and board["photograph"] in ids.photographs:
            board = {**board, "photograph": ids.photographs[board["photograph"]]}
        changed.append({**owner, "board": board})
    profile = document.get(PROFILE)
    named = {PROFILE: boards.get(profile, profile)} if profile else {}
    return {**with_owners(document, changed), **named}


def _add_note(session: Session, here: GameData, game: GameData) -> None:
    """Append the backup's note to the one here unless that contains it."""
    ours, theirs = here.document.get(NOTE, ""), game.document.get(NOTE, "")
    if not theirs or theirs in ours:
        return
    note = f"{ours}\n\n{theirs}" if ours else theirs
    kind = PARTS["revisions"]
    for revision in session.scalars(select(kind).where(kind.game_id == here.id)):
        revision.document = dict(with_note(revision.document, note))
    session.get_one(GameRow, here.id).changed_at = now()


def persons_added(session: Session, persons: Sequence[Mapping[str, Any]]) -> list[str]:
    """Add persons, fill in what is missing of known ones, and return the pictures to write.

    They are identified by id, else by any of their names.
    """
    pictures = []
    for one in persons:
        row = session.get(PersonRow, one["id"]) or _of_names(session, one["keys"])
        if row is None:
            row = PersonRow(**{key: one[key] for key in ("id", "name", "colour")})
            session.add(row)
            session.flush()
        if row.picture is None and one["picture"]:
            row.picture = one["picture"]
            pictures.append(one["picture"])
        for key in one["keys"]:
            if session.get(PersonNameRow, key) is None:
                session.add(PersonNameRow(key=key, person_id=row.id))
        session.flush()
    return pictures


def _of_names(session: Session, keys: Iterable[str]) -> PersonRow | None:
    found = session.scalars(select(PersonNameRow).where(PersonNameRow.key.in_(list(keys)))).first()
    return session.get(PersonRow, found.person_id) if found else None
