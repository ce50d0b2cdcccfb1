"""A server with a reader that reads what it is told to, and a player who taps through it."""

import io
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import wait
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer
from PIL import Image
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from scorer.nebula.board import STANDARD_BOARD
from scorer.table import UNKNOWN_TABLE, RolesByGame
from tests.conftest import FULL_MATRIX
from tests.services import missing, new_database, postgresql
from webapp.app.database import GameRow, open_database
from webapp.app.reading.reading_queue import ReadPhotograph, UnusablePhotographError
from webapp.app.settings import Settings
from webapp.web.application import create_app
from webapp.web.changes import Seen, change_of

if TYPE_CHECKING:
    from tests.webapp.guided import Guided

HERE = "http://127.0.0.1:8765"
STARS = {
    "core": "red",
    "ar1": "blue",
    "ar2": "white",
    "ar3": "orange",
    "ar4": "yellow",
    "ta1": "purple",
}


def jpeg(size: tuple[int, int] = (60, 72), kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (20, 26, 63)).save(out, kind)
    return out.getvalue()


def read_board(
    stars: Mapping[str, str] = STARS, black: int = 4, doubtful: str = "ar3"
) -> Mapping[str, Any]:
    """One board of a reading."""
    return {
        "profile": "standard",
        "corners": [[0, 0], [800, 0], [800, 960], [0, 960]],
        "spaces": {
            space: {
                "star": stars.get(space),
                "confidence": 0.55 if space == doubtful else 0.99,
            }
            for space in STANDARD_BOARD.spaces
        },
        "black": {"count": black, "confidence": 0.99},
        "loose": [],
        "flags": [
            {
                "kind": "uncertain",
                "spaces": [doubtful],
                "alternatives": {"red": 0.55, "orange": 0.43},
            }
        ],
    }


