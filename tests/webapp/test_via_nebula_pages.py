"""Via Nebula on the pages: entered by hand, a file taken over, a guided game, followed live."""

import io
import re
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
import yaml
from flask import Flask

from scorer.via_nebula.edition import MEADOW, STANDARD
from tests.scorer.test_via_nebula_contract import FILE
from tests.webapp.conftest import Player, document_of
from webapp.games.via_nebula.laid_out import LaidOut, options_of
from webapp.games.via_nebula.views import why_explorable

MANY = ("blue", "red", "red", "white")
"""More on one ruin than there is room for: told, and counted as it lies (V75)."""


def begun(player: Player, **more: str) -> str:
    return player.new_game(
        "Ana", "Eva", mode="", markers=("blue", "red"), game="via_nebula", **more
    )


def test_boards_entered_by_taps_are_scored(player: Player) -> None:
    game = begun(player)
    page = player.get(f"{game}/photographs").text
    heads = re.findall(r'marker-(\w+)" aria-hidden="true">(\w+)</span>\s*<strong>([^<]+)', page)
    assert heads == [
        ("moment", "1", "The valley"),
        ("blue", "A", "Ana: Guild board"),
        ("red", "E", "Eva: Guild board"),
    ]
    pictures = set[bytes]()
    for number, entered in enumerate(
        (
            (("A2", "wood", 2), ("A2", "craftsman_blue", 1), ("A4", "building_blue", 1)),
            (("pile_2", "tile", 3), ("storage", "clay", 2)),
            (("pile_1", "tile", 1), ("pile_2", "tile", 5)),
        )
    ):
        player.post(f"{game}/photographs/players/{number}/hand", {})
        for at, star, count in entered:
            sent = player.post(
                f"{game}/players/{number}/tracks/{at}", {"star": star, "count": count}
            )
            assert sent.status_code == 303, (at, star)
        pictures.add(player.get(f"{game}/board.png").data)
    assert "board.png" in player.get(f"{game}/about").text
    assert len(pictures) == 1, "the valley's, whatever lies on guild boards"
    wrong = player.post(f"{game}/players/0/tracks/A2", {"star": "tile", "count": 1})
    assert wrong.status_code == 422, "a meadow needs no tile"
    page = player.get(f"{game}/players/0/review").text
    assert 'href="#in-A2"' in page and 'id="in-A2"' in page and 'class="region ruins"' in page
    page = player.get(f"{game}/photographs").text
    assert "Swap Ana: Guild board and Eva: Guild board" in page and "Swap The valley" not in page
    player.post(f"{game}/photographs/done", {})
    for number in range(3):
        player.post(f"{game}/players/{number}/review", {})
    for seat, tokens, contracts, end in ((0, ["wood-4"], ["N1"], 1), (1, [], [], 0)):
        for step, answer in (("tokens", tokens), ("contracts", contracts), ("end_card", end)):
            sent = player.post(f"{game}/questions/{step}/{seat}", {"answer": answer})
            assert sent.status_code == 303, step
    assert "Ana wins" in player.get(f"{game}/score").text
    picture = cv2.imdecode(
        np.frombuffer(player.get(f"{game}/board.png").data, np.uint8), cv2.IMREAD_COLOR
    )
    terrain = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)[1]
    assert np.count_nonzero(terrain > 400) >= 5, "the sky, fog, meadows, forests and ruins"
    breakdown = player.get(f"{game}/score/0").text
    assert "4 resources in storage" in breakdown, "two clay, and the wood of her exploitation"
    assert "3 explorers shown" in breakdown
    for earned in ("A2", "A4"):
        assert f'data-light="{earned}"' in breakdown and f'data-space="{earned}"' in breakdown


def test_a_game_file_is_taken_over_on_its_side(app: Flask, player: Player) -> None:
    ruins = {**FILE["ruins"], "F6": [{"what": "site", "colour": colour} for colour in MANY]}
    data = {**FILE, "side": "beginners", "ruins": ruins}
    file = (io.BytesIO(yaml.safe_dump(data).encode()), "game.yaml")
    answer = player.post("/games/import", {"game": file})
    assert answer.status_code == 303, answer.text
    kept = document_of(app, "/".join(answer.headers["Location"].split("/")[:3]))
    assert [one["marker"] for one in kept["players"]] == ["blue", "red", "white"]
    assert kept["boards"][0]["regions"]["A2"] == {"craftsman_blue": 1, "wood": 2}
    assert kept["boards"][1]["regions"]["storage"] == {"clay": 2}
    assert kept["players"][1]["token_points"] == [1, 2] and kept["profile"] == "starter"
    assert not {"tokens-1", "contracts-1"} - {*kept["confirmed"]}
    game = "/".join(answer.headers["Location"].split("/")[:3])
    for page in ("photographs", "players/0/review", "score", "score/0", "live"):
        assert player.get(f"{game}/{page}").status_code == 200, page
    assert "4 sites and buildings on F6, which has room for 2" in player.get(f"{game}/score").text


