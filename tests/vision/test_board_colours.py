"""Which kind a piece is, told by the colours of all of a board's pieces."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.colour_profile import ColourProfile, Swatch, as_colour
from vision.board_colours import (
    KindColours,
    coordinates,
    off_glossy,
    off_range,
    one_of_each,
    shade_ranges,
    share_colours_by_hex,
    weigh_colours,
)

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


def likeliest(odds: np.ndarray, bgr: np.ndarray, shown: ColourProfile = UNSHOWN) -> list[str]:
    kinds = KindColours.of(SAID, shown, UNSHOWN).fitting(odds, bgr)
    weighed, _ = weigh_colours(odds, bgr, kinds)
    return [SAID[n].piece for n in weighed[:, :-1].argmax(axis=1)]


def test_dull_pieces_are_classified_by_their_clusters() -> None:
    odds, bgr, truth = board({"black": 12, "green": 12, "blue": 9}, {"green": "black"})
    assert likeliest(odds, bgr) == truth


PALE = {
    "red": ("#cf1f2e", (81, 90, 193), 3),
    "yellow": ("#f6c90e", (102, 161, 195), 5),
    "blue": ("#1b66c9", (170, 128, 89), 3),
    "purple": ("#7b3fae", (158, 110, 138), 4),
    "orange": ("#ef7a1a", (), 0),
}
"""Kinds as their game says them, as they show on a hazy board, BGR, and how many lie there."""


def test_a_cluster_that_may_bear_two_names_is_doubtful_as_a_whole() -> None:
    said = [Swatch(kind, colour) for kind, (colour, _, _) in PALE.items()]
    truth = [n for n, (_, _, count) in enumerate(PALE.values()) for _ in range(count)]
    seen = [bgr for _, bgr, count in PALE.values() for _ in range(count)]
    chances = np.full((len(truth), len(said) + 1), 0.002)
    chances[range(len(truth)), truth] = 0.98
    yellow = np.array(truth) == 1
    chances[yellow, 1], chances[yellow, 4] = 0.83, 0.15
    bgr = np.array(seen) + np.random.default_rng(5).normal(0, 3, (len(seen), 3))
    weighed, _ = weigh_colours(np.log(chances), bgr, KindColours.of(said, UNSHOWN, UNSHOWN))
    likely = np.exp(weighed[:, :-1]).max(axis=1)
    assert likely[yellow].max() < 0.9 and likely[~yellow].min() > 0.9


def test_pieces_that_mirror_a_lamp_are_no_kind_of_their_own() -> None:
    """Purple with white added is as pink as a pale red; nobody plays red."""
    said = [Swatch(kind, colour) for kind, (colour, _, _) in PALE.items()]
    purple, yellow = np.array((155.0, 40.0, 115.0)), np.array((40.0, 160.0, 160.0))
    pale = [np.minimum(152, purple + white) for white in (60, 75, 85)]
    bgr = np.array([purple] * 6 + pale + [yellow] * 6)
    bgr += np.random.default_rng(5).normal(0, 3, bgr.shape)
    chances = np.full((len(bgr), len(said) + 1), 0.002)
    chances[:6, 3], chances[6:9, 3], chances[6:9, 0], chances[9:, 1] = 0.98, 0.6, 0.35, 0.98
    weighed, _ = weigh_colours(np.log(chances), bgr, KindColours.of(said, UNSHOWN, UNSHOWN))
    assert list(weighed[:9, :-1].argmax(axis=1)) == [3] * 9


def test_one_cluster_between_two_kinds_is_not_both_of_them() -> None:
    """In a green light purple pieces are as near to blue; none is the other's."""
    said = [Swatch(kind, colour) for kind, (colour, _, _) in PALE.items()]
    rng = np.random.default_rng(5)
    bgr = np.array([(140, 36, 44)] * 10 + [(22, 4, 165)] * 8) + rng.normal(0, 5, (18, 3))
    chances = np.full((len(bgr), len(said) + 1), 0.002)
    chances[:5, [2, 3]], chances[5:10, [2, 3]], chances[10:, 0] = (0.4, 0.58), (0.5, 0.48), 0.98
    weighed, _ = weigh_colours(np.log(chances), bgr, KindColours.of(said, UNSHOWN, UNSHOWN))
    assert list(weighed[:10, :-1].argmax(axis=1)) == [3] * 10


