"""A worker asks about counts that are not sure, and goes on from the answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import load_profile
from scorer.places import Place
from scorer.registry import find_game
from tests.conftest import in_ci
from tests.films.film import Film, HandStep, Script
from tests.games.orchard_table import BASKET, FPS, PIECES, PROFILES, Event, changes, frames, shown
from vision.observer import BoardObserver
from vision.region_chances import RegionCount
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction

COUNT = BoardObserver.count
ANSWERED = {
    "not seen since": ((0.45, 0.55), ["pear", "plum", "plum"], 0),
    "seen since": ((0.0, 0.12, 0.88), ["pear", "plum"], 6),
}
"""What a basket looks like, what it is said to hold, and how many frames of it follow."""
LATE_ANSWER = 8.2
"""Seconds after which the second hand of a film has left, and what it laid is not yet read."""


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


def test_an_uncertain_count_is_asked_about_once_and_then_updated(
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
    return [*frames(3.0)]


def baskets(number: int) -> Iterator[bytes]:
    """A table with baskets alone that nobody comes near."""
    script = Script((PIECES[1],) * number, (), 3.0)
    for picture in Film(script, load_profile(PROFILES[1]), 1, (640 * number, 432), FPS).frames():
        yield cv2.imencode(".jpg", picture)[1].tobytes()


@in_ci
@pytest.mark.parametrize("basket", [*ANSWERED])
def test_an_answer_survives_a_restart(monkeypatch: pytest.MonkeyPatch, basket: str) -> None:
    """It is neither asked about again nor overruled, also where a camera is told it once more."""
    chances, answer, seen = ANSWERED[basket]
    count_plums(monkeypatch, *chances)
    worker = VisionFrameWorker(PROFILES, None)
    assert [event["kind"] for event in about_basket(shown(worker, iter(still())))] == ["doubtful"]
    worker.correct(Correction(BASKET, {}, {}, {"basket": answer}))
    assert about_basket(shown(worker, iter(still()[:seen]), 4.0)) == []
    assert ("basket" in json.dumps(memory_of_basket(worker)["looks"])) == bool(seen)
    again = VisionFrameWorker(PROFILES, json.loads(json.dumps(worker.memory())))
    again.correct(Correction(BASKET, {}, {}, {"basket": answer}))
    assert about_basket(shown(again, iter(still()), 20.0)) == []


@in_ci
def test_pieces_added_between_a_question_and_its_answer_are_asked_about(
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


@in_ci
def test_no_look_is_learned_from_an_answer_about_a_hidden_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How a region looks is learned once it is seen."""
    count_plums(monkeypatch, 0.45, 0.55)
    worker = VisionFrameWorker(PROFILES, None)
    shown(worker, iter(still()))
    count_plums(monkeypatch, 1.0, hidden=True)
    worker.correct(Correction(BASKET, {}, {}, {"basket": ["pear", "plum"]}))
    assert about_basket(shown(worker, iter(still()[:8]), 4.0)) == []
    assert not memory_of_basket(worker)["looks"]


@in_ci
def test_a_withdrawn_answer_is_forgotten_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


@in_ci
def test_an_answer_given_while_the_board_is_lost_is_checked_when_it_is_back(
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


@in_ci
def test_a_count_never_exceeds_the_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that cannot be would be refused, and nothing told."""
    supply = find_game("orchard").pieces[0].supply
    count_plums(monkeypatch, *([0.0] * (supply + 1)), 1.0)
    told = about_basket(shown(VisionFrameWorker(PROFILES, None), baskets(1)))
    plums = [one["count"] for one in told if one.get("star") == "plum"]
    assert plums == [supply]


def test_boards_of_all_kinds_share_the_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two plums are seen in a field."""
    supply = find_game("orchard").pieces[0].supply
    in_field = PIECES[0][Place("w1", "region", 0)], PIECES[0][Place("w1", "region", 1)]
    assert in_field == ("plum", "plum")
    count_plums(monkeypatch, *([0.0] * supply), 1.0)
    told = about_basket(shown(VisionFrameWorker(PROFILES, None), iter(still())))
    (asked,) = [event for event in told if event.get("star") != "pear"]
    assert asked["kind"] == "doubtful"
    assert [f"{supply - 2} plum" in one for one in asked["answers"]].count(True) == 1


@in_ci
def test_counts_of_two_boards_beyond_the_supply_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    supply = find_game("orchard").pieces[0].supply
    count_plums(monkeypatch, *([0.0] * supply), 1.0)
    told = about_basket(shown(VisionFrameWorker(PROFILES, None), baskets(2)))
    plums = [(one["kind"], one.get("count")) for one in told if one.get("star") != "pear"]
    assert plums == [("placed", supply), ("doubtful", None)]
