"""How alike two rectified pictures are."""

import cv2
import numpy as np
import pytest

from vision.card_likeness import (
    alike_in_detail,
    common_light,
    common_mixture,
    explained,
    odds_of_other,
    off_colour,
)

SIDE = 64


def discs(seed: int, many: int = 9) -> np.ndarray:
    """Small discs of many colours on white."""
    rng = np.random.default_rng(seed)
    drawn = np.full((SIDE, SIDE, 3), 235, np.uint8)
    for _ in range(many):
        x, y = rng.integers(8, SIDE - 8, 2).tolist()
        cv2.circle(drawn, (x, y), 5, rng.integers(20, 200, 3).tolist(), -1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("seed", range(4))
def test_pale_pictures_of_few_details_are_alike_only_in_the_same_ones(seed: int) -> None:
    known, other = discs(seed, many=3), discs(100 + seed, many=3)
    seen = cv2.GaussianBlur(known, (0, 0), 1.0) * np.array([0.5, 0.6, 0.7]) + 40
    assert explained(other, known) > 0.7, "most of both is white"
    assert alike_in_detail(other, known) < 0.5
    assert alike_in_detail(seen.astype(np.uint8), known) > 0.8


def test_what_is_too_bright_to_be_recorded_hides_no_card() -> None:
    known = discs(5)
    light = known.astype(float) * np.array([1.3, 1.6, 1.9]) + 30
    seen = np.clip(light, 0, 255).astype(np.uint8)
    assert (seen == 255).mean() > 0.5
    assert explained(seen, known) > 0.98


@pytest.mark.parametrize("seed", range(4))
def test_details_too_bright_to_be_recorded_are_missed_on_no_card(seed: int) -> None:
    known, other = discs(seed, many=14), discs(100 + seed, many=14)
    cv2.circle(known, (32, 32), 14, (250, 250, 170), -1, cv2.LINE_AA)
    cv2.circle(known, (32, 32), 9, (235, 250, 235), -1, cv2.LINE_AA)
    seen = cv2.GaussianBlur(known, (0, 0), 1.0) * np.array([0.5, 0.6, 0.7]) + 160
    seen = np.clip(seen, 0, 255).astype(np.uint8)
    assert alike_in_detail(seen, known) > 0.9
    assert alike_in_detail(seen, other) < 0.2


@pytest.mark.parametrize("seed", range(4))
def test_where_a_lamp_is_mirrored_nothing_is_compared(seed: int) -> None:
    """A highlight that is entirely saturated, with a blurred rim, on matt colours."""
    known, other = discs(seed, many=30), discs(100 + seed, many=30)
    lamp = np.zeros((SIDE, SIDE), np.float32)
    cv2.ellipse(lamp, (28, 34), (13, 9), 30, 0, 360, 330, -1)
    lamp = np.asarray(cv2.GaussianBlur(lamp, (0, 0), 1.5))
    seen = np.clip(known * 0.7 + 12 + lamp[..., None], 0, 255).astype(np.uint8)
    assert alike_in_detail(seen, known) > 0.95 and explained(seen, known) > 0.95
    assert alike_in_detail(seen, other) < 0.3


def test_a_haze_over_a_dark_print_is_not_another_colour() -> None:
    printed = np.full((SIDE, SIDE, 3), (150, 130, 120), np.uint8)
    for at in ((16, 14), (44, 24), (24, 46), (50, 50)):
        cv2.circle(printed, at, 9, (60, 130, 190), -1, cv2.LINE_AA)
    hazy, other = (
        (drawn * (0.25, 0.45, 0.5) + 14).astype(np.uint8) for drawn in (printed, printed[..., ::-1])
    )
    off, _hue = off_colour(hazy, printed)
    assert off < 0.1 and off_colour(other, printed)[0] > 1


def stars_on_white(colour: tuple[int, int, int]) -> np.ndarray:
    drawn = np.full((SIDE, SIDE, 3), 255, np.uint8)
    for at in ((16, 14), (48, 14), (16, 32), (48, 32), (16, 50), (48, 50)):
        for radius, shade in ((8, (60, 26, 18)), (7, colour), (3, (255, 255, 255))):
            cv2.circle(drawn, at, radius, shade, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 1.0))


@pytest.mark.parametrize(("gain", "least", "most"), [(0.8, 0.0, 1e-4), (1.7, 0.5, 2.0)])
def test_orange_too_bright_to_be_recorded_is_not_taken_for_yellow(
    gain: float, least: float, most: float
) -> None:
    orange, yellow = stars_on_white((38, 133, 245)), stars_on_white((64, 210, 245))
    noise = np.random.default_rng(1).normal(0, 3, orange.shape)
    lit = (orange / 255) ** 0.8 * 255 * gain + 25 + noise
    seen = np.clip(lit, 0, 255).astype(np.uint8)
    assert least <= odds_of_other(seen, orange, yellow) <= most