def test_a_colour_that_fits_no_kind_leaves_the_decision_to_the_network() -> None:
    """A yellow piece in haze is far from the yellow ones, and hardly nearer to the orange ones."""
    said = [Swatch(kind, colour) for kind, (colour, _, _) in PALE.items()]
    truth = [0] * 8 + [1] * 14 + [3] * 8 + [4] * 8 + [1]
    shown = {0: (60, 40, 190), 1: (50, 175, 205), 3: (150, 55, 100), 4: (45, 110, 200)}
    seen = [*(shown[kind] for kind in truth[:-1]), (110, 115, 140)]
    chances = np.full((len(truth), len(said) + 1), 0.01)
    chances[range(len(truth)), truth] = 0.95
    chances[-1, 1], chances[-1, 4] = 0.75, 0.21
    bgr = np.array(seen) + np.random.default_rng(5).normal(0, 3, (len(seen), 3))
    weighed, _ = weigh_colours(np.log(chances), bgr, KindColours.of(said, UNSHOWN, UNSHOWN))
    assert weighed[-1, :-1].argmax() == 1


def test_a_sample_of_each_tells_what_clusters_cannot() -> None:
    odds, bgr, truth = board({"green": 6}, {"green": "black"})
    shown = ColourProfile(tuple(Swatch(kind, as_colour(bgr)) for kind, bgr in KINDS.items()))
    assert likeliest(odds, bgr) != truth
    assert likeliest(odds, bgr, shown) == truth


@pytest.mark.parametrize("warmth", [(1.0, 1.0, 1.0), (0.4, 1.0, 1.9), (2.0, 1.2, 0.6)])
def test_samples_of_another_evening_do_not_mislead(warmth: tuple[float, float, float]) -> None:
    """Neither if each looks as another kind does here, nor all of them in other light."""
    odds, bgr, truth = board({"black": 6, "green": 6, "blue": 6}, {})
    names = list(KINDS) if warmth != (1.0, 1.0, 1.0) else ["green", "blue", "black"]
    shown = {kind: np.array(KINDS[name]) * warmth for kind, name in zip(KINDS, names, strict=True)}
    samples = ColourProfile(tuple(Swatch(kind, as_colour(at)) for kind, at in shown.items()))
    assert likeliest(odds, bgr, samples) == truth


def test_samples_that_look_alike_leave_it_to_the_network() -> None:
    odds, bgr, _ = board({"black": 4}, {})
    alike = {"black": BLACK, "green": BLACK, "blue": BLUE}
    shown = ColourProfile(tuple(Swatch(kind, as_colour(bgr)) for kind, bgr in alike.items()))
    black, green, *_ = weigh_colours(odds, bgr, KindColours.of(SAID, shown, UNSHOWN))[0].T
    assert np.exp(black - green).min() > 5


def test_a_kind_of_few_pieces_is_read_by_others_of_the_same_colour() -> None:
    _, shown_there, truth = board({"black": 12, "green": 12}, {})
    sure = [[0.97 if kind == swatch.piece else 0.01 for swatch in SAID] for kind in truth]
    weighed = np.log(np.hstack([sure, np.full((len(truth), 1), 0.01)]))
    towers = [Swatch(f"{swatch.piece} tower", swatch.colour) for swatch in SAID]
    known = share_colours_by_hex(weighed, shown_there, SAID, towers, UNSHOWN)
    assert {swatch.piece for swatch in known.swatches} == {"black tower", "green tower"}
    few, bgr, _ = board({"green": 2}, {"green": "black"})
    alone, _ = weigh_colours(few, bgr, KindColours.of(towers, UNSHOWN, UNSHOWN))
    reported, _ = weigh_colours(few, bgr, KindColours.of(towers, UNSHOWN, known))
    assert alone[:, 0].min() > alone[:, 1].max()
    assert reported[:, 1].min() > reported[:, 0].max()
    assert share_colours_by_hex(weighed, shown_there, SAID, towers, known) == UNSHOWN
    assert share_colours_by_hex(weighed[:5], shown_there[:5], SAID, towers, UNSHOWN) == UNSHOWN


