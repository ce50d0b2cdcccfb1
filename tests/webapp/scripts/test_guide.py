"""A guided game: what is tapped is done or told why not; news draw the screen anew."""

from typing import Any

from playwright.sync_api import Browser

from tests.webapp.scripts.conftest import ASKED, FRAME, SCRIPTS, STREAM, Run, drawn


def screen(question: str, seen: int = 3, happened: str = "") -> str:
    """What the server draws: "a" may not be taken, "b" may."""
    why, action = 'data-why="It is full."', 'data-action="place red b"'
    return f"""<p id="told-until" data-last="{seen}" data-seen="{seen}"></p>
      <h2 id="question" tabindex="-1">{question}</h2>
      <p id="happened"><span class="news">{happened}</span></p>
      <p id="why"></p><input name="seen" value="{seen}">
      <a id="further" data-draft href="/?draft=time&at=3">time</a>
      <a id="on" data-draft href="/?draft=time%201&at=3">one step</a>
      <a id="shown" data-held href="/?draft=card&look=0&at=3">cards</a>
      <a id="anew" data-draft href="/">something else</a>
      <form id="place" action="/do" data-swap="#guide"><input name="move"></form>
      {drawn("a", "b", kind="asked", style="choosing", a=why, b=action)}"""


STYLES = ("base", "board", "guide")
HTML = f"""{FRAME}<div id="guide" data-last="3" data-revision="7" data-now="/now"
  data-choose="Answer first." data-events="/events" data-game="1">{screen("Where?")}</div>"""


def guide(run: Run, body: str) -> Any:
    prepare = f'{ASKED} {STREAM} await import("./guide.js");'
    return run("dom.js", f"{prepare} {body}", None, HTML)


def test_a_place_that_may_not_be_taken_says_why_and_another_is_taken(run: Run) -> None:
    body = """
      tap(element("drawn"), "space-a");
      const told = [element("why").textContent, asked.length];
      tap(element("drawn"), "space-b");
      await settled();
      return [told, asked[0].url, asked[0].fields];
    """
    taken = {"move": "place red b"}
    assert guide(run, body) == [["It is full.", 0], "/do", taken]


def test_each_event_is_drawn_once_and_when_all_have_arrived(run: Run) -> None:
    body = """
      for (const [number, waiting] of [[3, 0], [4, 1], [5, 0], [5, 0]]) {
        news("change", { number, waiting });
        await settled();
      }
      return urls();
    """
    assert guide(run, body) == ["/now"]


def test_a_revision_other_than_the_page_was_drawn_from_is_drawn_once(run: Run) -> None:
    body = """
      const counts = [];
      for (const revision of [7, 8, 8]) {
        news("revision", { revision });
        await settled();
        counts.push(asked.length);
      }
      return counts;
    """
    assert guide(run, body) == [0, 1, 1]


def test_news_leave_whoever_answers_at_their_question(run: Run) -> None:
    body = f"""
      element("further").click();
      await settled();
      await asked[0].answer(`{screen("Which way?")}`);
      news("change", {{ number: 4, waiting: 0 }});
      await settled();
      return [urls(), element("question").textContent];
    """
    assert guide(run, body) == [["/now?draft=time&at=3", "/now?draft=time&at=3"], "Which way?"]


def test_a_screen_that_is_out_of_date_is_not_drawn(run: Run) -> None:
    body = f"""
      news("change", {{ number: 4, waiting: 0 }});
      await settled();
      element("further").click();
      await settled();
      await asked[1].answer(`{screen("Which way?")}`);
      await asked[0].answer(`{screen("Old?")}`);
      news("beat", {{}});
      await settled();
      return [urls(), element("question").textContent];
    """
    assert guide(run, body) == [["/now", "/now?draft=time&at=3"], "Which way?"]


def test_the_same_question_is_said_again_when_something_was_done(run: Run) -> None:
    body = f"""
      const said = [];
      for (const [number, text] of [[4, `{screen("Where?", 3)}`],
        [5, `{screen("Where?", 5, "A star came.")}`]]) {{
        news("change", {{ number, waiting: 0 }});
        await settled();
        await asked.at(-1).answer(text);
        await new Promise(requestAnimationFrame);
        said.push(element("announcer").textContent);
      }}
      return said;
    """
    assert guide(run, body) == ["", "A star came. Where?"]


def test_a_refused_screen_is_requested_again_at_the_next_event(run: Run) -> None:
    body = f"""
      news("change", {{ number: 4, waiting: 0 }});
      await settled();
      await asked[0].answer("", 503);
      for (let beats = 0; beats < 2; beats++) {{ // the second may come before a slow answer
        news("beat", {{}});
        await settled();
      }}
      await asked[1].answer(`{screen("And now?", 4)}`);
      news("beat", {{}});
      await settled();
      return [urls(), element("question").textContent];
    """
    assert guide(run, body) == [["/now", "/now"], "And now?"]


BACK = """
  const gone = (act) => new Promise((done) => { // back in the history, which takes its time
    addEventListener("popstate", () => setTimeout(done), { once: true });
    act();
  });
  const back = () => gone(() => history.back());
  const choose = async (id) => { element(id).click(); await settled(); };
  const here = () => location.pathname + location.search;
"""
"""Back as a browser does it."""


def test_back_undoes_one_choice_after_the_other_and_the_address_keeps_the_rest(run: Run) -> None:
    body = f"""{BACK}
      await choose("further");
      await choose("on");
      const addresses = [here()];
      await back();
      addresses.push(here());
      await back();
      addresses.push(here());
      return [addresses, urls()];
    """
    first, second = "?draft=time&at=3", "?draft=time%201&at=3"
    assert guide(run, body) == [
        [f"/{second}", f"/{first}", "/"],
        [f"/now{chosen}" for chosen in (first, second, first, "")],
    ]


