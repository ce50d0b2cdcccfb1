"""A board entered by hand: each tap is sent in its turn, or kept until it can be."""

from typing import Any

from playwright.sync_api import Page

from tests.webapp.scripts.conftest import FRAME, ORIGIN, Run


def entry(revision: int, **stars: str) -> str:
    """The board as the server draws it at a revision."""
    spaces = "".join(
        f'<g class="space" id="space-{id_}" tabindex="{-n}" data-space="{id_}" data-name="{id_}"'
        f' data-kind="spot" data-x="{20 + 40 * n}" data-y="20" data-radius="5"'
        f' data-admits="red blue"'
        f' data-star="{stars.get(id_, "")}"><g class="piece"></g></g>'
        for n, id_ in enumerate("ab")
    )
    return f"""<div class="entered" data-revision="{revision}" data-counts='{{"black": 2}}'>
      <p id="entry-message"></p><section id="breaks"></section>
      <button id="undo" data-action="/undo">u</button>
      <button id="redo" data-action="/redo">r</button>
      <svg id="drawn" width="200" height="80" viewBox="0 0 100 40">{spaces}<g class="clashes"></g>
      <g class="track-row"><g data-fill="0"></g></g></svg></div>"""


HTML = f"""{FRAME}<div id="entry">{entry(1)}</div><ul id="why"></ul>
  <template id="piece-red"><svg><circle class="red"/></svg></template>
  <template id="piece-blue"><svg><circle class="blue"/></svg></template>
  <div id="words" data-star="/star" data-token="t" data-empty="empty" data-refused="/refused"></div>
  <form id="step" action="/confirm"><input name="shown" value="1"></form>
  <div class="paintbox"><fieldset class="paints" data-why="why">
    <label title="red"><input type="radio" name="paint" value="red" checked>
    </label><label title="blue"><input type="radio" name="paint" value="blue">
    </label></fieldset>
    <div class="stepper" data-track="black" data-most="5" data-action="/count/black">
      <button data-by="-1">-</button><output>0</output><button data-by="1">+</button></div></div>"""
PREPARE = """
  const { queue, keep } = await import("./outbox.js");
  const sent = [];
  const answers = [];
  window.fetch = async (url, { body } = {}) => {
    if (!body) return url === "/refused" ? Response.json({}) : new Response("", { status: 503 });
    const { space, star, count, revision } = Object.fromEntries(body);
    sent.push([url, space ?? null, star ?? count ?? null, revision ?? null]);
    return new Promise((done, fail) => {
      answers.push((text) => (text ? done(new Response(text)) : fail(new TypeError("no network"))));
    });
  };
  const settle = () => new Promise((done) => { setTimeout(done, 20); });
  const answer = async (text) => { answers.shift()(text); await settle(); };
  const tap = (id) => {
    const { left, width, y, height } = document.getElementById(`space-${id}`).ownerSVGElement
      .getBoundingClientRect();
    const at = Number(document.getElementById(`space-${id}`).dataset.x) / 100;
    document.getElementById("drawn").dispatchEvent(new MouseEvent("click", {
      bubbles: true, clientX: left + at * width, clientY: y + height / 2,
    }));
  };
  const paint = (colour) => { document.querySelector(`[value=${colour}]`).checked = true; };
  const star = (id) => document.getElementById(`space-${id}`).dataset.star;
  const count = () => document.querySelector("output").value;
  const kept = () => queue().map(({ fields, instead }) => {
    const told = new Map(fields);
    return [told.get("space") ?? null, told.get("star") ?? told.get("count"), instead];
  });
  await settle();
"""


def by_hand(run: Run, body: str, given: Any = None) -> Any:
    return run("hand.js", PREPARE + body, given, HTML)


def test_a_tap_is_drawn_at_once_and_sent_as_of_what_was_seen(run: Run) -> None:
    body = """
      tap("a");
      const drawn = [star("a"), Boolean(document.querySelector("#space-a .piece circle.red"))];
      await settle();
      await answer(given);
      return [drawn, sent, document.querySelector("[name=shown]").value, queue()];
    """
    drawn, sent, shown, waiting = by_hand(run, body, entry(2, a="red"))
    assert drawn == ["red", True] and sent == [["/star", "a", "red", "1"]]
    assert shown == "2" and waiting == []


