"""Via Nebula on the pages: entered by hand, a file taken over, a guided game, followed live."""

import io
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import cv2
import numpy as np
import pytest
import yaml
from flask import Flask

from scorer.sentence import minus
from scorer.via_nebula.edition import MEADOW, STANDARD
from scorer.via_nebula.state import Build, Carry, Craftsman, Reveal, State
from scorer.via_nebula.turns import TURNS
from tests.scorer.test_via_nebula_contract import FILE
from tests.scorer.via_nebula_tables import site, table
from tests.webapp.conftest import Player, document_of
from tests.webapp.guided import drafted
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import KIND
from webapp.app.session.game_document import new_game
from webapp.games.via_nebula.laid_out import LaidOut, options_of
from webapp.games.via_nebula.views import standing, why_explorable
from webapp.web.guide_questions import Asked
from webapp.web.table_strip import card_of_market, explained, table_strip

MANY = ("blue", "red", "red", "white")
"""More on one ruin than there is room for: told, and counted as it lies (V75)."""


def begun(player: Player, **more: str) -> str:
    return player.new_game(
        "Ana", "Eva", mode="", markers=("blue", "red"), game="via_nebula", **more
    )


def test_boards_entered_by_taps_are_scored(app: Flask) -> None:
    player = Player(app.test_client())
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


def test_a_game_file_is_taken_over_on_its_side(app: Flask) -> None:
    player = Player(app.test_client())
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


def test_a_guided_game_on_the_beginners_side_ends_in_its_score(app: Flask) -> None:
    player, luck = Player(app.test_client()), random.Random(2)
    game = begun(player, guided="yes", profile="starter")
    answer = player.post(f"{game}/guide", {"draws": "program", "computers": "-,master"})
    assert answer.status_code == 303
    service = app.extensions["stargazer guide"]
    saved = app.extensions["stargazer"].games.open(game.split("/")[2])
    state, reported = service.history(saved).state, []
    assert state.side == "beginners" and [seat.colour for seat in state.seats] == ["blue", "red"]
    while not state.over:
        action = TURNS.drawn(state, luck) or luck.choice(TURNS.actions(state))
        reported.append((KIND, {"do": TURNS.write_action(action), "by": "tap"}))
        state = TURNS.after(state, action)
    app.extensions["stargazer live"].log.append(saved.id, reported)
    assert player.post(f"{game}/guide/finish", {}).status_code == 303
    kept = document_of(app, game)
    assert [one["tokens"] for one in kept["players"]] == [[*seat.tokens] for seat in state.seats]
    page = player.get(f"{game}/score").text
    for one in TURNS.score(state, ["Ana", "Eva"]).players:
        assert re.search(rf"{one.name}.*?\b{one.total}\b", page, re.DOTALL)


def test_a_guided_turn_is_tapped_on_the_valley_and_its_ways_are_drawn(app: Flask) -> None:
    page = Player(app.test_client()).get("/lessons/via_nebula/carry").text
    assert 'id="space-A4" role="button"' in page and 'data-tells="carry A6"' in page
    assert "<legend>What you do</legend>" in page and ">Carry wood from A6<" in page
    player = Player(app.test_client())
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    page = player.get(f"{game}/guide").text
    first, *_others, last = re.findall(r'class="option .*?</a>', page)
    assert "Place a craftsman" in first and "why?" not in first
    assert "Explore fog or forest <small>not now: why?</small>" in last and "refused" in last
    assert ">2 of 2 actions left</a></li>" in page.partition('id="question"')[0], (
        "above what is asked"
    )
    assert "The game ends with a player&#39;s fifth building" in page, "and how near that is"
    page = drafted(player, game, "craftsman")
    assert "Place a craftsman: where?" in page
    assert page.count('data-action="craftsman ') == 20, "every token, and no exploitation"
    assert page.count("aria-disabled") == 101 - 20, "and why not anywhere else"
    assert "where a ring is lit" in page
    page = drafted(player, game, "explore")
    assert "It cannot go anywhere now." in page and "where a ring is lit" not in page


def test_what_can_be_done_nowhere_says_why_instead_of_asking_where(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    state = table(tokens={"B1": "wood-3", "A2": "clay-1"}, ruins={"C3": (site("blue"),)})
    document = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}

    def refused(state: State) -> dict[str, str]:
        """The buttons that stand for what is not legal, with the reason."""
        choices = Asked(part, state).question(document).choices
        broken = {one.words: one.action and TURNS.illegal(state, one.action) for one in choices}
        return {words: str(one.reason) for words, one in broken.items() if one}

    def pictured(state: State) -> set[str]:
        """The contracts that buttons show by their pictures."""
        choices = Asked(part, state, "build").question(document).choices
        return {one.about for one in choices if one.template == "via_nebula/guide/_card.html"}

    with app.test_request_context("/lessons/via_nebula/carry"):
        stored = replace(state, pieces=replace(state.pieces, ruins={"C3": (site("blue", wood=2),)}))
        assert refused(stored) == {}, "each contract lacks something else"
        assert stored.open and {*stored.open} <= pictured(stored)
        few = "a contract needs at least 2 resources on one site"
        for hidden in (state, TURNS.seen_by(state, None)):
            assert refused(hidden) == {"Erect a building": few}, "whichever contracts are held"
        assert refused(state.with_seat(0, craftsmen=0, sites=0, buildings=0)) == {
            "Place a craftsman": "there is no craftsman left on your guild board",
            "Place a building site": "there is no building site left on your guild board",
            "Erect a building": "there is no building left on your guild board",
        }


