"""A bent board is laid exactly over its reference."""

import cv2
import numpy as np
import pytest

from vision.rectify import Canvas
from vision.unbend import Unbender

_CANVAS = Canvas((300.0, 240.0), 600)
_MASK = _CANVAS.board_mask()


@pytest.fixture(scope="module")
def printed() -> np.ndarray:
    """Lines and discs anywhere on dark ground."""
    rng = np.random.default_rng(1)
    picture = np.full((600, 600, 3), 60, np.uint8)
    for _ in range(260):
        x, y = (int(v) for v in rng.integers(0, 600, 2))
        tone = tuple(int(v) for v in rng.integers(80, 255, 3))
        cv2.circle(picture, (x, y), int(rng.integers(2, 9)), tone, 2, cv2.LINE_AA)
    picture[~_MASK] = 128
    return picture


def _bent(picture: np.ndarray, depth: float) -> tuple[np.ndarray, np.ndarray]:
    """As it is seen, and (S, S, 2) where each of its pixels went, shifted by ``depth`` px."""
    y, x = np.mgrid[:600, :600].astype(np.float32)
    u, v = x / 300 - 1, y / 300 - 1
    away = depth * np.stack([u * u - 0.4, 0.6 * u * v + 0.5 * v], axis=-1)
    seen = cv2.remap(picture, x - away[..., 0], y - away[..., 1], cv2.INTER_CUBIC)
    return seen, np.stack([x, y], axis=-1) + away


def _error(found: np.ndarray, true: np.ndarray) -> float:
    """The 95th percentile of the distances on the board, px."""
    return float(np.percentile(np.linalg.norm(found - true, axis=2)[_MASK], 95))


def test_a_bend_is_found(printed: np.ndarray) -> None:
    seen, true = _bent(printed, 4.0)
    assert _error(Unbender(printed, _MASK).field(seen), true) < 0.8


def test_pieces_and_a_hand_do_not_mislead_it(printed: np.ndarray) -> None:
    seen, true = _bent(printed, 3.0)
    rng = np.random.default_rng(2)
    for x, y in rng.integers(50, 550, (90, 2)):
        cv2.circle(seen, (int(x), int(y)), 11, (40, 40, 220), -1, cv2.LINE_AA)
    cv2.rectangle(seen, (0, 250), (210, 330), (150, 180, 220), -1)
    assert _error(Unbender(printed, _MASK).field(seen), true) < 1.2


def test_a_flat_board_stays(printed: np.ndarray) -> None:
    _, straight, *_ = Unbender(printed, _MASK).straighten(printed)
    assert np.abs(straight.astype(int) - printed)[_MASK].mean() < 1.5


def test_a_board_without_print_stays() -> None:
    bare = np.full((600, 600, 3), 90, np.uint8)
    y, x = np.mgrid[:600, :600]
    assert np.abs(Unbender(bare, _MASK).field(bare) - np.stack([x, y], axis=-1)).max() < 0.1
