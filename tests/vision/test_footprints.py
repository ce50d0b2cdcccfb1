"""Where pieces lie, and on whose place each is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from scorer.places import Bar, Circle
from vision.board_colours import coordinates
from vision.doubts import UNCERTAIN_BELOW
from vision.fine_patches import FINE_PX, FinePlaces, halved, in_light
from vision.footprint_odds import (
    SURENESS,
    doubted,
    fit_odds,
    fit_to_board,
    legibility,
    texture_bounds,
)
from vision.footprints import Footprints, find_footprints

RED, PAPER, GREEN, DEEP_RED = (40, 50, 180), (190, 205, 215), (60, 140, 70), (24, 30, 110)
PX = 4
"""Of the drawn board, to a mm."""
ROWS = [Bar((30, y), (24, 9), 0) for y in range(20, 140, 10)]


def board(*pieces: tuple[float, float], print_: tuple[int, int, int] = PAPER) -> np.ndarray:
    """(H, W, 3) a board with red bars of 22 mm by 8 there."""
    picture = np.full((160 * PX, 60 * PX, 3), PAPER, np.uint8)
    for x, y in (bar.at for bar in ROWS):
        rectangle(picture, x, y, (24, 9), print_)
    for x, y in pieces:
        rectangle(picture, x, y, (22, 8), RED)
    return picture


def rectangle(
    picture: np.ndarray, x: float, y: float, size: tuple[float, float], tone: tuple[int, int, int]
) -> None:
    half = np.array(size) / 2
    low, high = (((np.array([x, y]) + s * half) * PX).round().astype(int).tolist() for s in (-1, 1))
    cv2.rectangle(picture, low, high, tone, -1)


def footprints(
    shown: np.ndarray,
    print_: np.ndarray,
    taken: list[float],
    kinds: Mapping[tuple[int, int, int], float] = MappingProxyType({RED: 0.0}),
) -> Footprints:
    """Those of pieces of these colours, likely by these log odds."""
    places = FinePlaces(ROWS)
    at = places.control_mm() * PX - 0.5
    photo, known = (halved(places.cut(one, at)) for one in (shown, print_))
    shades = np.repeat(coordinates(np.array([*kinds], float))[:, None], 2, axis=1)
    likely = np.tile([*kinds.values()], (len(ROWS), 1))
    return find_footprints(places, photo, known, shades, likely, np.array(taken))


def test_a_piece_that_leans_into_the_next_place_is_its_own_places() -> None:
    taken = [0.0] * len(ROWS)
    taken[0] = taken[1] = taken[6] = 3.0
    found = footprints(board((30, 23), (30, 80)), board(), taken)
    assert found.fits[[0, 6]].min() > 3
    assert found.owner[1] == 0
    assert found.left[1] < 0
    assert found.owner[[0, 6]].tolist() == [-1, -1]


def test_two_pieces_side_by_side_are_two() -> None:
    found = footprints(board((30, 21), (30, 31)), board(), [3.0] * len(ROWS))
    assert found.left[:2].min() > 3
    assert found.left[3:].max() < 0


def test_a_piece_of_a_less_likely_kind_is_found_by_its_colour() -> None:
    shown, taken = board((30, 50)), [-2.0] * len(ROWS)
    found = footprints(shown, board(), taken, {GREEN: 0.0, RED: -1.5})
    assert found.fits[3] > 3
    assert np.delete(found.left, 3).max() < 0
    assert found.kind[3] == 1
    green, red = fit_odds(found, np.tile([0.0, -1.5], (len(ROWS), 1)))[3]
    assert red > 1 and green == 0, "it does not speak for a green piece"
    excluded = footprints(shown, board(), taken, {GREEN: 0.0, RED: -15.0})
    assert excluded.fits.max() < 0, "other evidence is as strong"


def test_a_piece_of_a_less_likely_kind_is_its_own_places() -> None:
    taken = [-2.0, *[-4.0] * (len(ROWS) - 1)]
    found = footprints(board((30, 23)), board(), taken, {GREEN: 0.0, RED: -0.5})
    assert found.fits[0] > 3
    assert found.owner[:2].tolist() == [-1, 0]
    assert found.left[1] < 0


def test_a_piece_on_a_print_of_its_colour_is_not_classified_by_it() -> None:
    plain = footprints(board((30, 50)), board(print_=GREEN), [3.0] * len(ROWS))
    same = footprints(board((30, 50), print_=DEEP_RED), board(print_=DEEP_RED), [3.0] * len(ROWS))
    assert plain.own[3] < 0.1
    assert same.own[3] > 0.8
    assert plain.fits[3] > 3 > same.fits[3]


def test_places_are_cut_upright_however_they_lie() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    cv2.rectangle(picture, (180, 140), (219, 259), (255, 255, 255), -1)
    places = FinePlaces([Bar((50, 50), (30, 10), 90)])
    (patch,) = places.cut(picture, places.control_mm() * 4 - 0.5)
    assert ((patch[..., 0] > 127) == places.on(FINE_PX)).mean() > 0.99
    assert FinePlaces([Circle((50, 50), 10)]).on(FINE_PX).mean() == pytest.approx(
        np.pi / 4 / 1.6**2, rel=0.02
    )


def test_fine_patches_come_into_the_light_of_the_coarse_ones() -> None:
    rng = np.random.default_rng(3)
    raw = rng.integers(20, 200, (5, 28, 28, 3)).astype(np.uint8)
    lit = (raw * np.array([0.5, 0.8, 1.1]) + 9).astype(np.uint8)
    fine = rng.integers(20, 200, (5, 32, 32, 3)).astype(np.uint8)
    assert np.abs(in_light(fine, raw, lit) - (fine * np.array([0.5, 0.8, 1.1]) + 9)).max() < 3


def test_a_thing_of_no_kinds_colour_is_asked_about_and_not_read() -> None:
    shown = board((30, 20), (30, 40))
    rectangle(shown, 30, 90, (22, 8), (150, 90, 30))
    likes = [-4.0] * len(ROWS)
    likes[0] = likes[2] = 6.0
    found = footprints(shown, board(), likes)
    odds = np.array([[like, 0.0] for like in likes])
    nothing, unheard = np.zeros(len(odds)), np.full(len(odds), -4.0)
    doubtful = doubted(odds, found, nothing, unheard, nothing)[:, 0]
    assert -1.5 < doubtful[7] < 0
    assert np.delete(doubtful, [0, 2, 7]).max() < -3.5
    told_by_network = doubted(odds, found, nothing, np.full(len(odds), 3.0), nothing)[:, 0]
    assert told_by_network[7] > doubtful[7] + 0.4, "a gloss, which the network sees"
    assert np.delete(told_by_network, [0, 2, 7]).max() < -3.5


@pytest.mark.parametrize(
    ("kinds", "piece_odds", "expected"), [(2, 0.5, -0.5), (2, 3.0, 1.0), (1, 3.0, -0.5)]
)
def test_a_place_with_the_structure_of_a_piece_is_asked_about(
    kinds: int, piece_odds: float, expected: float
) -> None:
    """White on white, or gloss: no colour tells the piece, but its rim does, and the network."""
    nothing = np.zeros(2)
    prints = Footprints(
        np.zeros(2, int), nothing, nothing, np.full(2, -1), nothing, nothing, nothing
    )
    odds = np.log([[*[0.2 / kinds] * kinds, 0.8]] * 2)
    reported = doubted(odds, prints, np.array([4.2, -4.2]), np.full(2, piece_odds), nothing)
    ridged, plain = np.logaddexp.reduce(reported[:, :-1], axis=1) - reported[:, -1]
    assert ridged == pytest.approx(expected) and plain == pytest.approx(np.log(0.2 / 0.8))
    assert abs(ridged) * SURENESS < np.log(UNCERTAIN_BELOW / (1 - UNCERTAIN_BELOW))


def test_a_place_that_looks_bare_but_is_as_rough_as_a_piece_is_asked_about() -> None:
    """A piece that lies half beside its place: its edge crosses the print."""
    nothing = np.zeros(2)
    prints = Footprints(nothing, nothing, nothing, nothing - 1, nothing, nothing, nothing)
    unsure = np.log((1 - UNCERTAIN_BELOW) / UNCERTAIN_BELOW) / SURENESS
    for kinds, is_asked in ((1, False), (2, True)):
        likes = np.array([[*[-6.0 - np.log(kinds)] * kinds, 0.0]] * 2)
        odds = doubted(likes, prints, np.array([4.2, 0.0]), nothing - 3.0, nothing)
        rough, smooth = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
        assert smooth < unsure and rough < 0
        assert (rough > unsure) == is_asked, "seams of glued prints are rough, too"


def test_a_piece_that_its_print_matches_in_hue_but_not_in_strength_is_asked_about() -> None:
    """Red on red: colour counts against the piece, however far the place is from its print."""
    bare, pieces = 16, 4
    nothing = np.zeros(bare + pieces + 1)
    strange = np.array([0.02] * bare + [0.25] * pieces + [0.25])
    likes = np.array([[-9.0, 0.0]] * bare + [[6.0, 0.0]] * pieces + [[-9.0, 0.0]])

    def like_on(own: float, legible: float = 0.0) -> float:
        share = np.append(nothing[:-1], own)
        prints = Footprints(nothing, nothing, nothing, nothing - 1, share, strange, nothing)
        odds = doubted(likes, prints, nothing - 4.0, nothing - 3.0, nothing + legible)
        return float(odds[-1, 0] - odds[-1, 1])

    unsure = np.log((1 - UNCERTAIN_BELOW) / UNCERTAIN_BELOW) / SURENESS
    assert like_on(0.5) > unsure > like_on(0.0)
    assert like_on(0.5, legible=1.0) < unsure, "the print can be read: only the light is strange"


def test_a_piece_that_its_print_hides_is_asked_about() -> None:
    """Black on black, of which the network sees little."""
    nothing = np.zeros(3)
    prints = Footprints(
        nothing, nothing, nothing, nothing - 1, np.array([0.0, 0.5, 1.0]), nothing, nothing
    )
    unsure = np.log((1 - UNCERTAIN_BELOW) / UNCERTAIN_BELOW) / SURENESS
    for kinds, is_asked in ((1, False), (2, True)):
        likes = np.array([[*[-4.5 - np.log(kinds)] * kinds, 0.0]] * 3)
        odds = doubted(likes, prints, nothing - 4.0, nothing - 3.0, nothing)
        taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
        assert taken[0] < unsure and taken.max() < 0
        assert (taken[2] > unsure) == is_asked, "links are not hidden by seams of glued prints"


@pytest.mark.parametrize("kinds", [1, 2])
def test_an_object_about_a_place_for_links_is_asked_about(kinds: int) -> None:
    """The network may take a stick for what is printed there; it does not claim another's."""
    nothing, about = np.zeros(3), np.array([4.5, 4.5, 1.0])
    prints = Footprints(
        nothing.astype(int), nothing, nothing, np.array([-1, 0, -1]), nothing, nothing, about
    )
    likes = np.array([[*[-4.5 - np.log(kinds)] * kinds, 0.0]] * 3)
    odds = doubted(likes, prints, nothing - 4.0, nothing - 3.0, nothing)
    taken = np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1]
    unsure = np.log((1 - UNCERTAIN_BELOW) / UNCERTAIN_BELOW) / SURENESS
    assert (taken > unsure).tolist() == [kinds == 1, False, False] and taken.max() < 0
    legible = doubted(likes, prints, nothing - 4.0, nothing - 3.0, nothing + 1)
    assert np.allclose(legible[2], legible[0]), "the print can be read beside it"


