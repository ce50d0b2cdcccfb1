"""Cameras: frames up, what is seen written once, dead workers and lost sources replaced."""

import io
import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from flask import Flask
from PIL import Image

from tests.conftest import in_ci
from tests.webapp.live.conftest import Table, eventually, push, push_until_taken, state, worker
from tests.webapp.live.fake_frame_worker import frame
from webapp.app.live import camera_worker, supervisor

CORE = {0: {"core": "red"}}
MORE = {0: {"core": "red", "ar1": "blue"}}


def test_a_phones_frames_become_stars_on_the_table(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    push_until_taken(table, frame(MORE))
    eventually(lambda: table.stars() == MORE[0])
    assert table.seen_events() == ["placed red core", "placed blue ar1"]
    assert "Watching" in table.page()


def test_the_next_frame_is_asked_for_when_there_is_room(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(camera_worker, "PATIENCE", 60.0)
    push_until_taken(table, frame(CORE, until=str(tmp_path / "looked at")))
    codes: list[int] = []
    sends = threading.Thread(target=lambda: codes.append(push(table, frame(MORE))[0]))
    sends.start()
    sends.join(0.5)
    assert codes == [], "the frame was taken while another was looked at"
    (tmp_path / "looked at").touch()
    sends.join()
    assert codes == [202]


def test_a_killed_worker_is_replaced_and_goes_on_where_it_was(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0])
    first = worker(table)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    eventually(lambda: worker(table) not in (None, first))
    push_until_taken(table, frame(MORE))
    eventually(lambda: table.stars() == MORE[0])
    assert table.seen_events() == ["placed red core", "placed blue ar1"], "lost or doubled"


@in_ci
def test_workers_that_die_one_after_the_other_are_reported(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_worker, "PAUSES", (0.1,))
    monkeypatch.setattr(camera_worker, "DYING_FROM", 2)
    push_until_taken(table, frame({}, die=True))
    eventually(lambda: state(table) == "starting")
    push_until_taken(table, frame({}, die=True))
    eventually(lambda: state(table) == "dying")
    cameras = table.player.get(f"{table.game}/live/cameras/list").text
    assert "keeps failing" in cameras and "keeps failing" in table.page()
    push_until_taken(table, frame(CORE))
    eventually(lambda: state(table) == "watching")
    assert "keeps failing" not in table.page()


def test_the_next_worker_reports_what_a_dead_one_saw_last(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0])
    push_until_taken(table, frame({0: {"ar1": "blue"}}, die=True))
    push_until_taken(table, frame({0: {"ar1": "blue"}}))
    eventually(lambda: table.stars() == {"ar1": "blue"})
    assert sorted(table.seen_events()[1:]) == ["placed blue ar1", "removed  core"]


def last_entry(table: Table) -> int:
    return table.service.log.last(table.id)


def test_a_rejected_star_is_reported_when_it_is_placed_after_all(table: Table) -> None:
    """Not as long as the camera sees what it took for that star, but once it lies there anew."""
    push_until_taken(table, frame(CORE))
    push_until_taken(table, frame(MORE))
    eventually(lambda: table.stars() == MORE[0])
    assert table.tap(f"entries/{last_entry(table)}", what="nothing") == 204
    assert table.stars() == CORE[0]
    for seen in (MORE, CORE, MORE):
        push_until_taken(table, frame(seen))
    eventually(lambda: table.stars() == MORE[0])
    assert table.seen_events() == ["placed red core", "placed blue ar1", "placed blue ar1"]


def test_a_worker_that_starts_hears_of_earlier_corrections(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0])
    first = worker(table)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert table.tap(f"entries/{last_entry(table)}", what="nothing") == 204
    eventually(lambda: worker(table) not in (None, first))
    push_until_taken(table, frame(CORE))  # it still sees what it took for a star
    push_until_taken(table, frame(MORE))
    eventually(lambda: table.stars() == {"ar1": "blue"})
    assert table.seen_events() == ["placed red core", "placed blue ar1"]


def test_a_star_placed_by_hand_is_not_reported_again(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: table.stars() == CORE[0])
    assert table.tap("star", seat=0, space="ar1", star="blue") == 204
    push_until_taken(table, frame(MORE))
    push_until_taken(table, frame({0: {"ar1": "blue"}}))
    eventually(lambda: table.stars() == {"ar1": "blue"})
    assert table.seen_events() == ["placed red core", "removed  core"]


