"""Pieces in regions are seen to come wherever they are laid."""

import cv2
import numpy as np
import pytest

from calibration import load_profile
from scorer.places import inside
from vision.live.board_tracker import CHANGED
from vision.live.change_detector import MARGIN_MM, PX_PER_MM, ChangeDetector

STRANGE = 70
"""Levels by which a piece differs from the print."""
EACH = 48
"""Pictures of a board, each with a piece in every fourth region; in half of them at its rim."""


@pytest.mark.parametrize("name", ("via_nebula/standard", "ptolemaeus/standard"))
def test_a_piece_anywhere_in_a_region_changes_it(name: str) -> None:
    profile, rng = load_profile(name), np.random.default_rng(1)
    detector = ChangeDetector(profile)
    radius = min(one.diameter_mm for one in profile.game.pieces if one.diameter_mm) / 2
    regions = [
        (row, place, shape)
        for row, (place, shape) in enumerate(profile.places.items())
        if place.kind == "region"
    ]
    unseen = []
    for picture in range(EACH):
        at_rim = picture < EACH // 2
        photo, laid = detector.print.copy(), {}
        for row, place, shape in regions[picture % 4 :: 4]:
            low, high = np.array(shape.outline).min(axis=0), np.array(shape.outline).max(axis=0)
            at = low.tolist()
            while not inside(shape, at, radius / 3) or (at_rim and inside(shape, at, radius / 2)):
                x, y = rng.uniform(low, high).tolist()
                at = x, y
            laid[row] = place, at
            mask = np.zeros(photo.shape[:2], np.uint8)
            x, y = (round((side + MARGIN_MM) * PX_PER_MM) for side in at)
            cv2.circle(mask, (x, y), round(radius * PX_PER_MM), 1, -1)
            brighter = photo[mask > 0].mean() < 128
            shown = photo[mask > 0].astype(int) + (STRANGE if brighter else -STRANGE)
            photo[mask > 0] = shown.clip(0, 255)
        seen = detector.compare(photo, detector.print)
        unseen += [own for row, own in laid.items() if seen.places[row] <= CHANGED]
    assert not unseen
