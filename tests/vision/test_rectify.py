import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, board_corners
from vision.rectify import CANVAS_PX, Canvas, homography, rectify, straighten, transform, warp

STANDARD = (200.0, 240.0)
CORNERS = np.array([[620.0, 110], [900, 480], [420, 820], [150, 400]])


def test_the_longer_side_fills_the_canvas_and_the_board_is_centred() -> None:
    canvas = Canvas(STANDARD)
    assert canvas.px_per_mm == pytest.approx(1.6)
    assert canvas.to_px(np.array([[0, 0], [200, 240]])).tolist() == [[32, 0], [352, 384]]
    assert canvas.board_mask().sum() == 320 * 384


def test_a_board_of_another_shape_is_centred_too() -> None:
    canvas = Canvas((300, 100))
    assert canvas.to_px(np.array([[150, 50]])).tolist() == [[CANVAS_PX / 2, CANVAS_PX / 2]]


def test_millimetres_and_pixels_are_there_and_back() -> None:
    canvas = Canvas(STANDARD)
    points = np.array([[0, 0], [17.5, 22], [200, 240]])
    assert canvas.to_mm(canvas.to_px(points)) == pytest.approx(points)


def test_homography_takes_the_printed_corners_to_those_in_the_photograph() -> None:
    to_image = homography(CORNERS, STANDARD)
    assert transform(to_image, board_corners(STANDARD)) == pytest.approx(CORNERS, abs=1e-3)


def test_rectifying_puts_a_mark_where_it_is_printed() -> None:
    image = np.zeros((960, 1000, 3), np.uint8)
    to_image = homography(CORNERS, STANDARD)
    mark = transform(to_image, np.array([[60.0, 90.0]]))[0]
    cv2.circle(image, mark.round().astype(int).tolist(), 8, (255, 255, 255), -1)
    canvas = Canvas(STANDARD)
    grey = rectify(image, to_image, canvas)[..., 0].astype(float)
    ys, xs = np.mgrid[:CANVAS_PX, :CANVAS_PX]
    seen = np.array([[(xs * grey).sum(), (ys * grey).sum()]]) / grey.sum()
    assert canvas.to_mm(seen)[0] == pytest.approx([60, 90], abs=0.6)


def test_a_straightened_board_has_its_own_size_and_shows_a_mark_where_it_is_printed() -> None:
    size_mm = (200.0, 236.0)
    image = np.zeros((960, 1000, 3), np.uint8)
    mark = transform(homography(CORNERS, size_mm), np.array([[60.0, 90.0]]))[0]
    cv2.circle(image, mark.round().astype(int).tolist(), 8, (255, 255, 255), -1)
    board = straighten(image, CORNERS, size_mm)
    assert board.shape == (236 * PX_PER_MM, 200 * PX_PER_MM, 3)
    ys, xs = np.nonzero(board[..., 0] > 127)
    assert [xs.mean() / PX_PER_MM, ys.mean() / PX_PER_MM] == pytest.approx([60, 90], abs=0.6)


def test_shrinking_a_fine_pattern_gives_its_mean_and_no_moire() -> None:
    stripes = np.zeros((2000, 2000, 3), np.uint8)
    stripes[:, ::2] = 255
    small = warp(stripes, np.diag([0.1, 0.1, 1]), (200, 200))
    assert small[20:-20, 20:-20].std() < 3
    assert small.mean() == pytest.approx(127.5, abs=4)


def test_what_lies_outside_of_the_source_has_the_border_asked_for() -> None:
    picture = warp(np.full((10, 10, 3), 200, np.uint8), np.eye(3), (30, 30), border=(1, 2, 3))
    assert picture[25, 25].tolist() == [1, 2, 3]
    assert picture[5, 5].tolist() == [200, 200, 200]


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param([[10, 12], [90, 20], [84, 95], [7, 88]], id="as large"),
        pytest.param([[700, 13], [640, 590], [60, 511], [151, 31]], id="turned, and much larger"),
        pytest.param([[31, 3], [544, 3], [544, 516], [31, 516]], id="upright, of an odd size"),
        pytest.param([[-40, -30], [130, -20], [140, 150], [-35, 160]], id="partly outside"),
    ],
)
def test_each_pixel_shows_the_point_that_the_matrix_takes_there(corners: list[list[float]]) -> None:
    ys, xs = np.mgrid[:600, :800].astype(np.float32)
    side = 64
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    seen = warp(np.dstack([xs, ys, xs + ys]), matrix, (side, side))
    inner = np.arange(4, side - 4)
    at = np.dstack(np.meshgrid(inner, inner)).reshape(-1, 2)
    points = transform(np.linalg.inv(matrix), at)
    inside = ((points >= 8) & (points < (792, 592))).all(axis=1)
    assert inside.any()
    assert np.abs(seen[at[:, 1], at[:, 0], :2] - points)[inside].max() < 0.2
