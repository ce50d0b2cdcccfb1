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


def test_a_photograph_of_the_setup_is_sent_once_it_is_chosen(run: Run) -> None:
    form = '<form><input type="file" data-sends></form>'
    body = """
      let sent = 0;
      document.querySelector("form").addEventListener("submit", (event) => {
        event.preventDefault();
        sent += 1;
      });
      document.querySelector("[data-sends]").dispatchEvent(new Event("change"));
      return sent;
    """
    assert run("table_setup.js", body, None, HTML + form) == 1


def test_it_is_said_that_making_the_pdf_takes_some_seconds(run: Run) -> None:
    form = '<form class="print-game"><p id="making" hidden></p></form>'
    body = """
      const form = document.querySelector(".print-game");
      form.addEventListener("submit", (event) => event.preventDefault());
      const before = document.getElementById("making").hidden;
      form.requestSubmit();
      return [before, document.getElementById("making").hidden];
    """
    assert run("table_setup.js", body, None, HTML + form) == [True, False]