def test_live_the_way_is_open_until_something_lies_on_it(app: Flask, player: Player) -> None:
    game = begun(player, live="yes")
    page = player.get(f"{game}/live").text
    assert "contract N" not in page and "progress appears here" in page, "no list of bare names"

    def seen(at: str, star: str, count: int) -> str:
        form = {"seat": 0, "space": at, "star": star, "count": count}
        assert player.post(f"{game}/live/star", form).status_code == 303
        page = player.get(f"{game}/live").text
        return page.split('<g class="ways"')[1].split("</g>")[0]

    seen("A6", "wood", 2)
    seen("A4", "site_blue", 1)
    assert "<polyline" not in seen("B6", "clay", 1), "A5 is fog"
    far = "No way leads to a building site from A6 and B6: 3 resources there"
    assert far in player.get(f"{game}/live").text
    assert seen("A5", "tile", 1).count("<polyline") == 4, "wood and clay, each with its edge"
    page = player.get(f"{game}/live").text
    assert 'class="count">' not in page, "nobody saw how many piles are empty"
    (asked,) = re.findall(r"Not seen yet: (.*)\. Show it", page)
    assert asked.count("Guild board") == page.count('id="total-')
    assert page.count("fifth building") == 1, "a guild board says nothing of the valley"
    assert (
        "No way leads" not in page
        and "another site may be placed" in page
        and 'class="explorable"' in page
    )
    why = page.partition("<summary>What may be explored, and why not</summary>")[2]
    assert "Everybody may explore what adjoins an open meadow: A1, B2" in why
    assert "Petrified forest takes both actions of a turn: A3, B3" in why
    assert "fifth building ends the game; most so far: 0" in page
    seen("F9", "building_red", 1)
    assert "fifth building ends the game; most so far: 1" in player.get(f"{game}/live").text
    seen("E3", "craftsman_red", 1)
    assert "The last resource of E3 is gone" in player.get(f"{game}/live").text

    guild = {"t": 0.0, "board": 4, "kind": "board_found"}
    app.extensions["stargazer live"].record(game.rsplit("/", 1)[1], "cam", [guild])
    page = player.get(f"{game}/live").text
    assert re.findall(r'class="count">(-?\d+)<', page) == ["8"], "four empty piles were seen"
    assert asked.partition(", ")[2] in page and asked not in page


@pytest.mark.parametrize(
    ("language", "question", "answers"),
    [
        ("en", "Meadow tiles on pile 2: how many?", ["5 meadow tiles", "1 meadow tile"]),
        (
            "es",
            "Baldosas de prado (pila 2): ¿cuántas piezas?",
            ["5 baldosas de prado", "1 baldosa de prado"],
        ),
        ("cs", "Dílky louky (hromádka 2): kolik?", ["5 dílků louky", "1 dílek louky"]),
    ],
)
def test_a_doubtful_pile_is_asked_about_by_its_number_of_tiles(
    app: Flask, language: str, question: str, answers: Sequence[str]
) -> None:
    player = Player(app.test_client(), **{"Accept-Language": language})
    game = begun(player, live="yes")
    guild = {"t": 0.0, "board": 4, "kind": "board_found"}
    storage = {
        "t": 0.0,
        "board": 4,
        "kind": "placed",
        "space": "storage",
        "star": "clay",
        "count": 1,
    }
    pile = {"kind": "doubtful", "space": "pile_2", "answers": [["5 tile"], ["1 tile"]]}
    events = [guild, storage, {"t": 0.0, "board": 4, **pile}]
    app.extensions["stargazer live"].record(game.rsplit("/", 1)[1], "cam", events)
    assert question in player.get(f"{game}/live").text
    player.post(f"{game}/live/finish")
    page = player.get(f"{game}/players/1/review").text
    assert question in page
    assert re.findall(r"</svg><span>(\d [^<]+)</span></button>", page) == answers


def test_several_doubtful_kinds_of_one_place_are_answered_together(
    app: Flask, player: Player
) -> None:
    game = begun(player, live="yes")
    seen = {"kind": "placed", "space": "A4", "star": "site_blue", "count": 1}
    ruin = {"kind": "doubtful", "space": "A4", "answers": [["1 site_blue"], ["1 clay"]]}
    events = [{"t": 0.0, "board": 0, **one} for one in ({"kind": "board_found"}, seen, ruin)]
    app.extensions["stargazer live"].record(game.rsplit("/", 1)[1], "cam", events)
    player.post(f"{game}/live/finish")
    page = player.get(f"{game}/players/0/review").text
    offered = r'type="radio" name="answer-\w+"\s+value="(\d \w+)" required( checked)?'
    values = ["0 site_blue", "1 site_blue", "0 clay", "1 clay"]
    assert re.findall(offered, page) == [(value, "") for value in values], "nobody has said so yet"
    count = f"{game}/players/0/tracks/A4"
    wrong = {"answer-site_blue": "1 site_blue", "answer-clay": "9999 clay"}
    for refused in (wrong, {"answer-site_blue": "0 site_blue"}, {"answer-clay": "1 clay"}, {}):
        assert player.post(count, refused).status_code == 422
    assert document_of(app, game)["boards"][0]["checked"] == []
    right = {"answer-site_blue": "0 site_blue", "answer-clay": "1 clay"}
    assert player.post(count, right).status_code == 303
    board = document_of(app, game)["boards"][0]
    assert board["regions"]["A4"] == {"clay": 1} and board["checked"] == ["A4"]
    page = player.get(f"{game}/players/0/review?ask=0").text
    checked = [value for value, mark in re.findall(offered, page) if mark]
    assert checked == ["0 site_blue", "1 clay"]
    player.post(f"{game}/players/0/review/undo", {})
    assert document_of(app, game)["boards"][0]["regions"]["A4"] == {"site_blue": 1}, "both at once"


