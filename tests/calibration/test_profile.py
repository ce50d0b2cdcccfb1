"""Profiles are found by name or by path, the built-in ones and the owner's."""

import shutil
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import (
    PX_PER_MM,
    Profile,
    ProfileError,
    calibrated_profiles,
    load_profile,
    profile_names,
)
from calibration.layout import Layout
from calibration.profile import Image, built_in_profiles, decode_reference, owner_profiles
from vision.known_board import KnownBoard


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(folder))
    return folder


def test_standard_profile_ships_with_its_reference(standard: Profile) -> None:
    assert standard.built_in
    assert standard.title == "Standard Galaxy board"
    assert standard.reference.shape == (240 * PX_PER_MM, 200 * PX_PER_MM, 3)
    assert (built_in_profiles()["nebula/standard"] / "reference.png").stat().st_size < 1_500_000


def test_its_reference_is_decoded_once_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many known boards few are on a table, and their pictures take most of the memory."""
    decoded = []

    def decode(path: Path, layout: Layout) -> Image:
        decoded.append(path)
        return decode_reference(path.read_bytes(), layout, path)

    monkeypatch.setattr("calibration.profile._load_reference", decode)
    profiles = calibrated_profiles()
    boards = [KnownBoard(profile) for profile in profiles]
    assert len(boards) > 2 and not decoded
    assert profiles[0].require_reference() is boards[0].profile.reference
    assert len(decoded) == 1


def test_owners_profile_is_found_by_name(own_folder: Path) -> None:
    shutil.copytree(built_in_profiles()["nebula/standard"], own_folder / "profiles" / "mine")
    shutil.copytree(built_in_profiles()["nebula/standard"], own_folder / "profiles" / "mine.bak")
    assert profile_names() == [
        *("standard", "polaris/standard", "ptolemaeus/standard"),
        *("via_nebula/standard", "standard-guild", "starter", "starter-guild", "mine"),
    ]
    mine = load_profile("mine")
    assert mine.name == "mine"
    assert not mine.built_in
    assert owner_profiles() == own_folder / "profiles"


def test_profile_is_found_by_folder_and_by_layout_file(tmp_path: Path, standard: Profile) -> None:
    shutil.copytree(built_in_profiles()["nebula/standard"], tmp_path / "attic")
    for path in (tmp_path / "attic", str(tmp_path / "attic" / "layout.yaml")):
        profile = load_profile(path)
        assert profile.name == "attic"
        assert np.array_equal(profile.reference, standard.reference)


def test_layout_without_reference_is_a_profile(tmp_path: Path) -> None:
    shutil.copy(built_in_profiles()["nebula/standard"] / "layout.yaml", tmp_path / "layout.yaml")
    assert load_profile(tmp_path).reference is None


def test_unknown_profile_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="standard"):
        load_profile("andromeda")
    with pytest.raises(ProfileError, match="no such profile"):
        load_profile(tmp_path)


@pytest.mark.parametrize("damage", ["text", "other size", "bomb", "cut short"])
def test_damaged_reference_is_refused(tmp_path: Path, damage: str) -> None:
    shutil.copytree(built_in_profiles()["nebula/standard"], tmp_path / "mine")
    path = tmp_path / "mine" / "reference.png"
    if damage == "text":
        path.write_text("not a picture")
    elif damage == "bomb":  # more pixels than OpenCV would take: it raises an error of its own
        png = path.read_bytes()
        header = b"IHDR" + struct.pack(">II", 60_000, 60_000) + png[24:29]
        path.write_bytes(png[:12] + header + struct.pack(">I", zlib.crc32(header)) + png[33:])
    elif damage == "cut short":
        path.write_bytes(path.read_bytes()[:100])
    else:
        cv2.imwrite(str(path), np.zeros((10, 20, 3), np.uint8))
    with pytest.raises(ProfileError, match="calibrate the board again"):
        load_profile(tmp_path / "mine")
