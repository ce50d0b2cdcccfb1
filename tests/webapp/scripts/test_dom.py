"""Elements are found as what they are; whoever asks for something else hears of it."""

import pytest

from tests.webapp.scripts.conftest import Run

HTML = """<form id="form"><input name="a" value="1"><input name="a" value="2"></form>
  <svg id="board"><g class="space"></g></svg>"""
COMPLAINT = """
  try { return %s; } catch (error) { return [error.name, error.message]; }
"""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ('script.one("#nothing")', "#nothing is not on this page, no HTMLElement"),
        ('script.byId("board")', "#board is SVGSVGElement, no HTMLElement"),
        (
            'script.maybe("#form", HTMLInputElement)',
            "#form is HTMLFormElement, no HTMLInputElement",
        ),
        ('script.all("input, g")', "input, g is SVGGElement, no HTMLElement"),
    ],
)
def test_what_is_missing_or_of_another_kind_is_named(run: Run, asked: str, said: str) -> None:
    assert run("dom.js", COMPLAINT % asked, None, HTML) == ["TypeError", said]


def test_what_is_there_is_found(run: Run) -> None:
    body = """
      const form = script.byId("form", HTMLFormElement);
      return [script.all("input", HTMLInputElement, form).map(({ value }) => value),
        script.one("input", HTMLInputElement, form).value, script.maybe("b"),
        script.first(script.byId("board", SVGSVGElement), SVGElement).tagName];
    """
    assert run("dom.js", body, None, HTML) == [["1", "2"], "1", None, "g"]


def test_an_event_on_the_document_itself_is_in_nothing(run: Run) -> None:
    body = """
      const space = document.querySelector(".space");
      return [script.closest({ target: document }, "svg", SVGElement),
        script.closest({ target: space }, "svg", SVGSVGElement).id];
    """
    assert run("dom.js", body, None, HTML) == [None, "board"]


PRESSED = """
  const seen = [];
  const press = (kind, pointerId = 1) => {
    document.dispatchEvent(new PointerEvent(kind, { pointerId }));
  };
  const after = window.setTimeout; // a touch that seems never to end is not what ends the wait
  window.setTimeout = (then, ms) => (ms < 2000 ? after(then, ms) : 0);
  press("pointerdown");
  const released = script.released().then(() => seen.push("released"));
  document.addEventListener("click", () => seen.push("click"), { once: true });
"""


def test_nothing_is_redrawn_between_a_touch_and_its_click(run: Run) -> None:
    """A browser sends the click some time after the finger is lifted."""
    body = """
      press("pointerup");
      await new Promise((done) => { setTimeout(done, 20); });
      document.body.click();
      await released;
      return seen;
    """
    assert run("dom.js", PRESSED + body) == ["click", "released"]


def test_a_second_finger_is_waited_for(run: Run) -> None:
    body = """
      press("pointerdown", 2);
      press("pointercancel", 1);
      document.body.click();
      await new Promise((done) => { setTimeout(done, 20); });
      press("pointercancel", 2);
      seen.push("lifted");
      await released;
      return seen;
    """
    assert run("dom.js", PRESSED + body) == ["click", "lifted", "released"]


@pytest.mark.parametrize("end", ["pointerup", "pointercancel"])
def test_a_touch_without_a_click_holds_nothing_up(run: Run, end: str) -> None:
    assert run("dom.js", f'{PRESSED} press("{end}"); await released; return seen;') == ["released"]
