"""Cards laid on a table by a homography: which they are, and what is none of the deck."""

import tracemalloc
from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from tests.conftest import in_ci, in_full
from vision import card_corners, card_likeness, card_search
from vision.card_corners import corner_outlines, line_segments
from vision.card_features import features_of
from vision.card_geometry import contains, corner_distance, corner_distances, sides_of
from vision.card_pictures import CardPicture, DeckPictures
from vision.card_registration import (
    LIKE_A_CARD,
    Registration,
    alike_within,
    compare_in_detail,
    compared,
    refined,
    register,
)
from vision.card_search import _ANYWHERE, CardSearch, is_surely_a_card
from vision.card_squares import cut
from vision.cards import UNCERTAIN_BELOW, CardReading, Deck, as_often_as_printed, of_one_size
from vision.outlines import find_outlines
from vision.parallel import AT_ONCE

SIDE = 96
WINDOW = (12 / 120, 14 / 170, (12 + SIDE) / 120, (14 + SIDE) / 170)
"""The picture on a card of 120 by 170 px, in shares of its size."""


def picture(seed: int) -> np.ndarray:
    """Discs of many colours on a dark ground."""
    rng = np.random.default_rng(seed)
    drawn = np.full((SIDE, SIDE, 3), (60, 26, 18), np.uint8)
    for _ in range(6):
        x, y, radius = rng.integers([12, 12, 6], [SIDE - 12, SIDE - 12, 14]).tolist()
        cv2.circle(drawn, (x, y), radius, rng.integers(80, 256, 3).tolist(), -1, cv2.LINE_AA)
    return drawn


DECK = Deck(CardPicture(f"C{seed}", picture(seed)) for seed in range(12))


