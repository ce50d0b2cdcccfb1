"""A photograph of the whole table is kept until the computer has it, and its page opened then."""

import json
from typing import Any

import pytest

from tests.webapp.scripts.conftest import FRAME, Run

HTML = f"""{FRAME}<form class="whole-table" action="/photographs" data-goes="#table"
  data-largest="10"><input name="whole" value="yes"><input type="file" data-sends>
  <p class="sending" hidden>on its way</p><p class="error" hidden>too large</p></form>"""
CHOSEN = """
  let answers = [];
  window.fetch = async () => new Response("", { status: answers.length ? 200 : 503 });
  window.XMLHttpRequest = class {
    upload = {};
    open() {}
    setRequestHeader() {}
    send(body) {
      [this.status, this.responseText] = answers.shift();
      sent.push([body.get("whole"), body.get("delivery").length, body.get("photo").size]);
      setTimeout(() => { this.onload(); this.onloadend(); });
    }
  };
  const sent = [];
  await import("./whole_table.js");
  const { queue } = await import("./outbox.js");
  const { look } = await import("./away.js");
  const isShown = (kind) => !document.querySelector(`.${kind}`).hidden;
  const shown = () => ["sending", "error"].filter(isShown);
  const choose = async (bytes) => {
    const picked = new DataTransfer();
    picked.items.add(new File(["x".repeat(bytes)], "table.jpg", { type: "image/jpeg" }));
    const photo = document.querySelector("[data-sends]");
    photo.files = picked.files;
    photo.dispatchEvent(new Event("change", { bubbles: true }));
    while (isShown("sending")) await new Promise((done) => { setTimeout(done, 10); });
  };
"""


def whole_table(run: Run, body: str) -> Any:
    return run("dom.js", f"{CHOSEN} {body}", None, HTML)


def test_it_waits_while_the_computer_is_away_and_its_page_opens_once_it_has_arrived(
    run: Run,
) -> None:
    body = """
      await choose(5);
      const waits = [queue().length, sent.length, location.hash];
      answers = [[201, "{}"]];
      await look();
      return [waits, sent, queue().length, location.hash];
    """
    assert whole_table(run, body) == [[1, 0, ""], [["yes", 32, 5]], 0, "#table"]


def test_one_that_is_refused_or_too_large_opens_nothing(run: Run) -> None:
    body = """
      await choose(11);
      const large = [queue().length, ...shown()];
      answers = [[422, JSON.stringify({ message: "no photograph" })]];
      await choose(5);
      return [large, location.hash,
        document.getElementById("undelivered").textContent.includes("no photograph")];
    """
    assert whole_table(run, body) == [[0, "error"], "", True]


def test_what_arrives_of_another_game_leaves_the_page_open(run: Run) -> None:
    body = """
      const entry = { same: "x", page: "#other", fields: [["whole", "yes"]] };
      const detail = { entry: { ...entry, url: `${location.origin}/other` } };
      document.dispatchEvent(new CustomEvent("delivered", { detail }));
      const before = location.hash;
      detail.entry.url = `${location.origin}/photographs`;
      document.dispatchEvent(new CustomEvent("delivered", { detail }));
      return [before, location.hash];
    """
    assert whole_table(run, body) == ["", "#other"]


def test_it_is_said_to_be_on_its_way_while_it_waits_for_another(run: Run) -> None:
    body = """
      let goOn = () => {};
      answers = [[200, ""], [201, "{}"]];
      const really = window.fetch;
      window.fetch = (url, ...more) => (String(url).includes("slow")
        ? new Promise((done) => { goOn = () => done(new Response("")); }) : really(url, ...more));
      const { deliver, keep } = await import("./outbox.js");
      keep({ same: "slow", url: "/slow", fields: [] });
      const delivered = deliver();
      choose(5);
      while (queue().length < 2) await new Promise((done) => { setTimeout(done, 10); });
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => { setTimeout(done); });
      const meanwhile = shown();
      goOn();
      await delivered;
      return [meanwhile, shown(), location.hash];
    """
    assert whole_table(run, body) == [["sending"], [], "#table"]


REVIEWED = f"""{FRAME}<form id="step" data-photograph="p1"></form><fieldset>
  <input type="radio" form="step" name="guess-0-ar1" value="red" checked>
  <input type="radio" form="step" name="guess-0-ar1" value="blue"></fieldset>
  <input type="checkbox" form="step" name="as-shown" value="yes">"""


OTHER, TICK, UNTOUCHED = ["guess-0-ar1", "blue"], ["as-shown", "yes"], ["guess-0-ar1", "red"]


@pytest.mark.parametrize(
    ("photograph", "fields", "chosen"),
    [
        ("p1", [OTHER, TICK], [OTHER, TICK]),
        ("p1", [OTHER], [OTHER]),
        ("p2", [OTHER, TICK], [UNTOUCHED]),  # of another photograph
        ("p1", [TICK], [UNTOUCHED]),  # that guess was not on the page
    ],
)
def test_what_was_chosen_stays_when_the_cards_are_read(
    run: Run, photograph: str, fields: Any, chosen: Any
) -> None:
    kept = json.dumps({"photograph": photograph, "fields": fields, "top": 0})
    body = f"""
      sessionStorage.setItem("stargazer chosen at the table", {json.dumps(kept)});
      await import("./whole_table.js");
      const kept = sessionStorage.getItem("stargazer chosen at the table");
      return [[...new FormData(document.getElementById("step"))], kept];
    """
    assert run("dom.js", body, None, REVIEWED) == [chosen, None]


def test_progress_is_followed_until_it_changes_and_no_page_is_reloaded_that_is_left(
    run: Run,
) -> None:
    body = """
      let looks = 0;
      const failed = [];
      window.addEventListener("unhandledrejection", ({ reason }) => { failed.push(`${reason}`); });
      const answers = ['{"state": "partly"}', "<p>You are not at this table.</p>"];
      window.fetch = async () => new Response(answers[looks++]);
      await import("./whole_table.js");
      window.dispatchEvent(new Event("beforeunload"));
      while (looks < 2) await new Promise((done) => { setTimeout(done, 10); });
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => { setTimeout(done); });
      return failed;
    """
    waiting = '<p id="table-waiting" data-state="partly" data-progress="/progress"></p>'
    assert run("dom.js", body, None, FRAME + waiting) == []


def test_a_page_that_was_not_left_after_all_is_reloaded(run: Run) -> None:
    body = """
      let looks = 0;
      window.fetch = async () => { looks += 1; return new Response('{"state": "read"}'); };
      await import("./whole_table.js");
      window.dispatchEvent(new Event("beforeunload"));
      const reloads = new Promise((done) => {
        Storage.prototype.setItem = (key) => { done(key); throw new Error("before it reloads"); };
      });
      while (looks < 2) await new Promise((done) => { setTimeout(done, 10); });
      const now = performance.now();
      performance.now = () => now + 20000;
      return reloads;
    """
    waiting = '<p id="table-waiting" data-state="partly" data-progress="/progress"></p>'
    kept = "stargazer chosen at the table"
    assert run("dom.js", body, None, REVIEWED + waiting) == kept
