"""The pages' scripts in a browser without a server: each is loaded as it lies in its folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "webapp" / "web" / "static" / "script"
ORIGIN = "http://localhost"
UNDELIVERED = (
    '<div id="undelivered" data-lost="the photograph is gone" data-clash="it was refused"></div>'
)

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
    """Run the body of a function with a script's exports and an argument; return its value."""

    def call(script: str, body: str, given: Any = None) -> Any:
        program = f"async ([at, given]) => {{ const script = await import(at); {body} }}"
        return page.evaluate(program, [f"{ORIGIN}/{script}", given])

    return call