def table(cards: dict[tuple[int, int], int], turn: float, light: float = 1.0) -> np.ndarray:
    """Pictures of those seeds on white cards at places of a table, each turned, seen askew."""
    image = np.full((600, 800, 3), (120, 150, 165), np.uint8)
    for number, ((x, y), seed) in enumerate(cards.items()):
        card = np.full((170, 120, 3), 245, np.uint8)
        card[14 : 14 + SIDE, 12 : 12 + SIDE] = picture(seed)
        laid = cv2.getRotationMatrix2D((60, 85), turn + 77 * number, 1.0)
        laid[:, 2] += (x - 60, y - 85)
        cv2.warpAffine(card, laid, (800, 600), image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    corners = np.array([[0, 0], [800, 0], [800, 600], [0, 600]], np.float32)
    seen = np.array([[40, 20], [770, 0], [800, 600], [0, 580]], np.float32)
    askew = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, seen), (800, 600))
    noise = np.random.default_rng(1).normal(0, 3, askew.shape)
    soft = np.asarray(cv2.GaussianBlur(askew, (0, 0), 0.8))
    return np.asarray(np.clip(soft * light + noise, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("turn", "light"), in_full([(0, 1.0), (35, 0.5), (98, 0.8), (200, 1.0)], (35, 0.5))
)
def test_cards_are_found_however_they_are_turned(turn: float, light: float) -> None:
    laid = {(150, 150): 0, (400, 150): 3, (650, 150): 7, (150, 430): 9, (400, 430): 11}
    found = DECK.find(table(laid, turn, light))
    assert {card.card for card in found} == {f"C{seed}" for seed in laid.values()}
    assert all(card.confidence >= UNCERTAIN_BELOW for card in found)


def test_corners_begin_at_the_printed_top_left() -> None:
    image = np.full((400, 400, 3), 200, np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = np.rot90(picture(4))  # to the left
    (card,) = DECK.find(image)
    expected = [[150, 216], [150, 120], [246, 120], [246, 216]]
    assert np.abs(card.corners + 0.5 - expected).max() < 4
    assert card.to_data()["card"] == "C4"


def test_what_is_of_no_deck_is_no_card() -> None:
    laid = {(150, 150): 0, (400, 150): 100, (650, 430): 101}
    found = DECK.find(table(laid, 20))
    assert [card.card for card in found if card.confidence >= UNCERTAIN_BELOW] == ["C0"]


def test_cards_with_the_same_picture_are_read_in_turn() -> None:
    deck = Deck(CardPicture(id, picture(seed)) for id, seed in [("A", 4), ("B", 4), ("C", 5)])
    for laid, ids in (({(150, 150): 4}, {"A"}), ({(150, 150): 4, (400, 430): 4}, {"A", "B"})):
        found = deck.find(table(laid, 20))
        assert {card.card for card in found if card.confidence >= UNCERTAIN_BELOW} == ids


def test_a_card_seen_more_often_than_it_is_printed_is_asked_about() -> None:
    """One of them is another, as red and orange look alike in a dim photograph."""
    laid = {(150, 150): 4, (400, 430): 4, (650, 150): 5}
    for copies, sure in ((1, {"C5"}), (2, {"C4", "C5"})):
        pictures = [CardPicture(f"C{seed}", picture(seed)) for seed in range(6)]
        found = Deck(pictures, copies={"C4": copies}).find(table(laid, 20))
        assert [card.card for card in found].count("C4") == 2
        assert {one.card for one in found if one.confidence >= UNCERTAIN_BELOW} == sure


def test_of_cards_with_one_picture_any_may_be_the_one_too_many() -> None:
    laid = {(150, 150): 4, (400, 430): 4, (650, 150): 4}
    for copies, sure in ((1, set[str]()), (2, {"A", "B"})):
        pictures = [CardPicture(id, picture(seed)) for id, seed in [("A", 4), ("B", 4), ("C", 5)]]
        found = Deck(pictures, copies={"A": 1, "B": copies}).find(table(laid, 20))
        assert len(found) == 3
        assert {one.card for one in found if one.confidence >= UNCERTAIN_BELOW} == sure


@pytest.mark.parametrize("printed", [1, 2])
def test_a_doubtful_card_is_hardly_one_that_surely_lies_elsewhere(printed: int) -> None:
    at = np.zeros((4, 2))
    surely = CardReading("red", 0.99, at)
    doubtful = CardReading("red", 0.7, at, {"orange": 0.28})
    other = CardReading("blue", 0.6, at, {"red": 0.1})
    read = as_often_as_printed([surely, doubtful, other], {"red": printed})
    found = {one.card: round(one.confidence, 2) for one in read[1:]}
    assert read[0] is surely
    assert found == ({"orange": 0.9, "blue": 0.67} if printed == 1 else {"red": 0.7, "blue": 0.6})


def test_what_only_other_cards_suggest_is_asked_about() -> None:
    at = np.zeros((4, 2))
    read = as_often_as_printed(
        [CardReading("red", 0.9995, at), CardReading("red", 0.6, at, {"orange": 0.39})], {"red": 1}
    )
    assert read[1].card == "orange" and read[1].confidence < UNCERTAIN_BELOW


@pytest.mark.parametrize(
    ("share", "detail", "is_surely"),
    [(0.6, 0.75, True), (0.8, 0.65, True), (0.6, 0.65, False), (0.95, 0.35, False)],
)
def test_bare_paper_explained_by_a_picture_with_little_on_it_is_no_sure_card(
    share: float, detail: float, is_surely: bool
) -> None:
    found = Registration(np.zeros((4, 2)), np.zeros((64, 64, 3)), {0: share}, detail=detail)
    assert is_surely_a_card(found) is is_surely


def test_a_marker_on_a_card_leaves_it_what_it_is() -> None:
    image = table({(400, 300): 5}, 0)
    cv2.circle(image, (402, 285), 13, (60, 220, 40), -1)
    (card,) = DECK.find(image)
    assert card.card == "C5"


def test_a_card_is_known_by_what_other_cards_leave_bare() -> None:
    def laid(seed: int) -> np.ndarray:
        card = np.full((170, 120, 3), 245, np.uint8)
        card[14 : 14 + SIDE, 12 : 12 + SIDE] = picture(seed)
        return card

    image = np.full((600, 800, 3), (60, 80, 90), np.uint8)
    for seed, (x, y) in {0: (100, 100), 9: (500, 60), 7: (560, 330), 3: (172, 140)}.items():
        image[y : y + 170, x : x + 120] = laid(seed)
    deck = Deck((CardPicture(f"C{seed}", picture(seed)) for seed in range(12)), [WINDOW])
    found = deck.find(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8))
    sure = {card.card for card in found if card.confidence >= UNCERTAIN_BELOW}
    assert sure == {"C0", "C3", "C7", "C9"}


def overlapping_on_a_pale_table() -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    """Cards 0 and 7 lie beneath cards 3 and 8; and where a picture may be on a card."""
    image = np.full((600, 800, 3), 242, np.uint8)
    laid = {1: (60, 60), 0: (300, 80), 9: (560, 60), 7: (560, 330), 4: (100, 380)}
    for seed, (x, y) in {**laid, 3: (360, 140), 8: (620, 392)}.items():
        image[y : y + 170, x : x + 120] = 245
        cv2.rectangle(image, (x, y), (x + 119, y + 169), (238,) * 3, 1)
        image[y + 14 : y + 14 + SIDE, x + 12 : x + 12 + SIDE] = picture(seed)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)
    windows = [
        (0.5 - half, 14 / 170, 0.5 + half, 14 / 170 + half * 240 / 170) for half in (0.3, 0.4, 0.45)
    ]
    return image, windows


def test_covered_cards_are_found_on_a_table_as_pale_as_they_are() -> None:
    image, windows = overlapping_on_a_pale_table()
    deck = Deck((CardPicture(f"C{seed}", picture(seed)) for seed in range(12)), windows)
    sure = {card.card for card in deck.find(image) if card.confidence >= UNCERTAIN_BELOW}
    assert sure == {"C0", "C1", "C3", "C4", "C7", "C8", "C9"}


def test_a_card_is_found_beneath_one_of_which_little_is_explained() -> None:
    image, windows = overlapping_on_a_pale_table()
    pictures = [CardPicture(f"C{seed}", picture(seed)) for seed in range(12)]
    search = CardSearch(image, DeckPictures(pictures), windows, [])
    search.by_outlines(None)
    assert not any(one.likeliest == 0 for one in search.found)
    search.found = [
        replace(one, shares={3: 0.7}) if one.likeliest == 3 else one for one in search.found
    ]
    search.from_above()
    assert any(one.likeliest == 0 and one.bare is not None for one in search.found)


