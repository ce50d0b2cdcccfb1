"""A camera's password is never shown again once it was typed, and what is kept does not tell it."""

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from tests.conftest import FULL_MATRIX
from tests.webapp.conftest import HERE, Player, reads_nothing
from tests.webapp.evening import print_nothing, read_nothing
from tests.webapp.every_form import Request, content, requests
from tests.webapp.live.conftest import Table, eventually
from tests.webapp.live.fake_stream_worker import ADDRESS, PASSWORD, FakeStreamWorker
from webapp.app.live.log import Camera
from webapp.app.live.source_address import SourceAddresses
from webapp.app.settings import Settings
from webapp.web import event_streams
from webapp.web.application import create_app

SECRETS = (PASSWORD, "watchman")
INVITATION = "open-sesame"
Serve = Callable[[], Flask]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start a server on the same data each time; it is open to the network."""
    made: list[Flask] = []

    def stop(app: Flask) -> None:
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()

    def start() -> Flask:
        for app in made:
            stop(app)
        settings = Settings(data_dir=tmp_path / "data", rate_limits=False, invitation=INVITATION)
        made.append(create_app(settings, reads_nothing, FakeStreamWorker, run_job=read_nothing))
        return made[-1]

    yield start
    stop(made[-1])


def watch(table: Table, address: str = ADDRESS) -> int:
    """Type a stream's address; the answer's code."""
    return table.player.post(f"{table.game}/live/sources", {"address": address}).status_code


def is_watching(table: Table) -> bool:
    return [status.state for status in table.service.workers.of(table.id)] == ["watching"]


def guest(app: Flask) -> Player:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    assert client.get(f"/join/{INVITATION}", base_url=HERE).status_code == 303
    return Player(client)


def secrets_in(text: str) -> list[str]:
    """The secrets that a text tells."""
    return [secret for secret in SECRETS if secret in text]


def some(asked: Iterable[Request], turn: int) -> Iterable[Request]:
    """All of it in CI; at a desk one request of four, others in the next turn."""
    return asked if FULL_MATRIX else islice(asked, turn, None, 4)


def test_no_answer_and_no_line_of_the_log_tells_it(
    serve: Serve, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)  # the news end when all is told
    print_nothing(monkeypatch)
    table = Table(serve())
    assert watch(table) == 303
    eventually(lambda: is_watching(table))
    assert table.stars() == {"core": "red"}
    everybody = {"the computer": table.player, "a guest": guest(table.app)}
    for turn, (who, player) in enumerate(everybody.items()):
        for asked in some(requests(table.app, table.id, "0" * 16, "GET"), turn):
            answer = player.get(asked.path)
            assert not secrets_in(content(answer) + repr(answer.headers)), (asked, who)
    assert "stream" in table.player.get(f"{table.game}/live/cameras").text
    for turn, (who, player) in enumerate(everybody.items()):
        for asked in some(requests(table.app, table.id, "0" * 16, "POST"), turn):
            answer = player.post(asked.path, asked.form())
            assert not secrets_in(content(answer) + repr(answer.headers)), (asked, who)
        table.player.post(f"{table.game}/restore")
        assert watch(table) == 303
    assert not secrets_in(caplog.text)


def test_what_is_written_down_does_not_tell_it(serve: Serve, tmp_path: Path) -> None:
    table = Table(serve())
    watch(table)
    eventually(lambda: table.stars() == {"core": "red"})
    files = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert any(file.name.startswith("stargazer.db") for file in files)
    for file in files:
        assert not secrets_in(file.read_bytes().decode("latin-1")), file


def test_a_stream_is_taken_up_again_after_a_restart(serve: Serve) -> None:
    table = Table(serve())
    watch(table)
    eventually(lambda: is_watching(table))
    again = Table(serve(), table.game)
    eventually(lambda: is_watching(again))
    assert again.seen_events() == ["placed red core"]


def test_one_that_is_stopped_is_forgotten(serve: Serve) -> None:
    table = Table(serve())
    watch(table)
    eventually(lambda: is_watching(table))
    (status,) = table.service.workers.of(table.id)
    table.player.post(f"{table.game}/live/sources/stop", {"name": status.camera.name})
    with table.app.extensions["stargazer"].games._sessions.begin() as session:
        kept = session.execute(text("SELECT address FROM live_sources")).scalars().all()
    assert set(kept) <= {""}


def test_without_its_key_a_stream_is_typed_anew(serve: Serve, tmp_path: Path) -> None:
    table = Table(serve())
    watch(table)
    eventually(lambda: is_watching(table))
    (tmp_path / "data" / "session.key").write_bytes(bytes(range(32)))
    again = Table(serve(), table.game)
    assert again.service.workers.of(table.id) == []
    assert watch(again) == 303
    eventually(lambda: is_watching(again))


@pytest.mark.parametrize(
    "address",
    [
        f"rtsp:///watchman:{PASSWORD}@127.0.0.1/x",
        f"ftp://watchman:{PASSWORD}@127.0.0.1/x",
        f"rtsp:/watchman:{PASSWORD}@127.0.0.1/x",
        f"rtsp://watchman:{PASSWORD}@127.0.0.1/" + "x" * 600,
    ],
)
def test_an_address_that_is_refused_is_not_shown_again(serve: Serve, address: str) -> None:
    table = Table(serve())
    answer = table.player.post(f"{table.game}/live/sources", {"address": address})
    assert answer.status_code == 422
    assert not secrets_in(answer.text)


def test_a_file_that_is_not_there_is_shown_again_to_be_corrected(serve: Serve) -> None:
    table = Table(serve())
    answer = table.player.post(f"{table.game}/live/sources", {"address": "/films/eveming.mp4"})
    assert 'value="/films/eveming.mp4"' in answer.text


def test_a_camera_in_a_message_is_without_its_address() -> None:
    assert not secrets_in(repr(Camera("game", "stream", ADDRESS)))


def test_names_tell_sources_apart_and_nothing_else() -> None:
    one, other = SourceAddresses(b"a" * 32), SourceAddresses(b"b" * 32)
    assert one.name("0") == "source-0"
    assert one.name(ADDRESS) == one.name(ADDRESS)
    names = {one.name(ADDRESS), one.name(ADDRESS.replace("channel=1", "channel=2"))}
    assert len(names) == 2
    assert other.name(ADDRESS) not in names, "who has no key cannot try passwords against a name"
    assert all(len(name) <= 40 for name in names)


def test_a_sealed_address_opens_with_its_key_alone() -> None:
    one, other = SourceAddresses(b"a" * 32), SourceAddresses(b"b" * 32)
    sealed = one.seal(ADDRESS)
    assert not secrets_in(sealed)
    assert (one.unseal(sealed), other.unseal(sealed), one.unseal(ADDRESS)) == (ADDRESS, None, None)
