"""The setup of a table: what is ticked stays ticked until the table is ready."""

from typing import Any

from tests.webapp.scripts.conftest import FRAME, Run

HTML = f"""{FRAME}<ol class="setup" data-kept="set up two">
  <li><input type="checkbox" id="setup-1"></li><li><input type="checkbox" id="setup-2"></li></ol>
  <div class="thumb"><a class="primary" href="#ready"></a></div>"""


def test_ticks_stay_until_the_table_is_ready(run: Run) -> None:
    body = """
      const shown = async () => {
        for (const tick of document.querySelectorAll("input")) tick.checked = false;
        await import(`./table_setup.js#${performance.now()}`);
        return [...document.querySelectorAll(":checked")].map(({ id }) => id);
      };
      const before = await shown();
      document.getElementById("setup-2").click();
      const after = await shown();
      document.querySelector(".primary").click();
      return [before, after, await shown()];
    """
    made: Any = run("dom.js", body, None, HTML)
    assert made == [[], ["setup-2"], []]
