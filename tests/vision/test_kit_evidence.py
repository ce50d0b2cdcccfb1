"""What swatches of the owner's pieces add to what the classifier says."""

import numpy as np
import pytest

from calibration.token_kit import Swatch, TokenKit, as_colour
from vision.kit_evidence import weigh_kit
from vision.set_classifier import features, vivid_colours

CLASSES = ("red", "orange", "purple")
PAINT = {"red": (40, 40, 200), "orange": (40, 80, 190), "purple": (150, 60, 130)}
KIT = TokenKit(tuple(Swatch(piece, as_colour(bgr)) for piece, bgr in PAINT.items()))


def board(lying: list[str | None], seen_as: list[str | None], light: tuple[float, ...]) -> tuple:
    """Odds that say ``seen_as`` at 0.9, and the colours of what is ``lying`` in that light."""
    odds = np.full((len(lying), 4), np.log(0.1 / 3))
    colours = np.full((len(lying), 3), 60.0)
    for row, (piece, said) in enumerate(zip(lying, seen_as, strict=True)):
        odds[row, 3 if said is None else CLASSES.index(said)] = np.log(0.9)
        if piece is not None:
            colours[row] = np.array(PAINT[piece]) * light
    return odds, colours


def told(odds: np.ndarray) -> list[str | None]:
    return [(*CLASSES, None)[i] for i in odds.argmax(axis=1)]


def test_a_piece_that_looks_like_another_makers_is_told_by_its_swatch() -> None:
    lying = ["red", "orange", "orange", None]
    odds, colours = board(lying, ["red", "red", "orange", None], (1, 1, 1))
    assert told(weigh_kit(odds, colours, CLASSES, KIT)) == lying


@pytest.mark.parametrize("light", [(0.85, 0.95, 1.15), (1.2, 1.0, 0.85), (0.7, 0.7, 0.7)])
def test_a_lamp_shifts_all_colours_of_a_board_alike(light: tuple[float, ...]) -> None:
    lying = ["red", "purple", "orange", "red", "purple", "orange", "orange"]
    odds, colours = board(lying, [*lying[:-1], "red"], light)
    assert told(weigh_kit(odds, colours, CLASSES, KIT)) == lying


def test_what_classifier_and_swatches_dispute_is_doubtful() -> None:
    odds, colours = board(["orange"], ["red"], (1, 1, 1))
    odds[0, 0] = 1
    found = np.exp(weigh_kit(odds, colours, CLASSES, KIT))[0]
    assert told(np.log(found[None])) == ["orange"]
    assert 0.2 < found[0] < found[1] < 0.8


def test_a_strange_kind_that_the_classifier_is_too_sure_of_is_doubtful() -> None:
    """Crimson chips, every one of them sure to be purple: the swatches know that they are red."""
    odds, colours = board(["red"] * 4, ["purple"] * 4, (1, 1, 1))
    odds[:, 2] = 9
    found = np.exp(weigh_kit(odds, colours, CLASSES, KIT))
    assert (found[:, 2] < 0.9).all()


def test_whether_a_piece_lies_there_is_the_classifiers_to_say() -> None:
    odds, colours = board(["orange", None], ["red", None], (1, 1, 1))
    given, found = (np.exp(z)[:, 3] for z in (odds, weigh_kit(odds, colours, CLASSES, KIT)))
    assert found == pytest.approx(given / np.exp(odds).sum(axis=1))


def test_without_a_swatch_of_its_pieces_nothing_changes() -> None:
    odds, colours = board(["orange"], ["red"], (1, 1, 1))
    assert (weigh_kit(odds, colours, CLASSES, TokenKit()) == odds).all()
    strangers = TokenKit((Swatch("green", "#28c828"),))
    assert (weigh_kit(odds, colours, CLASSES, strangers) == odds).all()


def test_a_colour_comes_back_from_the_features() -> None:
    picture = np.full((60, 60, 3), (30, 140, 90), np.uint8)
    described = features(
        (picture * 0, picture, picture * 0, picture * 0),
        np.array([[30, 30]]),
        np.zeros((1, 3)),
        np.zeros(1),
    )
    assert vivid_colours(described)[0] == pytest.approx((30, 140, 90), abs=0.01)
