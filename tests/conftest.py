"""Fixtures and hooks shared by the tests of several packages."""

import gc
import os
import re
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import platformdirs
import psutil
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings
from werkzeug.test import TestResponse

from tests.webapp.chromium import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from calibration import Profile

if sys.dont_write_bytecode:
    # Otherwise the workers, and some hundred processes that tests start, would each compile all
    # modules and tests: two thirds of the start time of a server.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for library in ("OMP", "OPENBLAS"):
    # Several workers share the cores, so that threads within one would only wait for each other;
    # training a small network took ten times the processor time. Must be set before the import.
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")


FULL_MATRIX = bool(os.environ.get("STARGAZER_FULL_MATRIX"))
"""Whether everything is tested, as in `.ci/run`; otherwise one of each kind."""

MEMORY = Path("/dev/shm")
FOR_TESTS = 4_000_000_000
"""Bytes, several times what a run has there at a time."""


def fits_into_memory() -> bool:
    """Whether temporary files can lie in memory, where no commit of a database waits for a disk."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return False
    free = min(psutil.virtual_memory().available, psutil.disk_usage(str(MEMORY)).free)
    return free > FOR_TESTS and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC


if fits_into_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# The same examples in every run, however slow the machine is.
settings.register_profile(
    "tests",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100 if FULL_MATRIX else 40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")

PATIENCE_MS = 60_000
"""The timeout of pages in ms, generous for busy machines."""

Cell = TypeVar("Cell")


def in_full(cells: Sequence[Cell], *quick: Cell) -> Sequence[Cell]:
    """Return all cells of a matrix in CI, locally those most likely to fail."""
    assert set(quick) <= set(cells)
    return cells if FULL_MATRIX else quick


in_ci = pytest.mark.skipif(not FULL_MATRIX, reason="takes long: STARGAZER_FULL_MATRIX=1")
"""Marks tests that take long: one of several of a kind, or what others cover in parts."""

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
"""Stargazer's folders in the home of the user who runs the tests."""


def own_files() -> dict[Path, int]:
    """Return the modification time in ns of each file in those folders."""
    files = [file for folder in OWN_FOLDERS for file in folder.rglob("*") if file.is_file()]
    return {file: file.stat().st_mtime_ns for file in files}


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker, with all processes it starts, its own home folder."""
    config.stash[OWN_FILES] = own_files()
    home = config.stash[HOME] = tempfile.TemporaryDirectory(prefix="stargazer-tests-home-")
    os.environ.setdefault("GIT_CONFIG_GLOBAL", str(Path.home() / ".gitconfig"))
    os.environ["HOME"] = home.name
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(Path(home.name, name.lower()))
    os.environ.pop("STARGAZER_DATA", None)


LONGEST = (
    *("test_everybody", "test_every_route", "test_train", "test_proposal", "test_tracker"),
    *("test_own_areas", "test_my_board", "test_polaris", "test_via_nebula", "test_flow"),
    *("test_table_page", "test_guided_game", "test_away", "test_guided_secrets"),
    *("test_no_barrier", "test_data_folder", "test_secrets", "test_camera", "test_printing"),
    *("test_orchard_counts", "test_tile", "test_cards", "test_synthesize", "test_supervisor"),
    *("test_lessons", "test_orchard", "test_bad_input", "test_drafts", "test_toy_pictures"),
    *("test_stays_here", "test_guide", "test_search", "test_card_photographs", "test_by_hand"),
    *("test_everything", "test_correcting", "test_polaris_guide"),
)
"""Files that take ten seconds or more."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the slowest files, so that they do not keep one worker busy at the end."""
    rank = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude the modules and collected tests from garbage collection.

    Also collect less often than by default, which took 7 % of the tests' time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test wrote into the real home folder."""
    config = session.config
    if hasattr(config, "workerinput"):  # the controller checks, after the last worker
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
    """Report how many tests were skipped, by reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(one.longrepr[2]).removeprefix("Skipped: ") for one in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"left out: {count} ({reason})", yellow=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[HOME].cleanup()


@pytest.fixture
def stargazer() -> Callable[..., Result]:
    """Run the command in this process like a shell would, without hiding exceptions."""
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
    """Cache the features of more pictures than usual, as tests reuse the same ones."""
    with pytest.MonkeyPatch.context() as patch:
        if "vision.features" in sys.modules:
            patch.setattr("vision.features.MOST_KEPT", 150)
        yield


@pytest.fixture(scope="session", autouse=True)
def pools_of_one_in_threads() -> Iterator[None]:
    """Give synthesis and training a thread unless two workers are asked for.

    A fresh interpreter would import OpenCV and torch anew, which takes longer than its work.
    """

    def pool(count: int | None, *context: Any, **options: Any) -> Executor:
        several = count is not None and count > 1
        return ProcessPoolExecutor(count, *context, **options) if several else ThreadPoolExecutor(1)

    with pytest.MonkeyPatch.context() as patch:
        if "models.workers" in sys.modules:
            patch.setattr("models.workers.ProcessPoolExecutor", pool)
        yield


LUCK = Random()
"""In place of the system's random numbers, wherever the course of a guided game depends on them."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let guided games take the same course in every run."""
    LUCK.seed(item.nodeid)


