"""The owner's profiles as a collection: named, deleted and restored, packed for sharing."""

import io
import re
import shutil
import time
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np

from calibration.calibrate import check_name, write_profile
from calibration.colour_profile import (
    COLOUR_FILE,
    ColourProfile,
    colour_profile_from_data,
    dump_colour_profile,
)
from calibration.layout import Layout, ProfileError, dump_layout, layout_from_data, load_layout
from calibration.own_deck import (
    BROKEN_ZIP,
    DECK_BYTES,
    DELETED,
    OwnDeck,
    bring_back,
    pack_deck,
    put_aside,
    readable_deck,
    reencoded,
    save_deck,
    unpack_deck,
)
from calibration.profile import (
    DECK_FILE,
    LAYOUT_FILE,
    MAX_REFERENCE_BYTES,
    REFERENCE_FILE,
    Image,
    Profile,
    built_in_profiles,
    colour_path,
    decode_reference,
    encode_reference,
    load_profile,
    own_profile_names,
    owner_profiles,
    save_colour_profile,
)
from scorer.datafile import LARGEST_FILE, DataFileError, parse_yaml
from scorer.sentence import Sentence

MOST_PROFILES = 100
LONGEST_TITLE = 60
_NEEDED = {LAYOUT_FILE, REFERENCE_FILE}
_LARGEST = {
    LAYOUT_FILE: LARGEST_FILE,
    REFERENCE_FILE: MAX_REFERENCE_BYTES,
    COLOUR_FILE: LARGEST_FILE,
    DECK_FILE: DECK_BYTES,
}


def check_title(title: str) -> str:
    """The title on one line. Raises `ProfileError` if it is invalid."""
    tidy = " ".join(title.split())
    if not 0 < len(tidy) <= LONGEST_TITLE or not tidy.isprintable():
        reason = f"must be the board's name in words, of {LONGEST_TITLE} characters at most"
        raise ProfileError("profile", [("name", reason)])
    return tidy


def free_name(title: str) -> str:
    """An unused name for a new profile with that title.

    >>> free_name("Ana's board, 2nd edition")
    'ana-s-board-2nd-edition'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:50] or "board"
    taken = {folder.name for folder in built_in_profiles().values()} | set(own_profile_names())
    names = (base, *(f"{base}-{number}" for number in range(2, MOST_PROFILES + 3)))
    return next(name for name in names if name not in taken)


def rename_profile(name: str, title: str) -> None:
    """Change the title of one of the owner's profiles; its name, used by files, stays.

    Raises `ProfileError`.
    """
    folder = own_folder(name)
    layout = replace(load_layout(folder / LAYOUT_FILE), title=check_title(title))
    draft = folder / f".{LAYOUT_FILE}"
    try:
        draft.write_text(dump_layout(layout), encoding="utf-8")
        draft.replace(folder / LAYOUT_FILE)
    except OSError as error:
        raise ProfileError(name, [("", f"cannot be written ({error.strerror})")]) from error


def delete_profile(name: str) -> None:
    """Move one of the owner's profiles aside, until `purge_profiles`. Raises `ProfileError`."""
    folder = own_folder(name)
    away = folder.with_name(name + DELETED)
    shutil.rmtree(away, ignore_errors=True)
    folder.replace(away)
    (away / LAYOUT_FILE).touch()  # the time of deletion


def restore_profile(name: str) -> None:
    """Restore a deleted profile. Raises `ProfileError` if there is none, or a newer one."""
    check_name(name)
    folder = owner_profiles() / name
    away = folder.with_name(name + DELETED)
    if folder.exists() or not away.is_dir():
        raise ProfileError(name, [("", "is not there to be brought back")])
    away.replace(folder)


def purge_profiles(older_than: float) -> None:
    """Permanently remove what was deleted more than that many seconds ago."""
    for layout in owner_profiles().glob(f"*{DELETED}/{LAYOUT_FILE}"):
        if time.time() - layout.stat().st_mtime > older_than:
            shutil.rmtree(layout.parent, ignore_errors=True)


def replace_colour_profile(name: str, profile: ColourProfile) -> bool:
    """Store the owner's pieces for a profile; return whether previous ones can be restored.

    Raises `ProfileError`.
    """
    before = colour_path(name).exists()
    if before:
        delete_colour_profile(name)
    save_colour_profile(name, profile)
    return before


def delete_colour_profile(name: str) -> None:
    """Move the owner's pieces for a profile aside, at most one set. Raises `ProfileError`."""
    put_aside(colour_path(name))


def restore_colour_profile(name: str) -> None:
    """Restore the pieces that were deleted or replaced last. Raises `ProfileError`."""
    bring_back(colour_path(name))


