"""What every page does: parts drawn anew in order, and what was typed coming back."""

from typing import Any

from tests.webapp.scripts.conftest import FRAME, Run

STEP = """<form id="step" data-kept action="/games/1/values" data-swap="#part" data-queue>
  <input name="csrf_token" value="t"><input name="revision" value="7">
  <input name="name" value="Ana">
  <input type="radio" name="count" value="2" checked><input type="radio" name="count" value="3">
  <select name="mark"><option>red</option><option>blue</option></select>
  <textarea name="note"></textarea><button name="name" value="go">go</button></form>
  <div id="part">old</div>"""
FIELDS = """
  const shown = () => ({
    name: document.querySelector("input[name=name]").value,
    count: document.querySelector("[name=count]:checked").value,
    mark: document.querySelector("select").value,
    note: document.querySelector("textarea").value,
    revision: document.querySelector("[name=revision]").value,
    button: document.querySelector("button[name=name]").value,
  });
"""
AGAIN = """
  sessionStorage.setItem("stargazer enter again", JSON.stringify(given));
"""
SWAP = """
  const part = document.getElementById("part");
  const answers = [];
  window.fetch = (url) => new Promise((done) => {
    answers.push([url, (text, status = 200) => done(new Response(text, { status }))]);
  });
  const settled = () => new Promise((done) => { setTimeout(done); });
"""


def page(run: Run, body: str, given: Any = None) -> Any:
    """Run a body with the exports of `page.js` on a page with a step; `script` is the outbox's."""
    html = FRAME + STEP
    return run("outbox.js", f"{FIELDS} {body}", given, html)


def with_page(body: str) -> str:
    return f'const page = await import("./page.js"); {body}'


def test_typed_is_what_somebody_entered_and_nothing_else(run: Run) -> None:
    typed = page(run, with_page("return page.typed();"))
    assert typed == [["name", "Ana"], ["count", "2"], ["mark", "red"], ["note", ""]]


def test_what_was_typed_comes_back(run: Run) -> None:
    fields = [["name", "Eva"], ["count", "3"], ["mark", "blue"], ["note", "so"]]
    given = {"page": "/", "fields": fields, "offered": False}
    assert page(run, AGAIN + with_page("return shown();"), given) == {
        "name": "Eva",
        "count": "3",
        "mark": "blue",
        "note": "so",
        "revision": "7",
        "button": "go",
    }


def test_what_was_typed_on_another_page_does_not(run: Run) -> None:
    given = {"page": "/games/2", "fields": [["name", "Eva"]], "offered": False}
    body = AGAIN + with_page("return [shown().name, sessionStorage.length];")
    assert page(run, body, given) == ["Ana", 0]


def test_what_is_offered_is_not_entered_by_itself(run: Run) -> None:
    given = {"page": "/", "fields": [["name", "Eva"]], "offered": True}
    offer = """document.body.insertAdjacentHTML("beforeend",
      '<p id="typed" hidden data-fields="[]"><button></button></p>');"""
    reported = "return [shown().name, document.getElementById('typed').hidden];"
    assert page(run, AGAIN + offer + with_page(reported), given) == ["Ana", False]


def test_what_is_typed_is_in_the_page_s_history_for_a_reload(run: Run) -> None:
    body = """
      const field = document.querySelector("input[name=name]");
      field.value = "Zoë";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      return new Map(history.state.entered).get("name");
    """
    assert page(run, with_page(body)) == "Zoë"


def test_a_later_exchange_is_never_overtaken_by_an_earlier_one(run: Run) -> None:
    body = """
      const done = [page.swap(part, "/first"), page.swap(part, "/second")];
      await settled();
      const before = answers.map(([url]) => url);
      answers[0][1]("1");
      await done[0];
      const now = part.innerHTML;
      await settled();
      answers[1][1]("2");
      await done[1];
      return [before, now, part.innerHTML];
    """
    assert page(run, SWAP + with_page(body)) == [["/first"], "1", "2"]


def test_an_exchange_that_failed_does_not_stop_the_next_one(run: Run) -> None:
    body = """
      window.fetch = async (url) => {
        if (url === "/first") throw new TypeError("no network");
        return new Response("2");
      };
      const first = page.swap(part, "/first").catch(() => "failed");
      return [await first, await page.swap(part, "/second"), part.innerHTML];
    """
    assert page(run, SWAP + with_page(body)) == ["failed", True, "2"]


def test_what_is_refused_leaves_the_part_as_it_is(run: Run) -> None:
    body = """
      const done = page.swap(part, "/first");
      await settled();
      answers[0][1]("wrong", 422);
      return [await done, part.innerHTML];
    """
    assert page(run, SWAP + with_page(body)) == [False, "old"]


def test_an_answer_takes_back_that_there_was_none(run: Run) -> None:
    body = """
      const unreached = document.getElementById("unreached");
      unreached.hidden = false;
      const done = page.swap(part, "/first");
      await settled();
      const before = unreached.hidden;
      answers[0][1]("there");
      await done;
      return [before, unreached.hidden];
    """
    assert page(run, SWAP + with_page(body)) == [False, True]


def test_what_is_open_and_where_one_is_stay_through_an_exchange(run: Run) -> None:
    body = """
      const html = `<details id="more"><summary>more</summary></details>
        <button id="here">x</button>`;
      part.innerHTML = html;
      document.getElementById("more").open = true;
      document.getElementById("here").focus();
      const done = page.swap(part, "/first");
      await settled();
      answers[0][1](html);
      await done;
      return [document.getElementById("more").open, document.activeElement.id];
    """
    assert page(run, SWAP + with_page(body)) == [True, "here"]