def test_registering_compares_no_place_with_a_picture_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = table({(400, 300): 5}, 0)
    (card,) = DECK.find(image)
    deck = DeckPictures([CardPicture(f"C{seed}", picture(seed)) for seed in range(12)])
    compared = list[tuple[bytes, int]]()

    def explained(seen: np.ndarray, known: np.ndarray, bare: np.ndarray | None = None) -> float:
        compared.append((seen.tobytes(), id(known)))
        return card_likeness.explained(seen, known, bare)

    monkeypatch.setattr("vision.card_registration.explained", explained)
    place = card.corners + np.array([5.0, -4.0])
    assert register(deck, image, place, deck.likeness(image, [place])[0, 0]) is not None
    assert len(compared) == len({*compared}) > 8


def test_farther_cards_are_compared_with_softer_pictures() -> None:
    image = np.full((500, 900, 3), 245, np.uint8)
    for seed, (x, y, side) in {0: (50, 50, 320), 3: (420, 50, 320), 7: (780, 60, 80)}.items():
        image[y : y + side, x : x + side] = cv2.resize(picture(seed), (side, side))
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 3.0), np.uint8)
    deck = DeckPictures([CardPicture(f"C{seed}", picture(seed)) for seed in range(12)])
    search = CardSearch(image, deck, [], [])
    search.by_outlines(features_of(image))
    found = {deck.pictures[one.likeliest].id: one for one in compare_in_detail(deck, search.found)}
    across = {card: one.usual_softness[0] for card, one in found.items()}
    assert across.keys() == {"C0", "C3", "C7"}
    assert 3.5 < across["C7"] / across["C0"] < 4.5
    assert min(found["C7"].alike.values()) < LIKE_A_CARD < max(found["C7"].alike.values())


def test_cards_on_their_side_are_found_from_low_down() -> None:
    image = np.full((700, 900, 3), (60, 80, 90), np.uint8)
    for seed, (x, y) in {0: (100, 100), 3: (400, 100), 7: (100, 400), 9: (400, 400)}.items():
        card = np.full((170, 120, 3), 245, np.uint8)
        card[14 : 14 + SIDE, 12 : 12 + SIDE] = picture(seed)
        image[y : y + 120, x : x + 170] = np.rot90(card)
    low = cv2.resize(image, None, fx=1.2, fy=0.58, interpolation=cv2.INTER_AREA)
    sure = [card.card for card in DECK.find(low) if card.confidence >= UNCERTAIN_BELOW]
    assert sorted(sure) == ["C0", "C3", "C7", "C9"]


def test_a_picture_is_one_of_the_cards_if_it_is_foreshortened_as_they_are() -> None:
    image = np.full((300, 500, 3), (60, 80, 90), np.uint8)
    image[100:196, 100:364] = cv2.resize(picture(3), (264, 96))
    search = CardSearch(image, DECK._deck, [], [])
    place = np.array([[100, 100], [364, 100], [364, 196], [100, 196]]) - 0.5
    search._examine([place], _ANYWHERE)
    (found,) = search.found
    low = CardReading("C3", 0.9, found.corners)
    others = [
        CardReading(f"C{one}", 0.99, (place + np.array([0, 300 * one])) * (0.9, 1))
        for one in (1, 2)
    ]
    assert of_one_size([*others, low], 1.0) == [*others, low]
    upright = [replace(one, corners=one.corners * (0.36, 1)) for one in others]
    assert of_one_size([*upright, low], 1.0) == upright


def test_nothing_is_found_where_cards_are_known_to_lie_or_none_do() -> None:
    image = table({(400, 300): 5}, 0)
    assert DECK.find(image, [np.array([[300, 200], [500, 200], [500, 400], [300, 400]])]) == []
    assert find_outlines(np.full((300, 400, 3), 128, np.uint8)) == []
    assert Deck([]).find(image) == []


def test_a_card_seen_from_low_down_has_an_outline() -> None:
    seen = np.array([[200, 60], [350, 160], [220, 260], [70, 130]])
    image = cv2.fillConvexPoly(np.full((600, 800, 3), 60, np.uint8), seen, (240, 240, 240))
    turned = [np.roll(seen, turn, axis=0) for turn in range(4)]
    assert any(np.abs(own - one).max() < 4 for own in find_outlines(image) for one in turned)


def test_cards_of_a_photograph_out_of_focus_are_known() -> None:
    laid = {(150, 150): 0, (400, 150): 3, (650, 150): 7, (150, 430): 9, (400, 430): 11}
    found = DECK.find(cv2.GaussianBlur(table(laid, 10), (0, 0), 3.5))
    sure = [card.card for card in found if card.confidence >= UNCERTAIN_BELOW]
    assert sorted(sure) == sorted(f"C{seed}" for seed in laid.values())


def on_its_own_ground(seed: int) -> np.ndarray:
    image = np.full((400, 400, 3), 200, np.uint8)
    image[100:270, 120:240] = (60, 26, 18)  # the ground of the pictures
    image[114 : 114 + SIDE, 132 : 132 + SIDE] = picture(seed)
    return image


@pytest.mark.parametrize("high", in_full([1.0, 0.68], 0.68))
def test_a_picture_without_an_edge_is_found_by_its_card(high: float) -> None:
    seen = cv2.resize(on_its_own_ground(5), None, fx=1, fy=high)  # from low down
    image = cv2.GaussianBlur(seen, (0, 0), 4.0)  # no feature is left
    by_cards = Deck((CardPicture(f"C{seed}", picture(seed)) for seed in range(12)), [WINDOW])
    assert "C5" not in [card.card for card in DECK.find(image)]
    assert [card.card for card in by_cards.find(image)] == ["C5"]


