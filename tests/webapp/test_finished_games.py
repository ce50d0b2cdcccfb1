"""A finished game never changes: what becomes of its board and of the program does not reach it."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import pytest
import yaml
from sqlalchemy import select

from calibration import load_profile, owned, owner_profiles
from calibration.profile import LAYOUT_FILE, REFERENCE_FILE, built_in_profiles, own_profile_names
from scorer.nebula.score import PlayerScore
from scorer.scoresheet import Score
from tests.conftest import in_ci
from tests.webapp.conftest import MakeApp, Player, TellingReader, game_at, players_form, read_board
from webapp.app.backup.archive import BackupError
from webapp.app.database import CountRow
from webapp.app.languages import LANGUAGES
from webapp.app.services import Services
from webapp.app.session import scoring
from webapp.app.session.counting import Counting
from webapp.app.session.saved_games import SavedGame
from webapp.app.settings import Settings
from webapp.web.application import create_app

POINTS = [0, 1, 3, 5, 9, 12, 15, 18, 21, 24]


class Table(Player):
    """Whoever plays on a board of theirs."""

    def begun(self, profile: str = "mine", *names: str) -> str:
        form = players_form(*(names or ("Ana",)), mode="intro") | {"profile": profile}
        game = game_at(self.post("/games/new", form).headers["Location"])
        self.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
        self.read_photograph(game, player=0)
        return game

    def finish(self, game: str) -> str:
        self.post(f"{game}/photographs/done")
        self.post(f"{game}/players/0/review")
        self.post(f"{game}/nebula/players/0/personal", {"card": "O1"})
        self.post(f"{game}/nebula/markers", {"V17-0": "first"})
        return game

    def finished(self, profile: str = "mine") -> str:
        game = self.finish(self.begun(profile))
        assert self.get(f"{game}/score").status_code == 200
        return game

    def total(self, game: str) -> int:
        found = re.search(r"data-count>(\d+)<", self.get(f"{game}/score").text)
        return int(found[1])

    def everything(self, game: str) -> list[Any]:
        """All that is shown and shared of a finished game."""
        reported: list[Any] = [
            re.sub(
                r'nonce="[^"]*"|value="[^"]*"|data-shown="[^"]*"',
                "",
                self.get(f"{game}/{page}").text,
            )
            for page in ("score", "score/0", "share/score.csv", "share/game.yaml")
        ]
        return [*reported, self.get(f"{game}/share/score.png").data]

    def listed(self) -> str:
        page = self.get("/").text
        return re.sub(r'[?]v=\w+|value="[^"]*"', "", page[page.index("<main") :])


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board of the owner's with other points on its track; return its folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    folder = owner_profiles() / "mine"
    shutil.copytree(built_in_profiles()["nebula/standard"], folder)
    owned.rename_profile("mine", "The attic board")
    edit(folder, points=POINTS, full=28)
    return folder


def edit(folder: Path, **track: Any) -> None:
    """Write other numbers on a board's track, as another program may, or `calibrate` again."""
    layout = yaml.safe_load((folder / LAYOUT_FILE).read_text())
    layout["black_track"] |= track
    (folder / LAYOUT_FILE).write_text(yaml.safe_dump(layout))


@pytest.fixture
def table(mine: Path, make_app: MakeApp, reader: TellingReader) -> Iterator[Table]:
    reader.boards = [{**read_board(), "profile": "mine"}]
    app = make_app(rate_limits=False)
    yield Table(app.test_client())
    app.extensions["stargazer"].drafts.close()


@in_ci
def test_a_board_is_deleted_and_a_finished_game_stays_as_it_was(table: Table, mine: Path) -> None:
    game, going = table.finished(), table.begun()
    before, listed = table.everything(game), table.listed()
    table.post("/my-boards/mine/delete")
    assert own_profile_names() == []
    assert table.everything(game) == before and table.listed() == listed
    shutil.rmtree(mine.with_name("mine.deleted"))
    assert table.everything(game) == before
    assert table.get(f"{going}/players/0/review").status_code == 200
    assert table.total(table.finish(going)) == table.total(game)
    again = table.post(f"{game}/rematch").headers["Location"]
    assert table.get(again).status_code == 200


@in_ci
def test_a_board_is_changed_behind_the_servers_back(table: Table, mine: Path) -> None:
    game = table.finished()
    before = table.everything(game)
    edit(mine, points=[0] * 10, full=0)
    picture = cv2.imread(str(mine / REFERENCE_FILE))
    cv2.imwrite(str(mine / REFERENCE_FILE), 255 - picture)
    assert table.everything(game)[1:] == before[1:]
    assert "were corrected after the game" in table.get(f"{game}/score").text
    shutil.rmtree(mine)
    assert table.everything(game) == before


