"""Boards that are being added or changed, each a folder with its picture and state.

A draft can be continued at any time and survives a restart. Its pictures are made in the process
that decodes photographs (`draft_jobs`).
"""

import json
import logging
import re
import secrets
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from calibration import Profile, ProfileError, load_profile
from calibration.profile import encode_reference
from calibration.proposal import can_propose
from calibration.side_boards import pattern
from webapp.app import atomic
from webapp.app.boards import draft_jobs
from webapp.app.reading.read_photograph import ReaderClosedError, UnusablePhotographError
from webapp.app.reading.reading_process import RunJob
from webapp.app.storage import NoRoomError

log = logging.getLogger(__name__)

MOST_DRAFTS = 20
FILE, PHOTO = "draft.json", "photo"
DRAFT_BYTES = 3_000_000
"""Bytes reserved for a draft's pictures and trial profile, its photograph not included."""


class NoSuchDraftError(LookupError):
    """There is no draft of this id."""


@dataclass(frozen=True)
class Draft:
    """A board that is being added, or changed if `profile` names it.

    `state` is "waiting" until a layout is proposed, then "proposed", or "failed" with a `problem`
    in one word. `like` is the board that it is another print of, as
    `calibration.side_boards.pattern` names it, "" for any of the game. `corners` are
    fractions of the photograph, empty until a board is found; `layout` is a layout file's data,
    mistakes included. `doubtful` lists what was not seen with certainty, such as places and links,
    until the owner confirms, moves or deletes it. `version` counts the pictures of the board.
    `trial` is the last trial reading.
    """

    id: str
    game: str
    state: str = "waiting"
    problem: str | None = None
    corners: list[list[float]] = field(default_factory=list)
    layout: Mapping[str, Any] = field(default_factory=dict)
    doubtful: list[str] = field(default_factory=list)
    version: int = 0
    trial: Mapping[str, Any] | None = None
    profile: str = ""
    like: str = ""


