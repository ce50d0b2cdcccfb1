"""The table page: its news, what players tell it, looks back, and the way to the score."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import on_both_databases
from tests.webapp.live.conftest import ARIES, CARDS, Table
from webapp.web import event_streams
from webapp.web.pages import live_cameras


def listen(
    table: Table, after: int = 0, last_event_id: int | None = None
) -> Iterator[dict[str, Any]]:
    """The news as a page hears them: each with its kind, its id and its data."""
    headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
    return received(table, f"{table.game}/live/events?after={after}", headers)


def received(
    table: Table, address: str, headers: Mapping[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """What a stream brings; left by whoever hears enough, it is closed and its request is over."""
    answer = table.app.test_client().get(
        address, base_url="http://127.0.0.1:8765", headers=headers, buffered=False
    )
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    with closing(answer):
        for chunk in answer.iter_encoded():
            fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
            if "event" in fields:
                yield {**fields, "data": json.loads(fields["data"])}


def changes(table: Table, count: int, **where: Any) -> list[dict[str, Any]]:
    """The next so many changes."""
    found = []
    for reported in listen(table, **where):
        if reported["event"] == "change":
            found.append(reported)
        if len(found) == count:
            return found
    raise AssertionError("the news ended")


def numbers(told: list[dict[str, Any]]) -> list[int]:
    return [int(one["id"]) for one in told]


def test_a_page_hears_each_change_in_words_and_with_its_number(table: Table) -> None:
    table.place(0, {"core": "red"})
    table.see(kind="black", count=1)
    first, second = changes(table, 2)
    assert (first["id"], first["data"]["said"]) == ("1", "Ana: red star, the core")
    assert first["data"]["space"] == "core"
    assert [alert["kind"] for alert in second["data"]["alerts"]] == ["due"]


@on_both_databases
def test_a_page_that_was_asleep_receives_what_it_missed_and_only_that(table: Table) -> None:
    table.place(0, ARIES)
    assert numbers(changes(table, 6)) == [1, 2, 3, 4, 5, 6]
    assert numbers(changes(table, 2, last_event_id=4)) == [5, 6]
    assert numbers(changes(table, 2, after=0, last_event_id=4)) == [5, 6]
    assert [reported["data"]["waiting"] for reported in changes(table, 6)] == [5, 4, 3, 2, 1, 0]


@on_both_databases
def test_two_pages_hear_the_same_as_it_happens(table: Table) -> None:
    heard: dict[str, list[int]] = {}

    def page(name: str) -> None:
        heard[name] = numbers(changes(table, 3))

    pages = [threading.Thread(target=page, args=(name,)) for name in ("tablet", "phone")]
    for one in pages:
        one.start()
    table.place(0, {"core": "red", "ar1": "blue", "ta1": "white"})
    for one in pages:
        one.join(60)
    assert heard == {"tablet": [1, 2, 3], "phone": [1, 2, 3]}


def test_a_stream_ends_after_its_time_and_the_next_one_goes_on(table: Table) -> None:
    table.place(0, {"core": "red"})
    with table.app.test_request_context():
        first = list(event_streams.event_streams().stream({table.id: 0}, lambda: False, 0))
    assert sum("event: change" in one for one in first) == 1


def test_one_page_too_many_gets_its_events_and_comes_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)
    table.place(0, {"core": "red"})
    assert numbers([reported for reported in listen(table) if reported["event"] == "change"]) == [1]


def test_an_address_with_many_pages_keeps_none_of_the_others_from_the_news(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "BEAT", 0.01)
    streams, known = table.app.extensions["stargazer events"], {table.id: 0}
    held: list[Iterator[str]] = []

    def is_held(address: str | None) -> bool:
        """Let a page listen; whether it is told more than what there is already."""
        held.append(streams.stream(known, lambda: False, address=address))
        assert next(held[-1]).startswith("retry") and "revision" in next(held[-1])
        return next(held[-1], None) is not None

    with table.app.test_request_context():
        most = event_streams.MOST_OF_ADDRESS
        assert [is_held("192.0.2.1") for _ in range(most + 1)] == [True] * most + [False]
        assert is_held("192.0.2.2")
        assert all(is_held(None) for _ in range(most + 1))
        held[0].close()  # type: ignore[attr-defined]
        assert is_held("192.0.2.1")


@on_both_databases
def test_one_stream_brings_the_news_of_several_games(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)  # the news end when all is told
    other = Table(table.app)
    for one, stars in ((table, ARIES), (other, {"core": "red"})):
        one.place(0, stars)
    reported = list(
        received(table, f"/live/events?game={table.id}.4&game={other.id}.0&game=none.0")
    )
    assert [(one["event"], one["data"].get("game")) for one in reported] == [
        ("revision", table.id),
        ("change", table.id),
        ("change", table.id),
        ("revision", other.id),
        ("change", other.id),
        ("gone", "none"),
    ]
    assert [one["data"]["number"] for one in reported if one["event"] == "change"] == [5, 6, 1]


def test_a_stream_of_no_games_is_refused(table: Table) -> None:
    for asked in ("", "game=", "game=x", "game=x.-1", "game=x.1&" * 17):
        assert table.player.get(f"/live/events?{asked}").status_code == 422, asked


def test_an_objective_is_announced_with_who_was_first(table: Table) -> None:
    table.place(1, ARIES)
    table.place(0, ARIES)
    said = [alert["say"] for reported in changes(table, 12) for alert in reported["data"]["alerts"]]
    said = [words for words in said if "Aries in three colours" in words]
    assert said == [
        "Luis is the first to complete Aries in three colours",
        "Ana completes Aries in three colours",
    ]


def test_a_broken_rule_is_named_with_what_to_do_and_goes_when_put_right(table: Table) -> None:
    table.place(0, {"core": "red", "ar1": "red"})
    page = table.page()
    assert "The core and a space of Aries on orbit 1 are linked and both red" in page
    assert "Take one of the two away" in page
    drawn = re.findall(r'<g class="clashes".*?</g>', page)
    assert ["line" in clashes for clashes in drawn] == [True, False]
    table.see(kind="replaced", space="ar1", star="blue", was="red")
    assert "are linked" not in table.page()
    assert "line" not in "".join(re.findall(r'<g class="clashes"(.*?)</g>', table.page()))
    assert f'href="{table.game}/earlier"' in table.player.get(f"{table.game}/live").text
    kinds = [
        alert["kind"] for reported in changes(table, 3) for alert in reported["data"]["alerts"]
    ]
    assert kinds == ["break", "mended"]


def test_the_marker_is_offered_and_counted(table: Table) -> None:
    table.place(0, ARIES)
    assert "and first: marker on top" in table.page()
    assert table.tap("entries", kind="claim", seat=0, card="V1") == 204
    assert "marker on top" not in table.page()


def test_the_value_token_is_asked_for_when_a_black_star_is_placed(table: Table) -> None:
    table.see(kind="black", count=1)
    assert "Which value token moves?" in table.page()
    assert table.tap("entries", kind="value", token="red", due=1) == 204
    assert "Which value token moves?" not in table.page()


def test_a_black_star_of_the_introductory_game_is_answered(table: Table) -> None:
    intro = Table(table.app, table.player.new_game("Ana", "Luis", mode="intro"))
    intro.see(kind="black", count=1)
    assert "Move the black indicator to square 1" in intro.page()
    assert intro.tap("entries", kind="value", token="red", due=1) == 422
    assert intro.tap("entries", kind="value", token="", due=1) == 204
    assert "Move the black indicator" not in intro.page()
    assert intro.tap("entries", kind="indicator", by=1) == 204


def test_five_black_stars_ask_for_one_thing_and_the_rest_waits_behind_it(table: Table) -> None:
    for count in range(1, 6):
        table.see(kind="black", count=count)
    page = table.page()
    assert "Move the black indicator to square 5" in page
    assert page.count("Which value token moves?") == 1
    assert "more to do" not in page
    table.place(0, {"core": "red", "ar1": "red"})
    first, rest = table.page().split("1 more to do")
    assert "are linked and both red" in first.split('aria-label="To do now"')[1]
    assert "Which value token moves?" in rest


@on_both_databases
def test_a_correction_reaches_the_page(table: Table) -> None:
    table.place(0, {"core": "red", "ar1": "red"})
    assert table.tap("entries/2", what="instead", star="blue") == 204
    assert "are linked" not in table.page()
    assert "corrected" in table.page()
    assert table.tap("entries/2", what="nothing") == 204
    assert "did not happen" in table.page()
    assert table.stars() == {"core": "red"}


def test_a_space_is_filled_by_hand(table: Table) -> None:
    assert table.tap("star", seat=1, space="core", star="white") == 204
    assert table.tap("black", seat=1, count=2) == 204
    assert table.stars(1) == {"core": "white"}
    assert table.tap("star", seat=1, space="core", star="") == 204
    assert table.stars(1) == {}


IMPOSSIBLE: Sequence[tuple[str, dict[str, Any]]] = (
    ("star", {"seat": 0, "space": "nowhere", "star": "red"}),
    ("star", {"seat": 7, "space": "core", "star": "red"}),
    ("star", {"seat": 0, "space": "core", "star": "red", "after": 99}),
    ("black", {"seat": 0, "count": 99}),
    ("entries", {"kind": "claim", "seat": 0, "card": "V20"}),
    ("entries", {"kind": "value", "token": "pink"}),
    ("entries", {"kind": "value", "token": "red", "due": 99}),
    ("entries/99", {"what": "nothing"}),
    ("entries/1", {"what": "instead"}),
    ("boards", {"seat": 0, "source": "nobody", "board": 0}),
    ("personal", {"seat": 0, "card": "V1"}),
)


def test_what_cannot_be_is_refused(table: Table) -> None:
    table.place(0, {"core": "red"})
    for what, form in IMPOSSIBLE:
        assert table.tap(what, **form) == 422, (what, form)
        assert table.service.log.last(table.id) == 1


@on_both_databases
def test_a_look_back_shows_the_table_as_it_was(table: Table) -> None:
    table.place(0, {"core": "red", "ar1": "blue"})
    then = table.page("?at=1")
    assert "The board of Ana: 1 star, 0 black" in then
    assert "Back to now" in then
    assert "The board of Ana: 2 stars" in table.page()


def test_a_personal_card_is_shown_to_who_asks_and_to_nobody_else(table: Table) -> None:
    assert table.tap("personal", seat=0, card="O19") == 204
    assert "O19" not in table.page()
    assert "/assets/nebula/cards/O19.svg" in table.page("?mine=0")
    assert "O19" not in table.page("?mine=1")


@pytest.mark.parametrize(
    ("seen", "card"),
    [
        ({"O19"}, "O19"),
        ({"O19", "O3"}, None),
        (set(), None),
    ],
    ids=["one", "two", "none"],
)
def test_a_personal_card_that_is_held_up_is_named_and_not_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch, seen: set[str], card: str | None
) -> None:
    monkeypatch.setattr(live_cameras, "read_sent", lambda *_asked: seen)
    answer = table.player.post(f"{table.game}/live/held", {"seat": 0})
    assert answer.json == {"card": card}
    assert "O19" not in table.page("?mine=0")


def test_a_card_is_recognised_for_one_at_a_time_and_where_a_game_has_such_cards(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_cameras, "read_sent", lambda *_asked: {"O19"})
    address = f"{table.game}/live/held"
    with live_cameras._recognising:
        assert table.player.post(address, {"seat": 0}).json == {"card": None}
    assert table.player.post(address, {"seat": 0}).json == {"card": "O19"}

    monkeypatch.setattr("webapp.web.pages.personal.known", lambda _game: {})
    assert table.player.post(address, {"seat": 0}).status_code == 404


def test_a_picture_that_cannot_be_read_shows_no_card(table: Table) -> None:
    answer = table.player.post(f"{table.game}/live/held", {"seat": 0})
    assert answer.status_code == 422 and answer.json
    assert "Choose a photograph" in answer.json["message"]


def test_the_personal_cards_points_are_not_in_the_score_now(table: Table) -> None:
    table.tap("personal", seat=0, card="O19")  # fulfilled: a tie for the most black stars counts
    assert '<span class="count">0</span>' in table.page()


@on_both_databases
def test_swapped_boards_are_given_to_the_right_players(table: Table) -> None:
    table.place(0, {"core": "red"})
    table.place(1, {"core": "blue"})
    assert table.tap("boards", source="cam", board=0, seat=1) == 204
    assert (table.stars(0), table.stars(1)) == ({"core": "blue"}, {"core": "red"})


@on_both_databases
def test_an_owner_and_a_new_beginning_that_are_delivered_twice_count_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.place(0, {"core": "red"})
    table.place(1, {"core": "blue"})
    begun: list[str] = []
    monkeypatch.setattr(table.service.workers, "begin_anew", begun.append)
    for _ in range(2):
        assert table.tap("boards", source="cam", board=0, seat=1, tap="a" * 32) == 204
    assert (table.stars(0), table.stars(1)) == ({"core": "blue"}, {"core": "red"})
    for _ in range(2):
        assert table.tap("restart", tap="b" * 32) == 204
    assert begun == [table.id]
    kinds = [entry.kind for entry in table.service.log.entries(table.id)]
    assert kinds == ["seen", "seen", "assign", "assign", "restart"]


@on_both_databases
def test_the_last_state_goes_into_the_score(table: Table) -> None:
    table.place(0, {"core": "yellow", **ARIES})
    table.place(1, {"core": "blue"})
    table.see(board=1, kind="black", count=3)
    table.tap("entries", kind="value", token="aries")
    table.tap("personal", seat=0, card="O19")
    answer = table.player.post(f"{table.game}/live/finish")
    assert answer.headers["Location"] == f"{table.game}/players/0/review"
    assert table.confirm_boards(2).headers["Location"] == f"{table.game}/nebula/players/1/personal"
    table.player.post(f"{table.game}/nebula/players/1/personal", {"card": "O20"})
    document = table.app.extensions["stargazer"].games.open(table.id).document
    assert document["players"][0]["stars"]["ar3"] == "white"
    assert document["players"][0]["career"] == {"V1": "first"}
    assert document["players"][1]["black"] == 3
    assert document["values"]["constellations"] == ["aries"]
    answer = table.player.post(f"{table.game}/nebula/markers", {"V1-0": "first"})
    assert answer.headers["Location"] == f"{table.game}/score"
    assert "Ana wins" in table.player.get(f"{table.game}/score").text


@on_both_databases
def test_a_restarted_server_knows_the_table(serve: Callable[[], Flask]) -> None:
    before = Table(serve())
    before.place(0, ARIES)
    before.tap("entries", kind="claim", seat=0, card="V1")
    after = Table(serve(), before.game)
    assert after.stars() == ARIES
    after.place(0, ARIES)  # a camera without a memory tells everything again
    assert after.service.log.last(after.id) == before.service.log.last(before.id), "doubled"
    after.place(0, {"core": "yellow"})
    assert after.stars() == {**ARIES, "core": "yellow"}


@on_both_databases
def test_a_deleted_game_takes_its_log_with_it(table: Table) -> None:
    table.place(0, {"core": "red"})
    table.player.post(f"{table.game}/delete")
    assert table.player.get(f"{table.game}/live").status_code == 404
    with table.app.test_request_context():
        reported = list(event_streams.event_streams().stream({table.id: 0}, lambda: False))
    assert "event: gone" in reported[-1]


def test_a_game_is_followed_live_before_anybody_is_asked_for_its_end(table: Table) -> None:
    player, names = table.player, {"count": "2", "name-0": "Ana", "name-1": "Luis"}
    colours = {"marker-0": "teal", "marker-1": "coral", "mode": "full"}
    live = player.post("/games/new", {**names, **colours, "live": "yes"}).headers["Location"]
    assert live.endswith("/live"), "the first thing after the names"
    assert "Film with this device" in player.get(live).text
    game = live.removesuffix("/live")
    assert player.post(f"{game}/nebula/cards", CARDS).headers["Location"] == live, (
        "not the Values board"
    )
    assert player.get(game).headers["Location"] == live
    assert "Next: Live" in player.get("/").text

    assert player.get(table.game).headers["Location"].endswith("/values")
    assert player.post(f"{table.game}/live").headers["Location"] == f"{table.game}/live"
    table.place(0, ARIES)
    assert player.get(table.game).headers["Location"] == f"{table.game}/live"
    player.post(f"{table.game}/live/finish")
    assert not player.get(table.game).headers["Location"].endswith("/live"), "it is over"


@on_both_databases
def test_a_game_of_which_something_was_seen_goes_on_live(table: Table) -> None:
    table.see(kind="black", count=1)
    assert table.player.get(table.game).headers["Location"] == f"{table.game}/live"
