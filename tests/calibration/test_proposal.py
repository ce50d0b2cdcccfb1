"""A layout is proposed from a photograph of the empty board, and nothing is made up."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml
from click.testing import Result

import vision
import webapp
from calibration import PX_PER_MM, Profile, ProfileError, load_profile
from calibration.drawing import rasterise
from calibration.edges import aspect_of
from calibration.layout import Layout, layout_from_data
from calibration.nebula.artwork import draw_layout
from calibration.proposal import LayoutProposal, match_board, propose_layout
from calibration.proposal.circles import Edges, find_circles
from calibration.proposal.lines import Lines, arcs, straight
from calibration.proposal.naming import name_circles
from calibration.proposal.quadrilaterals import find_quadrilaterals
from calibration.proposal.standard import standard_board
from calibration.proposal.tracks import find_track
from scorer.nebula.board import Track
from tests.calibration.tables import on_a_table
from tests.conftest import in_ci, in_full

SIZE = (1300, 1400)
CORNERS = np.array([[270.0, 200.0], [1035.0, 255.0], [1110.0, 1170.0], [165.0, 1120.0]])
STANDARD = standard_board("nebula")


KEPT: dict[object, LayoutProposal] = {}


def propose(image: np.ndarray, game: str = "nebula", **how: Any) -> LayoutProposal:
    """What is found in a photograph; one that is given again is not looked through again."""
    reported = sorted((name, repr(one)) for name, one in how.items() if one is not None)
    key = (image.tobytes(), image.shape, game, *reported)
    if key not in KEPT:
        KEPT[key] = propose_layout(image, game, **how)
    return KEPT[key]


@pytest.fixture(scope="module", autouse=True)
def proposed_once() -> Iterator[None]:
    """Let commands propose so, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.proposal.propose_layout", propose)
        yield
    KEPT.clear()


@pytest.fixture(scope="module")
def photo(standard: Profile) -> np.ndarray:
    return on_a_table(standard.require_reference(), CORNERS, SIZE)


@pytest.fixture(scope="module")
def proposal(photo: np.ndarray) -> LayoutProposal:
    return propose(photo)


def off_mm(proposal: LayoutProposal, standard: Profile) -> float:
    """How far the farthest place is from where it is."""
    places = proposal.draft.places
    return max(
        float(np.hypot(*np.subtract(places[place].at, shape.at)))
        for place, shape in standard.places.items()
    )


def test_a_board_is_proposed_whole(proposal: LayoutProposal, standard: Profile) -> None:
    assert proposal.missing == ()
    assert np.abs(proposal.corners - CORNERS).max() < 1
    assert proposal.size_mm == standard.size_mm
    assert off_mm(proposal, standard) < 0.5
    assert layout_from_data(proposal.numbered(range(11))).topology == "standard"
    assert set(proposal.confidence) == {
        *map(str, standard.places),
        *(f"{link.a}-{link.b}" for link in standard.board.links),
    }
    assert min(proposal.confidence.values()) >= 0.5


def test_a_proposal_says_what_it_took_for_granted(proposal: LayoutProposal) -> None:
    reported = " ".join(proposal.notes)
    assert "true size was not given" in reported
    assert "highlights and groups of spaces are seen as on the standard board" in reported
    assert [one.id for one in proposal.unread] == ["black/numbers"]


def test_no_number_is_made_up(proposal: LayoutProposal) -> None:
    track = proposal.layout["black_track"]
    assert track["points"] == [None] * 10 and track["full"] is None
    with pytest.raises(ProfileError, match="numbers are missing") as refused:
        layout_from_data(proposal.layout)
    assert {key for key, _ in refused.value.problems} == {"black_track.points", "black_track.full"}
    for wrong in (range(10), range(12)):
        with pytest.raises(ProfileError, match="11 are wanted"):
            proposal.numbered(wrong)


NUMBERS = (0, 1, 3, 5, 8, 11, 14, 18, 22, 27)


@pytest.fixture(scope="module")
def nine_squares(standard: Profile) -> Layout:
    """The standard board, but for a track of nine squares with other numbers."""
    board = replace(standard.board, track=Track(NUMBERS[:-1], NUMBERS[-1]))
    places = {place: shape for place, shape in standard.places.items() if place.slot < 9}
    return replace(standard.layout, board=board, places=places)


