"""What light does to a star, and what is then said of it."""

import numpy as np

from models.synthesis.camera import Camera
from models.synthesis.light import Light, Window
from models.synthesis.photograph import burnt_out, visible_pieces
from models.synthesis.token import Token, draw
from scorer.table import Piece

SIZE = (160, 160)
SCALE = 5.0
RED = (30.0, 30.0, 200.0)
"""BGR."""
WHITE = Piece("white", "#f3f1ea", 20)


def straight_above() -> Camera:
    """160 px show 32 mm; heights do not matter."""
    return Camera(SIZE, np.array([[SCALE, 0, 0, 0], [0, SCALE, 0, 0], [0, 0, 0, 1.0]]), 0.0)


def star(material: str = "plastic") -> Token:
    return Token("red", (16.0, 16.0), 8.0, 4.0, 0.3, 5, 0.7, material, RED)


def drawn(light: Light, seed: int = 1) -> np.ndarray:
    picture = np.full((*SIZE, 3), 90, np.float32)
    draw(np.random.default_rng(seed), picture, star(), light, straight_above())
    return picture


def light(window: Window | None) -> Light:
    return Light(np.array([0, 0, 1.0]), 0.5, 0.5, 0.2, window)


def reddish(picture: np.ndarray) -> np.ndarray:
    return (picture[..., 2] - picture[..., :2].max(axis=2)) > 60


def test_a_star_that_mirrors_a_window_is_white_on_top_and_red_at_its_rim() -> None:
    plain, mirrored = (
        [drawn(light(window), seed) for seed in range(8)]
        for window in (None, Window((16, 16), 60, 0.1, 1.0))
    )
    middle = slice(76, 84), slice(76, 84)
    assert all(reddish(picture)[middle].mean() > 0.5 for picture in plain)
    assert all(picture[middle].min() > 180 for picture in mirrored)
    kept = [reddish(m).sum() / reddish(p).sum() for m, p in zip(mirrored, plain, strict=True)]
    assert 0.05 < np.median(kept) < 0.6


def test_a_window_may_end_within_a_star() -> None:
    shown = drawn(light(Window((-44, 16), 60, 0.02, 1.0)))
    assert shown[76:84, 56:70].min() > 180  # left of the window's edge at 16 mm
    assert reddish(shown)[76:84, 90:100].mean() > 0.5


def test_a_star_burnt_out_all_over_is_called_white() -> None:
    nothing = np.zeros(SIZE, np.uint8)
    picture = np.full((*SIZE, 3), 90, np.uint8)

    def called(palest: Piece = WHITE) -> list[str]:
        seen = visible_pieces([star()], straight_above(), nothing, picture, palest)
        return [name for name, _ in seen]

    assert called() == ["red"]
    picture[:] = 250
    assert called() == ["white"]
    assert called(Piece("yellow", "#f6c90e", 20)) == ["red"]  # a game without white pieces
    picture[60:100, 60:70] = RED  # its colour is left in a part of it
    assert called() == ["red"]


def test_a_star_whose_top_lies_outside_the_picture_keeps_its_colour() -> None:
    """Of a thick star at the edge the foot may be in the picture and the top not."""
    picture = np.full((*SIZE, 3), 250, np.uint8)
    foot = np.array([[2.0, 60.0], [12.0, 60.0], [12.0, 70.0], [2.0, 70.0]])
    for away in ((-40, 0), (0, -90), (SIZE[1], 0), (0, SIZE[0])):
        assert not burnt_out(picture, foot + away)
    assert burnt_out(picture, foot)
