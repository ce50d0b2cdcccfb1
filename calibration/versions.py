"""Changing a profile that there is: the one before can be brought back, or kept for old games."""

from __future__ import annotations

import shutil

from calibration.calibrate import BACKUP, write_profile
from calibration.layout import Layout, ProfileError, load_layout
from calibration.owned import check_title, own_folder
from calibration.profile import LAYOUT_FILE, Image, owner_profiles

_ASIDE = ".aside"


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
    (folder / LAYOUT_FILE).touch()  # whoever has it loaded loads it again


def layout_before(name: str) -> Layout:
    """The layout of a profile as it was before its last change. Raises `ProfileError`."""
    return load_layout(own_folder(name).with_name(name + BACKUP) / LAYOUT_FILE)


def keep_version(name: str) -> str:
    """Keep a profile as it is now beside the one of that name; return what it is called.

    It is loaded by that name, and is among no list of profiles. Raises `ProfileError`.
    """
    folder = own_folder(name)
    taken = {path.name for path in folder.parent.glob(f"{name}.*")}
    number = next(n for n in range(1, len(taken) + 2) if f"{name}.{n}" not in taken)
    version = folder.with_name(f"{name}.{number}")
    try:
        shutil.copytree(folder, version)
    except OSError as error:
        shutil.rmtree(version, ignore_errors=True)
        raise ProfileError(name, [("", f"cannot be kept ({error.strerror or error})")]) from error
    return version.name


def version_names() -> list[str]:
    """The names of the profiles that `keep_version` kept."""
    found = owner_profiles().glob(f"*.*/{LAYOUT_FILE}")
    return sorted(p.parent.name for p in found if p.parent.name.rpartition(".")[2].isdecimal())


def profile_of_version(name: str) -> str | None:
    """The name of the profile that `keep_version` kept under this one; None where it did not."""
    return name.rpartition(".")[0] if name in version_names() else None