def test_what_is_carried_from_where_is_named_and_pictured(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    state = table(
        tokens={},
        exploitations={"A2": ("wood", 2), "B1": ("clay", 1)},
        ruins={"A4": (site("blue"),), "C3": (site("blue"),)},
    )
    document = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}
    with app.test_request_context("/lessons/via_nebula/carry"):
        asked = Asked(part, state, "carry").question(document)
        assert asked.words == "Carry a resource: choose"
        assert [(one.words, one.piece) for one in asked.choices[:2]] == [
            ("carry wood from A2", "wood"),
            ("carry clay from B1", "clay"),
        ]


def test_what_can_be_carried_to_one_site_alone_is_one_tap(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    lie = {"A6": ("wood", 2), "B1": ("clay", 1)}
    document = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}

    def carried(*sites: str) -> dict[str, object]:
        state = table(
            tokens={},
            exploitations=lie,
            ruins={at: (site("blue"),) * sites.count(at) for at in sites},
            tiles="A5 B5",
        )
        choices = Asked(part, state, "carry").question(document).choices
        return {one.words: one.action for one in choices if one.piece}

    with app.test_request_context("/lessons/via_nebula/carry"):
        one, clay = carried("A4", "K4").items()
        assert one == ("carry wood from A6 to A4", Carry("A6", "A4"))
        assert clay == ("carry clay from B1", None), "asked on the board, which says why not"
        assert ("carry wood from A6", None) in carried("A4", "A4").items()
        assert carried("A4") == {one[0]: one[1], "carry clay from B1 to A4": Carry("B1", "A4")}


