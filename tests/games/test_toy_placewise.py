"""A game that brings no models: its boards are read place by place, its pieces told by colours."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.models
from calibration import Profile, load_profile
from tests.games.photographs import photographed
from vision import Library, NoBoardError, Photo, Reader, UnreadableBoardError, load_photo
from vision.placewise import PlacewiseReader


@pytest.fixture(scope="module")
def meadow() -> Profile:
    return load_profile("meadow")


@pytest.fixture(scope="module")
def reader(meadow: Profile) -> PlacewiseReader:
    return PlacewiseReader(meadow)


def as_photo(picture: np.ndarray, folder: Path) -> Photo:
    file = folder / "pond.png"
    cv2.imwrite(str(file), picture)
    return load_photo(file)


def test_a_game_without_models_of_its_own_is_read_place_by_place(
    meadow: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not isinstance(Reader.of(meadow), PlacewiseReader)
    monkeypatch.setattr(vision.models, "brings_models", lambda game: False)
    monkeypatch.setattr("vision.reader.brings_models", lambda game: False)
    assert isinstance(Reader.of(meadow), PlacewiseReader)


@pytest.mark.parametrize("seed", [1, 2])
def test_frogs_that_no_network_has_seen_are_told_by_their_colours(
    reader: PlacewiseReader, seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(seed)
    places = list(reader.profile.places)
    lying = {p: str(rng.choice(reader.classes)) for p in places if rng.random() < 0.7}
    photo = as_photo(photographed(reader.profile, lying, seed), tmp_path)
    (board,) = reader.read(photo).boards
    assert board.pieces == lying
    assert min(read.confidence for read in board.places.values()) > 0.5


def test_a_board_of_another_game_is_no_board_of_this_one(meadow: Profile) -> None:
    galaxy = load_photo(Path("webapp/demo/ana.jpg"))
    with pytest.raises((NoBoardError, UnreadableBoardError)):
        PlacewiseReader(meadow).read(galaxy)
    both = Library([PlacewiseReader(meadow), Reader.of(load_profile("nebula/standard"))])
    assert [board.game for board in both.read(galaxy).boards] == ["nebula"]
