"""The toy game is found as somebody else's package would be: by its metadata on the path."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calibration import Profile, load_profile
from scorer import registry
from tests.games.orchard_table import Orchard
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from webapp.app.settings import Settings
from webapp.web.application import create_app

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def quick(quick_servers: None) -> None:
    """Make servers in this process quick."""


@pytest.fixture(autouse=True, scope="module")
def toy_game() -> Iterator[None]:
    """Put the toy game on the path for a file of tests."""
    with toy_known():
        yield


@pytest.fixture(scope="module")
def meadow(toy_game: None) -> Profile:
    return load_profile("meadow")


@contextmanager
def toy_known() -> Iterator[None]:
    """Put the toy game on the path of this process and of those it starts."""
    before = os.environ.get("PYTHONPATH", "")
    sys.path.insert(0, str(HERE))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), before)))
    _forget()
    yield
    sys.path.remove(str(HERE))
    os.environ["PYTHONPATH"] = before
    _forget()


def _forget() -> None:
    registry._installed.cache_clear()
    registry.entries.cache_clear()
    registry.find.cache_clear()


@pytest.fixture
def orchard(tmp_path: Path) -> Iterator[Orchard]:
    settings = Settings(tmp_path / "data", rate_limits=False, profile="orchard/standard")
    app = create_app(settings, reads_nothing, FakeFrameWorker)
    yield Orchard(app)
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()
