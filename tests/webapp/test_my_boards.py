"""My boards: the list of profiles, and what whoever serves does with their own."""

import io
import re
import shutil

import pytest

from calibration import load_profile, owned, owner_profiles
from calibration.profile import built_in_profiles, own_profile_names
from tests.webapp.conftest import MakeApp, Player

FROM_A_PHONE = {"REMOTE_ADDR": "192.168.1.20"}


@pytest.fixture
def mine() -> str:
    """A board of the owner's."""
    shutil.copytree(built_in_profiles()["nebula/standard"], owner_profiles() / "mine")
    owned.rename_profile("mine", "The attic board")
    return "mine"


def test_the_list_shows_built_in_and_own_boards(mine: str, player: Player) -> None:
    assert "/my-boards" in player.get("/").text
    page = player.get("/my-boards").text
    assert page.count(">Guild board<") == 1, "that of the other side is the same"
    assert "Standard Galaxy board" in page and "built in" in page
    assert "The attic board" in page and "200 × 240 mm" in " ".join(page.split())
    with player.client:
        player.post("/preferences", {"language": "es", "appearance": "system"})
        assert "Tablero de Galaxia estándar" in player.get("/my-boards").text
        assert "Tablero de Galaxia estándar" in player.get("/games/new").text
    picture = player.get("/my-boards/pictures/mine.jpg")
    assert picture.mimetype == "image/jpeg" and picture.data.startswith(b"\xff\xd8")
    assert player.get("/my-boards/pictures/nobody.jpg").status_code == 404


def test_a_board_is_renamed_deleted_and_brought_back(mine: str, player: Player) -> None:
    assert player.post("/my-boards/mine/rename", {"title": "Cellar"}).status_code == 303
    assert "Cellar" in player.get("/my-boards").text
    refused = player.post("/my-boards/mine/rename", {"title": " "})
    assert refused.status_code == 422 and "name in words" in refused.text
    assert player.post("/my-boards/standard/delete").status_code == 404
    gone = player.post("/my-boards/mine/delete")
    page = player.get(gone.headers["Location"]).text
    assert "Cellar" not in page and "The board was deleted." in page
    assert player.post("/my-boards/mine/restore").status_code == 303
    assert "Cellar" in player.get("/my-boards").text


def test_what_is_exported_is_imported_as_the_same_board(mine: str, player: Player) -> None:
    sent = player.get("/my-boards/mine.zip")
    assert sent.headers["Content-Disposition"] == "attachment; filename=mine.zip"
    player.post("/my-boards/mine/delete")
    answer = player.post("/my-boards/import", {"board": (io.BytesIO(sent.data), "x.zip")})
    assert answer.status_code == 303
    assert "The attic board was added." in player.get("/my-boards").text
    again = load_profile("the-attic-board")
    assert again.layout.to_data()["name"] == "The attic board"
    assert (again.reference == load_profile("standard").reference).all()


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "Choose a board"), (b"no zip", "no whole file"), (b"\0" * (32 << 20), "no whole file")],
)
def test_what_is_no_board_is_refused_in_words(
    mine: str, player: Player, data: bytes, message: str
) -> None:
    answer = player.post("/my-boards/import", {"board": (io.BytesIO(data), "x.zip")})
    assert answer.status_code == 422 and message in answer.text
    assert own_profile_names() == ["mine"]


def test_whoever_serves_lets_their_phone_change_boards(mine: str, make_app: MakeApp) -> None:
    app = make_app(invitation="open-sesame", origin="http://192.168.1.10", rate_limits=False)
    phone, computer = Player(app.test_client()), Player(app.test_client())
    phone.client.environ_base.update(FROM_A_PHONE)
    assert "/invite/boards" in computer.get("/my-boards").text
    link = re.search(r"/invite/boards/\w{32}", computer.get("/invite/boards").text)
    assert phone.get(f"/invite/boards/{'0' * 32}").status_code == 401
    assert phone.get("/my-boards").status_code == 401
    assert phone.get(link[0]).status_code == 303
    assert phone.get("/invite/boards").status_code == 403
    assert phone.post("/my-boards/mine/rename", {"title": "Phone"}).status_code == 303
    assert load_profile("mine").title == "Phone"


@pytest.mark.parametrize("deed", ["mine/rename", "mine/delete", "mine/restore", "import"])
def test_only_whoever_serves_changes_boards(mine: str, make_app: MakeApp, deed: str) -> None:
    app = make_app(invitation="open-sesame", rate_limits=False)
    guest = Player(app.test_client())
    guest.client.environ_base.update(FROM_A_PHONE)
    guest.get("/join/open-sesame")
    assert "Delete" not in guest.get("/my-boards").text
    answer = guest.post(f"/my-boards/{deed}", {"title": "Theirs"})
    assert answer.status_code == 403 and "whoever runs Stargazer" in answer.text
    assert load_profile("mine").title == "The attic board"
