"""Which piece's colour pixels come closest to, under a camera's steep curve."""

import numpy as np

from vision.board_print import RectifiedBoard
from vision.illumination import Illumination
from vision.region_colours import (
    LastViews,
    PieceViews,
    area_middles,
    colours_as_seen,
    fill_glare,
    fill_mirrors,
    fill_tops,
    light_tops,
    nearest_colours,
    open_shadows,
    parts_of,
    shadows,
)

SIDE = 240
BLACK, PURPLE, PURPLE_SIDE, SHADOW = (38, 38, 38), (204, 58, 154), (90, 25, 68), (3, 3, 3)
COLOURS = ("#26262b", "#9a3ccc", "#f1efe8")


def photographed(levels: np.ndarray) -> np.ndarray:
    """As a camera shows it that makes highlights pale: the third root."""
    return np.asarray(255 * (levels / 255.0) ** (1 / 3)).round().astype(np.uint8)


def test_a_black_piece_is_no_shadow_and_a_coloured_side_has_its_hue() -> None:
    print_ = np.full((SIDE, SIDE, 3), 230, np.uint8)
    print_[:, ::2], print_[::3] = 150, (120, 190, 160)
    print_ = np.repeat(np.repeat(print_[:24, :24], 10, axis=0), 10, axis=1)
    board, bare = print_.copy(), np.ones((SIDE, SIDE), bool)
    for at, colour in zip((20, 80, 140, 200), (BLACK, PURPLE, PURPLE_SIDE, SHADOW), strict=True):
        board[100:130, at : at + 30], bare[95:135, at - 5 : at + 35] = colour, False
    raw = photographed(board)
    # the print's levels alone tie raw and print by a line, under which all that is dark is black
    gain, veil = np.polyfit(photographed(print_).ravel(), print_.ravel().astype(float), 1)
    normalized = np.clip(gain * raw + veil, 0, 255).astype(np.uint8)
    assert not normalized[115, 35].any() and not normalized[115, 215].any()
    opened = open_shadows(RectifiedBoard(raw, normalized), print_, bare, ~bare)
    assert np.abs(opened[115, 35].astype(int) - 38).max() < 15
    numbers = nearest_colours(opened, COLOURS, COLOURS)
    assert [int(numbers[115, at]) for at in (35, 95, 155, 215)] == [0, 1, 1, len(COLOURS)]


def test_without_a_print_to_be_seen_it_stays_as_it_is() -> None:
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    board = RectifiedBoard(picture, picture)
    bare = np.zeros((SIDE, SIDE), bool)
    assert open_shadows(board, picture, bare, ~bare) is picture


def test_a_set_all_of_deep_black_is_no_shadow() -> None:
    picture = np.full((SIDE, SIDE, 3), 230, np.uint8)
    picture[:30] = 9
    assert (nearest_colours(picture, COLOURS, COLOURS)[:30] == 0).all()


def test_vivid_red_and_orange_under_a_veil_differ() -> None:
    colours, nominal = ("#b8143a", "#ee5518"), ((58, 20, 184), (24, 85, 238))
    print_ = np.full((SIDE, SIDE, 3), 230, np.uint8)
    print_[:, ::2], print_[::3] = 150, (120, 190, 160)
    print_ = np.repeat(np.repeat(print_[:24, :24], 10, axis=0), 10, axis=1)
    raw = (print_ * 0.2 + 90).astype(np.uint8)
    covered = np.zeros((SIDE, SIDE), bool)
    for left, colour in zip((20, 120), nominal, strict=True):
        raw[60:180, left : left + 80] = np.array(colour) * 0.2 + 68
        covered[60:180, left : left + 80] = True
    light = Illumination([np.array([0.2, 0, 0, 0, 0, 0])] * 3, [np.array([90.0, 0, 0])] * 3)
    board = RectifiedBoard(raw, light.normalize(raw), light=light)
    opened = open_shadows(board, print_, ~covered, covered)
    assert nearest_colours(opened, colours, colours)[120, [60, 160]].tolist() == [0, 1]


def test_pieces_on_a_burnt_out_print_keep_their_colours() -> None:
    """Their light says nothing of levels that are darker than all of the print."""
    colours = ("#26262b", "#1c3ad0", "#9a3ccc", "#ee5518")
    shown = ((90, 92, 98), (255, 140, 108))
    print_ = np.full((SIDE, SIDE, 3), 230, np.uint8)
    print_[:, ::2], print_[::3] = 150, (120, 190, 160)
    print_ = np.repeat(np.repeat(print_[:24, :24], 10, axis=0), 10, axis=1)
    gains, veils = (0.28, 0.16, 0.06), (192.0, 214.0, 220.0)
    raw = np.minimum(print_ * np.array(gains) + veils, 255).astype(np.uint8)
    covered = np.zeros((SIDE, SIDE), bool)
    for left, colour in zip((20, 120), shown, strict=True):
        raw[60:180, left : left + 80] = colour
        raw[160:180, left : left + 80] = np.array(colour) * 0.7  # the side
        covered[60:180, left : left + 80] = True
    light = Illumination(
        [np.array([gain, 0, 0, 0, 0, 0]) for gain in gains],
        [np.array([veil, 0, 0]) for veil in veils],
    )
    normalized = np.maximum(light.normalize(raw), np.array((33, 34, 130), np.uint8))
    board = RectifiedBoard(raw, normalized, light=light)
    opened = open_shadows(board, print_, ~covered, covered)
    assert nearest_colours(opened, colours, colours)[120, [60, 160]].tolist() == [0, 1]
    assert np.abs(opened[~covered].astype(int) - normalized[~covered]).mean() < 5, "the print stays"