@pytest.fixture(scope="module")
def other_photo(nine_squares: Layout) -> np.ndarray:
    return on_a_table(rasterise(draw_layout(nine_squares), PX_PER_MM), CORNERS, SIZE)


@in_ci
def test_the_squares_that_are_there_are_counted(
    other_photo: np.ndarray, nine_squares: Layout
) -> None:
    proposal = propose(other_photo, size_mm=(200, 240))
    assert proposal.missing == ()
    found = [slot.at for slot in proposal.draft.tracks["black"]]
    assert np.abs(np.subtract(found, [s.at for s in nine_squares.tracks["black"]])).max() < 0.5
    assert layout_from_data(proposal.numbered(NUMBERS)).board.track == nine_squares.board.track


@in_ci
def test_corners_and_size_are_believed(photo: np.ndarray, standard: Profile) -> None:
    """Corners that begin at the printed top-right give the board as it lies, with a note."""
    turned = np.roll(CORNERS, -1, axis=0)
    proposal = propose(photo, corners=turned, size_mm=(480, 400))
    assert np.abs(proposal.corners - turned).max() < 0.01
    assert proposal.size_mm == (480, 400)
    assert proposal.upright == 0
    assert any("number 4" in note for note in proposal.notes)
    x, y = proposal.draft.spaces["core"].at
    assert (x, y) == pytest.approx((2 * 140, 400 - 2 * 100), abs=1)


@pytest.mark.parametrize(("grain", "contrast"), in_full([(3, 4), (6, 8)], (6, 8)))
def test_where_no_board_lies_none_is_made_up(grain: int, contrast: int) -> None:
    """Of the finer grain many circles might be spaces."""
    noise = np.random.default_rng(2).normal(0, 40, (300, 360, 3))
    levels = 130 + cv2.GaussianBlur(noise, (0, 0), grain) * contrast
    table = np.clip(levels, 0, 255).astype(np.uint8)
    corners = np.array([[20.0, 20], [340, 20], [340, 280], [20, 280]])
    proposal = propose(table, corners=corners)
    assert not proposal.whole and not proposal.is_board
    assert [one.id for one in proposal.unread] == ["black/numbers", "marks"]
    assert set(proposal.draft.spaces) == set(STANDARD.layout.spaces)


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (120, 160)])
def test_a_picture_too_small_to_show_a_board_is_refused(size: tuple[int, int]) -> None:
    picture = np.zeros((*size, 3), np.uint8)
    with pytest.raises(ProfileError):
        propose_layout(picture)
    with pytest.raises(ProfileError):
        match_board(picture, load_profile("via_nebula/standard"))


@pytest.mark.parametrize("size", [(200, 240), (300, 200), (150, 150)])
def test_the_shape_of_a_rectangle_seen_at_an_angle(size: tuple[int, int]) -> None:
    """A camera of a phone's focal length, tilted and turned."""
    width, height = size
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - np.array(size) / 2
    turn, tilt, away, focal = 0.4, 0.6, 600.0, 1700.0
    x, y = (flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])).T
    depth = away + y * np.sin(tilt)
    seen = np.stack([focal * x / depth + 800, focal * y * np.cos(tilt) / depth + 600], axis=1)
    assert aspect_of(seen, (1200, 1600)) == pytest.approx(width / height, rel=0.01)


def test_a_quadrilateral_is_found_on_any_table(photo: np.ndarray) -> None:
    found = find_quadrilaterals(photo)[0]
    assert min(np.abs(np.roll(found, turn, axis=0) - CORNERS).max() for turn in range(4)) < 8


def drawn_circles(places: np.ndarray, radius: float) -> np.ndarray:
    """Outlined circles of one size on an uneven ground, with other print about."""
    random = np.random.default_rng(1)
    ground = cv2.GaussianBlur(random.normal(0, 90, (800, 800, 3)), (0, 0), 25) * 6 + 90
    picture = np.clip(ground, 0, 255).astype(np.uint8)
    for _ in range(12):
        ends = random.integers(0, 800, (2, 2)).tolist()
        cv2.line(picture, *ends, (200, 210, 190), 2, cv2.LINE_AA)
    for x, y in places:
        centre = (round(x * 16), round(y * 16))
        cv2.circle(picture, centre, round(radius * 16), (230, 230, 220), 3, cv2.LINE_AA, 4)
    return picture


