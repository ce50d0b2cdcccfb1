"""Highlights and groups are seen where the known board has them, or are not said to be."""

import numpy as np
import pytest

from calibration import Profile
from calibration.profile import PX_PER_MM
from calibration.proposal.marks import SpaceLooks
from calibration.proposal.standard import standard_board

STANDARD = standard_board("nebula")
AT = STANDARD.graph.at * PX_PER_MM


@pytest.fixture(scope="module")
def looks(standard: Profile) -> SpaceLooks:
    return SpaceLooks(standard.require_reference(), AT, STANDARD.graph.radius * PX_PER_MM)


def test_highlighted_spaces_stand_out(looks: SpaceLooks, standard: Profile) -> None:
    names = {STANDARD.spaces[number] for number in STANDARD.marked}
    assert names == set(standard.board.highlighted)
    assert looks.stand_out(STANDARD.marked)


def test_a_highlight_more_less_or_elsewhere_is_not_taken_for_the_known_ones(
    looks: SpaceLooks,
) -> None:
    one, other = STANDARD.spaces.index("ar3"), STANDARD.spaces.index("ar4")
    for marked in (STANDARD.marked - {one}, STANDARD.marked | {other}):
        assert not looks.stand_out(marked)
    assert not looks.stand_out(STANDARD.marked - {one} | {other})


def test_a_group_is_filled_alike(looks: SpaceLooks) -> None:
    assert looks.alike_in(STANDARD.groups)
    (first, *others), (second, *more), *rest = (
        group for group in STANDARD.groups if len(group) > 1
    )
    assert not looks.alike_in([(second, *others), (first, *more), *rest])


def test_on_a_blank_board_nothing_stands_out() -> None:
    blank = np.full((960, 800, 3), 90, np.uint8)
    looks = SpaceLooks(blank, AT, 32.0)
    assert looks.standing_out() == frozenset() and not looks.stand_out(STANDARD.marked)
