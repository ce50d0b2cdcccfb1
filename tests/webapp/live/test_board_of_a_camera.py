"""Which board a camera follows: the game's own; where it has none, the one in view."""

import shutil
from collections.abc import Callable

import pytest
import yaml
from flask import Flask

from calibration import owner_profiles
from calibration.profile import LAYOUT_FILE, built_in_profiles
from tests.webapp.live.conftest import Table, eventually, push_until_taken, state
from tests.webapp.live.fake_frame_worker import frame

CORE = {0: {"core": "red"}}


@pytest.fixture(autouse=True)
def mine() -> None:
    """A second board beside the standard one."""
    folder = owner_profiles() / "mine"
    shutil.copytree(built_in_profiles()["nebula/standard"], folder)
    layout = yaml.safe_load((folder / LAYOUT_FILE).read_text())
    layout["spaces"]["core"]["at"][0] += 1.5
    layout["black_track"]["points"][-1] += (
        1  # another edition: to the game it is not the same board
    )
    (folder / LAYOUT_FILE).write_text(yaml.safe_dump(layout))


def chosen(table: Table) -> str | None:
    document = table.app.extensions["stargazer"].games.open(table.id).document
    return document.get("profile")


def test_a_game_takes_the_board_that_its_camera_sees_and_keeps_it(table: Table) -> None:
    assert chosen(table) is None
    push_until_taken(table, frame(CORE, profile="mine"))
    eventually(lambda: table.stars() == CORE[0])
    assert chosen(table) == "mine"
    table.player.post(f"{table.game}/undo")  # the cards: which board it is was no step
    assert chosen(table) == "mine"


def test_a_board_that_is_unknown_is_said_with_the_way_to_add_it(table: Table) -> None:
    push_until_taken(table, frame(CORE, profile="another"))
    eventually(lambda: state(table) == "unknown")
    page = table.player.get(f"{table.game}/live/cameras/list").text
    assert "looks different from the known ones" in page and "/my-boards/add" in page
    assert chosen(table) is None and table.stars() == {}
    push_until_taken(table, frame(CORE, profile="standard"))
    eventually(lambda: state(table) == "watching")
    assert chosen(table) == "standard"


def test_the_board_to_look_for_is_chosen_until_something_was_seen(table: Table) -> None:
    push_until_taken(table, frame(CORE, profile="another"))
    eventually(lambda: state(table) == "unknown")
    assert "unknown board" in table.page(), "not that no camera watches"
    assert "Which board is on the table?" in table.player.get(f"{table.game}/live").text
    assert table.tap("cameras/board", profile="mine") == 204
    assert chosen(table) == "mine"
    push_until_taken(table, frame(CORE, profile="mine"))
    eventually(lambda: table.stars() == CORE[0])
    assert table.tap("cameras/board", profile="standard") == 422
    assert table.tap("cameras/board", profile="nowhere") == 422
    assert (chosen(table), table.stars()) == ("mine", CORE[0])


def test_a_board_that_was_chosen_is_believed(serve: Callable[[], Flask]) -> None:
    table = Table(serve())
    services = table.app.extensions["stargazer"]
    services.games.change(table.id, "players", lambda kept: {**kept, "profile": "standard"})
    push_until_taken(table, frame(CORE, profile="mine"))
    eventually(lambda: state(table) == "unknown")
    assert chosen(table) == "standard"
