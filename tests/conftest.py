"""What tests of several rooms share."""

import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import platformdirs
import pytest
from click.testing import CliRunner, Result

from tests.webapp.chromium import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser

if sys.dont_write_bytecode:
    # The workers, and some hundred processes that tests start, would each compile every module
    # that they load, and every test, anew: two thirds of what starting a server takes.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for library in ("OMP", "OPENBLAS"):
    # Several workers share the cores: threads within one would but wait for each other, and
    # training a small network took ten times the processor time. Read as they are imported.
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

PATIENCE_MS = 60_000
"""How long a page may take to do or show what is expected of it: a busy machine takes its time."""


FULL_MATRIX = bool(os.environ.get("STARGAZER_FULL_MATRIX"))
"""Whether pages are looked at in each language and size, as `.ci/run` has it."""
Cell = TypeVar("Cell")


def in_full(cells: Sequence[Cell], *quick: Cell) -> Sequence[Cell]:
    """All of a matrix's cells in CI; at a desk those most likely to differ from what is right."""
    assert set(quick) <= set(cells)
    return cells if FULL_MATRIX else quick


in_ci = pytest.mark.skipif(not FULL_MATRIX, reason="a long walk: STARGAZER_FULL_MATRIX=1")
"""A test that walks once more, from end to end, through what others test in parts."""

OWN_FILES = pytest.StashKey[dict[Path, int]]()
HOME = pytest.StashKey["tempfile.TemporaryDirectory[str]"]()
OWN_FOLDERS = tuple(
    find("stargazer")
    for find in (
        platformdirs.user_cache_path,
        platformdirs.user_config_path,
        platformdirs.user_data_path,
        platformdirs.user_state_path,
    )
)
"""Stargazer's folders in the home of whoever runs the tests."""


def own_files() -> dict[Path, int]:
    """When each file in those folders was last written, in ns."""
    files = [file for folder in OWN_FOLDERS for file in folder.rglob("*") if file.is_file()]
    return {file: file.stat().st_mtime_ns for file in files}


def pytest_configure(config: pytest.Config) -> None:
    """Give the tests, and every process they start, a home of their own: one a worker."""
    config.stash[OWN_FILES] = own_files()
    home = config.stash[HOME] = tempfile.TemporaryDirectory(prefix="stargazer-tests-home-")
    os.environ.setdefault("GIT_CONFIG_GLOBAL", str(Path.home() / ".gitconfig"))
    os.environ["HOME"] = home.name
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(Path(home.name, name.lower()))
    os.environ.pop("STARGAZER_DATA", None)


LONGEST = (
    *("test_every_route", "test_train", "test_proposal", "test_everybody", "test_tracker"),
    *("test_table_page", "test_guided_game", "test_away", "test_guided_secrets"),
    *("test_no_barrier", "test_data_folder", "test_secrets", "test_camera", "test_printing"),
)
"""Files of ten seconds and more."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, lest one worker be left with them at the end."""
    rank = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what stays to the end: the modules, and all of the tests.

    What tests leave it looks for less often than by default, which took 7 % of their time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test wrote into the home of whoever runs the tests all the same."""
    config = session.config
    if hasattr(config, "workerinput"):  # its controller looks, after the last worker has ended
        return
    before, after = config.stash[OWN_FILES], own_files()
    changed = sorted(
        str(file) for file in before.keys() | after.keys() if before.get(file) != after.get(file)
    )
    if changed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = config.pluginmanager.getplugin("terminalreporter")
        reporter.write_line("")
        reporter.write_line(f"written outside the tests' home: {', '.join(changed[:9])}", red=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, and for lack of what."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(one.longrepr[2]).removeprefix("Skipped: ") for one in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"left out: {count} ({reason})", yellow=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the tests' home."""
    config.stash[HOME].cleanup()


@pytest.fixture
def stargazer() -> Callable[..., Result]:
    """Run the command in this process, as the shell would, with errors raised as they are."""
    from webapp.cli.main import main

    def run(*arguments: object, stdin: bytes = b"") -> Result:
        given = [str(argument) for argument in arguments]
        result = CliRunner().invoke(main, given, input=stdin, prog_name="stargazer")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture(scope="session", autouse=True)
def features_found_once() -> Iterator[None]:
    """Keep features of more pictures than usual: tests search the same ones again and again."""
    with pytest.MonkeyPatch.context() as patch:
        if "vision.features" in sys.modules:
            patch.setattr("vision.features.MOST_KEPT", 150)
        yield


@pytest.fixture(scope="session")
def labelled_photographs() -> Path:
    """Give the folder of labelled photographs to measure on.

    Skips where there is none, and fails where there should be one: `.ci/run` sets
    STARGAZER_PHOTOS_EXPECTED.
    """
    beside = Path(__file__).parents[2] / "shared" / "photos"
    folder = Path(os.environ.get("STARGAZER_PHOTOS", beside))
    if not folder.is_dir():
        reported = "no labelled photographs: set STARGAZER_PHOTOS to their folder"
        if os.environ.get("STARGAZER_PHOTOS_EXPECTED"):
            pytest.fail(f"{reported}; they are expected here ({folder})")
        pytest.skip(reported)
    return folder


@pytest.fixture(scope="session")
def quick_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make servers in this process quick, see `tests.webapp.quick`."""
    from tests.webapp import quick

    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # every worker's
    templates = base / "templates"
    templates.mkdir(exist_ok=True)
    with quick.quick_servers(templates):
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """The system's Chromium."""
    from playwright.sync_api import expect, sync_playwright

    if CHROMIUM is None:
        pytest.skip("no Chromium on this computer: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()
