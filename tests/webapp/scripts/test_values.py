"""A track of the Values board: what its tokens' taps say to a screen reader."""

from tests.webapp.scripts.conftest import FRAME, Run

TOKENS = "".join(
    f'<li data-token="{one}"><button class="value-token" aria-label="{one}"></button></li>'
    for one in ("red", "blue", "white")
)
HTML = f"""{FRAME}
  <div id="words" data-place="Place {{place}}" data-picked="Now tap."></div>
  <div class="track">
    <input type="hidden" name="colours" value="red,blue">
    <ol class="order"></ol><ul class="tray">{TOKENS}</ul>
  </div>"""


def test_a_token_is_announced_when_it_is_picked_let_go_and_placed(run: Run) -> None:
    body = """
      await import("./values.js");
      const said = [];
      for (const token of ["blue", "blue", "blue", "red", "white"]) {
        document.querySelector(`[data-token=${token}] .value-token`).click();
        await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
        said.push(document.getElementById("announcer").textContent);
      }
      return [said, document.querySelector("[name=colours]").value];
    """
    assert run("dom.js", body, None, HTML) == [
        ["Now tap.", "blue: Place 2", "Now tap.", "blue: Place 1", "white: Place 3"],
        "blue,red,white",
    ]
