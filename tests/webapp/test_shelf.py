"""The history: who won how often, persons and their names, notes, search, rematch, game files."""

import io
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from tests.webapp.conftest import (
    HERE,
    MakeApp,
    Player,
    game_at,
    jpeg,
    on_both_databases,
    players_form,
)
from tests.webapp.polaris_skies import CARDS as OBJECTIVES
from webapp.app.history import statistics
from webapp.app.history.history import GameHistory
from webapp.app.history.people import Person, name_key
from webapp.app.history.results import FINAL, OPEN, Ending, Result
from webapp.app.reading.portrait import SIDE

ANA, LUIS, EVA = (Person(name.lower(), name) for name in ("Ana", "Luis", "Eva"))


def who(name: str) -> Person | None:
    """Whose a name is, among three."""
    return next((one for one in (ANA, LUIS, EVA) if name_key(one.name) == name_key(name)), None)


def result(*endings: tuple[str, int, int], game: str = "a", state: str = FINAL) -> Result:
    """A game's result: name, points and place of each."""
    made = [Ending(seat, *one) for seat, one in enumerate(endings)]
    names = tuple(one.name for one in made)
    moment = datetime(2026, 11, 20) + timedelta(hours=sum(one.total for one in made))
    return Result("0" * 16, state, game, "", "board", moment, names, tuple(made))


RESULTS = [
    result(("Ana", 50, 1), ("Luis", 40, 2)),
    result(("ANA ", 30, 1), ("luis", 30, 1)),
    result(("Luis", 60, 1), ("Ana", 20, 2), ("Eva", 10, 3)),
    result(("Ana", 99, 1)),
    result(("Eva", 0, 1), ("Ana", 0, 2), game="b"),
    result(("Player 1", 70, 1), ("Ana", 1, 2)),
]


def test_wins_count_places_and_averages_count_points() -> None:
    ana = statistics.tally_of(ANA, RESULTS, who)
    assert (ana.games, ana.played, ana.won, ana.shared) == (6, 5, 2, 1)
    assert (ana.best, ana.average) == (99, (50 + 30 + 20 + 99 + 0 + 1) / 6)
    eva = statistics.tally_of(EVA, RESULTS, who)
    assert (eva.won, eva.average, eva.best) == (1, 5, 10)
    only_b = statistics.tally_of(EVA, statistics.final(RESULTS, "b"), who)
    assert (only_b.won, only_b.average, only_b.best) == (1, 0, 0)
    order = [one.person for one in statistics.tallies(RESULTS, who)]
    assert order == [ANA, LUIS, EVA], "nobody's name is nobody here"


def test_head_to_head_is_who_had_the_better_place() -> None:
    found = {one.other: one for one in statistics.encounters(RESULTS, who, ANA)}
    assert (found[LUIS].games, found[LUIS].better, found[LUIS].worse, found[LUIS].even) == (
        3,
        1,
        1,
        1,
    )
    assert (found[EVA].games, found[EVA].better, found[EVA].worse) == (2, 1, 1)


def test_records_are_the_best_scores_and_the_closest_win() -> None:
    found = statistics.records(statistics.final(RESULTS, "a"), who)
    assert [one.ending.total for one in found.best] == [99, 70, 60, 50, 40]
    assert found.closest is RESULTS[0] and found.clearest is RESULTS[5]


def test_what_is_not_final_is_not_counted() -> None:
    games = [*RESULTS, result(("Ana", 500, 1), ("Luis", 1, 2), state=OPEN)]
    assert statistics.final(games) == RESULTS


@pytest.fixture
def history(app: Flask) -> GameHistory:
    """The history of the server."""
    found: GameHistory = app.extensions["stargazer"].history
    return found


