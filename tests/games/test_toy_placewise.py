"""A game that brings no models: its boards are read place by place, its pieces told by colours."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.models
from calibration import PX_PER_MM, Profile, load_profile
from calibration.colour_profile import ColourProfile, Swatch
from models.any_game import SURENESS, load, load_both, load_small
from scorer import registry
from scorer.places import Circle, Place
from tests.conftest import in_ci
from tests.games.photographs import photographed
from vision import (
    Library,
    NoBoardError,
    Photo,
    Reader,
    UnreadableBoardError,
    load_photo,
    place_network,
)
from vision.colour_calibration import ColourCalibrationError, calibrate_colours
from vision.placewise import PlacewiseReader
from vision.reader import Clock


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
def test_frogs_that_no_network_has_seen_are_classified_by_colour(
    reader: PlacewiseReader, seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(seed)
    places = list(reader.profile.places)
    lying = {p: str(rng.choice(reader.classes)) for p in places if rng.random() < 0.7}
    photo = as_photo(photographed(reader.profile, lying, seed), tmp_path)
    (board,) = reader.read(photo).boards
    assert board.pieces == lying
    assert min(read.confidence for read in board.places.values()) > 0.5


def test_bare_places_in_the_blue_shadows_of_a_sunny_day_are_empty(
    reader: PlacewiseReader, tmp_path: Path
) -> None:
    picture = photographed(reader.profile, {}, 1)
    shade = np.zeros(picture.shape[:2], np.float32)
    for left in range(250, 1400, 200):
        cv2.line(shade, (left, 150), (left + 40, 960), 1, 80)
    shade = cv2.GaussianBlur(shade, (0, 0), 2)[..., None]
    sunny = (picture * (0.9, 0.75, 0.5) ** shade).astype(np.uint8)
    (board,) = reader.read(as_photo(sunny, tmp_path)).boards
    assert not any(board.pieces.values())
    assert not board.flags


@pytest.mark.parametrize("light", [(40, 40, 220), (200, 120, 30), (40, 200, 230)])
def test_a_place_in_coloured_light_is_bare_while_its_print_can_be_read(
    reader: PlacewiseReader, light: tuple[int, int, int], tmp_path: Path
) -> None:
    picture = reader.profile.require_reference().copy()
    place = reader.places[0]
    shape = reader.profile.places[place]
    assert isinstance(shape, Circle)
    spot = np.zeros(picture.shape[:2], np.uint8)
    x, y = np.multiply(shape.at, PX_PER_MM).astype(int).tolist()
    cv2.circle(spot, (x, y), round(shape.radius * PX_PER_MM), 1, cv2.FILLED)
    lit = spot > 0
    grain = picture[lit].mean(axis=1, keepdims=True) / picture[lit].mean()
    picture[lit] = np.clip((picture[lit] + grain * light) / 2, 0, 255)
    to_image = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
    odds = reader.look(as_photo(picture, tmp_path), to_image, Clock(0)).observed.odds[0]
    assert np.logaddexp.reduce(odds[:-1]) - odds[-1] < -1


@in_ci
def test_a_board_of_another_game_is_no_board_of_this_one(meadow: Profile) -> None:
    galaxy = load_photo(Path("webapp/demo/ana.jpg"))
    with pytest.raises((NoBoardError, UnreadableBoardError)):
        PlacewiseReader(meadow).read(galaxy)
    both = Library([PlacewiseReader(meadow), Reader.of(load_profile("nebula/standard"))])
    assert [board.game for board in both.read(galaxy).boards] == ["nebula"]


def one_of_each(reader: PlacewiseReader, seed: int) -> dict[Place, str]:
    rng = np.random.default_rng(seed)
    kinds = [reader.classes[n] for n in reader.laid]
    chosen = rng.choice(len(reader.places), len(kinds), replace=False)
    return {reader.places[n]: kind for n, kind in zip(chosen, kinds, strict=True)}


def test_one_piece_of_each_kind_on_a_board_shows_what_they_look_like(
    reader: PlacewiseReader, tmp_path: Path
) -> None:
    lying = one_of_each(reader, 3)
    photo = as_photo(photographed(reader.profile, lying, 3), tmp_path)
    lesson = calibrate_colours(reader, photo)
    assert [piece.piece for piece in lesson.pieces] == [reader.classes[n] for n in reader.laid]
    (board,) = reader.read(photo).boards
    colours = {lying[place]: read.colour for place, read in board.places.items() if place in lying}
    assert {swatch.piece: swatch.colour for swatch in lesson.colour_profile.swatches} == colours


def test_samples_of_another_light_are_left_out_and_said_so(meadow: Profile, tmp_path: Path) -> None:
    reader = PlacewiseReader(meadow)
    kinds = [reader.classes[n] for n in reader.laid]
    lying = {place: kinds[n % len(kinds)] for n, place in enumerate(reader.places)}
    photo = as_photo(photographed(meadow, lying, 3), tmp_path)
    (board,) = reader.read(photo).boards
    assert not board.samples_left_out
    colours = {lying[place]: read.colour or "" for place, read in board.places.items()}
    for told_as, left_out in (kinds, False), ((*kinds[1:], kinds[0]), True):
        swatches = (Swatch(one, colours[other]) for one, other in zip(kinds, told_as, strict=True))
        reader.colour_profile = ColourProfile(tuple(swatches))
        (board,) = reader.read(photo).boards
        assert board.pieces == lying
        assert board.samples_left_out == left_out


def test_a_kind_that_was_not_laid_is_asked_for(reader: PlacewiseReader, tmp_path: Path) -> None:
    lying = one_of_each(reader, 4)
    lying.pop(next(iter(lying)))
    photo = as_photo(photographed(reader.profile, lying, 4), tmp_path)
    with pytest.raises(ColourCalibrationError, match="are wanted") as refused:
        calibrate_colours(reader, photo)
    assert (refused.value.problem, len(refused.value.pieces)) == ("missing", len(lying))


def test_games_that_ship_share_a_small_network_and_all_others_a_larger_one() -> None:
    assert registry.find(place_network.GROUP, "via_nebula") is load_small
    assert registry.find(place_network.GROUP, "any_game") is load
    small, large = place_network._network("via_nebula"), place_network._network("meadow")
    assert place_network._network("ptolemaeus") is small
    assert place_network._network("orchard") is large is not small


def test_skies_are_read_by_the_mean_of_both_networks() -> None:
    assert registry.find(place_network.GROUP, "polaris") is load_both
    rng = np.random.default_rng(0)
    inputs = {
        "patches": rng.uniform(0, 255, (5, 8, 28, 28)).astype(np.float32),
        "edge": np.zeros((5, 1), np.float32),
        "swatches": rng.uniform(0, 255, (3, 3)).astype(np.float32),
        "on_edges": np.zeros((3, 1), np.float32),
    }
    small, large, both = (one().answer(inputs) for one in (load_small, load, load_both))
    np.testing.assert_allclose(both, (small + large / SURENESS) / 2, rtol=1e-4, atol=1e-4)
