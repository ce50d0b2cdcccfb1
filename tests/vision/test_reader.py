"""The whole way from a photograph to a reading, on the sample game's photographs."""

import json
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import load_profile
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from tests.conftest import in_full
from tests.films.film import Film, Script
from vision import (
    BoardReading,
    NoBoardError,
    NoColoursError,
    Photo,
    Reader,
    UnreadableBoardError,
    draw_overlay,
    load_models,
    load_photo,
)
from vision.rectify import transform

DEMO = Path(str(files("webapp"))) / "demo"
TRUTH = json.loads((DEMO / "truth.json").read_text())


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.of(load_profile("standard"))


@pytest.fixture(scope="module", params=sorted(TRUTH))
def named(request: pytest.FixtureRequest) -> tuple[Photo, dict]:
    return load_photo(DEMO / f"{request.param}.jpg"), TRUTH[request.param]


@pytest.fixture(scope="module")
def ana() -> Photo:
    return load_photo(DEMO / "ana.jpg")


def changed(photo: Photo, image: np.ndarray) -> Photo:
    """The photograph with another picture in it."""
    return Photo(np.ascontiguousarray(image), image.shape[1::-1], photo.name)


def stars_and_black(board: BoardReading) -> tuple[dict[str, str], int]:
    """The stars by their spaces, and how many black ones the track holds."""
    stars = {place.id: star for place, star in board.pieces.items() if place.kind == "spot"}
    return stars, board.tracks["black"].count


def stars(reader: Reader, photo: Photo) -> tuple[dict[str, str], int]:
    return stars_and_black(reader.read(photo).boards[0])


def test_the_sample_game_is_read_without_a_mistake(
    reader: Reader, named: tuple[Photo, dict]
) -> None:
    photo, truth = named
    assert stars(reader, photo) == (truth["stars"], truth["black"])


@pytest.mark.parametrize("turns", in_full([1, 2, 3], 1))
def test_a_board_may_lie_in_any_direction(reader: Reader, ana: Photo, turns: int) -> None:
    turned = changed(ana, np.rot90(ana.image, turns))
    assert stars(reader, turned) == (TRUTH["ana"]["stars"], TRUTH["ana"]["black"])
    core = reader.read(turned).boards[0].corners.mean(axis=0)
    assert (core > 0).all() and (core < turned.size).all()


def test_corners_are_reported_in_printed_order(reader: Reader, ana: Photo) -> None:
    upright = reader.read(ana).boards[0].corners
    width, height = ana.size
    over = reader.read(changed(ana, np.rot90(ana.image, 2))).boards[0].corners
    assert np.abs(over - (np.array([width, height]) - upright)).max() < 0.01 * width


@pytest.mark.parametrize("seen", ["large", "small"])
def test_a_large_photograph_is_decoded_whole_for_a_small_board_only(
    reader: Reader, ana: Photo, seen: str
) -> None:
    picture = cv2.resize(ana.image, (2400, 1800))
    if seen == "small":
        picture = cv2.copyMakeBorder(picture, 0, 1800, 0, 2400, cv2.BORDER_REPLICATE)
    photo = load_photo(cv2.imencode(".jpg", picture)[1].tobytes())
    board = reader.read(photo).boards[0]
    assert stars_and_black(board) == (TRUTH["ana"]["stars"], TRUTH["ana"]["black"])
    assert ("image" in vars(photo)) == (seen == "small")
    assert np.abs(board.corners - 1.5 * reader.read(ana).boards[0].corners).max() < 6


def test_two_boards_in_one_photograph_are_both_read(reader: Reader, ana: Photo) -> None:
    luis = load_photo(DEMO / "luis.jpg")
    image = cv2.resize(luis.image, ana.image.shape[1::-1])
    both = changed(ana, np.hstack([ana.image, image]))
    boards = sorted(reader.read(both).boards, key=lambda board: board.corners[:, 0].mean())
    for board, name in zip(boards, ("ana", "luis"), strict=True):
        assert stars_and_black(board) == (TRUTH[name]["stars"], TRUTH[name]["black"])


