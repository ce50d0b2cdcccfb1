"""Atomic file writes: a target is either replaced completely or left untouched."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Yield a file to write to; on success it is synced and replaces `target`.

    On any failure `target` stays as it was. The file is readable by its owner only, and so is the
    folder if it had to be created.
    """
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = target.with_suffix(".part")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
        _sync_folder(target.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write(target: Path, data: bytes) -> None:
    """Replace a file atomically."""
    with replacing(target) as file:
        file.write(data)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable. Windows has no such call and needs none."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
