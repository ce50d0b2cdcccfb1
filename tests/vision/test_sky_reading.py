"""A night sky, which brings no models: its stars, its links, and its moon frame that is turned."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import PX_PER_MM, Profile, load_profile
from models.polaris.moon_frame import turn_frame
from models.synthesis.texture import bgr
from scorer.places import Bar, Place, Shape
from tests.conftest import in_ci
from tests.vision.glued_print import draw_seams
from vision import BoardReading, Library, NoBoardError, Reader, load_photo
from vision.board_print import RectifiedBoard
from vision.cast_shadows import CastShadows
from vision.dial import Dial
from vision.observer import BoardObservation
from vision.place_network import blend_kinds
from vision.placewise import PlacewiseReader
from vision.reader import Clock
from vision.rectify import Canvas, homography, warp

Lying = dict[Place, str]
COLOURS = ("red", "yellow", "blue", "purple")
CORNERS = [(330.0, 110.0), (1290.0, 70.0), (1380.0, 1090.0), (210.0, 1130.0)]


@pytest.fixture(scope="module")
def taken(sky: Profile, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lying]:
    """One photograph of a sky on a table, with pieces of paper; and what lies on it."""
    rng = np.random.default_rng(4)
    lying = _anything(rng, sky, 0.5)
    board = turn_frame(rng, sky, 4).require_reference().copy()
    file = tmp_path_factory.mktemp("sky") / "sky.jpg"
    _photograph(rng, sky, board, lying, file)
    return file, lying


def _anything(rng: np.random.Generator, sky: Profile, share: float) -> Lying:
    lying: Lying = {Place("4", "dial"): "new_moon"}
    for place in sky.places:
        if place.kind != "dial" and sky.game.admits(place) and rng.random() < share:
            lying[place] = "link" if place.kind == "edge" else str(rng.choice(COLOURS))
    return lying


def _photograph(
    rng: np.random.Generator, sky: Profile, board: np.ndarray, lying: Lying, file: Path
) -> None:
    """The board on a table, uint8 as its reference, with those pieces laid on it."""
    colours = {piece.id: bgr(piece.colour) for piece in sky.game.pieces}
    for place, piece in lying.items():
        if place.kind != "dial":
            _lay(board, sky.places[place], colours[piece])
    onto = homography(np.array(CORNERS), sky.size_mm) @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1])
    picture = warp(board, onto, (1600, 1200), border=(70, 90, 110)).astype(float)
    lamp = np.linspace(1.0, 0.75, 1600)[:, None]
    picture = picture * lamp + rng.normal(0, 3, picture.shape)
    cv2.imwrite(str(file), np.clip(picture, 0, 255).astype(np.uint8))


def _lay(board: np.ndarray, shape: Shape, colour: tuple[float, float, float]) -> None:
    x, y = (round(v * PX_PER_MM) for v in shape.at)
    if isinstance(shape, Bar):
        length, width = (side * PX_PER_MM for side in shape.size)
        box = cv2.boxPoints(((x, y), (length, width), shape.turn + 4)).round().astype(np.int32)
        cv2.fillConvexPoly(board, box, colour, cv2.LINE_AA)
        cv2.polylines(board, [box], True, (60, 50, 45), 1, cv2.LINE_AA)
    else:
        cv2.circle(board, (x + 2, y - 3), round(0.9 * shape.radius * PX_PER_MM), colour, -1)


@pytest.fixture(scope="module")
def read(sky: Profile, taken: tuple[Path, Lying]) -> BoardReading:
    reader = Reader.of(sky)
    assert isinstance(reader, PlacewiseReader)
    (board,) = reader.read(load_photo(taken[0])).boards
    return board


def test_stars_links_and_the_new_moon_are_read(
    read: BoardReading, taken: tuple[Path, Lying]
) -> None:
    wrong = [p for p, one in read.places.items() if one.piece != taken[1].get(p)]
    assert len(read.places) == 81 + 145 + 5
    assert len(wrong) <= 3
    doubted = {space for flag in read.flags for space in flag.spaces}
    assert len([place for place in wrong if place.id not in doubted]) <= 1


@in_ci
@pytest.mark.parametrize(("wide_mm", "soft_px"), [(0.5, 0.0), (0.9, 1.5), (1.2, 0.0)])
def test_the_seams_of_a_print_in_four_sheets_are_no_links_but_links_lie_on_them(
    wide_mm: float, soft_px: float, sky: Profile, tmp_path: Path
) -> None:
    """White edges of paper along four spokes, which have twelve places; a shadow beside each."""
    rng = np.random.default_rng(6)
    lying = _anything(rng, sky, 0.4)
    board = turn_frame(rng, sky, 4).require_reference().copy()
    draw_seams(board, sky.spaces["polaris"].at, wide_mm)
    file = tmp_path / "glued.jpg"
    _photograph(rng, sky, board, lying, file)
    if soft_px:
        cv2.imwrite(str(file), cv2.GaussianBlur(cv2.imread(str(file)), (0, 0), soft_px))
    photo, reader = load_photo(file), PlacewiseReader(sky)
    seen = reader.look(photo, homography(np.array(CORNERS), sky.size_mm), Clock(0))
    read = reader.classify(photo, seen, None)
    asked = {space for flag in read.flags for space in flag.spaces}
    edges = [place for place in sky.places if place.kind == "edge"]
    wrong = {place.id for place in edges if read.places[place].piece != lying.get(place)}
    assert len(wrong) <= 1 and not wrong - asked


def test_a_colour_that_nobody_plays_is_not_read(
    sky: Profile, read: BoardReading, taken: tuple[Path, Lying]
) -> None:
    playing = [{"colour": colour} for colour in ("orange", "yellow", "blue", "purple")]
    piece_roles = {"polaris": sky.game.piece_roles({"players": playing}), "another": {}}
    (heard,) = Reader.of(sky).read(load_photo(taken[0]), piece_roles=piece_roles).boards
    others = [place for place, alone in read.places.items() if alone.piece != "red"]
    assert all(heard.places[place].piece == read.places[place].piece for place in others)
    instead = [heard.places[place] for place in read.places if place not in others]
    assert {one.piece for one in instead} <= {"orange", "yellow", None} and len(instead) > 5
    assert all(one.piece or one.confidence < 0.9 for one in instead), "asked, where it is neither"


def test_a_stars_colour_is_decided_with_all_stars_of_the_board(
    sky: Profile, taken: tuple[Path, Lying], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that sees that stars lie there, but no colour, leaves those to what is alike."""
    places = [place for place in sky.places if place.kind != "dial"]

    class ColourBlind:
        def answer(self, told: dict[str, np.ndarray]) -> np.ndarray:
            asked = places if told["edge"].any() else [p for p in places if p.kind == "spot"]
            odds = np.zeros((len(asked), len(told["swatches"]) + 2))
            odds[:, -2] = [-6 if place in taken[1] else 6 for place in asked]
            odds[:, -1] = -9
            return odds

    monkeypatch.setattr("vision.place_network._network", lambda game: ColourBlind())
    (board,) = PlacewiseReader(sky).read(load_photo(taken[0])).boards
    stars = {place: piece for place, piece in taken[1].items() if place.kind == "spot"}
    right = sum(board.places[place].piece == piece for place, piece in stars.items())
    assert right >= 0.9 * len(stars)


