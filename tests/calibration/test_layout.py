"""A layout file is read as written, or refused with every mistake named."""

import copy
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from calibration import Profile, ProfileError, load_layout, load_profile
from calibration.layout import dump_layout, layout_from_data
from calibration.profile import LAYOUT_FILE, built_in_profiles
from scorer.datafile import DataFileError
from scorer.nebula.board import STANDARD_BOARD
from scorer.sentence import Sentence

Data = dict[str, Any]


@pytest.fixture
def data(standard: Profile) -> Data:
    return copy.deepcopy(standard.layout.to_data())


def problems_of(data: object) -> dict[str, str]:
    with pytest.raises(ProfileError) as refused:
        layout_from_data(data)
    return dict(refused.value.problems)


@pytest.mark.parametrize("board", built_in_profiles())
def test_a_shipped_layout_passes_the_checks_that_it_is_spared(board: str) -> None:
    file = built_in_profiles()[board] / LAYOUT_FILE
    assert load_layout(file).to_data() == load_layout(file, trusted=True).to_data()


def test_an_untrusted_layout_is_checked(data: Data, tmp_path: Path) -> None:
    data["spaces"]["ar1"] = data["spaces"]["ar2"]
    path = tmp_path / LAYOUT_FILE
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    load_layout(path, trusted=True)
    with pytest.raises(ProfileError):
        load_layout(path)
    with pytest.raises(ProfileError):
        load_profile(path)


def test_standard_layout_lies_on_its_orbits(standard: Profile) -> None:
    radii = {1: 20, 2: 37, 3: 54, 4: 71, 5: 88}
    core = standard.spaces["core"].at
    assert core == (100, 140)
    for orbit, members in standard.board.orbits.items():
        for space in members:
            distance = math.dist(core, standard.spaces[space].at)
            assert distance == pytest.approx(radii[orbit], abs=0.1)


def test_standard_track(standard: Profile) -> None:
    track = standard.board.track
    assert track.points == (0, 1, 2, 4, 6, 9, 12, 15, 18, 22)
    assert track.full == 26
    slots = standard.tracks["black"]
    assert [slot.at[0] for slot in slots] == [100 + (i - 4.5) * 17.5 for i in range(10)]
    assert {slot.at[1] for slot in slots} == {22}


def test_written_layout_reads_back(standard: Profile, tmp_path: Path) -> None:
    path = tmp_path / "layout.yaml"
    path.write_text(dump_layout(standard.layout), encoding="utf-8")
    again = load_layout(path)
    assert again.to_data() == standard.layout.to_data()
    assert replace(again.board, track=None) == STANDARD_BOARD


def test_topology_may_be_written_out(data: Data, tmp_path: Path) -> None:
    data["topology"] = STANDARD_BOARD.to_data()
    path = tmp_path / "layout.yaml"
    path.write_text(dump_layout(layout_from_data(data)), encoding="utf-8")
    board = load_layout(path).board
    assert board.orbits == STANDARD_BOARD.orbits
    assert set(board.links) == set(STANDARD_BOARD.links)


def test_unknown_keys_are_ignored(data: Data) -> None:
    data["printer"] = "the one in the library"
    assert layout_from_data(data).title == "Standard Galaxy board"


def test_a_name_may_be_given_in_each_language(data: Data) -> None:
    data["name"] = {"en": "Attic {1}", "es": "Desván {1}", "cs": "Půda {1}"}
    layout = layout_from_data(data)
    assert layout.title == "Attic {1}"
    assert isinstance(layout.title, Sentence) and layout.title.in_language("es") == "Desván {1}"
    assert layout.to_data()["name"] == data["name"]
    assert pickle.loads(pickle.dumps(layout.title)).in_language("cs") == "Půda {1}"


