"""A toy with regions of counted pieces, boards of two kinds, and two colours on an edge."""

import json
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from calibration.artwork import artwork
from calibration.drawing import Mark, Picture
from calibration.layout import dump_layout, load_layout
from models.labels import labels, read_labels
from models.synthesis.photograph import photograph
from models.synthesis.position import room
from models.synthesis.reprint import pictured
from models.synthesize import synthesize
from scorer.lesson import Attempt
from scorer.places import Place, counted, in_region
from tests.conftest import in_ci, in_full
from tests.films.film import Film, HandStep, Script, Visit
from tests.games.orchard import FRUIT, LANES
from tests.games.orchard.game import ORCHARD
from tests.games.orchard.turns import TURNS, Pick
from tests.games.photographs import as_photograph, photographed
from tests.games.test_toy_game import stargazer
from tests.scorer.game_contract import GameContract
from vision import Photo, Reader
from vision.live.frame_reader import ModelFrameReader
from vision.live.moments import Frame
from vision.live.tracker import Tracker
from vision.reading import BoardReading

ROOT = Path(__file__).parents[2]
LYING = {
    **in_region("w1", {"plum": 2, "quince": 1}),
    **in_region("w4", {"pear": 3}),
    Place("g1-g2", "edge"): "red",
    Place("g3-g4", "edge"): "blue",
}
BASKET = in_region("basket", {"plum": 1, "pear": 2, "quince": 1})
RING = {f"g{n}": {"at": [20 * n, 190], "radius": 4} for n in range(1, 7)}
WEDGES = {
    f"w{n}": {"centre": [90, 90], "radii": [20, 80], "from": 60 * n - 60, "to": 60 * n}
    for n in range(1, 7)
}
BARS = {
    f"{link.a}-{link.b}": {"at": [20 * n, 210], "size": [12, 4], "turn": 90}
    for n, link in enumerate(ORCHARD.standard_board.links, start=1)
}


def game_file(**boards: Mapping[str, object]) -> dict[str, object]:
    """A game file; boards are written out unless others are given."""
    written = {"fields": LYING, "Ana": BASKET, "Eva": {}}
    lying = {name: boards.get(name, ORCHARD.pieces_data(own)) for name, own in written.items()}
    listed = [
        {"kind": "fields", **lying["fields"]},
        *({"kind": "basket", "seat": n, **lying[name]} for n, name in enumerate(("Ana", "Eva"))),
    ]
    players = [{"name": name, "secret": 4} for name in ("Ana", "Eva")]
    return {"format": 1, "game": "orchard", "boards": listed, "players": players}


class TestOrchard(GameContract):
    game = ORCHARD
    lying: ClassVar = LYING
    breaking: ClassVar = in_region("w2", {"plum": 13})
    impossible: ClassVar = in_region("w7", {"plum": 1})
    file: ClassVar = game_file()
    photographed: ClassVar = game_file(
        fields={"photo": "f.jpg"}, Ana={"photo": "a.jpg"}, Eva={"photo": "e.jpg"}
    )
    layout: ClassVar = {"spaces": RING, "links": BARS, "regions": WEDGES}
    beside: ClassVar = {"basket": (ORCHARD.standard_board_of("basket"), BASKET)}


