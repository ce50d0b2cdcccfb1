"""Writing everything a server keeps to a backup, and restoring it.

Restoring onto a server that has games loses nothing. Of a game that exists in both, the copy that
continues the other is kept; if both continued differently, both are kept, the backup's under a new
id. Boards and persons are treated alike.
"""

import json
import logging
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from calibration import Profile, ProfileError, load_profile, owned, owner_profiles, versions
from calibration.own_deck import readable_deck, reencoded, save_deck, unpack_deck
from calibration.profile import DECK_FILE, built_in_profiles, deck_path, own_profile_names
from vision import PhotoError, inspect_picture
from webapp import __version__
from webapp.app import atomic
from webapp.app.backup import archive, rows, unfinished
from webapp.app.backup.archive import (
    ABOUT,
    FORMAT,
    LESSONS,
    PERSONS,
    PREFERENCES,
    Archive,
    BackupError,
    ZipBuffer,
)
from webapp.app.backup.checks import check_game
from webapp.app.backup.merging import GameMerge, NewIds, merge_of, persons_added, write_game
from webapp.app.backup.rows import GameData
from webapp.app.backup.unfinished import SEEN_STARS
from webapp.app.boards.known_boards import BoardGoneError, KnownBoards
from webapp.app.database import GameRow, PersonNameRow, PersonRow, now, reading
from webapp.app.live.source_address import SourceAddresses
from webapp.app.reading.colour_samples import ColourSamples
from webapp.app.session import revisions
from webapp.app.settings import Settings
from webapp.app.storage import NoRoomError, Storage

log = logging.getLogger(__name__)

PORTION = 256 * 1024


@dataclass(frozen=True)
class Plan:
    """A backup's contents, and the effect on the games of restoring it."""

    games: Mapping[str, GameMerge]
    boards: int
    persons: int
    photographs: int
    bytes: int

    def count(self, *kinds: GameMerge) -> int:
        """Return the number of games of these kinds."""
        return sum(one in kinds for one in self.games.values())


@dataclass
class Restored:
    """The outcome of a restore; `preferences` are those of the browser that saved the backup."""

    plan: Plan
    games: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    preferences: Mapping[str, str] = field(default_factory=dict)