def test_smooth_plastic_is_not_taken_for_plain_print_by_its_texture() -> None:
    """A place as far from its print as red plastic from paper does not show that print."""
    nothing, strange = np.zeros(3), np.array([0.1, 0.7, 1.5])
    prints = Footprints(nothing, nothing, nothing, nothing - 1, nothing, strange, nothing)
    least, most = texture_bounds(prints)
    assert least == pytest.approx([-1.0, -0.6, 0.0])
    assert most == pytest.approx([0.5, 0.5, 0.5])


def test_an_off_centre_piece_is_read_unless_another_place_claims_it() -> None:
    """Most of the place still shows its print; in coloured light none does."""
    nothing = np.zeros(4)
    fits, strange = np.array([7.0, 7.0, 7.0, 4.0]), np.array([0.1, 0.1, 0.7, 0.1])
    prints = Footprints(
        nothing, fits, nothing, np.array([-1, 0, -1, -1]), nothing, strange, nothing
    )
    assert fit_odds(prints, nothing[:, None])[:, 0] == pytest.approx([7.5, 1.5, 1.5, 1.5])


def test_a_print_half_covered_by_a_piece_is_not_legible() -> None:
    nothing = np.zeros(4)
    about = np.array([8.0, 1.0, 8.0, 8.0])
    owner, texture = np.array([-1, -1, 0, -1]), np.array([4.0, 4.0, 4.0, -4.0])
    prints = Footprints(nothing, nothing, nothing, owner, nothing, nothing, about)
    covered, alone, leaning_in, printed = legibility(np.full(4, 0.9), prints, texture)
    assert covered < 0.1
    assert alone == leaning_in == 1, "nothing, or a piece of another place"
    assert printed > 0.9, "the colour of a piece without its ridges"
    assert legibility(np.full(4, 0.5), prints, texture).max() == 0