@in_ci
def test_another_default_board_counts_no_finished_game_anew(
    table: Table, mine: Path, make_app: MakeApp, tmp_path: Path
) -> None:
    answer = table.post("/games/new", players_form("Ana", mode="intro"))
    game = game_at(answer.headers["Location"])
    table.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
    table.post(f"{game}/photographs/players/0/hand")
    table.post(f"{game}/players/0/star", {"space": "core", "star": "red"})
    table.post(f"{game}/players/0/tracks/black", {"count": 4})
    table.finish(game)
    before = table.everything(game)
    edit(mine, points=[7] * 10, full=7)
    other = Table(make_app(rate_limits=False, profile="mine").test_client())
    assert other.everything(game) == before
    again = game_at(other.post(f"{game}/rematch").headers["Location"])
    assert ">The attic board, as it was<" not in other.get(f"{again}/players").text


def test_a_correction_is_counted_with_the_board_that_was_played_on(
    table: Table, mine: Path
) -> None:
    game = table.finished()
    edit(mine, points=[0] * 10, full=0)
    before = table.total(game)
    table.post(f"{game}/players/0/tracks/black", {"count": 6})
    assert table.total(game) == before + POINTS[6] - POINTS[4]
    table.post(f"{game}/undo")
    assert table.total(game) == before


def test_while_the_board_is_the_same_nothing_says_as_it_was(
    table: Table, mine: Path, reader: TellingReader
) -> None:
    game = table.finished()
    players = table.get(f"{game}/players").text
    assert "as it was" not in players and players.count("The attic board<") == 1
    answer = table.post(
        f"{game}/players",
        players_form("Ana", mode="intro")
        | {"profile": re.findall(r'value="([^"]+)" selected', players)[-1]},
    )
    assert answer.headers["Location"] == f"{game}/score"
    table.read_photograph(game, player=0)
    assert reader.profiles[-1] == ("mine",)
    edit(mine, points=[0] * 10, full=0)
    assert ">The attic board, as it was<" in table.get(f"{game}/players").text


@in_ci
def test_another_version_of_the_program_counts_nothing_anew_by_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.finished()
    before, listed, total = table.everything(game), table.listed(), table.total(game)
    monkeypatch.setattr(PlayerScore, "total", property(lambda own: sum_of(own) + 3))
    assert table.everything(game)[1:] == before[1:] and table.total(game) == total
    reported = table.get(f"{game}/score").text
    assert f"Ana {total} → {total + 3}" in reported
    table.post(f"{game}/note", {"note": "A long evening"})
    assert table.total(game) == total
    assert f"{total}</span>" in listed and f"{total}</span>" in table.listed()
    page = table.post(f"{game}/score/anew", follow_redirects=True).text
    assert f"data-count>{total + 3}<" in page and " → " not in page
    table.post(f"{game}/undo")
    assert table.total(game) == total


def sum_of(own: Any) -> int:
    return sum(line.points for line in own.lines)


def test_a_score_is_reported_in_each_language_as_it_was_counted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.finish(table.begun())

    def said() -> list[list[str]]:
        found = []
        for language in LANGUAGES:
            page = table.get(f"{game}/score/0", headers={"Accept-Language": language}).text
            found.append(re.findall(r'class="calculation">([^<]+)<', page))
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Counting, "score", counted_anew)
        anew = said()
    assert said() == said() == anew and len({tuple(reported) for reported in anew}) == len(
        LANGUAGES
    )


def counted_anew(counting: Counting, game: SavedGame) -> Score:
    return scoring.of(game.document, load_profile("mine").board)


def test_a_backup_brings_the_board_and_the_score_with_it(
    table: Table, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.finished()
    before = table.everything(game)
    edit(mine, points=[0] * 10, full=0)
    backup = tmp_path / "all.zip"
    backup.write_bytes(b"".join(services_of(table).backups.written()))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(PlayerScore, "total", property(lambda own: sum_of(own) + 3))
    settings = Settings(data_dir=tmp_path / "other", rate_limits=False)
    app = create_app(settings, TellingReader(), run_job=lambda job, *rest: job(*rest))
    other = Table(app.test_client())
    services_of(other).backups.restore(backup)
    assert other.everything(game)[1:] == before[1:]
    app.extensions["stargazer"].reading_queue.close()


NO_SCORES: Sequence[Mapping[str, Any]] = (
    {"players": []},
    {"ranking": [["Eva"]]},
    {"players": [{"name": "Ana", "total": "38"}]},
    {"players": None},
    {"flags": [1]},
)


def test_a_score_of_a_backup_that_is_none_is_refused(table: Table) -> None:
    game = table.finished().split("/")[2]
    made = services_of(table)
    backup = made.settings.data_dir / "all.zip"

    def plan(**other: Any) -> None:
        with made.games._sessions.begin() as session:
            (row,) = session.scalars(select(CountRow).where(CountRow.game_id == game))
            row.score = {**right, **other}
        backup.write_bytes(b"".join(made.backups.written()))
        made.backups.plan(backup)

    with made.games._sessions() as session:
        (row,) = session.scalars(select(CountRow).where(CountRow.game_id == game))
        right = dict(row.score)
    plan()
    accepted = []
    for wrong in NO_SCORES:
        try:
            plan(**wrong)
            accepted.append(wrong)
        except BackupError as refused:
            assert "is not a game" in str(refused), wrong
    assert accepted == []


def services_of(table: Table) -> Services:
    return table.client.application.extensions["stargazer"]
