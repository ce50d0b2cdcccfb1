"""A lesson: what is chosen is tried where it is tapped; markers step as far as points go."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, Run, drawn

CHOICES = """<input type="radio" name="star" data-tells="place red" data-lies-on="spot">"""
PART = f"""<div id="lesson-message"></div>
  <form id="try" action="/try" data-swap="#lesson"><input name="made" value="m"></form>
  {drawn("a", style="tappable", a='data-place="a1"')}{CHOICES}
  <svg><g id="marker-0"></g><g id="marker-1"></g></svg>
  <p><b data-points="4" data-too-many="{{count}} too many"></b></p>
  <label>sun <input id="turn-0" data-turns="marker-0" data-most="3" value="0"></label>
  <label>moon <input id="turn-1" data-turns="marker-1" data-most="3" value="0"></label>
  <button id="on-0" data-step="1" data-for="turn-0">+</button>
  <button id="back-0" data-step="-1" data-for="turn-0">-</button>
  <button id="on-1" data-step="1" data-for="turn-1">+</button>"""
HTML = f"""{FRAME}<div id="lesson" data-choose="Choose first.">{PART}</div>
  <div class="thumb"></div>"""
VALUES = """
  const values = () => ["turn-0", "turn-1"].map((id) => element(id).value);
  const left = () => document.querySelector("[data-points]").textContent;
"""


def lesson(run: Run, body: str) -> Any:
    return run("dom.js", f'{ASKED} {VALUES} await import("./lesson.js"); {body}', None, HTML)


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


def test_markers_step_as_far_as_points_and_their_track_go(run: Run) -> None:
    body = """
      for (const id of ["on-0", "on-0", "on-0", "on-0", "on-1", "on-1"]) element(id).click();
      const most = [values(), left()];
      element("back-0").click();
      element("on-1").click();
      return [most, values(), left(),
        element("marker-0").style.getPropertyValue("--turned")];
    """
    assert lesson(run, body) == [[["3", "1"], "0"], ["2", "2"], "0", "2"]


def test_too_many_that_are_typed_are_reported(run: Run) -> None:
    body = """
      element("turn-0").value = "-7";
      element("turn-0").dispatchEvent(new Event("input", { bubbles: true }));
      return left();
    """
    assert lesson(run, body) == "3 too many"
