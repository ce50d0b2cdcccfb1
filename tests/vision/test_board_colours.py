"""Which kind a piece is, told by the colours of all of a board's pieces."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.colour_profile import ColourProfile, Swatch, as_colour
from vision.board_colours import KindColours, one_of_each, weigh_colours

SAID = [Swatch("black", "#202020"), Swatch("green", "#2f9e44"), Swatch("blue", "#1f5fbf")]
DARK_GREEN, BLACK, BLUE = (60.0, 80.0, 52.0), (42.0, 46.0, 50.0), (120.0, 90.0, 43.0)
KINDS = {"black": BLACK, "green": DARK_GREEN, "blue": BLUE}


UNSHOWN = ColourProfile()


def board(counts: dict[str, int], seen_as: dict[str, str]) -> tuple[np.ndarray, np.ndarray, list]:
    """Log odds of a network that takes kinds for others, colours as they show, and the truth."""
    rng = np.random.default_rng(5)
    names = [swatch.piece for swatch in SAID]
    truth = [kind for kind, count in counts.items() for _ in range(count)]
    chances = np.full((len(truth), len(names) + 1), 0.06)
    for row, kind in enumerate(truth):
        chances[row, names.index(seen_as.get(kind, kind))] = 0.82
    shades = rng.normal(1, 0.04, (len(truth), 1)) * rng.normal(1, 0.02, (len(truth), 3))
    return np.log(chances), np.array([KINDS[kind] for kind in truth]) * shades, truth


def told(odds: np.ndarray, bgr: np.ndarray, shown: ColourProfile = UNSHOWN) -> list[str]:
    weighed, _ = weigh_colours(odds, bgr, KindColours.of(SAID, shown))
    return [SAID[n].piece for n in weighed[:, :-1].argmax(axis=1)]


def test_a_dull_kit_is_told_by_its_clusters() -> None:
    odds, bgr, truth = board({"black": 12, "green": 12, "blue": 9}, {"green": "black"})
    assert told(odds, bgr) == truth


def test_a_sample_of_each_tells_what_clusters_cannot() -> None:
    odds, bgr, truth = board({"green": 6}, {"green": "black"})
    shown = ColourProfile(tuple(Swatch(kind, as_colour(bgr)) for kind, bgr in KINDS.items()))
    assert told(odds, bgr) != truth
    assert told(odds, bgr, shown) == truth


def test_that_a_piece_lies_there_stays_as_likely() -> None:
    odds, bgr, _ = board({"black": 3, "green": 4}, {})
    weighed = np.exp(weigh_colours(odds, bgr, KindColours.of(SAID, UNSHOWN))[0])
    given = np.exp(odds[:, -1]) / np.exp(odds).sum(axis=1)
    assert weighed[:, -1] == pytest.approx(given)
    assert weighed.sum(axis=1) == pytest.approx(1)


def test_one_of_each_leaves_kinds_over() -> None:
    assert one_of_each(np.array([[0.0, -1.0, -9.0], [0.0, -3.0, -9.0]])) == [1, 0]