def test_two_cameras_watch_a_board_each(table: Table, tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_text(frame({0: {}}).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: state(table) == "watching")
    push_until_taken(table, frame({0: {}}))

    def boards_listed() -> int:
        page = table.player.get(f"{table.game}/live/cameras").text
        return sum(f"{camera}, board 1" in page for camera in ("A film", "s camera"))

    eventually(lambda: boards_listed() == 2)
    (of_film, of_phone) = [s.camera.name for s in table.service.workers.of(table.id)]
    assert table.tap("boards", source=of_phone, board=0, seat=0) == 204
    film.write_text(film.read_text() + frame({0: {"core": "blue"}}).decode() + "\n")
    push_until_taken(table, frame(CORE))
    eventually(lambda: (table.stars(0), table.stars(1)) == (CORE[0], {"core": "blue"}))
    assert table.tap("boards", source=of_film, board=0, seat=0) == 204
    assert (table.stars(0), table.stars(1)) == ({"core": "blue"}, CORE[0])
    film.write_text(2 * (frame({0: {"core": "blue"}}).decode() + "\n"))
    for status in table.service.workers.of(table.id):
        pid = table.service.workers.pid(table.id, status.camera.name)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
    film.write_text(film.read_text() + frame({0: {"core": "blue", "ar1": "red"}}).decode() + "\n")

    def is_seen() -> bool:
        push(table, frame(MORE))  # a phone sends on: the first may reach a worker that has died
        return (table.stars(0), table.stars(1)) == ({"core": "blue", "ar1": "red"}, MORE[0])

    eventually(is_seen)
    assert len(table.seen_events()) == 4, "lost or doubled"
    assert table.tap("boards", source=of_film, board=7, seat=0) == 422


def test_two_streams_whose_long_addresses_begin_alike_are_two_cameras(
    table: Table, tmp_path: Path
) -> None:
    for name in ("left", "right"):
        film = tmp_path / ("a-long-way-" * 8) / name
        film.parent.mkdir(exist_ok=True)
        film.write_text(frame({}).decode() + "\n")
        table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    assert len(table.service.workers.of(table.id)) == 2


def test_somebody_who_aims_a_camera_sees_its_picture(table: Table, tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: table.stars() == CORE[0])
    (status,) = table.service.workers.of(table.id)
    path = f"{table.game}/live/cameras/picture?name={status.camera.name}"
    answer = table.player.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"
    assert Image.open(io.BytesIO(answer.data)).size == (10, 10)
    assert "data-picture" in table.player.get(f"{table.game}/live/cameras/list").text
    table.player.post(f"{table.game}/live/sources/stop", {"name": status.camera.name})
    assert table.player.get(path).status_code == 404


def test_a_phone_that_falls_silent_is_lost_soon_and_comes_back(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    push_until_taken(table, frame(CORE))
    eventually(lambda: state(table) == "watching")
    monkeypatch.setattr(camera_worker, "LOST_AFTER", 0.5)
    eventually(lambda: state(table) == "lost")
    assert "gives no picture" in table.page()
    monkeypatch.setattr(camera_worker, "LOST_AFTER", 60.0)
    push_until_taken(table, frame(MORE))
    eventually(lambda: state(table) == "watching")
    eventually(lambda: table.stars() == MORE[0])


def test_a_restarted_server_goes_on_with_the_table_as_it_was(
    serve: Callable[[], Flask], tmp_path: Path
) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    before = Table(serve())
    address = {"address": str(film)}
    assert before.player.post(f"{before.game}/live/sources", address).status_code == 303
    eventually(lambda: before.stars() == CORE[0])
    before.service.close()
    film.write_text(film.read_text() + frame(MORE).decode() + "\n")
    after = Table(serve(), before.game)
    assert after.stars() == CORE[0]
    eventually(lambda: after.stars() == MORE[0])
    assert after.seen_events() == ["placed red core", "placed blue ar1"], "lost or doubled"


@in_ci
def test_a_source_that_is_away_while_the_server_restarts_is_waited_for(
    serve: Callable[[], Flask], tmp_path: Path
) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    before = Table(serve())
    before.player.post(f"{before.game}/live/sources", {"address": str(film)})
    eventually(lambda: before.stars() == CORE[0])
    before.service.close()
    film.unlink()
    after = Table(serve(), before.game)
    eventually(lambda: state(after) == "lost")
    film.write_text(frame(CORE).decode() + "\n" + frame(MORE).decode() + "\n")
    eventually(lambda: after.stars() == MORE[0])
    eventually(lambda: state(after) == "watching")


def test_a_source_that_never_gave_a_picture_is_refused_in_words(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film, begin = tmp_path / "film", camera_worker.CameraWorker.begin

    def begin_without_film(worker: camera_worker.CameraWorker) -> None:
        film.unlink()
        begin(worker)

    film.touch()
    monkeypatch.setattr(camera_worker.CameraWorker, "begin", begin_without_film)
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: state(table) == "failed")
    assert "plug it in" in table.player.get(f"{table.game}/live/cameras/list").text
    eventually(lambda: table.service.log.running() == [])


def test_a_source_that_is_pulled_is_shown_and_taken_up_again(table: Table, tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: table.stars() == CORE[0])
    film.write_text(film.read_text() + "lost\n")
    eventually(lambda: state(table) == "lost")
    film.write_text(film.read_text() + "back\n" + frame(MORE).decode() + "\n")
    eventually(lambda: state(table) == "watching")
    eventually(lambda: table.stars() == MORE[0])


def test_a_film_that_ends_leaves_the_table_as_it_is(table: Table, tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\nend\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: state(table) == "ended")
    assert table.stars() == CORE[0]
    eventually(lambda: table.service.log.running() == [])


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "Enter a camera"),
        ("/no/such/film.mp4", "There is no such file"),
        ("ftp://table/film", "A stream begins with rtsp"),
        ("x" * 600, "too long"),
        ("x" * 300, "There is no such file"),
        ("\0", "There is no such file"),
    ],
)
def test_a_source_that_cannot_be_is_refused_in_words(table: Table, address: str, said: str) -> None:
    answer = table.player.post(f"{table.game}/live/sources", {"address": address})
    assert answer.status_code == 422
    assert said in answer.text


