"""Cards beside the boards, from a camera's frames to the question on the guided page."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from random import Random
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration.cards import whole_card
from tests.live.inline import Inline
from tests.live.test_market_watch import corners
from tests.webapp import test_market
from tests.webapp.live.conftest import Table, eventually, push_until_taken
from tests.webapp.live.fake_frame_worker import frame
from vision.cards import CardReading
from vision.live.market import Find, MarketWatch
from webapp.app import guided_game
from webapp.app.live import vision_worker
from webapp.app.live.worker import CardSeen
from webapp.app.reading import card_jobs


def test_a_camera_looks_for_the_cards_of_the_market_alone(
    serve: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guided_game, "LUCK", Random(5))
    guided = test_market.Table(serve())
    table = Table(guided.app, guided.game)
    card, count = next(iter(guided.market.items()))
    hidden = guided.history.state.seats[0].secret

    def found() -> Sequence[object]:
        push_until_taken(table, frame({0: {}}, cards={card: count, hidden: 1}))
        return guided.cards()

    assert eventually(found) == [guided.cards()[0]]
    push_until_taken(table, frame({0: {}}, cards={card: None, hidden: 1}))
    assert eventually(lambda: guided.cards()[1:]) == [
        {**guided.cards()[0], "card": card, "here": count - 1}
    ]
    assert f'name="card" value="{card}"' in guided.page()


@pytest.mark.parametrize("is_shown", [True, False])
def test_the_shipped_worker_finds_whole_cards(
    monkeypatch: pytest.MonkeyPatch, is_shown: bool
) -> None:
    cards = ("leo", (60, 60)), ("aries", (100, 60)), ("virgo", (140, 60))
    outlines: list[np.ndarray] = []

    class Watch(MarketWatch):
        def __init__(self, find: Find, executor: Executor) -> None:
            def noted(image: np.ndarray, boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
                found = find(image, boards)
                outlines[:] = [one.corners for one in found]
                return found

            super().__init__(noted, executor)

    def find(image: np.ndarray, _boards: Sequence[np.ndarray]) -> Sequence[CardReading]:
        return [CardReading(card, 0.99, corners(at)) for card, at in cards if image.mean() < 100]

    monkeypatch.setattr(vision_worker, "MarketWatch", Watch)
    deck = SimpleNamespace(find=find), is_shown
    monkeypatch.setattr(card_jobs, "deck_of", lambda _profile: deck)
    worker = vision_worker.VisionFrameWorker(["ptolemaeus/standard"], None, executor=Inline())
    picture = np.full((180, 320, 3), 60, np.uint8)
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    worker.expect({"leo": 1, "virgo": 2})
    for number in range(8):
        worker.process(jpeg, number / 4)
    assert worker.cards() == [CardSeen("leo", 1), CardSeen("virgo", 1)]
    assert worker.cards() == []
    found = [corners(at) for _card, at in cards]
    whole = found if is_shown else [np.array(whole_card(one.tolist())) for one in found]
    assert np.array_equal(outlines, whole)
    assert np.array_equal(outlines, found) == is_shown
