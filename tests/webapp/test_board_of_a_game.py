"""Which board a game is played on: chosen, told by the first photograph, changed, gone."""

import io
import shutil
from pathlib import Path

import cv2
import pytest
import yaml

from calibration import load_profile, owner_profiles, profile_names
from calibration.profile import LAYOUT_FILE, REFERENCE_FILE, built_in_profiles
from tests.webapp.conftest import (
    HERE,
    Player,
    TellingReader,
    game_at,
    jpeg,
    players_form,
    read_board,
)

POINTS = [0, 1, 3, 5, 7, 10, 13, 16, 20, 23]


@pytest.fixture(autouse=True)
def mine() -> Path:
    """A board of the owner's with other points on its track; return its folder."""
    folder = owner_profiles() / "mine"
    shutil.copytree(built_in_profiles()["nebula/standard"], folder)
    layout = yaml.safe_load((folder / LAYOUT_FILE).read_text())
    layout["name"] = "The attic board"
    layout["black_track"] |= {"points": POINTS, "full": 27}
    (folder / LAYOUT_FILE).write_text(yaml.safe_dump(layout))
    return folder


def new_game(player: Player, profile: str = "") -> str:
    form = players_form("Ana", mode="intro") | {"profile": profile}
    answer = player.post("/games/new", form)
    assert answer.status_code == 303, answer.text
    return game_at(answer.headers["Location"])


def printed(player: Player, game: str) -> str:
    """What the board under review shows as printed on the fourth space of its track."""
    page = player.get(f"{game}/players/0/review").text
    return "attic" if ">13<" in page and ">23<" in page else "standard"


def photographed(player: Player, game: str) -> None:
    player.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
    player.read_photograph(game, player=0)


def test_a_game_is_played_on_the_board_chosen_for_it(player: Player, reader: TellingReader) -> None:
    assert "The attic board" in player.get("/games/new").text
    game = new_game(player, "mine")
    photographed(player, game)
    assert reader.profiles == [("mine",)]
    assert printed(player, game) == "attic"
    other = new_game(player)
    reader.boards = [read_board()]
    photographed(player, other)
    assert printed(player, other) == "standard"


def test_the_first_photograph_says_which_board_it_is(player: Player, reader: TellingReader) -> None:
    game = new_game(player)
    reader.boards = [{**read_board(), "profile": "mine"}]
    photographed(player, game)
    assert reader.profiles == [("standard", "mine")]
    assert printed(player, game) == "attic"
    player.read_photograph(game, player=0)
    assert reader.profiles[-1] == ("mine",)


def test_on_another_board_photographs_are_read_again(player: Player, reader: TellingReader) -> None:
    game = new_game(player, "mine")
    photographed(player, game)
    form = players_form("Ana", mode="intro") | {"profile": "standard"}
    assert player.post(f"{game}/players", form).status_code == 303
    player.wait_for_reading(game)
    assert reader.profiles == [("mine",), ("standard",)]
    assert printed(player, game) == "standard"
    player.post(f"{game}/undo")  # the photograph
    player.post(f"{game}/undo")  # the other board
    assert printed(player, game) == "attic"


def test_a_board_that_is_none_is_refused(player: Player) -> None:
    form = players_form("Ana", mode="intro")
    for name in ("nobody", "../mine", "/etc"):
        answer = player.post("/games/new", {**form, "profile": name})
        assert answer.status_code == 422 and "no longer known" in answer.text


def test_a_game_whose_board_is_gone_says_so_and_comes_back_with_it(
    player: Player, mine: Path
) -> None:
    game = new_game(player, "mine")
    photographed(player, game)
    mine.rename(mine.with_name("mine.bak"))
    assert player.get("/").status_code == 200
    page = player.get(f"{game}/players/0/review")
    assert page.status_code == 409 and "Bring the board mine back" in page.text
    mine.with_name("mine.bak").rename(mine)
    assert printed(player, game) == "attic"