def card_at(image: np.ndarray, seed: int, x: int, y: int) -> None:
    """Lay a white card whose picture has no edge, with a faint shadow at its own."""
    card = np.full((170, 120, 3), 245, np.uint8)
    card[14 : 14 + SIDE, 12 : 12 + SIDE] = on_white(seed)
    image[y - 2 : y + 172, x - 2 : x + 122] = 215
    image[y : y + 170, x : x + 120] = card


def on_white(seed: int) -> np.ndarray:
    drawn = picture(seed)
    drawn[(drawn == (60, 26, 18)).all(axis=2)] = 245
    return drawn


@in_ci
def test_overlapping_white_cards_are_found_by_their_corners() -> None:
    image = np.full((700, 900, 3), (90, 120, 140), np.uint8)
    apart = {0: (40, 40), 1: (220, 40), 2: (400, 40), 3: (580, 40)}
    heap = {4: (120, 300), 5: (225, 360), 6: (330, 330), 7: (440, 400)}
    for seed, at in (apart | heap).items():
        card_at(image, seed, *at)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.0), np.uint8)
    corners = {
        seed: np.array([[x, y], [x + 120, y], [x + 120, y + 170], [x, y + 170]], float)
        for seed, (x, y) in (apart | heap).items()
    }
    outlines = find_outlines(image)
    assert all(corner_distance(corners[4], own) > 12 for own in outlines), "not by its outline"
    known = [corners[seed] for seed in apart]
    near = corner_outlines(line_segments(image), known, 170 / 120)
    assert all(min(corner_distance(corners[one], own) for own in near) < 8 for one in heap)
    off = (corner_distances(own, np.array(near[:n])) for n, own in enumerate(near) if n)
    assert all(distances.min() > 5 for distances in off), "no two are nearly the same"
    assert any(contains(own, one.mean(axis=0)) for one in near for own in known)
    beside = corner_outlines(line_segments(image), known, 170 / 120, known)
    assert not any(contains(own, one.mean(axis=0)) for one in beside for own in known)
    assert all(min(corner_distance(corners[one], own) for own in beside) < 8 for one in heap)
    assert corner_outlines(line_segments(image), [], 170 / 120) == []
    deck = Deck((CardPicture(f"C{seed}", on_white(seed)) for seed in range(12)), [WINDOW])
    found = deck.find(image)
    sure = sorted(card.card for card in found if card.confidence >= UNCERTAIN_BELOW)
    assert sure == [f"C{seed}" for seed in range(8)]


@pytest.mark.parametrize("top", [395, 470, 900])
def test_edges_are_found_once_and_whole_where_a_picture_is_searched_in_parts(top: int) -> None:
    image = np.full((1000, 300, 3), 80, np.uint8)
    image[top : top + 70, 100:200] = 240
    sides = np.diff(line_segments(image), axis=1)[:, 0]
    assert sorted(np.linalg.norm(sides, axis=1)) == pytest.approx([70, 70, 100, 100], abs=4)


def test_the_number_of_outlines_on_a_checked_tablecloth_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands of its corners may be a card's."""
    y, x = np.indices((600, 800))
    checked = ((x // 30 + y // 30) % 2)[..., None]
    cloth = np.where(checked, (90, 90, 160), (200, 200, 200)).astype(np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(cloth, (0, 0), 1.0))
    known = np.array([[100.0, 100], [150, 100], [150, 170], [100, 170]])
    compared = Mock(wraps=corner_distances)
    monkeypatch.setattr("vision.card_corners.corner_distances", compared)
    found = corner_outlines(line_segments(blurred), [known], 1.4)
    assert len(found) == 400 and compared.call_count < 400


def white(shape: np.ndarray, width: int = 400) -> np.ndarray:
    image = np.full((300, width, 3), (90, 120, 140), np.uint8)
    cv2.fillPoly(image, [shape.astype(np.int32)], (245, 245, 245))
    return image


def test_long_edges_that_meet_at_a_right_angle_are_a_corner_of_a_card() -> None:
    square = np.array([[100.0, 100], [200, 100], [200, 200], [100, 200]])
    rhombus = np.array([[150.0, 113], [250, 113], [200, 200], [100, 200]])
    known = [square + np.array([150, -80])]
    assert corner_outlines(line_segments(white(square)), known, 1.0)
    assert not corner_outlines(line_segments(white(rhombus)), known, 1.0)
    assert not corner_outlines(line_segments(white(100 + (square - 100) / 5)), known, 1.0)


def test_cards_nearer_to_the_camera_are_larger() -> None:
    def card(x: float) -> np.ndarray:
        side = 60 + x / 20
        return np.array([[x, 50], [x + side, 50], [x + side, 50 + side], [x, 50 + side]])

    known, near = [card(x) for x in range(0, 1200, 150)], card(1300.0)
    image = white(near, 1500)
    found = corner_outlines(line_segments(image), known, 1.0)
    assert min(corner_distance(near, one) for one in found) < 12
    assert not corner_outlines(line_segments(image), known[:1], 1.0)


def test_no_length_vanishes_far_from_cards_of_varying_shape() -> None:
    square = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])
    cards = [
        square @ np.array([[1, 0], [by, 1]]) + np.array([200 * n, 100 * (n % 2)])
        for n, by in enumerate((0, 0.3, 0.6, 0.9, 1.2))
    ]
    table = card_corners.TableMetric(np.array(cards), 1.0)
    points = np.mgrid[-1500:2501:500, -1500:2501:500].reshape(2, -1).T
    falling = np.full(points.shape, (1.0, -1.0))
    assert (table.length(points, falling) > 0).all()


