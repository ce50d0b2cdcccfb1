"""The owner's profiles: named, deleted and brought back, packed and unpacked."""

import io
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import Profile, ProfileError, load_profile, owned, owner_profiles, profile_names
from calibration.colour_profile import ColourProfile, Swatch
from calibration.profile import built_in_profiles

KIT = ColourProfile((Swatch("red", "#c82828"),))


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A profile of the owner's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shutil.copytree(built_in_profiles()["nebula/standard"], owner_profiles() / "mine")
    return "mine"


@pytest.fixture(scope="module")
def whole(standard: Profile) -> bytes:
    return owned.pack_profile(replace(standard, colour_profile=KIT))


def test_a_profile_is_renamed_under_its_name(mine: str) -> None:
    before = load_profile(mine)
    owned.rename_profile(mine, "  The attic\nboard ")
    after = load_profile(mine)
    assert after.title == "The attic board"
    assert after.layout.to_data() == {**before.layout.to_data(), "name": "The attic board"}
    assert sorted(path.name for path in (owner_profiles() / mine).iterdir()) == [
        "layout.yaml",
        "reference.png",
    ]


@pytest.mark.parametrize("title", ["", "   ", "x" * 61, "a\x1b[31mb"])
def test_what_no_board_can_be_called_is_refused(mine: str, title: str) -> None:
    with pytest.raises(ProfileError, match="name in words"):
        owned.rename_profile(mine, title)


def test_a_deleted_profile_can_be_brought_back_for_a_while(mine: str) -> None:
    owned.delete_profile(mine)
    assert mine not in profile_names()
    owned.purge_profiles(older_than=60)
    owned.restore_profile(mine)
    assert load_profile(mine).name == mine
    owned.delete_profile(mine)
    owned.purge_profiles(older_than=-1)
    with pytest.raises(ProfileError, match="not there"):
        owned.restore_profile(mine)


@pytest.mark.parametrize("name", ["standard", "nobody", "../mine", "mine.bak", ""])
def test_only_own_profiles_are_renamed_and_deleted(mine: str, name: str) -> None:
    for change in (lambda: owned.delete_profile(name), lambda: owned.rename_profile(name, "x")):
        with pytest.raises(ProfileError):
            change()
    assert "standard" in profile_names() and mine in profile_names()


def test_a_packed_profile_comes_back_the_same(mine: str, whole: bytes, standard: Profile) -> None:
    again = load_profile(owned.unpack_profile(whole))
    assert again.name == "standard-galaxy-board"
    assert again.layout == standard.layout and again.colour_profile == KIT
    assert np.array_equal(again.reference, standard.reference)


def test_a_new_profile_gets_a_name_that_none_has(mine: str) -> None:
    assert owned.free_name("Mine") == "mine-2"
    assert owned.free_name("Standard") == "standard-2"
    assert owned.free_name("Žofčina deska") == "zofcina-deska"
    assert owned.free_name("星空") == "board"


def changed(whole: bytes, name: str, data: bytes | None) -> bytes:
    """The packed profile with one of its members made otherwise, left out or added."""
    with zipfile.ZipFile(io.BytesIO(whole)) as made:
        files = {info.filename: made.read(info) for info in made.infolist()}
    if data is None:
        del files[name]
    else:
        files[name] = data
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for known, content in files.items():
            made.writestr(known, content)
    return out.getvalue()


LARGE_PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2


@pytest.mark.parametrize(
    ("member", "data", "message"),
    [
        ("layout.yaml", None, "must hold layout.yaml and reference.png"),
        ("../../evil.yaml", b"x", "nothing else; there is evil.yaml"),
        ("/etc/passwd", b"x", "nothing else; there is passwd"),
        ("layout.yaml", b"\xff\xfe", "not a text file"),
        ("layout.yaml", b"a: &a [1]\nb: *a", "aliases are not read"),
        ("layout.yaml", b"!!python/object/apply:os.system [ls]", "tags are not read"),
        ("layout.yaml", b"[1, 2]", "must be a mapping"),
        ("layout.yaml", b"x" * 200_000, "far too many"),
        ("reference.png", b"\0" * (33 * 1024 * 1024), "far too many"),
        ("reference.png", b"GIF89a", "is not a readable picture"),
        ("reference.png", LARGE_PNG, "is 60000 x 60000 px"),
        ("stars.yaml", b"swatches: 3", "must be a list of"),
    ],
)
def test_a_strangers_file_is_refused_with_the_reason(
    mine: str, whole: bytes, member: str, data: bytes | None, message: str
) -> None:
    before = profile_names()
    with pytest.raises(ProfileError, match=message):
        owned.unpack_profile(changed(whole, member, data))
    assert profile_names() == before


def test_what_is_no_zip_or_a_broken_one_is_refused(mine: str, whole: bytes) -> None:
    broken = whole[:3000] + b"\xff" * 400 + whole[3400:]
    for raw in (b"", b"PK\3\4", b"layout", whole[:-100], broken):
        with pytest.raises(ProfileError, match="no whole file"):
            owned.unpack_profile(raw)