def test_a_guest_at_the_table_starts_no_camera_of_this_computer(
    serve: Callable[..., Flask],
) -> None:
    table = Table(serve(invitation="under-the-stars"))
    guest = {"environ_overrides": {"REMOTE_ADDR": "192.168.1.7"}}
    assert table.player.get("/join/under-the-stars", **guest).status_code == 303
    assert table.player.get(f"{table.game}/live", **guest).status_code == 200
    answer = table.player.post(f"{table.game}/live/sources", {"address": "0"}, **guest)
    assert answer.status_code == 403
    assert table.service.workers.of(table.id) == []


@in_ci
def test_a_game_has_four_cameras_at_most(table: Table) -> None:
    for number in range(4):
        push(table, frame({}), camera=f"phone{number}")
    code, said = push(table, frame({}), camera="phone4")
    assert code == 409
    assert "Four cameras" in str(said["message"])


def test_all_games_together_have_so_many_cameras_at_most(
    serve: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(supervisor, "MOST_WORKERS", 2)
    table = Table(serve())
    others = [Table(table.app) for _ in range(2)]
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    for other in others:
        other.player.post(f"{other.game}/live/sources", {"address": str(film)})
    code, said = push(table, frame(CORE))
    assert code == 409
    assert "already in use, here and at other games: stop one" in str(said["message"])
    refused = table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    assert refused.status_code == 422 and "stop one of them first" in refused.text
    table.service.close()
    monkeypatch.setattr(supervisor, "MOST_WORKERS", 1)  # a server that takes fewer starts as well
    again = serve().extensions["stargazer live"]
    assert sorted(len(again.workers.of(other.id)) for other in others) == [0, 1]
    assert len(again.log.running()) == 1


def test_a_camera_that_nobody_uses_goes_and_leaves_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    push_until_taken(table, frame({}))
    pid = worker(table)
    monkeypatch.setattr(camera_worker, "IDLE_AFTER", 0.5)
    eventually(lambda: table.service.workers.of(table.id) == [])
    eventually(lambda: not psutil.pid_exists(pid))
    eventually(lambda: table.service.log.running() == [])
    assert "None yet." in table.player.get(f"{table.game}/live/cameras/list").text


def test_what_is_no_picture_is_not_shown_as_watched(table: Table) -> None:
    push_until_taken(table, b"no picture at all")
    eventually(lambda: state(table) == "lost")
    answers = [push(table, b"no picture at all")[1] for _ in range(5)]
    assert [answer["state"] for answer in answers] == 5 * ["lost"]
    assert "No picture" in str(answers[-1]["said"]) and "Watching" not in table.page()
    push_until_taken(table, frame(CORE))
    eventually(lambda: state(table) == "watching")


def test_a_camera_that_is_stopped_watches_no_more(table: Table) -> None:
    push_until_taken(table, frame(CORE))
    (status,) = table.service.workers.of(table.id)
    pid = worker(table)
    table.player.post(f"{table.game}/live/sources/stop", {"name": status.camera.name})
    assert table.service.workers.of(table.id) == []
    eventually(lambda: not psutil.pid_exists(pid))


def test_a_new_beginning_reads_the_boards_afresh(table: Table, tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_text(frame(CORE).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    eventually(lambda: table.stars() == CORE[0])
    film.write_text(json.dumps({"boards": {"0": {"core": "blue"}}}) + "\n")
    assert table.tap("restart") == 204
    eventually(lambda: table.stars() == {"core": "blue"})