def test_a_doubtful_place_is_judged_by_the_boards_other_places() -> None:
    """Likelier taken on a crowded board, and bare where bare places look unlike their print."""

    def doubtful(bare: int, pieces: int, strange: float) -> float:
        count = bare + pieces + 1
        nothing, unlike = np.zeros(count), np.full(count, strange)
        prints = Footprints(nothing, nothing, nothing, nothing - 1, nothing, unlike, nothing)
        taken = np.array([-8.0] * bare + [6.0] * pieces + [1.0])
        odds = np.stack([taken, np.zeros(count)], axis=1)
        seen = fit_to_board(odds, prints, taken)
        return float(seen[-1, 0] - seen[-1, 1])

    crowded, sparse = doubtful(10, 90, 0.05), doubtful(90, 10, 0.05)
    assert crowded > sparse + 1
    assert doubtful(90, 10, 0.5) < sparse - 1


def test_a_piece_close_to_its_prints_colour_is_detected_where_bare_places_match_theirs() -> None:
    """A lilac car is a seventh as far from white plastic as a red one, but no place is bare so."""
    strange = np.array([0.02] * 20 + [0.9] * 5 + [0.2, 0.02])
    nothing = np.zeros(len(strange))
    prints = Footprints(nothing, nothing, nothing, nothing - 1, nothing, strange, nothing)
    taken = np.array([-8.0] * 20 + [6.0] * 5 + [0.0, 0.0])
    seen = fit_to_board(np.stack([taken, nothing], axis=1), prints, taken)
    *_, lilac, white = seen[:, 0] - seen[:, 1]
    assert lilac > white + 0.6
