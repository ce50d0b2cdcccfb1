"""Counting pieces in regions: which pieces there are, of which kinds, and in which region."""

import math
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest

from calibration import load_profile
from calibration.colour_profile import ColourProfile, Swatch
from scorer.places import Place
from scorer.table import Piece
from vision.board_print import RectifiedBoard
from vision.illumination import Illumination
from vision.known_board import KnownBoard
from vision.live.frame_reader import ModelFrameReader
from vision.reader import Reader
from vision.rectify import CameraPosition
from vision.region_areas import RegionAreas
from vision.region_candidates import PieceSize, RegionPixels, differs, enclosed, is_gap, lower_foot
from vision.region_counts import RegionCounter
from vision.region_discs import clear_sides, of_one_colour, share_of_disc, weigh_alone
from vision.region_looks import each_once, reconcile_colours
from vision.region_pieces import FoundPiece
from vision.region_solids import Solid

VALLEY = KnownBoard(load_profile("via_nebula/standard"))
PIECES = {piece.id: piece for piece in VALLEY.profile.game.pieces}


@pytest.fixture(scope="module")
def counter() -> RegionCounter:
    return RegionCounter(VALLEY.profile, VALLEY.canvas, VALLEY.reference)


def draw(picture: np.ndarray, at: Sequence[float], piece: str, colour: str = "") -> None:
    """Draw a piece at (x, y) mm of the valley, in its own `colour` by default."""
    x, y = VALLEY.canvas.to_px(np.array([at]))[0].round().astype(int).tolist()
    radius = round((PIECES[piece].diameter_mm or 0) / 2 * VALLEY.canvas.px_per_mm)
    cv2.circle(picture, (x, y), radius, Swatch("", colour or PIECES[piece].colour).bgr, -1)


def test_a_unique_piece_is_assigned_where_it_fits_best() -> None:
    alone = np.array([[0.9, 0.05, 0.02], [0.6, 0.3, 0.02], [0.02, 0.02, 0.95], [0.01, 0.01, 0.97]])
    probabilities = each_once(alone, np.ones(4), np.array([True, True, False]))
    assert probabilities.argmax(axis=1).tolist() == [0, 1, 2, 2], (
        "what there is more of may lie twice"
    )
    as_it_was = each_once(alone, np.ones(4), np.array([False, False, False]))
    assert as_it_was.argmax(axis=1).tolist() == [0, 0, 2, 2]


def test_smaller_pieces_of_several_colours_are_no_larger_one() -> None:
    lies, colour = np.ones((60, 60), np.float32), np.zeros((60, 60), np.intp)
    crop, own = np.s_[10:50, 10:50], dict.fromkeys((0, 1), np.zeros((60, 60), bool))
    in_crop = dict.fromkeys(own, own[0][crop])
    (disc,) = of_one_colour(lies[crop], colour[crop], in_crop, 18, 0.6)
    assert disc[1] == 1, "one colour fills it"
    colour[:, 30:] = 1
    assert not of_one_colour(lies[crop], colour[crop], in_crop, 18, 0.75)
    assert len(of_one_colour(lies, colour, own, 12, 0.6)) >= 2, "each beside the other"


def test_visible_print_of_the_same_colour_does_not_count_against_a_piece() -> None:
    ys, xs = np.mgrid[:60, :60]
    lies, colour = (np.hypot(xs - 30, ys - 30) <= 18).astype(np.float32), np.zeros((60, 60), int)
    lies[:, 38:] = 0  # there it does not differ from the print
    nowhere, there = np.zeros((60, 60), bool), np.broadcast_to(xs >= 38, (60, 60))
    (disc,) = of_one_colour(lies, colour, {0: nowhere}, 18, 0.5)
    (more,) = of_one_colour(lies, colour, {0: there}, 18, 0.5)
    assert disc[1] < 0.85 and more[1] > 0.95


def test_the_sides_of_a_thick_piece_are_no_other_piece() -> None:
    lies, colour = np.zeros((60, 60), np.float32), np.zeros((60, 60), np.intp)
    lies[18:42, 18:42] = 1  # a box, whose corners reach beyond its disc
    lies[18:42, 44:58] = 1
    colour[18:42, 44:58] = 1
    clear_sides(lies, colour, (30, 30), 12)
    assert not lies[18:42, 18:42].any() and lies[18:42, 44:58].all()


