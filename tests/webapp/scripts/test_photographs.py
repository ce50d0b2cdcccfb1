"""The photographs' page: what is chosen is kept and sent; it goes on when all boards are read."""

from typing import Any

from tests.webapp.scripts.conftest import ASKED, FRAME, Run


def listed(busy: str, ready: str, more: str = "") -> str:
    """The list as the server draws it."""
    return f"""<div data-busy="{busy}" data-ready="{ready}">{more}
      <div class="board-of"><p class="board-head"><strong>Ana</strong></p>
        <p class="board-state">none</p></div></div>"""


HTML = f"""{FRAME}<form id="upload" action="/photographs"><input name="csrf_token" value="t">
    <input type="file" id="choose" name="photo" data-upload></form>
  <p id="upload-error" hidden></p><p id="sending" hidden><progress id="sent"></progress></p>
  <div id="photographs" data-source="/list">{listed("no", "no")}</div>
  <p id="words" data-sending="on its way" data-waits="waits here" data-ready="all here"
    data-largest="10" data-large="too large"></p>
  <form id="step" action="/done"></form>
  <div class="thumb"><p id="boardless"></p><button class="primary" disabled></button></div>"""
FOLLOWED = """
  const { queue } = await import("./outbox.js");
  let gone = 0;
  element("step").addEventListener("submit", (event) => { event.preventDefault(); gone += 1; });
  const onward = document.querySelector(".thumb .primary");
  const stirred = async () => {
    document.dispatchEvent(new CustomEvent("news", { cancelable: true }));
    await settled();
  };
  const choose = async (name, bytes, player) => {
    const picked = new DataTransfer();
    picked.items.add(new File(["x".repeat(bytes)], name, { type: "image/jpeg" }));
    if (player) element("choose").dataset.player = player;
    element("choose").files = picked.files;
    element("choose").dispatchEvent(new Event("change", { bubbles: true }));
  };
"""


def photographs(run: Run, body: str) -> Any:
    prepare = f'{ASKED} await import("./photographs.js"); {FOLLOWED}'
    return run("dom.js", f"{prepare} {body}", None, HTML)


def test_the_page_goes_on_once_when_all_boards_are_read(run: Run) -> None:
    body = f"""
      await stirred();
      await asked[0].answer(`{listed("no", "yes")}`);
      const first = gone;
      await stirred();
      await asked[1].answer(`{listed("no", "yes")}`);
      return [first, gone, onward.disabled];
    """
    assert photographs(run, body) == [1, 1, False]


def test_what_failed_is_looked_at_before_the_page_goes_on(run: Run) -> None:
    failed = listed("no", "yes", '<p role="alert">too dark</p>')
    body = f"await stirred(); await asked[0].answer(`{failed}`); return [gone, onward.disabled];"
    assert photographs(run, body) == [0, False]


def test_while_one_is_read_the_list_is_asked_for_again(run: Run) -> None:
    body = f"""
      const later = [];
      const soon = window.setTimeout;
      await stirred();
      window.setTimeout = (act, ms) => (ms === 700 ? later.push(act) : soon(act, ms));
      await asked[0].answer(`{listed("yes", "no")}`);
      const between = [asked.length, later.length];
      later[0]();
      await settled();
      return [between, asked.length];
    """
    assert photographs(run, body) == [[1, 1], 2]


def test_one_that_is_too_large_is_reported_and_not_kept(run: Run) -> None:
    body = """
      await choose("large.jpg", 11);
      await settled();
      return [element("upload-error").textContent, queue().length];
    """
    assert photographs(run, body) == ["large.jpg: too large", 0]


def test_what_is_chosen_for_a_player_is_kept_and_said_at_their_board(run: Run) -> None:
    body = """
      await choose("ana.jpg", 9, "0");
      while (!document.querySelector(".kept-here")) await settled();
      const [entry] = queue();
      return [entry.size, entry.title, new Map(entry.fields).get("player"),
        document.querySelector(".kept-here").textContent, element("choose").value];
    """
    assert photographs(run, body) == [9, "Ana", "0", "on its way", ""]
