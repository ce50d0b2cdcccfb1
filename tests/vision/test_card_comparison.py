"""Places of cards compared with the pictures of a deck: which is likelier, where, how large."""

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from tests.vision.laid_cards import (
    DECK,
    SIDE,
    WINDOW,
    on_white,
    overlapping_on_a_pale_table,
    picture,
    table,
)
from vision.card_features import features_of
from vision.card_geometry import sides_of
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

BLUE, RED, PURPLE = (230, 130, 50), (60, 60, 220), (215, 85, 155)


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
    noise = np.random.default_rng(1).normal(20, 12, drawn.shape)
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


def test_a_pale_card_is_known_in_the_noise_of_its_photograph() -> None:
    """Printed with little ink: the noise is nearly as strong as its lines."""
    rng, printed = np.random.default_rng(3), []
    for _ in range(2):
        drawn = np.full((SIDE, SIDE, 3), 200, np.uint8)
        for x, y in rng.integers(14, SIDE - 14, (9, 2)).tolist():
            cv2.circle(drawn, (x, y), 8, (150, 140, 130), 2, cv2.LINE_AA)
        printed.append(drawn)
    deck = Deck(CardPicture(str(number), drawn) for number, drawn in enumerate(printed))
    noise = cv2.GaussianBlur(rng.normal(0, 26, (SIDE, SIDE, 3)), (0, 0), 1.5)
    image = np.clip(0.35 * printed[0] + 80 + noise, 0, 255).astype(np.uint8)
    whole = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) - 0.5
    place = Registration(whole, cut(image, whole, 64), {0: 0.9, 1: 0.7}, usual_softness=(0.7, 0.7))
    place = compared(deck._deck, place)
    assert alike_within(deck._deck, place, 0) > 0.8 > 0.75 > place.alike[0]
    assert alike_within(deck._deck, place, 1) < 0.5
    read = deck._read(image, place, None, Mock(outlines=[]))
    assert read.card == "0" and read.confidence >= UNCERTAIN_BELOW


def two_discs(low: tuple[int, int, int], high: tuple[int, int, int]) -> np.ndarray:
    drawn = np.full((64, 64, 3), (60, 26, 18), np.uint8)
    cv2.circle(drawn, (18, 44), 13, low, -1, cv2.LINE_AA)
    cv2.circle(drawn, (46, 18), 13, high, -1, cv2.LINE_AA)
    return drawn


def test_a_card_upside_down_is_known_where_a_third_one_was_likelier_at_its_turn() -> None:
    """Roughly placed, one that it resembles the other way round comes first."""
    pictures = [two_discs(BLUE, RED), two_discs(RED, PURPLE), cv2.resize(picture(4), (64, 64))]
    deck = Deck(CardPicture(str(number), drawn) for number, drawn in enumerate(pictures))
    image = np.full((200, 200, 3), 90, np.uint8)
    image[60:124, 50:114] = np.rot90(pictures[1], 2)
    rough = np.array([[56, 66], [114, 54], [117, 127], [44, 124]]) - 0.5
    likeness = np.zeros(12)
    likeness[[0, 10]] = 0.8, 0.7  # the first as it is, and the third after two turns
    place = register(deck._deck, image, rough, likeness)
    assert place is not None and place.likeliest == 0 and place.turned is not None
    assert place.turned.likeliest == 1
    read = deck._read(image, compared(deck._deck, place), np.eye(3), Mock(outlines=[]))
    assert read.card == "1" and read.confidence >= UNCERTAIN_BELOW


@pytest.mark.parametrize("is_same", [False, True])
def test_a_card_at_another_turn_is_compared_by_what_both_show(is_same: bool) -> None:
    """The plainer edge is that of a card of which one disc of two has another colour."""

    seen = two_discs(BLUE, RED)
    other = np.rot90(seen, 2).copy() if is_same else two_discs(RED, PURPLE)
    deck = Deck([CardPicture("own", seen), CardPicture("other", other)], [WINDOW])
    whole = np.array([[0, 0], [64, 0], [64, 64], [0, 64]]) - 0.5
    turned = Registration(np.roll(whole, 2, axis=0), np.rot90(seen, 2).copy(), {1: 0.91})
    place = compared(deck._deck, Registration(whole, seen, {0: 0.935}, turned))
    edges = Mock(outlines=[], plainer_edge=Mock(return_value=10.5))
    read = deck._read(seen, place, np.eye(3), edges)
    assert read.card == "own" and (read.confidence < UNCERTAIN_BELOW) == is_same


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
