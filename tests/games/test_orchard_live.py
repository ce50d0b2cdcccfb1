"""Boards of two kinds are followed live by one camera, each as what it is."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import load_profile
from models.synthesis.film import Film, HandStep, Script, Visit
from scorer.places import Place, counted, in_region
from scorer.registry import find_game
from tests.webapp.guided import Guided
from tests.webapp.live.conftest import Table
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from tests.webapp.live.test_pages import changes as news
from vision.live import ModelFrameReader
from vision.observer import BoardObserver
from vision.region_chances import RegionCount
from webapp.app.live import recording
from webapp.app.live.entry import changes_a_board
from webapp.app.live.reducer import LiveTable
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction
from webapp.app.session.board_slots import with_owner
from webapp.app.session.document_check import is_readable
from webapp.app.session.game_document import pieces_of
from webapp.app.settings import Settings
from webapp.web.application import create_app

PROFILES = ("orchard/standard", "orchard/standard-basket")
LYING = (
    {**in_region("w1", {"plum": 2}), Place("g1-g2", "edge"): "red"},
    in_region("basket", {"plum": 1, "pear": 1}),
)
FRUIT = ("plum", "pear", "quince")
COUNT = BoardObserver.count
LATE_ANSWER = 8.2
"""Seconds after which the second hand of a film has left, and what it laid is not yet read."""
BASKET = 4
"""The number of the first board of the second kind."""
FPS = 5
Event = Mapping[str, Any]


def frames(seconds: float = 3.0, *steps: tuple[int, HandStep]) -> Iterator[bytes]:
    """A table with both boards side by side; a hand comes to one of them every four seconds."""
    length = max(seconds, 2.0 + 4.0 * len(steps))
    visits = [(board, Visit(2.0 + 4.0 * n, (step,))) for n, (board, step) in enumerate(steps)]
    films = [
        Film(
            Script((lying,), tuple(v for at, v in visits if at == board), length),
            load_profile(name),
            1,
            (640, 432),
            FPS,
        )
        for board, (name, lying) in enumerate(zip(PROFILES, LYING, strict=True))
    ]
    for pictures in zip(*(film.frames() for film in films), strict=True):
        jpeg = cv2.imencode(".jpg", np.hstack(pictures), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        yield jpeg.tobytes()


def shown(worker: VisionFrameWorker, film: Iterator[bytes], begin: float = 0.0) -> list[Event]:
    """What a worker tells of a film."""
    return [
        event
        for number, jpeg in enumerate(film)
        for event in worker.process(jpeg, begin + number / FPS)
    ]


def changes(events: Sequence[Event], after: float = 0.0) -> list[tuple[Any, ...]]:
    """Whose board what changed on."""
    return [
        (event["board"], event["kind"], event["space"], event["star"], event.get("count"))
        for event in events
        if changes_a_board(event) and event["t"] > after
    ]


class Orchard(Table):
    """Two players at the toy, with boards of two kinds."""

    def _new_game(self) -> str:
        return self.player.new_game("Ana", "Eva", markers=("red", "blue"))

    @property
    def document(self) -> Mapping[str, Any]:
        """The game as it is."""
        found: Mapping[str, Any] = self.app.extensions["stargazer"].games.open(self.id).document
        return found

    @property
    def live_table(self) -> LiveTable:
        """The table as it is."""
        return self.service.table(self.app.extensions["stargazer"].games.open(self.id))

    def asked(self) -> Mapping[str, Any]:
        """The fields by which a page says what it answers about Ana's basket."""
        entry = self.live_table.doubts[1, "basket"].entry
        return {"seat": 1, "region": "basket", "entry": entry}

    def boards(self) -> list[dict[Place, str]]:
        """What lies on each board."""
        return [dict(position.pieces) for position in self.live_table.positions]


@pytest.fixture
def orchard(tmp_path: Path) -> Iterator[Orchard]:
    settings = Settings(tmp_path / "data", rate_limits=False, profile="orchard/standard")
    app = create_app(settings, lambda *_: None, FakeFrameWorker)  # type: ignore[arg-type]
    yield Orchard(app)
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()


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
        Script((LYING[1],), (), 0.2), load_profile(PROFILES[1]), 1, (800, 540)
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


def doubtful(orchard: Orchard, *answers: list[str]) -> None:
    """Let a camera ask what is in Ana's basket."""
    orchard.see(board=BASKET, kind="doubtful", space="basket", answers=[*answers])