@pytest.mark.parametrize("is_red", [True, False])
def test_a_pale_colour_is_recognised_by_its_hue(is_red: bool) -> None:
    own, other = stars_on_white((60, 60, 225)), stars_on_white((38, 133, 245))
    if not is_red:
        own, other = other, own
    is_star = stars_on_white((255, 255, 255)).astype(float) - stars_on_white((0, 0, 0))
    noise = np.random.default_rng(2).normal(0, 2, own.shape)
    seen = np.clip(0.6 * own + 0.2 * is_star + 40 + noise, 0, 255).astype(np.uint8)
    assert odds_of_other(seen, own, other, np.eye(3)) < 1e-4
    assert odds_of_other(seen, other, own, np.eye(3)) > 1e4


def test_a_light_is_known_by_cards_each_of_which_shows_two_channels_of_it() -> None:
    light = np.array([0.5, 0.7, 0.9])
    pairs = []
    for seed, lacking in enumerate((0, 1, 2, 0, 1, 2)):
        known = discs(seed)
        known[..., lacking] = 128
        pairs.append([((known * light).astype(np.uint8), known)])
    found = common_light(pairs)
    shown = found.diagonal()
    assert shown / shown.mean() == pytest.approx(light / light.mean(), rel=0.03)
    assert np.abs(found - np.diag(shown)).max() < 0.05, "no channel has light of another"
    assert common_light(pairs[:3]) is None, "two cards show each channel"


def test_cards_taken_for_another_colour_agree_with_the_light_in_which_a_rival_is_right() -> None:
    light = np.array([0.4, 0.7, 0.9])
    right = [((discs(seed) * light).astype(np.uint8), discs(seed)) for seed in range(6)]
    cards = [[pair] for pair in right]
    for number in (0, 3):
        seen, known = right[number]
        cards[number].insert(0, (seen, (known * (0.5, 1.0, 0.6)).astype(np.uint8)))
    found = common_light(cards)
    shown = found.diagonal()
    assert shown / shown.mean() == pytest.approx(light / light.mean(), rel=0.03)
    assert common_light([own[:1] for own in cards]) is None, "a third of them is in another light"


def test_a_card_that_has_the_light_under_two_names_confirms_neither() -> None:
    light = np.array([0.5, 0.7, 0.9])
    clear = [[((discs(seed) * light).astype(np.uint8), discs(seed))] for seed in range(3)]
    known = [discs(10 + seed) for seed in range(4)]
    misread = [with_yellow_for_orange(one) for one in known]
    doubtful = [
        [(seen, wrong), (seen, right)]
        for right, wrong in zip(known, misread, strict=True)
        for seen in [(right * light).astype(np.uint8)]
    ]
    found, alone = common_light(clear + doubtful), common_light(clear)
    assert found is not None and alone is not None
    assert np.abs(found / found.trace() - alone / alone.trace()).max() < 0.01
    assert common_light(doubtful) is not None, "there is nothing better"


def test_pale_inks_are_known_by_cards_that_differ_in_the_brightness_of_their_channels() -> None:
    """Yellow stars look yellow beside white ones, beneath more or less of a warm reflection."""
    pale = np.array([[1.0, 0.3, 0.2], [0.0, 1.1, 0.1], [0.0, 0.1, 0.8]]) * 0.6

    def drawn(*colours: tuple[int, int, int]) -> np.ndarray:
        card = np.full((SIDE, SIDE, 3), (65, 30, 20), np.uint8)
        for number, colour in enumerate(colours):
            at = (16 + 28 * (number % 2), 16 + 28 * (number // 2))
            cv2.circle(card, at, 10, colour, -1, cv2.LINE_AA)
        return card

    def seen(card: np.ndarray, haze: float) -> np.ndarray:
        shown = (1 - haze) * card @ pale.T + haze * np.array([150, 170, 220])
        return np.asarray(np.clip(shown, 0, 255).astype(np.uint8))

    yellow, white, orange = (60, 215, 245), (230, 225, 225), (40, 130, 240)
    colours = [(yellow, yellow), (orange, yellow), (yellow, white, yellow), (orange, orange)]
    cards = [[(seen(drawn(*own), n / 10), drawn(*own))] for n, own in enumerate(colours, 1)]
    found = common_mixture(cards)
    known, other = drawn(*[yellow] * 4), drawn(*[white] * 4)
    assert common_light(cards) is None and found is not None
    assert odds_of_other(seen(known, 0.4), known, other) > 1e3, "in a light of its own it is white"
    assert odds_of_other(seen(known, 0.4), known, other, found) < 1e-3
    assert common_mixture([*cards[1:], [*cards[0], *cards[0]]]) is None, "too few have no rival"
    blue = drawn((200, 90, 30), white)
    assert common_mixture([*cards, [(blue[..., ::-1], blue)]]) is None, "one is in another light"


def with_yellow_for_orange(picture: np.ndarray) -> np.ndarray:
    """A picture with more green where there is less blue than red."""
    blue, green, red = cv2.split(picture)
    more = np.clip(green.astype(float) + 0.5 * np.maximum(red.astype(float) - blue, 0), 0, 255)
    return np.asarray(cv2.merge([blue, more.astype(np.uint8), red]))


def test_a_card_of_which_nothing_is_bare_resembles_none() -> None:
    picture = discs(5)
    nothing = np.zeros((SIDE, SIDE), bool)
    assert explained(picture, picture, nothing) == 0
    assert alike_in_detail(picture, picture, nothing) == 0
