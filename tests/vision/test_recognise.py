"""Which board it is, and where, when the finder is of little help."""

import re
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from calibration import Profile, load_profile
from tests.conftest import in_ci
from vision import (
    Find,
    FoundBoard,
    NoBoardError,
    Photo,
    Reader,
    Recogniser,
    UnknownBoardError,
    features,
    refine,
)
from vision.features import Features
from vision.known_board import KnownBoard
from vision.models import load_models
from vision.rectify import homography, transform, warp
from vision.refusals import why_unknown

SIZE = (1000, 800)
LEFT = np.array([[90.0, 150], [400, 120], [430, 560], [60, 540]])
RIGHT = np.array([[930.0, 640], [620, 660], [560, 250], [900, 210]])


@dataclass
class Scripted:
    """A finder that says what it was told to: for the whole picture, and for parts of it."""

    whole: list[FoundBoard] = field(default_factory=list)
    nearer: list[FoundBoard] = field(default_factory=list)

    def find(self, image: np.ndarray) -> list[FoundBoard]:
        return self.whole if image.shape[1::-1] == SIZE else self.nearer


@pytest.fixture(scope="module")
def standard() -> Profile:
    return load_profile("standard")


@pytest.fixture(scope="module")
def repainted(standard: Profile) -> Profile:
    """Another edition: circles and links at the same places, other artwork."""
    rng = np.random.default_rng(4)
    height, width = standard.reference.shape[:2]
    noise = cv2.resize(rng.integers(0, 256, (60, 50, 3), np.uint8), (width, height))
    picture = noise // 2 + 60
    for shape in standard.spaces.values():
        at = tuple(round(4 * v) for v in shape.at)
        cv2.circle(picture, at, round(4 * shape.radius), (200, 210, 220), 6, cv2.LINE_AA)
    return replace(standard, name="repainted", reference=picture)


def resized(profile: Profile, width: float, height: float) -> Profile:
    """The same picture, said to be of another size."""
    reference = cv2.resize(profile.reference, (round(4 * width), round(4 * height)))
    layout = replace(profile.layout, size_mm=(width, height))
    return replace(profile, name=f"{width:g}", layout=layout, reference=reference)


def table(*boards: tuple[Profile, np.ndarray]) -> np.ndarray:
    """The boards lying with their (4, 2) corners on a table of cloth."""
    rng = np.random.default_rng(0)
    picture = cv2.resize(rng.integers(70, 150, (200, 250, 3), np.uint8), SIZE)
    for profile, corners in boards:
        to_picture = homography(corners, profile.size_mm) @ np.diag([0.25, 0.25, 1])
        inside = np.full(profile.reference.shape[:2], 255, np.uint8)
        inside = cv2.warpPerspective(inside, to_picture, SIZE) > 127
        picture[inside] = warp(profile.reference, to_picture, SIZE)[inside]
    noise = rng.normal(0, 4, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) * 0.8 + noise, 0, 255).astype(np.uint8)


def off(found: np.ndarray, true: np.ndarray) -> float:
    """The worst corner's distance in px."""
    return float(np.linalg.norm(found - true, axis=1).max())


def test_what_the_finder_misses_is_found_by_its_features(standard: Profile) -> None:
    """Twice in one picture, each turned another way."""
    picture = table((standard, LEFT), (standard, RIGHT))
    finds = Recogniser([KnownBoard(standard)], [Scripted()]).recognise(picture)
    assert [find.profile for find in finds] == [standard] * 2
    left, right = sorted(finds, key=lambda find: find.corners[:, 0].mean())
    assert off(left.corners, LEFT) < 3 and off(right.corners, RIGHT) < 3


@in_ci
def test_the_far_board_of_a_table_is_found(standard: Profile) -> None:
    """Foreshortened and small, it is seen only by whoever looks closer, between the others."""
    far = np.array([[744.0, 307], [606, 312], [620, 250], [730, 245]])
    picture = table((standard, LEFT), (standard, far))
    recogniser = Recogniser.of([standard])
    assert len(recogniser.recognise(picture, expected=0)) == 1
    near, away = recogniser.recognise(picture, expected=2)
    assert off(near.corners, LEFT) < 3 and off(away.corners, far) < 3


@in_ci
def test_less_is_asked_of_a_board_among_its_like(standard: Profile) -> None:
    """Other editions need not be feared there, and a far board full of pieces is little alike."""
    far = 0.35 * LEFT + 200
    picture, rng = table((standard, far)), np.random.default_rng(2)
    for at in transform(homography(far, standard.size_mm), rng.uniform(10, 190, (60, 2))):
        paint = tuple(int(level) for level in rng.integers(20, 250, 3))
        cv2.circle(picture, tuple(at.round().astype(int)), 3, paint, -1, cv2.LINE_AA)
    board = KnownBoard(standard)
    assert board.register(picture, far) is None
    among = board.register(picture, far, among_its_like=True)
    assert among is not None and off(board.corners(among.to_image), far) < 2


@in_ci
def test_a_faint_find_is_not_dropped_for_clearer_false_ones(standard: Profile) -> None:
    false = FoundBoard(np.array([[510.0, 10], [590, 12], [588, 95], [508, 90]]), 0.9)
    finder = Scripted([FoundBoard(LEFT + 6, 0.1)], [false])
    (find,) = Recogniser([KnownBoard(standard)], [finder]).recognise(table((standard, LEFT)))
    assert find.profile is standard and off(find.corners, LEFT) < 3


