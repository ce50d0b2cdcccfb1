"""Boards are held until a file of any changes, and then are as they are."""

import os
import shutil
from pathlib import Path

import pytest

from calibration import profile as profiles
from calibration.owned import delete_profile, rename_profile, restore_profile
from calibration.profile import built_in_profiles, owner_profiles, table_profiles
from webapp.app.boards import known_boards
from webapp.app.boards.known_boards import KnownBoards


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STARGAZER_DATA", str(tmp_path))
    folder = owner_profiles() / "mine"
    shutil.copytree(built_in_profiles()["nebula/standard"], folder)
    return folder


def titles(boards: KnownBoards) -> dict[str, str]:
    return {name: str(board.title) for name, board in boards.choices("nebula").items()}


def test_an_own_valley_has_the_guild_boards_of_the_game_until_there_are_own_ones(own: Path) -> None:
    shipped, boards = built_in_profiles("via_nebula"), KnownBoards("standard")
    shutil.copytree(shipped["via_nebula/standard"], own.with_name("valley"))
    game = {
        "game": "via_nebula",
        "profile": "valley",
        "boards": [{"kind": "valley"}, {"kind": "guild", "seat": 0}],
    }
    assert [board.name for board in boards.of_each_kind(game)] == ["valley", "standard-guild"]
    assert boards.of(game, 1).name == "standard-guild"
    assert list(table_profiles("valley")) == ["valley", "via_nebula/standard-guild"]
    shutil.copytree(shipped["via_nebula/starter-guild"], own.with_name("valley-guild"))
    assert boards.of(game, 1).name == "valley-guild"
    assert list(table_profiles("valley")) == ["valley", "valley-guild"]


def test_what_changes_in_a_folder_is_seen_at_once(own: Path) -> None:
    boards = KnownBoards("standard")
    standard = titles(boards)["standard"]
    assert titles(boards) == {"standard": standard, "mine": standard}
    rename_profile("mine", "Ours")
    assert titles(boards)["mine"] == "Ours"
    delete_profile("mine")
    assert titles(boards) == {"standard": standard}
    restore_profile("mine")
    shutil.copytree(own, own.with_name("other"))
    assert titles(boards) == {"standard": standard, "mine": "Ours", "other": "Ours"}
    (own / "layout.yaml").write_text("no layout")
    os.utime(own / "layout.yaml", (1, 1))  # however coarse the file system's clock is
    assert "mine" not in titles(boards)
    layout = own.with_name("other") / "layout.yaml"
    (own / "layout.yaml").write_bytes(layout.read_bytes())
    assert titles(boards)["mine"] == "Ours"


def test_nothing_is_looked_for_while_nothing_changes(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = KnownBoards("standard")
    before = titles(boards)
    for module in (known_boards, profiles):
        monkeypatch.delattr(module, "profile_names")
    monkeypatch.delattr(known_boards, "version_names")
    assert titles(boards) == before
    assert [board.name for board in boards.lookalikes({"game": "nebula"})] == []
    assert list(boards._alike("mine", "nebula")) == ["standard"]