def test_a_tap_while_the_computer_is_away_leaves_the_address(run: Run) -> None:
    body = f"""{BACK}
      (await import("./away.js")).look();
      await settled();
      await asked[0].answer("", 503);
      await settled();
      await choose("further");
      return [here(), history.state.chosen, element("unreached").hidden, urls()];
    """
    there = "/healthz/invited"
    assert guide(run, body) == ["/", 0, False, [there, there]]


def test_what_was_chosen_of_an_action_is_dropped_when_another_was_done(run: Run) -> None:
    body = f"""{BACK}
      await choose("further");
      await asked[0].answer(`{screen("Which way?")}`);
      await choose("on");
      await asked[1].answer(`{screen("How far?")}`);
      news("change", {{ number: 4, waiting: 0 }});
      await settled();
      await gone(() => asked[2].answer(`{screen("And now?", 4)}`));
      const left = [here(), history.state.chosen, asked.length];
      news("change", {{ number: 5, waiting: 0 }});
      await settled();
      return [left, urls().at(-1)];
    """
    assert guide(run, body) == [["/", 0, 3], "/now"]


def test_what_begins_a_game_is_no_way_back(run: Run) -> None:
    opening = HTML.replace('data-seen="3"', 'data-seen=""')
    body = """
      const before = history.length;
      element("further").click();
      await settled();
      element("on").click();
      await settled();
      return [history.length - before, location.search];
    """
    prepare = f'{ASKED} {STREAM} await import("./guide.js");'
    assert run("dom.js", f"{prepare} {body}", None, opening) == [0, "?draft=time%201&at=3"]


def test_a_link_within_the_page_leaves_the_screen_and_the_way_back(run: Run) -> None:
    body = f"""{BACK}
      await choose("further");
      await gone(() => {{ location.hash = "why"; }});
      location.hash = "why"; // where it is already
      await settled();
      const within = [urls().length, history.state.chosen];
      await gone(() => element("anew").click());
      return [within, here(), location.hash];
    """
    assert guide(run, body) == [[1, 2], "/", ""]


def test_what_is_done_or_given_up_leaves_nothing_to_go_back_through(run: Run) -> None:
    body = f"""{BACK}
      const left = [];
      const ends = [() => tap(element("drawn"), "space-b"), () => element("anew").click()];
      for (const end of ends) {{
        await choose("further");
        await choose("on");
        await gone(end);
        left.push([here(), history.state?.chosen ?? 0]);
      }}
      return left;
    """
    assert guide(run, body) == [["/", 0], ["/", 0]]


def test_back_in_a_game_stays_once_and_says_that_the_next_one_leaves(run: Run) -> None:
    body = f"""{BACK}
      document.body.insertAdjacentHTML("afterbegin", '<p id="leaving" hidden></p>');
      const made = [];
      for (const _round of [1, 2]) {{
        tap(element("drawn"), "space-a"); // the first tap of all, and the one after Back
        made.push([history.state.isGuarded, element("leaving").hidden]);
        await back();
        made.push([here(), element("leaving").hidden]);
      }}
      return made;
    """
    assert guide(run, body) == [[True, True], ["/", False]] * 2


def test_a_screen_of_secret_cards_is_in_no_address(run: Run) -> None:
    body = f"""{BACK}
      await choose("further");
      const point = (kind) => {{
        element("shown").dispatchEvent(new PointerEvent(kind, {{ bubbles: true }}));
      }};
      element("shown").setPointerCapture = () => {{}};
      point("pointerdown");
      await new Promise((done) => {{ setTimeout(done, 600); }});
      const lifted = new Promise((done) => {{
        document.addEventListener("lifted", done, {{ once: true }});
      }});
      point("pointerup");
      await lifted;
      const shown = [here(), history.state.chosen, urls().at(-1)];
      await asked.at(-1).answer(`{screen("Your cards")}`);
      await back();
      await settled();
      return [shown, here(), urls().at(-1)];
    """
    kept = "?draft=time&at=3"
    shown = [f"/{kept}", 2, "/now?draft=card&look=0&at=3"]
    assert guide(run, body) == [shown, f"/{kept}", f"/now{kept}"]


def styles() -> str:
    return "".join((SCRIPTS.parent / "style" / f"{one}.css").read_text() for one in STYLES)


def test_the_signs_of_a_legend_stand_in_a_row(browser: Browser) -> None:
    sign = '<span><svg class="token" viewBox="-10 -10 20 20"></svg> moon</span>'
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(f"<style>{styles()}</style><main><p class='legend'>{sign * 2}</p>")
    top = "all => all.map(one => one.getBoundingClientRect().top)"
    first, second = page.locator(".legend span").evaluate_all(top)
    assert first == second
    page.close()


def test_a_picture_with_many_words_has_a_row_of_its_own(browser: Browser) -> None:
    face = '<span class="card-faces"><img width="64" height="64"></span>'
    words = f"<span>{'many words ' * 20}</span>"
    options = [
        f'<form><button class="option{more}">{face}{words}</button></form>'
        for more in ("", " wordy")
    ]
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(
        f"<style>{styles()}</style><main><div class='choices-now pictured'>{''.join(options)}"
    )
    whole = page.locator(".choices-now").evaluate("one => one.clientWidth")
    one, wordy = page.locator(".option").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert wordy == whole > 2 * one
    assert page.locator("img").evaluate_all("all => all.map(one => one.width)") == [64, 64]
    page.close()
