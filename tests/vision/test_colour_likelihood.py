"""What swatches of the owner's pieces add to what the classifier says."""

import numpy as np
import pytest

from calibration.colour_profile import ColourProfile, Swatch, as_colour
from vision.colour_likelihood import PieceColours, weigh_colours
from vision.set_classifier import features, vivid_colours

CLASSES = ("red", "orange", "purple")
PAINT = {"red": (40, 40, 200), "orange": (40, 80, 190), "purple": (150, 60, 130)}
KIT = ColourProfile(tuple(Swatch(piece, as_colour(bgr)) for piece, bgr in PAINT.items()))


def board(
    lying: list[str | None], seen_as: list[str | None], light: tuple[float, ...]
) -> tuple[np.ndarray, PieceColours]:
    """Odds that say ``seen_as`` at 0.9, and the colours of what is ``lying`` in that light."""
    odds = np.full((len(lying), 4), np.log(0.1 / 3))
    colours = np.full((len(lying), 3), 60.0)
    for row, (piece, said) in enumerate(zip(lying, seen_as, strict=True)):
        odds[row, 3 if said is None else CLASSES.index(said)] = np.log(0.9)
        if piece is not None:
            colours[row] = np.array(PAINT[piece]) * light
    return odds, PieceColours(colours, np.zeros(len(lying)))


def likeliest(odds: np.ndarray) -> list[str | None]:
    return [(*CLASSES, None)[i] for i in odds.argmax(axis=1)]


def test_a_piece_that_looks_like_another_makers_is_classified_by_its_swatch() -> None:
    lying = ["red", "orange", "orange", None]
    odds, colours = board(lying, ["red", "red", "orange", None], (1, 1, 1))
    assert likeliest(weigh_colours(odds, colours, CLASSES, KIT)) == lying


@pytest.mark.parametrize("light", [(0.85, 0.95, 1.15), (1.2, 1.0, 0.85), (0.7, 0.7, 0.7)])
def test_a_lamp_shifts_all_colours_of_a_board_alike(light: tuple[float, ...]) -> None:
    lying = ["red", "purple", "orange", "red", "purple", "orange", "orange"]
    odds, colours = board(lying, [*lying[:-1], "red"], light)
    assert likeliest(weigh_colours(odds, colours, CLASSES, KIT)) == lying


def test_what_classifier_and_swatches_dispute_is_doubtful() -> None:
    odds, colours = board(["orange"], ["red"], (1, 1, 1))
    odds[0, 0] = 1
    found = np.exp(weigh_colours(odds, colours, CLASSES, KIT))[0]
    assert likeliest(np.log(found[None])) == ["orange"]
    assert 0.2 < found[0] < found[1] < 0.8


def test_a_strange_kind_that_the_classifier_is_too_sure_of_is_doubtful() -> None:
    """Crimson chips, every one of them sure to be purple: the swatches know that they are red."""
    odds, colours = board(["red"] * 4, ["purple"] * 4, (1, 1, 1))
    odds[:, 2] = 9
    found = np.exp(weigh_colours(odds, colours, CLASSES, KIT))
    assert (found[:, 2] < 0.9).all()


def test_whether_a_piece_lies_there_is_the_classifiers_to_say() -> None:
    odds, colours = board(["orange", None], ["red", None], (1, 1, 1))
    given, found = (np.exp(z)[:, 3] for z in (odds, weigh_colours(odds, colours, CLASSES, KIT)))
    assert found == pytest.approx(given / np.exp(odds).sum(axis=1))


def test_without_a_swatch_of_its_pieces_nothing_changes() -> None:
    odds, colours = board(["orange"], ["red"], (1, 1, 1))
    assert (weigh_colours(odds, colours, CLASSES, ColourProfile()) == odds).all()
    strangers = ColourProfile((Swatch("green", "#28c828"),))
    assert (weigh_colours(odds, colours, CLASSES, strangers) == odds).all()


def test_a_kind_without_a_swatch_is_not_taken_for_its_neighbour() -> None:
    """A lesson without purple: a purple one that looks somewhat like red is not red therefore."""
    kit = ColourProfile(tuple(swatch for swatch in KIT.swatches if swatch.piece != "purple"))
    odds, colours = board(["red", "purple", "orange"], ["red", "purple", "orange"], (1, 1, 1))
    colours.bgr[1] = (75, 45, 190)
    assert likeliest(weigh_colours(odds, colours, CLASSES, kit)) == ["red", "purple", "orange"]


def test_haze_draws_colours_together() -> None:
    lying = ["red", "orange", "purple", "red", "orange", "purple", "orange"]
    odds, colours = board(lying, [*lying[:-1], "purple"], (1, 1, 1))
    hazy = PieceColours(colours.bgr * 0.55 + np.array([150, 95, 110]) * 0.45, colours.uneven)
    assert likeliest(weigh_colours(odds, hazy, CLASSES, KIT)) == lying


def test_a_board_in_a_light_that_swatches_know_nothing_of_is_read_as_without() -> None:
    lying = ["red", "orange", "purple", "orange", None]
    odds, colours = board(lying, lying, (1, 1, 1))
    strange = PieceColours(colours.bgr[:, ::-1], colours.uneven)
    assert likeliest(weigh_colours(odds, strange, CLASSES, KIT)) == lying


def test_what_mirrors_a_lamp_says_nothing() -> None:
    """A red star that shows a window: whichever swatch it resembles, it stays what it was."""
    odds, colours = board(["red", "orange", "purple"], ["red", "orange", "purple"], (1, 1, 1))
    odds[0, 1] = np.log(0.3)
    colours.bgr[0] = PAINT["orange"]
    even = weigh_colours(odds, colours, CLASSES, KIT)[0]
    uneven = weigh_colours(odds, PieceColours(colours.bgr, np.array([np.inf, 0, 0])), CLASSES, KIT)[
        0
    ]
    assert likeliest(even[None]) == ["orange"]
    assert likeliest(uneven[None]) == ["red"]


def test_a_piece_that_is_washed_out_or_of_two_colours_is_uneven() -> None:
    def shown(middle: tuple[int, ...], rim: tuple[int, ...]) -> float:
        picture = np.full((60, 60, 3), rim, np.uint8)
        picture[26:35, 26:35] = middle
        pictures = (picture, picture, picture, picture * 0)
        described = features(pictures, np.array([[30, 30]]), np.zeros((1, 3)), np.zeros(1))
        return float(PieceColours.of(described).uneven[0])

    assert shown((30, 140, 90), (30, 140, 90)) < 0.01
    assert 0.3 < shown((225, 228, 230), (150, 90, 70)) < 3  # a white cube with a bluish side
    assert shown((250, 254, 240), (40, 40, 200)) == np.inf


def test_a_colour_comes_back_from_the_features() -> None:
    picture = np.full((60, 60, 3), (30, 140, 90), np.uint8)
    described = features(
        (picture * 0, picture, picture * 0, picture * 0),
        np.array([[30, 30]]),
        np.zeros((1, 3)),
        np.zeros(1),
    )
    assert vivid_colours(described)[0] == pytest.approx((30, 140, 90), abs=0.01)
