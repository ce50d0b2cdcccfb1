"""A secret card held up to its owner's phone: from the picture to the game, with nothing set up."""

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration import load_profile
from calibration.cards import artwork_windows, card_artwork
from tests.conftest import in_ci
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import SkyTable, Table
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from webapp.app.game_pages import pages_of
from webapp.app.settings import Settings
from webapp.web.application import create_app

SIZE_PX, CARD_PX = (1280, 720), (330, 495)


def held_up(profile: str, name: str) -> bytes:
    """A phone's picture of a card before a room, askew, with a thumb on its lower edge."""
    cards = pages_of(profile.partition("/")[0]).cards(load_profile(profile), "en")
    (card,) = (one for one in cards if one.id == name)
    width, height = CARD_PX
    left, top, right, _bottom = artwork_windows()[0]
    x, y, side = (round(share * width) for share in (left, top, right - left))
    y = round(top * height)
    art = card_artwork(card, side)
    face = np.full((height, width, 3), 248, np.uint8)
    face[y : y + art.shape[0], x : x + art.shape[1]] = art
    rng = np.random.default_rng(3)
    room = cv2.resize(rng.integers(40, 160, (9, 16, 3), np.uint8), SIZE_PX)
    way = cv2.getRotationMatrix2D((width / 2, height / 2), 7, 1.0)
    way[:, 2] += (440, 90)
    cv2.warpAffine(face, way, SIZE_PX, room, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    cv2.ellipse(room, (640, 590), (60, 90), 0, 0, 360, (120, 150, 205), -1)
    return cv2.imencode(".jpg", cv2.GaussianBlur(room, (0, 0), 1.0))[1].tobytes()


@pytest.fixture
def app(tmp_path: Path) -> Any:
    settings = Settings(data_dir=tmp_path, rate_limits=False)

    def at_once(job: Any, *given: Any, **named: Any) -> Any:
        return job(*given, **named)

    app = create_app(settings, reads_nothing, FakeFrameWorker, run_job=at_once)
    yield app
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()


@in_ci
@pytest.mark.parametrize(
    ("at", "profile", "card", "public"),
    [(Table, "nebula/standard", "O19", "V17"), (SkyTable, "polaris/standard", "PO3", "C11")],
)
def test_a_card_that_is_held_up_is_its_owners_and_a_public_one_is_not(
    app: Flask, at: type[Table], profile: str, card: str, public: str
) -> None:
    table = at(app)

    def show(name: str) -> Any:
        sent = {"seat": "0", "photo": (io.BytesIO(held_up(profile, name)), "card.jpg")}
        return table.player.post(f"{table.game}/live/held", sent).json

    assert show(public) == {"card": None}
    assert show(card) == {"card": card}
    assert table.tap("personal", seat=0, card=card) == 204
    assert card in table.page("?mine=0") and card not in table.page("?mine=1")