def test_pieces_that_fill_a_disc_together_reach_over_its_rim() -> None:
    ys, xs = np.mgrid[:80, :160]
    token = np.hypot(xs - 40, ys - 40) <= 16
    cubes = (abs(xs - 120) <= 17) & (abs(ys - 40) <= 17)
    lies, discs = (token | cubes).astype(np.float32), [((40, 40), 1.0), ((120, 40), 1.0)]
    regions = np.where(xs < 80, 1, 2)
    alone, together = weigh_alone(lies, regions, discs, 16)
    assert alone > 0.95 and together < 0.05
    lies[20:60, 56:80] = 1  # what lies in another region does not count
    regions[:, 56:80] = 3
    assert weigh_alone(lies, regions, discs, 16)[0] > 0.95
    assert not len(weigh_alone(lies, regions, [], 16))


def test_only_what_has_a_role_is_counted() -> None:
    """Roles may leave out some pieces with printed faces, or all pieces of a size."""
    reader = Reader.of(load_profile("ptolemaeus/standard"))
    bare = RectifiedBoard(reader.reference, reader.reference)
    seen = np.ones(len(reader.places), bool)
    for roles in ({"red": "red"}, {"sol": "sol", "mars": "mars"}):
        counts = reader.count(bare, seen, roles)
        assert {piece for count in counts.values() for piece in count.chances} == {*roles}
        assert not any(count.pieces for count in counts.values())


def test_a_white_piece_on_pale_print_differs_and_a_soft_shadow_does_not() -> None:
    print_ = np.full((1, 3, 3), (124, 156, 184), np.uint8)
    picture = np.array([[(195, 207, 219), (60, 76, 90), (124, 156, 184)]], np.uint8)
    assert differs(picture, print_).tolist() == [[True, False, False]]


def test_a_light_area_enclosed_by_a_dark_rim_is_doubted() -> None:
    """A black site mirrors a window; a white one has a shadow on one side."""
    white, black = np.zeros((80, 160), np.uint8), np.zeros((80, 160), np.uint8)
    for left in (26, 106):
        black[24:56, left - 2 : left + 30] = 1
        white[26:54, left : left + 28] = 1
    black[:50, 80:130] = 0  # of the second, two sides
    black[white > 0] = 0
    grey = np.where(white, 240, np.where(black, 20, 150)).astype(np.uint8)
    discs = [((40, 40), 1.0), ((120, 40), 1.0)]
    assert enclosed([black, white], grey, discs, [1, 1], 17.0).tolist() == [True, False]


def test_a_gap_between_pieces_is_no_dark_piece() -> None:
    """A black piece beside others is whole; one that is partly hidden may be a shadow."""
    black, yellow = np.zeros((2, 80, 200), np.uint8)
    for left in (20, 120):
        yellow[20:36, left : left + 60] = yellow[46:62, left : left + 60] = 1
    black[36:46, 20:80] = 1
    cv2.circle(black, (150, 41), 10, 1, -1)
    pieces = [Solid(0, at, at, 1.0) for at in ((50, 41), (150, 41))]
    assert [is_gap([black, yellow], one, 10.0) for one in pieces] == [True, False]
    assert not is_gap([black, 0 * yellow], pieces[0], 10.0), "nothing is beside it"


def test_a_disc_outside_the_canvas_is_empty() -> None:
    assert share_of_disc(np.ones((20, 20), np.uint8), (10, 25), 4.0) == 0


def test_resources_are_found_alike_on_both_kinds_of_board() -> None:
    for name, elsewhere in (("-guild", {9.0, 14.0, 16.0}), ("", set[float]())):
        board = KnownBoard(load_profile(f"via_nebula/standard{name}"))
        assert RegionAreas(board.profile, board.canvas).mixed_elsewhere == elsewhere
    alone = KnownBoard(load_profile("ptolemaeus/standard"))
    assert not RegionAreas(alone.profile, alone.canvas).mixed_elsewhere


def test_a_foot_outside_the_canvas_is_in_no_region() -> None:
    board = KnownBoard(load_profile("ptolemaeus/standard"))
    areas = RegionAreas(board.profile, board.canvas)
    for outside in ((-40, 200), (200, -40), (9000, 9000)):
        assert not areas.shares_at(outside, 12.0)


