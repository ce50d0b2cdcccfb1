"""Ask: what a word means, by a tap, a long press or a key, and only the last that was asked."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, Run

HTML = f"""{FRAME}
  <p id="ask-script" data-at="/ask" data-title="Ask" data-all="All words" data-close="Close"></p>
  <a class="ask-all" data-ask href="/ask">?</a><input name="note">
  <a id="one" data-ask="V7" href="/ask/V7">V7</a><a id="other" data-ask="B3" href="/ask/B3">B3</a>
  <p id="words" data-words>nebula</p>"""
PRESS = """
  const timers = new Map();
  let latest = 0;
  window.setTimeout = (act) => { timers.set(++latest, act); return latest; };
  window.clearTimeout = (id) => timers.delete(id);
  const soon = () => new Promise(requestAnimationFrame);
  const finger = (kind, at, clientX = 5, clientY = 5) => at.dispatchEvent(new PointerEvent(
    kind, { pointerType: "touch", bubbles: true, clientX, clientY }));
  const held = () => { for (const act of timers.values()) act(); timers.clear(); };
  const click = (at) => !at.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true }));
"""


def ask(run: Run, body: str) -> Any:
    return run("dom.js", f'{ASKED} await import("./ask.js"); {body}', None, HTML)


def term(name: str) -> str:
    return f'<div class="term" data-name="{name}">it means</div>'


def test_what_was_asked_last_is_shown_however_the_answers_come(run: Run) -> None:
    body = f"""
      element("one").click();
      element("other").click();
      await asked[1].answer('{term("B3")}');
      await asked[0].answer('{term("V7")}');
      return [urls(), element("ask-title").textContent, element("ask").open];
    """
    assert ask(run, body) == [["/ask/V7", "/ask/B3"], "B3", True]


def test_the_key_asks_for_all_words_but_not_where_somebody_types(run: Run) -> None:
    body = """
      const typed = key(document.querySelector("[name=note]"), "?");
      const before = urls();
      return [typed, before, key(element("words"), "?"), urls()];
    """
    assert ask(run, body) == [False, [], True, ["/ask"]]


def test_the_mark_of_a_guided_page_asks_about_its_question_and_hint(run: Run) -> None:
    body = """
      const now = document.createElement("section");
      now.className = "ask-now";
      now.innerHTML = "<h1>Carry wood: where?</h1><p class=hint>Over meadows</p><p>Else</p>";
      document.body.append(now);
      document.querySelector(".ask-all").click();
      return urls();
    """
    assert ask(run, body) == ["/ask?about=Carry%20wood%3A%20where%3F%20Over%20meadows"]


def test_the_page_of_all_words_searches_as_it_is_typed(run: Run) -> None:
    body = """
      const soon = () => new Promise(requestAnimationFrame);
      const main = document.createElement("main");
      main.innerHTML = '<form class="ask-search" action="/ask/nebula"><input name="q"></form>'
        + '<ul class="terms"><li>Setup</li></ul>';
      document.body.append(main);
      const field = main.querySelector("input");
      field.value = "black star";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      asked[0].answer('<ul class="terms"><li>Black star</li></ul>');
      while (main.querySelector("li").textContent === "Setup") await soon();
      return [urls(), main.querySelector(".terms").textContent];
    """
    assert ask(run, body) == [["/ask/nebula?q=black%20star"], "Black star"]


def test_a_long_press_asks_and_the_finger_that_goes_up_is_no_tap(run: Run) -> None:
    body = f"""{PRESS}
      finger("pointerdown", element("one"));
      held();
      asked[0].answer('{term("V7")}');
      while (!element("ask")?.open) await soon();
      finger("pointerup", element("one"));
      return [urls(), click(element("one")), click(element("words")), urls().length];
    """
    assert ask(run, body) == [["/ask/V7"], True, False, 1]


def test_a_finger_that_moves_asks_for_nothing(run: Run) -> None:
    body = f"""{PRESS}
      finger("pointerdown", element("one"));
      finger("pointermove", element("one"), 9, 5);
      const waits = timers.size;
      finger("pointermove", element("one"), 30, 5);
      held();
      return [waits, timers.size, urls()];
    """
    assert ask(run, body) == [1, 0, []]


def test_the_sentence_is_asked_where_the_word_has_no_answer(run: Run) -> None:
    body = f"""{PRESS}
      element("words").textContent = "nebula of 18 stars";
      const {{ x, y, height }} = element("words").getBoundingClientRect();
      finger("pointerdown", element("words"), x + 10, y + height / 2);
      held();
      asked[0].answer("<p>Nothing is found.</p>");
      while (asked.length < 2) await soon();
      asked[1].answer('{term("Star")}');
      while (!element("ask")?.open) await soon();
      return [urls(), element("ask-title").textContent];
    """
    asked = ["/ask?q=nebula", "/ask?q=nebula%20of%2018%20stars"]
    assert ask(run, body) == [asked, "Star"]


def test_an_answer_is_pressed_for_its_card(run: Run) -> None:
    body = f"""{PRESS}
      element("words").innerHTML =
        '<button class="option"><img data-ask="V7" alt=""><b>Orbit</b></button>';
      finger("pointerdown", element("words").querySelector("b"));
      held();
      return urls();
    """
    assert ask(run, body) == ["/ask/V7"]


def test_a_space_is_asked_for_by_its_place(run: Run) -> None:
    body = f"""{PRESS}
      element("words").innerHTML =
        '<div data-explains="/ask/nebula?place="><svg><g data-place="ar 1"></g></svg></div>';
      finger("pointerdown", document.querySelector("[data-place]"));
      held();
      return urls();
    """
    assert ask(run, body) == ["/ask/nebula?place=ar%201"]


def test_a_bare_number_asks_for_its_sentence(run: Run) -> None:
    body = f"""{PRESS}
      element("words").textContent = "18 / 20";
      const {{ x, y, height }} = element("words").getBoundingClientRect();
      finger("pointerdown", element("words"), x + 5, y + height / 2);
      held();
      return urls();
    """
    assert ask(run, body) == ["/ask?q=18%20%2F%2020"]


def test_a_word_that_nothing_explains_opens_nothing(run: Run) -> None:
    body = f"""{PRESS}
      const {{ x, y, height }} = element("words").getBoundingClientRect();
      finger("pointerdown", element("words"), x + 10, y + height / 2);
      held();
      asked[0].answer("<p>Nothing is found.</p>");
      for (let turn = 0; turn < 5; turn += 1) await soon();
      return [urls(), element("ask")];
    """
    assert ask(run, body) == [["/ask?q=nebula"], None]
