"""The pages' scripts in a browser without a server: each is loaded as it lies in its folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "webapp" / "web" / "static" / "script"
ORIGIN = "http://localhost"
PATIENCE = 30_000  # ms that a test's body may take: what waits for ever has failed
UNDELIVERED = (
    '<div id="undelivered" data-lost="the photograph is gone" data-clash="it was refused"'
    ' data-waits="waits" data-changes-one="9 change" data-changes-more="9 changes"'
    ' data-again="again" data-discard="discard"></div>'
)

FRAME = f"""
  <p id="away" hidden></p><p id="arrived" hidden></p><p id="full" hidden></p>
  <p id="unreached" hidden></p><p id="announcer"></p><div class="scroll"></div>
  {UNDELIVERED.replace("></div>", " hidden><span></span><ul></ul></div>")}
"""
"""What every page has."""

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def origin(browser: Browser) -> Iterator[Page]:
    """A browser's page on which the scripts are found; whatever else it asks for is refused."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(f"{ORIGIN}/")
        if path == "":
            route.fulfill(content_type="text/html", body=UNDELIVERED)
        elif (SCRIPTS / path).is_file():
            route.fulfill(content_type="text/javascript", body=(SCRIPTS / path).read_bytes())
        else:
            route.abort()

    context.route("**/*", answer)
    yield page
    context.close()


@pytest.fixture
def page(origin: Page) -> Page:
    """An empty page that has kept nothing yet."""
    origin.goto(f"{ORIGIN}/")
    origin.evaluate("localStorage.clear(); indexedDB.deleteDatabase('stargazer');")
    return origin


@pytest.fixture
def run(page: Page) -> Run:
    """Run the body of a function with a script's exports and an argument; return its value.

    What a script looks for on its page when it is loaded is `html`.
    """

    def call(script: str, body: str, given: Any = None, html: str = "") -> Any:
        program = f"""async ([at, given, html]) => {{
          if (html) document.body.innerHTML = html;
          const script = await import(at);
          const body = async () => {{ {body} }};
          const late = new Promise((_, fail) => {{
            setTimeout(() => fail(new Error("no end after {PATIENCE} ms")), {PATIENCE});
          }});
          return Promise.race([body(), late]);
        }}"""
        return page.evaluate(program, [f"{ORIGIN}/{script}", given, html])

    return call
