"""Drafts of boards and colour samples in a backup.

A draft is restored without its last trial reading. Existing drafts stay, and so do colour samples
that are newer than the backup's.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from calibration import ProfileError
from scorer import registry
from webapp.app import atomic
from webapp.app.backup.archive import Archive, BackupError
from webapp.app.boards.drafts import FILE, Draft, loaded
from webapp.app.reading.colour_samples import ColourSamples

PICTURES = ("photo", "preview.jpg", "board.jpg")
SEEN_STARS = "seen-stars.json"


def kept_drafts(folder: Path) -> Iterator[tuple[str, bytes, list[Path]]]:
    """Yield id, JSON and picture files of each draft in a folder."""
    for file in sorted(folder.glob(f"*/{FILE}")):
        draft = loaded(file)
        if draft is not None:
            written = json.dumps(asdict(replace(draft, trial=None))).encode()
            pictures = (file.with_name(name) for name in PICTURES)
            yield draft.id, written, [one for one in pictures if one.is_file()]


def drafts_of(opened: Archive) -> list[Draft]:
    """Return a backup's validated drafts, pictures not included. Raises BackupError."""
    found = []
    for (draft_id,) in opened.names(rf"drafts/([0-9a-f]+)/{FILE}"):
        name = f"drafts/{draft_id}/{FILE}"
        try:
            draft = Draft(**opened.json(name))
            _check(draft, draft_id)
        except (TypeError, ValueError) as error:
            if isinstance(error, BackupError):
                raise
            raise BackupError(f"{name}: is not a board that is being drawn ({error})") from error
        if f"drafts/{draft_id}/photo" not in opened:
            raise BackupError(f"{name}: its photograph is missing")
        found.append(draft)
    return found


def _check(draft: Draft, draft_id: str) -> None:
    """Raise ValueError for an invalid draft."""
    corners = draft.corners
    known = (
        draft.id == draft_id
        and draft.game in registry.names()
        and draft.state in ("waiting", "proposed", "failed")
        and isinstance(draft.problem, str | None)
        and isinstance(draft.profile, str)
        and isinstance(draft.version, int)
        and isinstance(draft.layout, dict)
        and isinstance(draft.doubtful, list)
        and all(isinstance(place, str) for place in draft.doubtful)
        and draft.trial is None
    )
    flat = isinstance(corners, list) and all(
        isinstance(point, list)
        and len(point) == 2
        and all(isinstance(v, int | float) for v in point)
        for point in corners
    )
    if not known or not flat or len(corners) not in (0, 4):
        raise ValueError("a part of it is not what it should be")
    if draft.state == "proposed" and not corners:
        raise ValueError("it has no corners")


def bring_draft(
    draft: Draft, pictures: Mapping[str, bytes], folder: Path, boards: Mapping[str, str]
) -> bool:
    """Write a draft unless it exists; `boards` maps the backup's board names to those here.

    Returns whether it was written.
    """
    target = folder / draft.id
    if (target / FILE).exists():
        return False
    for name, picture in pictures.items():
        atomic.write(target / name, picture)
    named = replace(draft, profile=boards.get(draft.profile, draft.profile))
    atomic.write(target / FILE, json.dumps(asdict(named)).encode())
    return True


def check_stars(data: Any) -> None:
    """Raise BackupError for invalid colour samples."""
    if not isinstance(data, Mapping):
        raise BackupError(f"{SEEN_STARS}: is no list of stars")
    for name, kept in data.items():
        try:
            ColourSamples.checked(name, kept)
        except (ProfileError, ValueError) as error:
            raise BackupError(
                f"{SEEN_STARS}: {str(name)[:60]!r}: is not what it should be"
            ) from error