def test_pairs_of_many_ends_are_compared_in_little_memory() -> None:
    points = np.random.default_rng(2).uniform((0, 0), (4, 10000), (2500, 2))
    tracemalloc.start()
    pairs = card_corners._close_pairs(points, 5.0)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    apart = np.abs(points[:, None] - points).max(axis=2)
    assert {*zip(*map(np.ndarray.tolist, pairs), strict=True)} == {
        *map(tuple, np.argwhere(apart < 5.0).tolist())
    }
    assert peak < 100e6


@pytest.mark.parametrize(("apart", "examined"), [(30, 10), (0, 2)])
def test_the_search_by_corners_ends_where_it_leads_to_no_card(
    monkeypatch: pytest.MonkeyPatch, apart: int, examined: int
) -> None:
    square = np.array([[0.0, 0], [20, 0], [20, 20], [0, 20]])
    places = [square + apart * np.array([x, y]) for x in range(20) for y in range(15)]
    monkeypatch.setattr("vision.card_search.corner_outlines", lambda *_given: places)
    monkeypatch.setattr(CardSearch, "_sure", lambda _self: [square - 100])
    monkeypatch.setattr(card_search, "fit_plane", lambda *_given: np.eye(3))
    monkeypatch.setattr(card_search, "top_view", lambda image, *_given: (image, np.eye(3)))
    deck = DeckPictures([CardPicture("A", picture(4))])
    settled = Mock(side_effect=lambda _, found, *_more: (found, np.full((2, len(found), 4), 0.9)))
    register = Mock(return_value=None)
    monkeypatch.setattr(deck, "settled", settled)
    monkeypatch.setattr(card_search, "register", register)
    CardSearch(np.zeros((450, 600, 3), np.uint8), deck, [], []).from_above()
    assert settled.call_count == 2  # by features, of which there are none, and by corners
    assert register.call_count - examined in range(AT_ONCE + 1)  # begun on a guess


def test_a_picture_without_any_edge_is_found_by_its_features() -> None:
    image = np.full((400, 400, 3), (60, 26, 18), np.uint8)
    turned = np.rot90(picture(5), 1)
    image[114 : 114 + SIDE, 132 : 132 + SIDE] = turned
    (card,) = DECK.find(image)
    assert card.card == "C5" and card.confidence >= UNCERTAIN_BELOW
    expected = np.array([[132, 210], [132, 114], [228, 114], [228, 210]])
    assert np.abs(card.corners + 0.5 - expected).max() < 2
    assert DECK.find(image, [expected.astype(float)]) == []


def test_few_features_locate_a_foreshortened_picture_by_the_scale_of_known_ones() -> None:
    image = np.full((900, 900, 3), (60, 26, 18), np.uint8)
    places = {0: (150, 150), 3: (600, 150), 7: (150, 600), 9: (600, 600)}
    for seed, (x, y) in places.items():
        image[y : y + 144, x : x + 144] = cv2.resize(picture(seed), (144, 144))
    low = cv2.resize(image, None, fx=1.0, fy=0.6, interpolation=cv2.INTER_AREA)
    features = DeckPictures(CardPicture(f"C{seed}", picture(seed)) for seed in range(12)).features
    square = np.array([[0, 0], [144, 0], [144, 144], [0, 144]])
    *known, other = [(square + at) * (1.0, 0.6) for at in places.values()]
    found = features.places_by_scale(features.votes(features_of(low)), known)
    assert min(np.abs(one - other).max() for one in found) < 30


def test_a_place_is_moved_to_where_it_is_most_like_a_picture() -> None:
    image = cv2.GaussianBlur(table({(400, 300): 5}, 0), (0, 0), 1.0)
    (card,) = DECK.find(image)
    deck = DeckPictures(CardPicture(f"C{seed}", picture(seed)) for seed in range(12))
    off = card.corners + np.array([9.0, -8.0])
    (moved,), likeness = deck.settled(image, [off], 0.0)
    assert np.abs(moved - card.corners).max() < 4
    assert likeness.max() > deck.likeness(image, [off]).max() + 0.2
    (still,), _ = deck.settled(image, [off], 1.0)
    assert still is off, "it is like none"


def test_a_covered_card_is_aligned_on_a_plain_table() -> None:
    at = np.array([[400.0, 300], [544, 300], [544, 444], [400, 444]]) - 0.5
    image = np.full((900, 1200, 3), (60, 26, 18), np.uint8)
    image[300:444, 400:544] = cv2.resize(picture(5), (144, 144))
    above = at + np.array([[-60, -60], [-40, -60], [-40, 60], [-60, 60]])
    image[240:504, 340:504] = 90
    deck = DeckPictures(CardPicture(f"C{seed}", picture(seed)) for seed in range(12))
    (moved,), _likeness = deck.settled(image, [at + np.array([9.0, -8.0])], 0.0, [above])
    assert np.abs(moved - at).max() < 6, "by whole px of one blur"


