"""Photographs in which a printed board is found, compared with plain SIFT + MAGSAC.

For any game's board, for example in public photographs; none are in the repository:

    python -m tests.benchmarks.registration_acceptance FOLDER PHOTO... [--wrong PHOTO...]

FOLDER has the empty board and its layout as for `tests.benchmarks.real_boards`; `pieces` and
`places` may be {}. The photographs after ``--wrong`` show no such board: any find is an error.
Both methods run on the same pictures in turn; times are processor time, independent of other load.
"Agree" are photographs in which both find all corners in the same place, to 1 % of the board's
mean side.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile, board_corners
from tests.benchmarks.real_boards import profile_of
from vision import Recogniser, load_photo
from vision.rectify import transform

SIDE_PX = 1600
MOST = 10_000
RATIO = 0.8
TOLERANCE_PX = 4.0
ENOUGH = 25
"""The inliers from which plain SIFT + MAGSAC counts the board as found."""
SAME = 0.01


class PlainSift:
    """The twenty-line baseline."""

    def __init__(self, profile: Profile) -> None:
        self._sift = cv2.SIFT.create(nfeatures=MOST)
        self._size_mm = profile.size_mm
        points, self._known = self._features(profile.require_reference())
        self._at = points / PX_PER_MM

    def _features(self, image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shrink = min(1.0, SIDE_PX / max(image.shape[:2]))
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        grey = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        points, described = self._sift.detectAndCompute(grey, None)
        return np.array([point.pt for point in points]) / shrink, described

    def corners(self, image: np.ndarray) -> np.ndarray | None:
        """Return the corners (4, 2) in px, None if the board is not found."""
        points, described = self._features(image)
        pairs = [
            (one.queryIdx, one.trainIdx)
            for one, other in cv2.BFMatcher().knnMatch(self._known, described, k=2)
            if one.distance < RATIO * other.distance
        ]
        if len(pairs) < ENOUGH:
            return None
        known, seen = np.array(pairs).T
        to_image, inliers = cv2.findHomography(
            self._at[known],
            points[seen],
            cv2.USAC_MAGSAC,
            TOLERANCE_PX / SIDE_PX * max(image.shape),
        )
        if to_image is None or inliers.sum() < ENOUGH:
            return None
        return transform(to_image, board_corners(self._size_mm))


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """Return the largest distance of corners as a fraction of the mean side."""
    side = np.linalg.norm(np.roll(a, -1, axis=0) - a, axis=1).mean()
    return float(np.linalg.norm(a - b, axis=1).max() / side)


def main() -> None:
    """Print a line for each photograph, and the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("photographs", type=Path, nargs="+")
    parser.add_argument("--wrong", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    profile = profile_of(given.folder)
    recogniser, plain = Recogniser.of([profile]), PlainSift(profile)
    recogniser.recognise(profile.require_reference())  # one-time work is not timed
    found = agree = by_plain = false = plain_false = 0
    spent: dict[str, list[float]] = {"ours": [], "plain": [], "nothing there": []}
    for path in (*given.photographs, *given.wrong):
        image = load_photo(path).image
        begun = process_time()
        finds = [find for find in recogniser.recognise(image) if find.profile is not None]
        ours = process_time()
        corners = plain.corners(image)
        ended = process_time()
        if path in given.wrong:
            false += len(finds)
            plain_false += corners is not None
            spent["nothing there"].append(ours - begun)
        else:
            found += bool(finds)
            by_plain += corners is not None
            agree += corners is not None and any(apart(f.corners, corners) < SAME for f in finds)
            spent["ours"].append(ours - begun)
            spent["plain"].append(ended - ours)
        reported = ", ".join(f"{find.confidence:.2f}" for find in finds) or "nothing"
        print(f"{path.name}: {reported} ({1000 * (ours - begun):.0f} ms)", flush=True)
    total = len(given.photographs)
    print(f"found: {found} of {total}; plain SIFT + MAGSAC {by_plain}; agree {agree}")
    print(f"false: {false} in {len(given.wrong)}; plain SIFT + MAGSAC {plain_false}")
    for what, times in spent.items():
        if times:
            low, middle, high = 1000 * np.percentile(times, [5, 50, 95])
            print(f"{what}: median {middle:.0f} ms, 5 to 95 % {low:.0f} to {high:.0f} ms")


if __name__ == "__main__":
    main()