def test_each_fog_says_who_may_explore_it_and_why() -> None:
    covered = {at: {"wood-1": 1} for at in STANDARD.valleys["standard"].of(MEADOW)}
    lying = {**covered, "A5": {"tile": 1}, "J1": {"clay": 1, "craftsman_red": 1}}
    reported = [str(one) for one in why_explorable(lying, "standard", ("blue", "red"))]
    assert reported[0] == "everybody may explore what adjoins an open meadow: B5"
    assert reported[1].endswith("(red): J2, K1, I1 and I2"), "blue has nothing in the valley"
    assert (
        reported[2].startswith("nobody may explore what adjoins neither") and " A1, " in reported[2]
    )
    assert reported[3] == "petrified forest takes both actions of a turn: I1 and I2"


def test_a_board_of_regions_is_entered_without_paints_and_drawn_anew_after_each_tap(
    player: Player,
) -> None:
    game = begun(player)
    player.post(f"{game}/photographs/players/0/hand", {})
    page = player.get(f"{game}/players/0/review").text
    assert "counted.js" in page and "hand.js" not in page and 'name="paint"' not in page
    assert "Tap a space and enter what is there." in page
    assert page.count('class="counted bare"') == 101, "none has anything to be shown for"
    form = {"star": "wood", "count": 1}
    answer = player.post(f"{game}/players/0/tracks/A2", form, headers={"X-Partial": "1"}).text
    assert answer.count('class="counted bare"') == 100 and "<html" not in answer
    revision = re.search(r'name="shown" form="step" value="(\d+)"', answer)
    undo = {"revision": revision[1]}
    answer = player.post(f"{game}/players/0/review/undo", undo, headers={"X-Partial": "1"}).text
    assert answer.count('class="counted bare"') == 101


def test_what_lies_face_down_is_its_owners_until_the_score(app: Flask) -> None:
    ana, luis = Player(app.test_client()), Player(app.test_client())
    game = begun(ana)
    for board in range(3):
        ana.post(f"{game}/photographs/players/{board}/hand", {})
    ana.post(f"{game}/photographs/done", {})
    for board in range(3):
        ana.post(f"{game}/players/{board}/review", {"empty": "yes"})
    for step, answer in (("tokens", ["wood-4"]), ("contracts", ["N1"]), ("end_card", 1)):
        ana.post(f"{game}/questions/{step}/0", {"answer": answer})
    file = f"{game}/share/game.yaml"
    for step in ("tokens", "contracts"):
        assert "checked" in ana.get(f"{game}/questions/{step}/0").text
        assert "checked" not in luis.get(f"{game}/questions/{step}/0").text
    assert "N1" not in luis.get(file).text and "wood-4" not in luis.get(file).text
    for step, answer in (("tokens", []), ("contracts", []), ("end_card", 0)):
        luis.post(f"{game}/questions/{step}/1", {"answer": answer})
    assert "N1" in luis.get(file).text, "the score is there: all is turned up"


def test_whether_one_has_the_end_card_is_a_tap_and_stars_of_faces_are_not_shown(
    player: Player,
) -> None:
    page = player.get(f"{begun(player)}/questions/end_card/0").text
    assert page.count('type="radio"') == 2 and 'type="number"' not in page
    assert "Stars of your own" not in player.get(f"{begun(player)}/photographs").text
    assert "my-boards/stars/standard" in player.get("/my-boards").text
    assert "my-boards/stars/via_nebula" not in player.get("/my-boards").text


def test_players_who_lay_out_tokens_at_once_are_given_different_ones() -> None:
    """There are three with each face: the fourth player's are told apart once others are saved."""
    found = LaidOut(("N1",), (("wood", 3), ("clay", 4)))
    given = [set(options_of(found, frozenset(), seat)) - {"N1", "clay-4"} for seat in range(3)]
    assert sorted(map(len, given)) == [1, 1, 1] and len(set().union(*given)) == 3
    twice = LaidOut((), (("wood", 3),) * 4)
    assert len([*options_of(twice, frozenset(given[0]), 1)]) == 2


def test_a_board_of_areas_is_copied_into_the_editor(player: Player) -> None:
    page = player.get("/my-boards").text
    assert "/my-boards/via_nebula/standard/copy" in page
    draft = player.post("/my-boards/via_nebula/standard/copy", {}).headers["Location"]
    state = player.get(f"{draft}/state").json
    assert state["layout"]["regions"].keys() == state["names"].keys() and not state["problems"]
    assert state["names"]["A4b"] != "A4b", "as players call it"
