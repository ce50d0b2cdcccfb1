import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import ProfileError, load_profile
from calibration.layout import layout_from_data
from models.datasets import game_of, prepare
from models.labels import pieces_on, read_labels
from models.nebula.random_edition import random_edition, vary_layout
from models.nebula.synthesis import random_star_set
from models.synthesis.camera import random_camera
from models.synthesis.plugin import Synthesis
from models.synthesize import _Job, synthesize
from scorer.datafile import DataFileError
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from scorer.registry import UnknownGameError
from tests.conftest import FULL_MATRIX, in_ci
from vision import PhotoError
from vision.locate import FINDER_PX
from vision.rectify import CANVAS_PX, homography, transform

COUNT = 10 if FULL_MATRIX else 6


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    synthesize("nebula", folder, COUNT, seed=4, workers=1)
    return folder


def labels(data: Path) -> list[dict]:
    return [json.loads(path.read_text()) for path in sorted(data.glob("*.json"))]


def test_every_photograph_has_labels_in_the_contracts_form(data: Path) -> None:
    assert len(list(data.glob("*.jpg"))) == len(labels(data)) == COUNT
    for truth in labels(data):
        for board in truth["boards"]:
            assert len(board["corners"]) == 4
            assert set(board["stars"]) <= set(board["spaces"])
            assert set(board["stars"].values()) <= {*COLOURS, BLACK}
            assert 0 <= board["black"] <= 10
        if truth["boards"]:
            assert truth["stars"] == truth["boards"][0]["stars"]


@in_ci
def test_the_same_seed_gives_the_same_pictures(data: Path, tmp_path: Path) -> None:
    synthesize("nebula", tmp_path, 2, seed=4, workers=1)
    # The editions depend on the count, so the first of a run of the same length is compared.
    synthesize("nebula", tmp_path / "again", 2, seed=4, workers=2)
    for name in ("000001.jpg", "000002.jpg", "000002.json"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_spaces_lie_where_the_corners_say(data: Path) -> None:
    for path in sorted(data.glob("*.json")):
        truth = json.loads(path.read_text())
        if not truth["boards"]:
            continue
        profile = load_profile(data / "editions" / truth["edition"])
        for board in truth["boards"]:
            to_image = homography(np.array(board["corners"]), profile.size_mm)
            flat = transform(to_image, np.array([s.at for s in profile.spaces.values()]))
            seen = np.array([board["spaces"][name] for name in profile.spaces])
            side = np.linalg.norm(np.subtract(board["corners"][1], board["corners"][0]))
            # The cardboard's warp and the lens move them by a few millimetres at most.
            assert np.linalg.norm(flat - seen, axis=1).max() < 0.05 * side


def test_an_edition_is_a_profile_of_its_own(data: Path) -> None:
    names = {truth["edition"] for truth in labels(data)}
    assert len(names) > 1
    for name in names:
        profile = load_profile(data / "editions" / name)
        assert profile.reference is not None and len(profile.spaces) == 25


def test_every_invented_layout_is_one_that_can_be_loaded() -> None:
    """Of these draws one had its core overlap another space."""
    pattern = load_profile("standard")
    for number in range(240, 280):
        rng = np.random.default_rng([90210, 0, number])
        layout = vary_layout(rng, pattern, "invented")
        assert layout_from_data(layout.to_data()) == layout


@in_ci
def test_what_an_interrupted_run_leaves_can_be_used(tmp_path: Path) -> None:
    """Every photograph that is there has its edition."""

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        synthesize("nebula", tmp_path, 9, 5, interrupt, workers=1)
    assert labels(tmp_path)
    for truth in labels(tmp_path):
        assert load_profile(tmp_path / "editions" / truth["edition"]).reference is not None


def test_no_photograph_is_written_before_its_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("models.synthesize._write_edition", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _Job("nebula", tmp_path, 5, 4).write(0)
    assert not [*tmp_path.iterdir()]


def test_positions_are_random_and_rule_breaks_are_among_them(data: Path) -> None:
    boards = [board for truth in labels(data) for board in truth["boards"]]
    broken = [board for board in boards if Galaxy(board["stars"], board["black"]).rule_breaks()]
    assert len(broken) > len(boards) / 2


def test_stars_of_different_colours_differ_and_shapes_vary() -> None:
    rng = np.random.default_rng(0)
    sets = [random_star_set(rng) for _ in range(60)]
    assert {kit["red"].points for kit in sets} >= {0, 4, 5, 6, 8}
    assert {kit["red"].material for kit in sets} >= {"wood", "plastic", "acrylic", "paper"}
    for kit in sets:
        paints = np.array([kit[star].paint for star in (*COLOURS, BLACK)])
        apart = np.abs(paints[:, None] - paints[None]).sum(axis=2) + 999 * np.eye(7)
        assert apart.min() > 40


def test_a_camera_sees_the_plane_upright_and_not_mirrored() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        camera = random_camera(rng, (800, 600), np.zeros(2), 240, 0.8)
        square = camera.project(np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]]))
        assert cv2.contourArea(square.astype(np.float32), oriented=True) > 0
        high, low = camera.project(np.array([[0.0, 0]]), 30), camera.project(np.array([[0.0, 0]]))
        assert np.isfinite([*high, *low]).all()


