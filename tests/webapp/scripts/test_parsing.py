"""Every script of the pages is read by a browser, as far as it goes without running it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.conftest import PATIENCE_MS

WEBAPP = Path(__file__).parents[3] / "webapp"
ORIGIN = "http://localhost"
END = "parsed and linked"

LOAD = """async (addresses) => {
  const found = [];
  for (const address of addresses) {
    try { await import(address); } catch (error) { found.push([address, String(error)]); }
  }
  return found;
}"""


def complaints(browser: Browser, folder: Path) -> dict[str, str]:
    """Load each script in a folder, whose first statement ends it; return what else happens.

    A module runs after it and all that it imports are parsed, and every imported name is found: a
    syntax error or a name that nothing exports is told instead of our own error.
    """
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(f"{ORIGIN}/")
        if not path:
            route.fulfill(content_type="text/html", body="")
        elif (folder / path).is_file():
            source = (folder / path).read_text(encoding="utf-8")
            body = f'throw new Error("{END}"); {source}'
            route.fulfill(content_type="text/javascript; charset=utf-8", body=body)
        else:
            route.fulfill(status=404)

    context.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    scripts = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js"))
    assert scripts
    found = page.evaluate(LOAD, [f"{ORIGIN}/{script}" for script in scripts])
    context.close()
    assert len(found) == len(scripts)
    return {
        address.removeprefix(f"{ORIGIN}/"): error for address, error in found if END not in error
    }


def test_every_script_is_one_and_finds_what_it_imports(browser: Browser) -> None:
    assert complaints(browser, WEBAPP) == {}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("const a = {", "SyntaxError"),
        ("export const a = 1; const a = 2;", "SyntaxError"),
        ('import { missing } from "./good.js";', "does not provide an export named 'missing'"),
        ('import { good } from "./nowhere.js";', "Failed to fetch"),
    ],
)
def test_one_that_is_broken_is_reported(
    browser: Browser, tmp_path: Path, wrong: str, said: str
) -> None:
    (tmp_path / "good.js").write_text("export const good = 1;")
    (tmp_path / "bad.js").write_text(wrong)
    found = complaints(browser, tmp_path)
    assert found.keys() == {"bad.js"} and said in found["bad.js"]