def test_a_card_that_one_with_a_coin_on_it_has_pushed_aside_is_found_below_it() -> None:
    at = np.array([[400.0, 300], [544, 300], [544, 444], [400, 444]]) - 0.5
    image = np.full((900, 1200, 3), (60, 26, 18), np.uint8)
    image[300:444, 400:544] = cv2.resize(picture(5), (144, 144))
    image[206:350, 529:673] = cv2.resize(picture(3), (144, 144))
    cv2.circle(image, (610, 280), 31, (90, 120, 140), -1)
    above = at + np.array([129, -94])
    aside = at - np.array([[0, 0], [14, 0], [14, 0], [0, 0]])
    deck = Deck(CardPicture(f"C{seed}", picture(seed)) for seed in range(12))
    rough = [
        Registration(corners, cut(image, corners, 64), {seed: 0.5})
        for seed, corners in ((5, aside), (3, above))
    ]
    found = compare_in_detail(deck._deck, rough)
    assert max(found[1].alike.values()) < UNCERTAIN_BELOW
    moved, _cover = deck._uncovered(
        image, found, Mock(outlines_of=lambda found: [one.corners for one in found])
    )
    assert np.abs(moved.corners - at).max() < 1


def test_a_picture_that_is_like_a_part_of_another_one_leaves_it_to_be_examined() -> None:
    """As a planet on one card is, and on another one among its moons."""
    whole = cv2.resize(on_white(3), (SIDE, SIDE))
    cut = np.s_[14:82, 14:82]
    part = cv2.resize(whole[cut], (SIDE, SIDE))
    cv2.circle(part, (14, 14), 10, (90, 90, 90), -1)
    deck = [CardPicture("part", part), CardPicture("whole", whole)]
    deck += [CardPicture(f"C{seed}", on_white(seed)) for seed in range(4, 8)]
    image = np.full((500, 500, 3), (60, 80, 90), np.uint8)
    image[100:388, 100:388] = cv2.resize(whole, (288, 288), interpolation=cv2.INTER_CUBIC)
    search = CardSearch(image, DeckPictures(deck), [], [])
    for low, high, card in ((142, 346, "part"), (100, 388, "whole")):
        place = np.array([[low, low], [high, low], [high, high], [low, high]], float)
        search._examine([place], _ANYWHERE)
        (found,) = search.found
        assert search._deck.pictures[found.likeliest].id == card


def test_what_is_far_smaller_or_of_another_shape_than_cards_is_a_detail() -> None:
    image = table({(150, 150): 0, (400, 150): 3}, 0)
    for place, size in ((400, (36, 36)), (600, (96, 36))):
        image[400 : 400 + size[1], place : place + size[0]] = cv2.resize(picture(7), size)
    assert sorted(card.card for card in DECK.find(image)) == ["C0", "C3"]


def test_many_doubtful_details_do_not_make_cards_too_large() -> None:
    def found(card: str, confidence: float, side: int) -> CardReading:
        return CardReading(card, confidence, np.array([(0, 0), (side, 0), (side, side), (0, side)]))

    cards = [found("C0", 0.99, 160), found("C1", 0.9, 130)]
    details = [found("C2", 0.1, side) for side in (20, 22, 24, 26, 28)]
    assert of_one_size([*details, *cards], 1.0) == cards