def test_a_small_dark_photograph_is_still_read(reader: Reader, ana: Photo) -> None:
    small = cv2.resize(ana.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    dark = (small * 0.45).astype(np.uint8)
    assert stars(reader, changed(ana, dark)) == (TRUTH["ana"]["stars"], TRUTH["ana"]["black"])


def test_a_photograph_kept_at_half_size_is_reported_in_its_own_pixels(
    reader: Reader, ana: Photo
) -> None:
    width, height = ana.size
    halved = cv2.resize(ana.image, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    reading = reader.read(Photo(halved, ana.size, ana.name, 0.5))
    whole = reader.read(ana)
    assert np.abs(reading.boards[0].corners - whole.boards[0].corners).max() < 0.006 * width


def test_an_empty_table_has_no_board(reader: Reader) -> None:
    rng = np.random.default_rng(0)
    table = cv2.resize(rng.integers(90, 140, (30, 40, 3), np.uint8), (1200, 900))
    with pytest.raises(NoBoardError, match="no board found; take the photograph"):
        reader.read(Photo(table, (1200, 900), "table.jpg"))


@pytest.mark.parametrize("size", [(1, 1), (4000, 1), (1200, 900)])
def test_a_blank_picture_has_no_board(reader: Reader, size: tuple[int, int]) -> None:
    """White as it is, it is no photograph in black and white; a strip was not read at all."""
    white = np.full((size[1], size[0], 3), 255, np.uint8)
    white[0, 0] = (0, 0, 200)
    with pytest.raises(NoBoardError, match="no board found; take the photograph"):
        reader.read(Photo(white, size, "white.png"))


def test_black_and_white_is_refused_in_one_sentence(reader: Reader, ana: Photo) -> None:
    """It was read with 37 silent errors in 300 spaces."""
    grey = cv2.cvtColor(cv2.cvtColor(ana.image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    with pytest.raises(NoColoursError, match="has no colours"):
        reader.read(changed(ana, grey))


def test_half_a_board_is_not_guessed(reader: Reader, ana: Photo) -> None:
    corners = reader.read(ana).boards[0].corners
    middle = int(corners[:, 0].mean())
    with pytest.raises(UnreadableBoardError, match=r"part of the board|not clear"):
        reader.read(changed(ana, ana.image[:, :middle]))


def test_a_board_of_a_few_pixels_is_reported_too_small(reader: Reader, ana: Photo) -> None:
    scale = 200 / max(ana.size)
    tiny = cv2.resize(ana.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    with pytest.raises(UnreadableBoardError, match=r"too small|not clear"):
        reader.read(changed(ana, tiny))


def test_something_over_a_space_is_reported(reader: Reader, ana: Photo) -> None:
    board = reader.read(ana).boards[0]
    ge6 = transform(board.to_photo, np.array([reader.profile.spaces["ge6"].at]))[0]
    covered = ana.image.copy()
    side = np.linalg.norm(board.corners[1] - board.corners[0])
    cv2.circle(covered, ge6.round().astype(int).tolist(), int(side * 0.09), (150, 190, 150), -1)
    flags = reader.read(changed(ana, covered)).boards[0].flags
    reported = {
        space for flag in flags if flag.kind in ("hidden", "uncertain") for space in flag.spaces
    }
    assert "ge6" in reported


class Listening:
    """A classifier that notes of how many places it is told at once."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        self.told.append(len(described))
        classifier = load_models("nebula").classifier
        return classifier.log_odds(described)


def test_boards_of_one_table_are_classified_jointly(reader: Reader, ana: Photo) -> None:
    """Their pieces are of one set, in one light: what one board leaves open another may settle."""
    listening = Listening()
    both = np.hstack([ana.image, load_photo(DEMO / "luis.jpg").image])
    hearing = Reader(reader.profile, replace(load_models("nebula"), classifier=listening))
    boards = hearing.read(changed(ana, both), expected=2).boards
    found = {stars_and_black(board)[1]: stars_and_black(board)[0] for board in boards}
    assert found == {truth["black"]: truth["stars"] for truth in TRUTH.values()}
    places, pieces = len(reader.places), [len(t["stars"]) + t["black"] for t in TRUTH.values()]
    assert listening.told[:2] == [places] * 2
    assert sorted(listening.told[2:]) == sorted(places + count for count in pieces)


class Wavering:
    """Sees stars nowhere, and wavers over the last slot of a track that is full otherwise."""

    def __init__(self, reader: Reader) -> None:
        empty, black = len(reader.classes), reader.classes.index("black")
        self._odds = np.zeros((len(reader.places), empty + 1))
        for row, place in enumerate(reader.places):
            on_track = place.kind == "track"
            self._odds[row, black if on_track else empty] = 9
            if on_track and place.slot == 9:
                self._odds[row, empty] = 9.5

    def log_odds(self, described: np.ndarray) -> np.ndarray:
        return self._odds


def test_a_doubtful_count_is_flagged(reader: Reader, ana: Photo) -> None:
    """The tenth, bare number looks like the bare print: a full track was counted 9, in silence."""
    wavering = replace(load_models("nebula"), classifier=Wavering(reader))
    board = Reader(reader.profile, wavering).read(ana).boards[0]
    assert board.tracks["black"].count == 9 and board.tracks["black"].confidence < 0.7
    (flag,) = [flag for flag in board.flags if flag.spaces == ("black",)]
    assert flag.kind == "uncertain" and list(flag.more["alternatives"]) == ["9", "10"]


def test_the_reading_is_the_contracts(
    reader: Reader, ana: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.reader.perf_counter", partial(next, count(0, 0.001)))
    data = reader.read(ana, load_ms=12.0).to_data()
    assert data["format"] == 1 and data["photo"] == "ana.jpg" and data["size"] == list(ana.size)
    (board,) = data["boards"]
    assert (board["profile"], board["game"]) == ("standard", "nebula") and len(
        board["corners"]
    ) == 4
    assert set(board["spaces"]) == set(reader.profile.spaces)
    assert all(0 <= space["confidence"] <= 1 for space in board["spaces"].values())
    pieces = {name: space["star"] for name, space in board["spaces"].items() if space["star"]}
    assert pieces == TRUTH["ana"]["stars"]
    # By a clock on which each step takes a millisecond: a board is located twice, roughly and well.
    assert list(data["timing_ms"].items()) == [
        ("load", 12.0),
        ("locate", 2.0),
        ("detect", 1.0),
        ("decode", 1.0),
        ("total", 16.0),
    ]
    json.dumps(data)


def test_the_overlay_marks_what_was_read(reader: Reader, ana: Photo) -> None:
    reading = reader.read(ana)
    drawn = draw_overlay(ana, reading, [reader.profile])
    assert max(drawn.shape[:2]) == 1600
    scale = 1600 / max(ana.size)
    plain = cv2.resize(ana.image, drawn.shape[1::-1], interpolation=cv2.INTER_AREA)
    for name, space in reader.profile.spaces.items():
        x, y = transform(reading.boards[0].to_photo, np.array([space.at]))[0] * scale
        around = np.s_[int(y) - 40 : int(y) + 40, int(x) - 40 : int(x) + 40]
        assert (drawn[around] != plain[around]).any(), f"nothing is drawn on {name}"


def test_a_profile_without_a_picture_is_refused() -> None:
    profile = load_profile("standard")
    with pytest.raises(ValueError, match="not calibrated"):
        Reader.of(type(profile)(profile.name, profile.layout, None))


@pytest.mark.parametrize("boards", in_full([2, 4], 2))
def test_boards_side_by_side_are_all_read(reader: Reader, boards: int) -> None:
    """Of colours that nobody confuses: how well they are told apart is measured elsewhere."""
    laid = Galaxy({"core": "red", "ar1": "blue", "ta1": "purple"}, 2)
    script = Script((NEBULA.pieces_of(laid),) * boards, (), 1.0)
    frame = next(Film(script, reader.profile, 8).frames())
    reading = reader.read(Photo(frame, frame.shape[1::-1], "table.jpg"))
    assert len(reading.boards) == boards
    for board in reading.boards:
        assert stars_and_black(board)[0].items() >= laid.stars.items()
    assert [stars_and_black(board)[1] for board in reading.boards] == [laid.black] * boards
