"""Boards of two kinds are followed live by one camera, each as what it is."""

import json
import re

import numpy as np

from calibration import load_profile
from scorer.places import Place, counted
from scorer.registry import find_game
from tests.conftest import in_ci
from tests.films.film import Film, HandStep, Script
from tests.games.orchard_table import BASKET, PIECES, PROFILES, Orchard, changes, frames, shown
from tests.webapp.guided import Guided
from tests.webapp.live.test_pages import changes as news
from vision.live import ModelFrameReader
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction

FRUIT = ("plum", "pear", "quince")


@in_ci
def test_a_move_on_each_kind_of_board_is_seen_once(orchard: "Orchard") -> None:
    worker = VisionFrameWorker(PROFILES, None)
    lane = HandStep(Place("g5-g6", "edge"), "put", "blue")
    fruit = HandStep(Place("basket", "region"), "put", "quince")
    told = shown(worker, frames(0.0, (0, lane), (1, fruit)))
    found = {event["board"] for event in told if event["kind"] == "board_found"}
    assert found == {0, BASKET}
    assert worker.recognised() == PROFILES[0]
    assert changes(told, 2.0) == [
        (0, "placed", "g5-g6", "blue", None),
        (BASKET, "placed", "basket", "quince", 1),
    ]
    assert {board["board"] for board in worker.boards()} == {0, BASKET}
    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear"]}))
    again = VisionFrameWorker(PROFILES, json.loads(json.dumps(worker.memory())))
    assert '"basket": ["pear"]' in json.dumps(again.memory())

    orchard.service.record(orchard.id, "cam", told)
    fields, ana, eva = orchard.boards()
    assert fields[Place("g5-g6", "edge")] == "blue"
    assert counted(ana, "basket") == {"plum": 1, "pear": 1, "quince": 1} and not eva
    page = orchard.page()
    assert "Not seen yet: Eva: Basket." in page and "Not seen yet: Ana" not in page


def test_a_second_board_is_found_once_the_first_one_is_known() -> None:
    """Of a kind that no finder knows: the features of the whole picture tell where it lies."""
    (basket, *_) = Film(
        Script((PIECES[1],), (), 0.2), load_profile(PROFILES[1]), 1, (800, 540)
    ).frames()
    reader = ModelFrameReader(load_profile(PROFILES[1]))
    (left,) = reader.locate(basket)
    (right,) = reader.locate(np.hstack([basket, basket]), [left])
    assert np.abs(right[0, 2] - left[0, 2] - 800) < 2


def counts(page: str) -> list[tuple[str, str]]:
    """The points that a page shows, and who has done what of the objective."""
    return re.findall(r'class="count">(-?\d+)<|id="(progress-mixed-\d)"', page)


def test_a_board_is_seen_though_nothing_lies_on_it(orchard: Orchard) -> None:
    """One out of view is asked for, and no player has a score that takes it to be empty."""
    assert "Not seen yet" not in orchard.page(), "nothing was seen: there is no camera yet"
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    assert "Not seen yet: Fields, Eva: Basket." in orchard.page()
    assert counts(orchard.page()) == [], "the fields are everybody's"
    orchard.see(kind="placed", space="w1", star="plum", count=1)
    page = orchard.page()
    assert "Not seen yet: Eva: Basket." in page
    assert '<g class="held"' in page, "what was seen is shown"
    assert counts(page) == [("1", ""), ("", "progress-mixed-0")]
    for number in (0, BASKET + 1, BASKET + 1):
        orchard.see(board=number, kind="board_found")
    page = orchard.page()
    assert "Not seen yet" not in page and len(counts(page)) == 4
    first = orchard.service.log.entries(orchard.id)[0].number
    assert counts(orchard.page(f"?at={first}")) == [], "the fields were seen later"
    assert sum(told.startswith("board_found") for told in orchard.seen_events()) == 1


def test_nobody_has_met_an_objective_on_a_board_that_was_not_seen(orchard: Orchard) -> None:
    """It is announced once somebody saw the fields as well."""
    kinds = [{"kind": "placed", "space": "basket", "star": f, "count": 1} for f in FRUIT]
    for fruit in kinds:
        orchard.see(board=BASKET, **fruit)
    assert "★" not in orchard.page()
    orchard.see(kind="board_found")
    said = [[one["say"] for one in told["data"]["alerts"]] for told in news(orchard, 4)]
    assert said == [[], [], [], ["Ana completes Mixed basket"]]
    for fruit in kinds:
        orchard.see(board=BASKET + 1, **fruit)
    assert orchard.page().count("★") == 1


def test_what_was_first_seen_at_once_is_kept_of_every_kind(orchard: Orchard) -> None:
    held = (("plum", 1), ("plum", 2), ("pear", 1))
    at = {"t": 0.0, "board": BASKET, "kind": "placed", "space": "basket"}
    orchard.service.record(orchard.id, "cam", [{**at, "star": s, "count": n} for s, n in held])
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}


def test_a_basket_is_somebodys_and_no_field(orchard: Orchard) -> None:
    for number, piece in ((0, "plum"), (BASKET, "pear"), (BASKET + 1, "plum")):
        place = "w1" if number == 0 else "basket"
        orchard.see(board=number, kind="placed", space=place, star=piece, count=2)
    cameras = orchard.player.get(f"{orchard.game}/live/cameras").text
    assert "Basket 2" in cameras
    assert orchard.tap("boards", source="cam", board=BASKET, seat=0) == 422
    assert orchard.tap("boards", source="cam", board=BASKET, seat=2) == 204
    _fields, ana, eva = orchard.boards()
    assert (counted(ana, "basket"), counted(eva, "basket")) == ({"plum": 2}, {"pear": 2})
    assert "Eva: " in orchard.page()
    assert orchard.tap("star", seat=2, space="basket", star="quince", count=1) == 204
    assert counted(orchard.boards()[2], "basket") == {"pear": 2, "quince": 1}
    assert orchard.tap("star", seat=2, space="w1", star="quince", count=1) == 422
    orchard.see(board=BASKET + 2, kind="placed", space="basket", star="plum", count=1)
    assert "A camera sees another board" in orchard.page()


def test_what_a_player_did_follows_from_their_own_board(orchard: Orchard) -> None:
    answer = orchard.player.post(f"{orchard.game}/guide", {"draws": "program", "computers": "-,-"})
    assert answer.status_code == 303, answer.text
    guided, turns = Guided.of(orchard.app, orchard.id), find_game("orchard").turns
    before = guided.history.state
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    moves = [turns.write_action(one.action) for one in guided.history.moments if one.by == "camera"]
    assert moves == [f"pick pear {before.die}"]
    fields, ana, _eva = orchard.boards()
    assert counted(ana, "basket") == {"pear": 1}
    assert counted(fields, before.die) == {"plum": 1, "quince": 1}
    orchard.see(board=0, kind="removed", space=before.die, star="pear", count=0)
    assert len([one for one in guided.history.moments if one.by == "camera"]) == 1
