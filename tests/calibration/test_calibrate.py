"""A photograph of the empty board becomes a profile that looks like the board."""

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile, ProfileError, calibrate, check_corners, load_profile
from calibration.edges import snap_corners
from calibration.profile import built_in_profiles
from calibration.shading import correct_shading
from tests.calibration.tables import on_a_table
from tests.conftest import in_full

LAYOUT = built_in_profiles()["nebula/standard"] / "layout.yaml"
SIZE = (1500, 1600)
CORNERS = np.array([[310.0, 240.0], [1195.0, 300.0], [1290.0, 1335.0], [190.0, 1290.0]])


@pytest.fixture(scope="module")
def photo(standard: Profile) -> np.ndarray:
    return on_a_table(standard.reference, CORNERS, SIZE)


@pytest.fixture(scope="module")
def calibrated(photo: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile that the photograph gives."""
    return calibrate(photo, CORNERS, LAYOUT, "mine", tmp_path_factory.mktemp("profiles"))


@pytest.mark.parametrize("error_px", [0, 3, 8])
def test_corners_snap_to_the_edges(photo: np.ndarray, error_px: float) -> None:
    random = np.random.default_rng(int(error_px))
    for _ in range(4):
        given = CORNERS + random.uniform(-error_px, error_px, (4, 2))
        assert np.abs(snap_corners(photo, given) - CORNERS).max() < 0.6


def test_corners_stay_where_no_edge_is_clear() -> None:
    grey = np.full((1600, 1500, 3), 120, np.uint8)
    assert snap_corners(grey, CORNERS) == pytest.approx(CORNERS)


def test_exact_corners_are_not_moved_onto_a_printed_frame(
    standard: Profile, tmp_path: Path
) -> None:
    """Of a board as dark as the table its frame, 2 mm inside, is the outermost edge there is."""
    frame = 2 * PX_PER_MM + 2  # the middle of its line
    board = (standard.reference.astype(float) * 0.3 + 20).astype(np.uint8)
    board[: 2 * frame], board[-2 * frame :] = 30, 30
    board[:, : 2 * frame], board[:, -2 * frame :] = 30, 30
    height, width = board.shape[:2]
    cv2.rectangle(board, (frame, frame), (width - frame, height - frame), (210, 220, 230), 3)
    photo = np.full((SIZE[1], SIZE[0], 3), 30, np.uint8)
    to_photo = cv2.getPerspectiveTransform(
        np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32),
        CORNERS.astype(np.float32),
    )
    cv2.warpPerspective(board, to_photo, SIZE, photo, borderMode=cv2.BORDER_TRANSPARENT)
    mine = load_profile(calibrate(photo, CORNERS, LAYOUT, "mine", tmp_path))
    across = cv2.cvtColor(mine.reference, cv2.COLOR_BGR2GRAY)[height // 2, : 4 * frame]
    assert abs(int(across.argmax()) - frame) <= 2


@pytest.mark.parametrize("turn", in_full(range(4), 1))
def test_profile_looks_like_the_board(
    standard: Profile, tmp_path: Path, same_picture: Callable[..., None], turn: int
) -> None:
    corners = np.roll(CORNERS, turn, axis=0)
    random = np.random.default_rng(turn)
    given = corners + random.uniform(-5, 5, (4, 2))
    folder = calibrate(
        on_a_table(standard.reference, corners, SIZE), given, LAYOUT, "mine", tmp_path
    )
    assert folder == tmp_path / "mine"
    mine = load_profile(folder)
    assert mine.layout.to_data() == standard.layout.to_data()
    seen = cv2.cvtColor(mine.reference, cv2.COLOR_BGR2GRAY).astype(np.float64)
    expected = cv2.cvtColor(standard.reference, cv2.COLOR_BGR2GRAY).astype(np.float64)
    (dx, dy), _ = cv2.phaseCorrelate(seen, expected)
    assert max(abs(dx), abs(dy)) < 0.1 * PX_PER_MM
    assert np.corrcoef(seen.ravel(), expected.ravel())[0, 1] > 0.97


def test_light_is_evened_out(standard: Profile) -> None:
    y, x = np.mgrid[0:960, 0:800]
    light = np.stack([0.55 + 0.45 * x / 800, 0.6 + 0.4 * x / 800, 0.9 - 0.3 * y / 960], axis=2)
    dim = (standard.reference * light).astype(np.uint8)

    def unevenness(board: np.ndarray) -> float:
        """How far apart the track's like spaces are, as a share of their level."""
        levels = np.array(
            [
                np.median(
                    board[
                        round(y * 4) - 20 : round(y * 4) + 20, round(x * 4) - 20 : round(x * 4) + 20
                    ],
                    axis=(0, 1),
                )
                for x, y in (slot.at for slot in standard.tracks["black"])
            ]
        )
        return float((np.ptp(levels, axis=0) / levels.mean(axis=0)).max())

    assert unevenness(dim) > 0.4
    assert unevenness(correct_shading(dim, standard.layout, PX_PER_MM)) < 0.08


def test_a_board_without_places_printed_alike_is_calibrated() -> None:
    """A family's own drawing of the valley: there is nothing to tell its light by."""
    valley = load_profile("via_nebula/standard")
    drawn = (valley.require_reference() * np.array([0.8, 0.9, 1.0])).astype(np.uint8)
    before, after = (
        one.astype(float) for one in (drawn, correct_shading(drawn, valley.layout, PX_PER_MM))
    )
    for channel in range(3):
        assert np.corrcoef(before[..., channel].flat, after[..., channel].flat)[0, 1] > 0.97
    levels = np.quantile(after.reshape(-1, 3), 0.99, axis=0)
    assert np.ptp(levels) < np.ptp(np.quantile(before.reshape(-1, 3), 0.99, axis=0)) / 2


def test_even_light_is_left_alone(standard: Profile) -> None:
    before = standard.reference.astype(float)
    after = correct_shading(standard.reference, standard.layout, PX_PER_MM).astype(float)
    assert np.corrcoef(before.ravel(), after.ravel())[0, 1] > 0.99
    # Paper comes out as white as the whitest print, which tints all by a few per cent.
    factors = after.mean(axis=(0, 1)) / before.mean(axis=(0, 1))
    assert factors == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        ([[0, 0], [700, 0], [700, 900]], "four points"),
        ([[0, 0], [700, 0], [700, 900], ["a", 2]], "four points"),
        ([[0, 0], [700, 0], [700, float("nan")], [0, 900]], "four points"),
        (None, "four points"),
        ([[0, 0], [7000, 0], [700, 900], [0, 900]], "outside the photograph"),
        ([[0, -30], [700, 0], [700, 900], [0, 900]], "outside the photograph"),
        ([[0, 0], [0, 900], [700, 900], [700, 0]], "anticlockwise"),
        ([[0, 0], [700, 900], [700, 0], [0, 900]], "outline"),
        ([[0, 0], [700, 0], [300, 300], [0, 900]], "outline"),
        ([[0, 0], [0, 0], [700, 900], [0, 900]], "outline"),
        ([[0, 0], [100, 0], [100, 120], [0, 120]], "nearer"),
    ],
)
def test_bad_corners_are_reported(corners: object, reason: str) -> None:
    with pytest.raises(ProfileError, match=reason) as refused:
        check_corners(corners, (1500, 1600))  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_corners_that_start_at_the_wrong_one(photo: np.ndarray, tmp_path: Path, turn: int) -> None:
    with pytest.raises(ProfileError, match=f"the printed top-left is number {turn + 1}"):
        calibrate(photo, np.roll(CORNERS, turn, axis=0), LAYOUT, "mine", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "reason"),
    [("standard", "built-in"), ("../mine", "letters"), ("", "letters"), ("a.bak", "letters")],
)
def test_bad_names_are_reported(photo: np.ndarray, tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(ProfileError, match=reason):
        calibrate(photo, CORNERS, LAYOUT, name, tmp_path)


def test_layout_mistakes_are_reported(photo: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "layout.yaml"
    path.write_text(LAYOUT.read_text().replace("full: 26", "full: none"))
    with pytest.raises(ProfileError, match=r"black_track\.full"):
        calibrate(photo, CORNERS, path, "mine", tmp_path)


def test_former_profile_is_kept(photo: np.ndarray, calibrated: Path, tmp_path: Path) -> None:
    shutil.copytree(calibrated, tmp_path / "mine")
    for _ in range(2):
        calibrate(photo, CORNERS, LAYOUT, "mine", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "mine.bak"]
    assert load_profile(tmp_path / "mine.bak").reference is not None


def test_folder_that_is_no_profile_is_left_alone(photo: np.ndarray, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(ProfileError, match="in the way"):
        calibrate(photo, CORNERS, LAYOUT, "mine", tmp_path)
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear diary"


@pytest.mark.parametrize("fails_at", [1, 2])
def test_profile_is_written_whole_or_not_at_all(
    photo: np.ndarray,
    calibrated: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fails_at: int,
) -> None:
    shutil.copytree(calibrated, tmp_path / "mine")
    before = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    attempts = itertools.count(1)
    replace = Path.replace

    def full_disk(self: Path, target: Path) -> Path:
        if next(attempts) == fails_at:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(ProfileError, match="No space left"):
        calibrate(photo, CORNERS, LAYOUT, "mine", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()} == before
