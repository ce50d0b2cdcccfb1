"""A camera over the table: where it sees a point."""

from math import cos, radians, sin

import pytest

from models.rendering.scene import Viewpoint


@pytest.mark.parametrize("azimuth", [0, 35, 90, 200])
def test_a_point_turned_with_the_camera_is_seen_in_the_same_place(azimuth: float) -> None:
    turn = radians(azimuth)
    x, y = 40.0, -25.0
    at = (x * cos(turn) + y * sin(turn), -x * sin(turn) + y * cos(turn))
    seen = Viewpoint(at=(0, 0), azimuth=azimuth, elevation=50, distance=600).sees(at)
    unturned = Viewpoint(at=(0, 0), azimuth=0, elevation=50, distance=600).sees((x, y))
    assert seen == pytest.approx(unturned)


def test_what_is_nearer_is_lower_and_larger() -> None:
    view = Viewpoint(at=(0, 0), azimuth=0, elevation=50, distance=600)
    assert view.sees((0, 0)) == (0, 0, 600)
    (_, high, far), (_, low, near) = view.sees((0, -100)), view.sees((0, 100))
    assert high < 0 < low and near < 600 < far
    assert view.sees((50, 100))[0] > view.sees((50, -100))[0] > 0
    right = Viewpoint(at=(0, 0), azimuth=90, elevation=50, distance=600)
    assert right.sees((100, 0))[2] < 600, "from the right edge, what is on the right is near"
