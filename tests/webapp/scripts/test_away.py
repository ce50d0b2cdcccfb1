"""What is entered while the computer is away is kept on this device, and shown as what waits."""

from typing import Any

import pytest

from tests.webapp.scripts.conftest import FRAME, Run

STAR = """<form id="star" method="post" action="/games/1/star" data-queue data-swap="#board">
  <input name="csrf_token" value="t"><input name="seat" value="1"><input name="space" value="A1">
  <button name="star" value="red">red</button></form><div id="board"></div>"""
COUNT = """<form class="stepper" id="count" action="/games/1/count" data-queue data-most="5">
  <input type="hidden" name="seat" value="1"><button name="count" value="1">-</button>
  <span class="number">2</span><button name="count" value="3">+</button></form>"""
PREPARE = """
  const { keep, queue } = await import("./outbox.js");
  const asked = [];
  const answers = [...(given?.answers ?? [])];
  window.fetch = async (url, { body } = {}) => {
    if (url === "/healthz/invited") return new Response("", { status: given?.there ? 200 : 503 });
    asked.push([url, Object.fromEntries(body ?? [])]);
    const status = answers.shift();
    if (!status) throw new TypeError("no network");
    return new Response("fresh", { status });
  };
  const form = document.querySelector("form");
  const button = form?.querySelector("button:last-of-type");
"""


def away(run: Run, html: str, body: str, given: Any = None) -> Any:
    return run("away.js", PREPARE + body, given, FRAME + html)


def test_a_page_that_lost_its_stream_asks_once_whether_its_phone_is_invited(run: Run) -> None:
    body = """
      const asked = [];
      window.fetch = async (url) => { asked.push(url); return new Response(""); };
      await script.lost();
      return asked;
    """
    assert run("away.js", body, None, FRAME) == ["/healthz/invited"]


def test_that_there_was_no_answer_is_not_said_any_more_once_the_computer_is_back(run: Run) -> None:
    body = """
      let there = false;
      window.fetch = async () => new Response("", { status: there ? 200 : 503 });
      const unreached = document.getElementById("unreached");
      await script.look();
      unreached.hidden = false; // a tap failed
      await script.look();
      const away = unreached.hidden;
      there = true;
      await script.look();
      return [away, unreached.hidden];
    """
    assert run("away.js", body, None, FRAME) == [False, True]


def test_a_form_is_kept_with_its_page_and_a_name_of_its_own(run: Run) -> None:
    body = "script.keepForLater(form, script.entered(form, button)); return queue();"
    [entry] = away(run, STAR, body)
    fields = dict(entry["fields"])
    assert len(fields.pop("delivery")) == 32
    assert fields == {"csrf_token": "t", "seat": "1", "space": "A1", "star": "red"}
    assert (entry["url"], entry["page"]) == ("http://localhost/games/1/star", "/")
    assert entry["swap"] == "#board"


def test_another_star_for_the_same_space_replaces_the_first(run: Run) -> None:
    body = """
      for (const [space, star] of [["A1", "red"], ["B2", "red"], ["A1", "blue"]]) {
        const data = new FormData(form);
        data.set("space", space);
        data.set("star", star);
        script.keepForLater(form, data);
      }
      const stars = queue().map(({ fields }) => new Map(fields));
      return stars.map((one) => [one.get("space"), one.get("star")]);
    """
    assert away(run, STAR, body) == [["B2", "red"], ["A1", "blue"]]


def test_taps_at_the_live_table_are_all_kept(run: Run) -> None:
    body = """
      for (let n = 0; n < 3; n++) await script.sendTap(form, button);
      return queue().map(({ same, fields }) => same === new Map(fields).get("tap"));
    """
    assert away(run, STAR, body) == [True, True, True]


def test_what_has_no_room_is_not_kept_and_that_is_said(run: Run) -> None:
    body = """
      for (let n = 0; n < 500; n++) keep({ same: String(n), url: "/", fields: [] });
      const kept = script.keepForLater(form, new FormData(form));
      return [kept, queue().length, document.getElementById("full").hidden];
    """
    assert away(run, STAR, body) == [False, 500, False]


@pytest.mark.parametrize(
    ("answers", "status", "kept"),
    [([200], 200, 0), ([409], 409, 0), ([503], 503, 1), ([], None, 1)],
)
def test_a_tap_is_kept_unless_it_was_answered(
    run: Run, answers: list[int], status: int | None, kept: int
) -> None:
    body = """
      const answer = await script.sendTap(form, button);
      return [answer?.status ?? null, queue().length];
    """
    assert away(run, STAR, body, {"answers": answers}) == [status, kept]


def test_a_tap_that_cannot_wait_is_not_kept(run: Run) -> None:
    body = "return [await script.sendTap(form, button), queue()];"
    assert away(run, STAR.replace(" data-queue", ""), body) == [None, []]


def test_a_tap_comes_after_what_waits_already(run: Run) -> None:
    body = """
      keep({ same: "first", url: "/games/1/cards", fields: [] });
      await script.sendTap(form, button);
      return [asked, queue().map(({ url }) => new URL(url, location.href).pathname)];
    """
    sent, waiting = away(run, STAR, body, {"answers": [200, 200]})
    assert sent == [] and waiting == ["/games/1/cards", "/games/1/star"]


def test_a_tap_goes_when_the_one_before_was_answered(run: Run) -> None:
    body = """
      let answer;
      const sent = [];
      window.fetch = (url, { body }) => {
        sent.push(body.get("star"));
        return new Promise((done) => { answer = () => done(new Response("")); });
      };
      const settle = () => new Promise((done) => { setTimeout(done, 10); });
      const [first] = [script.sendTap(form, button), script.sendTap(form, button)];
      await settle();
      const before = sent.length;
      answer();
      await first;
      await settle();
      return [before, sent.length];
    """
    assert away(run, STAR, body) == [1, 2]


