"""Cards with invented pictures, laid on tables for tests."""

import cv2
import numpy as np

from vision.card_pictures import CardPicture
from vision.cards import Deck

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
