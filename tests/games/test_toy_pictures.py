"""A game that brings nothing for pictures is photographed, filmed and learnt all the same."""

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from calibration.profile import built_in_profiles
from models.datasets import game_of, prepare
from models.labels import labels, pieces_on, position_labels, read_labels
from models.synthesis.photograph import photograph
from models.synthesis.placed_board import lay_boards
from models.synthesize import synthesize
from scorer import registry
from scorer.datafile import DataFileError
from scorer.flags import RuleBreak
from scorer.places import Bar, Circle, Place, Shape
from scorer.table import Piece, Pieces
from scorer.topology import Link, Topology
from tests.conftest import FULL_MATRIX, in_ci
from tests.films.film import Film, HandStep, Script, Visit
from tests.films.players import random_placement
from tests.films.script import random_script
from tests.games.ponds import Pond, Ponds

FROGS = {"amber", "teal"}
PHOTOGRAPHS = 14 if FULL_MATRIX else 7


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    synthesize("ponds", folder, PHOTOGRAPHS, seed=1, workers=1)
    return folder


def test_photographs_show_frogs_on_pads(data: Path) -> None:
    shown = [read_labels(path) for path in sorted(data.glob("*.jpg"))]
    boards = [board for truth in shown for board in truth["boards"]]
    assert len(shown) == PHOTOGRAPHS and len(boards) > PHOTOGRAPHS // 2
    assert {frog for board in boards for frog in board["stars"].values()} == FROGS
    for truth in shown:
        profile = load_profile(data / "editions" / truth["edition"])
        assert profile.layout.game == "ponds" and profile.reference is not None
        for board in truth["boards"]:
            assert board.keys() == {"stars", "corners", "spaces", "cropped"}
            assert board["stars"].keys() <= profile.spaces.keys() == board["spaces"].keys()


def test_editions_are_the_board_in_other_inks(data: Path, meadow: Profile) -> None:
    editions = [load_profile(path.parent) for path in data.glob("editions/*/layout.yaml")]
    means = [tuple(edition.require_reference().mean(axis=(0, 1))) for edition in editions]
    assert len(set(means)) == len(editions) > 2
    assert all(edition.places == meadow.places for edition in editions)


@in_ci
def test_datasets_have_its_pieces_as_classes(data: Path, tmp_path: Path) -> None:
    assert game_of(data) == "ponds"
    _, tokens = prepare(data, tmp_path, workers=1)
    assert "0: amber\n  1: teal\n" in tokens.read_text()
    lines = [
        line
        for path in (tmp_path / "tokens" / "labels").rglob("*.txt")
        for line in path.read_text().splitlines()
    ]
    assert {line.split()[0] for line in lines} == {"0", "1"}


def test_photographs_of_two_games_teach_no_model(data: Path, tmp_path: Path) -> None:
    both = shutil.copytree(data, tmp_path / "both")
    shutil.copytree(built_in_profiles("nebula")["nebula/standard"], both / "editions" / "galaxy")
    with pytest.raises(DataFileError, match="nebula and ponds"):
        prepare(both, tmp_path / "out")


def test_a_film_tells_which_frogs_came(meadow: Profile) -> None:
    script = random_script(np.random.default_rng(2), meadow, 60.0)
    film = Film(script, meadow, 3, (320, 180), 5)
    for _ in film.frames():
        pass
    assert len(film.events) > 4
    placed = {e["space"]: e["star"] for e in film.events if e["kind"] in ("placed", "replaced")}
    (lying,) = film.occupancy
    assert {Place(pad): frog for pad, frog in placed.items()}.items() >= lying.items()


# A board of every kind of place, which is still no particular game's.


class Weirs(Ponds):
    """Ponds with logs across the streams, a row of eggs, and mud; two frogs beside are too many."""

    pieces = (
        *Ponds.pieces,
        Piece("log", "#7a5230", 9, frozenset({"edge"})),
        Piece("egg", "#f2f0ea", 5, frozenset({"track"})),
        Piece("tadpole", "#22242a", 5, frozenset({"track"})),
        Piece("fly", "#8a2be2", 5, frozenset({"region"}), diameter_mm=20.0),
    )

    def position(self, board: Topology, pieces: Pieces) -> Pond:
        return Pond({str(place): piece for place, piece in pieces.items()}, board)

    def rule_breaks(self, position: Pond, game: Any = None) -> tuple[RuleBreak, ...]:
        choirs = position.choirs()
        return tuple(RuleBreak("choir", (stream.a, stream.b)) for stream in choirs)


PADS = {Place(f"p{i}"): Circle((30 + 40 * i, 40), 9) for i in range(4)}
LOGS = {Place(f"p{i}-p{i + 1}", "edge"): Bar((50 + 40 * i, 40), (16, 6), 30 * i) for i in range(3)}
ROW = {Place("row", "track", i): Circle((30 + 20 * i, 100), 8) for i in range(6)}
MUD = {Place("mud", "region"): Circle((150, 80), 12)}
PLACES: dict[Place, Shape] = {**PADS, **LOGS, **ROW, **MUD}


