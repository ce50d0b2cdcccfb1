"""Emptiness: whether there are pieces on a board that has no picture of it empty yet.

The detector compares a board with the picture of the empty one. Two substitutes are used here: a
known board of the game, and the board itself with every space replaced by the median of all spaces.
A space holds a piece if both comparisons say so: one of the two resembles its print. A side board,
which no detector knows, is read place by place with the second substitute alone.
"""

import cv2
import numpy as np

from calibration import Layout, Profile, load_profile
from calibration.calibrate import make_reference
from calibration.profile import PX_PER_MM, built_in_profiles, reference_size
from scorer.board_state import SURE
from vision.detect import place_scores
from vision.models import Detector
from vision.observer import REACH
from vision.photo import Photo
from vision.reader import Clock
from vision.rectify import Canvas, homography, rectify

FORGOTTEN = 2
"""Number of occupied spaces from which a board is considered not empty."""
PIECE_SEEN = 0.5
"""Detector score, of any piece, from which both comparisons must agree on a piece."""
_PRINTED = 1.15
"""Extent of a space's print, in its radii."""


def occupied_spaces(
    image: np.ndarray, corners: np.ndarray, layout: Layout, detector: Detector
) -> tuple[str, ...]:
    """The spaces that seem to hold a piece, of a board in an (H, W, 3) uint8 BGR picture.

    Empty if they are few enough to be false detections. ``corners`` (4, 2) px are the board's,
    clockwise from the printed top-left; ``layout`` has its spaces to within a few mm.
    """
    if layout.is_side_board:
        return _unlike_others(image, corners, layout)
    known = load_profile(next(iter(built_in_profiles(layout.game).values())))
    canvas = Canvas(layout.size_mm)
    board = rectify(image, homography(corners, layout.size_mm), canvas)
    points = np.array([shape.at for shape in layout.spaces.values()], float)
    radius = float(np.median([shape.radius for shape in layout.spaces.values()]))
    alike = cv2.resize(
        known.require_reference(), reference_size(layout.size_mm), interpolation=cv2.INTER_AREA
    )
    like_spaces = _with_like_spaces(board, canvas.to_px(points), radius * canvas.px_per_mm)
    references = (canvas.place_reference(alike), like_spaces)
    scores = [
        place_scores(detector.detect(board, reference, canvas), points, REACH * radius)
        for reference in references
    ]
    seen = np.min([score.max(axis=1) for score in scores], axis=0)
    pairs = zip(layout.spaces, seen, strict=True)
    found = tuple(name for name, sure in pairs if sure >= PIECE_SEEN)
    return found if len(found) >= FORGOTTEN else ()


def _unlike_others(image: np.ndarray, corners: np.ndarray, layout: Layout) -> tuple[str, ...]:
    """The same of a side board, by the reader of places."""
    from vision.placewise import PlacewiseReader  # slow to import, and few boards need it

    board = make_reference(image, corners, layout)
    points = np.array([shape.at for shape in layout.spaces.values()], float) * PX_PER_MM - 0.5
    radius = float(np.median([shape.radius for shape in layout.spaces.values()])) * PX_PER_MM
    reader = PlacewiseReader(Profile("like", layout, _with_like_spaces(board, points, radius)))
    photo = Photo(image, (image.shape[1], image.shape[0]), "")
    seen = reader.look(photo, homography(corners, layout.size_mm), Clock(0))
    read = reader.classify(photo, seen, None).places.items()
    found = tuple(at.id for at, own in read if own.piece and own.confidence >= SURE)
    return found if len(found) >= FORGOTTEN else ()


def _with_like_spaces(board: np.ndarray, points: np.ndarray, radius: float) -> np.ndarray:
    """The board, (H, W, 3), with each space, at (N, 2) ``points`` px, set to the median of all."""
    reach = int(np.ceil(_PRINTED * radius))
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    round_about = dx**2 + dy**2 <= reach**2
    edged = np.pad(board, ((reach, reach), (reach, reach), (0, 0)), "edge")
    size = np.array(board.shape[1::-1]) - 1
    corners = np.clip(points.round().astype(int), 0, size)
    windows = [
        (slice(y, y + 2 * reach + 1), slice(x, x + 2 * reach + 1)) for x, y in corners.tolist()
    ]
    like = np.median([edged[window] for window in windows], axis=0).astype(np.uint8)
    for window in windows:
        edged[window][round_about] = like[round_about]
    return np.ascontiguousarray(edged[reach:-reach, reach:-reach])
