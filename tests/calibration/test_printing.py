"""The PDF measures what it says, with the tokens of one game."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration import Profile, draw_board, load_profile
from calibration.artwork import describe_board, further_sheets
from calibration.drawing import Fill, Stroke, rasterise
from calibration.ink_saving import on_white
from calibration.lettering import lettering
from calibration.nebula.artwork import DIAMETER_MM, TOKEN_STYLES
from calibration.nebula.table_sheets import CAREER_MARKERS, MARKERS, draw_small_parts
from calibration.polaris.frame import MOONS, draw_moon
from calibration.polaris.score_board import BOARD_MM, CELL, MARKER_MM, TRACK, track_place
from calibration.printing import PAPERS, Sheets, _box, print_board
from calibration.ptolemaeus.solids import NET_MM
from calibration.ptolemaeus.solids import SIDE_MM as BOX_MM
from calibration.star_token import CUT_LINE
from calibration.tiles import tile
from scorer.nebula.values_board import TOKENS
from scorer.ptolemaeus.game import BODIES
from tests.conftest import in_full

PX_PER_MM = 6
POINTS_PER_MM = 72 / 25.4


def render(page: pypdfium2.PdfPage, px_per_mm: float = PX_PER_MM) -> np.ndarray:
    """A page as (H, W, 3) uint8 BGR."""
    return page.render(scale=px_per_mm / POINTS_PER_MM).to_numpy()[..., :3].copy()


def board_box(page: np.ndarray) -> tuple[int, int, int, int]:
    """Left, top, right and bottom px of the board: the page's largest thing that is dark."""
    dark = (page.max(axis=2) < 245).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    x, y, width, height, _ = stats[1 + stats[1:, cv2.CC_STAT_AREA].argmax()]
    return x, y, x + width, y + height


@pytest.fixture(scope="module")
def on_paper(standard: Profile) -> Callable[[str], bytes]:
    """Nebula's PDF for a paper, drawn once."""
    return cache(partial(print_board, standard))


@pytest.fixture(scope="module")
def on_a4(on_paper: Callable[[str], bytes]) -> bytes:
    return on_paper("a4")


@pytest.fixture(scope="module", params=in_full(["a4", "letter"], "a4"))
def printed(
    request: pytest.FixtureRequest, on_paper: Callable[[str], bytes]
) -> tuple[str, pypdfium2.PdfDocument]:
    return request.param, pypdfium2.PdfDocument(on_paper(request.param))


Printed = tuple[str, pypdfium2.PdfDocument]


def test_pages_have_the_papers_size(printed: Printed) -> None:
    paper, document = printed
    for page in document:
        assert page.get_mediabox()[2:] == pytest.approx(
            [side * POINTS_PER_MM for side in PAPERS[paper]], abs=0.01
        )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_small_parts_share_a_page(paper: str, on_paper: Callable[[str], bytes]) -> None:
    pages = len(pypdfium2.PdfDocument(on_paper(paper)))
    assert pages == 4, "the board, two pages beside it, the tokens: small parts share a sheet"


def test_small_parts_lie_apart() -> None:
    drawing, px_per_mm = draw_small_parts(), 8
    lines = (mark for mark in drawing.marks if isinstance(mark, Stroke) and mark.colour == CUT_LINE)
    width, height = (round(side * px_per_mm) for side in drawing.size_mm)
    parts = np.zeros((height, width), np.int32)
    for count, mark in enumerate(lines, 1):
        for line in mark.lines:
            assert (np.array(line) > 0).all() and (np.array(line) < drawing.size_mm).all()
            part = np.zeros((height, width), np.uint8)
            cv2.fillPoly(part, [(np.array(line) * px_per_mm).round().astype(np.int32)], 1)
            assert not parts[part > 0].any(), f"{count} lies on {parts[part > 0].max()}"
            parts[part > 0] = count
    expected = len(TOKENS) + len(("hours", "moons")) * 3 + len(MARKERS) * CAREER_MARKERS
    assert count == expected + len(("indicator", "first player")), "each has a line to cut along"


def test_board_is_true_to_size(printed: Printed) -> None:
    left, top, right, bottom = board_box(render(printed[1][0]))
    assert (right - left) / PX_PER_MM == pytest.approx(200, abs=0.35)
    assert (bottom - top) / PX_PER_MM == pytest.approx(240, abs=0.35)