def test_taps_go_one_after_the_other_each_as_of_the_answer_before(run: Run) -> None:
    body = """
      tap("a");
      tap("b");
      await settle();
      const before = sent.length;
      await answer(given[0]);
      const between = star("b");
      await answer(given[1]);
      return [before, sent.map(([, space, , revision]) => [space, revision]), between, star("b")];
    """
    given = [entry(2, a="red"), entry(3, a="red", b="red")]
    assert by_hand(run, body, given) == [1, [["a", "1"], ["b", "2"]], "red", "red"]


def test_an_answer_draws_a_track_anew_only_where_it_has_changed(run: Run) -> None:
    body = """
      const row = () => document.querySelector(".track-row > *");
      const [before, { fill }] = [row(), row().dataset];
      tap("a");
      await settle();
      await answer(given[0]);
      const stayed = row() === before;
      tap("b");
      await settle();
      await answer(given[1]);
      return [fill, stayed, row().dataset.fill];
    """
    given = [
        entry(2, a="red"),
        entry(3, a="red", b="red").replace('data-fill="0"', 'data-fill="1"'),
    ]
    assert by_hand(run, body, given) == ["0", True, "1"]


def test_what_gets_no_answer_is_kept_with_all_that_follows(run: Run) -> None:
    body = """
      tap("a");
      tap("b");
      await settle();
      await answer(null);
      return [kept(), sent.length, star("a"), star("b")];
    """
    waiting, sent, *stars = by_hand(run, body)
    assert waiting == [["a", "red", ""], ["b", "red", ""]]
    assert sent == 1 and stars == ["red", "red"]


def test_undoing_a_second_change_of_a_space_brings_back_what_was_there_at_first(run: Run) -> None:
    body = """
      tap("a");
      await settle();
      await answer(null);
      paint("blue");
      tap("a");
      await settle();
      const before = kept();
      document.getElementById("undo").click();
      await settle();
      return [before, kept(), star("a")];
    """
    assert by_hand(run, body) == [[["a", "blue", ""]], [], ""]


def test_counts_are_sent_and_kept_too(run: Run) -> None:
    body = """
      document.querySelector("[data-by='1']").click();
      await settle();
      await answer(null);
      document.querySelector("[data-by='1']").click();
      await settle();
      return [sent, kept(), count()];
    """
    sent, waiting, shown = by_hand(run, body)
    assert sent == [["/count/black", None, "3", "1"]]
    assert waiting == [[None, "4", "2"]] and shown == "4"


def test_what_waits_is_drawn_again_after_a_reload(run: Run) -> None:
    keep = """
      const on = (space) => [["space", space], ["star", "blue"]];
      script.keep({ same: "1", url: "/star", instead: "", fields: on("b") });
      script.keep({ same: "2", url: "/count/black", instead: "2", fields: [["count", "5"]] });
      script.keep({ same: "3", url: "/other", fields: on("a") });
      window.fetch = async () => new Response("", { status: 503 });
      await import("./hand.js");
      const space = (id) => document.getElementById(`space-${id}`).dataset.star;
      return [space("a"), space("b"), document.querySelector("output").value,
        document.getElementById("entry-message").hidden];
    """
    assert run("outbox.js", keep, None, HTML) == ["", "blue", "5", True]


def test_who_goes_on_is_held_until_all_is_sent(run: Run) -> None:
    body = """
      let gone = 0;
      document.getElementById("step").addEventListener("submit", (event) => {
        if (!event.defaultPrevented) gone += 1;
        event.preventDefault();
      });
      tap("a");
      document.getElementById("step").requestSubmit();
      await settle();
      const early = gone;
      await answer(given);
      return [early, gone];
    """
    assert by_hand(run, body, entry(2, a="red")) == [0, 1]


def test_a_board_that_is_no_longer_entered_by_hand_leaves_nothing_to_send_again(
    run: Run, page: Page
) -> None:
    body = """
      window.addEventListener("pagehide", () => sessionStorage.setItem("left", "yes"));
      tap("a");
      await settle();
      answers.shift()("<p>a photograph's board</p>");
    """
    with page.expect_navigation():
        by_hand(run, body)
    assert page.url == f"{ORIGIN}/" and page.evaluate("sessionStorage.left") == "yes"
    assert page.evaluate("localStorage.getItem('stargazer undelivered')") is None
