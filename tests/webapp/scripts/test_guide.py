"""A guided game: what is tapped is done or told why not; news draw the screen anew."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, STREAM, Run, drawn


def screen(question: str, seen: int = 3, happened: str = "") -> str:
    """What the server draws: "a" may not be taken, "b" may."""
    why, action = 'data-why="It is full."', 'data-action="place red b"'
    return f"""<p id="told-until" data-last="{seen}"></p>
      <h2 id="question" tabindex="-1">{question}</h2>
      <ul id="happened"><li>{happened}</li></ul><p id="why"></p><input name="seen" value="{seen}">
      <a id="further" data-draft href="/guide" data-part-of="/now?draft=time">time</a>
      <form id="place" action="/do" data-swap="#guide"><input name="move"></form>
      {drawn("a", "b", kind="asked", style="choosing", a=why, b=action)}"""


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
    assert guide(run, body) == [["/now?draft=time", "/now?draft=time"], "Which way?"]


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
    assert guide(run, body) == [["/now", "/now?draft=time"], "Which way?"]


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
