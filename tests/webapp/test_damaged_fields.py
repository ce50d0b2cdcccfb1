"""A field of a stored document that is not of its kind: one broken game, or a page as ever."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import in_full
from tests.webapp.conftest import Player, TellingReader
from tests.webapp.every_form import requests
from tests.webapp.polaris_skies import CARDS, COLOURS, LINKS, NAMES, STARS
from webapp.app.session import game_import
from webapp.app.session.document_check import is_readable
from webapp.app.settings import Settings
from webapp.web import event_streams
from webapp.web.application import create_app

Path = tuple[str | int, ...]
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 7, 10**30, 1.5, "", "x", "x" * 3000, "1b1", "0" * 16),
    *(
        [],
        ["x"],
        [None],
        [[]],
        [0, 0],
        {},
        {"x": None},
        {"nowhere": "red"},
        {"photograph": [], "index": "x"},
    ),
)
STREAMS = {"live_events.events", "live_events.stream"}


def nebula(player: Player) -> str:
    """A scored game of photographed boards."""
    return player.play_to_score("Ana", "Luis")


def polaris(player: Player, app: Flask) -> str:
    """A scored game of five skies."""
    sky = {"stars": STARS, "links": [link.split("-") for link in LINKS], "new_moon": 3}
    phases = [{"card": card, "telescope": "Ana", **sky} for card in CARDS]
    players = [
        {"name": name, "colour": colour, "shooting": 2, "personal": f"PO{seat + 1}"}
        for seat, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
    ]
    data = {"format": 1, "game": "polaris", "players": players, "phases": phases}
    kept = app.extensions["stargazer"]
    document = game_import.game_file_document(json.dumps(data).encode(), True, kept.boards)
    return f"/games/{kept.games.create(document).id}"


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Where something stands in a document; of a list, in what it begins with."""
    if at:
        yield at
    if isinstance(value, Mapping | list):
        for key in value if isinstance(value, Mapping) else range(min(len(value), 2)):
            yield from paths(value[key], (*at, key))


def put(value: Any, path: Path, instead: Any) -> Any:
    """A document with something else at a path."""
    if not path:
        return instead
    changed = dict(value) if isinstance(value, Mapping) else list(value)
    changed[path[0]] = put(value[path[0]], path[1:], instead)
    return changed


class Damaged:
    """A finished game, whose present state can be overwritten."""

    def __init__(self, app: Flask, player: Player, game: str) -> None:
        self.player, self.game = player, game
        self.kept = app.extensions["stargazer"].games.open(game.rsplit("/", 1)[1])
        self.app, self.paths = app, list(paths(self.kept.document))
        photographs = app.extensions["stargazer"].photographs.of(self.kept.id)
        asked = requests(app, self.kept.id, photographs[0].id if photographs else "0" * 16, "GET")
        known = {rule.endpoint for rule in app.url_map.iter_rules() if "game_id" in rule.arguments}
        self.pages = [one.path for one in asked if one.endpoint in known - STREAMS]

    def problems(self, path: Path, instead: Any) -> list[str]:
        """The pages that are errors with something else at a path of the document."""
        document = put(self.kept.document, path, instead)
        file = self.app.extensions["stargazer"].settings.data_dir / "stargazer.db"
        with sqlite3.connect(file) as database:
            database.execute(
                "UPDATE revisions SET document = ? WHERE game_id = ? AND number = ?",
                (json.dumps(document), self.kept.id, self.kept.revision),
            )
        everywhere = ["/", "/people", f"/games/{self.kept.id}", f"/games/{self.kept.id}/about"]
        asked = [*everywhere, *(self.pages if is_readable(document) else [])]
        return [page for page in asked if self.player.get(page).status_code >= 500]


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Damaged]]:
    """A finished game of each kind at one server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_streams, "MOST_LISTENERS", 0)
        settings = Settings(data_dir=tmp_path_factory.mktemp("data"), rate_limits=False)
        app = create_app(settings, TellingReader(), run_job=lambda job, *with_: job(*with_))
        player = Player(app.test_client())
        games = {"nebula": nebula(player), "polaris": polaris(player, app)}
        yield {name: Damaged(app, player, game) for name, game in games.items()}
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()


@pytest.mark.parametrize("game", in_full(["nebula", "polaris"], "nebula"))
@settings(max_examples=12)
@given(data=st.data())
def test_a_field_of_another_kind_makes_no_page_an_error(
    damaged: Mapping[str, Damaged], game: str, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(damaged[game].paths))
    was = reduce(getitem, path, damaged[game].kept.document)
    others = [one for one in STRANGE if type(one) is not type(was)]
    instead = data.draw(st.sampled_from(others))
    assert damaged[game].problems(path, instead) == []


KINDS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "nebula": {
        "players.0.stars.core": (True, "x", ["x"], 7, None),
        "players.0.black": ("", None, -1, 10**30),
        "players.0.board.photograph": ([[]], 7),
        "career.0": (["x"], {}),
        "values.colours": ("x", {"x": None}),
        "players.0.career": ("", []),
    },
    "polaris": {
        "boards.1.new_moon": ("", True),
        "cards.0": (["x"], [["1b1", "1b2"]]),
        "telescopes.0": ("x", 1.5),
        "boards.0.links": ([None], {}),
        "boards.0.links.1": ("1b1", None),
    },
}


@pytest.mark.parametrize("game", KINDS)
def test_each_kind_of_field_is_looked_at_as_a_document_is_opened(
    damaged: Mapping[str, Damaged], game: str
) -> None:
    document = damaged[game].kept.document
    assert is_readable(document)
    for name, strange in KINDS[game].items():
        path = tuple(int(key) if key.isdigit() else key for key in name.split("."))
        for instead in strange:
            assert not is_readable(put(document, path, instead)), (name, instead)


UNKNOWN: Mapping[str, Mapping[str, Any]] = {
    "nebula": {
        "players.0.stars": {"nowhere": "red"},
        "edition": "nowhere",
        "profile": "nowhere",
        "personal.0": "O999",
        "career.0": "V999",
        "players.0.personal": "O999",
        "values.colours": ["beige"],
    },
    "polaris": {
        "boards.0.stars": {"9z9": "red"},
        "boards.1.links": [["9z9", "1b1"]],
        "boards.0.new_moon": 77,
        "cards.0": "C999",
        "players.0.personal": "PO99",
    },
}


@pytest.mark.parametrize("game", in_full([*UNKNOWN], "nebula"))
def test_what_no_board_has_makes_no_page_an_error(
    damaged: Mapping[str, Damaged], game: str
) -> None:
    known = {".".join(map(str, path)): path for path in damaged[game].paths}
    for name, instead in UNKNOWN[game].items():
        if name in known:
            assert damaged[game].problems(known[name], instead) == [], name
