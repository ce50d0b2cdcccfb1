"""What the set classifier is told, and what it makes of it."""

import numpy as np
import pytest

from scorer.nebula.words import BLACK, COLOURS
from vision import load_models
from vision.set_classifier import features, temper, trust

CLASSES = (*COLOURS, BLACK)
EMPTY = len(CLASSES)
ORANGE, YELLOW, WHITE = (CLASSES.index(c) for c in ("orange", "yellow", "white"))
SIZE = 384
BGR = {
    "red": (45, 40, 200),
    "orange": (40, 120, 235),
    "yellow": (60, 205, 245),
    "blue": (200, 110, 50),
    "purple": (150, 60, 120),
    "white": (235, 235, 235),
    "black": (35, 32, 30),
}
PRINT = (90, 60, 70)
PLACES = np.array([[40 + 40 * (i % 8), 60 + 50 * (i // 8)] for i in range(35)])


def table(stars: dict[int, tuple[int, int, int]]) -> np.ndarray:
    """Discs of those colours, (SIZE, SIZE, 3), on places of a dark board."""
    picture = np.full((SIZE, SIZE, 3), PRINT, np.uint8)
    ys, xs = np.mgrid[:SIZE, :SIZE]
    for place, colour in stars.items():
        x, y = PLACES[place]
        picture[np.hypot(xs - x, ys - y) < 11] = colour
    return picture


def log_odds(described: np.ndarray) -> np.ndarray:
    """By the weights that ship with the program."""
    classifier = load_models("nebula").classifier
    return classifier.log_odds(described)


def described(
    picture: np.ndarray, centres: np.ndarray, scores: np.ndarray, change: np.ndarray
) -> np.ndarray:
    """The features of a board in the reference's own light."""
    return features((picture, picture, picture, table({})), centres, scores, change)


def judged(stars: dict[int, tuple[int, int, int]], said: dict[int, dict[str, float]]) -> np.ndarray:
    """(35, 8) odds where the detector ``said`` those scores."""
    scores, change = np.full((35, 7), 1e-4), np.full(35, 0.03)
    for place, reported in said.items():
        change[place] = 0.4
        for star, score in reported.items():
            scores[place, CLASSES.index(star)] = score
    return log_odds(described(table(stars), PLACES, scores, change))


def test_what_the_detector_is_sure_of_stays() -> None:
    names = [star for star in BGR if star != BLACK]
    stars = {i: names[i % 6] for i in range(18)} | dict.fromkeys(range(25, 29), BLACK)
    odds = judged(
        {i: BGR[star] for i, star in stars.items()}, {i: {s: 0.85} for i, s in stars.items()}
    )
    read = [(*CLASSES, None)[i] for i in odds.argmax(axis=1)]
    assert read == [stars.get(i) for i in range(35)]


def test_a_golden_star_beside_orange_ones_is_yellow_and_beside_yellow_ones_orange() -> None:
    """The rulebooks' colours are told apart side by side; so are these."""
    golden = (40, 165, 240)
    doubt = {0: {"orange": 0.45, "yellow": 0.45}}

    def beside(others: str) -> np.ndarray:
        rest = dict.fromkeys(range(1, 5), others) | {5: "blue", 6: "red", 7: "white"}
        said = doubt | {i: {star: 0.85} for i, star in rest.items()}
        return judged({0: golden} | {i: BGR[star] for i, star in rest.items()}, said)[0]

    among_orange, among_yellow = beside("orange"), beside("yellow")
    assert among_orange[YELLOW] > among_orange[ORANGE]
    assert among_yellow[ORANGE] > among_yellow[YELLOW]


def test_the_order_of_the_places_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    picture = table({i: tuple(rng.integers(0, 255, 3)) for i in range(12)})
    reported = described(picture, PLACES, rng.random((35, 7)) * 0.8, rng.random(35))
    order = rng.permutation(35)
    assert log_odds(reported[order]) == pytest.approx(log_odds(reported)[order], abs=1e-3)


@pytest.mark.parametrize("count", [1, 2, 35])
def test_any_number_of_places_is_judged(count: int) -> None:
    reported = described(table({}), PLACES[:count], np.full((count, 7), 1e-4), np.full(count, 0.02))
    odds = log_odds(reported)
    assert odds.shape == (count, 8)
    assert (odds.argmax(axis=1) == EMPTY).all()


def test_a_mirrored_ceiling_leaves_the_hue() -> None:
    plain, pastel = described(
        table({0: (20, 110, 230), 1: (125, 170, 230)}), PLACES[:2], np.zeros((2, 7)), np.zeros(2)
    )[:, 7:9]
    assert np.arctan2(*plain) == pytest.approx(np.arctan2(*pastel), abs=0.05)
    assert np.hypot(*pastel) < np.hypot(*plain)


def test_the_rim_of_a_whitened_star_is_reported() -> None:
    """The most colourful fifth of its pixels."""
    picture = table({0: BGR["red"], 1: BGR["white"]})
    x, y = PLACES[0]
    ys, xs = np.mgrid[:SIZE, :SIZE]
    picture[np.hypot(xs - x, ys - y) < 7] = 250
    red, white = described(picture, PLACES[:2], np.zeros((2, 7)), np.zeros(2))[:, 18:21]
    assert red[0] > 0.8 > 0.1 > abs(white[0])


def test_a_star_at_the_very_edge_is_reported() -> None:
    corner = described(table({}), np.array([[0.0, 383.0]]), np.zeros((1, 7)), np.zeros(1))
    assert np.isfinite(corner).all()


def test_a_board_of_many_doubts_is_doubtful_altogether() -> None:
    sure = np.tile([8.0, 0, 0, -9], (6, 1))
    torn = np.vstack([sure, np.tile([1.2, 1.0, 0.8, -9], (6, 1))])
    known, strange = temper(sure, trust(sure)), temper(torn, trust(torn))
    assert np.exp(known)[0, 0] > 0.99 > 0.95 > np.exp(strange)[0, 0]
    assert (strange.argmax(axis=1) == torn.argmax(axis=1)).all()
    empty = np.exp(torn)[:, 3] / np.exp(torn).sum(axis=1)
    assert np.exp(strange)[:, 3] == pytest.approx(empty)