def test_cubes_at_the_rim_are_in_the_region_that_admits_them(counter: RegionCounter) -> None:
    """A neighbour that admits tiles alone has most of the cube, whose top leans outwards."""
    profile, board, areas = VALLEY.profile, VALLEY, RegionAreas(VALLEY.profile, VALLEY.canvas)
    cubes = [piece for piece in profile.game.pieces if piece.id == "wheat"]
    ruin, fog = (Place(one, "region") for one in ("F6b", "G6"))
    there, beyond = (
        board.canvas.to_px(np.array([profile.places[one].at]))[0] for one in (ruin, fog)
    )
    number = {place: counter.regions.index(place) for place in (ruin, fog)}
    line = [there + share * (beyond - there) for share in np.linspace(0, 1, 200)]

    def share(at: np.ndarray, place: Place) -> float:
        own = areas.shares_at((round(at[0]), round(at[1])), 9.0)
        return own.get(number[place], 0.0)

    at = next(one for one in line if 0.05 < share(one, ruin) < 0.3)
    found: list[FoundPiece] = []
    chances = np.ones((2, 1))
    counter._note(found, np.array([at, beyond]), chances[:, 0], chances, cubes, {"wheat": "wheat"})
    assert [one.chances for one in found] == [{(number[ruin], "wheat"): 1.0}, {}]


def test_tops_of_thick_pieces_lean_away_from_below_the_camera() -> None:
    board, areas = VALLEY, RegionAreas(VALLEY.profile, VALLEY.canvas)
    within = np.zeros(board.reference.shape[:2], np.float32)
    x, y = board.canvas.to_px(np.array([[300.0, 100.0]]))[0].round().astype(int)
    within[y - 10 : y + 11, x - 10 : x + 11] = 1
    camera = CameraPosition(np.array([100.0, 100.0]), 300.0)
    rows, columns = np.nonzero(areas.tops(within, camera))
    leans = camera.parallax_shift(np.array([300.0, 100.0]), 8.0) * board.canvas.px_per_mm
    assert columns.mean() - x == pytest.approx(leans[0], abs=1) and leans[0] > 5
    assert rows.mean() == pytest.approx(y, abs=1)