def test_printed_board_is_the_drawing(
    printed: Printed, standard: Profile, same_picture: Callable[..., None]
) -> None:
    page = render(printed[1][0], 12)  # fine, to be cut out where it is
    left, top, right, bottom = board_box(page)
    seen = cv2.resize(page[top:bottom, left:right], (800, 960), interpolation=cv2.INTER_AREA)
    soft = [cv2.GaussianBlur(image, (0, 0), 1) for image in (seen, draw_board(standard))]
    same_picture(soft[0], soft[1], 2.5)


def test_ruler_is_100_mm(printed: Printed) -> None:
    page = render(printed[1][0])
    below = page[board_box(page)[3] + 6 * PX_PER_MM :]
    dark_in_row = (below.max(axis=2) < 160).sum(axis=1)
    assert dark_in_row.max() / PX_PER_MM == pytest.approx(100, abs=0.5)


def test_tokens_of_one_game(printed: Printed) -> None:
    page = render(printed[1][len(printed[1]) - 1])
    count, _, stats, centres = cv2.connectedComponentsWithStats(
        (page.min(axis=2) < 252).astype(np.uint8)
    )
    tokens = [i for i in range(1, count) if stats[i, cv2.CC_STAT_WIDTH] > 8 * PX_PER_MM]
    tokens = [i for i in tokens if stats[i, cv2.CC_STAT_HEIGHT] > 8 * PX_PER_MM]
    papers = {
        colour: np.array([int(style.paper[i : i + 2], 16) for i in (5, 3, 1)])
        for colour, style in TOKEN_STYLES.items()
    }
    seen: Counter[str] = Counter()
    for i in tokens:
        assert stats[i, cv2.CC_STAT_WIDTH] / PX_PER_MM == pytest.approx(DIAMETER_MM, abs=0.5)
        x, y = centres[i].round().astype(int)
        # Beside the star on it: the disc's own colour.
        here = page[y + round(0.75 * DIAMETER_MM / 2 * PX_PER_MM), x]
        seen[min(papers, key=lambda colour: np.abs(papers[colour] - here).sum())] += 1
    assert seen == {**dict.fromkeys(TOKEN_STYLES, 20), "black": 30}


def test_tokens_fit_their_spaces(standard: Profile) -> None:
    assert 14 <= DIAMETER_MM <= 15
    assert min(space.radius for space in standard.spaces.values()) * 2 > DIAMETER_MM + 1


def test_owners_board_is_printed_from_its_reference(
    standard: Profile, same_picture: Callable[..., None]
) -> None:
    photographed = np.full((960, 800, 3), (40, 90, 30), np.uint8)
    photographed[200:400, 100:500] = (30, 40, 160)
    mine = replace(standard, name="mine", reference=photographed, built_in=False)
    page = render(pypdfium2.PdfDocument(print_board(mine))[0], 4)
    left, top, right, bottom = board_box(page)
    seen = cv2.resize(page[top:bottom, left:right], (800, 960), interpolation=cv2.INTER_AREA)
    same_picture(seen, photographed, 2.0)


def test_owners_layout_without_reference_is_drawn(standard: Profile, on_a4: bytes) -> None:
    mine = replace(standard, name="mine", reference=None, built_in=False)
    assert print_board(mine) == on_a4


def test_printing_twice_gives_the_same_file(standard: Profile, on_a4: bytes) -> None:
    assert print_board(standard) == on_a4


@pytest.fixture(scope="module", params=in_full(["a4", "a3"], "a4"))
def tiled(request: pytest.FixtureRequest) -> tuple[str, pypdfium2.PdfDocument]:
    sky = load_profile("polaris/standard")
    return request.param, pypdfium2.PdfDocument(print_board(sky, request.param))


def test_the_number_of_a_tile_does_not_overlap_other_text(tiled: Printed) -> None:
    page = tiled[1][0]
    text = page.get_textpage()
    said = text.get_text_range()
    number = re.search(r"1 / \d", said)
    left, bottom, _, top = text.get_charbox(number.start())
    for at in {*range(len(said))} - {*range(*number.span())}:
        _, low, right, high = text.get_charbox(at)
        level = said[at].isprintable() and low < top and high > bottom
        assert not level or right + 3 * POINTS_PER_MM < left, said


TILE_PX_PER_MM = 4