def test_a_reading_of_a_sky_has_its_keys(read: BoardReading) -> None:
    data = read.to_data()
    assert set(data["spaces"]["1a1"]) == {"star", "confidence"}
    assert set(data["links"]["1a1-1a2"]) == {"link", "confidence"}
    assert data["new_moon"]["sector"] == 4
    assert 0.5 < data["new_moon"]["confidence"] <= 1


def test_what_is_asked_says_what_is_at_stake(read: BoardReading) -> None:
    stakes = [flag.more["stake"] for flag in read.flags if "stake" in flag.more]
    assert stakes == sorted(stakes, reverse=True) and 0 not in stakes


@in_ci
def test_boards_of_two_games_are_distinguished(sky: Profile, taken: tuple[Path, Lying]) -> None:
    galaxy = Reader.of(load_profile("nebula/standard"))
    both = Library([galaxy, Reader.of(sky)])
    photos = [load_photo(file) for file in (Path("webapp/demo/ana.jpg"), taken[0])]
    assert [both.read(photo).boards[0].game for photo in photos] == ["nebula", "polaris"]
    with pytest.raises(NoBoardError):
        Reader.of(sky).read(photos[0])


@pytest.mark.parametrize("sector", [1, 2, 5])
def test_the_ring_of_moons_is_read_however_it_is_turned(sky: Profile, sector: int) -> None:
    dial = Dial.of(sky)
    assert dial is not None
    canvas = Canvas(sky.size_mm, 760)
    empty = canvas.place_reference(sky.require_reference())
    turned = turn_frame(np.random.default_rng(sector), sky, sector).require_reference()
    chances = dial.read(canvas.place_reference(turned), empty, canvas)
    assert dial.places[int(chances.argmax())] == Place(str(sector), "dial")
    assert chances.max() > 0.95 and abs(chances.sum() - 1) < 1e-6


