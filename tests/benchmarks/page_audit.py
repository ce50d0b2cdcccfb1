"""An offline audit like Lighthouse's for phones: size, speed, installability, targets, contrast.

    python -m tests.benchmarks.page_audit

Opens the pages of a scored game on a phone's screen, with the processor slowed down four times and
the network to 1.6 Mbit/s with 150 ms latency, as Lighthouse does. Prints a line per page and what
prevents installation; exits with 1 for such a problem, an error in the console, or a finding of
axe-core. Times are printed, but not judged.
"""

import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from PIL import Image
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.webapp.barriers import barriers
from tests.webapp.browser.computer import Computer, kept
from tests.webapp.browser.conftest import PHONE
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import Player

SLOWED = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
ICONS = {(192, "any"), (512, "any"), (192, "maskable"), (512, "maskable")}
PAINTS = """new Promise(tell => {
  const seen = { first: 0, largest: 0, shift: 0 };
  const watch = (type, heed) => new PerformanceObserver(list => list.getEntries().forEach(heed))
    .observe({ type, buffered: true });
  watch("paint", entry => { seen.first = entry.startTime; });
  watch("largest-contentful-paint", entry => { seen.largest = entry.startTime; });
  watch("layout-shift", entry => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  setTimeout(() => tell(seen), 400);
})"""
TARGETS = """[...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter(part => part.type !== "hidden" && part.checkVisibility())
  .filter(part => !part.closest("p, li, .unseen"))
  .map(part => (part.closest("label") ?? part).getBoundingClientRect())
  .filter(box => box.width > 1 && box.height > 1 && Math.min(box.width, box.height) < 44).length"""
HEAD = """({
  title: document.title,
  language: document.documentElement.lang,
  viewport: document.querySelector("meta[name=viewport]")?.content ?? "",
  theme: Boolean(document.querySelector("meta[name=theme-color]")),
})"""


@dataclass
class Audit:
    """A page's size, times and problems."""

    page: str
    requests: int = 0
    kilobytes: float = 0
    paints: dict[str, float] = field(default_factory=dict)
    small_targets: int = 0
    problems: list[str] = field(default_factory=list)


def audit(context: BrowserContext, address: str) -> Audit:
    """Open a page for the first time on a slow phone."""
    found = Audit(address)
    page = context.new_page()
    page.set_default_timeout(60_000)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})

    def weigh(sent: dict[str, Any]) -> None:
        found.requests += 1
        found.kilobytes += sent["encodedDataLength"] / 1000

    devtools.on("Network.loadingFinished", weigh)
    page.on("pageerror", lambda error: found.problems.append(f"script: {error}"))
    page.on(
        "console",
        lambda said: found.problems.append(said.text) if said.type == "error" else None,
    )
    page.goto(address)
    found.paints = page.evaluate(PAINTS)
    found.small_targets = page.evaluate(TARGETS)
    head = page.evaluate(HEAD)
    found.problems += [f"no {name}" for name, value in head.items() if not value]
    if "width=device-width" not in head["viewport"] or "user-scalable=no" in head["viewport"]:
        found.problems.append(f"viewport: {head['viewport']}")
    found.problems += [f"axe: {barrier}" for barrier in barriers(page)]
    page.close()
    return found


def uninstallable(page: Page, root: str) -> list[str]:
    """Return what prevents the app from being installed, or from opening offline."""
    page.goto(root)
    link = page.get_attribute("link[rel=manifest]", "href")
    if link is None:
        return ["no manifest"]
    manifest = json.loads(page.request.get(urljoin(root, link)).text())
    wanted = ("name", "short_name", "start_url", "display", "background_color", "theme_color")
    wrong = [f"manifest: no {key}" for key in wanted if not manifest.get(key)]
    icons = set()
    with tempfile.TemporaryDirectory() as folder:
        for icon in manifest["icons"]:
            if icon["type"] != "image/png":
                continue
            file = Path(folder, "icon.png")
            file.write_bytes(page.request.get(urljoin(root, icon["src"])).body())
            width, height = Image.open(file).size
            if icon["sizes"] != f"{width}x{height}":
                wrong.append(f"{icon['src']} is {width} x {height}")
            icons.add((width, icon["purpose"]))
    wrong += [f"no icon of {size} px, {purpose}" for size, purpose in sorted(ICONS - icons)]
    page.wait_for_function("() => navigator.serviceWorker.controller")
    return wrong


def opens_away(page: Page, computer: Computer) -> list[str]:
    """Return what is wrong when the installed app starts offline."""
    kept(page, "/")
    computer.go_away()
    page.goto(f"{computer.address}/")
    return [] if page.locator(".tile").count() else ["no game is shown while the server is away"]


def run(playwright: Playwright, folder: Path) -> list[str]:
    """Audit all pages, print the results, and return what is wrong."""
    computer = Computer(folder)
    game = Player(computer.app.test_client()).play_to_score("Ana", "Luis")
    pages = (
        "/", "/games/new", f"{game}/score", f"{game}/score/0", f"{game}/photographs",
        "/my-boards", "/lessons", "/lessons/nebula/first_star", "/ask", "/people",
    )  # fmt: skip
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    audits = []
    for path in pages:
        context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
        audits.append(audit(context, computer.address + path))
        context.close()
    page = browser.new_page()
    wrong = uninstallable(page, computer.address + "/") + opens_away(page, computer)
    browser.close()
    computer.end()
    reported = Table(
        "page", "requests", "weight", "first paint", "largest", "shift", "targets < 44 px"
    )
    for one in audits:
        reported.add_row(
            one.page.removeprefix(computer.address),
            str(one.requests),
            f"{one.kilobytes:.0f} kB",
            f"{one.paints['first'] / 1000:.2f} s",
            f"{one.paints['largest'] / 1000:.2f} s",
            f"{one.paints['shift']:.3f}",
            str(one.small_targets),
        )
    Console().print(reported)
    return wrong + [f"{one.page}: {problem}" for one in audits for problem in one.problems]


def main() -> int:
    """Audit this version's pages."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        wrong = run(playwright, Path(folder))
    print(*(wrong or ["nothing found"]), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