def test_a_large_board_is_printed_in_tiles_at_true_size(
    tiled: Printed, same_picture: Callable[..., None]
) -> None:
    """What the tiles' cells show, laid beside each other, is the drawing."""
    paper, document = tiled
    sky = load_profile("polaris/standard")
    printed = [_box(shape.outline) for shape in sky.layout.places.values()]
    sheets = Sheets(paper)
    tiling = tile(sky.size_mm, sheets.room(), sheets.room(landscape=True), printed)
    assert len(tiling) == {"a4": 4, "a3": 2}[paper]
    assert len(document) == len(tiling) + {"a4": 4, "a3": 3}[paper]
    whole = np.zeros((1440, 1440, 3), np.uint8)
    for number, one in enumerate(tiling):
        page = render(document[number], TILE_PX_PER_MM)
        x0, y0, x1, y1 = (round(side * TILE_PX_PER_MM) for side in one.cell)
        left, top, right, bottom = board_box(page)
        window = (one.window[2] - x0 / TILE_PX_PER_MM, one.window[3] - y0 / TILE_PX_PER_MM)
        seen = ((right - left) / TILE_PX_PER_MM, (bottom - top) / TILE_PX_PER_MM)
        assert seen == pytest.approx(window, abs=0.5)
        whole[y0:y1, x0:x1] = page[top : top + y1 - y0, left : left + x1 - x0]
    reference = sky.require_reference()
    soft = [cv2.GaussianBlur(image, (0, 0), 1.5) for image in (whole, reference)]
    same_picture(soft[0], soft[1], 4.0)


def test_no_seam_of_the_sky_runs_along_a_spoke() -> None:
    """It goes through links that cross it; Polaris' spokes are straight up, and the borders."""
    sky = load_profile("polaris/standard")
    printed = [_box(shape.outline) for shape in sky.layout.places.values()]
    tiling = tile(sky.size_mm, (201.0, 264.0), (288.0, 177.0), printed)
    (_, x, _), (_, y, _) = tiling.across, tiling.down
    crossed = [box for box in printed if box[0] < x < box[2] or box[1] < y < box[3]]
    even = [box for box in printed if box[0] < 180 < box[2] or box[1] < 180 < box[3]]
    assert 2 * len(crossed) < len(even)


def test_tiles_go_on_under_the_next_ones() -> None:
    tiling = tile((360.0, 360.0), (201.0, 264.0), (288.0, 177.0))
    assert [(one.column, one.row) for one in tiling] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    for one in tiling:
        x0, y0, x1, y1 = one.window
        assert one.cell == (180 * one.column, 180 * one.row, x0 + 180, y0 + 180)
        assert (x1 - one.cell[2], y1 - one.cell[3]) == (
            8.0 * (one.column == 0),
            8.0 * (one.row == 0),
        )
        assert x1 - x0 <= 201 and y1 - y0 <= 264


def test_what_lies_beside_the_sky_is_true_to_size(tiled: Printed) -> None:
    """The frame's arcs, 209.2 mm from tip to tip, and the score board."""
    paper, document = tiled
    first = {"a4": 4, "a3": 2}[paper]
    score_board, arcs = (render(document[first + n], TILE_PX_PER_MM) for n in (0, 1))
    dark = (arcs.max(axis=2) < 200).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    tall = stats[1:, cv2.CC_STAT_HEIGHT] / TILE_PX_PER_MM
    outer = 2 * 178 * np.sin(np.radians(36))
    assert sorted(tall)[-5:] == pytest.approx([outer] * 5, abs=0.8)
    left, top, right, bottom = board_box(score_board)
    assert (right - left) / TILE_PX_PER_MM == pytest.approx(BOARD_MM[0], abs=0.5)
    assert (bottom - top) / TILE_PX_PER_MM == pytest.approx(BOARD_MM[1], abs=0.5)


def test_each_arc_of_the_frame_to_cut_out_is_printed_with_its_moon() -> None:
    """New Moon on the right, Full Moon on the left: so much of each is lit as the sky has it."""
    inner, outer, px_per_mm = 160, 178, 4
    arcs, *_ = further_sheets(load_profile("polaris/standard").layout)
    shown = rasterise(arcs, px_per_mm)
    middle, radius = len(shown) // 2, 0.37 * (outer - inner) * px_per_mm
    band = shown[middle - round(radius) : middle + round(radius)]
    printed = (shown[middle].max(axis=1) > 30).astype(np.int8)
    begins, ends = (
        np.flatnonzero(np.diff(printed, prepend=0, append=0) == step) for step in (1, -1)
    )
    assert (ends - begins) / px_per_mm == pytest.approx([outer - inner] * len(MOONS), abs=0.6)
    lit = [
        (band[:, begin:end].min(axis=2) > 150).sum() / (math.pi * radius**2)
        for begin, end in zip(begins, ends, strict=True)
    ]
    assert lit[::-1] == pytest.approx([*MOONS.values()], abs=0.15)