def test_moons_on_a_ring_of_one_ground_are_enough(sky: Profile) -> None:
    dial, canvas = Dial.of(sky), Canvas(sky.size_mm, 760)
    picture = sky.require_reference().copy()
    x, y = (round(at * PX_PER_MM) for at in dial.middle)
    ring, moons = np.zeros(picture.shape[:2], np.uint8), np.zeros(picture.shape[:2], np.uint8)
    for radius, inside in ((dial.outer, 1), (dial.inner, 0)):
        cv2.circle(ring, (x, y), round(radius * PX_PER_MM), inside, -1)
    for place in dial.places:
        moon = sky.places[place]
        at = [round(v * PX_PER_MM) for v in moon.at]
        cv2.circle(moons, at, round(moon.radius * 0.7 * PX_PER_MM), 1, -1)
    picture[(ring > 0) & (moons == 0)] = (90, 60, 40)
    plain = replace(sky, reference=picture)
    turned = turn_frame(np.random.default_rng(3), plain, 3).require_reference()
    empty, seen = canvas.place_reference(picture), canvas.place_reference(turned)
    chances = dial.read(seen, empty, canvas)
    assert dial.places[int(chances.argmax())] == Place("3", "dial") and chances.max() > 0.9


def test_a_ring_that_is_not_there_faces_nothing(sky: Profile) -> None:
    dial, canvas = Dial.of(sky), Canvas(sky.size_mm, 760)
    empty = canvas.place_reference(sky.require_reference())
    bare = np.random.default_rng(1).integers(60, 90, empty.shape).astype(np.uint8)
    assert not dial.read(bare, empty, canvas).any()
    plain = replace(sky, layout=replace(sky.layout, places=_without_regions(sky)))
    assert Dial.of(plain) is None


def _without_regions(sky: Profile) -> dict[Place, Shape]:
    return {place: shape for place, shape in sky.places.items() if place.kind != "dial"}


def test_a_stars_kind_is_read_in_two_lights_and_its_presence_in_one(
    sky: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = PlacewiseReader(sky)
    yellow, orange, link = (reader.classes.index(n) for n in ("yellow", "orange", "link"))
    star = reader.places.index(Place("1a1"))
    edge = next(n for n, place in enumerate(reader.places) if place.kind == "edge")
    chances = np.zeros((len(reader.places), len(reader.classes) + 1))
    chances[:, -1] = 1
    chances[star, [yellow, orange, -1]] = 0.6, 0.3, 0.1
    chances[edge, [link, -1]] = 0.7, 0.3
    before = chances.copy()

    def paler(self: object, board: object, rows: np.ndarray, *_: object) -> np.ndarray:
        found = np.zeros((len(rows), len(reader.classes) + 2))
        found[:, [yellow, orange, -2]] = 0.05, 0.45, 0.5
        return found

    monkeypatch.setattr(PlacewiseReader, "_infer", paler)
    shown = RectifiedBoard(reader.reference, reader.reference)
    patches = np.zeros((reader._looked_at.sum(), *reader._grid.shape[1:3], 3), np.uint8)
    reader._name_in_paler_light(chances, shown, np.ones(len(chances), bool), patches)
    assert chances[star, orange] > chances[star, yellow] > 0.05
    assert chances[star].sum() == pytest.approx(1)
    assert chances[star, -1] == before[star, -1]
    others = np.arange(len(chances)) != star
    assert (chances[others] == before[others]).all()


def test_a_second_look_that_sees_no_piece_leaves_its_kind_as_certain() -> None:
    first = np.array([[0.6, 0.3]])
    assert blend_kinds(first, np.full((1, 2), 1e-6)) == pytest.approx(first, abs=1e-3)


def test_a_board_is_read_without_its_tinted_shadows(
    sky: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = PlacewiseReader(sky)
    lightened = np.full_like(reader.reference, 77)
    monkeypatch.setattr(CastShadows, "lighten", lambda *_: (lightened, lightened))
    board = reader.rectify(sky.require_reference(), np.diag([PX_PER_MM, PX_PER_MM, 1.0]))
    assert (board.raw == 77).all() and (board.normalized == 77).all()


def test_a_place_that_a_hand_may_cover_is_asked_about(sky: Profile) -> None:
    reader = PlacewiseReader(sky)
    count, classes = len(reader.places), len(reader.classes)
    odds, change = np.full((count, classes + 1), -12.0), np.full(count, 0.02)
    odds[:, -1] = 0.0
    covered = reader.places.index(Place("1a1"))
    change[covered] = 0.1
    bare = np.zeros((count, classes))
    observed = BoardObservation(
        reader.classes, bare, change, lambda: np.ones(count), np.zeros((count, 3)), odds
    )
    _spaces, _tracks, hidden = reader.decode(observed, np.ones(count, bool))
    assert hidden == ("1a1",)
