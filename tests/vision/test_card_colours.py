"""Cards whose pictures differ in colour only, or in little else."""

import cv2
import numpy as np
import pytest

from tests.conftest import in_ci, in_full
from tests.vision.laid_cards import SIDE, picture
from vision.card_pictures import CardPicture
from vision.card_registration import Registration
from vision.card_squares import cut
from vision.cards import UNCERTAIN_BELOW, Deck

GREEN, PURPLE, PAPER = (70, 130, 40), (110, 50, 100), 235


def of_stars(colour: tuple[int, int, int]) -> np.ndarray:
    drawn = np.full((SIDE, SIDE, 3), (60, 26, 18), np.uint8)
    for at in ((25, 25), (70, 35), (45, 72)):
        cv2.circle(drawn, at, 11, colour, -1, cv2.LINE_AA)
    return drawn


def deck_of_stars(orange: tuple[int, int, int]) -> dict[str, np.ndarray]:
    """Twelve pictures, and two cards of stars that are the same but for their colours."""
    pictures = {f"C{seed}": picture(seed) for seed in range(12)}
    return pictures | {"yellow": of_stars((60, 210, 245)), "orange": of_stars(orange)}


def on_table(pictures: dict[str, np.ndarray], laid: list[str], columns: int = 3) -> np.ndarray:
    """These cards in rows on a plain table."""
    rows = -(-len(laid) // columns)
    image = np.full((60 + 270 * rows, 50 + 250 * columns, 3), (120, 150, 165), np.uint8)
    for number, id in enumerate(laid):
        x, y = 80 + 250 * (number % columns), 80 + 270 * (number // columns)
        image[y : y + SIDE, x : x + SIDE] = pictures[id]
    return image


def test_cards_that_differ_in_colour_only_are_known_by_the_light_of_the_others() -> None:
    pictures = deck_of_stars(orange=(60, 150, 245))
    deck = Deck(CardPicture(id, drawn) for id, drawn in pictures.items())
    laid = ["C0", "C3", "yellow", "C7", "C9", "orange"]
    image = on_table(pictures, laid)
    lit = (cv2.GaussianBlur(image, (0, 0), 0.8) * (0.55, 0.8, 1.0)).astype(np.uint8)
    found = deck.find(lit)
    assert sorted(card.card for card in found) == sorted(laid)
    assert all(card.confidence >= UNCERTAIN_BELOW for card in found)
    few = lit.copy()
    few[:, :300] = few[300:] = 0  # one other does not show what light it is
    star = next(card for card in deck.find(few) if card.card != "C3")
    assert star.confidence < UNCERTAIN_BELOW


def test_cards_that_differ_in_colour_only_are_known_in_inks_that_mix_colours() -> None:
    pictures = deck_of_stars(orange=(60, 170, 245))
    deck = Deck(CardPicture(id, drawn) for id, drawn in pictures.items())
    laid = ["C0", "C3", "C5", "C7", "C9", "orange"]
    image = on_table(pictures, laid)
    mixed = np.array([[0.8, 0.1, 0.1], [0.0, 0.65, 0.35], [0.0, 0.1, 0.9]])
    dull = cv2.GaussianBlur(image, (0, 0), 0.8) @ mixed.T
    found = {card.card: card.confidence for card in deck.find(dull.clip(0, 255).astype(np.uint8))}
    assert sorted(found) == sorted(laid) and found["orange"] >= UNCERTAIN_BELOW


def test_cards_that_both_beat_the_likeliest_are_compared_with_each_other() -> None:
    pictures = deck_of_stars(orange=(60, 150, 245)) | {"white": of_stars((240, 240, 240))}
    deck = Deck(CardPicture(id, drawn) for id, drawn in pictures.items())
    number = {picture.id: place for place, picture in enumerate(deck._deck.pictures)}
    image = on_table(pictures, ["orange"])
    corners = np.array([[80, 80], [80 + SIDE, 80], [80 + SIDE, 80 + SIDE], [80, 80 + SIDE]], float)
    shares = {number["white"]: 0.88, number["yellow"]: 0.83, number["orange"]: 0.81}
    place = Registration(corners, cut(image, corners, 64), shares, alike=dict.fromkeys(shares, 0.9))
    assert place.likeliest == number["white"]
    odds = {card: own for card, (own, _) in deck._odds(image, place, np.eye(3)).items()}
    assert odds["orange"] > 100 * odds["yellow"] and odds["orange"] > 100 * odds["white"]


def test_near_rivals_of_a_misplaced_card_are_laid_over_it_whichever_explains_most() -> None:
    def marked(off: int) -> np.ndarray:
        drawn = of_stars((60, 150, 245))
        for x, y in ((25, 25), (70, 35), (45, 72)):
            cv2.circle(drawn, (x + off, y), 5, (40, 40, 60), -1, cv2.LINE_AA)
        return drawn

    pictures = {"white": of_stars((240, 240, 240)), "left": marked(-4), "right": marked(4)}
    deck = Deck(CardPicture(id, drawn) for id, drawn in pictures.items())
    number = {picture.id: place for place, picture in enumerate(deck._deck.pictures)}
    image = cv2.GaussianBlur(on_table(pictures, ["left"]), (0, 0), 1.2)
    corners = np.array([[80, 80], [80 + SIDE, 80], [80 + SIDE, 80 + SIDE], [80, 80 + SIDE]], float)
    corners += (7.5, -0.5)  # where its marks are those of the other
    shares = {number["white"]: 0.88, number["right"]: 0.83, number["left"]: 0.81}
    seen = cut(image, corners, 64)
    place = Registration(corners, seen, shares, alike=dict.fromkeys(shares, 0.85))
    odds = {card: own for card, (own, _) in deck._odds(image, place, np.eye(3)).items()}
    assert odds["left"] > 100 * odds["right"]


@in_ci
def test_two_lights_on_one_table_leave_cards_that_differ_in_colour_only_uncertain() -> None:
    pictures = deck_of_stars(orange=(60, 150, 245))
    deck = Deck(CardPicture(id, drawn) for id, drawn in pictures.items())
    laid = ["C0", "C3", "C5", "yellow", "C7", "C9", "C11", "orange"]
    image = on_table(pictures, laid, columns=4)
    lit = cv2.GaussianBlur(image, (0, 0), 0.8) * (0.55, 0.8, 1.0)
    lit[:, 525:] *= (1.6, 0.8, 0.9)
    found = {card.card: card.confidence for card in deck.find(lit.clip(0, 255).astype(np.uint8))}
    stars = [found.pop(id) for id in ("yellow", "orange") if id in found]
    assert len(found) == 6 and min(found.values()) >= UNCERTAIN_BELOW
    assert max(stars) < UNCERTAIN_BELOW


def of_ink(colour: tuple[int, int, int], stripes: int) -> np.ndarray:
    """An oval of stripes on paper, which print and camera show otherwise each time."""
    drawn = np.full((SIDE, SIDE, 3), PAPER, np.uint8)
    for x in range(20 + stripes, 78, 6):
        cv2.line(drawn, (x, 36), (x, 60), colour, 1)
    cv2.ellipse(drawn, (48, 48), (34, 16), 0, 0, 360, colour, 3, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("seen", in_full(["green", "purple"], "purple"))
def test_an_ink_is_known_by_the_paper_about_it_in_a_light_that_is_not(seen: str) -> None:
    inks = {"green": GREEN, "purple": PURPLE}
    deck = Deck(
        CardPicture(id, of_ink(colour, 3 * number))
        for number, (id, colour) in enumerate(inks.items())
    )
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = of_ink(inks[seen], 3 * (seen == "green"))
    lit = (cv2.GaussianBlur(image, (0, 0), 1.0) * (0.8, 0.75, 1.0)).astype(np.uint8)
    (card,) = deck.find(lit)
    assert card.card == seen, "the stripes are the other's"
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = of_ink((90, 90, 70), 0)
    found = deck.find(cv2.GaussianBlur(image, (0, 0), 1.0))
    assert all(one.confidence < UNCERTAIN_BELOW for one in found), "of an ink between the two"


def test_a_drawing_in_another_ink_is_not_of_the_deck() -> None:
    deck = Deck(
        [
            CardPicture("green", of_ink(GREEN, 3)),
            *(CardPicture(f"{n}", picture(n)) for n in range(4)),
        ]
    )
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = of_ink(PURPLE, 3)
    assert not deck.find(cv2.GaussianBlur(image, (0, 0), 0.8))
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = of_ink(GREEN, 3)
    (card,) = deck.find((cv2.GaussianBlur(image, (0, 0), 0.8) * (0.8, 0.75, 1.0)).astype(np.uint8))
    assert card.card == "green" and card.confidence >= UNCERTAIN_BELOW


def outlined(colour: tuple[int, int, int]) -> np.ndarray:
    drawn = np.full((SIDE, SIDE, 3), PAPER, np.uint8)
    for across in (12, 34):
        cv2.ellipse(drawn, (48, 48), (across, 16), 0, 0, 360, colour, 2, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("seen", in_full(["green", "purple"], "purple"))
def test_thin_lines_that_look_nearly_grey_have_a_hue(seen: str) -> None:
    inks = {"green": (100, 120, 92), "purple": (116, 100, 112)}
    own = CardPicture("green", outlined(inks["green"]))
    deck = Deck([own, *(CardPicture(f"{n}", picture(n)) for n in range(4))])
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, (SIDE, SIDE, 1)), (0, 0), 1.5)
    grained = outlined(inks[seen]) + 8 / grain.std() * grain[..., None]
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = grained.clip(0, 255)
    lit = (cv2.GaussianBlur(image, (0, 0), 0.8) * (0.8, 0.75, 1.0)).astype(np.uint8)
    found = [card.card for card in deck.find(lit) if card.confidence > 0.5]
    assert found == (["green"] if seen == "green" else [])


def oval(filled: tuple[int, int, int]) -> np.ndarray:
    drawn = np.full((SIDE, SIDE, 3), PAPER, np.uint8)
    cv2.ellipse(drawn, (48, 48), (34, 16), 0, 0, 360, filled, -1, cv2.LINE_AA)
    cv2.ellipse(drawn, (48, 48), (34, 16), 0, 0, 360, GREEN, 3, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("dim", [0.8, 0.9])
def test_the_shade_in_which_a_card_was_learned_is_not_taken_for_its_print(dim: float) -> None:
    empty, pale = oval((PAPER, PAPER, PAPER)), oval((200, 215, 195))
    shade = np.linspace(dim, 1.0, SIDE)[:, None, None]
    learned = {"empty": empty * shade, "pale": pale * shade[::-1]}
    deck = Deck(CardPicture(id, drawn.astype(np.uint8)) for id, drawn in learned.items())
    image = np.full((400, 400, 3), (60, 80, 90), np.uint8)
    image[120 : 120 + SIDE, 150 : 150 + SIDE] = pale * shade
    (card,) = deck.find(cv2.GaussianBlur(image, (0, 0), 0.8))
    assert card.card == "pale" or card.confidence < UNCERTAIN_BELOW