def test_a_doubtful_count_is_asked_for_and_one_tap_answers(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then nothing of it counts; the camera hears the answer, also where it is as known."""
    corrections: list[Correction] = []
    monkeypatch.setattr(
        orchard.service.workers, "correct", lambda *told: corrections.append(told[-1])
    )
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    page = orchard.page()
    assert "Plum on basket: how many?" in page and 'class="flag ask"' in page
    assert re.findall(r'name="held" value="([^"]*)"', page) == [
        "1 pear",
        *(f"1 pear,{n} plum" for n in range(1, 5)),
    ]
    (others,) = re.findall(r'<select name="kind".*?</select>', page)
    assert re.findall(r'value="(\w*)"', others) == ["", "quince"], "something else"
    assert counted(orchard.boards()[1], "basket") == {"pear": 1}, "nobody has said it yet"
    close_up = f"{orchard.game}/live/cameras/close-up?seat=1&region=basket"
    assert orchard.player.get(close_up).status_code == 404 and "close-up" not in page
    orchard.service.close_ups[orchard.id, "cam", BASKET, "basket"] = b"jpeg"
    assert orchard.player.get(close_up).data == b"jpeg" and "close-up" in orchard.page()
    assert "is empty now" not in page and "doubtful" not in orchard.page().split("time-line")[1]

    assert orchard.tap("regions", **orchard.asked(), held="2 plum,1 pear") == 204
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert "how many?" not in orchard.page() and 'class="flag ask"' not in orchard.page()
    assert orchard.player.get(close_up).status_code == 404
    assert [one.regions for one in corrections] == [{"basket": ["pear", "plum", "plum"]}]

    assert "Ana: basket: 2 × plum, 1 × pear" in orchard.page()

    doubtful(orchard, ["2 plum", "1 pear"], ["2 plum"])
    assert orchard.tap("regions", **orchard.asked(), held="1 pear,2 plum") == 204
    assert "how many?" not in orchard.page()
    assert len(corrections) == 2, "it is as it was known, and the camera asks no more"


def test_what_several_kinds_may_be_is_asked_as_a_whole(orchard: Orchard) -> None:
    doubtful(orchard, ["1 plum"], ["1 quince"], [])
    page = orchard.page()
    assert "What is on basket?" in page and "Nothing" in page
    fields = {"kind": ["plum", "quince", "pear"], "count": ["0", "2", "1"]}
    asked = orchard.asked()
    for wrong in ("99 plum", "x plum", "1 nothing", "\u0663 plum", "2 plum,1 plum"):
        assert orchard.tap("regions", **asked, held=wrong) == 422
    assert orchard.tap("regions", **{**asked, "region": "w1"}, held="") == 422
    assert orchard.tap("regions", **asked) == 422, "that says nothing, not that nothing is there"
    for counts in (["1"], ["1", ""], ["1", "0"]):
        kinds = ["plum", "plum" if counts[1:] == ["0"] else "pear"]
        assert orchard.tap("regions", **asked, kind=kinds, count=counts) == 422
    assert orchard.tap("regions", **asked, **fields) == 204
    assert counted(orchard.boards()[1], "basket") == {"quince": 2, "pear": 1}
    doubtful(orchard, ["1 plum"], [])
    orchard.see(board=BASKET, kind="settled", space="basket")
    assert "on basket" not in orchard.page(), "the camera sees it well now"
    assert counted(orchard.boards()[1], "basket") == {"quince": 2, "pear": 1}


def test_a_late_answer_overwrites_nothing(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["1 plum"])
    asked = orchard.asked()
    first = {**asked, "held": "2 plum", "tap": "0" * 32}
    assert orchard.tap("regions", **first) == 204
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    assert orchard.tap("regions", **asked, held="1 plum") == 409
    assert orchard.tap("regions", **first) == 204, "delivered again, as no answer came"
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    assert orchard.tap("regions", **asked, held="1 plum") == 409, "that was asked before"
    before = orchard.asked()
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    assert orchard.tap("regions", **before, held="1 plum") == 409, "a hand was there meanwhile"
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert f'name="entry" value="{orchard.asked()["entry"]}"' in orchard.page()


@pytest.mark.parametrize("known", [(), ("plum", "plum", "pear")])
def test_an_answer_is_taken_back_as_a_whole(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch, known: Sequence[str]
) -> None:
    """The region is asked about again; a camera hears no answer, but to look anew."""
    told: list[Correction] = []
    monkeypatch.setattr(orchard.service.workers, "correct", lambda *one: told.append(one[-1]))
    for kind in dict.fromkeys(known):
        held = {"space": "basket", "star": kind, "count": known.count(kind)}
        orchard.see(board=BASKET, kind="placed", **held)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 plum"])
    asked = orchard.asked()
    assert orchard.tap("regions", **asked, held="2 plum,1 pear") == 204
    assert len(told) == 1 and not orchard.live_table.doubts
    answer = orchard.live_table.number
    assert orchard.tap(f"entries/{answer}", what="instead", space="w1") == 422
    assert f'data-correct="{orchard.game}/live/entries/{answer}"' in orchard.page()
    assert orchard.tap(f"entries/{answer}", what="nothing") == 204
    assert counted(orchard.boards()[1], "basket") == Counter(known)
    assert orchard.asked() == asked and len(told) == 2
    assert not told[-1].regions and told[-1].reopened == {"basket": sorted(known)}
    assert orchard.tap(f"entries/{answer}", what="again") == 204
    assert counted(orchard.boards()[1], "basket") == {"plum": 2, "pear": 1}
    assert told[-1].regions == {"basket": ["pear", "plum", "plum"]}


def test_to_count_one_kind_answers_for_no_other(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Correction] = []
    monkeypatch.setattr(orchard.service.workers, "correct", lambda *one: told.append(one[-1]))

    def left() -> Sequence[set[str]]:
        return [{*one} for one in orchard.live_table.doubts[1, "basket"].answers]

    doubtful(orchard, ["2 plum"], ["1 plum"])
    orchard.see(board=BASKET, kind="placed", space="basket", star="quince", count=1)
    assert left() == [{"2 plum", "1 quince"}, {"1 plum", "1 quince"}]
    orchard.see(board=BASKET, kind="removed", space="basket", star="quince", count=0)
    doubtful(orchard, ["2 plum"], ["2 plum", "1 pear"], ["1 plum", "1 pear"])
    asked = orchard.asked()
    by_hand = {"seat": 1, "space": "basket", "star": "plum"}
    assert orchard.tap("star", **by_hand, count=2) == 204
    assert left() == [{"2 plum"}, {"2 plum", "1 pear"}] and not told
    assert orchard.tap("regions", **asked, held="1 plum,1 pear") == 409, "plums were counted"
    assert orchard.tap("star", **by_hand, count=3) == 204
    assert left() == [{"3 plum"}, {"3 plum", "1 pear"}] and not told
    assert orchard.tap("star", seat=1, space="basket", star="pear", count=1) == 204
    assert not orchard.live_table.doubts
    assert [one.regions for one in told] == [{"basket": ["pear", *["plum"] * 3]}]


def test_what_cannot_be_is_no_answer_and_stops_no_question(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["99 plum"], ["1 nothing"], ["1 plum"])
    assert orchard.live_table.doubts[1, "basket"].answers == (("2 plum",), ("1 plum",))
    answers = [["99 plum"], ["1 plum"], ["2 plum"]]
    event = {"kind": "doubtful", "board": BASKET, "space": "basket", "answers": answers, "t": 0.0}
    orchard.service.log.append(orchard.id, [("seen", {"source": "cam", "event": event})])
    assert "Plum on basket: how many?" in orchard.page(), "it was written before the pieces changed"


def test_a_kind_that_is_not_in_play_is_no_answer(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it is known to lie there."""
    in_play = {"plum": "plum", "pear": "pear"}
    monkeypatch.setattr(type(find_game("orchard")), "piece_roles", lambda *_: in_play)
    doubtful(orchard, ["1 plum"], ["1 quince"], ["1 pear", "1 plum"])
    question = orchard.page().split('id="doubt-1-basket"')[1].split("</details>")[0]
    assert 'value="1 plum,1 pear"' in question and "quince" not in question
    assert orchard.tap("regions", **orchard.asked(), held="1 quince") == 422
    orchard.see(board=BASKET, kind="placed", space="basket", star="quince", count=1)
    assert orchard.tap("regions", **orchard.asked(), held="1 quince") == 204


def test_a_recording_has_what_was_doubtful(orchard: Orchard) -> None:
    doubtful(orchard, ["2 plum"], ["1 plum"])
    orchard.see(board=BASKET, kind="settled", space="basket")
    text = recording.write(orchard.service.log.entries(orchard.id))
    events = recording.read(text, *map(load_profile, PROFILES)).events
    assert [event["kind"] for event in events] == ["doubtful", "settled"]


def test_whoever_scores_is_told_what_was_not_answered(orchard: Orchard) -> None:
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    doubtful(orchard, ["2 plum", "1 pear"], ["1 pear"])
    answer = orchard.player.post(f"{orchard.game}/live/finish")
    assert answer.status_code == 303
    page = orchard.player.get(answer.headers["Location"]).text
    assert "The camera could not count what is on basket (Ana: Basket). Check it." in page
    page = orchard.player.get(f"{orchard.game}/players/1/review").text
    assert "What is on basket?" in page and 'data-doubts="basket"' in page
    assert re.findall(r'name="answer" value="([^"]*)"', page) == ["2 plum", "0 plum"]
    source = orchard.document["boards"][1]["board"]
    assert source["doubtful"] == {"basket": ["2 plum", "0 plum"]}
    for counts, is_right in ((["1 plum"], True), (["2 nothing"], False), (["x plum"], False)):
        board = {**source, "doubtful": {"basket": counts}}
        assert is_readable(with_owner(orchard.document, 1, board=board)) == is_right
    basket = f"{orchard.game}/players/1/tracks/basket"
    assert orchard.player.post(basket, {"answer": "2 plum"}).status_code == 303
    page = orchard.player.get(f"{orchard.game}/players/1/review").text
    assert 'data-doubts=""' in page
    lying = pieces_of(orchard.document, 1, load_profile(PROFILES[1]).board)
    assert counted(lying, "basket") == {"plum": 2, "pear": 1}


def test_a_board_that_was_not_taken_over_is_not_checked(orchard: Orchard) -> None:
    """Nothing is known of Eva's basket but that it is doubtful: it is photographed, or entered."""
    orchard.see(board=BASKET, kind="placed", space="basket", star="pear", count=1)
    orchard.see(board=BASKET + 1, kind="doubtful", space="basket", answers=[["1 plum"], []])
    answer = orchard.player.post(f"{orchard.game}/live/finish")
    page = orchard.player.get(answer.headers["Location"]).text
    assert "could not count" not in page and "Not seen on the table" in page


def count_plums(monkeypatch: pytest.MonkeyPatch, *chances: float, hidden: bool = False) -> None:
    """Let a basket look as if it held none, one, two plums with these probabilities."""

    def blurred(self: BoardObserver, *seen: Any) -> dict[Place, RegionCount]:
        found = COUNT(self, *seen)
        for region, own in found.items():
            if region.id == "basket":
                plums = {**own.chances, "plum": np.array(chances)}
                found[region] = RegionCount(plums, hidden)
        return found

    monkeypatch.setattr(BoardObserver, "count", blurred)


def about_basket(events: Sequence[Event]) -> list[Event]:
    """What is asked or told of it."""
    return [event for event in events if event.get("space") == "basket"]


def memory_of_basket(worker: VisionFrameWorker) -> Mapping[str, Any]:
    """What it keeps of the board."""
    (kept,) = worker.memory()["kinds"].values()
    (board,) = kept["boards"]
    return dict(board)


def test_a_count_that_is_not_sure_is_asked_once_and_carried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the reader takes the plums for says nothing; what comes beside them is told."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker = VisionFrameWorker(PROFILES, None)
    told = shown(worker, frames())
    (asked,) = [event for event in told if event["kind"] == "doubtful"]
    assert (asked["board"], asked["space"]) == (BASKET, "basket")
    assert asked["answers"] == [["1 pear", "1 plum"], ["1 pear"]]
    assert not [one for one in changes(told) if one[0] == BASKET]
    assert worker.close_up(BASKET, "basket") and not worker.close_up(BASKET, "w1")

    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum", "plum"]}))
    fruit = HandStep(Place("basket", "region"), "put", "quince")
    told = shown(worker, frames(0.0, (1, fruit)), 4.0)
    assert changes(told) == [(BASKET, "placed", "basket", "quince", 1)]
    assert "doubtful" not in {event["kind"] for event in told}
    assert '["pear", "plum", "plum", "quince"]' in json.dumps(worker.memory())


@cache
def still() -> Sequence[bytes]:
    """A table that nobody comes near."""
    return [*frames()]


@pytest.mark.parametrize(
    ("chances", "answer", "seen"),
    [((0.45, 0.55), ["pear", "plum", "plum"], 0), ((0.0, 0.12, 0.88), ["pear", "plum"], 6)],
    ids=["not seen since", "seen since"],
)
def test_an_answer_outlives_a_restart(
    monkeypatch: pytest.MonkeyPatch, chances: tuple[float, ...], answer: list[str], seen: int
) -> None:
    """It is neither asked about again nor overruled, also where a camera is told it once more."""
    count_plums(monkeypatch, *chances)
    worker = VisionFrameWorker(PROFILES, None)
    assert [event["kind"] for event in about_basket(shown(worker, iter(still())))] == ["doubtful"]
    worker.correct(Correction(BASKET, {}, {}, {"basket": answer}))
    assert about_basket(shown(worker, iter(still()[:seen]), 4.0)) == []
    assert ("basket" in json.dumps(memory_of_basket(worker)["looks"])) == bool(seen)
    again = VisionFrameWorker(PROFILES, json.loads(json.dumps(worker.memory())))
    again.correct(Correction(BASKET, {}, {}, {"basket": answer}))
    assert about_basket(shown(again, iter(still()), 20.0)) == []


def test_what_is_laid_between_a_question_and_its_answer_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The question comes anew; an answer that comes before it is not taken for what lies there."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker, told = VisionFrameWorker(PROFILES, None), list[Event]()
    shown(worker, iter(still()))
    steps = [(1, HandStep(Place("basket", "region"), "put", kind)) for kind in ("quince", "pear")]
    for number, frame in enumerate(frames(0.0, *steps)):
        if number == LATE_ANSWER * FPS:
            assert [event["kind"] for event in told] == ["doubtful"]
            assert told[0]["answers"] == [["1 pear", "1 plum", "1 quince"], ["1 pear", "1 quince"]]
            worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum", "quince"]}))
        told += about_basket(worker.process(frame, 4.0 + number / FPS))
    assert len(told) == 2
    assert told[1]["kind"] == "doubtful" or (told[1]["star"], told[1]["count"]) == ("pear", 2)


def test_an_answer_says_nothing_of_a_view_that_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a region looks is learned once it is seen."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker = VisionFrameWorker(PROFILES, None)
    shown(worker, iter(still()))
    count_plums(monkeypatch, 1.0, hidden=True)
    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum"]}))
    assert about_basket(shown(worker, iter(still()[:8]), 4.0)) == []
    assert not memory_of_basket(worker)["looks"]


def test_an_answer_that_is_taken_back_is_not_counted_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies there is asked about once more, with what lies there now; also after a restart."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker = VisionFrameWorker(PROFILES, None)
    shown(worker, iter(still()))
    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum", "plum"]}))
    assert about_basket(shown(worker, iter(still()), 4.0)) == []
    remembered = json.loads(json.dumps(worker.memory()))
    for one in (worker, VisionFrameWorker(PROFILES, remembered)):
        one.correct(Correction(BASKET, {}, {}, {}, {"basket": []}))
        told = about_basket(shown(one, iter(still()), 20.0))
        assert [event["kind"] for event in told] == ["doubtful"], told
        assert told[0]["answers"] == [["1 pear", "1 plum"], ["1 pear"]]


def test_an_answer_while_the_board_is_away_is_not_believed_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Anything may have been laid or taken meanwhile."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker = VisionFrameWorker(PROFILES, None)
    shown(worker, iter(still()))
    (_fields, baskets) = worker._kinds
    baskets.boards[0].lost = True
    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum", "plum"]}))
    count_plums(monkeypatch, 0.02, 0.96, 0.02)
    told = about_basket(shown(worker, iter(still()), 4.0))
    assert [(one["kind"], one["star"], one["count"]) for one in told] == [("removed", "plum", 1)]


def test_no_more_is_told_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that cannot be would be refused, and nothing told."""
    supply = find_game("orchard").pieces[0].supply
    count_plums(monkeypatch, *([0.0] * (supply + 1)), 1.0)
    told = about_basket(shown(VisionFrameWorker(PROFILES, None), iter(still())))
    plums = [one["count"] for one in told if one.get("star") == "plum"]
    assert plums == [supply]