def test_a_cube_that_leans_over_the_rim_is_as_certain_as_others(
    counter: RegionCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its foot is hardly in the region, which is a question of its own."""
    monkeypatch.setattr("vision.region_areas._REACHES", 0.05)
    ruin, fog = (Place(one, "region") for one in ("F6b", "G6"))
    at, beyond = (np.array(VALLEY.profile.places[one].at) for one in (ruin, fog))
    picture = VALLEY.reference.copy()
    draw(picture, (at + beyond) / 2, "wheat")
    far_side = at - 300 * (beyond - at) / np.linalg.norm(beyond - at)
    upright, leaning = (
        counter.count(RectifiedBoard(picture, picture, camera=camera), ColourProfile())[ruin]
        for camera in (None, CameraPosition(far_side, 200.0))
    )
    assert upright.pieces == leaning.pieces == {"wheat": 1}
    assert leaning.chances["wheat"][0] < upright.chances["wheat"][0] / 2


def test_a_cube_that_hardly_reaches_a_region_is_asked_about(counter: RegionCounter) -> None:
    """Whether it is there: its neighbour admits none, but has nearly all of the cube's middle."""
    areas, number = RegionAreas(VALLEY.profile, VALLEY.canvas), 0
    shares = [{number: share} for share in (0.0, 0.02, 0.05, 0.09, 0.15, 0.6)]
    admitting = next(iter(areas.admitted[number]))
    own = [dict(areas.shares_of(admitting, one))[number] for one in shares]
    assert own == sorted(own) and own[0] == 0 and own[-2:] == pytest.approx([1, 1])
    assert 0.5 < own[3] < 0.9
    assert max(b - a for a, b in pairwise(own)) < 0.5, "no cliff"


def test_a_cube_that_may_be_stacked_counts_in_both_halves(counter: RegionCounter) -> None:
    """Then it is in the other half of a ruin. Bare print beside its foot rules that out."""
    solid, covered = Solid(0, (50, 40), (62, 40), 1.0), np.zeros((80, 80), bool)
    assert lower_foot(solid, covered, 10.0) == (50, 40)
    covered[:, 30:] = True
    assert lower_foot(solid, covered, 10.0) == (38, 40)
    half, other = (Place(one, "region") for one in ("F6", "F6b"))
    numbers = [counter.regions.index(one) for one in (half, other)]
    below, at = VALLEY.canvas.to_px(np.array([VALLEY.profile.places[x].at for x in (half, other)]))
    cubes = [piece for piece in VALLEY.profile.game.pieces if piece.id == "wheat"]
    found: list[FoundPiece] = []
    chance, roles = np.ones((1, 1)), {"wheat": "wheat"}
    counter._note(found, at[None], chance[0], chance, cubes, roles, below[None])
    under, where = (found[0].chances[number, "wheat"] for number in numbers)
    assert where == pytest.approx(0.85) and under == pytest.approx(0.15)


def test_cubes_in_a_ruins_empty_half_belong_to_the_site_that_they_touch() -> None:
    """Goods may lie on sites alone; that they slid is asked about."""
    reader, (half, other) = Reader.of(VALLEY.profile), (Place(x, "region") for x in ("F6", "F6b"))
    site, beyond = (np.array(VALLEY.profile.places[one].at) for one in (half, other))
    across, up = (beyond - site) / math.dist(beyond, site), np.array([0, 1])
    picture = VALLEY.reference.copy()
    draw(picture, site, "site_red")
    draw(picture, site + 12 * across, "wheat")
    draw(picture, site + 12 * across + 9.5 * up, "wood")
    picture = cv2.resize(picture, (reader.canvas.side_px,) * 2)
    visible = np.array([place in (half, other) for place in reader.places])
    counts = reader.count(RectifiedBoard(picture, picture), visible)
    assert counts[half].pieces == {"site_red": 1, "wheat": 1, "wood": 1}
    assert not counts[other].pieces
    assert 0.05 < counts[half].chances["wheat"][0] < 0.3


def test_what_lies_beneath_others_may_be_of_any_kind(counter: RegionCounter) -> None:
    """A heap of green cubes hides no more green ones than yellow ones."""
    half, picture = Place("F6", "region"), VALLEY.reference.copy()
    at = np.array(VALLEY.profile.places[half].at)
    for turn in range(3):
        draw(picture, at + 3.5 * np.array([math.cos(2.1 * turn), math.sin(2.1 * turn)]), "wood")
    board = RectifiedBoard(picture, picture)
    count = counter.count(board, ColourProfile(), None, {half})[half]
    assert count.pieces == {"wood": 3}
    fourth = count.chances["wood"][4]
    assert 0.05 < fourth == pytest.approx(count.chances["wheat"][1], rel=0.3)
    assert not count.chances["building_red"][1:].any(), "that is no good"


def test_a_disc_of_another_colour_than_the_sure_tiles_is_no_tile(
    counter: RegionCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_kind(
        _game: str, patches: np.ndarray, _: object, kinds: Sequence[Piece], *_more: object
    ) -> np.ndarray:
        return np.array([[0.0, *[-8.0] * (len(kinds) + 1)]] * len(patches))

    monkeypatch.setattr("vision.region_counts.place_odds", first_kind)
    admitting = [one for one in counter.regions if "tile" in VALLEY.profile.game.admits(one)]
    *tiles, other = admitting[:5]
    picture = VALLEY.reference.copy()
    for region in tiles:
        draw(picture, VALLEY.profile.places[region].at, "tile")
    draw(picture, VALLEY.profile.places[other].at, "tile", "#143cc8")
    counts = counter.count(RectifiedBoard(picture, picture), ColourProfile())
    assert all(counts[region].pieces == {"tile": 1} for region in tiles)
    assert not counts[other].pieces


@pytest.mark.parametrize(
    ("shaded_from_mm", "to_mm", "is_site"),
    [(4.5, 7.5, False), (7.5, 7.5, True), (0.0, 7.5, True), (0.0, 5.0, True)],
)
def test_a_shadow_around_a_black_building_does_not_make_it_a_site(
    counter: RegionCounter, shaded_from_mm: float, to_mm: float, is_site: bool
) -> None:
    """A site looks like a shadow where it mirrors a lamp or a window, wholly or in the middle."""
    picture, size = VALLEY.reference.copy(), VALLEY.canvas.px_per_mm
    x, y = VALLEY.canvas.to_px(np.array([VALLEY.profile.places[Place("F6", "region")].at]))[0]
    away = np.hypot(*(np.indices(picture.shape[:2])[::-1] - np.array([x, y])[:, None, None]))
    dark, shaded = away < 7.5 * size, (away > shaded_from_mm * size) & (away < to_mm * size)
    looks = [look for look in counter._looks[14.0] if look.pieces[0].colour == "#26262b"]
    black = counter._colours.index("#26262b")
    nearest = np.where(dark, black, len(counter._colours))
    board = RectifiedBoard(picture, picture)
    loose = dark.astype(np.float32)
    pixels = RegionPixels(board, picture, dark, picture, nearest, dark & shaded, loose)
    found = counter._candidates.find(pixels, PieceSize(14.0, looks, [black], True))
    assert [chance > 0.5 for _, chance in found.likely].count(True) == is_site
    assert found.of_colour or not is_site, "it is found by its colour"


def test_what_lies_on_a_tile_stays_when_the_tile_is_found(counter: RegionCounter) -> None:
    picture = VALLEY.reference.copy()
    regions = [one for one in counter.regions if "tile" in VALLEY.profile.game.admits(one)][:3]
    tops = [VALLEY.profile.places[region].at for region in regions]
    for at in tops:
        draw(picture, at, "tile")
    draw(picture, tops[0], "wheat")
    covered = (picture != VALLEY.reference).any(axis=2)
    wheat = counter._colours.index(PIECES["wheat"].colour)
    nearest, none = np.full(covered.shape, wheat), np.zeros(covered.shape, bool)
    loose = covered.astype(np.float32)
    board = RectifiedBoard(picture, picture)
    pixels = RegionPixels(board, VALLEY.reference, covered, picture, nearest, none, loose)
    at = [tuple(one) for one in VALLEY.canvas.to_px(np.array(tops)).round().astype(int).tolist()]
    assert all(pixels.covered[y, x] for x, y in at)
    pixels.lay_beneath(at, counter._areas.radius_px(22.0), counter._colours)
    assert [bool(pixels.loose[y, x]) for x, y in at] == [True, False, False]
    assert [bool(pixels.different[y, x]) for x, y in at] == [True, False, False]
    assert [bool(pixels.covered[y, x]) for x, y in at] == [True, False, False]


def test_a_kind_that_the_network_changes_in_paler_light_is_less_certain(
    counter: RegionCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = next(one for one in counter.regions if "wheat" in VALLEY.profile.game.admits(one))
    picture = VALLEY.reference.copy()
    draw(picture, VALLEY.profile.places[at].at, "wheat")

    def confidence(light: Illumination | None) -> float:
        def odds(
            _game: str, patches: np.ndarray, _: object, kinds: Sequence[Piece], *_more: object
        ) -> np.ndarray:
            found = np.full((len(patches), len(kinds) + 2), -8.0)
            look = "wheat" if patches[:, :3].any() else "wood"
            found[:, [kind.id for kind in kinds].index(look)] = 0.0
            return found

        monkeypatch.setattr("vision.region_counts.place_odds", odds)
        monkeypatch.setattr(Illumination, "normalize_paler", lambda _, raw, at: 0 * raw)
        board = RectifiedBoard(picture, picture, light=light)
        count = counter.count(board, ColourProfile())[at]
        assert count.pieces == {"wheat": 1}
        return count.confidence

    hazy = Illumination([np.array([1.0, 0, 0, 0, 0, 0])] * 3, [np.array([20.0, 0, 0])] * 3)
    assert confidence(hazy) < confidence(None) - 0.02


def test_what_seems_a_side_of_a_piece_may_still_be_another_one() -> None:
    probabilities = np.array([[0.99, 0.0], [0.9, 0.05]])
    likely = [((10, 10), 0.95), ((12, 14), 0.8)]
    reconciled = reconcile_colours(probabilities, [0, 1], likely, 12.0)
    assert (
        reconciled[0].tolist() == [0.99, 0.0]
        and reconciled[1, 0] == 0
        and 0.05 < reconciled[1, 1] < 0.2
    )
    (far,) = reconcile_colours(probabilities, [0, 1], [likely[0], ((90, 14), 0.9)], 12.0)[1:]
    assert 0 < far[0] < far[1] < 0.5, "nothing is near whose side it could be"


@pytest.mark.parametrize(
    "shown",
    [
        {"clay": "#f65832", "building_red": "#e92a17"},
        {"wheat": "#c7c73a", "wood": "#5b9205"},
    ],
    ids=["in a lamp's light", "overexposed, as dark as a shadow on the print"],
)
def test_kinds_that_a_boards_light_makes_alike_are_distinguished(
    counter: RegionCounter, monkeypatch: pytest.MonkeyPatch, shown: dict[str, str]
) -> None:
    """By what this board shows of both, where the network sees which is which."""
    game, picture = VALLEY.profile.game, VALLEY.reference.copy()
    free = [one for one in counter.regions if not one.id.endswith("b")]
    lying = {}
    for piece, colour in shown.items():
        for at in [one for one in free if piece in game.admits(one) and one not in lying][:4]:
            lying[at] = piece
            draw(picture, VALLEY.profile.places[at].at, piece, colour)

    def odds(
        _game: str, patches: np.ndarray, _: object, kinds: Sequence[Piece], *_more: object
    ) -> np.ndarray:
        found = np.full((len(patches), len(kinds) + 2), -8.0)
        own = np.array([Swatch("", colour).bgr for colour in shown.values()])
        middles = patches[:, :3, 12:16, 12:16].mean(axis=(2, 3))
        away = np.abs(middles[:, None] - own).sum(axis=2)
        for row, best in enumerate(away.argmin(axis=1)):
            colour = PIECES[[*shown][best]].colour
            its = [number for number, kind in enumerate(kinds) if kind.colour == colour]
            found[row, its if away[row, best] < 60 and its else -2] = 0.0
        return found

    monkeypatch.setattr("vision.region_counts.place_odds", odds)
    counts = counter.count(RectifiedBoard(picture, picture), ColourProfile())
    assert {at: {piece: 1} for at, piece in lying.items()} == {
        at: count.pieces for at, count in counts.items() if count.pieces
    }

    one = next(at for at, piece in lying.items() if piece == [*shown][-1])
    camera, places = ModelFrameReader(VALLEY.profile), VALLEY.profile.places
    everywhere, beside_a_hand = np.ones(len(places), bool), np.array([at == one for at in places])
    for visible in (everywhere, beside_a_hand):
        seen = camera.observe(picture, VALLEY.canvas.matrix, visible, visible).regions
        assert seen[one].pieces == {lying[one]: 1}


def test_a_cube_whose_top_mirrors_a_lamp_keeps_its_colour(counter: RegionCounter) -> None:
    """Towards the reflection, orange turns yellow, and the lamp outshines one edge."""
    picture = VALLEY.reference.copy()
    x, y = VALLEY.profile.places[Place("A2", "region")].at
    clay, wheat = PIECES["clay"].colour, PIECES["wheat"].colour
    for colour, size, up in ((clay, 4.0, 0.0), (wheat, 3.0, 0.8), ("#fbe4e2", 2.0, 0.8)):
        u, v = VALLEY.canvas.to_px(np.array([[x, y - up]]))[0].round().astype(int).tolist()
        half = round(size * VALLEY.canvas.px_per_mm)
        ends = (u - half, v - half), (u + half, v + half)
        cv2.rectangle(picture, *ends, Swatch("", colour).bgr, -1)
    roles = VALLEY.profile.game.piece_roles({"players": [{"colour": "black"}, {"colour": "blue"}]})
    counts = counter.count(RectifiedBoard(picture, picture), ColourProfile(), roles)
    assert {at.id: one.pieces for at, one in counts.items() if one.pieces} == {"A2": {"clay": 1}}


def test_ruins_that_are_all_as_vivid_as_a_resource_are_bare(counter: RegionCounter) -> None:
    """As on an overexposed photograph; a piece on one of them differs from the other ruins."""
    tan, vivid = np.array([124, 156, 184]), np.array([80, 125, 215])
    picture = VALLEY.reference.copy()
    picture[np.abs(picture.astype(int) - tan).max(axis=2) < 12] = vivid
    site = Place("F6", "region")
    draw(picture, VALLEY.profile.places[site].at, "food")
    counts = counter.count(RectifiedBoard(picture, picture), ColourProfile())
    lying = {place.id: one.pieces for place, one in counts.items() if one.pieces}
    assert lying == {"F6": {"food": 1}}
