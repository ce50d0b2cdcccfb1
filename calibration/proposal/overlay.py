"""A proposal drawn on its photograph, for a person to see what was found and what was not."""

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.layout import board_corners
from calibration.proposal.propose import SURE, LayoutProposal

FOUND, DOUBTFUL, OUTLINE = (80, 220, 60), (40, 40, 255), (255, 200, 0)
MARGIN = 0.04  # of the board's extent that is shown about it
LONGEST_PX = 1400


def draw_proposal(photo: Image, proposal: LayoutProposal) -> Image:
    """The board's part of the photograph with everything proposed on it, (H, W, 3) uint8 BGR."""
    layout = proposal.draft
    flat = board_corners(proposal.size_mm).astype(np.float32)
    to_photo = cv2.getPerspectiveTransform(flat, np.asarray(proposal.corners, np.float32))
    low, high = proposal.corners.min(axis=0), proposal.corners.max(axis=0)
    room = MARGIN * float((high - low).max())
    x0, y0 = (max(0, int(value)) for value in low - room)
    x1, y1 = (int(value) for value in high + room)
    scale = min(2.0, LONGEST_PX / max(x1 - x0, y1 - y0))
    part = photo[y0:y1, x0:x1]
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    shown = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)

    def at(points: Floats) -> list[tuple[int, int]]:
        there = cv2.perspectiveTransform(np.asarray(points, np.float64)[None], to_photo)[0]
        return [(round((x - x0) * scale), round((y - y0) * scale)) for x, y in there.tolist()]

    def colour(key: str) -> tuple[int, int, int]:
        return FOUND if proposal.confidence.get(key, 1.0) >= SURE else DOUBTFUL

    outline = np.array(at(board_corners(proposal.size_mm)), np.int32)
    cv2.polylines(shown, [outline], True, OUTLINE, 2, cv2.LINE_AA)
    for link in layout.board.links:
        one, other = at(np.array([layout.spaces[end].at for end in (link.a, link.b)]))
        cv2.line(shown, one, other, colour(f"{link.a}-{link.b}"), 1, cv2.LINE_AA)
    for place, shape in layout.places.items():
        turns = np.linspace(0, 2 * np.pi, 40)
        rim = np.array(shape.at) + shape.radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        ring = np.array(at(rim), np.int32)
        cv2.polylines(shown, [ring], True, colour(str(place)), 2, cv2.LINE_AA)
        ((x, y),) = at(np.array([shape.at]))
        name = str(place.slot + 1) if place.kind == "track" else place.id
        for tone, weight in (((0, 0, 0), 3), ((255, 255, 255), 1)):
            cv2.putText(
                shown, name, (x - 12, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, tone, weight,
                cv2.LINE_AA,
            )  # fmt: skip
    return shown