def test_circles_of_one_size_are_found_to_a_part_of_a_pixel() -> None:
    places = np.stack(np.meshgrid(np.arange(100, 800, 130), np.arange(90, 800, 130)), axis=2)
    places = places.reshape(-1, 2) + np.random.default_rng(4).uniform(-15, 15, (36, 2))
    circles = next(find_circles(Edges(drawn_circles(places, 27.0))))
    apart = np.linalg.norm(places[:, None] - circles.at[None], axis=2)
    off = np.sort(apart.min(axis=1))
    assert off[18] < 0.6 and off[-3] < 1.2  # two may lie on other print
    assert np.abs(circles.radius[apart.argmin(axis=1)] - 27).max() < 2.5
    assert abs(circles.stretch) < 0.01


def test_circles_darker_and_brighter_than_the_board_are_found_alike() -> None:
    """The slope of an edge points away from the middle of a dark one, to that of a bright one."""
    places = np.stack(np.meshgrid((60, 180, 300, 420), (60, 180, 300)), axis=2).reshape(-1, 2)
    picture = np.full((360, 480, 3), 128, np.uint8)
    for number, (x, y) in enumerate(places.tolist()):
        grey = (40, 220)[number % 2]
        cv2.circle(picture, (x, y), 18, (grey,) * 3, -1, cv2.LINE_AA)
    circles = next(find_circles(Edges(picture)))
    assert len(circles.at) == len(places)
    apart = np.linalg.norm(places[:, None] - circles.at[None], axis=2)
    assert apart.min(axis=1).max() < 1


def test_lines_dashes_and_nothing_are_distinguished() -> None:
    picture = drawn_circles(np.empty((0, 2)), 1)[:, :, :] // 2 + 20
    a, b = (
        np.array([[60, 400 + 90 * i] for i in range(3)], float),
        np.array([[260, 400 + 90 * i] for i in range(3)], float),
    )
    cv2.line(picture, (60, 400), (260, 400), (240, 240, 240), 4, cv2.LINE_AA)
    for x in range(60, 260, 20):
        cv2.line(picture, (x, 490), (x + 9, 490), (240, 240, 240), 3)
    cv2.ellipse(picture, (500, 300), (150, 150), 0, 0, 90, (30, 240, 240), 3, cv2.LINE_AA)
    lines = Lines(picture)
    lining = lines.along(straight(a, b, 20))
    assert lining.solid[0] > 0.9 and lining.dashed[1] > 0.9
    assert lining.solid[1] < 0.5 and max(lining.solid[2], lining.dashed[2]) < 0.5
    ends = np.array([[650.0, 300]]), np.array([[500.0, 450]])
    assert lines.along(arcs(*ends, np.array([500.0, 300]), 20)).solid[0] > 0.9
    assert lines.along(straight(*ends, 20)).solid[0] < 0.5


@pytest.mark.parametrize(("turn", "mirrored"), [(0.0, False), (1.3, False), (3.0, True)])
def test_names_follow_the_links_however_the_galaxy_is_turned(turn: float, mirrored: bool) -> None:
    """Every circle moved by some millimetres, others among them, and a link not seen."""
    random = np.random.default_rng(round(10 * turn))
    graph = STANDARD.graph
    off = (graph.at - graph.at.mean(axis=0)) * (-1 if mirrored else 1, 1)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = 500 + 3.4 * off @ rotation.T + random.normal(0, 8, off.shape)
    order = random.permutation(32)
    circles = np.concatenate([places, random.uniform(80, 920, (7, 2))])[order]
    at = np.argsort(order)[:25]  # where each space's circle went
    solid, dashed = np.zeros((2, 32, 32))
    for i, j in np.argwhere(graph.linked > 0):
        (solid if graph.linked[i, j] == 1 else dashed)[at[i], at[j]] = 1
    i, j = np.argwhere(graph.linked == 1)[7]
    solid[at[i], at[j]] = solid[at[j], at[i]] = 0
    best, *others = name_circles(graph, circles, np.ones(32), 27.0, solid, dashed)
    assert best.circles.tolist() == at.tolist()
    assert best.mirrored == mirrored
    assert all(best.score > other.score for other in others)


def test_a_space_that_an_edition_moves_far_is_known_by_its_links() -> None:
    graph = STANDARD.graph
    places = 500 + 3.4 * (graph.at - graph.at.mean(axis=0))
    far = STANDARD.spaces.index("ta6")
    places[far] += (-55, -60)  # three radii outwards
    solid, dashed = (np.where(graph.linked == how, 1.0, 0.0) for how in (1, 2))
    best, *_ = name_circles(graph, places, np.ones(25), 27.0, solid, dashed)
    assert best.circles.tolist() == list(range(25))


