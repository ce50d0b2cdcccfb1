"""A lesson: what is chosen is tried where it is tapped; a choice may lead to another question."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, Run, drawn

CHOICES = """<input type="radio" name="star" data-tells="place red" data-lies-on="spot">"""
PART = f"""<div id="lesson-message"></div>
  <form id="try" action="/try" data-swap="#lesson"><input name="made" value="m"></form>
  {drawn("a", style="tappable", a='data-place="a1"')}{CHOICES}
  <a id="further" data-draft href="/further">By time</a>"""
HTML = f"""{FRAME}<div id="lesson" data-choose="Choose first.">{PART}</div>
  <div class="thumb"></div>"""


def lesson(run: Run, body: str) -> Any:
    return run("dom.js", f'{ASKED} await import("./lesson.js"); {body}', None, HTML)


def test_nothing_is_tried_before_something_is_chosen(run: Run) -> None:
    body = """
      tap(element("drawn"), "space-a");
      await settled();
      return [element("lesson-message").textContent, asked.length,
        document.activeElement.dataset.tells];
    """
    assert lesson(run, body) == ["Choose first.", 0, "place red"]


def test_what_is_chosen_is_tried_where_it_is_tapped(run: Run) -> None:
    body = """
      document.querySelector("[data-tells]").checked = true;
      tap(element("drawn"), "space-a");
      await settled();
      return [asked[0].url, asked[0].method, asked[0].fields];
    """
    assert lesson(run, body) == ["/try", "POST", {"made": "m", "try": "place red a1"}]


TWO = """
  element("drawn").insertAdjacentHTML("afterend",
    `<input type="radio" name="star" data-tells="place blue" data-fits="b1">`);
  document.querySelector("[data-tells='place red']").dataset.fits = "a1";
"""


def test_the_places_of_what_is_chosen_among_several_are_lit(run: Run) -> None:
    body = f"""{TWO}
      const lit = () => element("space-a").matches(".choosing .lit");
      const before = lit();
      const shown = [];
      for (const one of document.querySelectorAll("[data-tells]")) {{
        one.click();
        shown.push([one.dataset.tells, lit()]);
      }}
      return [before, Object.fromEntries(shown)];
    """
    assert lesson(run, body) == [False, {"place red": True, "place blue": False}]


def test_a_place_that_was_tried_in_vain_is_marked(run: Run) -> None:
    body = """
      element("further").click();
      await settled();
      await asked[0].answer(element("lesson").innerHTML.replace(
        'id="lesson-message"', 'id="lesson-message" data-at="a1"')
        + `<template id="thumb-now"></template>`);
      return element("space-a").classList.contains("refused-now");
    """
    assert lesson(run, body) is True


def test_what_leads_to_a_further_question_redraws_the_lesson(run: Run) -> None:
    body = """
      element("further").click();
      await settled();
      return [asked[0].url, asked[0].method];
    """
    url, method = lesson(run, body)
    assert url.endswith("/further") and method == "GET"


def test_what_a_hint_means_is_unfolded_though_another_group_was_open(run: Run) -> None:
    groups = """<details id="a" name="actions" open><summary>A</summary></details>
      <details id="b" name="actions" open><summary>B</summary>
      <button class="option lit">Observe</button></details>"""
    body = f"""
      element("lesson-message").insertAdjacentHTML("afterend", `{groups}`);
      element("a").open = true;
      const now = element("lesson").innerHTML.replace(' open=""', "")
        + `<template id="thumb-now"></template>`;
      element("further").click();
      await settled();
      await asked[0].answer(now);
      return [element("a").open, element("b").open];
    """
    assert lesson(run, body) == [False, True]