def drop(*keys: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for key in keys[:-1]:
            data = data[key]
        del data[keys[-1]]

    return change


def put(value: object, *keys: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "key", "reason"),
    [
        (put(2, "format"), "format", "must be 1"),
        (put("chess", "game"), "game", "nebula"),
        (drop("game"), "game", "nebula"),
        (put("", "name"), "name", "in words"),
        (put({"en": "Attic", "es": "Desván"}, "name"), "name", "in words"),
        (put({"en": "Attic", "es": "Desván", "cs": 7}, "name"), "name", "in words"),
        (put([200], "size_mm"), "size_mm", "two numbers"),
        (put([200, -3], "size_mm"), "size_mm[1]", "more than 0"),
        (put([200, True], "size_mm"), "size_mm[1]", "a number"),
        (put([], "spaces"), "spaces", "a mapping"),
        (put(7, "spaces", "ar1"), "spaces.ar1", "{at:"),
        (put("left", "spaces", "ar1", "at"), "spaces.ar1.at", "two numbers"),
        (put([1, float("nan")], "spaces", "ar1", "at"), "spaces.ar1.at[1]", "between"),
        (put(0, "spaces", "ar1", "radius"), "spaces.ar1.radius", "more than 0"),
        (put([3, 125], "spaces", "ar1", "at"), "spaces.ar1", "over the edge"),
        (put([108, 132], "spaces", "ar1", "at"), "spaces.core", "overlaps spaces.ar1"),
        (put([21, 30], "spaces", "ar1", "at"), "spaces.ar1", "overlaps black_track.at[0]"),
        (drop("spaces", "ge4"), "spaces.ge4", "is missing"),
        (put({"at": [30, 220], "radius": 8}, "spaces", "ge9"), "spaces.ge9", "not a space"),
        (drop("black_track"), "black_track", "must be"),
        (put([], "black_track", "at"), "black_track.at", "has no spaces"),
        (put([1, 2], "black_track", "points"), "black_track.points", "2 numbers for 10 spaces"),
        (put(["a"] * 10, "black_track", "points"), "black_track.points", "whole numbers"),
        (put([*range(9), 3], "black_track", "points"), "black_track.points", "not fall"),
        (put(21, "black_track", "full"), "black_track.full", "not be less"),
        (drop("topology"), "topology", "standard"),
        (put("usual", "topology"), "topology", "standard"),
    ],
)
def test_mistake_is_named(
    data: Data, change: Callable[[Data], None], key: str, reason: str
) -> None:
    change(data)
    problems = problems_of(data)
    assert list(problems) == [key]
    assert reason in problems[key]


def test_all_mistakes_are_reported_at_once(data: Data) -> None:
    data["name"] = 3
    data["spaces"]["ar1"]["radius"] = "eight"
    data["black_track"]["full"] = None
    data["topology"] = []
    assert set(problems_of(data)) == {"name", "spaces.ar1.radius", "black_track.full", "topology"}


def test_broken_fact_of_the_rulebooks_is_named(data: Data) -> None:
    board = STANDARD_BOARD.to_data()
    board["highlighted"] = ["core", "ar3", "ta4", "ge3"]
    data["topology"] = board
    with pytest.raises(ProfileError) as refused:
        layout_from_data(data)
    assert ("topology.highlighted", "5 spaces are highlighted; here 4") in refused.value.problems


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "must be a mapping"),
        ("- a list", "must be a mapping"),
        ("spaces: {core: 1, core: 2}", "twice"),
        ("a: &a [1]\nb: [*a, *a]", "aliases"),
        ("a: !!python/object/apply:os.getcwd []", "YAML"),
        ("[" * 9000, ""),
        ("a: " + "x" * 2_000_000, "too large"),
    ],
)
def test_unreadable_file_is_one_line(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "layout.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError) as refused:
        load_layout(path)
    assert reason in str(refused.value)
    assert "layout.yaml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_layout_is_plain_yaml_a_space_a_line(standard: Profile) -> None:
    text = dump_layout(standard.layout)
    assert "  ar1: {at: [114.1, 125.9], radius: 8.0}\n" in text
    assert yaml.safe_load(text)["topology"] == "standard"


def test_a_mistake_comes_whole_out_of_a_worker_process() -> None:
    for error in (ProfileError("mine.yaml", [("full", "a number")]), DataFileError([("", "late")])):
        passed_on = pickle.loads(pickle.dumps(error))
        assert (str(passed_on), passed_on.problems) == (str(error), error.problems)


def test_places_are_counted_before_each_is_held_against_all_others(data: Data) -> None:
    data["spaces"] = {f"x{i}": {"at": [100, 100], "radius": 1} for i in range(500)}
    assert problems_of(data) == {"": "has 510 places; a board has 300 at most"}
