"""Logs far longer than an evening's: what they cost, and that somebody else's page goes on."""

import io
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest

from calibration import load_profile
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.words import COLOURS
from tests.webapp.live.conftest import Table, eventually
from tests.webapp.live.test_pages import changes, numbers
from webapp.app.live import log, projection, recording, reducer
from webapp.app.live.entry import REPLAY, Entry
from webapp.app.live.recording import Recording, Replays
from webapp.web import event_streams
from webapp.web.pages import live as live_pages


def events(count: int, board: int = 0) -> Iterator[dict[str, Any]]:
    """So many changes, each of which is one."""
    spaces = list(STANDARD_BOARD.spaces)
    for number in range(count):
        turn, place = divmod(number, len(spaces))
        star = COLOURS[turn % len(COLOURS)]
        kind = "replaced" if turn else "placed"
        yield {
            "t": float(number),
            "board": board,
            "kind": kind,
            "space": spaces[place],
            "star": star,
        }


def replay(table: Table, count: int) -> int:
    """Upload a recording that is played at once; the answer's code."""
    lines = "".join(json.dumps(event) + "\n" for event in events(count))
    form = {"recording": (io.BytesIO(lines.encode()), "long.jsonl"), "speed": "all"}
    return table.player.post(f"{table.game}/live/replay", form).status_code


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the entries that were reduced into a table, again and again."""
    found: list[int] = []
    take = reducer.apply

    def counting(rules: Any, table: Any, entry: Entry, amendment: Any) -> Any:
        found.append(entry.number)
        return take(rules, table, entry, amendment)

    monkeypatch.setattr(reducer, "apply", counting)
    return found


def test_a_recording_is_played_at_a_cost_for_each_event(table: Table, taken: list[int]) -> None:
    assert replay(table, 1000) == 303
    eventually(lambda: not table.service.replays.is_playing(table.id), 60)
    assert table.service.log.last(table.id) == 1000
    assert len(taken) < 1500, "the log is reduced again and again"
    table.page()
    taken.clear()
    more = {"kind": "removed", "space": "core", "t": 0.0}
    table.service.record(table.id, REPLAY, [more])
    table.page()
    assert taken == [1001]


def test_a_page_that_asks_for_everything_receives_the_latest(
    table: Table, taken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.service.record(table.id, "cam", events(300))
    reported = changes(table, event_streams.MOST_CHANGES)
    assert numbers(reported) == list(range(301 - event_streams.MOST_CHANGES, 301))
    assert [one["data"]["waiting"] for one in reported] == list(
        reversed(range(event_streams.MOST_CHANGES))
    )
    assert len(taken) < 700
    monkeypatch.setattr(
        event_streams, "_change", None
    )  # what one page was told, the next is told again
    assert [one["data"] for one in changes(table, event_streams.MOST_CHANGES)] == [
        one["data"] for one in reported
    ]


def test_the_time_line_shows_a_part_and_leads_to_the_rest(table: Table) -> None:
    table.service.record(table.id, "cam", events(2 * live_pages.MOST_STEPS))
    page = table.page()
    assert page.count("<time") == live_pages.MOST_STEPS
    assert f'data-at="{live_pages.MOST_STEPS}"' in page and ">Earlier</a>" in page
    page = table.page(f"?at={live_pages.MOST_STEPS}")
    assert page.count("<time") == live_pages.MOST_STEPS
    assert 'class="counts here"' in page and ">Earlier</a>" in page
    page = table.page("?at=1")
    assert 'class="counts here"' in page and ">Earlier</a>" not in page


def test_what_is_played_at_once_can_be_stopped() -> None:
    written: list[int] = []
    goes_on, ended = threading.Event(), []

    def record(_game: str, _source: str, told: Any) -> None:
        written.append(len(list(told)))
        if len(written) > 1:
            goes_on.wait(60)

    replays = Replays(record, ended.append)
    replays.play("game", Recording(list(events(20_000))), None)
    eventually(lambda: len(written) == 2)
    replays.stop("game")
    goes_on.set()
    eventually(lambda: not any(one.name == "replay" for one in threading.enumerate()))
    assert written == 2 * [recording.MOST_AT_ONCE]
    assert ended == ["game"] and not replays.is_playing("game")


def test_so_many_recordings_are_played_at_a_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_REPLAYS", 1)
    table.service.replays.play(Table(table.app).id, Recording(list(events(2))), 0.01)
    lines = json.dumps(next(events(1))).encode()
    form = {"recording": (io.BytesIO(lines), "x.jsonl"), "speed": "all"}
    answer = table.player.post(f"{table.game}/live/replay", form)
    assert answer.status_code == 422 and "Other games are already playing recordings" in answer.text


def test_a_clock_that_was_set_back_turns_no_recording_round() -> None:
    noon = datetime(2026, 11, 20, 12)
    moments = [noon, noon + timedelta(seconds=5), noon - timedelta(hours=1)]
    moments += [moments[-1] + timedelta(seconds=2)]
    entries = [
        Entry(number, "seen", {"source": "cam", "event": event}, at)
        for number, (event, at) in enumerate(zip(events(4), moments, strict=True), start=1)
    ]
    lines = recording.write(entries)
    assert [json.loads(line)["t"] for line in lines.splitlines()] == [0.0, 5.0, 5.0, 7.0]
    spaces = [json.loads(line)["space"] for line in lines.splitlines()]
    back = lines.splitlines()
    back = [line.replace('"t": 5.0', '"t": -3600.0') for line in back]  # as it was once written
    read = recording.read("\n".join(back), load_profile("standard"))
    assert [event["space"] for event in read.events] == spaces
    pauses = [pause for pause, _ in recording._portions(read.events, 1.0)]
    assert pauses == [0.0, recording.LONGEST_PAUSE]


def test_a_log_that_is_full_takes_no_more_and_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_ENTRIES", 3)
    for star in ("red", "blue", "white"):
        assert table.tap("star", seat=0, space="core", star=star) == 204
    hand = {"seat": 0, "space": "core", "star": "orange"}
    answer = table.player.post(f"{table.game}/live/star", hand)
    assert answer.status_code == 507
    assert "record is full" in answer.text
    assert replay(table, 5) == 507
    assert not table.service.replays.is_playing(table.id)
    assert table.service.log.last(table.id) == 3
    assert table.stars() == {"core": "white"}


def test_who_waits_for_a_long_log_does_not_wait_for_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction to it takes long; whoever comes meanwhile is asked to come again."""
    monkeypatch.setattr(projection, "PATIENCE", 0.01)
    with table.service._projections.of(table.id).hold():
        answer = table.player.get(f"{table.game}/live/table")
        assert answer.status_code == 503 and "try again" in answer.text
    assert table.player.get(f"{table.game}/live/table").status_code == 200