@on_both_databases
def test_a_scored_game_counts_until_it_is_played_on(player: Player, history: GameHistory) -> None:
    game = player.play_to_score("Ana", "Luis")
    player.new_game("Ana", "Eva")
    page = player.get("/people").text
    assert "1 finished game is counted. 1 is not finished and does not count." in page
    (ended,) = [one for one in history.results.all() if one.state == FINAL]
    assert [one.name for one in ended.winners] == ["Ana", "Luis"], "alike boards share the win"
    assert "share the win" in player.get("/").text
    player.post(f"{game}/undo")
    assert "0 finished games are counted. 2 are not" in player.get("/people").text
    player.post(f"{game}/players/0/review/redo")
    player.post(f"{game}/delete")
    assert "0 finished games are counted. 1 is not" in player.get("/people").text


@on_both_databases
def test_a_saved_score_outlives_its_board(make_app: MakeApp, monkeypatch) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.play_to_score("Ana", "Luis")
    player.get("/people")
    made = app.extensions["stargazer"]
    made.games.amend(game.rsplit("/", 1)[1], lambda kept: {**kept, "profile": "gone"})
    assert "1 finished game is counted." in player.get("/people").text
    player.new_game("Eva")
    assert "Eva" in player.get("/").text


@on_both_databases
def test_names_of_a_person_differ_in_case_and_spacing(player: Player, history: GameHistory) -> None:
    player.new_game("Ana  María", "Luis")
    player.new_game("ana maría", "Player 2")
    player.get("/people")
    assert [one.name for one in history.persons.all()] == ["ana maría", "Luis"], (
        "the newest spelling"
    )


@on_both_databases
def test_who_has_no_game_any_more_is_in_no_list(player: Player, history: GameHistory) -> None:
    game, other = player.new_game("Ana", "Luis"), player.new_game("Ana", "Eva")
    assert all(name in player.get("/people").text for name in ("Ana", "Luis", "Eva"))
    player.post(f"{other}/delete")
    page = player.get("/people").text
    assert "Ana" in page and "Luis" in page and "Eva" not in page
    player.post(f"{other}/restore")
    assert "Eva" in player.get("/people").text and game


