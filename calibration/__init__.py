"""Board profiles: where a printed board's spaces are, and what it looks like empty.

>>> from calibration import load_profile
>>> load_profile("standard").spaces["core"].at
(100.0, 140.0)
"""

from calibration import owned, versions
from calibration.artwork import draw_board
from calibration.calibrate import calibrate, check_corners, check_name
from calibration.layout import Layout, ProfileError, board_corners, load_layout
from calibration.outline import find_outline
from calibration.profile import (
    PX_PER_MM,
    Profile,
    calibrated_profiles,
    load_profile,
    owner_profiles,
    profile_layout,
    profile_names,
)

__all__ = [
    "PX_PER_MM",
    "Layout",
    "Profile",
    "ProfileError",
    "board_corners",
    "calibrate",
    "calibrated_profiles",
    "check_corners",
    "check_name",
    "draw_board",
    "find_outline",
    "load_layout",
    "load_profile",
    "owned",
    "owner_profiles",
    "profile_layout",
    "profile_names",
    "versions",
]
