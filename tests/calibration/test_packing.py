"""Rectangles on sheets: all of them, within the sheet, none upon another."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.packing import pack

sides = st.tuples(st.integers(1, 10), st.integers(1, 10))


@given(st.lists(sides, max_size=12), st.integers(0, 2))
def test_everything_lies_somewhere_by_itself(sizes: list[tuple[int, int]], gap: int) -> None:
    sheets = pack(sizes, (12.0, 12.0), gap)
    assert sorted(number for page in sheets for number, _ in page) == list(range(len(sizes)))
    for page in sheets:
        boxes = [(x, y, x + sizes[number][0], y + sizes[number][1]) for number, (x, y) in page]
        assert all(x1 <= 12 and y1 <= 12 for _, _, x1, y1 in boxes)
        for one, other in combinations(boxes, 2):
            beside = one[2] + gap <= other[0] or other[2] + gap <= one[0]
            assert beside or one[3] + gap <= other[1] or other[3] + gap <= one[1]


def test_what_is_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="13 by 2 is larger than 12 by 12"):
        pack([(13, 2)], (12, 12))