def test_an_invented_edition_keeps_the_facts_of_the_board() -> None:
    pattern = load_profile("standard")
    edition = random_edition(np.random.default_rng(2), pattern)
    assert edition.require_reference().shape == pattern.require_reference().shape
    at = np.array([space.at for space in edition.spaces.values()])
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 99 * np.eye(25)
    assert apart.min() > 15 and at.min() > 3
    assert edition.board.links == pattern.board.links


def test_the_datasets_hold_what_the_models_see(data: Path, tmp_path: Path) -> None:
    boards, tokens = prepare(data, tmp_path, workers=2)
    assert boards.is_file() and tokens.is_file()
    pictures = list((tmp_path / "boards" / "images").rglob("*.jpg"))
    assert len(pictures) == COUNT
    assert cv2.imread(str(pictures[0])).shape == (FINDER_PX, FINDER_PX, 3)
    stacks = list((tmp_path / "tokens" / "images").rglob("*.tiff"))
    assert stacks
    _, pages = cv2.imdecodemulti(np.fromfile(stacks[0], np.uint8), cv2.IMREAD_UNCHANGED)
    assert np.dstack(pages).shape == (CANVAS_PX, CANVAS_PX, 6)
    lines = [
        [float(v) for v in line.split()]
        for path in (tmp_path / "tokens" / "labels").rglob("*.txt")
        for line in path.read_text().splitlines()
    ]
    assert lines and all(len(line) == 5 and line[0] in range(7) for line in lines)
    assert all(0 <= value <= 1 for line in lines for value in line[1:])


def test_a_folder_without_photographs_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="synthesize"):
        prepare(tmp_path, tmp_path / "out")


def test_an_unknown_game_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnknownGameError, match="nebula"):
        synthesize("go", tmp_path, 1)


