"""The PDF measures what it says, with the tokens of one game."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration import Profile, ProfileError, draw_board
from calibration.nebula.token_sheet import DIAMETER_MM, TOKEN_STYLES
from calibration.printing import PAPERS, print_board

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


@pytest.fixture(scope="module", params=sorted(PAPERS))
def printed(request: pytest.FixtureRequest, standard: Profile) -> tuple[str, pypdfium2.PdfDocument]:
    return request.param, pypdfium2.PdfDocument(print_board(standard, request.param))


Printed = tuple[str, pypdfium2.PdfDocument]


def test_pages_have_the_papers_size(printed: Printed) -> None:
    paper, document = printed
    assert len(document) == 2
    for page in document:
        assert page.get_mediabox()[2:] == pytest.approx(
            [side * POINTS_PER_MM for side in PAPERS[paper]], abs=0.01
        )


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
    page = render(printed[1][1])
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


def test_owners_layout_without_reference_is_drawn(standard: Profile) -> None:
    mine = replace(standard, name="mine", reference=None, built_in=False)
    assert print_board(mine) == print_board(standard)


def test_printing_twice_gives_the_same_file(standard: Profile) -> None:
    assert print_board(standard) == print_board(standard)


def test_board_too_large_for_the_paper_is_refused(standard: Profile) -> None:
    large = replace(standard, layout=replace(standard.layout, size_mm=(300.0, 300.0)))
    with pytest.raises(ProfileError, match="a4 has room for 201 x 264 mm"):
        print_board(large)
