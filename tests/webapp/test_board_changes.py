"""A board of the owner's opened in the editor again: what changes, what stays, what is undone."""

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from calibration import Profile, load_profile, owned, owner_profiles
from calibration.colour_profile import COLOUR_FILE
from calibration.profile import built_in_profiles, own_profile_names
from tests.conftest import in_ci
from tests.webapp.conftest import (
    HERE,
    MakeApp,
    Player,
    TellingReader,
    game_at,
    jpeg,
    players_form,
    read_board,
)


@pytest.fixture(autouse=True)
def mine() -> Path:
    """A board of the owner's; return its folder."""
    shutil.copytree(built_in_profiles()["nebula/standard"], owner_profiles() / "mine")
    owned.rename_profile("mine", "The attic board")
    return owner_profiles() / "mine"


class Owner(Player):
    """Whoever changes a board of theirs."""

    def open(self, name: str = "mine", deed: str = "change") -> str:
        """Open a board in the editor; return the draft's address."""
        answer = self.post(f"/my-boards/{name}/{deed}")
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def keep(self, draft: str, layout: dict[str, Any]) -> list[Any]:
        """Send a layout as the editor does; return the problems."""
        headers = {"X-CSRFToken": self.token(), "X-Partial": "1"}
        body = json.dumps({"layout": layout})
        answer = self.client.post(f"{draft}/layout", base_url=HERE, data=body, headers=headers)
        return list(answer.json["problems"])

    def save(self, draft: str, title: str = "The attic board") -> TestResponse:
        """Put the board in the place of the one before; return the page that follows."""
        answer = self.post(f"{draft}/use", {"title": title})
        assert answer.status_code == 303, answer.text
        return self.get(answer.headers["Location"])

    def layout(self, draft: str) -> dict[str, Any]:
        """The layout as the editor has it."""
        return dict(self.get(f"{draft}/state").json["layout"])

    def game_on(self, profile: str) -> str:
        """A game of one, its board read."""
        answer = self.post("/games/new", players_form("Ana", mode="intro") | {"profile": profile})
        game = game_at(answer.headers["Location"])
        self.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
        self.read_photograph(game, player=0)
        return game

    def total(self, game: str, part: str = "Black stars") -> int:
        """Ana's points for a part of the score."""
        self.post(f"{game}/photographs/done")
        self.post(f"{game}/players/0/review")
        self.post(f"{game}/nebula/players/0/personal", {"card": "O1"})
        self.post(f"{game}/nebula/markers", {"V17-0": "first"})
        return self.points(game, part)

    def points(self, game: str, part: str = "Black stars") -> int:
        """Ana's points for a part of the score of a finished game."""
        score = self.get(f"{game}/share/score.csv").text.splitlines()
        return sum(int(row["Points"]) for row in csv.DictReader(score) if row["Part"] == part)


@pytest.fixture
def owner(make_app: MakeApp, reader: TellingReader) -> Iterator[Owner]:
    reader.boards = [{**read_board(), "profile": "mine"}]
    app = make_app(rate_limits=False)
    yield Owner(app.test_client())
    app.extensions["stargazer"].drafts.close()


def renamed(layout: dict[str, Any], before: str, after: str) -> dict[str, Any]:
    """A layout with another name for one of its spaces."""
    return dict(json.loads(json.dumps(layout).replace(f'"{before}"', f'"{after}"')))


def same_picture(one: Profile, other: Profile) -> bool:
    return bool((one.require_reference() == other.require_reference()).all())


def test_a_board_is_changed_in_its_place_and_back_again(owner: Owner, mine: Path) -> None:
    (mine / COLOUR_FILE).write_text("format: 1\ngame: nebula\nswatches: []\n")
    before = load_profile("mine")
    draft = owner.open()
    assert owner.get(f"{draft}/board.jpg").data.startswith(b"\xff\xd8")
    layout = owner.layout(draft)
    layout["spaces"]["ar3"]["at"] = [141.0, 105.0]
    layout["black_track"]["full"] = 30
    assert owner.keep(draft, layout) == []
    assert "Save the changes" in owner.get(draft).text
    page = owner.save(draft, "The cellar board").text
    assert "The cellar board was changed." in page and own_profile_names() == ["mine"]
    after = load_profile("mine")
    assert after.title == "The cellar board" and after.spaces["ar3"].at == (141.0, 105.0)
    assert after.board.track.full == 30 and same_picture(before, after)
    assert (mine / COLOUR_FILE).is_file()
    assert owner.get(draft).status_code == 404
    assert owner.post("/my-boards/mine/undo-change").status_code == 303
    assert load_profile("mine").layout.to_data() == before.layout.to_data()


