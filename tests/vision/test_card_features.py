"""Where the features of whole cards are seen in a photograph."""

import cv2
import numpy as np

from vision.card_corners import TableMetric
from vision.card_features import DeckFeatures, features_of
from vision.card_geometry import corner_distance, side_of
from vision.card_rows import find_rows
from vision.rectify import transform

WIDTH, HEIGHT = 220, 340


def face(seed: int) -> np.ndarray:
    """A card with shapes on grain, above the same lines of text as all others."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 16, (HEIGHT // 4, WIDTH // 4)), (WIDTH, HEIGHT))
    drawn = np.clip(rng.integers(90, 190, 3) + grain[..., None], 0, 255).astype(np.uint8)
    for _ in range(7):
        at = rng.integers(25, [WIDTH - 25, 220]).tolist()
        cv2.circle(drawn, at, int(rng.integers(6, 22)), rng.integers(0, 256, 3).tolist(), -1)
    cv2.rectangle(drawn, (12, 250), (WIDTH - 12, HEIGHT - 12), (245, 245, 245), -1)
    for line in range(264, HEIGHT - 16, 12):
        cv2.line(drawn, (22, line), (WIDTH - 24, line), (20, 20, 20), 2)
    cv2.rectangle(drawn, (0, 0), (WIDTH - 1, HEIGHT - 1), (60, 20, 160), 5)
    return drawn


def test_cards_with_the_same_text_are_placed_as_they_are_foreshortened() -> None:
    faces = [face(seed) for seed in range(10)]
    flat = np.full((900, 1400, 3), (80, 100, 120), np.uint8)
    own = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], float)
    laid = []
    for number, drawn in enumerate(faces):
        at = (150 + 265 * (number % 5), 230 + 420 * (number // 5))
        way = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 37.0 * number, 1.0)
        way[:, 2] += np.array(at) - (WIDTH / 2, HEIGHT / 2)
        cv2.warpAffine(drawn, way, (1400, 900), flat, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
        laid.append(own @ way[:, :2].T + way[:, 2])
    low = np.array([[1.0, 0.1, 0.0], [0.0, 0.62, 0.0], [0.0, 0.0, 1.0]])
    image = cv2.GaussianBlur(cv2.warpPerspective(flat, low, (1500, 560)), (0, 0), 0.7)
    features = DeckFeatures(faces)
    found = features.places(features.votes(features_of(image)))
    for corners in (transform(low, one) for one in laid):
        off = min(corner_distance(one, corners) for one in found)
        assert off < 0.06 * side_of(corners)


def test_a_card_in_a_row_is_no_wedge_about_it_and_a_shadow() -> None:
    image = np.full((700, 1500, 3), (40, 60, 90), np.uint8)
    corners = [
        np.array([[x, 150], [x + WIDTH, 150], [x + WIDTH, 150 + HEIGHT], [x, 150 + HEIGHT]])
        for x in (100, 420, 740, 1060)
    ]
    for number, one in enumerate(corners):
        image[one[0, 1] : one[2, 1], one[0, 0] : one[2, 0]] = face(number)
    edge = corners[-1]
    wedge = np.array([edge[0], edge[3], edge[3] - (80, 0)])
    cv2.fillPoly(image, [wedge.astype(np.int32)], (15, 20, 30))
    found = [card.corners for card in find_rows(image)]
    assert len(found) == len(corners)
    for one, own in zip(found, corners, strict=True):
        assert corner_distance(one, own.astype(float)) < 8


def test_what_is_found_all_over_a_deck_predicts_no_place() -> None:
    faces = [face(seed) for seed in range(24)]
    image = cv2.copyMakeBorder(faces[3], *(200,) * 4, cv2.BORDER_CONSTANT, value=(80, 100, 120))
    votes = DeckFeatures(faces).votes(features_of(image))
    assert 0 < np.bincount(votes.feature).max() < 16 * len(faces)
    assert np.bincount(votes.picture).argmax() == 3


def test_what_lies_in_one_piece_is_measured_on_the_table() -> None:
    image = np.full((1400, 2000, 3), (70, 95, 115), np.uint8)
    board = np.array([[100, 100], [900, 100], [900, 1060], [100, 1060]], float)
    image[100:1060, 100:900] = cv2.resize(face(1), (800, 960))
    table = TableMetric(board[None], 1.2)
    assert features_of(image, [board]).largest(table) == 0.0
    for number, x in enumerate((1000, 1600)):
        image[200 : 200 + HEIGHT, x : x + WIDTH] = face(number)
    card = WIDTH * HEIGHT / 800**2
    assert card < features_of(image, [board]).largest(table) < 1.8 * card