def test_cards_that_are_near_are_no_larger_than_those_far_away() -> None:
    """As in a photograph from low down, where their sides differ fourfold."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2

    def found(card: str, confidence: float, x: float, y: float, size: float = 1.0) -> CardReading:
        side = size * (25 + y / 25) ** 1.5
        return CardReading(card, confidence, side * square + (x, y))

    many = [(900 - 60 * number, 90 * number) for number in range(12)]
    cards = [found(f"C{number}", 0.99, x, y) for number, (x, y) in enumerate(many)]
    cards += [found("near", 0.9, 900, 450), found("far", 0.9, 300, 200)]
    details = [found("detail", 0.5, 500, 900, size=0.4), found("detail", 0.5, 900, 300, size=2.5)]
    assert of_one_size([*details, *cards], 1.0) == cards


def test_a_card_is_compared_in_the_light_that_the_others_show() -> None:
    """In which one of its colours hardly stands out."""
    drawn = np.full((SIDE, SIDE, 3), (60, 26, 18), np.uint8)
    cv2.circle(drawn, (30, 30), 14, (60, 200, 18), -1, cv2.LINE_AA)
    cv2.circle(drawn, (66, 64), 14, (240, 26, 18), -1, cv2.LINE_AA)
    deck, light = Deck([CardPicture("A", drawn)]), np.diag([0.1, 1.0, 0.4])
    noise = np.random.default_rng(1).normal(20, 7, drawn.shape)
    image = np.full((300, 300, 3), 60, np.uint8)
    image[100 : 100 + SIDE, 100 : 100 + SIDE] = np.clip(drawn @ light.T + noise, 0, 255)
    corners = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) + 99.5
    place = compared(deck._deck, Registration(corners, cut(image, corners, 64), {0: 0.9}))
    unlit, lit = (deck._read(image, place, own, Mock(outlines=[])) for own in (None, light))
    assert unlit.confidence < UNCERTAIN_BELOW <= lit.confidence


def test_a_card_out_of_focus_is_known_by_what_is_inside_its_rim() -> None:
    """Lying askew, seen from low down, on a table that its picture does not show."""
    deck = Deck([CardPicture("A", picture(0))])
    turned = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), 45, 1.0)
    turned[:, 2] += 150 - SIDE / 2
    turned[1] *= 0.4
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) - 0.5
    corners = square @ turned[:, :2].T + turned[:, 2]
    image = np.full((120, 300, 3), 230, np.uint8)
    cv2.warpAffine(picture(0), turned, (300, 120), image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.0), np.uint8)
    soft = 2.0 * 64 / sides_of(corners)
    place = Registration(corners, cut(image, corners, 64), {0: 0.9}, usual_softness=tuple(soft))
    place = compared(deck._deck, place)
    assert max(place.alike.values()) < 0.7 < 0.9 < alike_within(deck._deck, place, 0)
    read = deck._read(image, place, None, Mock(outlines=[]))
    assert read.confidence >= UNCERTAIN_BELOW


def test_near_twins_on_other_paper_are_distinguished_by_their_drawing() -> None:
    def face(number: str, paper: int) -> np.ndarray:
        drawn = np.full((SIDE, SIDE, 3), paper, np.uint8)
        cv2.circle(drawn, (48, 30), 12, (30, 120, 240), -1, cv2.LINE_AA)
        cv2.putText(drawn, number, (30, 80), cv2.FONT_HERSHEY_SIMPLEX, 1, (40, 40, 40), 2)
        return drawn

    deck = Deck(
        CardPicture(number, face(number, paper)) for number in ("10", "11") for paper in (255, 220)
    )
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = face("11", 240)
    dimmed = (cv2.GaussianBlur(image, (0, 0), 1.0) * 0.6).astype(np.uint8)
    (card,) = deck.find(dimmed)
    assert card.card == "11" and card.confidence >= UNCERTAIN_BELOW


def test_another_number_of_a_suit_is_none_of_its_known_cards() -> None:
    def face(number: str) -> np.ndarray:
        drawn = np.full((144, SIDE, 3), (60, 140, 30), np.uint8)
        cv2.ellipse(drawn, (48, 72), (44, 50), 20, 0, 360, (235, 235, 235), -1, cv2.LINE_AA)
        font, ink = cv2.FONT_HERSHEY_SIMPLEX, (60, 140, 30)
        cv2.putText(drawn, number, (30, 92), font, 1.8, ink, 9, cv2.LINE_AA)
        for corner in ((6, 20), (76, 138)):
            cv2.putText(drawn, number, corner, font, 0.6, (235, 235, 235), 2, cv2.LINE_AA)
        return drawn

    def found(number: str) -> CardReading:
        image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
        image[120:264, 150 : 150 + SIDE] = face(number)
        (card,) = deck.find((cv2.GaussianBlur(image, (0, 0), 1.0) * 0.6).astype(np.uint8))
        return card

    deck = Deck(CardPicture(number, face(number)) for number in "38")
    for number in "38":
        known = found(number)
        assert known.card == number and known.confidence >= UNCERTAIN_BELOW
    assert found("0").confidence < 0.5


@pytest.mark.parametrize("id", in_full(["A", "B"], "B"))
def test_a_picture_that_is_another_upside_down_is_known_by_the_edge_of_its_card(id: str) -> None:
    pictures = {"A": picture(4), "B": np.rot90(picture(4), 2).copy()}
    deck = Deck((CardPicture(*one) for one in pictures.items()), [WINDOW])
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = pictures[id]
    (alone,) = deck.find(image)
    assert alone.confidence < UNCERTAIN_BELOW
    image[106:276, 138:258] = 245
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = pictures[id]
    (card,) = deck.find(image)
    assert card.card == id and card.confidence >= UNCERTAIN_BELOW
    assert np.abs(card.corners[0] - (150, 120)).max() < 4


@pytest.mark.parametrize("id", in_full(["A", "B"], "A"))
def test_which_side_of_a_card_is_up_in_a_hand_is_known_by_the_edges_that_are_seen(id: str) -> None:
    pictures = {"A": picture(4), "B": np.rot90(picture(4), 2).copy()}
    deck = Deck((CardPicture(*one) for one in pictures.items()), [WINDOW])
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[106:276, 138:258] = 245
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = pictures[id]
    skin = (190, 215, 240)
    cv2.line(image, (198, 340), (198, 250), skin, 26, cv2.LINE_AA)
    for x, y in ((132, 180), (264, 196)):
        cv2.circle(image, (x, y), 12, skin, -1, cv2.LINE_AA)
    (card,) = deck.find(image)
    assert card.card == id and card.confidence >= UNCERTAIN_BELOW


@pytest.mark.parametrize("id", in_full(["A", "B"], "B"))
def test_a_card_that_is_another_upside_down_is_compared_with_its_own_near_twin(id: str) -> None:
    twin = picture(4)
    twin[30:38, 60:68] //= 2
    pictures = {"A": picture(4), "A twin": twin}
    pictures |= {"B": np.rot90(pictures["A"], 2).copy(), "B twin": np.rot90(twin, 2).copy()}
    deck = Deck((CardPicture(*one) for one in pictures.items()), [WINDOW])
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[106:276, 138:258] = 245
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = pictures[id]
    (card,) = deck.find(cv2.GaussianBlur(image, (0, 0), 0.6))
    assert card.card == id and f"{id} twin" in card.alternatives
    assert np.abs(card.corners[0] - (150, 120)).max() < 4


def test_corners_are_those_of_the_card_that_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is as good in all but its details, so that it is not it."""
    deck = Deck([CardPicture("A", picture(4)), CardPicture("B", picture(5))])
    one, other = (np.array([[0, 0], [9, 0], [9, 9], [0, 9]], float) + far for far in (0, 50))
    seen = cv2.resize(picture(4), (64, 64))
    place = Registration(one, seen, {0: 0.9}, Registration(other, seen, {1: 0.9}))
    odds = {0: {"A": (0.9, 0.95)}, 50: {"B": (1.0, -1.0)}}
    monkeypatch.setattr(deck, "_odds", lambda _image, at, _light: odds[int(at.corners[0, 0])])
    read = deck._read(picture(4), place, None, Mock(outlines=[]))
    assert read.card == "A" and np.array_equal(read.corners, one)