@pytest.mark.parametrize("size", [(100, 120), (1000, 1200), (1200, 400)])
def test_a_board_of_any_size_is_laid_as_exactly(
    standard: Profile, size: tuple[float, float]
) -> None:
    profile = resized(standard, *size)
    rough = LEFT + np.random.default_rng(1).uniform(-12, 12, (4, 2))
    registered = KnownBoard(profile).register(table((profile, LEFT)), rough)
    assert off(KnownBoard(profile).corners(registered.to_image), LEFT) < 2.5


def test_each_board_in_one_picture_is_distinguished_from_the_other(
    standard: Profile, repainted: Profile
) -> None:
    boards = [KnownBoard(repainted), KnownBoard(standard)]
    picture = table((standard, LEFT), (repainted, RIGHT))
    finder = Scripted([FoundBoard(RIGHT + 5, 0.9), FoundBoard(LEFT - 5, 0.8)])
    finds = Recogniser(boards, [finder]).recognise(picture)
    reported = {find.profile: find.corners for find in finds}
    assert set(reported) == {standard, repainted}
    assert off(reported[standard], LEFT) < 3 and off(reported[repainted], RIGHT) < 3


def test_another_edition_is_not_read_as_this_one(standard: Profile, repainted: Profile) -> None:
    """Its circles lie at the same places, so that a reading would be all invented stars."""
    finder = Scripted([FoundBoard(LEFT, 0.9)])
    reader = Reader(standard, replace(load_models("nebula"), finder=finder))
    with pytest.raises(UnknownBoardError, match="looks different from the board of profile stan"):
        reader.read(Photo(table((repainted, LEFT)), SIZE, "other.jpg"))


@pytest.mark.parametrize("there", ["standard", "variant"])
def test_variants_that_differ_in_places_alone_are_distinguished(
    standard: Profile, there: str
) -> None:
    """Whichever of them is preferred, and with pieces on some of those places."""
    picture = standard.require_reference().copy()
    rng = np.random.default_rng(2)
    for shape in list(standard.spaces.values())[::6]:
        at = tuple(round(4 * v) for v in shape.at)
        cv2.circle(picture, at, round(3.5 * shape.radius), rng.integers(0, 256, 3).tolist(), -1)
    variant = replace(standard, name="variant", reference=picture)
    for order in ([standard, variant], [variant, standard]):
        shown = next(profile for profile in order if profile.name == there)
        laid = shown.require_reference().copy()
        for shape in list(standard.spaces.values())[::9]:
            at = tuple(round(4 * v) for v in shape.at)
            cv2.circle(laid, at, round(4 * shape.radius), (40, 40, 200), -1)
        picture = table((replace(shown, reference=laid), LEFT))
        for finder in (Scripted([FoundBoard(LEFT + 3, 0.9)]), Scripted()):
            (find,) = Recogniser([*map(KnownBoard, order)], [finder]).recognise(picture)
            assert find.profile == shown


@pytest.mark.parametrize(("profiles", "named"), [(2, "profile .* or "), (7, "every known board")])
def test_few_profiles_are_named_that_a_board_differs_from(
    standard: Profile, repainted: Profile, profiles: int, named: str
) -> None:
    photo = Photo(table((repainted, LEFT)), SIZE, "other.jpg")
    assert re.search(named, str(why_unknown(photo, LEFT, [KnownBoard(standard)] * profiles)))


def test_failed_proposals_cost_little(
    standard: Profile, repainted: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few of them are tried, and all known boards are searched for in one picture of each."""
    boards = [KnownBoard(one) for one in (resized(standard, 300, 300), resized(standard, 350, 250))]
    false = [FoundBoard(0.4 * LEFT + at, 0.9) for at in (0, 200, 400, [0, 300])]
    tried, searched = [], set()

    def extract(picture: np.ndarray, most: int) -> Features:
        if 400 < max(picture.shape) < 600:
            searched.add(picture.tobytes())
        return features.extract(picture, most)

    def register(self: Recogniser, image: np.ndarray, *given: object) -> Find | None:
        tried.append(given)
        return as_usual(self, image, *given)

    as_usual = Recogniser.register
    monkeypatch.setattr(Recogniser, "register", register)
    monkeypatch.setattr(refine, "extract", extract)
    finder = Scripted(false, [replace(one, corners=one.corners / 2) for one in false])
    finds = Recogniser(boards, [finder]).recognise(table((repainted, LEFT)))
    assert all(find.profile is None for find in finds)
    assert len(tried) < 6 and len(searched) == len(tried)


def test_one_reason_is_given_for_all_boards_that_are_unknown(
    standard: Profile, repainted: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def why(*about: object) -> UnknownBoardError:
        given.append(about)
        return UnknownBoardError("another")

    monkeypatch.setattr("vision.reader.why_unknown", why)
    finder = Scripted([FoundBoard(LEFT, 0.9), FoundBoard(RIGHT, 0.9)])
    reader = Reader(standard, replace(load_models("nebula"), finder=finder))
    picture = table((repainted, LEFT), (repainted, RIGHT))
    with pytest.raises(UnknownBoardError):
        reader.read(Photo(picture, SIZE, "other.jpg"))
    assert len(given) == 1


def test_a_table_without_a_board_is_searched_in_vain(standard: Profile) -> None:
    reader = Reader(standard, replace(load_models("nebula"), finder=Scripted()))
    with pytest.raises(NoBoardError):
        reader.read(Photo(table(), SIZE, "table.jpg"))
