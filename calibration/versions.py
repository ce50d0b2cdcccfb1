"""Changing a profile that there is: the one before can be brought back, or kept for old games."""

import hashlib
import re
import shutil
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import count
from pathlib import Path

import numpy as np

from calibration.calibrate import BACKUP, write_profile
from calibration.layout import Layout, ProfileError, dump_layout, load_layout
from calibration.owned import check_title, own_folder, unpacked
from calibration.profile import (
    DECK_FILE,
    LAYOUT_FILE,
    Image,
    Profile,
    load_profile,
    owner_profiles,
    save_colour_profile,
)

_ASIDE = ".aside"
_VERSION = re.compile(r"(\w[\w-]{0,63})\.(\d{1,20})")


def change_profile(name: str, layout: Layout, reference: Image) -> None:
    """Put another layout and reference into one of the owner's profiles; its pieces stay.

    `undo_change` brings the one before back. Raises `ProfileError`.
    """
    own_folder(name)
    check_title(layout.title)
    write_profile(layout, reference, name, owner_profiles())


def undo_change(name: str) -> None:
    """Bring a profile back as it was before its last change; once more takes that back.

    Raises `ProfileError`.
    """
    folder = own_folder(name)
    before, aside = folder.with_name(name + BACKUP), folder.with_name(name + _ASIDE)
    if not (before / LAYOUT_FILE).is_file():
        raise ProfileError(name, [("", "has not been changed")])
    shutil.rmtree(aside, ignore_errors=True)
    folder.replace(aside)
    before.replace(folder)
    aside.replace(before)
    (folder / DECK_FILE).unlink(missing_ok=True)
    with suppress(FileNotFoundError):  # cards shown or removed since are no change of the board
        shutil.copy(before / DECK_FILE, folder)
    (folder / LAYOUT_FILE).touch()  # whoever has it loaded loads it again


def layout_before(name: str) -> Layout:
    """The layout of a profile as it was before its last change. Raises `ProfileError`."""
    return load_layout(own_folder(name).with_name(name + BACKUP) / LAYOUT_FILE)


def keep_version(profile: Profile) -> str:
    """Keep a board as it is now for the games that are played on it; return what it is called.

    It is loaded by that name, is among no list of profiles, and is never written again: the same
    board is kept once. Raises `ProfileError`.
    """
    if _VERSION.fullmatch(profile.name):
        return profile.name
    name = _kept(profile)
    return name if (owner_profiles() / name / LAYOUT_FILE).is_file() else _keep(profile)


def _keep(profile: Profile) -> str:
    written = _written_out(profile)
    reference = profile.require_reference()
    said = hashlib.sha256(dump_layout(written).encode() + reference.tobytes())
    first = int.from_bytes(said.digest()[:7])
    for number in count(first):
        name = f"{profile.name}.{number}"
        if not (owner_profiles() / name / LAYOUT_FILE).is_file():
            write_profile(written, reference, name, owner_profiles())
            if profile.colour_profile.swatches:
                save_colour_profile(owner_profiles() / name, profile.colour_profile)
            return name
        if _is_kept(owner_profiles() / name, written, reference):
            return name
    raise AssertionError("numbers have no end")


_kept = lru_cache(64)(_keep)
"""By the profile as it was loaded, as each look at it takes its time."""


def _written_out(profile: Profile) -> Layout:
    """A profile's layout with its links and regions spelt out, where its game names them by a word.

    A game whose layouts always spell them out has no data of a board beside them.
    """
    spelt = getattr(profile.board, "to_data", None)
    return profile.layout if spelt is None else replace(profile.layout, topology=spelt())


def _is_kept(folder: Path, layout: Layout, reference: Image) -> bool:
    """Whether the version in a folder is that very board; one that is damaged is none."""
    try:
        found = load_profile(folder)
    except ProfileError:
        return False
    same = found.reference is not None and np.array_equal(found.reference, reference)
    return same and dump_layout(found.layout) == dump_layout(layout)


def bring_back_version(raw: bytes, name: str) -> str:
    """Keep the version in a file from `pack_profile`; return what it is called here.

    Raises `ProfileError`.
    """
    layout, reference, colours, _ = unpacked(raw)
    return _keep(
        Profile(profile_of_version(name) or name, layout, reference, colour_profile=colours)
    )


def version_names() -> list[str]:
    """The names of the profiles that `keep_version` kept."""
    found = owner_profiles().glob(f"*.*/{LAYOUT_FILE}")
    return sorted(path.parent.name for path in found if _VERSION.fullmatch(path.parent.name))


def profile_of_version(name: str) -> str | None:
    """The name of the profile of which `keep_version` called a version so; None for no version."""
    found = _VERSION.fullmatch(name)
    return found[1] if found else None