@pytest.mark.parametrize(("others", "is_sure"), [(0.6, True), (0.85, False)])
def test_a_card_that_is_far_more_alike_than_another_is_known(
    monkeypatch: pytest.MonkeyPatch, others: float, is_sure: bool
) -> None:
    deck = Deck([CardPicture("A", picture(4)), CardPicture("B", picture(5))])
    corners = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], float)
    place = Registration(corners, cv2.resize(picture(4), (64, 64)), {0: 0.9, 1: 0.6})
    odds = {"A": (1.0, 0.9), "B": (0.06, others)}
    monkeypatch.setattr(deck, "_odds", lambda _image, _at, _light: odds)
    read = deck._read(picture(4), place, None, Mock(outlines=[]))
    assert read.card == "A" and (read.confidence >= UNCERTAIN_BELOW) == is_sure


def test_a_card_that_mirrors_a_lamp_is_known() -> None:
    """Its light outweighs the few lines on white paper."""
    printed = {}
    for seed in range(6):
        drawn = np.full((SIDE, SIDE, 3), 235, np.uint8)
        for x, y in np.random.default_rng(seed).integers(14, SIDE - 14, (9, 2)).tolist():
            cv2.circle(drawn, (x, y), 8, (90, 60, 40), 1, cv2.LINE_AA)
        printed[f"C{seed}"] = drawn
    deck = Deck(CardPicture(id, drawn) for id, drawn in printed.items())
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = printed["C4"] * 0.7
    lamp = cv2.ellipse(np.zeros((400, 400), np.float32), (190, 170), (20, 12), 30, 0, 360, 330, -1)
    lit = cv2.GaussianBlur(image, (0, 0), 0.8) + cv2.GaussianBlur(lamp, (0, 0), 2.0)[..., None]
    (card,) = deck.find(np.clip(lit, 0, 255).astype(np.uint8))
    assert card.card == "C4" and card.confidence >= UNCERTAIN_BELOW


def test_what_is_found_is_moved_to_where_it_is_more_alike() -> None:
    rng = np.random.default_rng(6)
    grain = cv2.resize(rng.normal(0, 30, (SIDE // 3, SIDE // 3)), (SIDE, SIDE))
    printed = np.clip(picture(4) + grain[..., None], 0, 255).astype(np.uint8)
    deck = DeckPictures([CardPicture("A", printed)])
    image = np.full((400, 400, 3), 90, np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = printed
    exact = np.array([[150, 120], [246, 120], [246, 216], [150, 216]], float) - 0.5
    off = exact + np.array([[1.5, 1], [-1, 1.5], [2, -1], [-1.5, 2]])
    rough = Registration(off, cut(image, off, 64), {0: 0.8})
    (found,) = compare_in_detail(deck, [rough])
    moved = refined(deck, image, found)
    assert np.abs(moved.corners - exact).max() < 0.5
    assert moved.alike[0] > found.alike[0] + 0.05


def test_a_card_with_a_symmetric_picture_covers_what_lies_within_its_edge() -> None:
    half = picture(4)[: SIDE // 2]
    same = np.vstack([half, np.rot90(half, 2)])
    image = np.full((600, 800, 3), (60, 80, 90), np.uint8)
    for (x, y), drawn in {(100, 100): picture(0), (500, 60): same}.items():
        image[y : y + 170, x : x + 120] = 245
        image[y + 14 : y + 14 + SIDE, x + 12 : x + 12 + SIDE] = drawn
    deck = DeckPictures([CardPicture("A", picture(0)), CardPicture("B", same)])
    search = CardSearch(image, deck, [WINDOW], [])
    search.outlines.clear()
    shown = np.array([[512.0, 74], [608, 74], [608, 170], [512, 170]]) - 0.5
    upside_down = np.roll(shown, 2, axis=0)
    found = Registration(upside_down, cut(image, upside_down, 64), {1: 0.9}, detail=0.9)
    search.found = [found]
    (outline,) = search.outlines_of([found])
    assert np.abs(outline[0] - (500, 60)).max() < 2
    left = shown - (400, -40)
    apart = Registration(left, cut(image, left, 64), {0: 0.9}, detail=0.9)
    search.found = [apart]
    assert np.array_equal(search._sure(), [apart.corners])