def test_what_is_half_changed_is_gone_on_with_and_changes_nothing_yet(owner: Owner) -> None:
    draft = owner.open()
    layout = owner.layout(draft)
    layout["black_track"]["points"] = [9, 1, 2, 4, 6, 9, 12, 15, 18, 22]
    assert owner.keep(draft, layout)
    assert owner.open() == draft and owner.layout(draft) == layout
    assert owner.post(f"{draft}/use", {"title": "Broken"}).status_code == 422
    assert load_profile("mine").title == "The attic board"
    owner.post(f"{draft}/remove")
    assert load_profile("mine").title == "The attic board"


@in_ci
def test_what_was_scored_stays_where_numbers_are_mended_and_is_counted_anew_on_request(
    owner: Owner,
) -> None:
    going, game, gone = (owner.game_on("mine") for _ in range(3))
    assert owner.total(game) == owner.total(gone) == 6
    owner.post(f"{gone}/delete")
    draft = owner.open()
    layout = owner.layout(draft)
    layout["black_track"]["points"][4] = 8
    owner.keep(draft, layout)
    assert "1 game is played on it and goes on with it." in owner.get(f"{draft}/trial").text
    assert "2 finished games keep their points" in owner.save(draft).text
    assert owner.total(going) == 8
    owner.post(f"{gone}/restore")
    assert owner.points(gone) == owner.points(game) == 6
    page = owner.get(f"{game}/score").text
    reported = re.search(
        r"Ana (\d+) → (\d+) \(Black stars 6 → 8\).*data-count>(\d+)<", page, re.DOTALL
    )
    assert (
        reported is not None
        and reported[1] == reported[3]
        and int(reported[2]) == int(reported[1]) + 2
    )
    again = owner.post(f"{game}/rematch").headers["Location"]
    assert "as it was" not in owner.get(again.replace("photographs", "players")).text
    owner.post(f"{game}/score/anew")
    assert owner.points(game) == 8 and "→" not in owner.get(f"{game}/score").text
    owner.post(f"{game}/undo")
    assert owner.points(game) == 6
    assert (
        "2 finished games keep their points"
        in owner.post("/my-boards/mine/undo-change", follow_redirects=True).text
    )
    assert owner.points(going) == 8 and owner.points(game) == 6
    assert "→" not in owner.get(f"{game}/score").text


def test_games_keep_a_board_whose_spaces_are_others_now(
    owner: Owner, reader: TellingReader
) -> None:
    game = owner.game_on("mine")
    draft = owner.open()
    assert owner.keep(draft, renamed(owner.layout(draft), "ar1", "a1")) == []
    assert "1 game keeps the old board" in owner.get(f"{draft}/trial").text
    owner.save(draft)
    assert "a1" in load_profile("mine").spaces and own_profile_names() == ["mine"]
    review = owner.get(f"{game}/players/0/review")
    assert review.status_code == 200 and 'data-space="ar1"' in review.text
    players = owner.get(f"{game}/players").text
    assert re.search(r'value="mine\.\d+" selected>The attic board, as it was<', players)
    assert owner.post(f"{game}/players", players_form("Eva", mode="intro")).status_code == 303
    owner.read_photograph(game, player=0)
    assert re.fullmatch(r"mine\.\d+", reader.profiles[-1][0]) and "mine" not in reader.profiles[-1]
    owner.post(f"{game}/undo")
    assert 'data-space="ar1"' in owner.get(f"{game}/players/0/review").text
    owner.post("/my-boards/mine/undo-change")
    assert "ar1" in load_profile("mine").spaces
    assert owner.get(f"{game}/players/0/review").status_code == 200