class Drafts:
    def __init__(self, folder: Path, run_job: RunJob) -> None:
        """Store drafts in `folder`; `run_job` runs jobs that decode photographs."""
        self._folder, self._run_job = folder, run_job
        self._pool = ThreadPoolExecutor(1, "drafts")
        self._lock = RLock()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def add(self, game: str, photograph: bytes, like: str = "") -> Draft:
        """Begin a draft from a photograph and request a proposal of its layout.

        With `like`, the layout is that board's until one is proposed. Raises NoRoomError.
        """
        layout = pattern(like).layout.to_data() if like else {}
        draft = Draft(secrets.token_hex(8), game, layout=layout, like=like)
        self._take_in(draft, photograph)
        self._write(draft)
        self.propose(draft.id)
        return draft

    def add_from(self, name: str, changes: bool) -> Draft:
        """Begin a draft from a profile's board: one that `changes` it, or a similar board.

        If a draft already changes the profile, that one is returned. Raises NoRoomError,
        ProfileError, and ValueError for a profile without a picture.
        """
        profile, named = load_profile(name), name if changes else ""
        begun = next((draft for draft in self.all() if named and draft.profile == named), None)
        if begun is not None:
            return begun
        layout = profile.layout.to_data()
        draft = Draft(
            secrets.token_hex(8),
            profile.layout.game,
            state="proposed",
            corners=draft_jobs.WHOLE_PICTURE,
            layout=layout,
            version=1,
            profile=named,
            like=_like(profile, name),
        )
        folder = self._take_in(draft, encode_reference(profile.require_reference()))
        try:
            self._run_job(draft_jobs.show_pictures, folder, draft.corners, layout)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._write(draft)
        return draft

    def _take_in(self, draft: Draft, photograph: bytes) -> Path:
        """Store a new draft's photograph; return its folder."""
        with self._lock:
            if len(self.all()) >= MOST_DRAFTS:
                raise NoRoomError("drafts")
            atomic.write(self.folder(draft.id) / PHOTO, photograph)
        return self.folder(draft.id)

    def propose(self, draft_id: str, corners: list[list[float]] | None = None) -> None:
        """Request a new proposal, within `corners` if given."""
        self._change(draft_id, state="waiting", problem=None)
        self._pool.submit(self._propose, draft_id, corners)

    def accept_anyway(self, draft_id: str) -> Draft:
        """Accept a proposal that was rejected as no board, or as one with pieces on it."""
        draft = self.get(draft_id)
        if draft.state != "failed" or not draft.corners:
            raise NoSuchDraftError(draft_id)
        return self._change(draft_id, state="proposed", problem=None)

    def resume(self) -> None:
        """Request the proposals that were pending when the server stopped."""
        for draft in self.all():
            if draft.state == "waiting":
                self.propose(draft.id)

    def all(self) -> list[Draft]:
        """Return all drafts, the last changed first."""
        files = sorted(self._folder.glob(f"*/{FILE}"), key=_changed, reverse=True)
        found = []
        for file in files:
            with suppress(NoSuchDraftError):
                found.append(self.get(file.parent.name))
        return found

    def get(self, draft_id: str) -> Draft:
        """Return a draft by id. Raises NoSuchDraftError."""
        if not re.fullmatch("[0-9a-f]{16}", draft_id):
            raise NoSuchDraftError(draft_id)
        draft = loaded(self.folder(draft_id) / FILE)
        if draft is None:
            raise NoSuchDraftError(draft_id)
        return draft

    def save(
        self, draft_id: str, layout: Mapping[str, Any], doubtful: list[str] | None = None
    ) -> Draft:
        """Save a changed layout and the remaining doubts.

        Raises NoSuchDraftError.
        """
        changes = {} if doubtful is None else {"doubtful": doubtful}
        return self._change(draft_id, layout=layout, **changes)

    def straighten(
        self, draft_id: str, corners: list[list[float]], layout: Mapping[str, Any]
    ) -> Draft:
        """Save other corners; the places do not move in the photograph.

        Raises NoSuchDraftError, UnusablePhotographError, and ProfileError for invalid values.
        """
        before = self.get(draft_id)
        job = (draft_jobs.straighten, self.folder(draft_id), before.corners, corners, layout)
        moved = self._run_job(*job)
        version = before.version + 1
        return self._change(draft_id, layout=moved, corners=corners, version=version)

    def kept_trial(self, draft_id: str, trial: Mapping[str, Any], picture: bytes | None) -> Draft:
        """Save a trial reading and its picture."""
        if picture is not None:
            atomic.write(self.folder(draft_id) / "trial.jpg", picture)
        return self._change(draft_id, trial=trial)

    def remove(self, draft_id: str) -> None:
        """Delete a draft. Raises NoSuchDraftError."""
        with self._lock:
            self.get(draft_id)
            shutil.rmtree(self.folder(draft_id), ignore_errors=True)

    def remove_failed(self) -> None:
        for draft in self.all():
            if draft.state == "failed":
                with suppress(NoSuchDraftError):
                    self.remove(draft.id)

    def begun_at(self, draft: Draft) -> datetime:
        """Return when a draft's photograph was stored, in UTC."""
        seconds = _changed(self.folder(draft.id) / PHOTO)
        return datetime.fromtimestamp(seconds, UTC)

    def folder(self, draft_id: str) -> Path:
        """Return the folder of a draft's files."""
        return self._folder / draft_id

    def close(self) -> None:
        """Stop; pending proposals resume at the next start."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _propose(self, draft_id: str, corners: list[list[float]] | None) -> None:
        try:
            draft = self.get(draft_id)
            folder = self.folder(draft_id)
            known = draft.like or draft.game
            if can_propose(known):
                found = self._run_job(draft_jobs.propose, folder, known, corners)
            else:
                found = self._run_job(draft_jobs.match, folder, known, corners, draft.layout)
            self._change(draft_id, version=draft.version + 1, trial=None, **found)
        except (ReaderClosedError, NoSuchDraftError):
            return  # the next server resumes it, or it was deleted
        except UnusablePhotographError as error:
            self._fail(draft_id, error.problem)
        except ProfileError as error:
            log.info("draft %s: %s", draft_id, error)
            self._fail(draft_id, draft_jobs.NO_BOARD)
        except Exception:
            log.exception("draft %s could not be proposed", draft_id)
            self._fail(draft_id, "failed")

    def _fail(self, draft_id: str, problem: str) -> None:
        with suppress(NoSuchDraftError):
            self._change(draft_id, state="failed", problem=problem)

    def _change(self, draft_id: str, **changes: Any) -> Draft:
        with self._lock:
            draft = replace(self.get(draft_id), **changes)
            self._write(draft)
            return draft

    def _write(self, draft: Draft) -> None:
        atomic.write(self.folder(draft.id) / FILE, json.dumps(asdict(draft)).encode())


def _like(profile: Profile, name: str) -> str:
    """Return the `like` of a draft that begins with a profile's board."""
    layout = profile.layout
    if layout.is_side_board:
        return f"{layout.game}/{layout.kind}"
    return "" if can_propose(layout.game) else name


def loaded(file: Path) -> Draft | None:
    """Return the draft of a file; None if missing or invalid."""
    try:
        return Draft(**json.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