def test_an_unknown_board_leads_to_adding_it(player: Player, reader: TellingReader) -> None:
    game = new_game(player)
    reader.problem = "unknown_board"
    photographed(player, game)
    text = player.get(f"{game}/photographs/list").text
    assert "looks different from the known ones" in text
    address = text.split("/my-boards/add/")[1].split('"')[0]
    answer = player.post(f"/my-boards/add/{address}")
    assert answer.status_code == 303 and "/my-boards/drafts/" in answer.headers["Location"]
    reader.problem = None
    player.post(f"{game}/photographs/{address.rsplit('/', 1)[1]}/again")
    assert "looks different from the known ones" not in player.wait_for_reading(game)
    assert printed(player, game) == "standard"


def test_the_api_reads_with_every_board_or_the_one_named(
    player: Player, reader: TellingReader
) -> None:
    for form in {}, {"profile": "mine"}:
        photo = (io.BytesIO(jpeg()), "ana.jpg")
        player.client.post("/api/read", base_url=HERE, data={"photo": photo, **form})
    assert reader.profiles == [(*profile_names(),), ("mine",)]
    assert {"standard", "mine"} <= set(reader.profiles[0])


def seats(player: Player, *names: str) -> str:
    """A game of several whose boards are still to be photographed."""
    return player.new_game(*names, mode="intro")


def found(player: Player, game: str) -> int:
    """How many players have a board from a photograph."""
    return player.get(f"{game}/photographs/list").text.count('class="thumbnail"')


def test_a_photograph_is_searched_for_as_many_boards_as_are_missing(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [read_board()] * 3
    game = seats(player, "Ana", "Luis", "Eva", "Jan")
    page = player.read_photograph(game)
    assert reader.expected == [4]
    assert "3 of 4 boards were found" in page and page.count("<polygon points=") == 3
    reader.boards = [read_board()]
    assert "boards were found" not in player.read_photograph(game, player=3)
    player.read_photograph(game, player=0)
    assert reader.expected == [4, 1, 1]


def test_a_far_board_found_alone_may_be_one_of_several(
    player: Player, reader: TellingReader
) -> None:
    small = [[0, 0], [200, 0], [200, 240], [0, 240]]
    for corners, reported in (small, True), (read_board()["corners"], False):
        reader.boards = [{**read_board(), "corners": corners}]
        game = seats(player, "Ana", "Luis")
        assert ("1 of 2 boards were found" in player.read_photograph(game)) is reported


def test_boards_that_are_only_printed_otherwise_are_one_games(
    player: Player, reader: TellingReader, mine: Path
) -> None:
    reprint = mine.with_name("reprint")
    shutil.copytree(built_in_profiles()["nebula/standard"], reprint)
    reader.boards = [read_board(), {**read_board(), "profile": "reprint"}]
    game = seats(player, "Ana", "Luis")
    assert "left out" not in player.read_photograph(game)
    assert found(player, game) == 2
    assert player.get(f"{game}/players/1/review").status_code == 200
    player.read_photograph(game, player=0)
    assert reader.profiles[-1] == ("standard", "reprint")


def test_a_board_with_other_numbers_is_left_out_and_that_is_said(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [read_board(), {**read_board(), "profile": "mine"}]
    game = seats(player, "Ana", "Luis")
    page = player.read_photograph(game)
    assert found(player, game) == 1
    assert "shows The attic board, too. It was left out" in page
    photograph = page.split("/photographs/")[1].split("/")[0]
    chosen = {"board": f"{photograph}.1"}
    assert player.post(f"{game}/photographs/players/1/board", chosen).status_code == 422


def test_of_boards_that_look_alike_the_one_played_on_last_is_taken(
    player: Player, reader: TellingReader, mine: Path
) -> None:
    """The picture of `mine` is the standard board's; only a person tells them apart, once."""
    photographed(player, new_game(player, "mine"))
    game = new_game(player)
    reader.boards = [{**read_board(), "profile": "mine"}]
    photographed(player, game)
    assert reader.profiles[-1] == ("mine", "standard")
    reported = player.get(f"{game}/photographs").text
    other = load_profile("standard").title
    assert f"The attic board looks just like {other}." in reported
    picture = cv2.imread(str(mine / REFERENCE_FILE))
    cv2.imwrite(str(mine / REFERENCE_FILE), 255 - picture)
    (mine / LAYOUT_FILE).touch()
    assert "looks just like" not in player.get(f"{game}/photographs").text
    photographed(player, new_game(player))
    assert reader.profiles[-1] == ("standard", "mine")