def test_a_colour_learnt_from_a_board_shows_the_light_that_the_others_are_in() -> None:
    said = [Swatch("red", "#c92a2a"), Swatch("green", "#2b8a3e"), Swatch("black", "#202020")]
    red, green, _ = (np.array(swatch.bgr) * (0.75, 0.5, 1.0) for swatch in said)
    shift = np.diff(coordinates(np.array([said[0].bgr, red])), axis=0)[0]
    assert shift == pytest.approx((0.3, -0.2, -0.1), abs=0.05)
    bgr = np.array([red] * 4 + [green] * 3)
    odds = np.log(np.full((7, 4), 0.25))
    learnt = ColourProfile((Swatch("red", as_colour(red)),))
    weighed, _ = weigh_colours(odds, bgr, KindColours.of(said, UNSHOWN, learnt))
    assert list(weighed[:, :-1].argmax(axis=1)) == [0] * 4 + [1] * 3


def test_that_a_piece_lies_there_stays_as_likely() -> None:
    odds, bgr, _ = board({"black": 3, "green": 4}, {})
    weighed = np.exp(weigh_colours(odds, bgr, KindColours.of(SAID, UNSHOWN, UNSHOWN))[0])
    given = np.exp(odds[:, -1]) / np.exp(odds).sum(axis=1)
    assert weighed[:, -1] == pytest.approx(given)
    assert weighed.sum(axis=1) == pytest.approx(1)


def test_one_of_each_leaves_kinds_over() -> None:
    assert one_of_each(np.array([[0.0, -1.0, -9.0], [0.0, -3.0, -9.0]])) == [1, 0]


def test_a_kind_that_lies_in_sun_and_in_shade_is_as_vivid_as_either() -> None:
    _, bgr, truth = board({"black": 8, "blue": 16}, {})
    bgr[8::2] += 60
    sure = np.array([[0.97 if kind == swatch.piece else 0.01 for swatch in SAID] for kind in truth])
    kinds = coordinates(np.array([BLACK, DARK_GREEN, BLUE]))
    black, green, blue = shade_ranges(np.log(np.hstack([sure, sure[:, 1:2]])), bgr, kinds)
    assert np.ptp(blue[:, :2], axis=0).max() > 0.15
    assert np.ptp(black, axis=0).max() < 0.1
    assert green == pytest.approx(np.repeat(kinds[1:2], 2, axis=0))
    sunny = coordinates(bgr[8::2])
    alone = np.linalg.norm(sunny - kinds[2], axis=1)
    assert off_range(sunny, blue).mean() < alone.mean() - 0.05


def test_how_far_a_colour_is_from_a_range_is_from_its_nearest_point() -> None:
    ends = np.array([[0.0, 0, 1], [2, 0, 1]])
    seen = np.array([[1.0, 0.5, 1], [-1, 0, 1], [3, 0, 1], [2, 0, 1]])
    assert off_range(seen, ends) == pytest.approx([0.5, 1, 1, 0])
    assert off_range(seen, ends[[0, 0]]) == pytest.approx(np.linalg.norm(seen - ends[0], axis=1))


def test_a_lamp_reflected_on_a_vivid_piece_does_not_change_its_kind() -> None:
    red, paper, pink, grey = (10.0, 15, 190), (210.0, 215, 220), (150.0, 150, 215), (60.0, 60, 60)
    under_gloss = [0.8 * np.array(one) + 0.2 * 255 for one in (red, grey)]
    shown, known = coordinates(np.array(under_gloss)), coordinates(np.array([paper, pink]))
    ends = np.repeat(coordinates(np.array([red, grey]))[:, None], 2, axis=1)
    glossy_red, glossy_grey = off_glossy(shown, known[[0, 0]], ends)
    assert glossy_red < 0.1 < 0.8 < off_range(shown[0], ends[0])
    assert glossy_grey == pytest.approx(off_range(shown[1], ends[1]))
    on_pink = off_glossy(shown[0], known[1], ends[0])
    assert on_pink == pytest.approx(off_range(shown[0], ends[0]))


def test_faint_and_vivid_pieces_of_one_hue_are_of_one_kind() -> None:
    said = [Swatch("yellow", "#f2c200"), Swatch("orange", "#f08020"), Swatch("red", "#d0202e")]
    middle = np.log(np.array([50.0, 165.0, 225.0]) + 16)
    vivid = np.linspace(0.85, 1.15, 19)[:, None]
    bgr = np.exp(middle.mean() + vivid * (middle - middle.mean())) - 16
    odds = np.log(np.tile([0.62, 0.31, 0.02, 0.05], (len(bgr), 1)))
    weighed, _ = weigh_colours(odds, bgr, KindColours.of(said, UNSHOWN, UNSHOWN))
    assert set(weighed[:, :-1].argmax(axis=1)) == {0}
