"""The saved games: steps, undo, several at once; and the documents that they hold."""

import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from scorer.nebula.game_file import game_from_data
from tests.webapp import documents
from tests.webapp.conftest import on_both_databases
from webapp.app.database import Base, DatabaseError, GameRow, open_database
from webapp.app.live.log import Log
from webapp.app.live.source_address import SourceAddresses
from webapp.app.reading.photographs import Photographs
from webapp.app.session import flow, game_document
from webapp.app.session.saved_games import Games, NoSuchGameError
from webapp.app.settings import Settings
from webapp.games.nebula import document as nebula_document

ANA_AND_LUIS = [("Ana", "teal"), ("Luis", "coral")]


@pytest.fixture
def database(tmp_path: Path, database_url: str) -> str:
    """The URL of a database for a test's games."""
    return Settings(tmp_path, database_url).database


@pytest.fixture
def games(database: str) -> Games:
    return Games(open_database(database))


@on_both_databases
def test_a_step_is_undone_and_redone_until_another_one_is_made(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    assert (game.undo, game.redo) == (None, None)
    for count in (1, 2):
        game = games.change(game.id, "black", lambda d, n=count: documents.with_black(d, 0, n))
    game = games.undo(game.id)
    assert (game.document["players"][0]["black"], game.undo, game.redo) == (1, "black", "black")
    assert games.redo(game.id).document["players"][0]["black"] == 2
    games.undo(game.id)
    game = games.change(game.id, "star", lambda d: documents.with_star(d, 0, "core", "red"))
    assert game.redo is None
    assert games.redo(game.id) == game


@on_both_databases
def test_nothing_is_undone_before_the_first_step(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    assert games.undo(game.id) == game


@on_both_databases
def test_a_reading_transaction_does_not_wait_for_a_writing_one(
    database: str, tmp_path: Path
) -> None:
    sessions = open_database(database)
    games, photographs = Games(sessions), Photographs(sessions, tmp_path)
    log = Log(sessions, SourceAddresses(b"key"))
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    with sessions.begin() as session:
        session.add(GameRow(id="other", revision=0))
        session.flush()
        assert games.open(game.id) == game
        assert games.recent() == [game]
        assert games.purge() == []
        assert photographs.of(game.id) == photographs.waiting() == []
        photographs.make_sure_of(game.id, 1)
        assert (log.entries(game.id), log.last(game.id), log.entry(game.id, 1)) == ([], 0, None)
        assert log.memory(game.id, "cam") is None


@on_both_databases
def test_a_step_that_changes_nothing_leaves_no_trace(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    assert games.change(game.id, "none", lambda d: d).revision == 0


@on_both_databases
def test_a_step_that_fails_leaves_the_game_as_it_was(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    with pytest.raises(LookupError):
        games.change(game.id, "black", lambda d: documents.with_black(d, 9, 1))
    assert games.open(game.id) == game


@on_both_databases
def test_phones_that_save_at_once_lose_nothing(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))

    def add_ten() -> None:
        for _ in range(10):
            games.change(
                game.id, "black", lambda d: documents.with_black(d, 0, d["players"][0]["black"] + 1)
            )

    phones = [threading.Thread(target=add_ten) for _ in range(4)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert games.open(game.id).document["players"][0]["black"] == 40


@on_both_databases
def test_a_deleted_game_is_gone_but_can_be_brought_back_for_a_while(games: Games) -> None:
    game = games.create(game_document.new_game(ANA_AND_LUIS, "full", "nebula"))
    games.delete(game.id)
    assert games.recent() == []
    with pytest.raises(NoSuchGameError):
        games.open(game.id)
    assert games.purge() == []
    games.restore(game.id)
    assert games.open(game.id).document == game.document
    games.delete(game.id)
    assert games.purge(timedelta(0)) == [game.id]
    with pytest.raises(NoSuchGameError):
        games.restore(game.id)


@on_both_databases
def test_the_migrations_make_the_tables_that_the_models_want(database: str) -> None:
    sessions = open_database(database)
    with sessions().get_bind().connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


@on_both_databases
def test_a_database_with_nothing_to_migrate_opens_without_alembic(database: str) -> None:
    open_database(database)
    script = (
        "import sys; from webapp.app.database import open_database;"
        "open_database(sys.argv[1]); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", script, database]
    assert subprocess.check_output(command, text=True) == "False\n"


@pytest.mark.parametrize("url", ["nonsense", "nosuch://x", "sqlite:////proc/nowhere/a.db"])
def test_a_database_that_does_not_open_is_reported(url: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        open_database(url)
    assert "\n" not in str(caught.value)


def test_a_document_is_a_game_file() -> None:
    document = game_document.new_game(ANA_AND_LUIS, "full", "nebula")
    document = nebula_document.with_cards(
        document, ["V5", "V7", "V12", "V17"], ["B3", "B16", "B20", "B24"]
    )
    document = documents.with_star(document, 0, "core", "red")
    document = game_document.with_answer(document, "personal", "O19", 0)
    document = nebula_document.with_markers(document, [{"V5": "first"}, {}])
    game = game_from_data(game_document.game_data(document))
    assert game.players[0].career == {"V5": "first"} and game.players[1].career == {}
    assert dict(game.players[0].galaxy.stars) == {"core": "red"}


def test_cards_laid_out_anew_take_their_markers_back() -> None:
    document = game_document.new_game(ANA_AND_LUIS, "full", "nebula")
    document = nebula_document.with_markers(document, [{"V5": "first", "V7": "later"}, {}])
    document = nebula_document.with_cards(document, ["V7"], [])
    assert document["players"][0]["career"] == {"V7": "later"}


def test_players_are_renamed_added_and_taken_away() -> None:
    document = game_document.new_game(ANA_AND_LUIS, "full", "nebula")
    document = documents.with_black(document, 0, 3)
    document = game_document.with_players(
        document, [("Eva", "lime"), *ANA_AND_LUIS[1:], ("Zoe", "teal")], "intro"
    )
    assert [player["name"] for player in document["players"]] == ["Eva", "Luis", "Zoe"]
    assert document["players"][0]["black"] == 3 and document["mode"] == "intro"
    assert len(game_document.with_players(document, [("Eva", "lime")], "full")["players"]) == 1


def test_what_a_change_leaves_open_is_asked_again() -> None:
    document = game_document.new_game([("Ana", "teal")], "intro", "nebula")
    document = nebula_document.with_cards(document, ["V1", "V2", "V3", "V4"], [])
    for step in flow.steps(document):
        document = game_document.confirm(document, step.key)
    assert flow.next_step(document).name == "score"
    more = game_document.with_players(document, ANA_AND_LUIS, "intro")
    assert flow.next_step(more).name == "photographs"
    full = game_document.with_players(document, [("Ana", "teal")], "full")
    assert flow.next_step(full).name == "cards"
    other = nebula_document.with_cards(document, ["V1", "V2", "V3", "V5"], [])
    assert flow.next_step(other).name == "markers"


def test_the_steps_go_from_the_players_to_the_score() -> None:
    document = game_document.new_game(ANA_AND_LUIS, "full", "nebula")
    keys = [step.key for step in flow.steps(document)]
    assert keys[:4] == ["players", "cards", "values", "photographs"]
    assert keys[4:] == ["review-0", "personal-0", "review-1", "personal-1", "markers"]
    for key in keys[1:]:
        assert flow.next_step(document).key == key
        document = game_document.confirm(document, key)
    assert flow.next_step(document) == flow.Step("score")
    assert flow.done(document) == (9, 9)
