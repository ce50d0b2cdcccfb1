"""The owner's pieces: a file of swatches, read back and refused."""

from pathlib import Path

import pytest

from calibration import ProfileError, load_profile
from calibration.colour_profile import (
    MOST_SWATCHES,
    ColourProfile,
    Swatch,
    load_colour_profile,
    write_colour_profile,
)
from calibration.layout import dump_layout
from calibration.profile import owner_profiles, save_colour_profile

KIT = ColourProfile((Swatch("red", "#c82828"), Swatch("blue", "#2850c8")))


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))


def test_a_kit_is_kept_with_a_built_in_profile_and_loaded_with_it() -> None:
    assert load_profile("standard").colour_profile == ColourProfile()
    file = save_colour_profile("standard", KIT)
    assert file.parent.parent == owner_profiles().with_name("stars")
    assert load_profile("standard").colour_profile == KIT


def test_a_kit_lies_beside_the_layout_of_an_owners_profile(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "layout.yaml").write_text(dump_layout(load_profile("standard").layout))
    assert save_colour_profile(own, KIT) == own / "stars.yaml"
    assert load_profile(own).colour_profile == KIT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "swatches: must be a list"),
        ("swatches: {a: 1}", "swatches: must be a list"),
        ("swatches: [7]", "swatches[0].piece: must be one of red"),
        ("swatches: [{piece: [red], colour: '#c82828'}]", "swatches[0].piece: must be one of"),
        ("swatches: [{piece: red, colour: 'red; x'}]", "swatches[0].colour: must be a colour"),
        ("swatches: [{piece: red, colour: 7}]", "swatches[0].colour: must be a colour"),
        ("{format: 2, swatches: []}", "format: must be 1"),
        ("{game: chess, swatches: []}", "game: must be nebula"),
        ("swatches: [" + "{}," * (MOST_SWATCHES + 1) + "]", f"must be {MOST_SWATCHES} at most"),
        ("{", ""),
    ],
)
def test_a_strangers_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "stars.yaml"
    file.write_text(text)
    with pytest.raises(ProfileError) as refused:
        load_colour_profile(file, "nebula")
    assert message in str(refused.value)


def test_the_latest_swatches_of_each_kind_stay(tmp_path: Path) -> None:
    reds = ColourProfile(tuple(Swatch("red", f"#c828{n:02x}") for n in range(9)))
    kept = (KIT + reds).latest(2)
    assert kept == ColourProfile((KIT.swatches[1], *reds.swatches[-2:]))
    write_colour_profile(tmp_path / "a" / "stars.yaml", kept, "nebula")
    assert load_colour_profile(tmp_path / "a" / "stars.yaml", "nebula") == kept


def test_kinds_that_look_alike_are_named_once_a_pair() -> None:
    kit = ColourProfile(
        (
            Swatch("orange", "#b45a28"),
            Swatch("red", "#b04a28"),
            Swatch("red", "#b05028"),
            Swatch("white", "#e0e0e0"),
            Swatch("black", "#202020"),
            Swatch("blue", "#2850c8"),
        )
    )
    assert kit.alike() == (("orange", "red"),)
