"""Places cut out of a picture: of one size, upright, and the reference as sharp as the picture."""

import cv2
import numpy as np
import pytest

from scorer.places import Bar, Circle
from vision.place_patches import (
    PATCH_PX,
    BlurredReference,
    canvas_side,
    cut,
    patch_grid,
    patch_masks,
    piece_colours,
)


def test_an_oblong_place_lies_along_the_rows_of_its_patch() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    bar = Bar((200, 180), (60, 24), 35)
    box = cv2.boxPoints((bar.at, bar.size, bar.turn)).round().astype(np.int32)
    cv2.fillConvexPoly(picture, box, (255, 255, 255))
    (patch,) = cut(picture, patch_grid([bar]))
    (mask,) = patch_masks([bar])
    assert patch.shape == (PATCH_PX, PATCH_PX, 3) and mask.shape == patch.shape[:2]
    assert ((patch[..., 0] > 127) == (mask > 0)).mean() > 0.95
    assert np.ptp(np.nonzero(mask)[1]) > 1.4 * np.ptp(np.nonzero(mask)[0])


def test_a_board_of_small_places_is_looked_at_more_closely() -> None:
    small, large = Circle((0, 0), 3.0), Circle((0, 0), 8.0)
    assert canvas_side((240, 200), [large, small]) > canvas_side((240, 200), [large])
    assert canvas_side((2000, 2000), [Circle((0, 0), 1.0)]) == 1024


def test_a_reference_is_compared_as_blurred_as_the_photograph_is() -> None:
    """A fine outline that is smeared fills its place as a pale piece would."""
    reference = np.random.default_rng(2).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    mask = np.ones(reference.shape[:2], bool)
    assert (BlurredReference(reference, mask).like(reference) == reference).all()
    smeared = cv2.GaussianBlur(reference, (0, 0), 2.4)
    covered = smeared.copy()
    covered[:90] = 200
    for board in (smeared, covered):
        off = np.abs(BlurredReference(reference, mask).like(board).astype(int) - smeared)
        assert off.mean() < 3


def test_a_narrow_place_is_seen_as_finely_across_as_its_shape_allows() -> None:
    (grid,) = patch_grid([Bar((50, 50), (16, 4), 0)])
    along, across = np.ptp(grid[..., 0]), np.ptp(grid[..., 1])
    assert across == pytest.approx(along / 2)
    assert across > 3 * 4  # what leans in from beside it is seen as well


def test_a_piece_half_beside_its_place_has_its_own_colour() -> None:
    print_ = np.full((1, PATCH_PX, PATCH_PX, 3), (40, 160, 220), np.uint8)
    photo = print_.copy()
    photo[:, 15:] = (30, 60, 20)
    (on,) = patch_masks([Circle((0, 0), 5)])
    assert piece_colours(photo, print_, on[None]).tolist() == [[30, 60, 20]]
    assert piece_colours(print_, print_, on[None]).tolist() == [[40, 160, 220]]
