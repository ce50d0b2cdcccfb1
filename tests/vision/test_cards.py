"""Cards laid on a table by a homography: which they are, and what is none of the deck."""

import cv2
import numpy as np
import pytest

from tests.conftest import in_full
from tests.vision.laid_cards import DECK, SIDE, WINDOW, overlapping_on_a_pale_table, picture, table
from vision.card_pictures import CardPicture
from vision.cards import UNCERTAIN_BELOW, CardReading, Deck
from vision.outlines import find_outlines


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


def test_covered_cards_are_found_on_a_table_as_pale_as_they_are() -> None:
    image, windows = overlapping_on_a_pale_table()
    deck = Deck((CardPicture(f"C{seed}", picture(seed)) for seed in range(12)), windows)
    sure = {card.card for card in deck.find(image) if card.confidence >= UNCERTAIN_BELOW}
    assert sure == {"C0", "C1", "C3", "C4", "C7", "C8", "C9"}


def test_cards_on_their_side_are_found_from_low_down() -> None:
    image = np.full((700, 900, 3), (60, 80, 90), np.uint8)
    for seed, (x, y) in {0: (100, 100), 3: (400, 100), 7: (100, 400), 9: (400, 400)}.items():
        card = np.full((170, 120, 3), 245, np.uint8)
        card[14 : 14 + SIDE, 12 : 12 + SIDE] = picture(seed)
        image[y : y + 120, x : x + 170] = np.rot90(card)
    low = cv2.resize(image, None, fx=1.2, fy=0.58, interpolation=cv2.INTER_AREA)
    sure = [card.card for card in DECK.find(low) if card.confidence >= UNCERTAIN_BELOW]
    assert sorted(sure) == ["C0", "C3", "C7", "C9"]


def test_nothing_is_found_where_cards_are_known_to_lie_or_none_do() -> None:
    image = table({(400, 300): 5}, 0)
    assert DECK.find(image, [np.array([[300, 200], [500, 200], [500, 400], [300, 400]])]) == []
    assert find_outlines(np.full((300, 400, 3), 128, np.uint8)) == []
    assert Deck([]).find(image) == []


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


def test_a_picture_without_any_edge_is_found_by_its_features() -> None:
    image = np.full((400, 400, 3), (60, 26, 18), np.uint8)
    turned = np.rot90(picture(5), 1)
    image[114 : 114 + SIDE, 132 : 132 + SIDE] = turned
    (card,) = DECK.find(image)
    assert card.card == "C5" and card.confidence >= UNCERTAIN_BELOW
    expected = np.array([[132, 210], [132, 114], [228, 114], [228, 210]])
    assert np.abs(card.corners + 0.5 - expected).max() < 2
    assert DECK.find(image, [expected.astype(float)]) == []


def test_what_is_far_smaller_or_of_another_shape_than_cards_is_a_detail() -> None:
    image = table({(150, 150): 0, (400, 150): 3}, 0)
    for place, size in ((400, (36, 36)), (600, (96, 36))):
        image[400 : 400 + size[1], place : place + size[0]] = cv2.resize(picture(7), size)
    assert sorted(card.card for card in DECK.find(image)) == ["C0", "C3"]


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
