"""Tokens on a small drawn sheet, seen askew: their order, and when it is not certain."""

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from tests.conftest import in_full
from vision.card_corners import TableMetric
from vision.card_features import features_of
from vision.features import Features, extract
from vision.token_faces import assign_by_colour
from vision.token_sheets import PrintedSheet, TokenSheetReader
from vision.token_tracks import PX_PER_MM, PrintedSpots, _surely, _tokens_at

DIAMETER_MM = 12.0
SQUARES = np.array([(13 + 16 * square, 37) for square in range(7)], float)
"""The middles of a track's squares in mm, the start first."""
SHEET_MM = (122, 74)
SQUARE = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], float)
GROUND = (70, 40, 30)
COLOURS = {"red": (50, 50, 220), "ram": (220, 120, 40), "fish": (220, 120, 40)}
PLAIN = {"red": (50, 50, 220), "orange": (48, 130, 232), "yellow": (52, 200, 238)}
BLACK = {"black": (40, 40, 40)}
MARKS = {
    "red": [],
    "ram": [((5, 7), (19, 7)), ((12, 7), (12, 19))],
    "fish": [((7, 6), (7, 18)), ((17, 6), (17, 18))],
}
"""Lines on tokens, from where to where in px; two of them differ in nothing else."""


def px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def drawn_sheet() -> np.ndarray:
    """Numbered squares on a dark ground, stars about them."""
    sheet = np.full((px(SHEET_MM[1]), px(SHEET_MM[0]), 3), GROUND, np.uint8)
    rng = np.random.default_rng(3)
    for x, y in rng.uniform((3, 3), (SHEET_MM[0] - 3, SHEET_MM[1] - 3), (60, 2)):
        cv2.circle(sheet, (px(x), px(y)), int(rng.integers(1, 4)), (200, 220, 230), -1, cv2.LINE_AA)
    for number, (x, y) in enumerate(SQUARES):
        corners = (px(x - 7), px(y - 10)), (px(x + 7), px(y + 10))
        cv2.rectangle(sheet, *corners, (45, 25, 20) if number else (30, 15, 10), -1)
        cv2.rectangle(sheet, *corners, (120, 190, 220), 1, cv2.LINE_AA)
        at = (px(x - 2), px(y + 9))
        cv2.putText(sheet, str(number), at, 0, 0.4, (120, 190, 220), 1, cv2.LINE_AA)
    return sheet