@pytest.fixture
def weir(meadow: Profile, monkeypatch: pytest.MonkeyPatch) -> Iterator[Profile]:
    """A board that nobody has calibrated."""
    game = Weirs()
    monkeypatch.setattr(registry, "find_game", lambda name: game)
    pads = tuple(place.id for place in PADS)
    board = Topology(pads, tuple(Link(a, b, "stream") for a, b in pairwise(pads)))
    size = (190.0, 130.0)
    layout = type(meadow.layout)("ponds", "Weir", size, PLACES, None, board)
    reference = np.full((520, 760, 3), 90, np.uint8)
    yield Profile("weir", layout, reference)


def test_each_piece_lies_where_it_may_but_for_a_few(weir: Profile) -> None:
    seen: dict[str, set[str]] = {}
    strange = total = 0
    for seed in range(60):
        for board in lay_boards(np.random.default_rng(seed), weir):
            for place, piece in board.pieces.items():
                total += 1
                strange += piece not in weir.game.admits(place)
                seen.setdefault(place.kind, set()).add(piece)
    assert 0 < strange < 0.05 * total
    assert seen["track"] == {"egg", "tadpole"}
    assert seen["spot"] > FROGS and "log" in seen["edge"] and "fly" in seen["region"]


def test_a_log_lies_along_its_stream(weir: Profile) -> None:
    found = 0
    for seed in range(40):
        for board in lay_boards(np.random.default_rng(seed), weir):
            tokens = dict(zip(board.pieces, board.tokens, strict=False))
            for place, bar in LOGS.items():
                if board.pieces.get(place) == "log":
                    found += 1
                    corners = tokens[place].outline()
                    along = corners[0] - corners[1]
                    off = np.degrees(np.arctan2(along[1], along[0])) - bar.turn
                    assert abs(off) < 10
                    assert 10 < np.hypot(*along) < 17
    assert found > 20


def test_labels_say_all_of_it_and_read_back(weir: Profile) -> None:
    pieces = {
        Place("p1"): "teal",
        Place("p0-p1", "edge"): "log",
        Place("mud", "region"): "fly",
        Place("row", "track", 0): "egg",
        Place("row", "track", 1): "tadpole",
    }
    written = position_labels(weir, pieces)
    assert written == {
        "stars": {"p1": "teal"},
        "links": {"p0-p1": "log"},
        "regions": {"mud": {"fly": 1}},
        "row": 2,
    }
    read = pieces_on(written, weir)
    one_by_one = ("spot", "edge")
    known = {place: piece for place, piece in pieces.items() if place.kind in one_by_one}
    assert {place: piece for place, piece in read.items() if piece} == known
    counted = {Place("row", "track", 0), Place("row", "track", 1), *MUD}
    assert set(PLACES) - set(read) == counted


def test_a_photograph_of_it_has_its_pieces_in_their_colours(weir: Profile) -> None:
    shot = photograph(np.random.default_rng(4), weir)
    truth = labels(shot, "weir")
    assert truth["boards"] and {"stars", "links", "regions", "row"} <= truth["boards"][0].keys()
    assert {token["star"] for token in truth["tokens"]} <= {p.id for p in weir.game.pieces}


def test_players_fill_it_by_the_rules_until_it_is_full(weir: Profile) -> None:
    rng, breaks = np.random.default_rng(5), 0
    lying: dict[Place, str] = {}
    for _ in range(200):
        placement = random_placement(rng, weir, lying)
        if placement is None:  # on a full board, two colours leave no choice
            assert set(lying) == set(PLACES)
            continue
        before = len(weir.game.rule_breaks(weir.game.position(weir.board, lying)))
        place = placement.place
        assert place in PLACES and placement.piece in weir.game.admits(place)
        lying[place] = placement.piece
        after = len(weir.game.rule_breaks(weir.game.position(weir.board, lying)))
        assert (after > before) == placement.mistake
        breaks += placement.mistake
    assert set(lying) == set(PLACES)
    assert 0 < breaks < 20


def test_where_nothing_can_be_put_nothing_is(meadow: Profile, monkeypatch) -> None:
    monkeypatch.setattr(registry, "find_game", lambda name: Weirs())
    layout = type(meadow.layout)("ponds", "Row", (190.0, 130.0), ROW, None, Topology((), ()))
    row = Profile("row", layout, np.full((520, 760, 3), 90, np.uint8))
    script = random_script(np.random.default_rng(0), row, 120.0)
    steps = [step for h in script.happenings if isinstance(h, Visit) for step in h.steps]
    assert len([step for step in steps if step.act == "put"]) == len(ROW)


def test_logs_and_eggs_are_filmed(weir: Profile) -> None:
    visit = Visit(
        0.2,
        (
            HandStep(Place("p1-p2", "edge"), "put", "log"),
            HandStep(Place("row", "track"), "put", "egg"),
            HandStep(Place("row", "track"), "put", "tadpole"),
        ),
    )
    film = Film(Script(({},), (visit,), 4.0), weir, 1, (320, 180), 5)
    frames = [frame.copy() for frame in film.frames()]
    reported = [(e["kind"], e.get("space", e.get("count"))) for e in film.events]
    assert reported == [("placed", "p1-p2"), ("row", 1), ("row", 2)]
    changed = cv2.absdiff(frames[0], frames[-1]).max(axis=2) > 40
    assert changed.any()