class TellingReader:
    """Reads in every photograph the boards that a test told it; a problem where there are none."""

    def __init__(self) -> None:
        self.boards: list[Mapping[str, Any]] = [read_board()]
        self.problem: str | None = None
        self.dark = False
        self.names: list[str] = []
        self.profiles: list[tuple[str, ...]] = []
        self.expected: list[int] = []
        self.piece_roles: list[RolesByGame] = []

    def __call__(
        self,
        path: Path,
        name: str,
        profiles: Sequence[str],
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> ReadPhotograph:
        self.expected.append(expected)
        self.piece_roles.append(piece_roles)
        self.names.append(name)
        self.profiles.append(tuple(profiles))
        assert path.is_file()
        if self.problem:
            raise UnusablePhotographError(self.problem, f"{name}: {self.problem}", jpeg())
        reading = {
            "format": 1,
            "photo": name,
            "size": [800, 960],
            "boards": self.boards,
            "timing_ms": {"total": 1.0},
        }
        pictures = tuple(jpeg((800, 960)) for _ in self.boards)
        return ReadPhotograph(reading, jpeg(), pictures, (self.dark,) * len(pictures))


@pytest.fixture
def reader() -> TellingReader:
    return TellingReader()


@pytest.fixture(scope="session", autouse=True)
def quick(quick_servers: None) -> None:
    """Make servers in this process quick."""


@pytest.fixture(autouse=True)
def home_of_the_test(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let no test see the boards of another: each version that a game keeps is looked at.

    Tests in a browser share a server, and its home.
    """
    if "browser" not in request.path.parts:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


_left_out = missing("postgresql") or ([] if FULL_MATRIX else ["STARGAZER_FULL_MATRIX=1"])
_on_both = pytest.mark.parametrize(
    "database_url",
    [
        "",
        pytest.param(
            "postgresql",
            marks=pytest.mark.skipif(
                bool(_left_out), reason=f"on SQLite alone, for lack of {', '.join(_left_out)}"
            ),
        ),
    ],
    ids=["sqlite", "postgresql"],
    indirect=True,
)
both_databases = [pytest.mark.usefixtures("database_url"), _on_both]
"""Marks of modules about what is kept: by SQLite, and alike by PostgreSQL."""
Test = TypeVar("Test", bound=Callable[..., Any])


def on_both_databases(test: Test) -> Test:
    """Mark one test of a module that is about other things as well."""
    marked: Test = _on_both(pytest.mark.usefixtures("database_url")(test))
    return marked


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[tuple[str, str]]:
    """Run a PostgreSQL; its URL, and the name of a database whose tables are made."""
    with postgresql() as server:
        template = new_database(server)
        engine = open_database(Settings(database_url=template).database).kw["bind"]
        engine.dispose()
        yield server, template.rsplit("/", 1)[1]


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """Where a test's servers keep their games: in their folder, but for `both_databases`."""
    if not getattr(request, "param", ""):
        return ""
    return new_database(*request.getfixturevalue("postgresql_server"))


MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(tmp_path: Path, reader: TellingReader, database_url: str) -> Iterator[MakeApp]:
    """Start a server's application; the same data directory each time."""
    made: list[Flask] = []

    def make(**settings: Any) -> Flask:
        chosen = Settings(
            **{"data_dir": tmp_path / "data", "database_url": database_url, **settings}
        )
        app = create_app(chosen, reader, run_job=lambda job, *arguments: job(*arguments))
        made.append(app)
        return app

    yield make
    for app in made:
        app.extensions["stargazer"].reading_queue.close()
        app.extensions["stargazer"].games.close()


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """A server's application for this computer alone."""
    return make_app(rate_limits=False)


@pytest.fixture
def guided(app: Flask) -> "Guided":
    """A guided game of two that draw from a bag of their own, the table laid."""
    from tests.webapp.guided import Guided  # it imports this module

    table = Guided(app, "Ana", "Luis")
    table.lay_table()
    return table


def reads_nothing(
    path: Path,
    name: str,
    profiles: Sequence[str],
    expected: int = 1,
    piece_roles: RolesByGame = UNKNOWN_TABLE,
) -> ReadPhotograph:
    """Stand where no photograph is read."""
    raise AssertionError(f"{name} is read where no photograph should be")


NEBULA_MARKERS = ("teal", "coral", "lime", "violet")


class Player:
    """Somebody with a browser: keeps cookies, sends the token that forms carry."""

    def __init__(self, client: FlaskClient, **headers: str) -> None:
        self.client = client
        self.headers = headers

    def token(self) -> str:
        """The token that this session's forms carry, as Flask-WTF signs it."""
        with self.client.session_transaction(base_url=HERE) as session:
            value = session.setdefault("csrf_token", secrets.token_hex(20))
        signer = URLSafeTimedSerializer(self.client.application.secret_key, salt="wtf-csrf-token")
        return str(signer.dumps(value))

    def get(self, path: str, **more: Any) -> TestResponse:
        more.setdefault("headers", self.headers)
        return self.client.get(path, base_url=HERE, **more)

    def post(self, path: str, data: Mapping[str, Any] | None = None, **more: Any) -> TestResponse:
        """Send a form, with the token of the preferences page, and as the game stands now."""
        more.setdefault("headers", self.headers)
        form = {**self._revision(path), **(data or {}), "csrf_token": self.token()}
        return self.client.post(path, base_url=HERE, data=form, **more)

    def _revision(self, path: str) -> dict[str, int]:
        """What a form of the page has to say of the game, if it has to."""
        app = self.client.application
        try:
            endpoint, given = app.url_map.bind("").match(unquote(urlsplit(path).path), "POST")
        except HTTPException:  # no page takes a form there
            return {}
        with app.app_context():
            change = change_of(endpoint)
        if change is None or change.seen is not Seen.REVISION:
            return {}
        with app.extensions["stargazer"].games._sessions() as session:
            game = session.get(GameRow, given["game_id"])
        return {"revision": game.revision} if game and game.deleted_at is None else {}

    def new_game(
        self, *names: str, mode: str = "full", markers: Sequence[str] = NEBULA_MARKERS, **more: str
    ) -> str:
        """Start a game, with `more` of the form's fields; return the address of its pages."""
        form = {**players_form(*names, mode=mode, markers=markers), **more}
        answer = self.post("/games/new", form)
        assert answer.status_code == 303, answer.text
        return game_at(answer.headers["Location"])

    def send_photograph(self, game: str, **more: Any) -> TestResponse:
        """Send a photograph of a board."""
        return self.post(f"{game}/photographs", {"photo": (io.BytesIO(jpeg()), "x.jpg"), **more})

    def read_photograph(self, game: str, **more: Any) -> str:
        """Send a photograph of a board; return the list once it is read."""
        assert self.send_photograph(game, **more).status_code in (200, 303)
        return self.wait_for_reading(game)

    def wait_for_reading(self, game: str) -> str:
        """Wait until every photograph is read; return the list as it is then."""
        deadline = time.monotonic() + 60
        queue = self.client.application.extensions["stargazer"].reading_queue
        while time.monotonic() < deadline:
            wait(list(queue._queued), 1.0)  # rather than asking all the time
            text = self.get(f"{game}/photographs/list").text
            if 'data-busy="no"' in text:
                return text
            time.sleep(0.02)
        raise AssertionError("the photographs are not read")

    def lay_cards(self, game: str) -> None:
        """Choose the cards on the table and the order of the tokens."""
        assert self.post(f"{game}/nebula/cards", CARDS).status_code == 303
        assert self.post(f"{game}/nebula/values", VALUES).status_code == 303

    def play_to_score(self, *names: str) -> str:
        """Walk the whole flow with boards entered by photograph; return the game's address."""
        game = self.new_game(*names, game="nebula")
        self.lay_cards(game)
        for seat in range(len(names)):
            self.send_photograph(game, player=seat)
        self.wait_for_reading(game)
        assert self.post(f"{game}/photographs/done").status_code == 303
        for seat in range(len(names)):
            assert self.post(f"{game}/players/{seat}/review").status_code == 303
            assert (
                self.post(f"{game}/nebula/players/{seat}/personal", {"card": "O19"}).status_code
                == 303
            )
        answer = self.post(f"{game}/nebula/markers", {})
        assert answer.headers["Location"] == f"{game}/score"
        return game


def game_at(address: str) -> str:
    """The address of a game, from that of a page of it.

    >>> game_at("/games/0123456789abcdef/nebula/cards")
    '/games/0123456789abcdef'
    """
    before, games, after = address.partition("/games/")
    return f"{before}{games}{after.partition('/')[0]}"


def document_of(app: Flask, game: str) -> Any:
    """The document of a game as it stands, the game by the address of its pages."""
    return app.extensions["stargazer"].games.open(game.rpartition("/")[2]).document


def totals(page: str) -> list[int]:
    """The totals of a page of the score, the winner's first."""
    shown = re.findall(r"data-count>(−?\d+)<", page)
    return [int(total.replace("−", "-")) for total in shown]


def as_shown(page: str) -> dict[str, str]:
    """What the form of a review sends: which revision was on the screen, and whose boards."""
    return dict(re.findall(r'form="step" name="(shown|together)" value="([^"]*)"', page))


CARDS = {"career": "V5,V7,V12,V17", "advanced": "B3,B16,B20,B24"}
VALUES = {"colours": "yellow,red", "constellations": "aries", "advanced": "II,I"}


def players_form(
    *names: str, mode: str = "full", markers: Sequence[str] = NEBULA_MARKERS
) -> dict[str, str]:
    """The form of a new game, filled in."""
    form = {"count": str(len(names)), "mode": mode}
    for seat, (name, marker) in enumerate(zip(names, markers, strict=False)):
        form[f"name-{seat}"], form[f"marker-{seat}"] = name, marker
    return form


@pytest.fixture
def player(app: Flask) -> Player:
    """A player at the computer that serves."""
    return Player(app.test_client())


@pytest.fixture
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards are dealt in every run."""
    monkeypatch.setattr("webapp.app.guided_game.LUCK", Random(4))
