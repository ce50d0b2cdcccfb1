"""A browser that was told to trust the computer's authority: over the network, without a warning,
and the installed companion opens while the computer is away."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, expect

from tests.conftest import PATIENCE_MS
from tests.webapp.browser.computer import Computer, kept
from tests.webapp.browser.conftest import PHONE
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import Player
from webapp.server.certificate import tls_context
from webapp.server.waitress_server import addresses_of_this_computer, names_of_this_computer

pytestmark = [
    pytest.mark.skipif(shutil.which("certutil") is None, reason="no certutil: libnss3-tools"),
    pytest.mark.skipif(not addresses_of_this_computer(), reason="this computer is in no network"),
]


@pytest.fixture
def computer(tmp_path: Path) -> Iterator[Computer]:
    addresses = addresses_of_this_computer()
    hosts = {*names_of_this_computer(), *addresses, "localhost", "127.0.0.1"}
    tls = tls_context(tmp_path / "data", hosts)
    made = Computer(tmp_path / "data", addresses[0], tls, hosts, invitation="open-sesame")
    yield made
    made.end()


@pytest.fixture
def phone(browser: Browser, computer: Computer, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser with its own store of certificates: in that of its user, as Chromium has it."""
    store = tmp_path / "home" / ".pki" / "nssdb"
    store.mkdir(parents=True)
    authority = tmp_path / "data" / "authority.pem"
    for command in (
        ("-N", "--empty-password"),
        ("-A", "-t", "C,,", "-n", "stargazer", "-i", str(authority)),
    ):
        subprocess.run(["certutil", "-d", f"sql:{store}", *command], check=True)
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=CHROMIUM,
        args=ARGUMENTS,
        env={**os.environ, "HOME": str(tmp_path / "home")},
        viewport=PHONE,
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def test_the_installed_companion_opens_while_the_computer_is_away(
    browser: Browser, computer: Computer, phone: BrowserContext
) -> None:
    game = Player(computer.app.test_client()).play_to_score("Ana", "Luis")
    stranger = browser.new_page()
    stranger.set_default_timeout(PATIENCE_MS)
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        stranger.goto(computer.address)
    stranger.close()
    page = phone.pages[0]
    page.goto(f"{computer.address}/join/open-sesame")
    page.wait_for_function("() => isSecureContext && navigator.serviceWorker.controller")
    for address in ("/", f"{game}/score"):
        kept(page, address)
    computer.go_away()
    page.close()

    again = phone.new_page()
    again.goto(computer.address)
    expect(again.locator("#away")).to_be_visible()
    again.locator(f'a[href="{game}"]').click()
    expect(again.locator("h1")).to_contain_text("win")