@pytest.mark.parametrize("written", ["{", "[]", '{"stars": {}, "black": 2}'])
def test_labels_of_which_nothing_can_be_learnt_are_reported_with_their_file(
    tmp_path: Path, written: str
) -> None:
    (tmp_path / "0001.json").write_text(written)
    with pytest.raises(DataFileError, match=r"0001\.json"):
        read_labels(tmp_path / "0001.jpg")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("boards",), {}, "boards: must be a list"),
        (("boards", 0), 7, r"boards\[0\]: must hold keys and values"),
        (("boards", 0, "corners"), [[1, 2]], r"boards\[0\]\.corners: "),
        (("boards", 0, "corners"), [[5, 5]] * 4, r"boards\[0\]\.corners: must go round the board"),
        (("boards", 0, "corners", 2), ["a", 2], r"boards\[0\]\.corners\[2\]\[0\]: "),
        (("boards", 0, "cropped"), "no", r"boards\[0\]\.cropped: "),
        (("boards", 0, "black"), [], r"boards\[0\]\.black: must be how many"),
        (("boards", 0, "stars"), ["red"], r"boards\[0\]\.stars: must hold keys and values"),
        (("boards", 0, "stars", "core"), "yelow", "did you mean yellow"),
        (("tokens", 0), None, r"tokens\[0\]: must hold keys and values"),
        (("tokens", 0, "star"), "mauve", r"tokens\[0\]\.star: mauve is no piece of the game"),
        (("tokens", 0, "footprint"), [], r"tokens\[0\]\.footprint: "),
        (("edition",), 3, "edition: must be text"),
        (("edition",), "nowhere", "nowhere"),
    ],
)
def test_labels_of_another_shape_are_reported_with_the_place(
    data: Path, tmp_path: Path, place: tuple[str | int, ...], value: object, message: str
) -> None:
    shutil.copytree(data / "editions", tmp_path / "editions")
    whole = next(path for path in sorted(data.glob("*.json")) if read_labels(path)["tokens"])
    truth = inside = json.loads(whole.read_text())
    for part in place[:-1]:
        inside = inside[part]
    inside[place[-1]] = value
    shutil.copy(whole.with_suffix(".jpg"), tmp_path / "0001.jpg")
    (tmp_path / "0001.json").write_text(json.dumps(truth))
    with pytest.raises((DataFileError, ProfileError), match=message):
        read_labels(tmp_path / "0001.jpg")


def test_a_picture_that_is_none_is_reported_before_anything_is_trained(
    data: Path, tmp_path: Path
) -> None:
    shutil.copytree(data / "editions", tmp_path / "editions")
    shutil.copy(min(data.glob("*.json")), tmp_path / "0001.json")
    (tmp_path / "0001.jpg").write_text("no picture")
    with pytest.raises(PhotoError, match=r"0001\.jpg"):
        prepare(tmp_path, tmp_path / "out", workers=1)


def test_the_game_is_the_one_whose_boards_are_shown(data: Path, tmp_path: Path) -> None:
    assert game_of(data) == "nebula"
    with pytest.raises(DataFileError, match="editions"):
        game_of(tmp_path)


def test_labels_say_what_lies_on_every_place(data: Path) -> None:
    truth = next(truth for truth in labels(data) if truth["boards"])
    board, profile = truth["boards"][0], load_profile(data / "editions" / truth["edition"])
    lying = {place: piece for place, piece in pieces_on(board, profile).items() if piece}
    assert lying == NEBULA.pieces_of(Galaxy(board["stars"], board["black"], profile.board))
    assert pieces_on(board, profile).keys() == profile.places.keys()


def test_labels_leave_out_what_a_count_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a track that any star may lie on, the slots that hold one."""
    profile = load_profile("standard")
    monkeypatch.setattr(type(NEBULA), "admits", lambda self, place: (*COLOURS, BLACK))
    lying = pieces_on({"stars": {}, BLACK: 3}, profile)
    slots = [lying.get(Place(BLACK, "track", slot), "unknown") for slot in range(5)]
    assert slots == ["unknown"] * 3 + [None] * 2


def test_a_game_that_brings_nothing_has_discs_in_its_pieces_colours() -> None:
    profile = load_profile("standard")
    shades = set()
    for seed in range(30):
        kit = Synthesis().token_set(np.random.default_rng(seed), profile)
        assert list(kit) == [*COLOURS, BLACK]
        assert {token.points for token in kit.values()} == {0}
        assert len({token.material for token in kit.values()}) == 1
        assert all(5 < token.radius < 8.5 for token in kit.values())
        blue, green, red = kit["red"].paint
        assert red > 1.5 * max(blue, green)
        assert max(kit[BLACK].paint) < 40 and min(kit["white"].paint) > 120
        shades.add(kit["red"].paint)
    assert len(shades) == 30
