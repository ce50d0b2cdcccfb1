"""Live reads by the stars that are known: the owner's own, and those corrected this evening."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask_babel import Babel

from calibration import load_profile
from calibration.colour_profile import ColourProfile, Swatch
from calibration.profile import save_colour_profile
from tests.conftest import in_ci
from tests.webapp.live.test_frame_worker_contract import LYING, Stage, as_picture, still
from vision import observer
from vision.live import ModelFrameReader
from vision.observer import BoardObservation
from webapp.app.live import kind_tracker
from webapp.app.live.camera_worker import Status
from webapp.app.live.log import Camera
from webapp.app.live.vision_worker import VisionFrameWorker
from webapp.app.live.worker import Correction
from webapp.app.reading.colour_samples import EACH, ColourSamples
from webapp.web.live_messages import format_cameras, format_status

MINE, SEEN = Swatch("red", "#c82828"), Swatch("orange", "#d07828")
PROFILE = load_profile("standard")


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ColourSamples:
    monkeypatch.setattr(kind_tracker, "KIT_EVERY", 0.0)
    return ColourSamples(tmp_path / "seen")


@in_ci
def test_live_reads_by_my_stars_and_by_those_seen_this_evening(
    seen: ColourSamples, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[Swatch]] = []

    def weigh(
        odds: np.ndarray, _colours: object, _classes: object, kit: ColourProfile
    ) -> np.ndarray:
        asked.append(kit.swatches)
        return odds

    monkeypatch.setattr(observer, "weigh_colours", weigh)
    save_colour_profile("standard", ColourProfile((MINE,)))
    stage = Stage(partial(VisionFrameWorker, seen=seen), as_picture)
    worker = stage.worker()
    stage.show(worker, still(1.0))
    assert asked[-1] == (MINE,)
    seen.keep(PROFILE, [SEEN])  # a photograph was corrected meanwhile
    stage.show(worker, still(1.0))
    worker.correct(Correction(0, {"core": "white"}))  # it is read once more
    stage.show(worker, still(1.0))
    assert {MINE, SEEN} <= {*asked[-1]}


def test_a_star_corrected_live_is_known_all_evening(seen: ColourSamples) -> None:
    stage = Stage(partial(VisionFrameWorker, seen=seen), as_picture)
    worker = stage.worker()
    stage.show(worker, still(2.0))
    worker.correct(Correction(0, dict(LYING.stars), {"black": LYING.black}))
    assert seen.version(PROFILE) == 0  # what is known already is no correction
    worker.correct(Correction(0, {"ta1": "orange", "ar1": None}))
    kept = {swatch.piece: swatch.bgr for swatch in seen.colour_profile(PROFILE).swatches}
    assert kept.keys() == {"yellow", "orange", "black"}  # what lies there, and was plainly seen
    blue, _, red = kept["orange"]  # a blue star, which somebody calls so
    assert blue > red


@pytest.mark.parametrize("left_out", (False, True))
def test_pages_say_that_boards_are_read_without_my_stars(
    monkeypatch: pytest.MonkeyPatch, left_out: bool
) -> None:
    observe = ModelFrameReader.observe

    def observed(*given: Any) -> BoardObservation:
        return replace(observe(*given), samples_left_out=left_out)

    monkeypatch.setattr(ModelFrameReader, "observe", observed)
    stage = Stage(VisionFrameWorker, as_picture)
    worker = stage.worker()
    stage.show(worker, still(0.5))
    app = Flask("webapp.web")
    Babel(app)
    with app.test_request_context():
        status = Status(Camera("a" * 12, "camera-a", ""), "watching", worker.boards())
        for said in (format_status(status), format_cameras([status])[1]):
            assert said.startswith("Watching") and ("My stars" in said) == left_out


def test_what_several_write_at_once_is_whole(seen: ColourSamples, tmp_path: Path) -> None:
    """The draft of the file is one, so only one of them writes at a time."""

    def keep(piece: str) -> None:
        for number in range(20):
            ColourSamples(tmp_path / "seen").keep(PROFILE, [Swatch(piece, f"#20202{number % 10}")])

    with ThreadPoolExecutor() as pool:
        list(pool.map(keep, ("red", "blue", "white")))
    assert len(seen.colour_profile(PROFILE).swatches) == 3 * EACH