def test_its_name_is_known_to_tests_only() -> None:
    named = subprocess.run(
        ["git", "grep", "-il", "orchard"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert [file for file in named if not file.startswith("tests/")] == []


@pytest.fixture(scope="module", params=["standard", "standard-basket"])
def profile(request: pytest.FixtureRequest) -> Profile:
    return load_profile(f"orchard/{request.param}")


@pytest.fixture(scope="module")
def fields() -> Profile:
    return load_profile("orchard/standard")


def anything(profile: Profile, seed: int) -> dict[Place, str]:
    """Pieces on the places of a board, as many as have room in its regions."""
    rng = np.random.default_rng(seed)
    lying: dict[Place, str] = {}
    for place in profile.places:
        if place.kind == "edge" and rng.random() < 0.6:
            lying[place] = str(rng.choice(LANES))
        if place.kind == "region":
            many = int(rng.integers(0, room(profile, place) + 1))
            lying |= in_region(place.id, Counter(rng.choice(FRUIT, many).tolist()))
    return lying


def read(profile: Profile, picture: np.ndarray) -> BoardReading:
    return Reader.of(profile).read(Photo(picture, (1600, 1200), "orchard.jpg")).boards[0]


def test_its_layouts_read_back(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "layout.yaml").write_text(dump_layout(profile.layout))
    assert load_layout(tmp_path / "layout.yaml") == profile.layout
    assert profile.layout.kind == profile.board.kind


@pytest.mark.parametrize("seed", in_full([0, 1, 2], 1))
def test_pieces_are_counted_on_a_photograph(profile: Profile, seed: int) -> None:
    lying = anything(profile, seed)
    board = read(profile, photographed(profile, lying, seed))
    assert board.pieces == lying
    reported = board.to_data()["regions"]
    regions = [place.id for place in profile.places if place.kind == "region"]
    assert {name: Counter(one["pieces"]) for name, one in reported.items()} == {
        name: counted(lying, name) for name in regions
    }
    assert all(one["confidence"] > 0.8 for one in reported.values())


@pytest.mark.parametrize("apart", [0.25, 0.5, 0.7])
def test_pieces_that_overlap_are_uncertain(fields: Profile, apart: float) -> None:
    marks: list[Mark] = [Picture(fields.require_reference())]
    made = artwork("orchard")
    (x, y), size = fields.places[Place("w2", "region")].at, made.DIAMETER_MM
    for n in range(3):
        marks += made.draw_token("plum", (x + apart * size * n, y))
    for n, piece in enumerate(("pear", "quince")):
        marks += made.draw_token(piece, (60 + 1.3 * size * n, 100))
    board = read(fields, as_photograph(fields, marks))
    doubtful = {flag.spaces[0]: flag.more["alternatives"] for flag in board.flags}
    assert doubtful.keys() == {"w2"} and "3 plum" in doubtful["w2"]
    likely = [reported for reported, chance in doubtful["w2"].items() if chance > 0.1]
    assert all(one.endswith("plum") or one.startswith("0 ") for one in likely)
    assert board.regions["w5"].pieces == {"pear": 1, "quince": 1}


def test_what_covers_a_region_is_asked_about(fields: Profile) -> None:
    picture = photographed(fields, {})
    card = np.array([[830, 330], [1130, 330], [1130, 560], [830, 560]])
    cv2.fillConvexPoly(picture, card, (60, 60, 190))
    assert {"w1", "w2"} & {flag.spaces[0] for flag in read(fields, picture).flags}


@in_ci
def test_photographs_are_synthesised_with_their_truth(tmp_path: Path) -> None:
    synthesize("orchard", tmp_path, 6, seed=2, workers=1)
    truths = [read_labels(path) for path in sorted(tmp_path.glob("*.jpg"))]
    boards = [board for truth in truths for board in truth["boards"]]
    assert {len(board["regions"]) for board in boards} <= set(range(7))
    fruit = {piece for b in boards for held in b["regions"].values() for piece in held}
    assert fruit == set(FRUIT)
    kinds = {load_profile(path.parent).layout.kind for path in tmp_path.rglob("layout.yaml")}
    assert kinds == {"fields", "basket"}


def test_a_synthesised_photograph_is_read_but_for_what_is_asked(fields: Profile) -> None:
    shot = photograph(np.random.default_rng(5), pictured(fields))
    truth = labels(shot, "standard")["boards"][0]
    board = read(fields, shot.picture)
    asked = {flag.spaces[0] for flag in board.flags}
    wrong = {
        name
        for name, one in board.regions.items()
        if dict(one.pieces) != truth["regions"].get(name, {})
    }
    assert len(wrong) <= 2 and wrong <= asked


@in_ci
def test_a_table_of_two_kinds_of_boards_is_scored_from_photographs(
    fields: Profile, tmp_path: Path
) -> None:
    basket = load_profile("orchard/standard-basket")
    cv2.imwrite(str(tmp_path / "fields.jpg"), photographed(fields, LYING))
    cv2.imwrite(str(tmp_path / "ana.jpg"), photographed(basket, BASKET))
    game = game_file(fields={"photo": "fields.jpg"}, Ana={"photo": "ana.jpg"})
    (tmp_path / "game.json").write_text(json.dumps(game))
    command = ("score", "game.json", "--profile", "orchard/standard", "--json")
    done = stargazer(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    score = json.loads(done.stdout)
    assert {one["name"]: one["total"] for one in score["players"]} == {"Ana": 10, "Eva": 1}


def test_a_lesson_is_solved_on_the_board(toy_game: None) -> None:
    course = ORCHARD.course
    (lesson,) = course.lessons
    attempt = Attempt.of(course, lesson)
    assert attempt.solve() == (Pick("quince", "w2"),)
    for wrong in lesson.wrong:
        judged = attempt.attempt(wrong.example)
        assert (judged.outcome, judged.because, judged.said) == ("wrong", wrong.because, wrong.said)
    lying = ORCHARD.pieces_of(TURNS.positions(attempt.state)[0])

    def look(left: dict[str, int]) -> str | None:
        others = {place: piece for place, piece in lying.items() if place.id != "w2"}
        board = others | in_region("w2", left)
        judged = attempt.look(ORCHARD.position(ORCHARD.standard_board, board))
        return judged and judged.outcome

    assert look({"plum": 1, "pear": 1, "quince": 1}) is None
    assert look({"plum": 1, "pear": 1}) == "done"
    assert look({"plum": 1, "quince": 1}) == "wrong"


def test_it_is_followed_live(fields: Profile) -> None:
    steps = (
        HandStep(Place("w4", "region"), "put", "quince"),
        HandStep(Place("g5-g6", "edge"), "put", "blue"),
        HandStep(Place("w1", "region", 0), "take"),
    )
    visits = [Visit(2.0 + 4.0 * n, (step,)) for n, step in enumerate(steps)]
    film = Film(Script((LYING,), tuple(visits), visits[-1].end + 3.0), fields, 1, (960, 540), 5)
    tracker = Tracker(ModelFrameReader(fields))
    reported = []
    for number, picture in enumerate(film.frames()):
        reported += [event.to_data() for event in tracker.see(Frame(number / 5, picture))]
    (board,) = tracker.boards
    assert {one: counted(board.pieces, one) for one in ("w1", "w4")} == {
        "w1": counted(film.occupancy[0], "w1"),
        "w4": Counter(pear=3, quince=1),
    }
    assert board.pieces[Place("g5-g6", "edge")] == "blue"
    later = [one for one in reported if one["t"] > 2.0 and one["kind"] in ("placed", "removed")]
    assert [(one["kind"], one["space"], one["star"], one.get("count")) for one in later] == [
        ("placed", "w4", "quince", 1),
        ("placed", "g5-g6", "blue", None),
        ("removed", "w1", LYING[Place("w1", "region", 0)], 1),
    ]
