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


def test_what_leads_to_a_further_question_redraws_the_lesson(run: Run) -> None:
    body = """
      element("further").click();
      await settled();
      return [asked[0].url, asked[0].method];
    """
    url, method = lesson(run, body)
    assert url.endswith("/further") and method == "GET"