def drawn_token(token: str) -> np.ndarray:
    """A light disc with another one of its colour and its mark, on the ground of its square."""
    side = px(DIAMETER_MM)
    face, middle = np.full((side, side, 3), (45, 25, 20), np.uint8), (side // 2, side // 2)
    cv2.circle(face, middle, side // 2, (225, 235, 240), -1, cv2.LINE_AA)
    cv2.circle(face, middle, side // 2 - 2, (COLOURS | PLAIN | BLACK)[token], -1, cv2.LINE_AA)
    for start, end in MARKS.get(token, ()):
        cv2.line(face, start, end, (240, 250, 250), 3, cv2.LINE_AA)
    return face


TRACK = PrintedSpots(
    {f"colours.{number}": at for number, at in enumerate(SQUARES)},
    {token: drawn_token(token) for token in COLOURS},
)
PRINTED = PrintedSheet(drawn_sheet(), {"colours": TRACK})
READER = TokenSheetReader([PRINTED])


def photographed(tokens: Mapping[str, tuple[float, float]], inks: float = 1.0) -> np.ndarray:
    """The sheet askew in a warm light, tokens with their middles in mm on it, later ones on top.

    The colours of the tokens are `inks` times as saturated as on the sheet's print.
    """
    room = 66
    rim = px(room)
    sheet = cv2.copyMakeBorder(
        PRINTED.sheet, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(150, 165, 175)
    )
    side = px(DIAMETER_MM)
    on = np.hypot(*(np.mgrid[:side, :side] - (side - 1) / 2)) < side / 2
    for number, (token, (x, y)) in enumerate(tokens.items()):
        way = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), 50 + 100 * number, 1)
        drawn = drawn_token(token).astype(float)
        drawn = inks * drawn + (1 - inks) * drawn.mean(axis=2, keepdims=True)
        face = cv2.warpAffine(
            drawn.astype(np.uint8), way, (side, side), borderMode=cv2.BORDER_REPLICATE
        )
        left, top = (px(at + room - DIAMETER_MM / 2) for at in (x, y))
        sheet[top : top + side, left : left + side][on] = face[on]
    height, width = sheet.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners * 2 + np.array([[30, 16], [-10, 0], [0, 0], [12, -18]], np.float32)
    size = (2 * width, 2 * height)
    image = cv2.warpPerspective(sheet, cv2.getPerspectiveTransform(corners, seen), size)
    noise = np.random.default_rng(1).normal(0, 2, image.shape)
    light = np.linspace(0.6, 1.0, image.shape[1])[:, None] * (0.7, 0.85, 1.0)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


def test_a_sheet_is_searched_only_where_detail_of_its_size_may_be_one() -> None:
    image = photographed({})
    sheet_mm2 = float(np.prod(PRINTED.sheet.shape[:2])) / PX_PER_MM**2
    assert READER.find(image, most_mm2=0.5 * sheet_mm2) is not None, "half of it may be covered"
    assert READER.find(image, most_mm2=0.2 * sheet_mm2) is None


def on_square(number: int, up: float = 0.0) -> tuple[float, float]:
    x, y = SQUARES[number]
    return x, y - up


@pytest.mark.parametrize(
    ("squares", "order"),
    [
        ({"red": 2, "ram": 5, "fish": 3}, ["ram", "fish", "red"]),
        ({"red": 6, "ram": 1, "fish": 4}, ["red", "fish", "ram"]),
        ({"red": 0, "ram": 1, "fish": 2}, ["fish", "ram"]),
    ],
)
def test_the_leading_token_comes_first_and_one_at_the_start_has_not_moved(
    squares: dict[str, int], order: list[str]
) -> None:
    found = READER.find(
        photographed({token: on_square(square) for token, square in squares.items()})
    )
    track = found.tracks["colours"]
    assert (list(track.order), track.certain) == (order, True)
    assert track.places == {token: f"colours.{square}" for token, square in squares.items()}


@pytest.mark.parametrize(
    "tokens",
    [
        pytest.param({"red": on_square(2), "ram": on_square(5)}, id="one is missing"),
        pytest.param({"red": on_square(5), "ram": on_square(5), "fish": on_square(3)}, id="a heap"),
        pytest.param(
            {"red": on_square(5, -7), "ram": on_square(5, 7), "fish": on_square(3)},
            id="two on one square",
        ),
    ],
)
def test_a_token_that_is_missing_or_shares_its_square_leaves_doubt(
    tokens: dict[str, tuple[float, float]],
) -> None:
    found = READER.find(photographed(tokens))
    reading = found.tracks["colours"]
    assert not reading.certain
    assert set(reading.order) <= set(tokens) and set(reading.places) <= set(tokens)


def test_tokens_around_the_start_are_at_the_start() -> None:
    found = READER.find(photographed({"red": on_square(3), "ram": (-30, 23), "fish": (-30, 51)}))
    track = found.tracks["colours"]
    assert (list(track.order), track.certain) == (["red"], True)
    assert track.places == {"red": "colours.3", "ram": "colours.0", "fish": "colours.0"}


@pytest.mark.parametrize("inks", in_full([1.0, 0.6], 0.6))
def test_similar_tokens_are_distinguished_in_paler_inks(inks: float) -> None:
    track = PrintedSpots(TRACK.at, {token: drawn_token(token) for token in PLAIN})
    reader = TokenSheetReader([PrintedSheet(drawn_sheet(), {"colours": track})])
    tokens = {"red": on_square(2), "orange": on_square(5), "yellow": on_square(4)}
    found = reader.find(photographed(tokens, inks))
    reading = found.tracks["colours"]
    assert (list(reading.order), reading.certain) == (["orange", "yellow", "red"], True)


WASHED_OUT = {
    "white": ((243, 241, 234), (179, 207, 197)),
    "purple": ((123, 63, 174), (164, 89, 160)),
    "yellow": ((246, 201, 14), (165, 179, 127)),
    "orange": ((239, 122, 26), (185, 136, 107)),
    "blue": ((27, 102, 201), (38, 111, 172)),
    "red": ((207, 31, 46), (144, 75, 85)),
}
"""Colours of tokens, and what an overexposed photograph makes of them in the light of its sheet."""
BRIGHT = {
    "white": (239, 255, 255),
    "purple": (129, 71, 188),
    "yellow": (255, 220, 110),
    "orange": (234, 135, 40),
    "blue": (21, 119, 226),
    "red": (218, 35, 15),
}
"""What a lamp makes of the same that shines more on them than on the sheet."""


def disc(colour: tuple[int, int, int], face: np.ndarray) -> np.ndarray:
    """A plain token of an RGB colour, drawn into an empty face."""
    middle = (face.shape[1] // 2, face.shape[0] // 2)
    cv2.circle(face, middle, face.shape[1] // 2, colour[::-1], -1, cv2.LINE_AA)
    return face


def plain_tokens(*shown: tuple[int, int, int]) -> tuple[PrintedSpots, np.ndarray, list[Any]]:
    """A track of the plain tokens, a strip with some as they are shown, and their spots."""
    side = px(DIAMETER_MM)
    faces = {
        token: disc(known, np.full((side, side, 3), GROUND, np.uint8))
        for token, (known, _shown) in WASHED_OUT.items()
    }
    strip = np.full((2 * side, 12 * side, 3), GROUND, np.uint8)
    spots = [(number * 2 * side + 8, side // 2) for number in range(len(shown))]
    for (left, top), colour in zip(spots, shown, strict=True):
        disc(colour, strip[top : top + side, left : left + side])
    return PrintedSpots({}, faces), strip, spots


@pytest.mark.parametrize("seen", [pytest.param(6, id="all"), pytest.param(5, id="one is missing")])
def test_washed_out_tokens_are_identified_by_colour_if_all_are_visible(seen: int) -> None:
    shown = [shown for _known, shown in WASHED_OUT.values()][:seen]
    track, strip, spots = plain_tokens(*shown)
    found, _likely, is_clear = _tokens_at(strip, spots, [0.0] * seen, track)
    assert (found == dict(enumerate(range(seen)))) == (seen == len(WASHED_OUT))
    assert (is_clear and len(found) == len(WASHED_OUT)) == (seen == len(WASHED_OUT))


def test_tokens_in_a_stronger_light_than_the_sheet_are_identified_by_colour() -> None:
    track, strip, spots = plain_tokens(*BRIGHT.values())
    found, _likely, is_clear = _tokens_at(strip, spots, [0.0] * len(spots), track)
    assert is_clear and found == dict(enumerate(range(len(BRIGHT))))


def test_tokens_whose_colours_and_looks_disagree_are_uncertain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a lamp's light orange came to be yellow by its colour."""
    strip, spots = np.full((60, 300, 3), GROUND, np.uint8), [(8, 10), (88, 10), (168, 10)]
    faces = {token: drawn_token(token) for token in PLAIN}
    by_looks, by_colour = {0: 0, 1: 1}, {0: 0, 1: 1, 2: 2}
    monkeypatch.setattr("vision.token_tracks._surely", lambda *_: (by_looks, True))
    monkeypatch.setattr("vision.token_tracks._identified_by_colour", lambda *_: by_colour)
    track = PrintedSpots({}, faces)
    assert _tokens_at(strip, spots, [0.0] * 3, track) == (by_colour, by_colour, True)
    by_colour.update({1: 2, 2: 1})
    assert _tokens_at(strip, spots, [0.0] * 3, track)[0] == by_looks, "the third is missing"


KNOWN = np.array([*PLAIN.values()], float)


def test_colours_are_assigned_by_their_order_in_each_channel() -> None:
    seen = 255 * (KNOWN[[2, 0, 1]] / 255) ** 0.7
    spots, probability = assign_by_colour(seen, KNOWN)
    assert spots.tolist() == [1, 2, 0]
    assert probability > 0.95


def test_what_is_none_of_the_colours_is_left_out_of_them() -> None:
    seen = np.vstack([(90.0, 120.0, 70.0), KNOWN])
    spots, probability = assign_by_colour(seen, KNOWN)
    assert spots.tolist() == [1, 2, 3] and probability > 0.95
    assert assign_by_colour(np.vstack([KNOWN[1], KNOWN]), KNOWN)[1] <= 0.5, "one of them twice"


@pytest.mark.parametrize("gone", range(6))
def test_what_is_none_of_the_colours_does_not_stand_for_one_that_is_gone(gone: int) -> None:
    known = np.vstack([KNOWN, [(235, 235, 235), (190, 90, 40), (150, 60, 120)]])
    light = 255 * (known * (0.95, 1.0, 1.05) / 255) ** 0.9
    assert assign_by_colour(light, known)[1] > 0.95
    foreign = np.array([(90.0, 120.0, 70.0), (160.0, 150.0, 170.0)])
    assert assign_by_colour(np.vstack([np.delete(light, gone, 0), foreign]), known)[1] <= 0.95


@pytest.mark.parametrize(
    ("seen", "at_most"),
    [
        pytest.param(KNOWN[[0, 1, 1]], 0.5, id="one colour twice"),
        pytest.param(KNOWN[:2], 0.0, id="one is missing"),
        pytest.param(KNOWN * 0 + 128, 0.2, id="none has a colour"),
        pytest.param(np.diag([255.0] * 3), 0.0, id="others altogether"),
    ],
)
def test_colours_stay_unassigned_where_two_are_alike_or_none_fits(
    seen: np.ndarray, at_most: float
) -> None:
    assert assign_by_colour(seen, KNOWN)[1] <= at_most


def test_what_is_no_token_of_the_track_is_not_taken_for_one_in_another_light() -> None:
    track = PrintedSpots(TRACK.at, {token: drawn_token(token) for token in PLAIN})
    reader = TokenSheetReader([PrintedSheet(drawn_sheet(), {"colours": track})])
    tokens = {"red": on_square(2), "orange": on_square(5), "black": (-30.0, 37.0)}
    found = reader.find(photographed(tokens))
    reading = found.tracks["colours"]
    assert (list(reading.order), reading.certain) == (["orange", "red"], False)


@pytest.mark.parametrize(
    ("last", "likely"),
    [
        pytest.param(0.5, {0: 0, 1: 1, 2: 2, 3: 3}, id="as two that are somewhat like theirs"),
        pytest.param(0.2, {0: 0, 1: 1}, id="but nothing that is no token"),
    ],
)
def test_tokens_that_are_not_certain_are_guessed(
    monkeypatch: pytest.MonkeyPatch, last: float, likely: dict[int, int]
) -> None:
    looks = np.array([[0.9, 0, 0, 0], [0, 0.9, 0, 0], [0, 0, last, 0], [0, 0, 0, last]])
    monkeypatch.setattr("vision.token_tracks._looks", lambda *_: looks)
    strip, spots = (
        np.full((60, 300, 3), GROUND, np.uint8),
        [(8, 10), (88, 10), (168, 10), (248, 10)],
    )
    track = PrintedSpots({}, {token: drawn_token("red") for token in "abcd"})
    assert _tokens_at(strip, spots, [0.1] * 4, track) == ({0: 0, 1: 1}, likely, True)


def test_a_sheet_seen_from_low_down_is_found_if_lengths_on_the_table_are_known() -> None:
    picture = photographed({"red": on_square(3), "ram": on_square(1), "fish": on_square(4)})
    height, width = picture.shape[:2]
    low = np.array([[0.8, 0.6, 0], [-0.2, 0.25, 0.2 * width]])
    size = (round(0.8 * width + 0.6 * height), round(0.25 * height + 0.2 * width))
    seen = cv2.warpAffine(picture, low, size, None, cv2.INTER_AREA)
    board = SQUARE @ low[:, :2].T
    assert READER.find(seen) is None
    found = READER.find(seen, table=TableMetric(board[None], 1.0))
    assert [*found.tracks["colours"].order] == ["fish", "red", "ram"]


@pytest.mark.parametrize(
    ("sides", "table", "looks"),
    [
        ((600, 900), None, [600]),
        ((100, 900), None, [100, 900]),
        ((100, 900), TableMetric(SQUARE[None], 1.0), [100, 100, 800]),
    ],
)
def test_a_sheet_is_searched_in_a_small_picture_first(
    monkeypatch: pytest.MonkeyPatch,
    sides: tuple[int, int],
    table: TableMetric | None,
    looks: Sequence[int],
) -> None:
    picture = photographed({"red": on_square(3), "ram": on_square(1), "fish": on_square(4)})
    searched = []

    def extracted(image: np.ndarray, most: int, where: np.ndarray) -> Features:
        searched.append(max(image.shape))
        return extract(image, most, where)

    monkeypatch.setattr("vision.token_sheets.SEARCHED_PX", sides)
    monkeypatch.setattr("vision.token_sheets._FROM_ABOVE_PX", (100, 800))
    monkeypatch.setattr("vision.token_sheets.extract", extracted)
    found = READER.find(picture, table=table)
    assert found is not None and [*found.tracks["colours"].order] == ["fish", "red", "ram"]
    assert searched == looks


def test_a_sheet_is_found_by_features_that_are_seen_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = photographed({"red": on_square(3), "ram": on_square(1), "fish": on_square(4)})
    seen = features_of(picture)
    monkeypatch.setattr("vision.token_sheets._views", lambda *_: iter(()))
    assert READER.find(picture) is None
    found = READER.find(picture, seen=seen)
    assert found is not None and [*found.tracks["colours"].order] == ["fish", "red", "ram"]


def test_a_token_that_is_seen_twice_leaves_doubt() -> None:
    """Such as one of another game beside the sheet."""
    tokens = {"red": on_square(3), "ram": on_square(1), "fish": on_square(4)}
    picture = photographed(tokens)
    other = photographed({"red": (-30, 37)})
    beside = slice(0, picture.shape[1] // 3)
    picture[:, beside] = other[:, beside]
    found = READER.find(picture)
    assert not found.tracks["colours"].certain


@pytest.mark.parametrize(
    ("bare", "last", "taken"),
    [
        pytest.param(0.2, 0.5, {0: 0, 1: 1, 2: 2}, id="on the sheet"),
        pytest.param(-np.inf, 0.5, {0: 0, 1: 1}, id="beside the sheet"),
        pytest.param(0.2, 0.35, {0: 0, 1: 1}, id="unlike the token"),
        pytest.param(0.5, 0.5, {0: 0, 1: 1}, id="as the print"),
    ],
)
def test_the_last_token_is_on_the_only_spot_of_the_sheet_that_may_bear_it(
    bare: float, last: float, taken: dict[int, int]
) -> None:
    looks = np.array([[0.9, 0.3, 0.3], [0.3, 0.9, 0.3], [0.3, 0.3, last]])
    assert _surely(looks, [0.2, 0.2, bare]) == (taken, True)


def test_no_token_is_taken_by_elimination_of_two_spots_or_two_tokens() -> None:
    two_spots = np.array([[0.9, 0.3], [0.3, 0.5], [0.3, 0.5]])
    assert _surely(two_spots, [0.2] * 3)[0] == {0: 0}
    two_tokens = np.array([[0.9, 0.3, 0.3], [0.3, 0.5, 0.3], [0.3, 0.3, 0.5]])
    assert _surely(two_tokens, [0.2] * 3)[0] == {0: 0}


def test_no_track_is_read_where_the_sheet_is_not() -> None:
    assert READER.find(np.full((300, 500, 3), (150, 165, 175), np.uint8)) is None


def test_a_spot_bears_a_token_or_nothing_or_is_left_out() -> None:
    """What neither is a token nor looks as the sheet is printed there is nothing certain."""
    spots = PrintedSpots(TRACK.at, TRACK.faces)
    reader = TokenSheetReader([PrintedSheet(drawn_sheet(), spots=[spots])])
    picture = photographed({"fish": on_square(1), "red": on_square(3, 1), "ram": on_square(4)})
    found = reader.find(picture)
    laid = {"colours.1": "fish", "colours.3": "red", "colours.4": "ram"}
    assert found.spots == {id: laid.get(id) for id in TRACK.at}
    x, y = np.rint(found.corners.mean(axis=0)).astype(int)
    cv2.circle(picture, (int(x), int(y)), 26, (10, 200, 240), -1)
    covered = reader.find(picture)
    assert covered is not None and "colours.3" not in covered.spots