def test_pale_yellow_is_yellow_and_what_is_nearly_white_is_white() -> None:
    colours = ("#e8e015", "#f1efe8", "#22cfc2")
    picture = np.array(
        [[(104, 213, 234), (21, 224, 232), (190, 225, 235), (232, 239, 241)]], np.uint8
    )
    assert nearest_colours(picture, colours, colours).tolist() == [[0, 0, 1, 1]]
    assert nearest_colours(picture, colours, colours[1:]).tolist() == [[1, 1, 1, 1]]
    glossy, orange = np.array([[(82, 208, 245)]], np.uint8), (colours[0], "#ee5518")
    assert nearest_colours(glossy, orange, orange).tolist() == [[0]]
    colours, tops = ("#ee5518", "#e8e015", "#1c3ad0", "#f1efe8"), [(132, 158, 254), (97, 128, 253)]
    glossy = np.array([[*tops, (224, 125, 104), (240, 225, 222)]], np.uint8)
    assert nearest_colours(glossy, colours, colours).tolist() == [[0, 0, 2, 3]]


def test_a_shadow_on_a_printed_meadow_is_not_a_dark_piece() -> None:
    """A side of a green cube is as dark, and stays green; black is told by how dark it is, too."""
    colours = ("#1f9a2a", "#e8e015", "#26262b")
    meadow, side = (160, 205, 200), (14, 70, 14)
    pixels = [(48, 62, 60), side, (42, 154, 31), (21, 224, 232), (145, 185, 181)]
    picture = np.array([pixels], np.uint8)
    print_ = np.full_like(picture, meadow)
    numbers = nearest_colours(picture, colours, colours[:2])
    assert numbers[0, :2].tolist() == [0, 0], "both are taken for green"
    assert shadows(numbers, picture, print_, colours)[0].tolist() == [True, *[False] * 4]
    picture[0, :3] = (90, 118, 115), (43, 38, 38), (36, 44, 43)
    black = np.full_like(numbers, 2)
    assert shadows(black, picture, print_, colours)[0, :3].tolist() == [True, False, False]


def test_glare_on_a_piece_is_filled_but_a_gap_between_pieces_is_not() -> None:
    mask, grey = np.zeros((60, 60), np.uint8), np.full((60, 60), 120, np.uint8)
    mask[5:25, 5:25] = mask[30:55, 5:55] = 1
    mask[10:20, 9:21] = mask[36:44, 20:28] = mask[34:54, 32:52] = 0
    grey[10:20, 9:21], grey[36:44, 20:28], grey[34:54, 32:52] = 220, 20, 220
    filled = fill_glare(mask, grey, 10)
    assert filled[5:25, 5:25].all(), "a lamp is mirrored in it"
    assert not filled[38:42, 22:26].any(), "a shadow between pieces"
    assert not filled[36:52, 34:50].any(), "as large as another piece"


def test_a_rim_between_glare_and_top_has_the_colour_of_the_top() -> None:
    """A rim without glare within it, or one in another colour's corner, is a piece of its own."""
    orange, yellow = np.zeros((2, 40, 140), np.uint8)
    grey = np.full(orange.shape, 120, np.uint8)
    for left in (10, 50, 90):
        orange[10:30, left : left + 20] = 1
        orange[13:27, left + 3 : left + 17] = 0
        yellow[13:27, left + 3 : left + 17] = 1
    orange[10:13, 14:26] = 0  # open on one side
    orange[:, 90:107] = 0  # only on one side
    for left in (10, 90):
        yellow[15:25, left + 5 : left + 15], grey[15:25, left + 5 : left + 15] = 0, 240
    tops = fill_tops([orange, yellow], grey, 10)
    assert [int(tops[0][14, left]) for left in (13, 53, 93)] == [1, 0, 0]
    assert [int(tops[1][14, left]) for left in (13, 53, 93)] == [0, 1, 1]
    assert tops[0][13:27, 13:27].all() and tops[1][13:27, 93:107].all(), "glare is filled"
    whole, around = np.zeros((2, 60, 60), np.uint8)
    around[10:50, 10:50] = whole[20:40, 20:40] = 1
    around[20:40, 20:40] = whole[22:37, 22:37] = 0
    grey = np.where(whole + around > 0, 120, 240).astype(np.uint8)
    assert fill_tops([around, whole], grey, 10)[1][20:40, 20:40].all(), "a piece among others"


