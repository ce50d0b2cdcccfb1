"""The pages' scripts in a browser without a server: each is loaded as it lies in its folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.conftest import PATIENCE_MS

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "webapp" / "web" / "static" / "script"
ORIGIN = "http://localhost"
PATIENCE = 30_000  # ms that a test's body may take: what waits for ever has failed
UNDELIVERED = (
    '<div id="undelivered" data-lost="the photograph is gone" data-clash="it was refused"'
    ' data-waits="waits" data-changes-one="9 change" data-changes-more="9 changes"'
    ' data-photographs-one="9 photograph" data-photographs-more="9 photographs"'
    ' data-again="again" data-discard="discard"></div>'
)

FRAME = f"""
  <p id="away" hidden></p><p id="arrived" hidden></p><p id="full" hidden></p>
  <p id="unreached" hidden></p><p id="announcer"></p><div class="scroll"></div>
  {UNDELIVERED.replace("></div>", " hidden><span></span><ul></ul></div>")}
"""
"""What every page has."""

ASKED = """
  const asked = [];
  window.fetch = (url, { method = "GET", body, signal } = {}) => new Promise((done, fail) => {
    const fields = [...body ?? []].filter(([, value]) => typeof value === "string");
    signal?.addEventListener("abort", () => fail(new DOMException("", "AbortError")));
    asked.push({ url: new URL(url, location.href).pathname + new URL(url, location.href).search,
      method, fields: Object.fromEntries(fields),
      answer: async (text, status = 200) => {
        done(new Response(text, { status }));
        await settled();
      } });
  });
  const settled = () => new Promise((done) => { setTimeout(done, 20); });
  const urls = () => asked.map(({ url }) => url);
  const element = (id) => document.getElementById(id);
  const tap = (svg, id) => { // in the middle of a place
    const { x, y, width, height } = svg.querySelector(`#${id}`).getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    svg.dispatchEvent(new MouseEvent("click", { bubbles: true, ...at }));
  };
  const key = (at, name) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
    at.dispatchEvent(event);
    return event.defaultPrevented;
  };
"""
"""What a script asks for is answered when the test says so; how it is tapped and typed at."""
STREAM = """
  delete window.SharedWorker;
  window.EventSource = class {
    constructor() { this.heard = {}; window.stream = this; }
    addEventListener(kind, hear) { this.heard[kind] = hear; }
    close() {}
  };
  const news = (kind, told) => window.stream.heard[kind]({ data: JSON.stringify(told) });
"""
"""A stream of news of which the test says what it brings."""

Run = Callable[..., Any]


def drawn(*ids: str, kind: str = "spot", style: str = "", **more: str) -> str:
    """A board of 100 x 40 mm with places in a row; `more` are attributes of some by their ids."""
    spaces = "".join(
        f'<g class="space" id="space-{id_}" tabindex="{-n}" data-space="{id_}" data-name="{id_}"'
        f' data-kind="{kind}" data-x="{20 + 40 * n}" data-y="20" data-radius="5"'
        f' data-admits="{"link" if kind == "edge" else "red blue"}"'
        f" {more.get(id_, '')}>"
        f'<circle cx="{20 + 40 * n}" cy="20" r="5"></circle></g>'
        for n, id_ in enumerate(ids)
    )
    head = f'<svg id="drawn" class="{style}" width="200" height="80" viewBox="0 0 100 40">'
    return f"{head}{spaces}</svg>"


@pytest.fixture(scope="module")
def origin(browser: Browser) -> Iterator[Page]:
    """A browser's page on which the scripts are found; whatever else it asks for is refused."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)

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