def test_who_waits_for_a_long_log_keeps_nobody_from_another_game(table: Table) -> None:
    other = Table(table.app)
    with table.service._projections.of(table.id).hold(patiently=True):
        count = projection.MOST_AT_ONCE
        waiting = [threading.Thread(target=table.page) for _ in range(count)]
        for one in waiting:
            one.start()
        time.sleep(0.3)  # they have come as far as they can
        assert other.player.get(f"{other.game}/live/table").status_code == 200
    for one in waiting:
        one.join()


def test_so_many_requests_at_a_time_have_much_to_work_out(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "PATIENCE", 0.01)
    with ExitStack() as at_work:
        for _ in range(projection.MOST_AT_ONCE):
            game = Table(table.app).id
            at_work.enter_context(table.service._projections.of(game).hold())
        answer = table.player.get(f"{table.game}/live/table")
        assert answer.status_code == 503 and "try again" in answer.text
        assert table.player.get("/").status_code == 200


def test_a_number_that_is_none_of_an_entry_is_no_mistake_of_the_servers(table: Table) -> None:
    paths = ("live/entries/{}", "live?at={}", "live/table?at={}&mine={}")
    for named, number in product(paths, ("0", "9" * 18, "9" * 30, "9" * 5000)):
        path = f"{table.game}/{named.format(number, number)}"
        post = "entries" in path
        answer = table.player.post(path, {"what": "nothing"}) if post else table.player.get(path)
        assert answer.status_code in ({404, 422} if post else {200, 422}), path