def test_nothing_is_drawn_anew_beneath_a_finger(run: Run) -> None:
    body = """
      part.innerHTML = '<button id="here">x</button>';
      const here = document.getElementById("here");
      const finger = (kind) => here.dispatchEvent(new PointerEvent(kind, { bubbles: true }));
      let clicked = 0;
      here.addEventListener("click", () => { clicked += 1; });
      finger("pointerdown");
      const done = page.swap(part, "/first");
      await settled();
      answers[0][1]("new");
      await new Promise((later) => { setTimeout(later, 20); });
      const beneath = part.innerHTML.includes("here");
      finger("pointerup");
      here.click();
      await done;
      return [beneath, clicked, part.innerHTML];
    """
    assert page(run, SWAP + with_page(body)) == [True, 1, "new"]


def test_what_a_finger_does_not_want_any_more_is_not_drawn(run: Run) -> None:
    body = """
      const finger = (kind) => part.dispatchEvent(new PointerEvent(kind, { bubbles: true }));
      const asking = new AbortController();
      finger("pointerdown");
      const done = page.swap(part, "/first", { signal: asking.signal }).catch(() => "out of date");
      await settled();
      answers[0][1]("new");
      await settled();
      finger("pointerup");
      asking.abort();
      return [await done, part.innerHTML];
    """
    assert page(run, SWAP + with_page(body)) == ["out of date", "old"]


ASKED_ABOUT = """
  const question = (entry, most = "2") => `<form id="form" action="/regions" data-swap="#part">
    <input type="hidden" name="csrf_token" value="${Math.random()}">
    <input type="hidden" name="entry" value="${entry}">
    <input type="number" name="count" value="${most}"><input type="number" name="count">
    <select name="kind"><option value="">-</option><option value="plum">plum</option></select>
    <input type="radio" name="how" value="a" checked><input type="radio" name="how" value="b">
    </form>`;
  const entered = () => [...document.querySelector("#form").elements].slice(2).map(
    (one) => (one.type === "radio" ? one.checked : one.value));
  part.innerHTML = question(4);
  const [, , , second, kind, , how] = document.querySelector("#form").elements;
  second.focus();
  document.execCommand("insertText", false, "7");
  kind.value = "plum";
  how.checked = true;
"""


def test_news_leave_what_is_entered_and_not_sent(run: Run) -> None:
    body = """
      page.refill(part, question(4, "3"));
      const news = entered();
      document.execCommand("insertText", false, "5");
      return [news, entered()[1]];
    """
    news, typed_on = page(run, SWAP + ASKED_ABOUT + with_page(body))
    assert news == ["3", "7", "plum", False, True], "with what is new where nothing was entered"
    assert typed_on == "75"


def test_another_question_begins_empty(run: Run) -> None:
    body = "page.refill(part, question(5)); return entered();"
    assert page(run, SWAP + ASKED_ABOUT + with_page(body)) == ["2", "", "", True, False]


def test_an_answered_form_is_empty_also_where_news_came_before_the_answer(run: Run) -> None:
    body = """
      document.querySelector("#form").requestSubmit();
      await settled();
      page.refill(part, question(4));
      const sent = entered();
      answers[0][1](question(4));
      await new Promise((later) => { setTimeout(later, 20); });
      return [sent, entered()];
    """
    sent, answered = page(run, SWAP + ASKED_ABOUT + with_page(body))
    assert sent == ["2", "7", "plum", False, True]
    assert answered == ["2", "", "", True, False]


def test_what_is_out_of_date_leaves_what_is_entered(run: Run) -> None:
    body = """
      document.querySelector("#form").requestSubmit();
      await settled();
      answers[0][1](question(4), 409);
      await new Promise((later) => { setTimeout(later, 20); });
      return entered();
    """
    html = SWAP.replace("{ status }", '{ status, headers: { "Content-Type": "text/html" } }')
    assert page(run, html + ASKED_ABOUT + with_page(body)) == ["2", "7", "plum", False, True]


THUMB = """
  document.body.insertAdjacentHTML("beforeend", '<div class="thumb"><button>old</button></div>'
    + '<template id="thumb-now"><i></i><button>new</button></template>');
"""


def test_whoever_is_at_what_leads_on_stays_there(run: Run) -> None:
    body = """
      document.querySelector(".thumb button").focus();
      page.showThumb();
      return document.activeElement.textContent;
    """
    assert page(run, THUMB + with_page(body)) == "new"


SUBMIT = """
  const { queue, keep } = script;
  const asked = [];
  window.fetch = async (url) => {
    asked.push(new URL(url, location.href).pathname);
    throw new TypeError("no network");
  };
  document.addEventListener("outbox", () => asked.push("kept"), { once: true });
"""


def test_a_part_s_form_without_an_answer_is_kept(run: Run) -> None:
    body = """
      const kept = new Promise((done) => {
        document.addEventListener("outbox", done, { once: true });
      });
      document.getElementById("step").requestSubmit();
      await kept;
      const [{ url, fields }] = queue();
      return [asked[0], url.endsWith("/games/1/values"), new Map(fields).get("name"),
        new Map(fields).get("delivery").length];
    """
    assert page(run, SUBMIT + with_page(body)) == ["/games/1/values", True, "Ana", 32]


def test_a_part_s_form_goes_after_what_waits_already(run: Run) -> None:
    body = """
      keep({ same: "first", url: "/games/1/cards", fields: [] });
      asked.length = 0;
      document.getElementById("step").requestSubmit();
      return [asked.includes("/games/1/values"), queue().map(({ url }) => url.split("/").at(-1))];
    """
    assert page(run, SUBMIT + with_page(body)) == [False, ["cards", "values"]]