class Backups:
    """Writes and restores backups of a server."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        settings: Settings,
        boards: KnownBoards,
        storage: Storage,
        key: bytes,
    ) -> None:
        """Use the paths in `settings`; `key` is the server's secret key."""
        self._sessions, self._settings, self._boards = sessions, settings, boards
        self._storage, self._seals = storage, SourceAddresses(key)

    # writing

    def written(self, preferences: Mapping[str, str] | None = None) -> Iterator[bytes]:
        """Yield a zip of everything in parts, with at most one game in memory."""
        outlet = ZipBuffer()
        with zipfile.ZipFile(cast(Any, outlet), "w") as packed:
            about = {"format": FORMAT, "stargazer": __version__, "made_at": f"{now():%FT%T}"}
            _put(packed, ABOUT, about)
            _put(packed, PREFERENCES, dict(preferences or {}))
            for part in (
                self._games,
                self._boards_in,
                self._unfinished,
                self._persons,
                self._lessons,
            ):
                for _ in part(packed):
                    yield outlet.taken()
        yield outlet.taken()

    def _games(self, packed: zipfile.ZipFile) -> Iterator[None]:
        with reading(self._sessions) as session:
            ids = list(session.scalars(select(GameRow.id).order_by(GameRow.created_at)))
        for game_id in ids:
            with reading(self._sessions) as session:  # one consistent state per game
                game = rows.game_of(session, game_id)
                damaged = revisions.damaged(session, game_id)
            if damaged is not None:
                _put(packed, f"unreadable/{game_id}.json", damaged)
                yield
            if game is None:
                continue
            _put(packed, f"games/{game_id}.json", rows.to_data(game, self._seals.seal))
            yield
            kept = {one["id"] for one in game.parts["photographs"]}
            folders = (
                ("photographs", self._settings.photographs),
                ("examples", self._settings.examples),
            )
            for name, folder in folders:
                for file in sorted((folder / game_id).glob("*")):
                    if name == "examples" or file.name.split(".")[0] in kept:
                        yield from _copy(packed, f"{name}/{game_id}/{file.name}", file)

    def _boards_in(self, packed: zipfile.ZipFile) -> Iterator[None]:
        for name in (*own_profile_names(), *versions.version_names()):
            with suppress(ProfileError, ValueError):  # skip a damaged or uncalibrated board
                board = owned.pack_profile(load_profile(owner_profiles() / name))
                packed.writestr(f"boards/{name}.zip", board)
                yield
        for name in built_in_profiles():
            yield from _copy(packed, f"stars/{name}.yaml", _stars(name))
            yield from _copy(packed, f"decks/{name}.zip", deck_path(name))

    def _unfinished(self, packed: zipfile.ZipFile) -> Iterator[None]:
        for draft_id, written, pictures in unfinished.kept_drafts(self._settings.drafts):
            name = f"drafts/{draft_id}"
            packed.writestr(f"{name}/draft.json", written, zipfile.ZIP_DEFLATED)
            for picture in pictures:
                yield from _copy(packed, f"{name}/{picture.name}", picture)
        _put(packed, SEEN_STARS, ColourSamples(self._settings.colour_samples).kept())
        yield

    def _persons(self, packed: zipfile.ZipFile) -> Iterator[None]:
        with reading(self._sessions) as session:
            persons = [
                {
                    **{key: getattr(row, key) for key in ("id", "name", "colour", "picture")},
                    "keys": list(
                        session.scalars(
                            select(PersonNameRow.key).where(PersonNameRow.person_id == row.id)
                        )
                    ),
                }
                for row in session.scalars(select(PersonRow).order_by(PersonRow.name))
            ]
        _put(packed, PERSONS, persons)
        for person in persons:
            if person["picture"]:
                name = f"{person['picture']}.jpg"
                yield from _copy(packed, f"persons/{name}", self._settings.persons / name)

    def _lessons(self, packed: zipfile.ZipFile) -> Iterator[None]:
        with reading(self._sessions) as session:
            _put(packed, LESSONS, rows.lessons_of(session))
        yield

    # reading

    def plan(self, path: Path) -> Plan:
        """Validate a whole backup and return what restoring it would do.

        Raises BackupError, and NoRoomError if it is larger than the storage limit.
        """
        with archive.opened(path) as opened:
            if opened.size > self._settings.max_stored_bytes:
                raise NoRoomError("storage")
            merges: dict[str, GameMerge] = {}
            for game in self._read_games(opened):
                with reading(self._sessions) as session:
                    merges[game.id] = merge_of(rows.game_of(session, game.id), game)
            rows.lessons_from_data(opened.json(LESSONS, []), LESSONS)
            unfinished.drafts_of(opened)
            unfinished.check_stars(opened.json(SEEN_STARS, {}))
            self._check_pictures(opened)
            return Plan(
                merges,
                boards=len(opened.names(r"boards/(.+)\.zip")),
                persons=len(_persons_of(opened)),
                photographs=len(opened.names(r"photographs/.+\.(photo)")),
                bytes=opened.size,
            )

    def restore(self, path: Path) -> Restored:
        """Restore a backup. Raises BackupError and NoRoomError, with nothing changed.

        Files are written first, then the rows that refer to them in one transaction, so that an
        interruption leaves no incomplete game.
        """
        plan = self.plan(path)
        self._storage.take(plan.bytes)
        with archive.opened(path) as opened:
            boards = self._bring_boards(opened)
            self._bring_stars(opened)
            self._bring_decks(opened)
            drafts = self._bring_unfinished(opened, boards)
            restored = Restored(plan, drafts=drafts, preferences=_preferences(opened))
            for game in self._read_games(opened):
                written = self._bring_game(opened, game, boards)
                restored.games += [written] if written else []
            with self._sessions.begin() as session:
                pictures = persons_added(session, _persons_of(opened))
                for name in pictures:
                    target = self._settings.persons / f"{name}.jpg"
                    self._bring(opened, f"persons/{name}.jpg", target)
                for lesson in rows.lessons_from_data(opened.json(LESSONS, []), LESSONS):
                    session.merge(lesson)
        return restored

    def _bring_game(self, opened: Archive, game: GameData, boards: Mapping[str, str]) -> str | None:
        """Restore one game; return its id here if any of it was written."""
        while True:
            with reading(self._sessions) as session:
                merge = merge_of(rows.game_of(session, game.id), game)
                ids = NewIds.of(session, game, merge)
            if ids is not None:
                self._bring_files(opened, game, ids)
            with self._sessions.begin() as session:
                here = rows.game_of(session, game.id)
                if merge_of(here, game) is merge:
                    return write_game(session, here, game, ids, boards)
            # Somebody played on meanwhile: decide again; orphaned files are swept later.

    def _read_games(self, opened: Archive) -> Iterator[GameData]:
        for (game_id,) in opened.names("games/(.+)[.]json"):
            name = f"games/{game_id}.json"
            game = rows.from_data(opened.json(name), name, self._seals.unseal)
            if game.id != game_id:
                raise BackupError(f"{name}: is another game's")
            check_game(game, self._board_of)
            yield game

    def _board_of(self, document: Mapping[str, Any]) -> Profile | None:
        try:
            return self._boards.of(document)
        except BoardGoneError:
            return None

    def _check_pictures(self, opened: Archive) -> None:
        pictures = "((?:photographs|persons|examples|drafts)/.+(?:photo|[.]jpg))"
        for (name,) in opened.names(pictures):
            _checked_picture(opened, name, self._settings)

    def _bring_boards(self, opened: Archive) -> dict[str, str]:
        """Add the owner's boards; return their names here by the names in the backup."""
        called = {}
        for (name,) in opened.names(r"boards/(.+)\.zip"):
            is_version = versions.profile_of_version(name) is not None
            bring = versions.bring_back_version if is_version else owned.bring_back_profile
            with _blamed(part := f"boards/{name}.zip"):
                called[name] = bring(opened.read(part), name)
        return called

    def _bring_stars(self, opened: Archive) -> None:
        for game, name in opened.names("stars/(.+)/(.+)[.]yaml"):
            if f"{game}/{name}" in built_in_profiles() and not _stars(f"{game}/{name}").exists():
                self._bring(opened, f"stars/{game}/{name}.yaml", _stars(f"{game}/{name}"))

    def _bring_decks(self, opened: Archive) -> None:
        for game, name in opened.names("decks/(.+)/(.+)[.]zip"):
            if f"{game}/{name}" in built_in_profiles() and not readable_deck(f"{game}/{name}"):
                with _blamed(part := f"decks/{game}/{name}.zip"):
                    deck = reencoded(unpack_deck(opened.read(part), DECK_FILE), DECK_FILE)
                    save_deck(f"{game}/{name}", deck)

    def _bring_unfinished(self, opened: Archive, boards: Mapping[str, str]) -> list[str]:
        """Restore drafts and colour samples; return the ids of the restored drafts."""
        brought = []
        for draft in unfinished.drafts_of(opened):
            names = [name for name in unfinished.PICTURES if f"drafts/{draft.id}/{name}" in opened]
            pictures = {
                name: _checked_picture(opened, f"drafts/{draft.id}/{name}", self._settings)
                for name in names
            }
            if unfinished.bring_draft(draft, pictures, self._settings.drafts, boards):
                brought.append(draft.id)
        ColourSamples(self._settings.colour_samples).bring_back(opened.json(SEEN_STARS, {}), boards)
        return brought

    def _bring_files(self, opened: Archive, game: GameData, ids: NewIds) -> None:
        for photograph, ending in opened.names(f"photographs/{game.id}/([0-9a-f]+)[.](.+)"):
            if photograph in ids.photographs:
                file = f"{ids.photographs[photograph]}.{ending}"
                target = self._settings.photographs / ids.game / file
                self._bring(opened, f"photographs/{game.id}/{photograph}.{ending}", target)
        for (name,) in opened.names(f"examples/{game.id}/(.+)"):
            target = self._settings.examples / ids.game / name
            self._bring(opened, f"examples/{game.id}/{name}", target)

    def _bring(self, opened: Archive, name: str, target: Path) -> None:
        """Write a part atomically to its place; validate it again if it is a picture."""
        if name in opened:
            is_picture = name.endswith((".photo", ".jpg"))
            data = (
                _checked_picture(opened, name, self._settings) if is_picture else opened.read(name)
            )
            atomic.write(target, data)