def test_a_top_that_mirrors_a_window_has_the_colour_of_its_edges() -> None:
    """Neither has a white piece among shadows, nor one that is smaller and between others."""
    numbers, shaded = np.full((80, 400), 3), np.zeros((80, 400), bool)
    for left, rim in ((20, 36), (100, 16), (260, 36), (340, 36)):  # black on all sides, or on one
        numbers[20:56, left : left + rim] = 0
        numbers[23:53, left + 3 : left + 33] = 2
    numbers[20:56, 180:216], numbers[30:46, 190:206] = 0, 2
    shaded[40:56, 260:296] = True
    numbers[20:56, 373:376] = numbers[38:56, 340:343] = 3  # on two and a half
    fill_mirrors(numbers, COLOURS, (COLOURS[0], COLOURS[2]), shaded, 16.0)
    assert [int(numbers[38, at]) for at in (38, 118, 198, 278, 358)] == [0, 2, 2, 2, 0]


def test_an_unlit_area_is_a_dark_top_unless_a_lit_one_touches_it() -> None:
    numbers, shaded = np.full((60, 240), 3), np.zeros((60, 240), bool)
    unlit = np.zeros((60, 240), bool)
    unlit[20:40, 20:40] = unlit[40:48, 100:120] = unlit[20:40, 180:184] = True
    numbers[20:40, 100:120] = 0  # the top whose side is below it
    numbers[40:48, 20:40], shaded[40:48, 20:40] = 0, True
    light_tops(numbers, 0, unlit, shaded, 8.0)
    assert [int(numbers[at]) for at in ((30, 30), (44, 110), (30, 182))] == [0, 3, 3]


def test_parts_of_a_piece_are_of_its_hue_or_have_none() -> None:
    black, purple, white, red, green = 0, 1, 2, 3, 4
    parts = parts_of([*COLOURS, "#b8143a", "#1f9a2a"])
    assert parts[[black, white]].all(), "shadows and glare are on pieces of any colour"
    assert parts[[purple, red, green], white].all(), "a white side shows what is beside it"
    assert not parts[[purple, red, green], black].any()
    assert parts[red, purple] and not parts[green, purple] and not parts[purple, green]


CLAY, RED = "#ee5518", "#b8143a"
WARM_CLAY, WARM_RED = (50, 88, 246), (23, 42, 233)


def warm(clays: int, reds: int) -> tuple[np.ndarray, np.ndarray]:
    """(N, 3) BGR of pieces in a lamp's light, and (N, 2) chances that each is clay or red."""
    shown = np.array([WARM_CLAY] * clays + [WARM_RED] * reds)
    shown += np.arange(len(shown))[:, None] % 3
    return shown, np.array([[0.75, 0.2]] * clays + [[0.25, 0.7]] * reds)


def views(shown: np.ndarray, chances: np.ndarray) -> PieceViews:
    """Those of pieces side by side, all of them nearest to clay."""
    at = np.stack([np.arange(len(shown)), np.zeros(len(shown), int)], axis=1)
    return PieceViews([CLAY, RED], at, shown, np.zeros(len(shown), int), chances)


def as_read(shown: np.ndarray, colours: list[str]) -> list[int]:
    return nearest_colours(shown[None].astype(np.uint8), colours, colours)[0].tolist()


def test_red_and_clay_are_distinguished_where_a_lamp_makes_both_orange() -> None:
    shown, chances = warm(3, 4)
    assert as_read(shown, [CLAY, RED]) == [0] * 7
    assert as_read(shown, colours_as_seen(views(shown, chances))) == [0, 0, 0, 1, 1, 1, 1]


def test_one_group_of_pieces_keeps_its_colour_whatever_else_is_said_of_it() -> None:
    kit = [CLAY, RED]
    for clays, reds in ((0, 4), (1, 4), (4, 1)):
        shown, chances = warm(clays, reds)
        assert colours_as_seen(views(shown, chances)) == kit
    shown, chances = warm(3, 4)
    alike = np.full_like(shown, WARM_CLAY)
    assert colours_as_seen(views(alike, chances)) == kit


def test_pieces_beneath_a_hand_tell_a_boards_colours_until_it_shows_them_anew() -> None:
    every, red = views(*warm(4, 4)), views(*warm(0, 1))
    last = LastViews()
    assert last.with_covered(every, np.ones((1, 8), bool)) is every
    visible = np.arange(8)[None] < 1
    assert colours_as_seen(last.with_covered(red, visible)) != [CLAY, RED]
    assert last.with_covered(red, visible).nearest.size == 8, "the first one is seen anew"
    assert last.with_covered(red, np.ones((1, 8), bool)).nearest.size == 1


def test_areas_as_wide_as_a_piece_show_its_colour() -> None:
    mask = np.zeros((80, 160), bool)
    mask[10:34, 10:34] = mask[40:64, 90:114] = True
    mask[70:76] = True
    assert sorted(map(tuple, area_middles(mask, 12.0).tolist())) == [(22, 22), (102, 52)]
    assert not len(area_middles(np.zeros((80, 160), bool), 12.0))