def test_a_score_marker_and_its_back_are_one_piece_to_fold() -> None:
    *_, sheet = further_sheets(load_profile("polaris/standard").layout)
    (group,) = (group for group in sheet.groups if group.name == "score_markers")
    (left, top), (right, bottom) = (
        (round(8 * x), round(8 * y)) for x, y in (group.top_left, group.bottom_right)
    )
    inked = (rasterise(sheet, 8)[top:bottom, left:right].max(axis=2) > 0).astype(np.uint8)
    *pieces, _ = sorted(cv2.connectedComponentsWithStats(inked)[2].tolist(), key=lambda own: own[4])
    large = [own for own in pieces if own[4] > 100]
    assert len(large) == 4, "a player"
    whole = [pytest.approx(8 * times * MARKER_MM, abs=4) for times in (1, 2)]
    assert [own[2:4] for own in large] == [whole] * 4


def test_points_go_round_the_score_board_in_steps_of_one_cell() -> None:
    places = [track_place(points) for points in range(TRACK)]
    assert TRACK == 60 and len(set(places)) == 60 and track_place(60) == places[0]
    for one, other in zip(places, places[1:] + places[:1], strict=True):
        assert math.dist(one, other) == pytest.approx(CELL)


def test_ptolemaeus_bodies_fold_to_boxes_with_their_sign_on_top() -> None:
    (solids,) = further_sheets(load_profile("ptolemaeus/standard").layout)
    picture = rasterise(solids, 4)
    for number, (body, colour) in enumerate(BODIES.items()):
        middle = ((number % 4 + 0.5) * NET_MM, (number // 4 + 0.5) * NET_MM)
        x, y = (round(4 * (at - BOX_MM / 2 + 1)) for at in middle)
        assert "#{2:02x}{1:02x}{0:02x}".format(*picture[y, x]) == colour, body


def test_ptolemaeus_has_an_astrolabe_to_cut_out_for_the_first_player() -> None:
    (sheet,) = further_sheets(load_profile("ptolemaeus/standard").layout)
    (group,) = sheet.groups
    assert group.name == "astrolabe"
    (left, top), (right, bottom) = (
        (round(4 * x), round(4 * y)) for x, y in (group.top_left, group.bottom_right)
    )
    shown = rasterise(sheet, 4)[top:bottom, left:right]
    assert (shown.max(axis=2) > 0).mean() > 0.6, "a disc fills most of its square"
    assert top / 4 >= 2 * NET_MM, "below the boxes"


def test_little_ink_keeps_the_hands_on_the_clocks_of_time_markers() -> None:
    sheet = draw_small_parts()
    group = next(one for one in sheet.groups if one.name == "time_markers")
    left, top = (round(8 * (at + 6.5)) for at in group.top_left)
    shown = rasterise(replace(sheet, marks=on_white(sheet.marks)), 8)
    face = shown[top - 24 : top + 24, left - 24 : left + 24].max(axis=2)
    assert (face > 200).mean() > 0.5, "a pale face saves ink"
    assert (face < 120).mean() > 0.05, "and dark hands are seen on it"


def test_little_ink_keeps_dashes_apart_and_moons_as_they_shine(standard: Profile) -> None:
    """A dark bed between dashes would make a solid line of them; the full moon is the pale one."""
    marks = on_white(describe_board(standard.layout).marks)
    beds = [one for one in marks if isinstance(one, Stroke) and one.width == 2.5]
    assert len(beds) == 28 and {one.colour for one in beds} == {"#ffffff"}
    new, full = (on_white(draw_moon((0, 0), 5, lit)) for lit in (0.0, 1.0))
    (dark,) = {one.colour for one in new if isinstance(one, Fill) and one.fixed}
    light = {one.colour for one in full if isinstance(one, Fill) and one.fixed} - {dark}
    assert is_dark(dark) and light and not any(map(is_dark, light))


def is_dark(colour: str) -> bool:
    return sum(bytes.fromhex(colour[1:])) < 3 * 128


def test_a_letter_that_cannot_be_drawn_is_named() -> None:
    with pytest.raises(ValueError, match="no letter 'Ú'"):
        lettering("ÚLTIMA", (0, 0), 5, "black")