@contextmanager
def _blamed(part: str) -> Iterator[None]:
    """Raise BackupError about a part for a ProfileError in it."""
    try:
        yield
    except ProfileError as error:
        raise BackupError(f"{part}: {error}") from error


def _stars(name: str) -> Path:
    return owner_profiles().with_name("stars") / f"{name}.yaml"


def _put(packed: zipfile.ZipFile, name: str, data: Any) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed.writestr(name, text, zipfile.ZIP_DEFLATED)


def _copy(packed: zipfile.ZipFile, name: str, file: Path) -> Iterator[None]:
    """Copy a file in chunks; skip it if it is gone or its name is not allowed in a backup."""
    try:
        archive.check_name(name)
        with file.open("rb") as source, packed.open(name, "w") as target:
            while portion := source.read(PORTION):
                target.write(portion)
                yield
    except (FileNotFoundError, BackupError):
        return


def _persons_of(opened: Archive) -> list[dict[str, Any]]:
    """Return a backup's validated persons. Raises BackupError."""
    try:
        persons = opened.json(PERSONS, [])
        for one in persons:
            texts = [one["name"], *one["keys"], *(one[key] or "" for key in ("colour", "picture"))]
            fits = all(isinstance(text, str) and len(text) <= 300 for text in texts)
            ids = [one["id"], *([one["picture"]] if one["picture"] else [])]
            if not fits or len(one["name"]) > 100 or not all(map(rows.ID.fullmatch, ids)):
                raise ValueError("somebody who cannot be")
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"{PERSONS}: is no list of persons") from error
    return list(persons)


def _preferences(opened: Archive) -> dict[str, str]:
    kept = opened.json(PREFERENCES, {})
    pairs = kept.items() if isinstance(kept, dict) else ()
    return {key: own for key, own in pairs if isinstance(own, str)}


def _checked_picture(opened: Archive, name: str, settings: Settings) -> bytes:
    """Return a validated picture file, not decoded. Raises BackupError."""
    try:
        data = opened.read(name)
        return inspect_picture(data, settings.max_upload_pixels, settings.max_upload_bytes).data
    except PhotoError as error:
        raise BackupError(f"{name}: {error}") from error