def test_the_next_tap_counts_from_what_waits(run: Run) -> None:
    body = """
      await script.sendTap(form, button);
      await script.sendTap(form, button);
      const [less, more] = form.querySelectorAll("button");
      return [form.querySelector(".number").textContent, less.value, more.value, more.disabled,
        queue().map(({ fields }) => new Map(fields).get("count"))];
    """
    assert away(run, COUNT, body) == ["4", "3", "5", False, ["3", "4"]]


def test_an_answer_is_shown_where_it_was_entered(run: Run) -> None:
    body = """
      const told = [];
      document.addEventListener("swapped", ({ target }) => told.push(target.id));
      const deliver = (page) => document.dispatchEvent(new CustomEvent("delivered", { detail: {
        entry: { same: "1", url: "/", fields: [], swap: "#board", page },
        answer: new Response("fresh"),
      } }));
      deliver("/elsewhere");
      await new Promise((done) => { setTimeout(done); });
      const before = document.getElementById("board").innerHTML;
      deliver("/");
      await new Promise((done) => { setTimeout(done); });
      return [before, document.getElementById("board").innerHTML, told];
    """
    assert away(run, STAR, body) == ["", "fresh", ["board"]]


def test_while_the_computer_is_away_a_form_is_kept_and_others_have_no_button(run: Run) -> None:
    form = (
        STAR.replace(' data-swap="#board"', "")
        + '<form id="plain" method="post"><button>go</button></form>'
    )
    body = """
      await script.look();
      const shown = [document.getElementById("away").hidden, button.disabled,
        document.querySelector("#plain button").disabled];
      form.requestSubmit(button);
      return [...shown, queue().length, asked];
    """
    assert away(run, form, body) == [False, False, True, 1, []]


def test_what_was_refused_is_read_and_can_be_sent_again_or_thrown_away(run: Run) -> None:
    entries = [
        {"same": "1", "url": "/a", "fields": [["black", "3"]], "problem": "no such player"},
        {"same": "2", "url": "/b", "fields": [["white", "4"]], "problem": "changed", "status": 409},
        {"same": "3", "url": "/c", "fields": [["red", "5"]], "problem": "no photo", "status": 415},
    ]
    body = """
      const drawn = () => new Promise((done) => { setTimeout(done); });
      for (const entry of given.entries) keep(entry);
      await drawn();
      const list = document.querySelector("#undelivered ul");
      const buttons = (item) => [...item.querySelectorAll("button")];
      const told = [...list.children].map((item) => [item.querySelector("q").textContent,
        buttons(item).map((one) => one.textContent)]);
      buttons(list.children[1])[0].click();
      buttons(list.children[0])[0].click();
      await drawn();
      return [told, document.querySelector("#undelivered span").textContent, queue().slice(0, 1)];
    """
    reported, waiting, left = away(run, "", body, {"entries": entries})
    assert reported == [["3", ["again", "discard"]], ["4", ["discard"]], ["5", ["discard"]]]
    assert waiting == "1 change", "what was refused does not wait"
    assert left == [{"same": "1", "url": "/a", "fields": [["black", "3"]]}]


def test_what_waits_is_listed_once_no_finger_is_down(run: Run) -> None:
    body = """
      const listed = () => new Promise((done) => {
        setTimeout(() => done(document.querySelectorAll("#undelivered li").length), 20);
      });
      document.dispatchEvent(new PointerEvent("pointerdown", { pointerId: 1 }));
      keep({ same: "1", url: "/a", fields: [["black", "3"]], problem: "no such player" });
      const before = await listed();
      document.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
      document.dispatchEvent(new MouseEvent("click"));
      return [before, await listed()];
    """
    assert away(run, "", body) == [0, 1]


def test_whoever_leaves_the_table_leaves_nothing_behind(run: Run) -> None:
    body = """
      keep({ same: "1", url: "/", fields: [] });
      form.addEventListener("submit", (event) => event.preventDefault());
      form.requestSubmit();
      return queue();
    """
    assert away(run, '<form data-leave action="/leave"><button>Leave</button></form>', body) == []


BOARDS = """<form action="/games/1/star"></form>""" + "".join(
    f"""<div id="player-{seat}"><svg><g class="space" data-space="A 1" data-x="5" data-y="6"></g>
    </svg></div>"""
    for seat in (0, 1)
)


@pytest.mark.parametrize(
    ("entries", "drawn"),
    [
        ([("/games/1/star", "0", "A 1")], [1, 0]),
        ([("/games/1/star", "1", "A 1"), ("/games/1/star", "1", "A 1")], [0, 1]),
        ([("/games/2/star", "0", "A 1"), ("/games/1/star", "0", "B 2")], [0, 0]),
    ],
)
def test_what_waits_is_drawn_on_its_space_of_its_board(
    run: Run, entries: list[tuple[str, str, str]], drawn: list[int]
) -> None:
    body = """
      const entries = given.map(([url, seat, space]) => (
        { same: "1", url, fields: [["seat", seat], ["space", space], ["star", "red"]] }));
      script.drawWaiting(entries);
      script.drawWaiting(entries);
      const drawn = (seat) => document.querySelectorAll(`#player-${seat} .waiting-piece`);
      return [0, 1].map((seat) => drawn(seat).length);
    """
    assert run("waiting_pieces.js", body, entries, BOARDS) == drawn
