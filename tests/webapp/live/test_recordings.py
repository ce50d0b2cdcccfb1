"""Recordings of what cameras saw: replayed, saved, refused."""

import io
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.webapp.live.conftest import ARIES, Table, eventually


def recorded(*events: dict[str, Any]) -> bytes:
    return "".join(json.dumps({"format": 1, **one}) + "\n" for one in events).encode()


def replay(table: Table, data: bytes, speed: str = "all") -> int:
    """Upload a recording; the answer's code."""
    form = {"recording": (io.BytesIO(data), "evening.jsonl"), "speed": speed}
    return table.player.post(f"{table.game}/live/replay", form).status_code


EVENING = recorded(
    {"t": 0.5, "board": 0, "kind": "board_found"},
    {"t": 1.0, "board": 0, "kind": "placed", "space": "core", "star": "red", "confidence": 0.99},
    {"t": 2.0, "board": 0, "kind": "placed", "space": "ar1", "star": "red", "confidence": 0.9},
    {"t": 2.0, "board": 0, "kind": "rule_break", "rule": "same_colour_link", "spaces": []},
    {"t": 3.0, "board": 1, "kind": "black", "count": 1, "confidence": 0.9},
)
SLOW = recorded(
    {"t": 10.0, "kind": "placed", "space": "core", "star": "red"},
    {"t": 42.0, "kind": "placed", "space": "ar1", "star": "blue"},
)


def test_a_recording_is_replayed_into_the_page(table: Table) -> None:
    assert replay(table, EVENING) == 303
    assert table.stars() == {"core": "red", "ar1": "red"}
    assert "are linked and both red" in table.page()


def test_a_recording_is_played_at_the_speed_that_was_chosen(table: Table) -> None:
    begun = time.monotonic()
    assert replay(table, SLOW, "16") == 303
    eventually(lambda: table.service.log.last(table.id) == 2)
    assert time.monotonic() - begun >= 2.0, "32 s, sixteen times as fast"
    eventually(lambda: "A recording is playing" not in table.page())


def test_a_recording_that_is_played_can_be_stopped(table: Table) -> None:
    assert replay(table, SLOW, "1") == 303
    assert "A recording is playing" in table.page()
    assert table.tap("replay/stop") == 204
    assert not table.service.replays.is_playing(table.id)


def test_what_cameras_saw_is_saved_and_can_be_played_elsewhere(
    table: Table, serve: Callable[[], Flask]
) -> None:
    table.place(0, ARIES)
    saved = table.player.get(f"{table.game}/live/recording.jsonl").data
    elsewhere = Table(table.app)
    assert replay(elsewhere, saved) == 303
    assert elsewhere.stars() == ARIES


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"not json\n", "line 1: not an event"),
        (recorded({"kind": "placed", "space": "ar9", "star": "red"}), "line 1: space: ar9"),
        (b"\n", "no star was placed"),
        (b"[" * 100_000, "line 1: not an event"),
        (b'{"kind": "\\ud800"}', "line 1: not an event"),
        (b'{"kind": "placed", "space": "\\udfff", "star": "red"}', "line 1: not an event"),
        (b'{"kind": "black", "count": 1, "\\ud800": 1}', "line 1: not an event"),
        (b'{"kind": "black", "count": ' + b"9" * 5_000 + b"}", "line 1: not an event"),
        (b"\xff\xfe\x00", "line 1: not an event"),
    ],
)
def test_a_file_that_is_no_recording_is_refused_in_words(
    table: Table, data: bytes, said: str
) -> None:
    form = {"recording": (io.BytesIO(data), "x.jsonl"), "speed": "1"}
    answer = table.player.post(f"{table.game}/live/replay", form)
    assert answer.status_code == 422
    assert said in answer.text