def test_a_link_with_no_room_to_be_seen_speaks_against_no_space() -> None:
    """Two spaces whose rims touch, one of them moved far; chance dashes lead away from it."""
    graph = STANDARD.graph
    places = 500 + 3.4 * (graph.at - graph.at.mean(axis=0))
    near, far = (STANDARD.spaces.index(name) for name in ("ca6", "ca4"))
    places[far] = places[near] + (-58, -20)
    solid, dashed = (np.where(graph.linked == how, 1.0, 0.0) for how in (1, 2))
    solid[near, far] = solid[far, near] = 0
    for chance in ("ca2", "ca5"):
        other = STANDARD.spaces.index(chance)
        dashed[far, other] = dashed[other, far] = 0.65
    best, *_ = name_circles(graph, places, np.ones(25), 27.0, solid, dashed)
    assert best.circles.tolist() == list(range(25))


@pytest.mark.parametrize(("square", "count"), [(False, 10), (True, 10), (True, 7), (False, 11)])
def test_a_row_of_shapes_is_the_track(square: bool, count: int) -> None:
    """A slot without any print about it stands where the row leads; none does beyond its ends."""
    slots = np.array([[120 + 62 * i, 80 + 3 * i] for i in range(count)], float)
    picture = np.full((600, 800, 3), 70, np.uint8)
    for x, y in np.delete(slots, 4, axis=0).astype(int).tolist():
        if square:
            cv2.rectangle(picture, (x - 24, y - 24), (x + 24, y + 24), (200, 200, 190), 3)
        else:
            cv2.circle(picture, (x, y), 25, (200, 200, 190), 3, cv2.LINE_AA)
    edges = Edges(picture)
    spaces = np.array([[200.0, 400.0], [500.0, 420.0]])
    circles = np.empty((0, 2)) if square else np.delete(slots, 4, axis=0)
    track = find_track(edges, STANDARD.courses["black"], circles, spaces, 27.0, True)
    assert track is not None and len(track.at) == count
    at = track.at if track.at[0, 0] < track.at[-1, 0] else track.at[::-1]
    seen = track.seen if track.at[0, 0] < track.at[-1, 0] else track.seen[::-1]
    assert np.linalg.norm(at - slots, axis=1).max() < 4
    assert seen[4] < 0.3 < np.delete(seen, 4).min()


Run = Callable[..., Result]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[np.ndarray], Path]:
    def write(picture: np.ndarray) -> Path:
        path = tmp_path / "empty.png"
        cv2.imwrite(str(path), picture)
        return path

    return write


@in_ci
def test_calibrate_without_a_layout(
    stargazer: Run, photo: np.ndarray, written: Callable[[np.ndarray], Path], tmp_path: Path
) -> None:
    command = (
        "calibrate",
        written(photo),
        "--name",
        "mine",
        "--out",
        tmp_path,
    )
    result = stargazer(*command, "--numbers", "0 1 2 5 6 9 12 15 18 22 26")
    assert result.exit_code == 0, result.stderr
    mine = load_profile(tmp_path / "mine")
    assert mine.title == "mine" and mine.size_mm == (200, 240)
    assert mine.board.track == Track((0, 1, 2, 5, 6, 9, 12, 15, 18, 22), 26)
    few = stargazer(*command, "--numbers", "0 1 2")
    assert few.exit_code == 2 and "11 are wanted" in few.stderr and few.stderr.count("\n") == 1
    bad = stargazer(*command, "--numbers", "0 1 x")
    assert bad.exit_code == 2 and "not a list of whole numbers" in bad.stderr