def test_a_contract_is_named_by_what_it_needs_wherever_it_lies(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    state = table(tokens={}, ruins={"A4": (site("blue"),)})
    with app.test_request_context("/lessons/via_nebula/end"):
        names = [card_of_market(part, one).name for one in ("N8", "X1")]
        broken = TURNS.illegal(state, Build("A4", "N8"))
    assert names == ["clay and wheat contract", "wood, stone and stone contract"]
    assert TURNS.format_event(Reveal("X1"), "") == "the wood, stone and stone contract is turned up"
    assert broken is not None and "N8" not in broken.reason


def test_a_power_asks_for_what_it_does(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    state = replace(table(tokens={}, exploitations={"A6": ("wood", 2)}), power="explore")
    document = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}
    with app.test_request_context("/lessons/via_nebula/build"):
        assert Asked(part, state).question(document).words == (
            "Power of the contract: explore fog, where?"
        )


def test_what_fewer_players_change_is_said_where_it_matters(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    document = {"players": [{"name": name} for name in ("Ana", "Eva", "Iva", "Leo")]}

    def hint(players: int, draft: str) -> str:
        state = table(players, tokens={"A2": "wood-1", "B1": "clay-1"})
        return Asked(part, state, draft).question(document).hint

    with app.test_request_context("/lessons/via_nebula/build"):
        for players, whole, fewer in [(2, True, True), (3, False, True), (4, False, False)]:
            assert ("the whole ruin" in hint(players, "site")) is whole
            assert ("one fewer than is printed" in hint(players, "craftsman")) is fewer
        for players, gives in [(2, "×2 also gives 1 point. ×3"), (4, "×3 also gives 1 point. ×4")]:
            assert f"{gives} also gives 2 points." in hint(players, "craftsman")
        second = replace(table(2, tokens={}), left=1)
        for state, is_said in [(second, True), (table(2, tokens={}), False)]:
            asked = Asked(part, state, "explore").question(document)
            assert ("Forest takes both actions" in asked.hint) is is_said
        for players, other in [(2, "site A4"), (3, "site A4b")]:
            asked = Asked(part, table(players, tokens={}), "site").question(document)
            tapped = {str(at): part.turns.write_action(one) for at, one in asked.places.items()}
            assert (tapped["A4"], tapped["A4b"]) == ("site A4", other)
        nowhere = table(2, tokens={"A2": "wood-1"}).with_seat(0, craftsmen=0)
        asked = Asked(part, nowhere, "craftsman").question(document)
        assert "a ring is lit" not in asked.hint, "it can go nowhere"


def test_a_turn_says_what_is_left_of_it() -> None:
    def said(**changes: object) -> list[str]:
        return [str(one) for _term, one in standing(replace(table(2, tokens={}), **changes))]

    assert said(left=1)[0] == "1 of 2 actions left"
    assert said(left=0, power="explore", ender=0) == [
        "the contract's power is left",
        "then everybody else has one last turn",
    ]
    assert said(ender=1)[1] == "the last turn"


def test_a_private_contract_that_was_fulfilled_is_a_picture_that_explains_itself(
    app: Flask,
) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    with app.test_request_context("/lessons/via_nebula/end"):
        state = table(2, tokens={}).with_seat(0, contracts=("X1",))
        seats = [("Ana", "blue"), ("Eva", "black")]
        document = new_game(seats, part.pages.first_mode, "via_nebula")
        held = [one for row in table_strip(part, state, document, 0)[0].rows for one in row.held]
        (own,) = [one for one in held if one.objective.startswith("X")]
        assert own.picture is not None
        assert own.name == "wood, stone and stone contract"
        rule = "needs wood, stone, stone; 7 points"
        assert explained(part, document, "X1") == (own.name, rule)
        assert explained(part, document, "") is None


def test_the_fifth_building_is_told_to_bring_the_last_turns(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    state, document = table(tokens={}), {"players": [{"name": "Ana"}, {"name": "Eva"}]}
    last = replace(state, ender=1)
    with app.test_request_context("/lessons/via_nebula/end"):
        said = part.describe(state, Build("A4", "N1"), last, document)
    assert said == (
        "Eva erects a building on A4 for the wood and stone contract. "
        "It is the fifth: everybody else has one last turn."
    )
    assert part.describe(last, Build("A4", "N1"), last, document) is None


def test_the_event_of_a_craftsman_counts_the_resources_that_it_brings(app: Flask) -> None:
    part = pages_of("via_nebula").guided
    assert part is not None
    document = {"players": [{"name": "Ana"}, {"name": "Eva"}]}
    for left, lie in ((1, "1 wood"), (0, None)):
        supply = {"wood": STANDARD.supply - left}
        state = table(2, tokens={"B1": "wood-3"}).with_seat(1, storage=supply)
        after = TURNS.after(state, Craftsman("B1"))
        with app.test_request_context("/lessons/via_nebula/end"):
            said = part.describe(state, Craftsman("B1"), after, document)
        assert said is None if lie is None else lie in str(said)


def test_live_the_way_is_open_until_something_lies_on_it(app: Flask) -> None:
    player = Player(app.test_client())
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
    assert "fifth building; the most so far: 0" in page
    seen("F9", "building_red", 1)
    assert "fifth building; the most so far: 1" in player.get(f"{game}/live").text
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


def test_several_doubtful_kinds_of_one_place_are_answered_together(app: Flask) -> None:
    player = Player(app.test_client())
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
    app: Flask,
) -> None:
    player = Player(app.test_client())
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
    assert revision is not None
    undo = {"revision": revision[1]}
    answer = player.post(f"{game}/players/0/review/undo", undo, headers={"X-Partial": "1"}).text
    assert answer.count('class="counted bare"') == 101


def test_whoever_plays_against_the_computer_alone_has_cards_and_hints_at_once(app: Flask) -> None:
    player, guest = Player(app.test_client()), Player(app.test_client())
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,master"})
    assert 'id="hold-0"' in player.get(f"{game}/guide").text
    assert "Try this" in drafted(player, game, "&hint=3")
    assert 'id="hold-0"' not in guest.get(f"{game}/guide").text
    together = begun(player, guided="yes")
    player.post(f"{together}/guide", {"draws": "program", "computers": "-,-"})
    assert 'id="hold-0"' not in player.get(f"{together}/guide").text, "a phone that goes around"


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
    app: Flask,
) -> None:
    player = Player(app.test_client())
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


def test_a_board_of_areas_is_copied_into_the_editor(app: Flask) -> None:
    player = Player(app.test_client())
    page = player.get("/my-boards").text
    assert "/my-boards/via_nebula/standard/copy" in page
    draft = player.post("/my-boards/via_nebula/standard/copy", {}).headers["Location"]
    state = player.get(f"{draft}/state").json
    assert state["layout"]["regions"].keys() == state["names"].keys() and not state["problems"]
    assert state["names"]["A4b"] != "A4b", "as players call it"


def test_what_happened_says_what_it_did_to_the_points(app: Flask) -> None:
    player = Player(app.test_client())
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    service, games = app.extensions["stargazer guide"], app.extensions["stargazer"].games
    assert "points in view:" not in player.get(f"{game}/guide").text, "nothing has changed them"
    total = 0
    for _turn in range(2):
        history = service.history(games.open(game.split("/")[2]))
        state, before = history.state, total
        at, token = next(iter(state.pieces.tokens.items()))
        player.post(f"{game}/guide/do", {"move": f"craftsman {at}", "seen": history.number})
        points, brought = state.edition.tokens[token].points, state.worth(token)
        total += points - brought
        page = " ".join(unescape(player.get(f"{game}/guide").text).split())
        by = f"(Exploitations +{points}, Storage −{brought})"
        assert f"Ana’s points in view: {minus(before)} → {minus(total)} {by}" in page
        assert f"sends a craftsman to {at}: {brought} " in page, "and what lies there now"
    left = next(iter(state.pieces.tokens.values()))
    assert f">×{state.worth(left)}<" in page, "as on the token"
