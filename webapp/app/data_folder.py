"""A server's data folder: locked by one server at a time and readable by its user only."""

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout

from calibration.profile import owner_folder
from webapp.app import atomic

OURS = ("serve.*", "stargazer.db*", "session.*", "invitation*", "certificate.*", "authority.*")
OWN_THINGS = ("profiles", "stars", "decks", "weights")
"""The folders of `calibration.profile.owner_folder`."""
OUR_FOLDERS = (
    "arriving",
    "photographs",
    "persons",
    "examples",
    "drafts",
    "seen-stars",
    "star-lessons",
    *OWN_THINGS,
)
SECRET = re.compile(r"[A-Za-z0-9_-]{8,}")
KEY_BYTES = 32


class InUseError(Exception):
    """Another server holds the folder; `address` is its URL, "" if unknown."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@contextmanager
def claim(path: Path, address: str) -> Iterator[None]:
    """Lock a folder or file for the server at `address`, which is written beside `path`.

    The operating system holds the lock and releases it when the process ends, however it ends.
    Raises InUseError, or OSError if nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    address_file = path.with_name(f"{path.name}.address")
    lock = FileLock(path.with_name(f"{path.name}.lock"), mode=0o600)
    try:
        held = lock.acquire(blocking=False)
    except Timeout:
        with suppress(OSError):
            raise InUseError(address_file.read_text(encoding="utf-8").strip()) from None
        raise InUseError("") from None
    with held:
        atomic.write(address_file, address.encode())
        yield


def bring_boards(folder: Path) -> None:
    """Copy boards, stars and weights from the user's data folder into a new `folder`, once.

    Earlier versions kept them in the user's data folder regardless of where the games were.
    """
    home = Path(platformdirs.user_data_dir("stargazer", appauthor=False))
    is_new = not (folder / "stargazer.db").exists()
    if is_new or folder.resolve() == home.resolve() or owner_folder().resolve() != folder.resolve():
        return
    for name in OWN_THINGS:
        if (home / name).is_dir() and not (folder / name).exists():
            shutil.copytree(home / name, folder / name)


def make_private(folder: Path, database: Path | None) -> None:
    """Remove group and other permissions left by an earlier version or a different umask.

    `database` is a file that may be outside `folder`. Files that Stargazer did not create, and a
    folder that contains any, keep their permissions.
    """
    files = [file for pattern in OURS for file in folder.glob(pattern)]
    folders = [folder / name for name in OUR_FOLDERS if (folder / name).is_dir()]
    ours = [*files, *folders]
    below = [file for one in folders for file in one.rglob("*")]
    around = [folder] if set(folder.iterdir()) <= set(ours) else []
    elsewhere = database.parent.glob(f"{database.name}*") if database else ()
    for path in (*around, *ours, *below, *elsewhere):
        if not path.is_symlink():
            # Files of other users keep the permissions their owners chose.
            with suppress(PermissionError):
                path.chmod(path.stat().st_mode & 0o700)


def session_key(folder: Path) -> bytes:
    """Return the key that signs sessions; create it if it is missing or truncated."""
    path = folder / "session.key"
    if not path.exists() or path.stat().st_size < KEY_BYTES:
        atomic.write(path, secrets.token_bytes(KEY_BYTES))
    return path.read_bytes()


def invitation(folder: Path, renew: bool = False) -> str:
    """Return this server's invitation secret, kept across restarts so that guests stay in.

    An empty or truncated one, as after a full disk, is replaced; so is any with `renew`.
    """
    path = folder / "invitation"
    kept = path.read_text(encoding="utf-8", errors="replace").strip() if path.exists() else ""
    if not renew and SECRET.fullmatch(kept):
        return kept
    made = secrets.token_urlsafe(12)
    atomic.write(path, made.encode())
    return made