@on_both_databases
def test_a_game_has_one_time_and_is_deleted_by_one_tap(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    (begun,) = re.findall(r'<time datetime="([^"]+)"', player.get(f"{game}/about").text)
    home = player.get("/").text
    assert re.findall(r'<time datetime="([^"]+)"', home) == [begun]
    assert "data-confirm" not in home, "it can be undone"
    assert "Undo" in player.post(f"{game}/delete", follow_redirects=True).text


@on_both_databases
def test_a_person_is_renamed_merged_and_brought_back(player: Player, history: GameHistory) -> None:
    player.play_to_score("Ana", "Luis")
    player.new_game("Anna", "Eva")
    player.get("/people")
    ids = {one.name: one.id for one in history.persons.all()}
    taken = player.post(f"/people/{ids['Anna']}", {"name": "ana", "colour": "lime"})
    assert taken.status_code == 422 and "Are both the same person?" in taken.text
    merged = player.post(f"/people/{ids['Ana']}/merge", {"other": ids["Anna"]})
    assert [one.name for one in history.persons.all()] == ["Ana", "Eva", "Luis"]
    page = player.get(merged.headers["Location"]).text
    assert "Anna, Eva" in page and "Ana, Luis" in page
    renamed = player.post(f"/people/{ids['Ana']}", {"name": "Ana M.", "colour": "violet"})
    assert "Ana M." in player.get("/people").text
    number = re.search(r"undo=(\d+)", merged.headers["Location"])
    late = player.post("/people/undo", {"number": number[1]})
    assert "can no longer be undone" in player.get(late.headers["Location"]).text
    for answer in (renamed, merged):
        found = re.search(r"undo=(\d+)", answer.headers["Location"])
        player.post("/people/undo", {"number": found[1]})
    back = {one.name: (one.id, one.colour) for one in history.persons.all()}
    assert {name: id for name, (id, _) in back.items()} == ids and back["Ana"][1] == "teal"
    assert "Ana, Luis" not in player.get(f"/people/{ids['Anna']}").text


def test_a_picture_is_small_square_and_drawn_anew(player: Player, history: GameHistory) -> None:
    player.new_game("Ana")
    player.get("/people")
    (ana,) = history.persons.all()
    refused = player.post(f"/people/{ana.id}/picture", {"photo": (io.BytesIO(b"GIF89a"), "x.gif")})
    assert refused.status_code == 422 and history.persons.all()[0].picture is None
    exif = Image.Exif()
    exif[0x010E] = "at home, secretly"
    out = io.BytesIO()
    Image.new("RGB", (640, 480), (200, 40, 40)).save(out, "JPEG", exif=exif)
    player.post(f"/people/{ana.id}/picture", {"photo": (io.BytesIO(out.getvalue()), "x.jpg")})
    picture = history.persons.all()[0].picture
    answer = player.get(f"/people/pictures/{picture}.jpg")
    with Image.open(io.BytesIO(answer.data)) as shown:
        assert shown.size == (SIDE, SIDE) and not shown.getexif()
    assert b"secretly" not in answer.data
    assert player.get("/people/pictures/session.jpg").status_code == 404
    player.post(f"/people/{ana.id}/picture", {"remove": "yes"})
    history.persons.sweep()
    assert player.get(f"/people/pictures/{picture}.jpg").status_code == 404


@on_both_databases
def test_a_note_is_kept_found_and_not_lost_to_another(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.new_game("Eva")
    assert "Žofie forgot" not in player.get(f"{game}/about").text
    player.post(f"{game}/note", {"note": "Žofie forgot\r\nthe cake", "was": ""})
    assert "Žofie forgot\nthe cake" in player.get(f"{game}/about").text
    assert f"{game}/board" not in player.get("/?q=zofie+cake").text
    found = player.get("/?q=zofie+cake").text
    assert f'href="{game}"' in found and "Eva" not in found
    assert "No game was found" in player.get("/?q=zofie+pie").text
    clash = player.post(f"{game}/note", {"note": "mine", "was": "what I saw"})
    assert clash.status_code == 409
    assert "Žofie forgot" in clash.text and ">mine</textarea>" in clash.text
    assert "Žofie forgot" in player.get(f"{game}/about").text
    player.post(f"{game}/undo")
    assert "Žofie forgot" in player.get(f"{game}/about").text, "no step, so not undone"


def test_a_rematch_has_the_same_players_and_asks_for_its_cards(player: Player, app: Flask) -> None:
    game = player.play_to_score("Ana", "Luis")
    answer = player.post(f"{game}/rematch")
    again = answer.headers["Location"]
    assert again.endswith("/cards") and not again.startswith(game)
    assert 'aria-pressed="true"' not in player.get(again).text
    games = app.extensions["stargazer"].games
    old, new = (games.open(one.split("/")[2]).document for one in (game, again))
    for key in ("mode", "edition", "profile"):
        assert new.get(key) == old.get(key)
    assert [(one["name"], one["marker"]) for one in new["players"]] == [
        ("Ana", "teal"),
        ("Luis", "coral"),
    ]
    assert all(one["board"] is None and not one["stars"] for one in new["players"])
    assert (new["career"], new["advanced"], new["confirmed"]) == ([], [], ["players"])
    assert not any(player["personal"] for player in new["players"])


@on_both_databases
@pytest.mark.parametrize("page", ["score", "about"])
def test_a_rematch_that_is_tapped_twice_is_one_game(player: Player, page: str) -> None:
    game = player.play_to_score("Ana", "Luis")
    shown = player.get(f"{game}/{page}").text
    form = re.search(r'/rematch">.*?name="id" value="(\w+)"', shown)
    assert form is not None and form[1] not in player.get(f"{game}/{page}").text
    once, twice = (player.post(f"{game}/rematch", {"id": form[1]}) for _ in range(2))
    assert once.headers["Location"] == twice.headers["Location"] == f"/games/{form[1]}/nebula/cards"
    assert player.post(f"{game}/rematch", {"id": game}).status_code == 422


def test_a_rematch_of_polaris_asks_for_the_cards_of_its_phases(player: Player, app: Flask) -> None:
    form = players_form("Ana", "Luis", "Eva", mode="phases")
    form |= {f"marker-{seat}": colour for seat, colour in enumerate(("purple", "red", "blue"))}
    answer = player.post("/games/new", {**form, "game": "polaris"})
    game = game_at(answer.headers["Location"])
    player.post(f"{game}/polaris/objectives", {"common": ",".join(OBJECTIVES)})
    player.post(f"{game}/polaris/players/0/objective", {"card": "PO1"})
    again = player.post(f"{game}/rematch").headers["Location"]
    assert again.endswith("/objectives") and not again.startswith(game)
    new = app.extensions["stargazer"].games.open(again.split("/")[2]).document
    assert [one["marker"] for one in new["players"]] == ["purple", "red", "blue"]
    assert (new["cards"], new["confirmed"], new["mode"]) == ([], ["players"], "phases")
    assert not any(one["personal"] for one in new["players"])


def test_a_board_that_was_never_seen_is_not_counted_empty_by_way_of_a_file(
    player: Player, app: Flask
) -> None:
    game = player.new_game("Ana", "Luis", mode="intro")
    player.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
    player.post(f"{game}/photographs/players/0/hand")
    player.post(f"{game}/players/0/star", {"space": "core", "star": "red"})
    file = player.get(f"{game}/share/game.yaml").data
    assert b"board-2.jpg" in file and file.count(b"stars:") == 1
    empty = b"{format: 1, game: nebula, mode: intro, career: [V5, V7, V12, V17], players: ["
    empty += b"{name: Ana, stars: {core: red}, black: 1}, {name: Luis, stars: {}}]}"
    for one in (file, empty):
        answer = player.post("/games/import", {"game": (io.BytesIO(one), "x.yaml")})
        assert answer.headers["Location"].endswith("/photographs"), answer.text
        document = (
            app.extensions["stargazer"]
            .games.open(answer.headers["Location"].split("/")[2])
            .document
        )
        assert [bool(one["board"]) for one in document["players"]] == [True, False]
        assert not {"review-0", "review-1"} & set(document["confirmed"])


def test_what_was_only_read_of_a_photograph_is_no_fact_of_a_game_s_file(player: Player) -> None:
    game = player.new_game("Ana", mode="intro")
    player.post(f"{game}/nebula/cards", {"career": "V5,V7,V12,V17"})
    player.read_photograph(game, player=0)
    file = player.get(f"{game}/share/game.yaml").text
    assert "board-1.jpg" in file and "stars:" not in file
    player.post(f"{game}/players/0/review")
    assert "stars: {" in player.get(f"{game}/share/game.yaml").text


@on_both_databases
def test_a_game_file_comes_back_with_the_same_score(player: Player, history: GameHistory) -> None:
    game = player.play_to_score("Ana", "Luis")
    player.post(f"{game}/note", {"note": "a draw!", "was": ""})
    file = player.get(f"{game}/share/game.yaml").data
    answer = player.post("/games/import", {"game": (io.BytesIO(file), "game.yaml")})
    assert answer.status_code == 303, answer.text
    copy = answer.headers["Location"]
    assert copy.endswith("/score") and not copy.startswith(game)
    player.get("/people")
    one, other = history.results.all()
    assert one.endings == other.endings and one.state == FINAL
    assert "a draw!" in player.get(copy.replace("/score", "/about")).text


def test_what_a_game_file_leaves_open_is_asked(player: Player) -> None:
    file = b"{format: 1, game: nebula, mode: intro, career: [V5, V7, V12, V17], players:"
    file += b" [{name: Ana, photo: ana.jpg}, {name: Luis, stars: {core: red}, black: 1}]}"
    answer = player.post("/games/import", {"game": (io.BytesIO(file), "x.yaml")})
    assert answer.headers["Location"].endswith("/photographs")


NO_GAME_FILES = [
    (b"", "Choose a game file"),
    (jpeg(), "not a text file"),
    (b"[1, 2]", "not a game file"),
    (b"game: chess", "chess is not known"),
    (b"{game: nebula, players: 3}", "players"),
    (b"a: &a [1]\nb: *a", "aliases are not read"),
    (b"players: " + b"[" * 5000, "nested"),
]


def test_what_is_no_game_file_is_refused_in_words(player: Player) -> None:
    for file, reported in NO_GAME_FILES:
        answer = player.post("/games/import", {"game": (io.BytesIO(file), "x.yaml")})
        assert answer.status_code == 422 and reported in answer.text, reported


def test_a_file_that_is_no_game_is_refused_in_the_language_of_the_page(player: Player) -> None:
    player.client.set_cookie("language", "es", domain="127.0.0.1")
    for file in (b"", b"[1, 2]"):
        page = player.post("/games/import", {"game": (io.BytesIO(file), "x.yaml")}).text
        assert "Elige un archivo de partida" in page


def test_the_winners_board_is_a_picture(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    address = re.search(rf'src="({game}/board\.png[^"]+)"', player.get("/").text)
    with Image.open(io.BytesIO(player.get(address[1]).data)) as picture:
        assert picture.format == "PNG" and picture.width == 220
        assert len(picture.convert("RGB").getcolors(4096) or []) > 8, "stars lie on it"
    empty = player.new_game("Eva")
    assert f"{empty}/board.png" not in player.get("/").text
    assert player.get(f"{empty}/board.png").status_code == 404


def test_photographs_are_beside_the_score(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    page = player.get(f"{game}/score").text
    shown = re.findall(r'src="([^"]+/boards/0\.jpg)"', page)
    assert len(shown) == 2 and player.get(shown[0]).mimetype == "image/jpeg"
    assert player.client.get(shown[0], base_url=HERE).status_code == 200


@on_both_databases
def test_a_board_that_is_changed_is_scored_again(
    player: Player, history: GameHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.play_to_score("Ana", "Luis")
    player.get("/people")
    assert history.results.bring_up_to_date() == []
    monkeypatch.setattr("webapp.app.boards.known_boards.profile_version", lambda _name: 5.0)
    assert len(history.results.bring_up_to_date()) == 1
    assert history.results.bring_up_to_date() == []


@on_both_databases
def test_a_game_in_the_list_is_drawn_once_with_the_token_of_whoever_looks(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(rate_limits=False)
    one, other = Player(app.test_client()), Player(app.test_client())
    game = one.new_game("Ana", "Luis")
    drawn: list[str] = []
    found = app.jinja_env.get_template

    def counted(name: str, *more: Any) -> Any:
        drawn.extend([name] if name == "_tile.html" else [])
        return found(name, *more)

    monkeypatch.setattr(app.jinja_env, "get_template", counted)
    tokens = []
    for player in (one, other):
        text = player.get("/").get_data(as_text=True)
        (token,) = set(re.findall('name="csrf_token" value="([^"]+)"', text))
        tokens.append(token)
    assert len(drawn) == 1 and tokens[0] != tokens[1]
    before = other.get("/").text
    one.lay_cards(game)
    after = other.get("/").text
    assert len(drawn) == 2 and "Next: " in before and before != after
    other.client.set_cookie("language", "es", domain="127.0.0.1")
    assert "Next: " not in other.get("/").text
    answer = other.client.post(f"{game}/delete", base_url=HERE, data={"csrf_token": tokens[1]})
    assert answer.headers["Location"] == f"/?deleted={game[-16:]}"
