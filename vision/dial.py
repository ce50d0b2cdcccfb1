"""Dials: a printed ring that is turned by hand, and which of its pictures faces which region.

The ring consists of as many arcs as there are regions around it, each with its own picture; the
reference shows them with the dial's piece on the first region. What all arcs share is
uninformative, so the comparison uses each one's difference from their mean. Arcs are laid by hand:
each may be a few degrees off, but as they are joined their order is fixed.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration import Profile
from scorer.places import Circle, Place
from vision.rectify import Canvas

_STEP = 0.5
"""Degrees of the ring per column of its picture."""
_ROWS = 16
_ASTRAY = 8.0
"""Degrees by which an arc may be off."""
_NARROWER = (-0.1, 0.1)
"""Largest shifts of the ring inwards and outwards, in widths of it."""
_SHARPNESS = 14.0
"""Log odds per arc of a correlation of 1."""
_LIKE = 0.25
"""Mean correlation of the arcs below which no such ring is seen."""
_FLAT = 12.0
"""Least level difference of arcs where they differ most: their pictures may be small."""


@dataclass(frozen=True)
class Dial:
    """A ring of arcs: its ``piece``, the ``places`` clockwise, its ``middle`` and radii in mm."""

    piece: str
    places: tuple[Place, ...]
    middle: tuple[float, float]
    inner: float
    outer: float
    first: float
    """Degrees clockwise from the right of the first region's centre."""

    @classmethod
    def of(cls, profile: Profile) -> "Dial | None":
        """The dial of a board; None if it has none."""
        pieces = [piece.id for piece in profile.game.pieces if piece.dial]
        shapes = {
            place: shape
            for place, shape in profile.places.items()
            if place.kind == "dial" and isinstance(shape, Circle)
        }
        if not pieces or len(shapes) < 2:
            return None
        at = np.array([shape.at for shape in shapes.values()])
        middle = at.mean(axis=0)
        radius = float(np.hypot(*(at - middle).T).mean())
        half = float(np.mean([shape.radius for shape in shapes.values()]))
        x, y = at[0] - middle
        return cls(
            pieces[0],
            tuple(shapes),
            (float(middle[0]), float(middle[1])),
            radius - half,
            radius + half,
            float(np.degrees(np.arctan2(y, x))),
        )

    @property
    def turns(self) -> list[np.ndarray]:
        """(3, 3) each, mm to mm: rotations by one region, by two, and so on."""
        count = len(self.places)
        found = []
        for number in range(1, count):
            about = cv2.getRotationMatrix2D(self.middle, 360 * number / count, 1.0)
            found.append(np.vstack([about, [0, 0, 1]]))
        return found

    def read(
        self,
        board: np.ndarray,
        reference: np.ndarray,
        canvas: Canvas,
        visible: np.ndarray | None = None,
    ) -> np.ndarray:
        """(R,) probabilities that the piece faces each region; all 0 if no such ring is seen.

        Both pictures are (S, S, 3) uint8 on the canvas, in the same light. Arcs that are not
        ``visible``, (R,) bool, are ignored; most must be visible.
        """
        known, seen = (self._arcs(picture, canvas) for picture in (reference, board))
        count = len(self.places)
        apart = known - known.mean(axis=0)
        if np.percentile(np.abs(apart), 98) < _FLAT:
            return np.zeros(count)
        free = np.ones(count, bool) if visible is None else visible
        if 2 * free.sum() <= count:
            return np.zeros(count)
        shown = (seen - seen[free].mean(axis=0)).astype(np.float32)
        likeness = np.array([[_likeness(arc, like) for like in apart] for arc in shown])
        turns = np.array(
            [
                [likeness[at, (at - turn) % count] for at in np.flatnonzero(free)]
                for turn in range(count)
            ]
        )
        mean = turns.mean(axis=1)
        if mean.max() < _LIKE:
            return np.zeros(count)
        odds = _SHARPNESS * turns.sum(axis=1)
        return np.asarray(np.exp(odds - np.logaddexp.reduce(odds)))

    def _arcs(self, picture: np.ndarray, canvas: Canvas) -> np.ndarray:
        """(R, rows, columns, 3) float32: the ring unrolled, one arc around each region's centre."""
        around = round(360 / _STEP / len(self.places)) * len(self.places)
        turns = np.arange(around) / around - 0.5 / len(self.places)
        angles = np.radians(self.first + 360 * turns)
        radii = np.linspace(self.inner, self.outer, _ROWS + 2)[1:-1]
        x = self.middle[0] + radii[:, None] * np.cos(angles)
        y = self.middle[1] + radii[:, None] * np.sin(angles)
        px = canvas.to_px(np.stack([x, y], axis=-1).reshape(-1, 2)).astype(np.float32)
        columns, rows = px.reshape(_ROWS, around, 2).transpose(2, 0, 1)
        ring = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR)
        ring = cv2.GaussianBlur(ring, (0, 0), 1.0).astype(np.float32)
        return np.asarray(np.split(ring, len(self.places), axis=1))


def _likeness(seen: np.ndarray, known: np.ndarray) -> float:
    """Best correlation of an arc with a known one over all shifts, -1 to 1."""
    margin = round(_ASTRAY / _STEP)
    shifted = [round(share * _ROWS) for share in _NARROWER]
    rows = max(map(abs, shifted))
    middle = known[rows:-rows, margin:-margin]
    found = cv2.matchTemplate(seen, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
    return float(np.nan_to_num(found, posinf=0, neginf=0).max())
