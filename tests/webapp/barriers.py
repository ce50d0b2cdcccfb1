"""What of a page keeps somebody from using it, as axe-core finds it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RULES = {
    "runOnly": {"type": "tag", "values": WCAG},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
"""The one rule that the colours of a dark screen bear on; pages are laid out alike in both."""
AXE = Axe()
SETTLED = "() => document.fonts.ready.then(() => document.readyState === 'complete')"
"""A page whose styles and typefaces are still under way has other sizes than it will have."""
TOO_WIDE = """() => {
  const wide = [document.documentElement, document.querySelector(".scroll")]
    .some(part => part.scrollWidth > part.clientWidth);
  const beside = innerHeight > 420 && document.documentElement.scrollHeight > innerHeight + 1;
  const beyond = [...document.querySelectorAll("main *, header *, footer *")].filter(part => {
    const box = part.getBoundingClientRect();
    return box.width && box.right > innerWidth + 0.5 && part.checkVisibility() &&
      !part.closest(".unseen, .tabs, .hand, #boards, pre");
  });
  return [
    ...(wide ? [...beyond.slice(-2).map(part => part.outerHTML.slice(0, 120)), "too wide"] : []),
    ...(beside ? ["scrolls beside its own screen"] : []),
  ];
}"""
"""What of a page is beyond the screen's width, or scrolls beside its own screen."""


def settle(page: Page) -> None:
    """Wait until a page looks as it will: an answer to a form is shown before it has its styles."""
    page.wait_for_function(SETTLED)


def barriers(page: Page) -> list[str]:
    """Return what axe-core finds on a settled page, light and dark."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    settle(page)
    found = [f"light: {reported}" for reported in _violations(page, RULES)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {reported}" for reported in _violations(page, CONTRAST)]
    page.emulate_media(color_scheme="light")
    return found


def _violations(page: Page, options: Mapping[str, Any]) -> Iterator[str]:
    """What axe-core finds, a line a rule."""
    if not page.evaluate("'axe' in window"):
        page.add_init_script(AXE.axe_script)  # on further pages it is there
        page.evaluate(AXE.axe_script)
    run = f"axe.run({json.dumps(options)}).then(({{ violations }}) => violations)"
    for violation in page.evaluate(run):
        nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
        yield f"{violation['id']}: {violation['help']}: {nodes}"