@pytest.fixture(scope="session", autouse=True)
def same_luck() -> Iterator[None]:
    stand_in = SimpleNamespace(
        token_bytes=LUCK.randbytes,
        token_hex=lambda digits: LUCK.randbytes(digits).hex(),
        token_urlsafe=secrets.token_urlsafe,
    )
    names = {
        "LUCK": ("webapp.app.guided_game", "webapp.games.nebula.guide.game"),
        "secrets": (
            *("webapp.app.data_folder", "webapp.app.guide.service"),
            "webapp.app.session.saved_games",
        ),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, modules in names.items():
            for module in sys.modules.keys() & {*modules}:
                patch.setattr(f"{module}.{name}", LUCK if name == "LUCK" else stand_in)
        yield


@pytest.fixture(scope="session", autouse=True)
def comparable_pages() -> Iterator[None]:
    """Collapse white space within the tags of pages, however their templates are wrapped.

    The tokens of forms are left out, too: any short text may occur in one by chance. They are in
    `get_data`.
    """

    def text(response: TestResponse) -> str:
        text = response.get_data(as_text=True)
        if response.mimetype != "text/html":
            return text
        text = re.sub(r'(csrf_token" value|data-token)="[^"]{60,}"', r'\1=""', text)
        return re.sub(r"<\w[^<>]*>", lambda tag: re.sub(r"\s+", " ", tag[0]), text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestResponse, "text", property(text))
        yield


@pytest.fixture(scope="session")
def labelled_photographs() -> Path:
    """Return the folder of labelled photographs for measurements.

    Skips if there is none, or fails if `.ci/run` has set STARGAZER_PHOTOS_EXPECTED.
    """
    beside = Path(__file__).parents[2] / "shared" / "photos"
    folder = Path(os.environ.get("STARGAZER_PHOTOS", beside))
    if not folder.is_dir():
        reported = "no labelled photographs: set STARGAZER_PHOTOS to their folder"
        if os.environ.get("STARGAZER_PHOTOS_EXPECTED"):
            pytest.fail(f"{reported}; they are expected here ({folder})")
        pytest.skip(reported)
    return folder


@pytest.fixture(scope="module")
def sky() -> "Profile":
    from calibration import load_profile

    return load_profile("polaris/standard")


@pytest.fixture(scope="session")
def quick_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Speed up servers in this process, see `tests.webapp.quick`."""
    from tests.webapp import quick

    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # shared by all workers
    templates = base / "templates"
    templates.mkdir(exist_ok=True)
    with quick.quick_servers(templates):
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import expect, sync_playwright

    if CHROMIUM is None:
        pytest.skip("no Chromium on this computer: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()