@in_ci
def test_calibrate_asks_for_the_numbers_that_nobody_read(
    stargazer: Run, other_photo: np.ndarray, written: Callable[[np.ndarray], Path], tmp_path: Path
) -> None:
    photo = written(other_photo)
    command = ("calibrate", photo, "--name", "mine", "--size", "200x240", "--out", tmp_path)
    result = stargazer(*command, "--json")
    assert result.exit_code == 4 and result.stderr.count("\n") == 1
    assert "numbers printed on the black track" in result.stderr and "--numbers" in result.stderr
    reported = json.loads(result.output.splitlines()[0])
    assert [missing["id"] for missing in reported["missing"]] == ["black/numbers"]
    assert not (tmp_path / "mine").exists()
    draft = Path(reported["layout"])
    written_down = yaml.safe_load(draft.read_text(encoding="utf-8"))["black_track"]
    assert written_down["points"] == [None] * 9 and written_down["full"] is None
    refused = stargazer("calibrate", photo, "--name", "mine", "--layout", draft, "--out", tmp_path)
    assert refused.exit_code == 2 and "numbers are missing" in refused.stderr
    given = stargazer(*command, "--numbers", ", ".join(map(str, NUMBERS)))
    assert given.exit_code == 0, given.stderr
    assert load_profile(tmp_path / "mine").board.track == Track(NUMBERS[:-1], NUMBERS[-1])


def test_calibrate_says_at_once_which_boards_need_a_layout(
    stargazer: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(vision, "load_photo", lambda file: pytest.fail("it was looked at"))
    result = stargazer("calibrate", tmp_path / "x.jpg", "--game", "polaris", "--name", "mine")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "--layout" in result.stderr and "polaris" in result.stderr


@in_ci
def test_calibrate_without_a_layout_names_what_is_missing(
    stargazer: Run, standard: Profile, written: Callable[[np.ndarray], Path], tmp_path: Path
) -> None:
    """A space and a link are painted over; the space is put where it may be expected."""
    picture = standard.require_reference().copy()
    of_link = np.mean([standard.spaces[name].at for name in ("ge5", "ge6")], axis=0)
    for at, half in ((standard.spaces["ta6"].at, 10), (of_link, 11)):
        low, high = (tuple(round((value + off) * 4) for value in at) for off in (-half, half))
        cv2.rectangle(picture, low, high, (60, 35, 30), -1)
    photo = written(on_a_table(picture, CORNERS, SIZE))
    corners = " ".join(f"{x:g},{y:g}" for x, y in CORNERS)
    result = stargazer(
        "calibrate", photo, "--name", "mine", "--corners", corners, "--out", tmp_path, "--json",
    )  # fmt: skip
    assert result.exit_code == 4
    assert result.stderr.count("\n") == 1 and "ta6" in result.stderr
    reported = json.loads(result.output.splitlines()[0])
    missing = {missing["id"] for missing in reported["missing"]}
    assert {"ta6", "ge5-ge6"} <= missing
    assert "ge1-ge2" not in missing and "ta5" not in missing
    drawn = cv2.imread(reported["picture"])
    assert drawn is not None and max(drawn.shape) <= 1500
    draft = yaml.safe_load(Path(reported["layout"]).read_text(encoding="utf-8"))["spaces"]
    assert np.hypot(*np.subtract(draft["ta6"]["at"], standard.spaces["ta6"].at)) < 8
    assert not (tmp_path / "mine").exists()


@in_ci
def test_calibrate_from_a_board_with_pieces_on_it(stargazer: Run, tmp_path: Path) -> None:
    full = tmp_path / "full.jpg"
    full.write_bytes((Path(webapp.__file__).parent / "demo" / "ana.jpg").read_bytes())
    command = ("calibrate", full, "--name", "mine", "--size", "200x240", "--out", tmp_path)
    result = stargazer(*command)
    assert result.exit_code == 4 and result.stderr.count("\n") == 1
    assert "pieces seem to lie on" in result.stderr and "--empty" in result.stderr
    assert not (tmp_path / "mine").exists()
    believed = stargazer(*command, "--empty", "--numbers", "0 1 2 4 6 9 12 15 18 22 26")
    assert "pieces seem" not in believed.stderr


def test_match_board_prefers_the_known_board_to_a_blank_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calibration.proposal.propose.find_quadrilaterals", lambda *given: [])
    board = load_profile("via_nebula/standard")
    picture = np.full((900, 1400, 3), 255, np.uint8)
    shown = cv2.resize(board.require_reference(), (600, 600), interpolation=cv2.INTER_AREA)
    picture[150:750, 700:1300] = shown
    sheet, print_ = (
        np.array([[x, 150.0], [x + 600, 150], [x + 600, 750], [x, 750]]) for x in (50.0, 700.0)
    )
    found = match_board(picture, board, beginnings=[sheet, print_])
    assert found.is_board
    assert np.abs(found.corners - print_).max() < 4