@in_ci
def test_games_of_the_servers_own_board_keep_it_too(make_app: MakeApp) -> None:
    owner = Owner(make_app(rate_limits=False, profile="mine").test_client())
    answer = owner.post("/games/new", players_form("Ana", mode="intro"))
    game = game_at(answer.headers["Location"])
    owner.post(f"{game}/photographs/players/0/hand")
    owner.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    draft = owner.open()
    owner.keep(draft, renamed(owner.layout(draft), "ar1", "a1"))
    owner.save(draft)
    kept = owner.get(f"{game}/players/0/review").text
    assert re.search(r'data-space="ar1"[^>]* data-star="red"', kept)
    other = owner.post("/games/new", players_form("Eva", mode="intro")).headers["Location"]
    assert 'data-space="a1"' in owner.get(f"{game_at(other)}/players/0/review").text


@in_ci
def test_a_built_in_board_is_the_beginning_of_another(owner: Owner) -> None:
    draft = owner.open("standard", "copy")
    assert owner.post("/my-boards/standard/change").status_code == 404
    layout = owner.layout(draft)
    layout["black_track"]["full"] = 30
    owner.keep(draft, layout)
    owner.save(draft, "Second printing")
    made = load_profile("second-printing")
    assert made.board.track.full == 30 and load_profile("standard").board.track.full == 26


@in_ci
def test_a_board_deleted_meanwhile_is_added_instead(owner: Owner) -> None:
    draft = owner.open()
    owner.post("/my-boards/mine/delete")
    assert "was added" in owner.save(draft, "Attic again").text
    assert load_profile("attic-again").title == "Attic again"


@in_ci
def test_the_proof_is_read_with_the_changed_board(owner: Owner, reader: TellingReader) -> None:
    draft = owner.open()
    sent = {"photo": (io.BytesIO(jpeg()), "y.jpg")}
    assert owner.post(f"{draft}/trial", sent).status_code == 303
    assert [Path(name).name for name in reader.profiles[-1]] == ["trial-1"]
    assert "Save the board" in owner.get(f"{draft}/trial").text


@pytest.mark.parametrize("deed", ["mine/change", "mine/undo-change", "standard/copy"])
def test_guests_change_nothing(mine: Path, make_app: MakeApp, deed: str) -> None:
    guest = Player(make_app(invitation="sesame", rate_limits=False).test_client())
    guest.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    guest.get("/join/sesame")
    assert "Change" not in guest.get("/my-boards").text
    assert guest.post(f"/my-boards/{deed}").status_code == 403


def test_what_the_cards_give_is_typed_scored_and_shared(owner: Owner) -> None:
    game = owner.game_on("mine")
    before = owner.total(game, "Career cards")
    draft = owner.open()
    layout = owner.layout(draft)
    assert layout["edition"]["constellations"] == {"places": [14, 12, 10], "finished": 6}
    layout["edition"]["constellations"]["finished"] = 7
    layout["edition"]["career"]["cards"]["V17"] = [20, 3]
    assert owner.keep(draft, layout) == []
    owner.save(draft)
    kept = load_profile("mine").layout.to_data()["edition"]
    assert kept.keys() == {"constellations", "career"}, "what differs, and no more"
    owner.post(f"{game}/score/anew")
    assert owner.points(game, "Career cards") == before + 4
    packed = owner.get("/my-boards/mine.zip").data
    owner.post("/my-boards/import", {"board": (io.BytesIO(packed), "x.zip")})
    edition = load_profile("the-attic-board").board.edition
    assert edition.career_points("V17") == (20, 3) and edition.finished_constellation == 7


@pytest.mark.parametrize(
    "wrong", [3, [1], {"personal": -1}, {"colours": [1, 2]}, {"cluster_spaces": 3}]
)
def test_points_that_are_none_are_reported_at_their_tool(owner: Owner, wrong: object) -> None:
    draft = owner.open()
    layout = owner.layout(draft) | {"edition": wrong}
    assert [problem["tool"] for problem in owner.keep(draft, layout)][:1] == ["points"]
    assert owner.get(draft).status_code == 200 and owner.get(f"{draft}/state").status_code == 200
