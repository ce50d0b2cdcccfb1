"""Taps at the live table: what is lit, looked back at, laid by hand and put right."""

from typing import Any

import pytest

from tests.webapp.scripts.conftest import ASKED, FRAME, Run, drawn

PIECES = """<div class="palette" data-why="why"><button name="star" value="red">
  </button><button name="star" value="link"></button></div>
  <select name="space"><option value="a" data-admits="red"><option value="a-b" data-admits="link">
  </select>"""
HTML = f"""{FRAME}<ul id="why"></ul>
  <div id="live" data-refused="/refused" data-failed="It did not arrive.">
    <button id="told" data-light="a" data-board="1"></button>
    <a id="back" href="?at=4" data-at="4"></a><button id="mine" data-mine="1"></button>
    <button id="wrong" data-correct="/entries/4" data-said="red on a" data-space="a" data-star="red"
      data-status="void" data-number="4" data-board="1"></button>
    <section class="player" data-board="1"><h2 id="player-name-1" data-hand-title="Luis lays"></h2>
      {drawn("a", style="watched")}</section></div>
  <dialog id="hand"><h2 id="hand-name" tabindex="-1"></h2><form action="/star" data-live>
    <input name="seat"><input name="after">{PIECES}</form><svg id="magnified" hidden></svg></dialog>
  <dialog id="correction"><h2 id="correction-name" tabindex="-1"></h2>
    <p id="correction-instead"></p><form action="/none">{PIECES}
    <button name="what" value="nothing"></button><button name="what" value="again"></button></form>
    <button id="missing-after"></button></dialog>
  <form id="tap" action="/tap" data-live><button>tap</button></form>"""
WIRED = """
  const view = { at: "", mine: "", lit: "" };
  const done = [];
  script.wireTaps({
    live: element("live"), view, refresh: () => done.push("refresh"),
    light: () => done.push("light"), carousel: { show: (seat) => done.push(`show ${seat}`) },
  });
  const one = (selector) => document.querySelector(selector);
"""


def taps(run: Run, body: str) -> Any:
    return run("live_taps.js", f"{ASKED} {WIRED} {body}", None, HTML)


def test_a_tap_lights_a_message_on_its_board_and_a_second_one_clears_it(run: Run) -> None:
    body = """
      element("told").click();
      const lit = view.lit;
      element("told").click();
      return [lit, view.lit, done];
    """
    assert taps(run, body) == ["told", "", ["light", "show 1", "light"]]


def test_one_looks_back_and_lays_nothing_there(run: Run) -> None:
    body = """
      view.lit = "told";
      element("back").click();
      tap(element("drawn"), "space-a");
      return [view.at, view.lit, done, element("hand").open];
    """
    assert taps(run, body) == ["4", "", ["refresh"], False]


def test_ones_own_cards_are_kept_by_this_page_alone(run: Run) -> None:
    body = """
      element("mine").click();
      const kept = [view.mine, sessionStorage.getItem("stargazer-mine")];
      element("mine").click();
      return [kept, view.mine, done];
    """
    assert taps(run, body) == [["1", "1"], "", ["refresh", "refresh"]]


def test_a_place_that_is_tapped_is_laid_on_by_hand_with_what_lies_there(run: Run) -> None:
    body = """
      tap(element("drawn"), "space-a");
      const shown = () => [...document.querySelectorAll("#hand [name=star]")]
        .filter((button) => !button.hidden).map(({ value }) => value);
      const spot = shown();
      await settled();
      await asked[0].answer(JSON.stringify({ a: { red: "They are linked." } }));
      const why = element("why").textContent;
      one("#hand select").value = "a-b";
      one("#hand select").onchange();
      await settled();
      return [element("hand-name").textContent, one("#hand [name=seat]").value, asked[0].url,
        spot, shown(), why, element("why").textContent];
    """
    reported = ["Luis lays", "1", "/refused?seat=1", ["red"], ["link"], "They are linked.", ""]
    assert taps(run, body) == reported


def test_a_correction_says_what_it_is_about_and_what_can_be_done(run: Run) -> None:
    body = """
      element("wrong").click();
      const hidden = (value) => one(`#correction [value=${value}]`).hidden;
      return [element("correction-name").textContent, one("#correction form").action,
        element("correction-instead").hidden, hidden("nothing"), hidden("again"), asked[0].url];
    """
    about = "/refused?seat=1&without=a"
    expected = ["red on a", "http://localhost/entries/4", True, True, False, about]
    assert taps(run, body) == expected


def test_what_was_missed_is_laid_after_the_entry_that_is_looked_at(run: Run) -> None:
    body = """
      element("wrong").click();
      element("missing-after").click();
      return [element("correction").open, element("hand").open, one("#hand [name=after]").value];
    """
    assert taps(run, body) == [False, True, "4"]


@pytest.mark.parametrize("status", [403, 409])
def test_a_tap_that_is_refused_is_reported_and_the_table_drawn_as_it_is(
    run: Run, status: int
) -> None:
    body = f"""
      const status = {status};
    """
    body += """
      element("tap").requestSubmit();
      await settled();
      await asked[0].answer(JSON.stringify({ message: "not now" }), status);
      await new Promise(requestAnimationFrame);
      return [done, element("announcer").textContent, element("unreached").hidden];
    """
    assert taps(run, body) == [["refresh"], "not now", True]


IN_REGION = """
  element("live").insertAdjacentHTML("beforeend", `<details class="in-region"><form action="/star"
    data-live><select name="space"><option value="A1" data-admits="tile"></option>
    <option value="A4" data-admits="site clay"></option></select>
    <select name="star"><option>site</option><option>clay</option><option>tile</option></select>
    </form></details>`);
  const offered = () => [one(".in-region [name=star]").value,
    [...one(".in-region [name=star]").options].filter((option) => !option.disabled).length];
"""


def test_a_region_is_offered_what_may_lie_there(run: Run) -> None:
    body = """
      one(".in-region").open = true;
      await settled();
      const opened = offered();
      one(".in-region [name=space]").value = "A4";
      one(".in-region [name=space]").dispatchEvent(new Event("change", { bubbles: true }));
      return [opened, offered()];
    """
    assert taps(run, IN_REGION + body) == [["tile", 1], ["site", 2]]


def test_what_is_said_of_a_region_is_empty_once_it_is_sent(run: Run) -> None:
    body = """
      one(".in-region [name=space]").value = "A4";
      one(".in-region form").requestSubmit();
      await settled();
      const sent = one(".in-region [name=space]").value;
      await asked[0].answer("");
      await settled();
      return [sent, one(".in-region [name=space]").value, offered()];
    """
    assert taps(run, IN_REGION + body) == ["A4", "A1", ["tile", 1]]