def pack_profile(profile: Profile) -> bytes:
    """A profile as one file for sharing: a zip of its layout, reference, colours and cards.

    The owner's cards are left out if their file is damaged. The same profile always gives the same
    bytes. Raises ValueError if it has no reference.
    """
    files: dict[str, str | bytes] = {
        LAYOUT_FILE: dump_layout(profile.layout),
        REFERENCE_FILE: encode_reference(profile.require_reference()),
    }
    if profile.colour_profile.swatches:
        files[COLOUR_FILE] = dump_colour_profile(profile.colour_profile, profile.layout.game)
    folder = owner_profiles() / profile.name
    if profile.name in own_profile_names() and (deck := readable_deck(folder)):
        files[DECK_FILE] = pack_deck(replace(deck, photographs=()))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpack_profile(raw: bytes) -> str:
    """Add the profile in a file from `pack_profile` to the owner's; return its name.

    The file is untrusted: everything in it is checked and written anew. Raises `ProfileError`.
    """
    layout, reference, colours, deck = unpacked(raw)
    name = add_profile(layout, reference)
    _save_own_things(name, colours, deck)
    return name


def _save_own_things(name: str, colours: ColourProfile, deck: OwnDeck) -> None:
    if colours.swatches:
        save_colour_profile(owner_profiles() / name, colours)
    if deck:
        save_deck(owner_profiles() / name, deck)


def bring_back_profile(raw: bytes, name: str) -> str:
    """Add the profile in such a file under its previous name; return the name.

    If another board has that name, it is added under a free one; if the same board does, only
    missing cards are added. Raises `ProfileError`.
    """
    layout, reference, colours, deck = unpacked(raw)
    check_name(name)
    folder = owner_profiles() / name
    if (folder / LAYOUT_FILE).is_file():
        there = load_profile(folder)
        same = dump_layout(there.layout) == dump_layout(layout)
        if same and there.reference is not None and np.array_equal(there.reference, reference):
            if deck and not readable_deck(folder):
                save_deck(folder, deck)
            return name
        name = free_name(layout.title)
    if len(own_profile_names()) >= MOST_PROFILES:
        raise _refused("", f"there are {MOST_PROFILES} profiles already; delete one first")
    write_profile(layout, reference, name, owner_profiles())
    _save_own_things(name, colours, deck)
    return name


def unpacked(raw: bytes) -> tuple[Layout, Image, ColourProfile, OwnDeck]:
    """The layout, reference, colours and cards in a `pack_profile` file, all checked.

    Raises `ProfileError`.
    """
    files = _members(raw)
    layout = layout_from_data(_data(files, LAYOUT_FILE), LAYOUT_FILE)
    title = check_title(layout.title)
    if not isinstance(layout.title, Sentence):  # which has all languages
        layout = replace(layout, title=title)
    reference = decode_reference(files[REFERENCE_FILE], layout, REFERENCE_FILE)
    colours = ColourProfile()
    if COLOUR_FILE in files:
        colours = colour_profile_from_data(_data(files, COLOUR_FILE), layout.game, COLOUR_FILE)
    deck = OwnDeck()
    if DECK_FILE in files:
        deck = reencoded(unpack_deck(files[DECK_FILE], DECK_FILE), DECK_FILE)
    return layout, reference, colours, deck


def add_profile(layout: Layout, reference: Image) -> str:
    """Write a new profile of the owner's under a free name; return that. Raises `ProfileError`."""
    layout = replace(layout, title=check_title(layout.title))
    if len(own_profile_names()) >= MOST_PROFILES:
        raise _refused("", f"there are {MOST_PROFILES} profiles already; delete one first")
    name = free_name(layout.title)
    write_profile(layout, reference, name, owner_profiles())
    return name


def _members(raw: bytes) -> dict[str, bytes]:
    """The files of a packed profile, each within its size limit."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            names = sorted(packed.namelist())
            if len(names) == len(set(names)) and _NEEDED <= set(names) <= _LARGEST.keys():
                return {name: _bounded(packed, name) for name in names}
    except ProfileError:
        raise
    except BROKEN_ZIP as error:
        reason = "is no whole file of a board: choose one that was exported here"
        raise _refused("", reason) from error
    strange = "".join(f"; there is {PurePosixPath(n).name}" for n in names if n not in _LARGEST)
    reason = f"must hold {LAYOUT_FILE} and {REFERENCE_FILE}, and nothing else{strange}"
    raise _refused("", reason)


def _data(files: Mapping[str, bytes], name: str) -> object:
    """The content of a text member. Raises `ProfileError`."""
    try:
        return parse_yaml(files[name].decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _refused(name, "is not a text file in UTF-8") from None
    except DataFileError as error:
        raise ProfileError(name, error.problems) from error


def _bounded(packed: zipfile.ZipFile, name: str) -> bytes:
    """A member, decompressed no further than its size limit."""
    most = _LARGEST[name]
    with packed.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _refused(name, f"has more than {most:,} bytes, far too many")
    return data


def own_folder(name: str) -> Path:
    """The folder of one of the owner's profiles. Raises `ProfileError`."""
    check_name(name)
    folder = owner_profiles() / name
    if not (folder / LAYOUT_FILE).is_file():
        raise ProfileError(name, [("", "no such profile of yours")])
    return folder


def _refused(key: str, reason: str) -> ProfileError:
    return ProfileError("the board's file", [(key, reason)])
